import { randomBytes } from 'node:crypto';
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { png } from '../../../tests/server/files/pictures';
import { startDatabase, type RunningDatabase } from '../database';
import { watchHealth } from '../health';
import type { ResilienceStep } from '../step';
import { pause, signIn, startServer, fetchToken, type ServerAnswer, type RunningServer } from '../server';
import { mountDisk, missingForSmallDisk, type SmallDisk } from '../small-disk';
import { startWriters, describeWriters } from '../writers';

const backWithin = 20_000;

/**
 * The disk of the database is full, then that of the files: clear 503 responses, nothing is stored partially, leftovers
 * are removed, and the program continues once there is space.
 */
export const fullDisk: ResilienceStep = {
  title: 'full disks, of the database and of the files',
  minutes: 3,
  impossible: missingForSmallDisk,
  async run(context) {
    const databaseDisk = mountDisk(context, 'database-disk', 600);
    const filesDisk = mountDisk(context, 'files-disk', 40);
    const database = await startDatabase(context, { folder: databaseDisk.folder });
    const env = { DATABASE_URL: database.url };
    const server = await startServer(context, { env, dataDir: filesDisk.folder });
    const first = await fillDatabase(server, database, databaseDisk);
    const files = await fillFiles(server, database, filesDisk);
    const half = await killInUpload(server, filesDisk.folder);
    await startServer(context, { env, dataDir: filesDisk.folder });
    const left = await filesOf(database, filesDisk.folder);
    if (left.onDisk !== left.named || left.rows !== left.named)
      throw new Error(`${left.onDisk} files on the disk and ${left.rows} rows for ${left.named} pictures`);
    if (left.uploads > 0) throw new Error('half a file was not swept');
    return `database: ${first}; files: ${files}; ${half} half file of a killed program swept, ${left.named} whole ones left`;
  },
};

/** Writes until the database has no space, and continues when it has. */
async function fillDatabase(server: RunningServer, database: RunningDatabase, disk: SmallDisk): Promise<string> {
  const owner = await signIn(server.address);
  const health = watchHealth(server);
  const writers = await startWriters(owner);
  await pause(1_000);
  disk.fill();
  const messages = new Set<string>();
  const [task] = (await owner<{ data: { id: number }[] }>('GET', '/tasks?range=[0,0]')).body.data;
  for (let index = 0; index < 400 && !/full/.test([...messages].join()); index++) {
    const answer = await owner<{ message: string }>('PATCH', `/task/${task!.id}`, {
      comments: randomBytes(2_400).toString('hex'),
      status_id: 2,
    });
    if (answer.status !== 200) messages.add(mustBeRefused(answer));
  }
  await pause(2_000);
  if (!/full/.test([...messages].join()))
    throw new Error(`the database did not say that its disk is full: ${[...messages].join()}`);
  disk.free();
  // PostgreSQL itself may have ended if it could not write its log.
  const isUp = await database.query('select 1').catch(() => undefined);
  if (!isUp) await database.start();
  const startTime = performance.now();
  await Promise.all([health.waitUntil(true, backWithin), writers.untilAcknowledged(backWithin)]);
  const back = performance.now() - startTime;
  await health.stop();
  const writes = await writers.stop(database);
  return `${describeWriters(writes)}, ${isUp ? '' : 'PostgreSQL ended and was started again, '}writing again ${back.toFixed(0)} ms after there was space`;
}

/** Stores images until there is no space, and one more when there is. */
async function fillFiles(server: RunningServer, database: RunningDatabase, disk: SmallDisk): Promise<string> {
  const token = await fetchToken(server.address);
  const owner = await signIn(server.address);
  const cases = (await owner<{ data: { id: number }[] }>('GET', '/test-cases?range=[0,29]')).body.data;
  disk.fill(4 * 1024 * 1024);
  let [storedCount, refusedCount] = [0, 0];
  const store = async (id: number) => {
    const answer = await sendPicture(server.address, token, id);
    if (answer.status === 200) storedCount++;
    else refusedCount += mustBeRefused(answer) ? 1 : 0;
    return answer.status;
  };
  for (let index = 0; index < cases.length; index += 3)
    await Promise.all(cases.slice(index, index + 3).map(({ id }) => store(id)));
  if (storedCount === 0 || refusedCount === 0)
    throw new Error(`${storedCount} stored and ${refusedCount} refused on a full disk`);
  const { onDisk, wholeFiles, rows, uploads } = await filesOf(database, disk.folder);
  if (uploads > 0) throw new Error(`${uploads} files on their way in were left behind`);
  if (onDisk !== wholeFiles || rows !== onDisk)
    throw new Error(`${onDisk} files on the disk, ${wholeFiles} of them whole, ${rows} rows`);
  disk.free();
  const status = await store(cases[0]!.id);
  if (status !== 200) throw new Error(`a picture is answered with ${status} although there is space`);
  return `${storedCount} pictures stored, ${refusedCount} refused, none half stored, the next one stored once there was space`;
}

async function sendPicture(address: string, token: string, id: number): Promise<ServerAnswer<{ message: string }>> {
  const form = new FormData();
  const bytes = Buffer.concat([png(8, 8), Buffer.alloc(700_000)]);
  form.append('screenshot', new Blob([new Uint8Array(bytes)]), 'full.png');
  const answer = await fetch(`${address}/api/test-cases/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as { message: string } };
}

/** The message of a refusal; throws if it is not one, or lacks a message or Retry-After. */
function mustBeRefused({ status, body, headers }: ServerAnswer<{ message: string }>): string {
  if (status !== 503 || !headers?.get('retry-after') || !body.message)
    throw new Error(`answered with ${status} ${JSON.stringify(body)}`);
  return body.message;
}

/** Kills the program during uploads. Returns how many partial files that left, and makes all files old. */
async function killInUpload(server: RunningServer, folder: string): Promise<number> {
  const token = await fetchToken(server.address);
  const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `PUT /api/test-cases/1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 500000\r\n\r\n--x\r\nContent-Disposition: form-data; name="screenshot"; filename="a.png"\r\n\r\n${'x'.repeat(200_000)}`,
  );
  const uploads = () => readdirSync(join(folder, 'uploads'));
  for (const limit = Date.now() + 10_000; uploads().length === 0; await pause(20)) {
    if (Date.now() > limit) throw new Error('the upload does not arrive');
  }
  await server.kill();
  socket.destroy();
  const left = uploads();
  const oldTime = new Date(Date.now() - 2 * 60 * 60_000);
  for (const name of left) utimesSync(join(folder, 'uploads', name), oldTime, oldTime);
  return left.length;
}

interface FilesSeen {
  readonly onDisk: number;
  /** As long as their row says. */
  readonly wholeFiles: number;
  readonly rows: number;
  /** Pictures that records name. */
  readonly named: number;
  /** On their way in. */
  readonly uploads: number;
}

async function filesOf(database: RunningDatabase, folder: string): Promise<FilesSeen> {
  const list = (name: string) => {
    try {
      return readdirSync(join(folder, name));
    } catch {
      return [];
    }
  };
  await database.query("update assay.files set created_at = created_at - interval '2 hours'");
  const rows = await database.query<{ key: string; size: number }>('select key, size::int from assay.files');
  const sizes = new Map(rows.map(({ key, size }) => [key, size]));
  const storedFiles = list('files');
  const [{ named: namedCount }] = (await database.query<{ named: number }>(
    'select count(*)::int as named from public.test_cases where screenshot is not null',
  )) as [{ named: number }];
  return {
    onDisk: storedFiles.length,
    wholeFiles: storedFiles.filter((key) => statSync(join(folder, 'files', key)).size === sizes.get(key)).length,
    rows: rows.length,
    named: namedCount,
    uploads: list('uploads').length,
  };
}

// `npx tsx bench/import-beside-others.ts`: what an import of 4,000 rows costs everybody else. 200 streams of events are
// open and people look at lists, records and the dashboard: first by themselves, which is the floor, then beside the import.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { utils, write } from 'xlsx';
import { freePort } from '../src/server/database/embedded/free-port';
import { startEmbedded } from '../src/server/database/embedded/start-embedded';
import { demoPassword } from '../src/product/demo/accounts';
import { stopProcess } from './processes';

const rows = 4_000;
const streams = 200;
/** Simulated users, and the milliseconds that each pauses between two calls. */
const people = 16;
const thinking = 200;
/** Milliseconds of the floor. */
const quietTime = 15_000;
const paths = ['/test-cases?range=[0,14]', '/test-cases/1', '/tasks?range=[0,14]', '/dashboard', '/me'];
const accounts = ['owner', 'manager', 'developer', 'qa', 'external'].map((name) => `${name}@demo.test`);

spawnSync(process.execPath, ['scripts/build.mjs', '--stale'], { stdio: 'inherit' });
const folder = mkdtempSync(join(tmpdir(), 'assay-beside-'));
const quiet = { info: () => undefined, warn: console.warn, error: console.error };
const embedded = await startEmbedded({ dataDir: folder, log: quiet });
const port = await freePort();
const api = `http://127.0.0.1:${port}/api`;
const server = spawn(process.execPath, ['--import', './bench/loop-watch.mjs', 'dist/server/main-server.js'], {
  env: {
    ...process.env,
    NODE_ENV: 'production',
    DEMO: '1',
    CALLS_PER_MINUTE: '0',
    STREAMS_PER_PERSON: '0',
    PORT: String(port),
    DATABASE_URL: embedded.url,
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
const ask = async (question: 'reset' | 'tell') => {
  server.send(question);
  return (await once(server, 'message'))[0] as { stall: number; peak: number };
};
const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

async function signIn(email: string): Promise<string> {
  const body = JSON.stringify({ email, password: demoPassword });
  const answer = await fetch(`${api}/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return `Bearer ${((await answer.json()) as { token: string }).token}`;
}

let events = 0;
function openStream(authorization: string): Promise<void> {
  return new Promise((resolve, fail) => {
    const eventRequest = get(`${api}/events`, { agent: false, headers: { authorization } }, (answer) => {
      answer.setEncoding('utf8').on('data', (text: string) => (events += text.split('data: ').length - 1));
      answer.on('error', () => undefined);
      resolve();
    });
    eventRequest.on('error', fail);
  });
}

/** The experience of users until something ends: milliseconds of each response, and how many were not 200. */
async function watchCalls(tokens: readonly string[], work: Promise<unknown>) {
  const times: number[] = [];
  let [failed, isOver] = [0, false];
  void work.finally(() => (isOver = true));
  const look = async (person: number) => {
    await pause((person * thinking) / people);
    for (let call = person; !isOver; call++) {
      const startTime = performance.now();
      const path = `${api}${paths[call % paths.length]!}`;
      const answer = await fetch(path, { headers: { authorization: tokens[person % tokens.length]! } });
      await answer.arrayBuffer();
      times.push(performance.now() - startTime);
      if (answer.status !== 200 && answer.status !== 404) failed++;
      await pause(thinking);
    }
  };
  await ask('reset');
  events = 0;
  const startTime = performance.now();
  await Promise.all(Array.from({ length: people }, (_, person) => look(person)));
  const seconds = (performance.now() - startTime) / 1000;
  const { stall } = await ask('tell');
  times.sort((left, right) => left - right);
  const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(0);
  return `${times.length} calls in ${seconds.toFixed(1)} s, ${failed} failed; half within ${quantile(0.5)} ms, 99 % within ${quantile(0.99)} ms, all within ${quantile(1)} ms; largest stall ${stall.toFixed(0)} ms; ${events} events`;
}

try {
  while (!(await fetch(`${api}/health`).catch(() => undefined))?.ok) await pause(100);
  const tokens: string[] = [];
  for (const account of accounts) tokens.push(await signIn(account));
  for (let stream = 0; stream < streams; stream++) await openStream(tokens[stream % tokens.length]!);
  const headers = { authorization: tokens[0]! };
  const [project] = (await (await fetch(`${api}/projects`, { headers })).json()) as { id: number }[];
  const cases = Array.from({ length: rows }, (_, index) => [
    `Case ${index + 1} beside others`,
    `Open the page ${index}\nFill in the form\nSend it`,
    'The form is sent once',
    ['P1', 'P2', 'Medium', 'Low'][index % 4]!,
  ]);
  const book = utils.book_new();
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([['Title', 'Steps', 'Expected Result', 'Priority'], ...cases]),
    'Rows',
  );
  const form = new FormData();
  form.append('project_id', String(project!.id));
  form.append(
    'import_file',
    new Blob([write(book, { type: 'array', compression: true }) as ArrayBuffer]),
    'cases.xlsx',
  );

  await watchCalls(tokens, pause(3_000));
  console.log(`without an import, ${streams} streams open: ${await watchCalls(tokens, pause(quietTime))}`);
  const startTime = performance.now();
  let importResult: { imported?: number } = {};
  const importing = fetch(`${api}/test-cases/import?wait=1`, { method: 'POST', headers, body: form }).then(
    async (answer) => (importResult = (await answer.json()) as typeof importResult),
  );
  const took = importing.then(() => ((performance.now() - startTime) / 1000).toFixed(1));
  const callFigures = await watchCalls(tokens, importing);
  console.log(`during the import of ${importResult.imported} rows, which took ${await took} s: ${callFigures}`);
  if (importResult.imported !== rows) process.exitCode = 1;
} finally {
  await stopProcess(server);
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
}

// `npx tsx bench/imports.ts`: imports 20,000 test cases, and prints the time beside a bare multi-row INSERT of the same rows.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { utils, write } from 'xlsx';
import { freePort } from '../src/server/database/embedded/free-port';
import { startEmbedded } from '../src/server/database/embedded/start-embedded';
import { demoPassword } from '../src/product/demo/accounts';
import { stopProcess } from './processes';

const count = 20_000;
const longestStall = 200;

const program = process.env.BENCH_SERVER ?? 'dist/server/main-server.js';
if (!process.env.BENCH_SERVER) spawnSync(process.execPath, ['scripts/build.mjs', '--stale'], { stdio: 'inherit' });
const folder = mkdtempSync(join(tmpdir(), 'assay-imports-'));
const quiet = { info: () => undefined, warn: console.warn, error: console.error };
const embedded = await startEmbedded({ dataDir: folder, log: quiet });
const port = await freePort();
const api = `http://127.0.0.1:${port}/api`;
const server = spawn(process.execPath, ['--import', './bench/loop-watch.mjs', program], {
  env: {
    ...process.env,
    NODE_ENV: 'production',
    DEMO: '1',
    CALLS_PER_MINUTE: '0',
    PORT: String(port),
    DATABASE_URL: embedded.url,
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
const ask = async (question: 'reset' | 'tell') => {
  server.send(question);
  return (await once(server, 'message'))[0] as { stall: number; peak: number };
};

/** A case's title, steps and expected result. */
const cases = Array.from({ length: count }, (_, index) => [
  `Case ${index + 1} of the benchmark`,
  `Open the page ${index}\nFill in the form\nSend it`,
  'The form is sent once',
  ['P1', 'P2', 'Medium', 'Low'][index % 4]!,
]);

/** The comparison of the import: the same rows, a thousand per statement, and no other work. */
async function bareInsert(client: pg.Client): Promise<number> {
  await client.query('create table bare (like test_cases including all)');
  const startTime = performance.now();
  for (let start = 0; start < cases.length; start += 1_000) {
    const part = cases.slice(start, start + 1_000);
    const slots = part.map((_, row) => `($${row * 3 + 1}, $${row * 3 + 2}, $${row * 3 + 3}, ${(row % 4) + 1}, 1, 1)`);
    const values = part.flatMap(([name, steps, expectation]) => [name, steps, expectation]);
    await client.query(
      `insert into bare (name, steps_to_reproduce, expected_result, priority_id, status_id, site_id) values ${slots.join()}`,
      values,
    );
  }
  return performance.now() - startTime;
}

try {
  while (!(await fetch(`${api}/health`).catch(() => undefined))?.ok)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const answer = await fetch(`${api}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@demo.test', password: demoPassword }),
  });
  const { token } = (await answer.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const [project] = (await (await fetch(`${api}/projects`, { headers })).json()) as { id: number }[];
  const book = utils.book_new();
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([['Title', 'Steps', 'Expected Result', 'Priority'], ...cases]),
    'Rows',
  );
  const bytes = write(book, { type: 'array', compression: true }) as ArrayBuffer;

  const send = async (preview: boolean) => {
    const form = new FormData();
    form.append('project_id', String(project!.id));
    form.append('import_file', new Blob([bytes]), 'cases.xlsx');
    await ask('reset');
    const startTime = performance.now();
    const importResponse = await fetch(`${api}/test-cases/import${preview ? '?preview=1' : ''}`, {
      method: 'POST',
      headers,
      body: form,
    });
    const importResult = (await importResponse.json()) as { imported?: number; ready?: number; message?: string };
    const seconds = (performance.now() - startTime) / 1000;
    const { stall, peak } = await ask('tell');
    const isGood = (preview ? importResult.ready : importResult.imported) === count && stall < longestStall;
    console.log(
      `${preview ? 'preview' : 'import'}: ${count} rows, ${(bytes.byteLength / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s ` +
        `(${Math.round(count / seconds)} rows a second); largest stall ${stall.toFixed(0)} ms (at most ${longestStall}), ` +
        `memory at its most ${peak.toFixed(0)} MB: ${isGood ? 'good' : `NOT GOOD ${importResult.message ?? ''}`}`,
    );
    if (!isGood) process.exitCode = 1;
  };
  await send(true);
  await send(false);
  const client = new pg.Client({ connectionString: embedded.url });
  await client.connect();
  console.log(`bare multi-row INSERT of the same rows: ${((await bareInsert(client)) / 1000).toFixed(1)} s`);
  await client.end();
} finally {
  await stopProcess(server);
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
}

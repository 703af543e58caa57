// `npx tsx bench/exports.ts`: downloads 100,000 rows and prints the largest stall of the server's event loop and its memory.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../src/server/database/embedded/free-port';
import { startEmbedded } from '../src/server/database/embedded/start-embedded';
import { demoPassword } from '../src/server/domain/demo/accounts';
import { stopProcess } from './processes';
import { insertRows } from './rows';

const count = 100_000;
const longestStall = 100;
const mostMemory = 300;

const program = process.env.BENCH_SERVER ?? 'dist/server/main-server.js';
if (!process.env.BENCH_SERVER) spawnSync(process.execPath, ['scripts/build.mjs', '--stale'], { stdio: 'inherit' });
const folder = mkdtempSync(join(tmpdir(), 'assay-exports-'));
const quiet = { info: () => undefined, warn: console.warn, error: console.error };
const embedded = await startEmbedded({ dataDir: folder, log: quiet });
const port = await freePort();
const api = `http://127.0.0.1:${port}/api`;
const server = spawn(process.execPath, ['--import', './bench/loop-watch.mjs', program], {
  env: { ...process.env, NODE_ENV: 'production', DEMO: '1', PORT: String(port), DATABASE_URL: embedded.url, DATA_DIR: folder, LOG_LEVEL: 'warn' }, // prettier-ignore
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});

interface Figures {
  stall: number;
  peak: number;
}
const ask = async (question: 'reset' | 'tell') => {
  server.send(question);
  return (await once(server, 'message'))[0] as Figures;
};

try {
  while (!(await fetch(`${api}/health`).catch(() => undefined))?.ok) await new Promise((done) => setTimeout(done, 100));
  const client = new pg.Client({ connectionString: embedded.url });
  await client.connect();
  await insertRows(client, count);
  await client.end();
  const body = JSON.stringify({ email: 'owner@demo.test', password: demoPassword });
  const signedIn = await fetch(`${api}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const { token } = (await signedIn.json()) as { token: string };

  for (const format of ['xlsx', 'csv']) {
    await ask('reset');
    const since = performance.now();
    const answer = await fetch(`${api}/projects-export?format=${format}&sort_by=name`, {
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
    });
    let bytes = 0;
    for await (const chunk of answer.body!) bytes += (chunk as Uint8Array).length;
    const seconds = (performance.now() - since) / 1000;
    const { stall, peak } = await ask('tell');
    const good = stall < longestStall && peak < mostMemory && answer.headers.get('x-total') !== null;
    console.log(
      `${format}: ${answer.headers.get('x-total')} rows, ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s; ` +
        `largest stall ${stall.toFixed(0)} ms (at most ${longestStall}), ` +
        `memory at its most ${peak.toFixed(0)} MB (at most ${mostMemory}): ${good ? 'good' : 'NOT GOOD'}`,
    );
    if (!good) process.exitCode = 1;
  }
} finally {
  await stopProcess(server);
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
}

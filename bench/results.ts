// `npx tsx bench/results.ts`: sends 50,000 results of automated tests as one file, twice, beside a bare multi-row INSERT of
// as many tests, entries and attempts; then opens a run of 10,000 tests in the runner and goes through it by keyboard.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { chromium } from 'playwright';
import { findChromium } from '../scripts/find-chromium.mjs';
import { freePort } from '../src/server/database/embedded/free-port';
import { startEmbedded } from '../src/server/database/embedded/start-embedded';
import { demoPassword } from '../src/product/demo/accounts';
import { stopProcess } from './processes';

const count = 50_000;
const entries = 10_000;
/** Seconds, milliseconds, and megabytes that the upload may take on top of what the program takes anyway. */
const limits = { seconds: 60, stall: 100, memory: 300, opening: 1_000, next: 100 };

spawnSync(process.execPath, ['scripts/build.mjs', '--stale'], { stdio: 'inherit' });
const folder = mkdtempSync(join(tmpdir(), 'assay-results-'));
const quiet = { info: () => undefined, warn: console.warn, error: console.error };
const embedded = await startEmbedded({ dataDir: folder, log: quiet });
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const server = spawn(process.execPath, ['--import', './bench/loop-watch.mjs', 'dist/server/main-server.js'], {
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
const check = (title: string, figures: string, isReached: boolean) => {
  console.log(`${title}: ${figures}: ${isReached ? 'good' : 'NOT GOOD'}`);
  if (!isReached) process.exitCode = 1;
};

/** A JUnit report of so many tests; every hundredth failed, with a trace. */
function report(): string {
  const cases = Array.from({ length: count }, (_, n) => {
    const open = `<testcase classname="suite.Part${n % 500}" name="test ${n}" time="${(n % 90) / 10}"`;
    if (n % 100 > 0) return `${open}/>`;
    const trace = Array.from({ length: 12 }, (_, line) => `    at part.Part${n % 500}.call(Part.java:${line})`);
    return `${open}><failure message="expected ${n} but was ${n + 1}">${trace.join('\n')}</failure></testcase>`;
  });
  return `<testsuite name="all" tests="${count}">${cases.join('\n')}</testsuite>`;
}

async function measureUpload(headers: Record<string, string>): Promise<void> {
  const file = report();
  const send = async () => {
    const form = new FormData();
    form.append('project', 'STP');
    form.append('branch', 'bench');
    form.append('file', new Blob([file]), 'junit.xml');
    const memoryBefore = await ask('reset');
    const startTime = performance.now();
    const answer = await fetch(`${url}/api/results`, { method: 'POST', headers, body: form });
    const { data, message } = (await answer.json()) as { data?: { totals: { tests: number } }; message?: string };
    const seconds = (performance.now() - startTime) / 1000;
    const { stall, peak } = await ask('tell');
    const addedMemory = peak - memoryBefore.peak;
    const isStored = data?.totals.tests === count;
    check(
      `upload of ${count} results, ${(file.length / 1e6).toFixed(1)} MB`,
      `${seconds.toFixed(1)} s (at most ${limits.seconds}), largest stall ${stall.toFixed(0)} ms (at most ${limits.stall}), ` +
        `memory from ${memoryBefore.peak.toFixed(0)} to ${peak.toFixed(0)} MB at its most (at most ${limits.memory} more) ${message ?? ''}`,
      isStored && seconds < limits.seconds && stall < limits.stall && addedMemory < limits.memory,
    );
  };
  await send();
  await send();
}

/** The comparison of the upload: as many rows of the three tables, a thousand in a statement, and no other work. */
async function measureFloor(client: pg.Client): Promise<void> {
  const tables = ['automated_tests', 'run_entries', 'attempts'];
  for (const table of tables)
    await client.query(`create table public.bare_${table} (like public.${table} including all)`);
  const startTime = performance.now();
  for (let start = 0; start < count; start += 1_000) {
    const numbers = `generate_series(${start + 1}, ${start + 1_000}) n`;
    const columns = 'site_id, created_at, updated_at';
    await client.query(`insert into public.bare_automated_tests (name, project_id, identity, ${columns})
      select 'test ' || n, 1, md5(n::text), 1, now(), now() from ${numbers}`);
    await client.query(`insert into public.bare_run_entries (run_id, name, automated_test_id, result, position, ${columns})
      select 1, 'test ' || n, n, 'passed', n, 1, now(), now() from ${numbers}`);
    await client.query(`insert into public.bare_attempts (entry_id, result, source, ${columns})
      select n, 'passed', 'machines', 1, now(), now() from ${numbers}`);
  }
  console.log(`bare INSERT of the same rows: ${((performance.now() - startTime) / 1000).toFixed(1)} s`);
}

/** A run of so many test cases, each of them pinned. */
async function prepareRun(client: pg.Client, headers: Record<string, string>): Promise<number> {
  await client.query(
    `insert into public.test_cases (name, project_id, project_module, status_id, site_id, key, expected_result, created_at, updated_at)
     select 'Case ' || n, 1, (select min(id) from public.project_modules where project_id = 1), 1, 1, 'TC-' || (100000 + n),
       'It works', now(), now() from generate_series(1, $1::integer) n`,
    [entries],
  );
  const json = { ...headers, 'content-type': 'application/json' };
  const post = async <T>(path: string, body: object) => {
    const answer = await fetch(`${url}/api${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
    return (await answer.json()) as { data: T };
  };
  const run = await post<{ id: number }>('/test-runs', { name: 'Ten thousand', project_id: 1 });
  const startTime = performance.now();
  const addition = await post<{ added: number }>(`/test-runs/${run.data.id}/tests`, { test_cases: 'all' });
  console.log(
    `added ${addition.data.added} test cases to a run in ${((performance.now() - startTime) / 1000).toFixed(1)} s`,
  );
  return run.data.id;
}

/** Runs in the page, as text, because the compiler's helpers are not there: milliseconds until the next test is drawn. */
const timeToNext = `new Promise((done) => {
  const heading = () => document.querySelector('h2')?.textContent;
  const before = heading();
  const start = performance.now();
  const look = () => (heading() === before ? requestAnimationFrame(look) : done(performance.now() - start));
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
  requestAnimationFrame(look);
})`;

async function measureRunner(run: number, session: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: findChromium() });
  try {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await page.addInitScript((text) => localStorage.setItem('assay.session', text), session);
    // Code that is loaded once is not what is measured.
    await page.goto(`${url}/test-runs/${run}/run`);
    await page.getByRole('heading', { level: 2 }).waitFor();
    await page.goto(`${url}/test-runs`);
    await page.getByRole('grid').getByRole('row').nth(1).waitFor();
    const startTime = performance.now();
    await page.evaluate((path) => {
      history.pushState(null, '', path);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/test-runs/${run}/run`);
    await page.getByRole('heading', { level: 2 }).waitFor();
    const openTime = performance.now() - startTime;
    check(
      `a run of ${entries} tests opens`,
      `${openTime.toFixed(0)} ms (at most ${limits.opening})`,
      openTime < limits.opening,
    );
    // Until the browser has drawn the heading of the next test.
    const times: number[] = [];
    for (let press = 0; press < 30; press++) {
      await page.waitForTimeout(100);
      times.push(await page.evaluate<number>(timeToNext));
    }
    times.sort((left, right) => left - right);
    const [half, slowest] = [times[15]!, times.at(-1)!];
    check(
      'a key press to the next test',
      `half within ${half.toFixed(0)} ms, all within ${slowest.toFixed(0)} ms (at most ${limits.next})`,
      slowest < limits.next,
    );
  } finally {
    await browser.close();
  }
}

try {
  while (!(await fetch(`${url}/api/health`).catch(() => undefined))?.ok)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'manager@demo.test', password: demoPassword }),
  });
  const session = await answer.text();
  const { token } = JSON.parse(session) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  await measureUpload(headers);
  const client = new pg.Client({ connectionString: embedded.url });
  await client.connect();
  await measureFloor(client);
  const run = await prepareRun(client, headers);
  await client.end();
  await measureRunner(run, session);
} finally {
  await stopProcess(server);
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
}

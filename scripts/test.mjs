// `npm test`: type check, lint, Vitest, spreadsheets in LibreOffice where that is installed, the short proof and
// Playwright on a fresh build. Ends with the line `N passed, N failed`.
// A skipped test counts as failed, and so does a step that ends without a result.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { root } from './build-stale.mjs';
import { countPlaywright, countVitest } from './test-counts.mjs';

const MINUTE = 60_000;
const reports = mkdtempSync(join(tmpdir(), 'assay-reports-'));
const vitestReport = join(reports, 'vitest.json');
const officeReport = join(reports, 'office.json');
const playwrightReport = join(reports, 'playwright.json');

const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport };
env.PATH = `${join(root, 'node_modules/.bin')}${delimiter}${env.PATH}`;
delete env.NODE_ENV;
// Asked for when its turn comes: it may be on its way when the tests begin.
const hasOffice = () =>
  env.PATH.split(delimiter).some((folder) => ['soffice', 'soffice.exe'].some((name) => existsSync(join(folder, name))));

const results = [
  ...(await Promise.all([
    beside('Types', 'tsc --noEmit'),
    beside('Types of the engine, which knows neither Node nor the DOM', 'tsc --noEmit -p src/engine'),
    beside('Lint', 'eslint .'),
  ])),
  vitest('Vitest', '', vitestReport),
  ...(hasOffice() ? [vitest('LibreOffice', '--config tests/office/vitest.config.ts ', officeReport)] : []),
  step('Build', 'node scripts/build.mjs --stale'),
  step('Proof, in short', 'tsx scripts/proof/run.ts --quick kills database companies'),
  step('Playwright', 'playwright test --reporter=list,json', (ok) => countPlaywright(report(playwrightReport), ok)),
];
showFailedPages();
rmSync(reports, { recursive: true, force: true });

console.log();
if (!hasOffice()) console.log('LibreOffice is not installed: spreadsheets were not opened in it.');
for (const { title, passed, failed } of results) console.log(`${title}: ${passed} passed, ${failed} failed`);
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const failed = sum('failed');
process.exitCode = failed === 0 ? 0 : 1;
console.log(`${sum('passed')} passed, ${failed} failed`);

// A step without reports of its own counts as one test.
function step(title, command, count = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1 })) {
  console.log(`\n== ${title}`);
  const [program, ...args] = command.split(' ');
  const options = { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'], timeout: 40 * MINUTE };
  const { status } = spawnSync(program, args, { ...options, shell: process.platform === 'win32' });
  return { title, ...count(status === 0) };
}

// A step that runs beside others, each on one core: what it says is shown when it is done.
async function beside(title, command) {
  const [program, ...args] = command.split(' ');
  const options = { cwd: root, env, timeout: 10 * MINUTE, shell: process.platform === 'win32' };
  const child = spawn(program, args, options);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  const ok = await new Promise((done) => {
    child.once('error', () => done(false));
    child.once('close', (status) => done(status === 0));
  });
  console.log(`\n== ${title}\n${said.trimEnd()}`);
  return { title, passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
}

function vitest(title, options, path) {
  const command = `vitest run ${options}--reporter=default --reporter=json --outputFile.json=${path}`;
  return step(title, command, (ok) => countVitest(report(path), ok));
}

// A log is often all that is left of a run elsewhere: what a page showed when its test failed is printed, as its tree of
// roles and names.
function showFailedPages() {
  const folder = join(root, 'test-results');
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder, { recursive: true })) {
    if (basename(name) !== 'error-context.md') continue;
    const [, page = ''] = readFileSync(join(folder, name), 'utf8').split('# Page snapshot');
    console.log(`\n== ${dirname(name)}${page.split('# Test source')[0].split('\n').slice(0, 300).join('\n')}`);
  }
}

function report(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

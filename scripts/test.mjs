// `npm test`: type check, lint, Vitest, spreadsheets in LibreOffice where that is installed, the short resilience tests and
// Playwright on a fresh build. Ends with the line `N passed, N failed`; the failures themselves are listed above it, with
// the time of each step and the slowest files.
// A skipped test counts as failed, and so does a step that ends without a result.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { root } from './build-stale.mjs';
import { playwrightFiles, playwrightOutcome, slowest, vitestOutcome } from './test-outcomes.mjs';
import { runStep } from './test-step.mjs';

const reports = mkdtempSync(join(tmpdir(), 'assay-reports-'));
const path = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;
// Requested when its turn comes: it may be on its way when the tests begin.
const hasOffice = () =>
  path.split(delimiter).some((folder) => ['soffice', 'soffice.exe'].some((name) => existsSync(join(folder, name))));

// One checker: each further one reads half of the libraries' types once more, which two cores do not gain from.
const types = 'node node_modules/typescript-7/bin/tsc --noEmit --checkers 1';

const startTime = Date.now();
const results = [];
// Vitest waits a lot, for processes and timers: one other step at a time runs in parallel and uses the idle cores.
await Promise.all([
  vitest('Vitest', ''),
  (async () => {
    await step('Types', types);
    await step('Types of the engine, which knows neither Node nor the DOM', `${types} -p src/engine`);
    await step('Lint', 'oxlint');
    await step('Build', 'node scripts/build.mjs --stale');
    if (hasOffice()) await vitest('LibreOffice', '--config tests/office/vitest.config.ts ');
    await step('Resilience, in short', 'tsx scripts/resilience/run.ts --quick kills database companies');
  })(),
]);
const playwrightReport = join(reports, 'playwright.json');
await step('Playwright', 'playwright test --reporter=list,json', {
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
  outcome: (ok) => {
    const report = read(playwrightReport);
    return { ...playwrightOutcome(report, ok), files: playwrightFiles(report) };
  },
});
showFailedPages();
rmSync(reports, { recursive: true, force: true });

const failures = results.flatMap(({ title, failures }) => failures.map((failure) => ({ title, ...failure })));
for (const { title, name, message } of failures) console.log(`\n== Failed in ${title}: ${name}\n${message}`);
console.log();
if (!hasOffice()) console.log('LibreOffice is not installed: spreadsheets were not opened in it.');
for (const { title, passed: passedCount, failed, seconds } of results)
  console.log(`${title}: ${passedCount} passed, ${failed} failed (${seconds} s)`);
console.log(`All steps: ${Math.round((Date.now() - startTime) / 1000)} s`);
console.log('\nThe slowest files, in seconds:');
for (const { name, milliseconds } of slowest(
  results.flatMap(({ files = [] }) => files),
  root,
))
  console.log(`${(milliseconds / 1000).toFixed(1).padStart(6)} ${name}`);
console.log();
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const failed = sum('failed');
process.exitCode = failed === 0 ? 0 : 1;
console.log(`${sum('passed')} passed, ${failed} failed`);

/** Runs a step and stores its result. One without reports counts as one test. */
async function step(title, command, { env, outcome = singleOutcome } = {}) {
  const stepStart = Date.now();
  const ok = await runStep(title, command, { env: { ...process.env, NODE_ENV: undefined, PATH: path, ...env } });
  results.push({ title, seconds: Math.round((Date.now() - stepStart) / 1000), ...outcome(ok) });
}

function singleOutcome(ok) {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, failures: [] };
}

async function vitest(title, options) {
  const [report, run] = [join(reports, `${title}.json`), join(reports, `${title}-run.json`)];
  const reporters = `--reporter=default --reporter=json --reporter=./scripts/run-reporter.mjs`;
  await step(title, `vitest run ${options}${reporters} --outputFile.json=${report}`, {
    env: { RUN_FILE: run },
    outcome: (ok) => {
      const { errors, files } = read(run) ?? {};
      return { ...vitestOutcome(read(report), errors, ok, root), files };
    },
  });
}

// A log is often all that is left of a remote run: when a test fails, the page's content is printed as a tree of roles
// and names.
function showFailedPages() {
  const folder = join(root, 'test-results');
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder, { recursive: true })) {
    if (basename(name) !== 'page.txt') continue;
    const lines = readFileSync(join(folder, name), 'utf8').split('\n');
    console.log(['', `== ${dirname(name)}`, ...lines.slice(0, 300)].join('\n'));
  }
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

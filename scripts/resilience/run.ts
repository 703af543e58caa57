// `npm run resilience`: attacks, faults and load against the production build, each step on fresh programs that must stay up.
// `npm run resilience -- kills overload` runs these alone, `--quick` the short form of each, as `npm test` does, and
// `--keep` leaves their folders with data and logs.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { StepContext, ResilienceStep } from './step';
import { steps } from './steps';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, keep: { type: 'boolean' } },
});
const unknown = positionals.find((name) => !Object.hasOwn(steps, name));
if (unknown !== undefined) {
  console.error(`Unknown step ${unknown}: choose from ${Object.keys(steps).join(', ')}.`);
  process.exit(1);
}

const built = spawnSync(process.execPath, [fileURLToPath(new URL('../build.mjs', import.meta.url)), '--stale'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (built.status !== 0) process.exit(1);

/** The maximum minutes of all steps together. */
const wholeMinutes = 29;

const chosenSteps = Object.entries(steps).filter(([name]) => positionals.length === 0 || positionals.includes(name));
const startTime = Date.now();
const counts = { passed: 0, failed: 0, skipped: 0 };
const interrupted = new Promise<never>((_done, fail) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => fail(new Error(`ended by ${signal}`)));
});
let isInterrupted = false;
interrupted.catch(() => (isInterrupted = true));

for (const [name, step] of chosenSteps) {
  if (isInterrupted) break;
  const reason = step.impossible?.();
  if (reason !== undefined) {
    counts.skipped++;
    console.log(`skip  ${name}: ${step.title}: ${reason}`);
    continue;
  }
  const stepStart = Date.now();
  const seconds = () => `${((Date.now() - stepStart) / 1000).toFixed(1)} s`;
  try {
    console.log(`ok    ${name}: ${step.title}: ${await runStep(step)} (${seconds()})`);
    counts.passed++;
  } catch (error) {
    counts.failed++;
    console.log(`FAIL  ${name}: ${step.title}: ${(error as Error).message} (${seconds()})`);
  }
}
const skipNote = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
const minutes = ((Date.now() - startTime) / 60_000).toFixed(1);
console.log(`${counts.passed} passed, ${counts.failed} failed${skipNote} in ${minutes} minutes`);
process.exit(counts.failed === 0 && !isInterrupted ? 0 : 1);

async function runStep(step: ResilienceStep): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-resilience-'));
  const undo: (() => unknown)[] = [];
  const context: StepContext = { folder, quick: values.quick === true, addCleanup: (call) => undo.push(call) };
  let limit: NodeJS.Timeout | undefined;
  try {
    const left = wholeMinutes - (Date.now() - startTime) / 60_000;
    if (left <= 0) throw new Error(`not begun, since ${wholeMinutes} minutes are over`);
    const minutes = Math.min(step.minutes, left);
    const tooLong = new Promise<never>((_done, fail) => {
      limit = setTimeout(() => fail(new Error(`not done within ${minutes.toFixed(1)} minutes`)), minutes * 60_000);
    });
    return await Promise.race([step.run(context), tooLong, interrupted]);
  } finally {
    clearTimeout(limit);
    while (undo.length > 0) await undo.pop()!();
    if (values.keep) console.log(`      its folder: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

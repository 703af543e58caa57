// `npm run proof`: attacks, faults and load against the production build, each step on fresh programs that must stay up.
// `npm run proof -- kills overload` runs these alone, `--quick` the short form of each, as `npm test` does, and
// `--keep` leaves their folders with data and logs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Proof, ProofStep } from './proof';
import { steps } from './steps';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, keep: { type: 'boolean' } },
});
const unknown = positionals.find((name) => !Object.hasOwn(steps, name));
if (unknown !== undefined) {
  console.error(`There is no step named ${unknown}: choose from ${Object.keys(steps).join(', ')}.`);
  process.exit(1);
}

const chosen = Object.entries(steps).filter(([name]) => positionals.length === 0 || positionals.includes(name));
const begun = Date.now();
let failed = 0;
for (const [name, step] of chosen) {
  const since = Date.now();
  const seconds = () => `${((Date.now() - since) / 1000).toFixed(1)} s`;
  try {
    console.log(`ok    ${name}: ${step.title}: ${await runStep(step)} (${seconds()})`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}: ${step.title}: ${(error as Error).message} (${seconds()})`);
  }
}
console.log(
  `${chosen.length - failed} passed, ${failed} failed in ${((Date.now() - begun) / 60_000).toFixed(1)} minutes`,
);
process.exit(failed === 0 ? 0 : 1);

async function runStep(step: ProofStep): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-proof-'));
  const undo: (() => unknown)[] = [];
  const proof: Proof = { folder, quick: values.quick === true, after: (call) => undo.push(call) };
  let limit: NodeJS.Timeout | undefined;
  try {
    const tooLong = new Promise<never>((_done, fail) => {
      limit = setTimeout(() => fail(new Error(`not done within ${step.minutes} minutes`)), step.minutes * 60_000);
    });
    return await Promise.race([step.run(proof), tooLong]);
  } finally {
    clearTimeout(limit);
    while (undo.length > 0) await undo.pop()!();
    if (values.keep) console.log(`      its folder: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

// @module-tag slow
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../support/program';
import { countSteadyState, expectCounts } from '../support/statement-counts';
import { watchStatements } from '../support/statement-costs';

// How many statements a call of the product sends once it was made twice. `STORE_STATEMENT_COUNTS=1 npx vitest run --project node
// statement-counts` writes the table.

let watch: ReturnType<typeof watchStatements>;
let demo: DemoProgram;
let people: Record<string, Client>;

beforeAll(async () => {
  // While the clock stands still, nothing is read again because of its age.
  vi.useFakeTimers({ toFake: ['Date'] });
  demo = await startDemoProgram();
  const { harbour: _, ...roles } = accounts;
  people = {};
  for (const [role, email] of Object.entries(roles)) people[role] = await demo.signIn(email);
  watch = watchStatements();
});
afterAll(async () => {
  watch.stop();
  await demo.close();
  vi.useRealTimers();
});

test('repeated calls of the product compile and prepare nothing, and send the statements of the table', async () => {
  const names = new Set(readdirSync('resources').map((file) => basename(file, '.json')));
  const { definitions } = demo.program.definitions.registry();
  const { counts, faults } = await countSteadyState(demo, watch, {
    people,
    definitions: [...definitions.values()].filter(({ name }) => names.has(name)),
    isWritten: () => true,
  });
  expect(faults).toEqual([]);
  expectCounts(counts, join(import.meta.dirname, 'statement-counts.json'));
});

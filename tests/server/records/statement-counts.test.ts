// @module-tag slow
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { countSteadyState, expectCounts, type CountedCalls } from '../../support/statement-counts';
import { watchStatements } from '../../support/statement-costs';
import { studioOf } from '../modules/studio';

// How many statements a call sends once it was made twice. `STORE_STATEMENT_COUNTS=1 npx vitest run --project node
// statement-counts` writes the table.

let watch: ReturnType<typeof watchStatements>;
let demo: DemoProgram;
let people: Record<string, Client>;

beforeAll(async () => {
  // While the clock stands still, nothing is read again because of its age.
  vi.useFakeTimers({ toFake: ['Date'] });
  demo = await startFixtureProgram();
  const { admin, owner, qa } = accounts;
  people = {};
  for (const [role, email] of Object.entries({ admin, owner, qa })) people[role] = await demo.signIn(email);
  watch = watchStatements();
});
afterAll(async () => {
  watch.stop();
  await demo.close();
  vi.useRealTimers();
});

const systemNames = new Set(readdirSync('system').map((file) => file.replace('.json', '')));
const definitions = (...names: readonly string[]) =>
  [...demo.program.definitions.registry().definitions.values()].filter(
    ({ name }) => names.length === 0 || names.includes(name),
  );
const count = (more: Partial<CountedCalls> = {}) =>
  countSteadyState(demo, watch, {
    people,
    definitions: definitions(),
    isWritten: ({ name }) => !systemNames.has(name),
    ...more,
  });

test('repeated calls compile and prepare nothing, and send the statements of the table', async () => {
  const { counts, faults } = await count();
  expect(faults).toEqual([]);
  expectCounts(counts, join(import.meta.dirname, 'statement-counts.json'));
});

test.each<[what: string, more: Partial<CountedCalls>]>([
  ['from another time zone, where it is another day', { headers: { 'x-timezone': 'Pacific/Kiritimati' } }],
  [
    'after midnight',
    {
      beforeLast: async (call) => {
        vi.setSystemTime(Date.now() + 86_400_000);
        // Who calls is read again once a minute.
        await call('GET', '/me');
      },
    },
  ],
])('repeated calls compile nothing %s, though a condition on the time is added to a definition', async (_, more) => {
  const studio = studioOf(people.admin!);
  await studio.publish('genres', ({ fields }) => {
    fields.is_new = {
      type: 'boolean',
      computed: { created_at: { $gt: '$now-30d' }, created_by: { $ne: '$actor.id' } },
    };
    fields.is_today = { type: 'boolean', computed: { created_at: { $gte: '$today' } } };
  });
  await studio.publish('films', (source) => {
    source.comments = true;
  });
  // One after the other, since each has the clock go on.
  for (const role of ['owner', 'qa']) {
    const { faults } = await count({
      people: { [role]: people[role]! },
      definitions: definitions('genres', 'films', 'screenings', 'shifts'),
      ...more,
    });
    expect(faults).toEqual([]);
  }
});

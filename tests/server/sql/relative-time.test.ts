import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeCondition } from '../../../src/engine/conditions/describe-condition';
import { resolveVariable } from '../../../src/engine/conditions/variables';
import { createTestDatabase, type TestDatabase } from '../../support/database';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.close());

const moment = fc.date({ min: new Date('0200-01-01'), max: new Date('9000-12-31'), noInvalidDate: true });
const amount = fc.oneof(fc.integer({ min: -60, max: 60 }), fc.integer({ min: -190, max: 190 }));
const intervals = { d: 'day', w: 'week', m: 'month', y: 'year', h: 'hour', min: 'minute' } as const;
const written = (root: string, size: number, unit: string) => `$${root}${size < 0 ? '-' : '+'}${Math.abs(size)}${unit}`;

test('a relative day or time is the one that PostgreSQL computes, month ends included', async () => {
  const days = fc.record({ root: fc.constant('today'), moment, amount, unit: fc.constantFrom('d', 'w', 'm', 'y') });
  const times = fc.record({ root: fc.constant('now'), moment, amount, unit: fc.constantFrom('min', 'h', 'd', 'w') });
  const samples = fc.sample(fc.oneof(days, times), { numRuns: 2_000, seed: 7 });
  const ends = ['2024-01-31', '2023-03-31', '2024-02-29'].flatMap((day) =>
    [1, -1, 12, 13].map((size) => ({ root: 'today', moment: new Date(day), amount: size, unit: 'm' as const })),
  );
  const all = [...samples, ...ends];
  const { rows } = await sql<{ day: string; instant: string }>`
    select to_char(moment::date + shift, 'YYYY-MM-DD') as day,
      to_char(moment + shift, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as instant
    from (select moment, shift, place from unnest(${all.map((one) => one.moment.toISOString())}::text[],
      ${all.map((one) => `${one.amount} ${intervals[one.unit]}`)}::text[]) with ordinality as u(m, s, place),
      lateral (select m::timestamptz at time zone 'UTC' as moment, s::interval as shift) as cast_values) given
    order by place`.execute(own.database.kysely);
  all.forEach(({ root, moment: given, amount: size, unit }, index) => {
    const now = given.toISOString();
    const found = resolveVariable(written(root, size, unit), { today: now.slice(0, 10), now });
    expect(found, `${now} ${written(root, size, unit)}`).toBe(
      root === 'today' ? rows[index]!.day : rows[index]!.instant,
    );
  });
});

test.each([
  ['$today+9999y', '9999-12-31'],
  ['$today-9999y', '0001-01-01'],
  ['$today-9999m', '1193-08-21'],
])('%s stays within the calendar', (variable, day) => {
  expect(resolveVariable(variable, { today: '2026-11-21', now: '2026-11-21T11:00:00.000Z' })).toBe(day);
});

test.each([
  [{ due_on: { $lt: '$today+7d' } }, 'due_on < 7 days after today'],
  [{ due_on: { $gte: '$today-1m' } }, 'due_on ≥ 1 month before today'],
  [{ seen_at: { $lt: '$now-3h' } }, 'seen_at < 3 hours ago'],
])('%j reads %s', (condition, text) => expect(describeCondition(condition)).toBe(text));

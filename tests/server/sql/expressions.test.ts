// @module-tag slow
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkReferences } from '../../../src/engine/check/check-definitions';
import type { FieldSource } from '../../../src/engine/language/source';
import { normalise } from '../../../src/engine/normalise/normalise';
import { createRegistry } from '../../../src/engine/registry/registry';
import { computeValues } from '../../../src/engine/expressions/evaluate';
import type { StatementContext } from '../../../src/server/sql/computed-sql';
import { responseSql } from '../../../src/server/sql/column-sql';
import { sourceOf } from '../../support/definitions';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { syncTables } from '../../support/sync-tables';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
  await syncTables(own.database, registry);
});
afterAll(() => own.close());

const stored: Record<string, FieldSource> = {
  n: { type: 'number' },
  m: { type: 'number' },
  whole: { type: 'number', integer: true },
  name: { type: 'text', maxLength: 1000 },
  other: { type: 'textarea' },
  state: { type: 'select', options: ['open', 'won'].map((value) => ({ value, label: value })) },
  day: { type: 'date' },
  until: { type: 'date' },
  at: { type: 'datetime' },
  ended_at: { type: 'datetime' },
  flag: { type: 'boolean' },
};

const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null, freq: 5 });
const numbers = fc.oneof(
  fc.constantFrom(0, 0.1, 0.2, -0.3, 1, 2, 3, 7, -1.005, 2.675, 1e15, -1e15, 1e-7, 0.5, 1.5, -2.5, 1 / 3),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }),
);
const days = fc.constantFrom(
  '2026-01-31',
  '2026-02-28',
  '2024-02-29',
  '2025-02-28',
  '2026-03-31',
  '2026-12-31',
  '0001-01-01',
  '9999-12-31',
  '1999-12-30',
);
const texts = fc.constantFrom('a', 'Äb', ' x ', 'ß', 'ΣΑΣ', '😀é', 'A-1', '$5', "o'clock", '\\', 'İ', '2026-01-31');
const instants = fc.constantFrom(
  '2026-03-29T00:59:59.999Z',
  '2026-03-29T01:00:00.000Z',
  '2026-10-25T23:30:00.000Z',
  '2026-12-31T23:00:00.000Z',
  '2026-01-01T04:59:59.999Z',
);
const row = fc.record({
  n: nullable(numbers),
  m: nullable(numbers),
  whole: nullable(fc.constantFrom(0, 1, -7, 12, 2_147_483_647)),
  name: nullable(texts),
  other: nullable(texts),
  state: nullable(fc.constantFrom('open', 'won')),
  day: nullable(days),
  until: nullable(days),
  at: nullable(instants),
  ended_at: nullable(instants),
  flag: nullable(fc.boolean()),
});

type Kind = 'number' | 'text' | 'date' | 'instant' | 'boolean';

/** Expressions of a type; those with fewer steps are more frequent. */
const grown = fc.letrec<Record<Kind | 'condition', unknown>>((tie) => {
  const call = (name: string, ...of: fc.Arbitrary<unknown>[]) => fc.tuple(...of).map((list) => ({ [name]: list }));
  const many = (name: string, of: fc.Arbitrary<unknown>) =>
    fc.array(of, { minLength: 1, maxLength: 3 }).map((list) => ({ [name]: list }));
  const branch = (of: fc.Arbitrary<unknown>) =>
    fc
      .record({ condition: fc.oneof(tie('condition'), tie('boolean')), then: of, else: of })
      .map((parts) => ({ $if: parts }));
  const field = (...names: string[]) => fc.constantFrom(...names.map((name) => `$record.${name}`));
  const depth = { maxDepth: 4, depthSize: 'small' as const };
  const comparisons = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'];
  return {
    number: fc.oneof(
      depth,
      field('n', 'm', 'whole', 'earlier'),
      fc.constantFrom(0, 1, 2.5, -3, 100, 0.01),
      many('$add', tie('number')),
      call('$subtract', tie('number'), tie('number')),
      many('$multiply', tie('number')),
      call('$divide', tie('number'), tie('number')),
      call('$round', tie('number'), fc.constantFrom(0, 1, 2, 5)),
      fc.constantFrom('$floor', '$ceil', '$abs').chain((name) => call(name, tie('number'))),
      fc.constantFrom('$min', '$max', '$coalesce').chain((name) => many(name, tie('number'))),
      branch(tie('number')),
      fc
        .constantFrom('$daysBetween', '$monthsBetween', '$yearsBetween')
        .chain((name) => call(name, tie('date'), tie('date'))),
      fc.constantFrom('$minutesBetween', '$hoursBetween').chain((name) => call(name, tie('instant'), tie('instant'))),
      fc.constantFrom('$year', '$month', '$day').chain((name) => call(name, tie('date'))),
      call('$length', tie('text')),
    ),
    text: fc.oneof(
      depth,
      field('name', 'other', 'state', 'initials'),
      fc.constantFrom('', 'x', ' – ', '5%').map((value) => value),
      fc
        .array(fc.oneof(tie('text'), tie('number'), tie('date'), tie('boolean')), { minLength: 1, maxLength: 3 })
        .map((list) => ({ $concat: list })),
      fc.constantFrom('$lower', '$upper', '$trim').chain((name) => call(name, tie('text'))),
      fc.constantFrom('$left', '$right').chain((name) => call(name, tie('text'), fc.constantFrom(0, 1, 2.9, -1, 50))),
      fc.constantFrom('$min', '$max', '$coalesce').chain((name) => many(name, tie('text'))),
      branch(tie('text')),
    ),
    date: fc.oneof(
      depth,
      field('day', 'until', 'next_day'),
      fc.constantFrom('$today', '2024-02-29'),
      call('$addDays', tie('date'), tie('number')),
      call('$addMonths', tie('date'), tie('number')),
      call('$addMonths', tie('date'), fc.constantFrom(1, -1, 12, 13, -25)),
      call('$dayOf', tie('instant')),
      fc
        .constantFrom('$min', '$max', '$coalesce')
        .chain((name) => many(name, fc.oneof(field('day', 'until'), tie('date')))),
      branch(field('day', 'until')),
    ),
    instant: fc.oneof(
      depth,
      field('at', 'ended_at', 'reminder_at'),
      fc.constantFrom('$addMinutes', '$addHours').chain((name) => call(name, tie('instant'), tie('number'))),
      call('$addHours', field('at', 'ended_at'), fc.constantFrom(1, -1, 0.5, 24, -2.00001, 1e6, 7e7, -7e7)),
      call('$addMinutes', field('at', 'ended_at'), fc.constantFrom(1, -90, 0.0001, 1440, 1e9)),
      many('$max', field('at')),
      branch(field('at')),
    ),
    boolean: fc.oneof(
      depth,
      field('flag', 'is_won'),
      fc.constantFrom(...comparisons).chain((name) => call(name, tie('number'), tie('number'))),
      fc.constantFrom(...comparisons).chain((name) => call(name, field('name', 'other'), tie('text'))),
      fc.constantFrom(...comparisons).chain((name) => call(name, field('day', 'until'), tie('date'))),
      branch(field('flag')),
    ),
    condition: fc.constantFrom<unknown>(
      { state: 'won' },
      { n: { $gt: 1 } },
      { day: { $lte: '$today' }, name: { $exists: true } },
      { $or: [{ flag: true }, { earlier: { $lt: 0 } }] },
      { initials: { $contains: 'a' } },
      { is_won: false },
      {},
    ),
  };
});

/** Computed fields that the others read. */
const between: Record<string, FieldSource> = {
  is_won: { type: 'boolean', computed: { state: 'won' } },
  earlier: { type: 'number', digits: 3, computed: { $divide: ['$record.n', 3] } },
  initials: { type: 'text', computed: { $upper: { $left: ['$record.name', 1] } } },
  reminder_at: { type: 'datetime', computed: { $addHours: ['$record.at', -1] } },
  next_day: { type: 'date', computed: { $addDays: ['$record.day', 1] } },
};

const results: readonly [Kind, FieldSource][] = [
  ['number', { type: 'number', digits: 2 }],
  ['number', { type: 'number' }],
  ['number', { type: 'number', integer: true }],
  ['number', { type: 'number', decimal: true, digits: 4 }],
  ['text', { type: 'text' }],
  ['date', { type: 'date' }],
  ['instant', { type: 'datetime' }],
  ['boolean', { type: 'boolean' }],
];

const registry = createRegistry([normalise(sourceOf('films', { ...stored }))]);

/** Computes fields for rows in memory and in SQL, and compares them. */
async function expectSame(
  rows: readonly Record<string, unknown>[],
  timeZone: string,
  computed: readonly (readonly [string, FieldSource])[],
): Promise<void> {
  const source = sourceOf('films', { ...stored, ...between, ...Object.fromEntries(computed) });
  const definition = normalise(source);
  const reported = checkReferences([{ source, definition }]).get('films') ?? [];
  const wrong = new Set(reported.map(({ path }) => path.split('/')[2]!));
  // A comparison of two nulls has no order; what is refused is not computed.
  const fields = Object.values(definition.fields).filter(
    ({ name }) => !wrong.has(name) && (name in between || name.startsWith('x')),
  );
  const context: StatementContext = {
    actor: { id: 1, level: 1, role_id: 1, site_id: null },
    today: '2026-03-31',
    now: '2026-03-31T12:00:00.000Z',
    timeZone,
  };
  await sql`truncate public.films restart identity`.execute(own.database.kysely);
  await own.database.kysely.insertInto('films').values(rows).execute();
  const columns = fields.map(
    (field) => sql`${responseSql(definition, field, 't', registry, context)} as ${sql.id(field.name)}`,
  );
  const query = sql`select ${sql.join(columns)} from public.films t order by t.id`;
  const found = await own.database.query(query.compile(own.database.kysely));
  rows.forEach((record, index) => {
    const values = computeValues(definition, record, context);
    for (const field of fields) {
      const told = `${JSON.stringify(field.computed)} of ${JSON.stringify(record)}`;
      expect(found[index]![field.name], told).toEqual(values[field.name]);
    }
  });
}

test('an expression gives the same in memory and in SQL', { timeout: 120_000 }, async () => {
  const same = fc.asyncProperty(
    fc.array(row, { minLength: 12, maxLength: 12 }),
    fc.constantFrom('UTC', 'Europe/Vienna', 'America/New_York', 'Asia/Kolkata'),
    fc.gen(),
    async (rows, timeZone, gen) => {
      const computed = Array.from({ length: 25 }, (_, index): [string, FieldSource] => {
        const [kind, written] = results[index % results.length]!;
        const of = gen(() => grown[kind].filter((one) => typeof one === 'object' && one !== null));
        return [`x${index}`, { ...written, computed: of } as FieldSource];
      });
      await expectSame(rows, timeZone, computed);
    },
  );
  // PostgreSQL needed more than ten seconds to plan these, when it could put expressions into each other.
  await fc.assert(same, { seed: 1691608868, path: '5', endOnFailure: true });
  await fc.assert(same, { numRuns: 25, endOnFailure: true });
});

test.each([
  [
    'an hour that the clock leaves out',
    { $addHours: ['$record.at', 1] },
    '2026-03-29T00:30:00.000Z',
    '2026-03-29T01:30:00.000Z',
  ],
  ['a day of 23 hours', { $addHours: ['$record.at', 24] }, '2026-03-28T12:00:00.000Z', '2026-03-29T12:00:00.000Z'],
  [
    'an hour that comes twice',
    { $addMinutes: ['$record.at', 90] },
    '2026-10-25T00:15:00.000Z',
    '2026-10-25T01:45:00.000Z',
  ],
  ['back over it', { $addHours: ['$record.at', -1.5] }, '2026-10-25T01:45:00.000Z', '2026-10-25T00:15:00.000Z'],
  ['the end of all years', { $addHours: ['$record.at', 1] }, '9999-12-31T23:30:00.000Z', null],
])('hours are exact time over %s', async (_, computed, at, expected) => {
  const fields: [string, FieldSource][] = [['x0', { type: 'datetime', computed: computed as FieldSource['computed'] }]];
  await expectSame([{ at }], 'Europe/Vienna', fields);
  const definition = normalise(sourceOf('films', { ...stored, ...Object.fromEntries(fields) }));
  const around = { today: '2026-03-31', now: '2026-03-31T12:00:00.000Z', timeZone: 'Europe/Vienna' };
  expect(computeValues(definition, { at }, around).x0).toBe(expected);
});

test.each([
  ['over the day of 23 hours', '2026-03-28T12:00:00.000Z', '2026-03-29T11:00:00.000Z', 23],
  ['backwards, with fractions', '2026-03-28T12:00:00.000Z', '2026-03-28T10:45:00.000Z', -1.25],
])('hours between date-times count exact time %s', async (_, at, ended_at, expected) => {
  const computed = { $hoursBetween: ['$record.at', '$record.ended_at'] } as FieldSource['computed'];
  const fields: [string, FieldSource][] = [['x0', { type: 'number', computed }]];
  await expectSame([{ at, ended_at }], 'Europe/Vienna', fields);
  const definition = normalise(sourceOf('films', { ...stored, x0: fields[0]![1] }));
  const around = { today: '2026-03-31', now: '2026-03-31T12:00:00.000Z', timeZone: 'Europe/Vienna' };
  expect(computeValues(definition, { at, ended_at }, around).x0).toBe(expected);
});

// @module-tag slow
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkReferences } from '../../../src/engine/check/check-definitions';
import type { ResourceRecord } from '../../../src/engine/definitions/definition';
import type { AnyFieldSource, FieldSource } from '../../../src/engine/language/source';
import { normalise } from '../../../src/engine/normalise/normalise';
import { createRegistry } from '../../../src/engine/registry/registry';
import { computeValues } from '../../../src/engine/expressions/evaluate';
import { responseSql } from '../../../src/server/sql/column-sql';
import type { StatementContext } from '../../../src/server/sql/computed-sql';
import { sharedRollupsOf } from '../../../src/server/sql/predicate-to-sql';
import { sourceOf } from '../../support/definitions';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { syncTables } from '../../support/sync-tables';

const columns: Record<string, FieldSource> = {
  n: { type: 'number' },
  whole: { type: 'number', integer: true },
  exact: { type: 'number', decimal: true, digits: 4 },
  price: { type: 'money', currency: 'EUR' },
  name: { type: 'text' },
  state: { type: 'select', options: ['open', 'won'].map((value) => ({ value, label: value })) },
  day: { type: 'date' },
  at: { type: 'datetime' },
  flag: { type: 'boolean' },
  starts: { type: 'time' },
  ends: { type: 'time' },
  length: { type: 'duration', startField: 'starts', endField: 'ends' },
};
const wheres: readonly (object | undefined)[] = [
  undefined,
  {},
  { state: 'won' },
  { n: { $gt: 1 } },
  { exact: { $gte: 0.3 }, flag: { $ne: true } },
  { day: { $lte: '$today' } },
  { $or: [{ name: { $contains: 'a' } }, { flag: null }] },
  { $not: { at: { $exists: true } } },
  { length: { $exists: true } },
  { whole: '$actor.id' },
];
const all = Object.keys(columns).filter((name) => !['starts', 'ends'].includes(name));
const numeric = ['n', 'whole', 'exact', 'price', 'length'];
const ordered = [...numeric, 'name', 'state', 'day', 'at'];

/** Every way to take something, with every condition. */
const takes: readonly AnyFieldSource[] = [
  ...(['count', 'share'] as const).map((take): AnyFieldSource => ({ aggregate: take })),
  ...(['sum', 'avg'] as const).flatMap((take) => numeric.map((field): AnyFieldSource => ({ aggregate: take, field }))),
  ...(['min', 'max'] as const).flatMap((take) => ordered.map((field): AnyFieldSource => ({ aggregate: take, field }))),
  ...all.flatMap((field) =>
    [undefined, 'n', 'day', 'at'].map((by): AnyFieldSource => ({
      aggregate: 'latest',
      field,
      ...(by && { latestBy: by }),
    })),
  ),
];
const rollups = Object.fromEntries(
  takes.flatMap((one, index) =>
    wheres.map((where, place): [string, FieldSource] => [
      `r${index}_${place}`,
      {
        type: 'rollup',
        source: 'lines',
        ...one,
        where: where ?? (one.aggregate === 'share' ? {} : undefined),
      } as FieldSource,
    ]),
  ),
);
const source = sourceOf('sheets', {
  name: { type: 'text' },
  lines: { type: 'rows', fields: columns },
  ...rollups,
  total: { type: 'rollup', source: 'lines', aggregate: 'sum', field: 'exact' },
  taxed: { type: 'number', digits: 3, computed: { $multiply: ['$record.total', 1.2] } },
  is_big: { type: 'boolean', computed: { $gt: ['$record.total', 1] } },
});
const definition = createRegistry([normalise(source)]).getOrThrow('sheets');
const registry = createRegistry([normalise(source)]);

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
  await syncTables(own.database, registry);
});
afterAll(() => own.close());

const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null, freq: 4 });
const row = fc.record({
  n: nullable(fc.oneof(fc.constantFrom(0, 0.1, 0.2, -0.3, 1e15, -1.005, 1 / 3, 2.5), fc.integer())),
  whole: nullable(fc.constantFrom(0, 1, -7, 2_147_483_647)),
  exact: nullable(fc.constantFrom(0, 0.1, 0.2, 0.3, -1.2345, 99_999_999_999.9999)),
  price: nullable(fc.constantFrom(0, 0.1, 0.2, -1.25, 9_999_999_999_999.99)),
  name: nullable(fc.constantFrom('a', 'A', 'Äb', 'ß', '😀', '￿', 'b')),
  state: nullable(fc.constantFrom('open', 'won')),
  day: nullable(fc.constantFrom('2026-03-31', '2026-04-01', '0001-01-01', '9999-12-31')),
  at: nullable(fc.constantFrom('2026-03-29T00:59:59.999Z', '2026-03-29T01:00:00.000Z', '1999-12-31T23:00:00.000Z')),
  flag: nullable(fc.boolean()),
  starts: nullable(fc.constantFrom('08:00', '10:30')),
  ends: nullable(fc.constantFrom('10:30', '23:59')),
});
const context: StatementContext = {
  actor: { id: 1, level: 1, role_id: 1, site_id: null },
  today: '2026-03-31',
  now: '2026-03-31T12:00:00.000Z',
  timeZone: 'UTC',
};
const minutes = (one: ResourceRecord) => {
  const [from, to] = [one.starts, one.ends].map((time) => {
    const [hour, minute] = String(time).split(':').map(Number);
    return hour! * 60 + minute!;
  });
  return one.starts === null || one.ends === null || to! < from! ? null : to! - from!;
};

test('what a rollup over rows takes is the same in memory and in SQL', { timeout: 120_000 }, async () => {
  expect(checkReferences([{ source, definition }]).get('sheets') ?? []).toEqual([]);
  const fields = Object.values(definition.fields).filter(({ computed }) => computed !== undefined);
  expect(fields).toHaveLength(takes.length * wheres.length + 3);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(row, { maxLength: 4 }), { minLength: 6, maxLength: 6 }), async (written) => {
      await sql`truncate public.sheets, public.sheets__lines restart identity`.execute(own.database.kysely);
      for (const [index, lines] of written.entries()) {
        await own.database.kysely
          .insertInto('sheets')
          .values({ name: `S${index}` })
          .execute();
        const rows = lines.map((line, position) => ({
          ...line,
          length: minutes(line),
          parent_id: index + 1,
          position,
        }));
        if (rows.length > 0) await own.database.kysely.insertInto('sheets__lines').values(rows).execute();
      }
      const expected = written.map((lines) => computeValues(definition, { lines }, context));
      // PostgreSQL gives at most 1,664 columns of a statement, and those over the same rows are read together.
      const shared = sharedRollupsOf(definition, fields, 't', registry, context);
      const statements = {
        'one by one': [
          fields.map(
            (field) => sql`${responseSql(definition, field, 't', registry, context)} as ${sql.id(field.name)}`,
          ),
          sql``,
        ],
        together: [[...shared.values].map(([name, value]) => sql`${value} as ${sql.id(name)}`), shared.joins],
      } as const;
      for (const [how, [selected, joins]] of Object.entries(statements)) {
        const query = sql`select ${sql.join(selected)} from public.sheets t ${joins} order by t.id`;
        const found = await own.database.query(query.compile(own.database.kysely));
        expected.forEach((values, index) => {
          for (const [name, value] of Object.entries(found[index]!)) {
            const told = `${how}: ${JSON.stringify(source.fields[name])} of ${JSON.stringify(written[index])}`;
            expect(value, told).toEqual(values[name]);
          }
        });
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
});

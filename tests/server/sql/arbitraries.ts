import fc from 'fast-check';
import type { Condition, Definition, Field, ResourceRecord } from '../../../src/engine/definitions/definition';
import type { Registry } from '../../../src/engine/registry/registry';
import type { FieldSource, Source } from '../../../src/engine/language/source';
import type { EvaluationContext } from '../../../src/engine/conditions/variables';
import { sourceOf } from '../../support/definitions';

export type Rows = Readonly<Record<string, ResourceRecord[]>>;

export const evaluationContext: EvaluationContext = {
  actor: { id: 2, level: 4, role_id: 4, site_id: 1 },
  today: '2026-11-21',
  now: '2026-11-21T11:00:00.000Z',
  timeZone: 'America/New_York',
};

/** Another caller of the same level, a day later and elsewhere. */
export const laterContext: EvaluationContext = {
  actor: { id: 3, level: 4, role_id: 5, site_id: 2 },
  today: '2026-11-22',
  now: '2026-11-22T10:59:00.001Z',
  timeZone: 'Asia/Kathmandu',
};

const names = ['alpha', 'beta'] as const;

// Few values, so that they meet; among them what the two interpreters could take differently.
const texts = fc.constantFrom(
  '',
  'a',
  'A',
  'ab',
  'Äb',
  'äB',
  '%',
  '_',
  '\\',
  'ß',
  'Σας',
  '2026-11-21',
  '1',
  'true',
  '😀',
  '￿',
  "'",
);
const wholes = fc.constantFrom(0, 1, 2, 3, -1, 12, 2_147_483_647);
const numbers = fc.oneof(wholes, fc.constantFrom(0.5, -1.25, 0.000001, 1e15, 0.1));
const decimals = fc.oneof(
  fc.constantFrom(0, 1, -1.25, 0.1, 0.3, 0.0001, 12.5, 99_999_999_999.9999, -99_999_999_999.9999),
);
const days = fc.constantFrom('2026-11-20', '2026-11-21', '2026-11-22', '0001-01-01', '9999-12-31', '2024-02-29');
const instants = fc.constantFrom(
  '2026-11-21T11:00:00.000Z',
  '2026-11-21T11:00:00.001Z',
  '2026-11-21T10:59:59.999Z',
  '1999-12-31T23:00:00.000Z',
  '2026-11-22T04:59:59.999Z',
  '2026-11-22T05:00:00.000Z',
);
const odd = fc.constantFrom<unknown>(
  2_147_483_648,
  -9_007_199_254_740_991,
  null,
  '',
  'x',
  '2026',
  '2026-13-45',
  '2026-11-21T11:00:00Z',
  '2026-11-21T12:00:00+01:00',
  '2026-11-21',
  '2026-11-22',
  'a\0b',
  '\ud800',
  1.5,
  3e9,
  1e300,
  true,
  false,
  0,
  '1',
);

const kinds: Readonly<
  Record<string, { field: FieldSource; values: fc.Arbitrary<unknown>; members?: fc.Arbitrary<unknown> }>
> = {
  word: { field: { type: 'text' }, values: texts },
  prose: { field: { type: 'richText' }, values: texts },
  whole: { field: { type: 'number', integer: true }, values: wholes },
  amount: { field: { type: 'number' }, values: numbers },
  rate: { field: { type: 'number', decimal: true, digits: 4 }, values: decimals },
  cost: {
    field: { type: 'money', currency: 'EUR' },
    values: fc.constantFrom(0, -1.25, 0.1, 0.3, 12.5, 9_999_999_999_999.99),
  },
  labels: {
    field: { type: 'select', multiple: true, options: ['a', 'A', 'x'].map((value) => ({ value, label: value })) },
    values: fc.subarray(['a', 'A', 'x'], { minLength: 1 }),
    members: fc.constantFrom('a', 'A', 'x'),
  },
  flag: { field: { type: 'boolean' }, values: fc.boolean() },
  day: { field: { type: 'date' }, values: days },
  moment: { field: { type: 'datetime' }, values: instants },
  kind: { field: { type: 'select', options: [{ value: 1, label: 'One' }] }, values: wholes },
};

/** Two resources that point at each other and at themselves, each with some of the kinds of fields. */
export const definitions: fc.Arbitrary<Source[]> = fc
  .tuple(...names.map(() => fc.subarray(Object.keys(kinds), { minLength: 3 })))
  .map((chosen) => names.map((name, index) => source(name, names[1 - index]!, chosen[index]!)));

function source(name: string, other: string, chosen: readonly string[]): Source {
  const plain = Object.fromEntries(chosen.map((kind) => [kind, kinds[kind]!.field]));
  const first = chosen[0]!;
  return sourceOf(name, {
    ...plain,
    parent_id: { type: 'relation', to: name },
    other_id: { type: 'relation', to: other, embed: 'other' },
    tags: { type: 'relations', to: other },
    children: { type: 'inverse', source: `${name}.parent_id` },
    pointing: { type: 'inverse', source: `${other}.other_id`, countName: 'pointing_total' },
    tagging: { type: 'inverse', source: `${other}.tags` },
    missing: { type: 'boolean', computed: { [first]: null } },
    late: { type: 'boolean', computed: { $or: [{ day: { $lt: '$today' } }, { id: '$actor.id' }] } },
    called: { computed: `{${first}} no. {id}` },
    ...(chosen.includes('day') ? {} : { day: { type: 'date' } as FieldSource }),
  });
}

/** Four rows of each resource, nulls and cycles included. */
export function rows(sources: readonly Source[]): fc.Arbitrary<Rows> {
  const ids = [1, 2, 3, 4];
  const row = (one: Source, id: number) => {
    const values = Object.entries(one.fields)
      .filter(([name]) => name in kinds)
      .map(([name]) => [name, fc.option(kinds[name]!.values, { nil: null, freq: 4 })] as const);
    const target = fc.option(fc.constantFrom(...ids), { nil: null, freq: 3 });
    return fc.record<ResourceRecord>({
      id: fc.constant(id),
      parent_id: target,
      other_id: target,
      tags: fc.subarray(ids),
      ...Object.fromEntries(values),
    });
  };
  return fc.record(
    Object.fromEntries(sources.map((one) => [one.name, fc.tuple(...ids.map((id) => row(one, id)))])),
  ) as fc.Arbitrary<Rows>;
}

/** A condition over a definition's fields. */
export function conditions(
  definition: Definition,
  registry: Registry,
  stored: Rows,
  depth = 3,
): fc.Arbitrary<Condition> {
  const fields = Object.values(definition.fields).filter((field) => !field.system || field.name === 'id');
  const leaf = fc.constantFrom(...fields).chain((field) => leafOn(field, definition, stored));
  if (depth === 0) return leaf;
  const inner = (on: Definition) => conditions(on, registry, stored, depth - 1);
  const same = inner(definition);
  const related = fields.filter((field) => field.to ?? field.inverse);
  const path = (field: Field, of: typeof inner) =>
    of(registry.getOrThrow(field.to ?? field.inverse!.resource)).map((one) => pathTo(field.name, one));
  return fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: fc.array(same, { maxLength: 3 }).map((of) => ({ $and: of })) },
    { weight: 1, arbitrary: fc.array(same, { maxLength: 3 }).map((of) => ({ $or: of })) },
    { weight: 1, arbitrary: fc.array(same, { maxLength: 2 }).map((of) => ({ $nor: of })) },
    { weight: 2, arbitrary: same.map((of) => ({ $not: of })) },
    { weight: 2, arbitrary: fc.constantFrom(...related).chain((field) => path(field, inner)) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(...related).chain((field) =>
        inner(registry.getOrThrow(field.to ?? field.inverse!.resource)).map((of) => ({
          [field.name]: { $some: of },
        })),
      ),
    },
  );
}

/** The condition on related records with its fields as paths; what a path cannot say as `$some`. */
function pathTo(field: string, condition: Condition): Condition {
  const entries = Object.entries(condition);
  if (entries.length !== 1 || entries[0]![0].startsWith('$')) return { [field]: { $some: condition } };
  return { [`${field}.${entries[0]![0]}`]: entries[0]![1] };
}

function leafOn(field: Field, definition: Definition, stored: Rows): fc.Arbitrary<Condition> {
  const own = stored[definition.name]!.map((row) => row[field.name]).filter(
    (value) => value !== undefined && !Array.isArray(value),
  );
  const ids = fc.constantFrom<unknown>(1, 2, 3, 4, 5);
  const variables = fc.constantFrom<unknown>(
    '$today',
    '$now',
    '$today+1d',
    '$today-1m',
    '$now-1min',
    '$actor.id',
    '$actor.level',
    '$actor.nothing',
    '$form.x',
  );
  const value = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...own, null) },
    { weight: 2, arbitrary: kinds[field.name]?.members ?? kinds[field.name]?.values ?? ids },
    { weight: 2, arbitrary: odd },
    { weight: 1, arbitrary: variables },
  );
  const left = fc.constantFrom(
    field.name,
    ...(field.embed === undefined ? [] : [field.embed]),
    ...(field.countName === 'pointing_total' ? ['pointing_total'] : []),
  );
  const operator = fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$contains');
  const single = fc.record({ left, operator, value }).map((one) => ({ [one.left]: { [one.operator]: one.value } }));
  const many = fc
    .record({ left, operator: fc.constantFrom('$in', '$nin', '$all'), values: fc.array(value, { maxLength: 4 }) })
    .map(({ left: name, operator: by, values }) => ({
      [name]: by === '$all' && values.length === 0 ? null : { [by]: values },
    }));
  const exists = fc.record({ left, value: fc.boolean() }).map((one) => ({ [one.left]: { $exists: one.value } }));
  const ofVariable = fc.record({ left: variables, operator, value }).map((one) => ({
    [one.left as string]: { [one.operator]: one.value },
  }));
  return fc.oneof(
    { weight: 5, arbitrary: single },
    { weight: 3, arbitrary: many },
    { weight: 1, arbitrary: exists },
    { weight: 1, arbitrary: ofVariable },
  );
}

/** The kinds of fields that a column of rows can have. */
const columnKinds = Object.keys(kinds).filter((name) => !['cost', 'labels'].includes(name));

/** A resource with rows, whose columns are some of the kinds. */
export const withLines: fc.Arbitrary<Source> = fc.subarray(columnKinds, { minLength: 2 }).map((chosen) =>
  sourceOf('gamma', {
    lines: { type: 'rows', fields: Object.fromEntries(chosen.map((kind) => [kind, kinds[kind]!.field])) },
  }),
);

/** The rows of four records, up to three each: nulls and none at all included. */
export function lines(source: Source): fc.Arbitrary<ResourceRecord[][]> {
  const cells = Object.keys(source.fields.lines!.fields!).map(
    (name) => [name, fc.option(kinds[name]!.values, { nil: null, freq: 4 })] as const,
  );
  const one = fc.record<ResourceRecord>(Object.fromEntries(cells));
  return fc.array(fc.array(one, { maxLength: 3 }), { minLength: 4, maxLength: 4 });
}

/** A condition on records by their rows: as `$some`, as a path, on whether there are any, and on how many. */
export function lineConditions(rows: Definition, stored: readonly ResourceRecord[]): fc.Arbitrary<Condition> {
  const columns = Object.values(rows.fields).filter(({ system }) => !system);
  const leaf = fc.constantFrom(...columns).chain((column) => leafOn(column, rows, { [rows.name]: [...stored] }));
  const onRow = fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 2, arbitrary: fc.array(leaf, { maxLength: 3 }).map((of) => ({ $and: of })) },
    { weight: 1, arbitrary: fc.array(leaf, { maxLength: 3 }).map((of) => ({ $or: of })) },
    { weight: 2, arbitrary: leaf.map((of) => ({ $not: of })) },
  );
  const count = fc.record({ by: fc.constantFrom('$eq', '$gte', '$lt', '$ne'), n: fc.constantFrom(0, 1, 2, null) });
  const single: fc.Arbitrary<Condition> = fc.oneof(
    { weight: 4, arbitrary: onRow.map((of) => ({ lines: { $some: of } })) },
    { weight: 2, arbitrary: leaf.map((of) => pathTo('lines', of)) },
    { weight: 1, arbitrary: fc.constantFrom({ lines: null }, { lines: { $some: {} } }, { lines: { $exists: true } }) },
    { weight: 1, arbitrary: count.map(({ by, n }) => ({ lines_count: { [by]: n } })) },
  );
  return fc.oneof(
    { weight: 3, arbitrary: single },
    { weight: 1, arbitrary: single.map((of) => ({ $not: of })) },
    { weight: 1, arbitrary: fc.array(single, { maxLength: 3 }).map((of) => ({ $and: of })) },
    { weight: 1, arbitrary: fc.array(single, { maxLength: 3 }).map((of) => ({ $or: of })) },
  );
}

// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FieldSource } from '../../../src/engine/language/source';
import { currentPlan } from '../../../src/server/sync/sync';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { registryOf, sourceOf } from '../../support/definitions';
import { syncTables } from '../../support/sync-tables';

// A field of a table without rows gets any other type, in place and under another name, and nobody has to confirm it.

const options = [{ value: 'a', label: 'A' }];
/** One field of each type that is stored, and of those whose columns differ by their properties. */
const fieldsByType: Readonly<Record<string, FieldSource>> = {
  text: {},
  'unique text': { unique: true },
  textarea: { type: 'textarea' },
  richText: { type: 'richText' },
  email: { type: 'email' },
  url: { type: 'url' },
  phone: { type: 'phone' },
  icon: { type: 'icon' },
  number: { type: 'number' },
  'whole number': { type: 'number', integer: true },
  decimal: { type: 'number', decimal: true, digits: 2 },
  money: { type: 'money', currency: 'EUR' },
  boolean: { type: 'boolean' },
  date: { type: 'date' },
  time: { type: 'time' },
  datetime: { type: 'datetime' },
  duration: { type: 'duration', startField: 'time', endField: 'time' },
  select: { type: 'select', options },
  'select of numbers': { type: 'select', options: [{ value: 1, label: 'One' }] },
  'several choices': { type: 'select', multiple: true, options },
  relation: { type: 'relation', to: 'authors' },
  relations: { type: 'relations', to: 'authors' },
  json: { type: 'json' },
  password: { type: 'password' },
  image: { type: 'image' },
  files: { type: 'files' },
  shareLink: { type: 'shareLink', path: 'book' },
  rows: { type: 'rows', fields: { line: {} } },
  computed: { type: 'boolean', computed: { name: 'x' } },
};
const types = Object.keys(fieldsByType);
const authors = sourceOf('authors', { name: {} });

let own: TestDatabase;
/** The type of the column that a new field of each type has; undefined for fields without one. */
let columnTypes: ReadonlyMap<string, string | undefined>;

const each = (make: (index: number, type: string) => readonly [name: string, field: FieldSource]) =>
  Object.fromEntries(types.map((type, index) => make(index, type)));
const registryWith = (table: string, fields: Record<string, FieldSource>) =>
  registryOf(authors, sourceOf(table, { name: {}, ...fields }));
const columnsOf = async (table: string) => {
  const { rows } = await own.database.pool.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [`public.${table}`],
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
};

beforeAll(async () => {
  own = await createTestDatabase();
  await syncTables(
    own.database,
    registryWith(
      'fresh',
      each((index, type) => [`f${index}`, fieldsByType[type]!]),
    ),
  );
  const columns = await columnsOf('fresh');
  columnTypes = new Map(types.map((type, index) => [type, columns.get(`f${index}`)]));
});
afterAll(() => own?.close());

test.each(types)(
  'in a table without rows, a field of every other type becomes %s, also under another name',
  async (type) => {
    const table = `books_${types.indexOf(type)}`;
    const before = each((index, from) => [`f${index}`, fieldsByType[from]!]);
    const others = each((index, from) => [`g${index}`, fieldsByType[from]!]);
    await syncTables(own.database, registryWith(table, { ...before, ...others }));
    const field = fieldsByType[type]!;
    const registry = registryWith(table, {
      ...each((index) => [`f${index}`, field]),
      ...each((index) => [`h${index}`, { ...field, formerName: `g${index}` }]),
    });
    expect((await syncTables(own.database, registry)).refusedSteps.map(({ text }) => text)).toEqual([]);
    expect(await currentPlan(own.database.kysely, registry)).toEqual([]);
    const expected = columnTypes.get(type);
    const columns = await columnsOf(table);
    const names = types.flatMap((_, index) => [`f${index}`, `h${index}`]);
    // The column of a field that has none any more stays.
    if (expected !== undefined)
      expect(names.map((name) => [name, columns.get(name)])).toEqual(names.map((name) => [name, expected]));
  },
);

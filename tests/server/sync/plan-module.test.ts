// @module-tag slow
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FieldSource, Source } from '../../../src/engine/language/source';
import { planModule } from '../../../src/server/sync/plan-module';
import { loadHiddenColumns } from '../../../src/server/sync/purge';
import { syncTables } from '../../support/sync-tables';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { registryOf, sourceOf } from '../../support/definitions';

let own: TestDatabase;
beforeEach(async () => {
  own = await createTestDatabase();
});
afterEach(() => own.close());

type Fields = Record<string, FieldSource>;
const query = async (text: string) => (await own.database.pool.query(text)).rows as Record<string, unknown>[];
const books = (fields: Fields, more: Partial<Source> = {}) =>
  sourceOf('books', fields, { labels: { one: 'Book', many: 'Books' }, ...more });

async function plan(
  before: Source | undefined,
  after: Source | undefined,
  purge: string[] = [],
  others: Source[] = [],
) {
  const registries = {
    previousRegistry: registryOf(...others, ...[before ?? []].flat()),
    nextRegistry: registryOf(...others, ...[after ?? []].flat()),
  };
  const sources = { before, after };
  return planModule(own.database.kysely, { ...registries, name: 'books', purge, sources });
}

const hidden = (source: Source) => {
  const registry = registryOf(source);
  return loadHiddenColumns(own.database.kysely, registry, registry.getOrThrow('books'));
};

async function stored(source: Source, rows = '') {
  await syncTables(own.database, registryOf(source));
  if (rows) await query(rows);
}

describe('a plan', () => {
  test('of a new module creates its table, and mentions that once', async () => {
    const steps = await plan(undefined, books({ name: {} }));
    expect(steps[0]).toMatchObject({
      kind: 'createTable',
      text: 'Create the table books.',
      rows: 0,
      destructive: false,
    });
    expect(steps.filter(({ kind }) => kind === 'words').map(({ text }) => text)).toEqual(['Books added: new module.']);
  });

  test('without changes is empty', async () => {
    const same = books({ name: { required: true, maxLength: 5 } });
    await stored(same, "insert into books (name) values ('much too long')");
    expect(await plan(same, same)).toEqual([]);
  });

  test('lists the rows that a new column leaves empty, and those that violate a rule on it', async () => {
    await stored(books({ name: {} }), "insert into books (name) values ('Emma'), ('Persuasion')");
    const steps = await plan(books({ name: {} }), books({ name: {}, pages: { type: 'number', required: true } }));
    expect(steps).toMatchObject([
      { kind: 'addColumn', text: 'Add the column pages (double precision) to books.', rows: 2 },
      { kind: 'rule', text: 'Pages must be filled in: 2 stored books violate it.', rows: 2, records: [1, 2], sql: '' },
    ]);
  });

  test('describes changes that only affect the display', async () => {
    await stored(books({ name: {} }));
    const steps = await plan(books({ name: {} }), books({ name: { label: 'Title', help: 'As printed.' } }));
    expect(new Set(steps.map(({ kind }) => kind))).toEqual(new Set(['words']));
    expect(steps.map(({ text }) => text).join(' ')).toContain('Title');
  });

  test('of a retired module keeps stored data', async () => {
    await stored(books({ name: {} }));
    expect(await plan(books({ name: {} }), undefined)).toEqual([
      {
        kind: 'words',
        text: 'Books are no longer used. Their table and records are kept.',
        sql: '',
        destructive: false,
        rows: 0,
      },
    ]);
  });

  test('leaves out pending steps of other modules', async () => {
    const authors = sourceOf('authors', { name: {} });
    await stored(books({ name: {} }));
    const steps = await plan(books({ name: {} }), books({ name: {}, pages: {} }), [], [authors]);
    expect(steps.filter(({ sql }) => sql.includes('authors'))).toEqual([]);
    expect(steps.some(({ sql }) => sql.includes('pages'))).toBe(true);
  });
});

describe('rules that rows of records violate', () => {
  const lines = (columns: Fields): Fields => ({ name: {}, lines: { type: 'rows', label: 'Lines', fields: columns } });
  const place = ['in', 'out', 'up'].map((value) => ({ value, label: value }));
  const before = lines({
    action: { type: 'text' },
    amount: { type: 'number' },
    place: { type: 'select', options: place },
  });
  const rows = `insert into books (name) values ('Emma'), ('Persuasion');
    insert into books__lines (parent_id, position, action, amount, place) values
    (1, 0, null, -1, 'in'), (1, 1, 'Read', -2, 'up'), (2, 0, 'Read again', 3, 'out'), (2, 1, null, null, null)`;

  test('are counted by rows, with the records that they belong to', async () => {
    await stored(books(before), rows);
    const after = lines({
      action: { type: 'text', required: true, maxLength: 6 },
      amount: { type: 'number', min: 0 },
      place: { type: 'select', options: place.slice(0, 2) },
    });
    const steps = (await plan(books(before), books(after))).filter(({ kind }) => kind === 'rule');
    expect(steps).toMatchObject([
      { text: 'Lines: Action must be filled in: 2 stored rows violate it.', rows: 2, records: [1, 2] },
      { text: 'Lines: Action must have at most 6 characters: 1 stored row violates it.', rows: 1, records: [2] },
      { text: 'Lines: Amount must be at least 0: 2 stored rows violate it.', rows: 2, records: [1] },
      { text: 'Lines: Place no longer offers "up": 1 stored row violates it.', rows: 1, records: [1] },
    ]);
    expect(await plan(books(before), books(before))).toEqual([]);
  });

  test('a new required column is empty in all of them, and a rule that none breaks says so', async () => {
    await stored(books(before), rows);
    const columns = before.lines!.fields!;
    const added = lines({ ...columns, unit: { type: 'text', required: true }, amount: { type: 'number', max: 10 } });
    const steps = (await plan(books(before), books(added))).filter(({ kind }) => kind === 'rule');
    expect(steps.map(({ text }) => text)).toEqual([
      'Lines: Amount must be at most 10: no stored row violates it.',
      'Lines: Unit must be filled in: 4 stored rows violate it.',
    ]);
  });
});

describe('rules that stored rows violate', () => {
  const rows = `insert into books (name, code, pages, kind, start, finish, mail) values
    ('Emma', 'a1', 10, 'novel', '2026-01-02', '2026-01-01', 'a@b.test'), ('Persuasion', 'b-2', 700, 'poem', '2026-01-01', '2026-02-01', 'nobody'),
    (null, 'c3', 7.5, null, null, null, null)`;
  const kinds = ['novel', 'poem'].map((value) => ({ value, label: value }));
  const fields: Fields = {
    name: {},
    code: {},
    pages: { type: 'number' },
    kind: { type: 'select', options: kinds },
    start: { type: 'date' },
    finish: { type: 'date' },
    mail: {},
  };

  test.each<[string, string, FieldSource, string, number[]]>([
    ['required', 'name', { required: true }, 'Name must be filled in: 1 stored book violates it.', [3]],
    ['required by the form', 'name', { required: 'form' }, 'The form asks for Name: 1 stored book violates it.', [3]],
    [
      'required conditionally',
      'name',
      { required: { pages: { $lt: 8 } } },
      'Name must be filled in under a condition: 1 stored book violates it.',
      [3],
    ],
    [
      'at most so long',
      'name',
      { maxLength: 5 },
      'Name must have at most 5 characters: 1 stored book violates it.',
      [2],
    ],
    [
      'at least so long',
      'name',
      { minLength: 5 },
      'Name must have at least 5 characters: 1 stored book violates it.',
      [1],
    ],
    ['of a form', 'code', { pattern: '^\\w+$' }, 'Code must have the form ^\\w+$: 1 stored book violates it.', [2]],
    ['at least', 'pages', { type: 'number', min: 8 }, 'Pages must be at least 8: 1 stored book violates it.', [3]],
    ['at most', 'pages', { type: 'number', max: 500 }, 'Pages must be at most 500: 1 stored book violates it.', [2]],
    [
      'one of fewer options',
      'kind',
      { type: 'select', options: [kinds[0]!] },
      'Kind no longer offers "poem": 1 stored book violates it.',
      [2],
    ],
    [
      'after another',
      'finish',
      { type: 'date', notBefore: 'start' },
      'Finish must not be before Start: 1 stored book violates it.',
      [1],
    ],
    ['an address', 'mail', { type: 'email' }, 'Mail must be an email address: 1 stored book violates it.', [2]],
  ])('%s', async (_, name, field, text, records) => {
    await stored(books(fields), rows);
    const steps = await plan(books(fields), books({ ...fields, [name]: field }));
    const rule = steps.filter(({ kind }) => kind === 'rule');
    expect(rule).toEqual([{ kind: 'rule', text, sql: '', destructive: false, rows: records.length, records }]);
    expect(steps.some(({ destructive }) => destructive)).toBe(false);
  });

  test('a looser rule is not reported, a stricter one is even if no record violates it', async () => {
    await stored(books(fields), rows);
    const before = books({ ...fields, name: { maxLength: 50 } });
    expect((await plan(before, books({ ...fields, name: { maxLength: 90 } }))).map(({ kind }) => kind)).toEqual([
      'words',
    ]);
    expect(await plan(before, books({ ...fields, name: { maxLength: 40 } }))).toMatchObject([
      { kind: 'rule', text: 'Name must have at most 40 characters: no stored record violates it.', rows: 0 },
    ]);
  });

  test('unique: lists the ids of the duplicate rows', async () => {
    await stored(books(fields), `${rows}; insert into books (name) values ('EMMA')`);
    const steps = await plan(books(fields), books({ ...fields, name: { unique: true } }));
    expect(steps).toContainEqual(
      expect.objectContaining({ kind: 'createIndex', destructive: true, rows: 2, records: [1, 4] }),
    );
  });

  test('limits the depth of nesting', async () => {
    const tree = (maxDepth: number) => books({ name: {}, above: { type: 'relation', to: 'books', maxDepth } });
    await stored(tree(3), 'insert into books (above) values (null), (1), (2)');
    expect((await plan(tree(3), tree(2))).filter(({ kind }) => kind === 'rule')).toMatchObject([
      { rows: 1, records: [3] },
    ]);
  });

  test('records that are deleted but kept do not count', async () => {
    const kept = (more: FieldSource) => books({ name: more }, { delete: { keep: true } });
    await stored(kept({}), 'insert into books (name, deleted_at) values (null, now()), (null, null)');
    expect((await plan(kept({}), kept({ required: true })))[0]).toMatchObject({ rows: 1, records: [2] });
  });
});

describe('a narrower type', () => {
  const before = books({ name: {}, size: {} });
  const after = books({ name: {}, size: { type: 'number', integer: true, max: 20 } });

  test('reports what is kept, what cannot be converted, and which rules the rest violates', async () => {
    await stored(before, "insert into books (size) values ('12'), ('large'), (null), ('99')");
    const steps = await plan(before, after);
    expect(steps.filter(({ destructive }) => destructive)).toMatchObject([
      {
        kind: 'changeType',
        ...{ rows: 1, of: 4, keeps: 'size__was_1' },
        text: expect.stringContaining('keep the old column as size__was_1'),
      },
    ]);
    expect(steps.filter(({ kind }) => kind === 'rule')).toMatchObject([
      { text: 'Size must be at most 20: 1 stored book violates it.', records: [4] },
      {
        text: 'Size keeps only values that can be converted to its new type: 1 stored book violates it.',
        records: [2],
      },
    ]);
  });

  test('keeps the old column until it is purged, and moves indexes and keys to the new one', async () => {
    const indexed = { indexes: [['size', 'name']] };
    await stored({ ...before, ...indexed }, "insert into books (size) values ('12'), ('large')");
    const next = { ...after, ...indexed };
    await syncTables(own.database, registryOf(next), { destructive: true });
    expect(await query('select size, size__was_1 from books order by id')).toEqual([
      { size: 12, size__was_1: '12' },
      { size: null, size__was_1: 'large' },
    ]);
    const indexes = await query("select indexdef from pg_indexes where tablename = 'books'");
    expect(JSON.stringify(indexes)).not.toContain('size__was_1');
    expect(JSON.stringify(indexes)).toContain('size');
    expect(await plan(next, next)).toEqual([]);
    expect(await hidden(next)).toEqual([{ column: 'size__was_1', type: 'text', values: 2 }]);
  });

  test('a second change uses another name, and changing back keeps both', async () => {
    await stored(before, "insert into books (size) values ('large')");
    await syncTables(own.database, registryOf(after), { destructive: true });
    await syncTables(own.database, registryOf(before), { destructive: true });
    await query("update books set size = 'small'");
    await syncTables(own.database, registryOf(after), { destructive: true });
    expect((await hidden(after)).map(({ column }) => column)).toEqual(['size__was_1', 'size__was_2']);
  });

  test('invalid dates become empty, and so do numbers that are text', async () => {
    const dated = (type: 'date' | 'datetime') => books({ name: {}, size: { type } });
    await stored(before, "insert into books (size) values ('2026-02-31'), ('2026-02-28'), ('2026-02-28T25:00'), ('x')");
    const steps = await plan(before, dated('datetime'));
    expect(steps.find(({ kind }) => kind === 'rule')).toMatchObject({ records: [1, 3, 4] });
    await syncTables(own.database, registryOf(dated('date')), { destructive: true });
    expect((await query('select size::text from books order by id')).map(({ size }) => size)).toEqual([
      null,
      '2026-02-28',
      '2026-02-28',
      null,
    ]);
  });

  test('of a number that becomes a relation counts ids without a record', async () => {
    const authors = sourceOf('authors', { name: {} });
    const text = books({ name: {}, author_id: {} });
    const related = books({ name: {}, author_id: { type: 'relation', to: 'authors' } });
    await syncTables(own.database, registryOf(authors, text));
    await query("insert into books (author_id) values ('4')");
    const steps = await plan(text, related, [], [authors]);
    expect(steps).toContainEqual(
      expect.objectContaining({ kind: 'addForeignKey', rows: 1, records: [1], destructive: true }),
    );
  });
});

describe('hidden columns', () => {
  test('are those that no field uses, and can be purged', async () => {
    await stored(books({ name: {}, notes: {} }), "insert into books (notes) values ('mine'), (null)");
    const without = books({ name: {} });
    expect(await hidden(without)).toEqual([{ column: 'notes', type: 'text', values: 1 }]);
    await stored(without);
    const steps = await plan(without, without, ['notes']);
    expect(steps).toMatchObject([
      { kind: 'dropColumn', text: 'Drop the column notes of books and its values.', destructive: true, rows: 1, of: 2 },
    ]);
  });

  test('a field that is removed and purged at once is reported once, as lost values', async () => {
    const both = books({ name: {}, notes: {} });
    await stored(both, "insert into books (notes) values ('mine')");
    const steps = await plan(both, books({ name: {} }), ['notes']);
    expect(steps.map(({ text }) => text).filter((text) => text.includes('otes'))).toEqual([
      'Drop the column notes of books and its values.',
    ]);
  });

  test.each([
    ['no_such', 'Unknown hidden column "no_such".'],
    ['name', 'The field "name" uses this column'],
    ['id', 'The field "id" uses this column'],
    ['ctid', 'Unknown hidden column "ctid".'],
    ['x"; drop table books; --', 'Unknown hidden column'],
  ])('%s cannot be purged', async (column, message) => {
    await stored(books({ name: {} }));
    await expect(plan(books({ name: {} }), books({ name: {} }), [column])).rejects.toThrow(message);
  });
});

// @module-tag slow
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Registry } from '../../../src/engine/registry/registry';
import type { FieldSource } from '../../../src/engine/language/source';
import { buildDeferredIndexes } from '../../../src/server/sync/deferred-indexes';
import { currentPlan, syncInTransaction } from '../../../src/server/sync/sync';
import { syncTables } from '../../support/sync-tables';
import type { Step } from '../../../src/server/sync/step';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { registryOf, shippedSources, sourceOf } from '../../support/definitions';

let own: TestDatabase;
beforeEach(async () => {
  own = await createTestDatabase();
});
afterEach(() => own.close());

const query = async (text: string) => (await own.database.pool.query(text)).rows as Record<string, unknown>[];
const kinds = (steps: readonly Step[]) => steps.map((step) => step.kind);
const books = (fields: Record<string, FieldSource>, more = {}) => registryOf(sourceOf('books', fields, more));
const columns = async (table: string) =>
  Object.fromEntries(
    (
      await query(`select column_name, data_type from information_schema.columns
        where table_schema = 'public' and table_name = '${table}' and column_name not like 'search$%'`)
    ).map((row) => [row.column_name, row.data_type]),
  );

describe('tables follow definitions', () => {
  test('every type of field gets its column', async () => {
    await syncTables(
      own.database,
      books({
        name: {},
        pages: { type: 'number', integer: true },
        weight: { type: 'number' },
        lent: { type: 'boolean' },
        bought: { type: 'date' },
        opened: { type: 'time' },
        returned: { type: 'datetime' },
        extra: { type: 'json' },
        kind: { type: 'select', options: [{ value: 1, label: 'One' }] },
        tags: { type: 'relations', to: 'books' },
        rights: { type: 'permissions', virtual: true },
        thick: { type: 'boolean', computed: { pages: { $gt: 500 } } },
      }),
    );
    expect(await columns('books')).toEqual({
      id: 'bigint',
      name: 'text',
      pages: 'integer',
      weight: 'double precision',
      lent: 'boolean',
      bought: 'date',
      opened: 'text',
      returned: 'timestamp with time zone',
      extra: 'jsonb',
      kind: 'integer',
      created_by: 'bigint',
      updated_by: 'bigint',
      created_at: 'timestamp with time zone',
      updated_at: 'timestamp with time zone',
    });
    expect(await columns('books__tags')).toEqual({ record_id: 'bigint', target_id: 'bigint' });
  });

  test('a new field becomes a column, and rows stay', async () => {
    await syncTables(own.database, books({ name: {} }));
    await query("insert into books (name) values ('Emma')");
    const { appliedSteps: applied } = await syncTables(
      own.database,
      books({ name: {}, pages: { type: 'number', integer: true } }),
    );
    expect(applied).toMatchObject([
      { kind: 'addColumn', text: 'Add the column pages (integer) to books', destructive: false },
    ]);
    expect(await query('select id, name, pages from books')).toEqual([{ id: 1, name: 'Emma', pages: null }]);
  });

  test('a removed field keeps its column', async () => {
    await syncTables(own.database, books({ name: {}, notes: {} }));
    await query("insert into books (notes) values ('mine')");
    const { refusedSteps: refused } = await syncTables(own.database, books({ name: {} }));
    expect(refused).toEqual([]);
    expect(await query('select notes from books')).toEqual([{ notes: 'mine' }]);
    await syncTables(own.database, books({ name: {}, notes: {} }));
    expect(await currentPlan(own.database.kysely, books({ name: {}, notes: {} }))).toEqual([]);
  });

  test('two servers at once create the tables once', async () => {
    const registry = books({ name: {}, tags: { type: 'relations', to: 'books' } });
    const synced = await Promise.all([syncTables(own.database, registry), syncTables(own.database, registry)]);
    expect(synced.map(({ appliedSteps: applied }) => applied.length > 0).sort()).toEqual([false, true]);
  });
});

describe('the search text', () => {
  const notes: FieldSource = { type: 'textarea' };
  const mine = (searchable: boolean) => books({ name: {}, notes: { ...notes, searchable } });
  const stored = async () =>
    (
      await query(
        `select attname as name from pg_attribute where attrelid = 'books'::regclass and attname like 'search$%' and not attisdropped`,
      )
    ).map(({ name }) => String(name));
  const texts = async () =>
    (
      await Promise.all(
        (await stored()).map((name) => query(`select string_agg("${name}", ' / ' order by id) as text from books`)),
      )
    ).map(([row]) => row!.text);
  const indexed = async () =>
    (await query(`select indexdef from pg_indexes where tablename = 'books' and indexdef like '%gin%'`)).length;

  test('is stored for every row, whoever writes it, and allows changing its source columns', async () => {
    await syncTables(own.database, books({ name: {}, about: { type: 'richText', searchable: true } }));
    await query(`insert into books (name, about) values ('Emma', '<p>A <b>no</b>vel</p>'), ('Ärger', null)`);
    expect(await texts()).toEqual([' a novel \nemma / \närger']);
    await query(`update books set about = 'x &amp; y' where id = 2`);
    expect(await texts()).toEqual([' a novel \nemma / x & y\närger']);
    // The same fields in another order are searched alike.
    const before = await stored();
    expect(
      await currentPlan(own.database.kysely, books({ about: { type: 'richText', searchable: true }, name: {} })),
    ).toEqual([]);
    // A type that changes, a field that is put aside for another of its name, a column that is purged.
    const number = books({ name: {}, about: { type: 'number', integer: true } });
    await syncTables(own.database, number, { destructive: true });
    expect(await texts()).toEqual(['emma / ärger']);
    expect(await stored()).not.toEqual(before);
    const other = books({ name: {}, about__was_1: { type: 'textarea', searchable: true } });
    await syncTables(own.database, other);
    expect(await stored()).toHaveLength(2);
    await own.database.transaction((trx) =>
      syncInTransaction(trx, number, { destructive: true, purge: { resource: 'books', columns: ['about__was_1'] } }),
    );
    expect(await texts()).toEqual(['emma / ärger']);
  });

  test('two versions that search different fields keep each other’s columns', async () => {
    const [one, other] = [mine(true), mine(false)];
    const publish = async (registry: Registry, before?: Registry) =>
      kinds((await syncTables(own.database, registry, { previousRegistry: before })).appliedSteps).filter(
        (kind) => kind !== 'addColumn',
      );
    await publish(one);
    expect(await publish(other)).toEqual(['storeSearch', 'createIndex']);
    for (const registry of [one, other, one, other]) expect(await publish(registry, registry)).toEqual([]);
    expect([(await stored()).length, await indexed()]).toEqual([2, 2]);
    // Who publishes another definition gives up what the former one wanted, and nothing else.
    expect(await publish(books({ name: {} }), one)).toEqual(['dropIndex', 'dropSearch']);
    expect(await publish(other, other)).toEqual([]);
    expect(await publish(one, one)).toEqual(['storeSearch', 'createIndex']);
  });

  test('replaces the earlier search index', async () => {
    await syncTables(own.database, mine(true));
    const [column] = await stored();
    await query(`alter table books drop column "${column}";
      create index ix__books__search_0123abcd on books using gin (lower(name) gin_trgm_ops)`);
    expect(kinds((await syncTables(own.database, mine(true))).appliedSteps)).toEqual([
      'dropIndex',
      'storeSearch',
      'createIndex',
    ]);
    expect(await indexed()).toBe(1);
  });

  test('of a large table is indexed while others read and write, also after a failed attempt', async () => {
    await syncTables(own.database, mine(false));
    await query(`insert into books (name) select 'Book ' || n from generate_series(1, 10000) n; analyze books`);
    const { appliedSteps: applied } = await syncTables(own.database, mine(true));
    expect(kinds(applied)).toEqual(['storeSearch']);
    const plan = await currentPlan(own.database.kysely, mine(true));
    expect(plan).toMatchObject([
      { kind: 'createIndex', text: 'Index books for searching, in the background', inBackground: true },
    ]);
    // What a server leaves behind that ends in the middle of it.
    await query(plan[0]!.sql);
    await query(`update pg_index set indisvalid = false where indexrelid = (select indexrelid from pg_index join pg_class on oid = indexrelid
      where indrelid = 'books'::regclass and relname = '${/"(.*?)"/.exec(plan[0]!.sql)![1]}')`);
    const [one, other] = await Promise.all([own.database.pool.connect(), own.database.pool.connect()]);
    try {
      await one.query(`begin; insert into books (name) values ('Emma')`);
      const building = Promise.all([
        buildDeferredIndexes(own.database, mine(true)),
        buildDeferredIndexes(own.database, mine(true)),
      ]);
      await untilBuilding();
      await other.query(`insert into books (name) values ('Persuasion')`);
      expect((await other.query('select count(*)::integer as n from books')).rows).toEqual([{ n: 10_001 }]);
      await one.query('commit');
      expect((await building).map(({ length }) => length).sort()).toEqual([0, 1]);
    } finally {
      for (const client of [one, other]) client.release();
    }
    expect(await currentPlan(own.database.kysely, mine(true))).toEqual([]);
    expect(await buildDeferredIndexes(own.database, mine(true))).toEqual([]);
  });

  /** Until somebody waits for the transaction that is open. */
  async function untilBuilding(): Promise<void> {
    while (
      (
        await query(`select from pg_stat_activity where query ~ 'index concurrently' and wait_event_type = 'Lock'
      and datname = current_database()`)
      ).length === 0
    );
  }
});

describe('renames', () => {
  test('a field is renamed by was, with its values', async () => {
    await syncTables(own.database, books({ name: {}, notes: { type: 'textarea' } }));
    await query("insert into books (notes) values ('mine')");
    const renamed = books({ name: {}, remarks: { type: 'textarea', formerName: 'notes' } });
    const { appliedSteps: applied } = await syncTables(own.database, renamed);
    expect(kinds(applied)).toEqual(['renameColumn', 'dropIndex', 'dropSearch', 'storeSearch', 'createIndex']);
    expect(await query('select remarks from books')).toEqual([{ remarks: 'mine' }]);
    expect(await currentPlan(own.database.kysely, renamed)).toEqual([]);
  });

  test('a resource is renamed by was, with its pairs, its rows and the engine’s rows about it', async () => {
    const tags: FieldSource = { type: 'relations', to: 'books' };
    await syncTables(own.database, books({ name: {}, tags }));
    await query("insert into books (name) values ('Emma'); insert into books__tags values (1, 1)");
    await query(`insert into assay.history (site_id, resource, record_id, event) values (0, 'books', 1, 'created');
      insert into assay.comments (site_id, resource, record_id, user_id, text) values (0, 'books', 1, 1, 'Mine');
      insert into assay.watches (site_id, resource, record_id, user_id, state) values (0, 'books', 1, 1, 'muted');
      insert into assay.grants values (1, 'books', 'list')`);
    const renamed = registryOf(
      sourceOf(
        'old-books',
        { title: { formerName: 'name' }, labels: { ...tags, formerName: 'tags', to: 'old-books' } },
        { formerName: 'books' },
      ),
    );
    const { appliedSteps: applied } = await syncTables(own.database, renamed);
    expect(kinds(applied)).toContain('renameTable');
    expect(kinds(applied)).not.toContain('createTable');
    expect(await query('select title from old_books')).toEqual([{ title: 'Emma' }]);
    expect(await query('select * from old_books__labels')).toEqual([{ record_id: 1, target_id: 1 }]);
    for (const table of ['history', 'comments', 'watches'])
      expect(await query(`select resource from assay.${table}`)).toEqual([{ resource: 'old-books' }]);
    expect(await query('select module from assay.grants')).toEqual([{ module: 'old-books' }]);
    expect(await currentPlan(own.database.kysely, renamed)).toEqual([]);
  });

  test('an old name that is still in use is not renamed', async () => {
    await syncTables(own.database, books({ name: {}, notes: {} }));
    const { appliedSteps: applied } = await syncTables(
      own.database,
      books({ name: {}, notes: {}, remarks: { formerName: 'notes' } }),
    );
    expect(kinds(applied)).toContain('addColumn');
    expect(kinds(applied)).not.toContain('renameColumn');
  });
});

describe('changes that may lose values', () => {
  const before = () => books({ name: {}, size: {} });
  const after = () => books({ name: {}, size: { type: 'number', integer: true }, added: {} });

  test('a narrower type is refused with its statement and the affected rows, and the table stays unchanged', async () => {
    await syncTables(own.database, before());
    await query("insert into books (size) values ('12'), ('large'), (null)");
    const { appliedSteps: applied, refusedSteps: refused } = await syncTables(own.database, after());
    expect(applied).toEqual([]);
    expect(refused).toContainEqual(
      expect.objectContaining({
        kind: 'changeType',
        resource: 'books',
        text: 'Change the column size of books from text to integer, and keep the old column as size__was_1',
        sql: expect.stringMatching(/rename column "size" to "size__was_1".*add column "size" integer.*case/s),
        destructive: true,
        rows: 1,
        keptColumn: 'size__was_1',
      }),
    );
    expect(await columns('books')).toMatchObject({ size: 'text' });
    expect(await columns('books')).not.toHaveProperty('added');
  });

  test('once confirmed, it keeps the values that can be converted', async () => {
    await syncTables(own.database, before());
    await query("insert into books (size) values ('12'), ('large')");
    await syncTables(own.database, after(), { destructive: true });
    expect(await query('select size from books order by id')).toEqual([{ size: 12 }, { size: null }]);
    expect(await currentPlan(own.database.kysely, after())).toEqual([]);
  });

  test('an empty column changes its type without confirmation', async () => {
    await syncTables(own.database, before());
    await query("insert into books (name) values ('Emma')");
    expect((await syncTables(own.database, after())).refusedSteps).toEqual([]);
    expect(await columns('books')).toMatchObject({ size: 'integer', added: 'text' });
  });

  test.each<[string, FieldSource, string, FieldSource, unknown]>([
    ['whole numbers to numbers', { type: 'number', integer: true }, '7', { type: 'number' }, 7],
    [
      'whole numbers to those of 64 bits',
      { type: 'number', integer: true },
      '7',
      { type: 'number', integer: true, max: 9_000_000_000 },
      7,
    ],
    ['numbers to text', { type: 'number' }, '1.5', {}, '1.5'],
    ['instants to text', { type: 'datetime' }, "'2026-11-21 10:00+00'", {}, '2026-11-21T10:00:00.000Z'],
    ['days to instants', { type: 'date' }, "'2026-11-21'", { type: 'datetime' }, '2026-11-21T00:00:00.000Z'],
    ['text to json', {}, `'a"b'`, { type: 'json' }, 'a"b'],
  ])('%s loses nothing and needs no confirmation', async (_, from, written, to, read) => {
    await syncTables(own.database, books({ name: {}, value: from }));
    await query(`insert into books (value) values (${written})`);
    expect((await syncTables(own.database, books({ name: {}, value: to }))).refusedSteps).toEqual([]);
    expect((await own.database.query({ sql: 'select value from books', parameters: [] }))[0]).toEqual({ value: read });
  });

  test('ids of 32 bits become ids of 64 with all that refers to them', async () => {
    const authors = sourceOf('authors', { name: { searchable: true } });
    const related = sourceOf('books', {
      name: {},
      author_id: { type: 'relation', to: 'authors' },
      reader_ids: { type: 'relations', to: 'authors' },
    });
    const registry = registryOf(authors, related);
    await syncTables(own.database, registry);
    await query(`alter table books alter author_id type integer, alter id type integer;
      alter table authors alter id type integer;
      alter table books__reader_ids alter record_id type integer, alter target_id type integer;
      insert into authors (name) values ('Austen'); insert into books (name, author_id) values ('Emma', 1);
      insert into books__reader_ids values (1, 1)`);
    const plan = await currentPlan(own.database.kysely, registry);
    expect(plan.map(({ text }) => text).filter((text) => text.startsWith('Change'))).toEqual([
      'Change the column id of authors from integer to bigint',
      'Change the columns id, author_id of books from integer to bigint',
      'Change the columns record_id, target_id of books__reader_ids from integer to bigint',
    ]);
    expect((await syncTables(own.database, registry)).refusedSteps).toEqual([]);
    expect(await columns('books')).toMatchObject({ id: 'bigint', author_id: 'bigint' });
    expect(await columns('books__reader_ids')).toEqual({ record_id: 'bigint', target_id: 'bigint' });
    expect(await currentPlan(own.database.kysely, registry)).toEqual([]);
    await query(`insert into authors (id, name) values (9007199254740991, 'Eliot');
      insert into books (name, author_id) values ('Middlemarch', 9007199254740991)`);
    expect(
      await query('select b.id::float8 as id, a.name from books b join authors a on a.id = b.author_id order by 1'),
    ).toEqual([
      { id: 1, name: 'Austen' },
      { id: 2, name: 'Eliot' },
    ]);
  });

  test('a field cannot become unique while it has duplicate values', async () => {
    await syncTables(own.database, books({ name: {} }));
    await query("insert into books (name) values ('Emma'), ('EMMA'), ('Persuasion')");
    const unique = books({ name: { unique: true } });
    expect((await syncTables(own.database, unique)).refusedSteps).toMatchObject([
      { kind: 'createIndex', text: 'Require unique values of books.name', destructive: true, rows: 2 },
    ]);
    await query("delete from books where name = 'EMMA'");
    await syncTables(own.database, unique);
    await expect(query("insert into books (name) values ('emma')")).rejects.toThrow('unique');
  });

  test('a number becomes a relation only if its targets exist', async () => {
    const authors = sourceOf('authors', { name: {} });
    const plain = sourceOf('books', { name: {}, author_id: { type: 'number', integer: true } });
    const related = sourceOf('books', { name: {}, author_id: { type: 'relation', to: 'authors' } });
    await syncTables(own.database, registryOf(authors, plain));
    await query('insert into books (author_id) values (4)');
    expect((await syncTables(own.database, registryOf(authors, related))).refusedSteps).toContainEqual(
      expect.objectContaining({ kind: 'addForeignKey', text: 'Make books.author_id refer to authors', rows: 1 }),
    );
    await query("insert into authors (id, name) values (4, 'Austen')");
    expect((await syncTables(own.database, registryOf(authors, related))).refusedSteps).toEqual([]);
  });
});

describe('rules that the database enforces', () => {
  test('unique in a company, ignoring case, among records that are not deleted', async () => {
    const sites = sourceOf('sites', { name: {} }, { scope: 'self' });
    const source = sourceOf('books', { name: { unique: true } }, { scope: 'both', delete: { keep: true } });
    await syncTables(own.database, registryOf(sites, source));
    await query("insert into sites (name) values ('A'), ('B')");
    await query("insert into books (site_id, name) values (1, 'Emma'), (2, 'Emma'), (null, 'Emma')");
    await expect(query("insert into books (site_id, name) values (1, 'emma')")).rejects.toThrow('unique');
    await expect(query("insert into books (site_id, name) values (null, 'emma')")).rejects.toThrow('unique');
    await query('update books set deleted_at = now()');
    await query("insert into books (site_id, name) values (1, 'emma')");
  });

  test.each([
    ['restrict', 'violates foreign key'],
    ['cascade', []],
    ['clear', [{ author_id: null }]],
  ] as const)('a deleted target: %s', async (onDelete, expected) => {
    const author: FieldSource = { type: 'relation', to: 'authors', onDelete };
    await syncTables(
      own.database,
      registryOf(sourceOf('authors', { name: {} }), sourceOf('books', { author_id: author })),
    );
    await query('insert into authors default values; insert into books (author_id) values (1)');
    const removal = query('delete from authors');
    if (typeof expected === 'string') return expect(removal).rejects.toThrow(expected);
    await removal;
    expect(await query('select author_id from books')).toEqual(expected);
  });
});

describe('the shipped definitions', () => {
  test('need no more steps once their tables exist', async () => {
    const registry = registryOf(...shippedSources());
    const { refusedSteps: refused } = await syncTables(own.database, registry);
    expect(refused).toEqual([]);
    expect(await currentPlan(own.database.kysely, registry)).toEqual([]);
  });

  test('are planned with descriptions and statements, each for its resource', async () => {
    const registry = registryOf(...shippedSources());
    for (const step of await currentPlan(own.database.kysely, registry)) {
      expect(registry.get(step.resource)).toBeDefined();
      expect(step.text).toMatch(/^[A-Z][^\n]+$/);
      expect(step.sql.length).toBeGreaterThan(20);
    }
  });
});

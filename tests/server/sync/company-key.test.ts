import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { currentPlan } from '../../../src/server/sync/sync';
import { combinationOfIndex, targetSchema } from '../../../src/server/sync/target-schema';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { registryOf, sourceOf } from '../../support/definitions';
import { syncTables } from '../../support/sync-tables';

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
});
afterEach(() => testDatabase.close());

const query = async (text: string) => (await testDatabase.database.pool.query(text)).rows as Record<string, unknown>[];
const sites = sourceOf('sites', { name: {} }, { scope: 'self' });
const authors = sourceOf('authors', { name: { unique: 'company' } }, { scope: 'company' });
const books = (scope: Source['scope'] = 'company') =>
  sourceOf(
    'books',
    {
      name: {},
      author_id: { type: 'relation', to: 'authors', onDelete: 'clear' },
      editor_ids: { type: 'relations', to: 'authors' },
      lines: { type: 'rows', fields: { text: {}, author_id: { type: 'relation', to: 'authors', onDelete: 'clear' } } },
    },
    { scope },
  );
const registry = registryOf(sites, authors, books());

/** The keys and foreign keys of a table. */
const constraints = async (table: string) =>
  (
    await query(`select pg_get_constraintdef(oid) as text from pg_constraint
      where conrelid = 'public.${table}'::regclass and contype in ('p', 'f') order by contype desc, 1`)
  ).map(({ text }) => String(text).replace(' DEFERRABLE', ''));

const keysOfCompany = {
  books: [
    'PRIMARY KEY (id, site_id)',
    'FOREIGN KEY (site_id) REFERENCES sites(id)',
    'FOREIGN KEY (site_id, author_id) REFERENCES authors(site_id, id) ON DELETE SET NULL (author_id)',
  ],
  books__editor_ids: [
    'PRIMARY KEY (site_id, record_id, target_id)',
    'FOREIGN KEY (site_id, record_id) REFERENCES books(site_id, id) ON DELETE CASCADE',
    'FOREIGN KEY (site_id, target_id) REFERENCES authors(site_id, id)',
  ],
  books__lines: [
    'PRIMARY KEY (id, site_id)',
    'FOREIGN KEY (site_id, author_id) REFERENCES authors(site_id, id) ON DELETE SET NULL (author_id)',
    'FOREIGN KEY (site_id, parent_id) REFERENCES books(site_id, id) ON DELETE CASCADE',
  ],
};

const currentKeys = async () =>
  Object.fromEntries(
    await Promise.all(Object.keys(keysOfCompany).map(async (table) => [table, await constraints(table)] as const)),
  );

/** Two companies, each with an author; that of the first has written a book. */
const fill = `insert into sites (name) values ('First'), ('Second');
  insert into authors (site_id, name) values (1, 'Austen'), (2, 'Austen');
  insert into books (site_id, name, author_id) values (1, 'Emma', 1);`;

/** Brings the tables into the form that they had when the company was in the rows of records alone. */
const formerForm = `
  do $$ declare k record; begin
    for k in select conrelid::regclass as t, conname from pg_constraint where contype in ('f', 'p')
      and conrelid in ('books'::regclass, 'authors'::regclass, 'books__editor_ids'::regclass, 'books__lines'::regclass)
      order by contype
    loop execute format('alter table %s drop constraint %I', k.t, k.conname); end loop;
    for k in select indexrelid::regclass as i from pg_index where indrelid = 'books__editor_ids'::regclass
    loop execute format('drop index %s', k.i); end loop;
  end $$;
  alter table books__editor_ids drop column site_id, add primary key (record_id, target_id);
  alter table books__lines drop column site_id, add primary key (id);
  alter table books add primary key (id), alter site_id drop not null;
  alter table authors add primary key (id), alter site_id drop not null;
  alter table books add constraint fk__books__author_id_0 foreign key (author_id) references authors (id) on delete set null;
  alter table books__editor_ids add constraint fk__books__editor_ids_0 foreign key (record_id) references books (id) on delete cascade;
  alter table books__lines add constraint fk__books__lines_0 foreign key (parent_id) references books (id) on delete cascade;`;

describe('the company in keys', () => {
  test('stands in the tables of records, pairs and rows, and in what refers to them', async () => {
    await syncTables(testDatabase.database, registry);
    expect(await currentKeys()).toEqual(keysOfCompany);
    expect(await currentPlan(testDatabase.database.kysely, registry)).toEqual([]);
  });

  test.each([
    ['a relation', 'update books set author_id = 2'],
    ['a pair', 'insert into books__editor_ids (site_id, record_id, target_id) values (1, 1, 2)'],
    [
      'a pair that says the company of its target',
      'insert into books__editor_ids (site_id, record_id, target_id) values (2, 1, 2)',
    ],
    ['a row', 'insert into books__lines (site_id, parent_id, position, author_id) values (1, 1, 0, 2)'],
    ['a row of a record', 'insert into books__lines (site_id, parent_id, position) values (2, 1, 0)'],
  ])('%s cannot refer to a record of another company', async (_, statement) => {
    await syncTables(testDatabase.database, registry);
    await query(fill);
    await expect(query(statement)).rejects.toThrow('violates foreign key constraint');
  });

  test('a deleted record is cleared from those that refer to it, which keep their company', async () => {
    await syncTables(testDatabase.database, registry);
    await query(`${fill} insert into books__lines (site_id, parent_id, position, author_id) values (1, 1, 0, 1);
      delete from authors where id = 1`);
    expect(
      await query('select site_id, author_id from books union all select site_id, author_id from books__lines'),
    ).toEqual([
      { site_id: 1, author_id: null },
      { site_id: 1, author_id: null },
    ]);
  });

  test('databases of before get it without losing anything', async () => {
    await syncTables(testDatabase.database, registry);
    await query(`${fill} ${formerForm}
      insert into books__editor_ids values (1, 1);
      insert into books__lines (parent_id, position, text, author_id) values (1, 0, 'Chapter 1', 1)`);
    const plan = await currentPlan(testDatabase.database.kysely, registry);
    expect(plan.filter(({ kind }) => kind === 'changeKey').map(({ text }) => text)).toEqual([
      'Make the company part of the key of authors',
      'Make the company part of the key of books',
      'Make the company part of the key of books__lines',
      'Make the company part of the key of books__editor_ids',
    ]);
    expect((await syncTables(testDatabase.database, registry)).refusedSteps).toEqual([]);
    expect(await currentKeys()).toEqual(keysOfCompany);
    expect(await currentPlan(testDatabase.database.kysely, registry)).toEqual([]);
    expect(await query('select * from books__editor_ids')).toEqual([{ record_id: 1, target_id: 1, site_id: 1 }]);
    expect(await query('select site_id, parent_id, text, author_id from books__lines')).toEqual([
      { site_id: 1, parent_id: 1, text: 'Chapter 1', author_id: 1 },
    ]);
  });

  test('a table that no definition has any more still refers to what it needs', async () => {
    const notes = sourceOf('notes', { author_id: { type: 'relation', to: 'authors' } }, { scope: 'company' });
    await syncTables(testDatabase.database, registryOf(sites, authors, books(), notes));
    await query(`${fill} alter table notes drop constraint ${String(
      (await query(`select conname from pg_constraint where conrelid = 'notes'::regclass and contype = 'f'`))[0]
        ?.conname,
    )}; ${formerForm}
      alter table notes add constraint fk__notes__author_id_0 foreign key (author_id) references authors (id);
      insert into notes (site_id, author_id) values (2, 2)`);
    await syncTables(testDatabase.database, registry);
    await expect(query('delete from authors where id = 2')).rejects.toThrow('fk__notes__author_id_0');
    await expect(query('insert into notes (site_id, author_id) values (1, 2)')).rejects.toThrow(
      'fk__notes__author_id_0',
    );
  });

  test('what is left of removed fields gets it as well, and is there when they come back', async () => {
    await syncTables(testDatabase.database, registry);
    await query(`${fill} ${formerForm}
      alter table books__editor_ids add constraint fk__books__editor_ids_1 foreign key (target_id) references authors (id);
      alter table books__lines add constraint fk__books__lines_1 foreign key (author_id) references authors (id);
      insert into books__editor_ids values (1, 1), (1, 2);
      insert into books__lines (parent_id, position, text) values (1, 0, 'Chapter 1')`);
    const short = registryOf(sites, authors, sourceOf('books', { name: {} }, { scope: 'company' }));
    expect((await syncTables(testDatabase.database, short)).refusedSteps).toEqual([]);
    expect(await currentPlan(testDatabase.database.kysely, short)).toEqual([]);
    expect(await currentKeys()).toMatchObject({
      books__editor_ids: [
        'PRIMARY KEY (site_id, record_id, target_id)',
        'FOREIGN KEY (site_id, record_id) REFERENCES books(site_id, id) ON DELETE CASCADE NOT VALID',
        'FOREIGN KEY (site_id, target_id) REFERENCES authors(site_id, id) ON DELETE CASCADE NOT VALID',
      ],
      books__lines: [
        'PRIMARY KEY (id, site_id)',
        'FOREIGN KEY (site_id, parent_id) REFERENCES books(site_id, id) ON DELETE CASCADE NOT VALID',
      ],
    });
    await query('delete from books__editor_ids where target_id = 2');
    expect((await syncTables(testDatabase.database, registry)).refusedSteps).toEqual([]);
    expect(await currentKeys()).toEqual(keysOfCompany);
    expect(await query('select site_id, target_id from books__editor_ids')).toEqual([{ site_id: 1, target_id: 1 }]);
    expect(await query('select site_id, text from books__lines')).toEqual([{ site_id: 1, text: 'Chapter 1' }]);
  });

  test('what is left of removed fields follows a module that gives it up', async () => {
    await syncTables(testDatabase.database, registry);
    await query(`${fill} insert into books__editor_ids (site_id, record_id, target_id) values (1, 1, 1)`);
    const shared = registryOf(sites, authors, sourceOf('books', { name: {} }, { scope: 'both' }));
    expect((await syncTables(testDatabase.database, shared)).refusedSteps).toEqual([]);
    expect(await currentPlan(testDatabase.database.kysely, shared)).toEqual([]);
    await query('delete from authors where id = 1');
    expect(await query('select from books__editor_ids')).toEqual([]);
  });

  test('pairs of a removed field without it do not hold on to a module that gets it', async () => {
    const authorsOf = (scope: Source['scope']) => sourceOf('authors', { name: {} }, { scope });
    await syncTables(testDatabase.database, registryOf(sites, authorsOf('both'), books('both')));
    await query(`${fill} insert into books__editor_ids (record_id, target_id) values (1, 1)`);
    const short = registryOf(sites, authorsOf('company'), sourceOf('books', { name: {} }, { scope: 'both' }));
    expect((await syncTables(testDatabase.database, short)).refusedSteps).toEqual([]);
    expect(await currentPlan(testDatabase.database.kysely, short)).toEqual([]);
    expect(await constraints('books__editor_ids')).toEqual([
      'PRIMARY KEY (record_id, target_id)',
      'FOREIGN KEY (record_id) REFERENCES books(id) ON DELETE CASCADE',
    ]);
  });

  test.each([
    ['removed', undefined],
    ['renamed', sourceOf('writers', { name: {} }, { scope: 'company', formerName: 'authors' })],
  ])('pairs of a removed field give way to records of a module that is %s with it', async (_, target) => {
    await syncTables(testDatabase.database, registry);
    await query(`${fill} insert into books__editor_ids (site_id, record_id, target_id) values (1, 1, 1);
      update books set author_id = null`);
    const short = sourceOf('books', { name: {} }, { scope: 'company' });
    const next = registryOf(...[sites, short, target ?? []].flat());
    await syncTables(testDatabase.database, next);
    await syncTables(testDatabase.database, next);
    expect(await currentPlan(testDatabase.database.kysely, next)).toEqual([]);
    await query(`delete from ${target?.name ?? 'authors'} where id = 1`);
    expect(await query('select from books__editor_ids')).toEqual([]);
  });

  test('references by id alone are there after the same start', async () => {
    const authorsOf = (scope: Source['scope']) => sourceOf('authors', { name: {} }, { scope });
    await syncTables(testDatabase.database, registryOf(sites, authorsOf('both'), books('both')));
    await query(fill);
    const [both, company] = [authorsOf('both'), authorsOf('company')].map((module) =>
      registryOf(sites, module, books('both')),
    );
    for (const next of [company, both]) {
      await syncTables(testDatabase.database, next!);
      expect(await currentPlan(testDatabase.database.kysely, next!)).toEqual([]);
      expect(await constraints('books__editor_ids')).toContain('FOREIGN KEY (target_id) REFERENCES authors(id)');
    }
  });

  test('pairs and rows across companies are counted before, with their records', async () => {
    await syncTables(testDatabase.database, registry);
    await query(`${fill} ${formerForm}
      insert into books__editor_ids values (1, 1), (1, 2);
      insert into books__lines (parent_id, position, author_id) values (1, 0, 1), (1, 1, 2)`);
    const { refusedSteps } = await syncTables(testDatabase.database, registry);
    expect(refusedSteps.filter(({ destructive }) => destructive).map(({ text, rows }) => [text, rows])).toEqual([
      ['Make books__lines.author_id refer to authors', 1],
      ['Make books__editor_ids.target_id refer to authors', 1],
    ]);
    await query('delete from books__editor_ids where target_id = 2; delete from books__lines where author_id = 2');
    expect((await syncTables(testDatabase.database, registry)).refusedSteps).toEqual([]);
    expect(await currentKeys()).toEqual(keysOfCompany);
  });

  test('references of records without a company to a module of companies are counted before', async () => {
    const authorsOf = (scope: Source['scope']) => sourceOf('authors', { name: {} }, { scope });
    await syncTables(testDatabase.database, registryOf(sites, authorsOf('both'), books('both')));
    await query(`${fill} insert into books (name, author_id) values ('Persuasion', 1)`);
    const { refusedSteps } = await syncTables(testDatabase.database, registryOf(sites, authors, books('both')));
    expect(refusedSteps.filter(({ destructive }) => destructive)).toMatchObject([
      { text: 'Make books.author_id refer to authors', rows: 1 },
    ]);
  });

  test('a relation can turn to a module that is new', async () => {
    await syncTables(testDatabase.database, registry);
    await query(fill);
    const writers = sourceOf('writers', { name: {} }, { scope: 'company' });
    const turned = sourceOf(
      'books',
      { name: {}, author_id: { type: 'relation', to: 'writers' } },
      { scope: 'company' },
    );
    const { refusedSteps } = await syncTables(testDatabase.database, registryOf(sites, authors, writers, turned));
    expect(refusedSteps.filter(({ destructive }) => destructive)).toMatchObject([
      { text: 'Make books.author_id refer to writers', rows: 1 },
    ]);
  });

  describe('a module that is refused for another reason', () => {
    const withNumber = (type: 'text' | 'number', scope: Source['scope']) =>
      sourceOf('authors', { name: { type } }, { scope });
    const shelves = sourceOf('shelves', { author_id: { type: 'relation', to: 'authors' } }, { scope: 'installation' });
    const foreignKeys = async () =>
      (
        await query(`select conrelid::regclass::text as text from pg_constraint where contype = 'f'
        and confrelid = 'authors'::regclass order by 1`)
      ).map(({ text }) => text);

    test('keeps what refers to its key when it should give the company up', async () => {
      await syncTables(testDatabase.database, registryOf(sites, withNumber('text', 'company'), books()));
      await query(fill);
      const next = registryOf(sites, withNumber('number', 'both'), books('both'), shelves);
      expect(
        new Set((await syncTables(testDatabase.database, next)).refusedSteps.map(({ resource }) => resource)),
      ).toEqual(new Set(['authors']));
      expect(await constraints('books')).toContain(
        'FOREIGN KEY (site_id, author_id) REFERENCES authors(site_id, id) ON DELETE SET NULL (author_id)',
      );
      expect(await foreignKeys()).not.toContain('shelves');
      await syncTables(testDatabase.database, next, { destructive: true });
      await syncTables(testDatabase.database, next);
      expect(await currentPlan(testDatabase.database.kysely, next)).toEqual([]);
      expect(await foreignKeys()).toContain('shelves');
    });

    test('is not referred to by id alone before it has the index for that', async () => {
      await syncTables(testDatabase.database, registryOf(sites, withNumber('text', 'company')));
      await query(
        `insert into sites (name) values ('First'); insert into authors (site_id, name) values (1, 'Austen')`,
      );
      const next = registryOf(sites, withNumber('number', 'company'), shelves);
      await syncTables(testDatabase.database, next);
      expect(await foreignKeys()).toEqual([]);
      await syncTables(testDatabase.database, next, { destructive: true });
      await syncTables(testDatabase.database, next);
      expect(await foreignKeys()).toEqual(['shelves']);
    });

    test('keeps the index by id that its own references still use', async () => {
      const lossy = (type: 'text' | 'number', to: string) =>
        sourceOf('shelves', { name: { type }, author_id: { type: 'relation', to } }, { scope: 'installation' });
      const writers = sourceOf('writers', { name: {} }, { scope: 'company' });
      await syncTables(testDatabase.database, registryOf(sites, authors, writers, lossy('text', 'authors')));
      await query(`${fill.slice(0, fill.indexOf('insert into books'))} insert into shelves (name) values ('Upper')`);
      const next = registryOf(sites, authors, writers, lossy('number', 'writers'));
      await syncTables(testDatabase.database, next);
      expect(
        (await currentPlan(testDatabase.database.kysely, next)).filter(({ resource }) => resource === 'authors'),
      ).toEqual([]);
      await syncTables(testDatabase.database, next, { destructive: true });
      await syncTables(testDatabase.database, next);
      expect(await query(`select from pg_indexes where tablename = 'authors' and indexdef like '%(id)%'`)).toEqual([]);
    });
  });

  test('records without a company keep a module from getting it', async () => {
    await syncTables(testDatabase.database, registryOf(sites, authors, books('both')));
    await query(`${fill} insert into books (name) values ('Persuasion')`);
    expect((await syncTables(testDatabase.database, registry)).refusedSteps).toContainEqual(
      expect.objectContaining({ kind: 'changeKey', text: 'Make the company part of the key of books', rows: 1 }),
    );
    await query('delete from books where site_id is null');
    expect((await syncTables(testDatabase.database, registry)).refusedSteps).toEqual([]);
    expect(await currentKeys()).toEqual(keysOfCompany);
  });

  test('a module whose records may belong to the installation gives it up', async () => {
    await syncTables(testDatabase.database, registry);
    await query(`${fill} insert into books__editor_ids (site_id, record_id, target_id) values (1, 1, 1)`);
    const shared = registryOf(sites, authors, books('both'));
    expect((await syncTables(testDatabase.database, shared)).refusedSteps).toEqual([]);
    await query(
      `insert into books (name) values ('Persuasion'); insert into books__editor_ids (record_id, target_id) values (2, 1)`,
    );
    expect(await currentPlan(testDatabase.database.kysely, shared)).toEqual([]);
    expect(await query('select record_id, target_id from books__editor_ids order by 1')).toEqual([
      { record_id: 1, target_id: 1 },
      { record_id: 2, target_id: 1 },
    ]);
  });

  test('values are unique in it', async () => {
    await syncTables(testDatabase.database, registry);
    await query(fill);
    await expect(query(`insert into authors (site_id, name) values (2, 'austen')`)).rejects.toThrow('unique');
    const definitions = await query(
      `select indexdef from pg_indexes where tablename = 'authors' and indexname like 'ux%name%'`,
    );
    expect(definitions[0]?.indexdef).toContain('(site_id, lower(name))');
  });

  test('a rule is known by the name of its index, also with the number of a shard', () => {
    const source = sourceOf(
      'books',
      { name: {}, code: {} },
      { scope: 'company', unique: [{ fields: ['name', 'code'], message: 'There is such a book.' }] },
    );
    const rules = registryOf(sites, source);
    const index = targetSchema(rules).indexes.find(({ name }) => name.startsWith('ux__books__name'));
    for (const name of [index?.name ?? '', `${index?.name}_102366`])
      expect(combinationOfIndex(rules, name)?.rule.fields).toEqual(['name', 'code']);
  });
});

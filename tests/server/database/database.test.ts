import { sql } from 'kysely';
import type pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../src/server/database/database';
import { migrate } from '../../../src/server/database/migrate';
import { migrations } from '../../../src/server/database/migrations';
import { createTestDatabase, type TestDatabase } from '../../support/database';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.close());

const one = async (text: string, parameters: unknown[] = []) =>
  (await own.database.query({ sql: text, parameters }))[0]!;

test('closing waits until PostgreSQL has closed every connection, so that stopping it afterwards logs nothing', async () => {
  const said: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => said.push(line) });
  const database = openDatabase(own.url, log);
  await Promise.all(Array.from({ length: 15 }, () => database.pool.query('select pg_sleep(0.05)')));
  const mine = async () =>
    (
      await own.database.pool.query(
        'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
    ).rowCount;
  expect(await mine()).toBeGreaterThanOrEqual(15);
  await database.close();
  expect([await mine(), said]).toEqual([0, []]);
});

test('at the level trace each statement is logged with its time, and without its values', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const database = openDatabase(own.url, log, { slowAfter: 0 });
  await database.query({ sql: 'select $1::text as word', parameters: ['a secret word'] });
  await database.close();
  expect(lines).toContainEqual(expect.objectContaining({ sql: 'select $1::text as word', ms: expect.any(Number) }));
  expect(JSON.stringify(lines)).not.toContain('a secret word');
});

describe('values', () => {
  test.each([
    ['9007199254740991::int8', 9007199254740991],
    ['1.25::numeric', 1.25],
    ["date '2026-11-21'", '2026-11-21'],
    ["timestamptz '2026-11-21 12:00:00+01'", '2026-11-21T11:00:00.000Z'],
    ["timestamptz '2026-11-21 11:00:00.04+00'", '2026-11-21T11:00:00.040Z'],
    [`'{"a": [1]}'::jsonb`, { a: [1] }],
    ['null::date', null],
  ])('%s', async (expression, expected) => {
    expect(await one(`select ${expression} as value`)).toEqual({ value: expected });
  });
});

// After a new migration, `npx vitest run database.test -u` writes the file again.
test('the tables of the engine are those that the compiler knows', async () => {
  const { rows } = await sql<EngineColumn>`
    select table_name as table, column_name as name, data_type as type, udt_name as element,
      is_nullable = 'YES' as "isNullable", is_identity = 'YES' as "isIdentity", column_default is not null as "hasDefault"
    from information_schema.columns where table_schema = 'assay' and table_name <> 'migrations'
    order by table_name collate "C", ordinal_position`.execute(own.database.kysely);
  await expect(engineColumnsFile(rows)).toMatchFileSnapshot('../../../src/server/database/engine-columns.ts');
});

interface EngineColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly element: string;
  readonly isNullable: boolean;
  readonly isIdentity: boolean;
  readonly hasDefault: boolean;
}

/** The names in `column-types.ts` of the types of PostgreSQL. */
const columnTypes: Readonly<Record<string, string>> = {
  _int8: 'idList',
  _text: 'textList',
  bytea: 'bytes',
  date: 'day',
  'timestamp with time zone': 'instant',
  jsonb: 'json',
  xid8: 'transaction',
};

function engineColumnsFile(columns: readonly EngineColumn[]): string {
  const used = new Set<string>();
  const use = (name: string) => {
    used.add(name);
    return name;
  };
  const typeOf = ({ type, element, isNullable, isIdentity, hasDefault }: EngineColumn) => {
    const name = use(columnTypes[type === 'ARRAY' ? element : type] ?? type);
    if (isIdentity) return `${use('identity')}(${name})`;
    const withNull = isNullable ? `${use('nullable')}(${name})` : name;
    return hasDefault ? `${use('withDefault')}(${withNull})` : withNull;
  };
  const names = [...new Set(columns.map(({ table }) => table))];
  const tables = names.map((table) =>
    [
      `  ${table}: {`,
      ...columns.filter((one) => one.table === table).map((column) => `    ${column.name}: ${typeOf(column)},`),
      '  },',
    ].join('\n'),
  );
  return [
    `import {\n${[...used]
      .toSorted()
      .map((name) => `  ${name},`)
      .join('\n')}\n} from './column-types';`,
    '',
    "/** The engine's own tables, in the schema `assay`, as the migrations make them. */",
    'export const engineTables = {',
    ...tables,
    '} as const;',
    '',
  ].join('\n');
}

describe('named statements', () => {
  const prepared = async () => {
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
      own.database.kysely,
    );
    return rows.map(({ statement }) => statement);
  };

  test('a repeated statement is prepared, a single one is not', async () => {
    await one('select $1::int as once', [1]);
    for (const value of [1, 2]) expect(await one('select $1::int as often', [value])).toEqual({ often: value });
    const texts = await prepared();
    expect(texts).toContain('select $1::int as often');
    expect(texts).not.toContain('select $1::int as once');
  });

  test('columns are described when a statement is prepared, and not again', async () => {
    const database = openDatabase(own.url, pino({ level: 'silent' }), { connections: 1 });
    const client = (await database.pool.connect()) as pg.PoolClient & { connection: { stream: { bytesRead: number } } };
    client.release();
    const { stream } = client.connection;
    const statement = (value: unknown) => ({
      sql: `select $1::integer as "a column with a long name", $1::text || 'x' as "row text", null::date as none where $1::integer > 0`,
      parameters: [value],
    });
    const row = { 'a column with a long name': 5, 'row text': '5x', none: null };
    const read: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      const before = stream.bytesRead;
      expect(await database.query(statement(5))).toEqual([row]);
      read.push(stream.bytesRead - before);
    }
    expect(read[2]).toBe(read[3]);
    expect(read[2]).toBeLessThan(read[0]! - 60);
    await expect(database.query(statement('no number'))).rejects.toMatchObject({ code: '22P02' });
    expect(await database.query(statement(0))).toEqual([]);
    expect(await database.queryAsJson({ ...statement(7), parameters: [7] })).toEqual([
      { text: '{"none":null}', beside: { 'a column with a long name': 7, 'row text': '7x' } },
    ]);
    // Nobody said that the table has changed: what the connection knows of it is not believed.
    await own.database.pool.query('create table widened (a integer); insert into widened values (1)');
    const all = { sql: 'select * from widened', parameters: [] };
    for (let turn = 0; turn < 3; turn++) expect(await database.query(all)).toEqual([{ a: 1 }]);
    await own.database.pool.query('alter table widened add column b integer');
    await expect(database.query(all)).rejects.toMatchObject({ code: '0A000' });
    expect(await database.query(all)).toEqual([{ a: 1, b: null }]);
    await database.close();
  });

  test('whole numbers of 64 bits, alone and in lists, are the same as JSON text and as values', async () => {
    const limits = ['0', '-1', '2147483648', `${10n ** 15n - 1n}`, `${-(10n ** 15n) + 1n}`, `${10n ** 15n}`];
    const beyond = [`${2n ** 53n - 1n}`, `${2n ** 53n + 1n}`, `${-(2n ** 63n)}`, `${2n ** 63n - 1n}`];
    for (const value of [...limits, ...beyond]) {
      const sql = `select $1::bigint as one, array[1, $1]::bigint[] as several, array[$1, null]::bigint[] as some, '{}'::bigint[] as none`;
      const values = await own.database.query({ sql, parameters: [value] });
      const [row] = await own.database.queryAsJson({ sql, parameters: [value] });
      expect(row!.text).toBe(JSON.stringify(values[0]));
    }
  });

  test('a changed table can be read after renew', async () => {
    await own.database.pool.query('create table changing (a integer); insert into changing values (1)');
    for (let i = 0; i < 3; i++) await one('select * from changing');
    await own.database.pool.query("alter table changing add column b text default 'b'");
    own.database.forgetPreparedStatements();
    expect(await one('select * from changing')).toEqual({ a: 1, b: 'b' });
  });

  test('the number of prepared statements of a connection is limited', async () => {
    for (let i = 0; i < 450; i++) for (let twice = 0; twice < 2; twice++) await one(`select ${i} as n`);
    expect((await prepared()).length).toBeLessThan(420);
  });
});

describe('transactions', () => {
  test('are atomic, and call back only after the commit', async () => {
    await own.database.pool.query('create table kept (a integer)');
    const called = vi.fn();
    const failing = own.database.transaction(async (trx) => {
      own.database.afterCommit(trx, called);
      await trx.insertInto('kept').values({ a: 1 }).execute();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(called).not.toHaveBeenCalled();
    await own.database.transaction(async (trx) => {
      own.database.afterCommit(trx, called);
      await own.database.query({ sql: 'insert into kept values ($1)', parameters: [2] }, trx);
      expect(called).not.toHaveBeenCalled();
    });
    expect(called).toHaveBeenCalledOnce();
    expect((await own.database.pool.query('select a from kept')).rows).toEqual([{ a: 2 }]);
  });
});

describe('notifications', () => {
  test('arrive at commit, and a lost connection is reported', async () => {
    const heard: (string | null)[] = [];
    const stop = await own.database.listen('news', (payload) => heard.push(payload));
    await own.database.transaction(async (trx) => {
      await own.database.notify('news', 'first', trx);
      expect(heard).toEqual([]);
    });
    await vi.waitFor(() => expect(heard).toEqual(['first']));
    await own.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'assay-listen' and datname = current_database()`,
    );
    await vi.waitFor(() => expect(heard).toEqual(['first', null]));
    await own.database.notify('news', 'second');
    await vi.waitFor(() => expect(heard).toEqual(['first', null, 'second']));
    await stop();
  });
});

describe('migrations', () => {
  test('are applied once', async () => {
    expect(await migrate(own.database)).toEqual([]);
  });

  test('the steps that the baseline replaced are noted as the baseline, where all of them were applied', async () => {
    const { pool } = own.database;
    const applied = async () => (await pool.query('select name from assay.migrations order by name')).rows as object[];
    const before = await applied();
    await pool.query(`delete from assay.migrations where name = '0001-baseline'`);
    await pool.query(`insert into assay.migrations (name) values ('0001-engine-tables'), ('0106-due-runs')`);
    await expect(migrate(own.database)).rejects.toThrow('Start the program once at commit 481e11b3 on this database');
    await pool.query(`insert into assay.migrations (name) values ('0107-linked-notices')`);
    expect(await migrate(own.database)).toEqual([]);
    expect(await applied()).toEqual(before);
  });

  test('ids of 32 bits become ids of 64, and what reads them stays', async () => {
    const { pool } = own.database;
    const texts = async (text: string) => (await pool.query<{ text: string }>(text)).rows.map((row) => row.text);
    const views = `select format('create view %s as %s', oid::regclass, pg_get_viewdef(oid)) as text from pg_class
      where relkind = 'v' and relnamespace in ('assay'::regnamespace, 'public'::regnamespace) order by oid`;
    const wideColumns = `select table_name || '.' || column_name as text from information_schema.columns
      where table_schema = 'assay' and (data_type = 'bigint' or udt_name = '_int8') order by 1`;
    const [viewsBefore, wideBefore] = [await texts(views), await texts(wideColumns)];
    await pool.query(
      await texts(`select format('drop view %s', oid::regclass) as text from pg_class
        where relkind = 'v' and relnamespace in ('assay'::regnamespace, 'public'::regnamespace) order by oid desc`).then(
        (drops) => drops.join(';'),
      ),
    );
    const narrow = [
      'history.user_id',
      'history.record_id',
      'comments.id',
      'comment_versions.comment_id',
      'comments.mentioned',
    ];
    for (const name of narrow) {
      const [table, column] = name.split('.');
      const type = column === 'mentioned' ? 'integer[]' : 'integer';
      await pool.query(`alter table assay.${table} alter column ${column} type ${type}`);
    }
    for (const view of viewsBefore) await pool.query(view);
    expect(await texts(wideColumns)).toEqual(wideBefore.filter((name) => !narrow.includes(name)));
    await pool.query(`delete from assay.migrations where name = '0140-wide-ids'`);
    expect(await migrate(own.database)).toEqual(['0140-wide-ids']);
    expect(await texts(wideColumns)).toEqual(wideBefore);
    expect(await texts(views)).toEqual(viewsBefore);
  });

  test('what hangs on records and people gets their company, and the keys include it', async () => {
    const before = await createTestDatabase();
    const { pool } = before.database;
    const rows = async (text: string) => (await pool.query<Record<string, unknown>>(text)).rows;
    await pool.query('drop schema assay cascade; create schema assay');
    const earlier = migrations.filter(({ name }) => name < '0160');
    for (const { sql: text } of earlier) await pool.query(text);
    await pool.query(`create table assay.migrations (name text primary key, applied_at timestamptz(3) not null default now());
      insert into assay.migrations (name) select unnest('{${earlier.map(({ name }) => name).join()}}'::text[]);
      create table public.users (id bigint, site_id bigint);
      create table public.old_books (id bigint, site_id bigint);
      create table public.colours (id bigint);
      insert into users values (1, null), (2, 7), (3, 8);
      insert into old_books values (1, 7), (2, 8), (3, null);
      insert into colours values (1);
      insert into assay.history (resource, record_id, event) values ('old-books', 1, 'created'), ('old-books', 2, 'created'),
        ('old-books', 3, 'created'), ('colours', 1, 'created'), ('of-nowhere', 1, 'created');
      insert into assay.watched_changes (history_id) select id from assay.history where record_id < 3 on conflict do nothing;
      insert into assay.watches (resource, record_id, user_id, state) values ('old-books', 1, 2, 'muted'), ('colours', 1, 2, 'muted');
      insert into assay.comments (resource, record_id, site_id, user_id, text) values ('old-books', 1, 7, 2, 'a'),
        ('colours', 1, null, 2, 'b');
      insert into assay.comment_versions (comment_id, version, text, written_at) select id, 1, text, now() from assay.comments;
      insert into assay.notifications (user_id, title) values (1, 'a'), (2, 'b'), (3, 'c');
      insert into assay.timers (user_id, resource, record_id, started_at) values (2, 'old-books', 1, now());
      insert into assay.grid_configurations (user_id, name) values (1, 'old-books'), (3, 'old-books');
      insert into assay.idempotency_keys (user_id, key, fingerprint) values (3, 'a', '');
      insert into assay.told_deadlines (resource, record_id, user_id, day) values ('old-books', 2, 3, now());
      insert into assay.automation_due_times (resource, automation, record_id, value, due_at)
        values ('old-books', 'a', 1, now(), now());
      insert into assay.deletions (resource, record_id, site_id, user_id) values ('old-books', 4, 7, 2), ('colours', 2, null, 1);
      insert into assay.deleted_rows (deletion_id, source, part, row)
        select id, 'assay.history', 'own', '{"id": 99}'::jsonb from assay.deletions
        union all select min(id), 'assay.notifications', 'own', '{"id": 98, "user_id": 3}'::jsonb from assay.deletions;
      insert into assay.deleted_files (key, deletion_id) select 'file' || id, id from assay.deletions`);
    expect(await migrate(before.database)).toEqual(
      migrations.filter(({ name }) => name >= '0160').map(({ name }) => name),
    );
    const companies = (table: string, order: string) =>
      rows(`select site_id from assay.${table} order by ${order}`).then((list) => list.map(({ site_id }) => site_id));
    expect({
      history: await companies('history', 'id'),
      changes: await companies('watched_changes', 'history_id'),
      watches: await companies('watches', 'resource'),
      comments: await companies('comments', 'id'),
      versions: await companies('comment_versions', 'comment_id'),
      notifications: await companies('notifications', 'id'),
      deletions: await companies('deletions', 'id'),
      files: await companies('deleted_files', 'key'),
      kept: await rows(`select site_id, row from assay.deleted_rows order by deletion_id, row->>'id' desc`),
      timers: await companies('timers', 'user_id'),
      grids: await companies('grid_configurations', 'user_id'),
      requests: await companies('idempotency_keys', 'user_id'),
      deadlines: await companies('told_deadlines', 'user_id'),
      dueTimes: await companies('automation_due_times', 'record_id'),
    }).toEqual({
      history: [7, 8, 0, 0, 0],
      changes: [7, 8, 0, 0],
      watches: [0, 7],
      comments: [7, 0],
      versions: [7, 0],
      notifications: [0, 7, 8],
      deletions: [7, 0],
      files: [7, 0],
      kept: [
        { site_id: 7, row: { id: 99, site_id: 7 } },
        { site_id: 7, row: { id: 98, user_id: 3, site_id: 8 } },
        { site_id: 0, row: { id: 99, site_id: 0 } },
      ],
      timers: [7],
      grids: [0, 8],
      requests: [8],
      deadlines: [8],
      dueTimes: [7],
    });
    const keys = await rows(`select c.conrelid::regclass::text as name from pg_constraint c
      where c.contype = 'p' and c.connamespace = 'assay'::regnamespace and exists (select from pg_attribute a
        where a.attrelid = c.conrelid and a.attname = 'site_id' and a.attnum = any(c.conkey))`);
    expect(keys.map(({ name }) => String(name).replace('assay.', '')).toSorted()).toEqual([
      'automation_due_times',
      'comment_versions',
      'comments',
      'deleted_files',
      'deletions',
      'grid_configurations',
      'history',
      'idempotency_keys',
      'import_memories',
      'notifications',
      'public_records',
      'sample_records',
      'timers',
      'told_deadlines',
      'watched_changes',
      'watches',
    ]);
    await before.close();
  });

  test('a database of a newer version is refused', async () => {
    await own.database.pool.query("insert into assay.migrations (name) values ('9999-future')");
    await expect(migrate(own.database)).rejects.toThrow('newer version of the program (it has 9999-future)');
    await own.database.pool.query("delete from assay.migrations where name = '9999-future'");
  });
});

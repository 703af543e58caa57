// @module-tag slow
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Disk } from 'flydrive';
import pg from 'pg';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { createBackup } from '../../../src/server/backup/backup';
import { restoreBackup } from '../../../src/server/backup/restore';
import { migrations } from '../../../src/server/database/migrations';
import type { Migration } from '../../../src/server/database/migrations/migration';
import type { RunningProgram } from '../../../src/server/start-program';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { sourceOf } from '../../support/definitions';
import { startOnFixture, type DemoOptions } from '../../support/demo';
import { accounts, startFixtureProgram } from '../../support/program';
import { product } from '../../fixtures/product';
import { studioOf } from '../modules/studio';

let own: TestDatabase;
let other: pg.Client;
let folder: string;
const running: RunningProgram[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-locks-'));
  await useDatabase(inject('fixture'));
});
afterEach(async () => {
  for (const { stop } of running.splice(0)) await stop();
  await leaveDatabase();
  rmSync(folder, { recursive: true, force: true });
});

async function useDatabase(template: string): Promise<void> {
  own = await createTestDatabase(template);
  other = new pg.Client({ connectionString: own.url, application_name: 'psql' });
  await other.connect();
}

async function leaveDatabase(): Promise<void> {
  await other.end();
  await own.close();
}

/** Drops an index that the start creates again, and leaves a transaction open that wrote to its table. */
async function dropIndexAndWrite(): Promise<void> {
  await other.query('drop index users_address');
  await other.query('begin; update users set first_name = first_name');
}

/** Lines of a log, and a promise of the first one that has some words. */
function createLog() {
  const lines: string[] = [];
  const waiting: { words: RegExp; done: (line: string) => void }[] = [];
  const log = pino(
    { level: 'info' },
    {
      write(text: string) {
        const { msg } = JSON.parse(text) as { msg: string };
        lines.push(msg);
        for (const { words, done } of waiting) if (words.test(msg)) done(msg);
      },
    },
  );
  const line = (words: RegExp) => new Promise<string>((done) => waiting.push({ words, done }));
  return { log, lines, line };
}

/** Starts the fixture product, with a definition changed if given. */
async function start(options: DemoOptions = {}): Promise<RunningProgram> {
  const program = await startOnFixture(own.url, options);
  running.push(program);
  return program;
}

/** The fixture's definitions with one more field of territories. */
function nextRelease(): string {
  cpSync(product.folder, folder, { recursive: true });
  const file = join(folder, 'territories.json');
  const source = JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof sourceOf>;
  writeFileSync(file, JSON.stringify({ ...source, fields: { ...source.fields, motto: {} } }));
  return folder;
}

const hasColumn = async (table: string, column: string) =>
  (
    await own.database.pool.query('select from information_schema.columns where table_name = $1 and column_name = $2', [
      table,
      column,
    ])
  ).rowCount === 1;

describe('a start while others use the tables', () => {
  test('a transaction that wrote users does not delay it', async () => {
    await other.query('begin; update users set first_name = first_name');
    const { log, lines } = createLog();
    await start({ log });
    expect(lines.filter((text) => text.startsWith('Waiting'))).toEqual([]);
  });

  test('it waits for whoever wrote to a table that it indexes, and says for whom', async () => {
    await dropIndexAndWrite();
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { log, lines, line } = createLog();
    const waiting = line(/^Waiting/);
    const starting = start({ log });
    expect(await waiting).toMatch(
      new RegExp(
        `^Waiting for the table users, held by process ${rows[0]!.pid} \\(psql, user \\w+, .*idle in transaction\\) in a transaction since \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ; trying again for \\d+ s$`,
      ),
    );
    await other.query('commit');
    await starting;
    expect(lines.filter((text) => text.startsWith('Waiting'))).toHaveLength(1);
    expect((await own.database.pool.query(`select from pg_indexes where indexname = 'users_address'`)).rowCount).toBe(
      1,
    );
  });

  test('after the limit it ends with one line that says who holds what', async () => {
    await dropIndexAndWrite();
    const end = await start({ env: { DATABASE_WAIT: '1' } }).catch((error: Error) => error.message);
    expect(end).toMatch(
      /^Waited \d+ s in vain for the table users, held by process \d+ \(psql, [^\n]+\. Let that transaction end, or end it with pg_terminate_backend, then try again \(DATABASE_WAIT is the limit\)$/,
    );
    await other.query('rollback');
    await start();
  });

  test('a dump that reads for long delays a new column, and others go on reading meanwhile', async () => {
    await other.query('begin isolation level repeatable read; select * from territories');
    const { log, line } = createLog();
    const waiting = line(/^Waiting for the table territories, held by process \d+ \(psql/);
    let started = false;
    const starting = start({ folder: nextRelease(), log }).finally(() => (started = true));
    await waiting;
    // Each read queues behind at most one attempt to change the table; its own limit for locks is three seconds.
    for (let read = 0; read < 8; read++) await own.database.pool.query('select * from territories');
    expect(started).toBe(false);
    await other.query('commit');
    await starting;
    expect(await hasColumn('territories', 'motto')).toBe(true);
  });

  test('so does it delay a migration of the engine', async () => {
    const next = { name: '9999-next', sql: 'alter table assay.presence add column next integer' };
    (migrations as Migration[]).push(next);
    onTestFinished(() => void (migrations as Migration[]).pop());
    await other.query('begin; select * from assay.presence');
    const { log, line } = createLog();
    const waiting = line(/^Waiting for the table assay\.presence, held by/);
    const starting = start({ log });
    await waiting;
    for (let read = 0; read < 8; read++) await own.database.pool.query('select * from assay.presence');
    await other.query('commit');
    await starting;
    expect(await hasColumn('presence', 'next')).toBe(true);
  });

  test('a row that somebody is changing delays what the start writes there', async () => {
    await other.query(`begin; update assay.periodic_work set next_at = next_at; update assay.meta set value = value`);
    const { log, line } = createLog();
    const waiting = line(/^Waiting for (a row of assay|a change that)/);
    const starting = start({ log });
    await waiting;
    await other.query('commit');
    await starting;
  });

  test('a signal ends the wait', async () => {
    await dropIndexAndWrite();
    const { log, line } = createLog();
    const stop = new AbortController();
    const waiting = line(/^Waiting/);
    const starting = start({ log, signal: stop.signal });
    await waiting;
    stop.abort();
    await expect(starting).rejects.toThrow(/abort/i);
  });
});

describe('starts at the same time', () => {
  const count = async (query: string) => Number((await own.database.pool.query(query)).rows[0].count);

  test('five servers on an empty database start, and load the demo data once', async () => {
    await leaveDatabase();
    await useDatabase('template1');
    await Promise.all(Array.from({ length: 5 }, () => start()));
    expect(await count(`select count(*) from users where email = '${accounts.owner}'`)).toBe(1);
    expect(await count('select count(*) from assay_queue.queue')).toBe(5);
    expect(await count(`select count(*) from assay.module_versions where version > 1`)).toBe(0);
  });

  test('three servers without demo data create one administrator', async () => {
    await leaveDatabase();
    await useDatabase('template1');
    const env = { DEMO: '0', ADMIN_EMAIL: 'first@company.test', ADMIN_PASSWORD: 'Very-Long-1-Password' };
    await Promise.all(Array.from({ length: 3 }, () => start({ env })));
    expect(await count('select count(*) from users')).toBe(1);
  });

  test('a server that starts during a publication comes after it', async () => {
    const first = await startFixtureProgram({ database: own });
    const admin = studioOf(await first.signIn(accounts.admin));
    await other.query('begin; select * from territories');
    const publishing = admin.publish('territories', ({ fields }) => void (fields.anthem = {}));
    // The publication has the lock of those who change tables, and waits for the reader.
    while (
      (await own.database.pool.query(`select from pg_locks where locktype = 'advisory' and granted`)).rowCount === 0
    );
    const { log, line } = createLog();
    const waiting = line(/^Waiting for the lock of those who change tables, held by process \d+ \(assay/);
    const starting = start({ log });
    await waiting;
    await other.query('commit');
    await publishing;
    const second = await starting;
    expect(second.program.definitions.registry().get('territories')?.fields).toHaveProperty('anthem');
    await first.close();
  });

  test('a server that starts during a restore comes after it', async () => {
    const archive = join(folder, 'all.backup');
    await other.query(
      `insert into assay.files (key, resource, field, name, type, size) values ('a.txt', 'films', 'poster', 'a', 'text/plain', 1)`,
    );
    let release = (): void => undefined;
    let onPut = (): void => undefined;
    const released = new Promise<void>((done) => (release = done));
    const putting = new Promise<void>((done) => (onPut = done));
    const disk = {
      exists: async () => true,
      getMetaData: async () => ({ contentLength: 1 }),
      getStream: async () => new Blob(['a']).stream(),
      async putStream(_key: string, content: AsyncIterable<unknown>) {
        for await (const _chunk of content);
        onPut();
        await released;
      },
      delete: async () => undefined,
    } as unknown as Disk;
    await createBackup(own.url, disk, archive);
    await leaveDatabase();
    await useDatabase('template1');
    const restoring = restoreBackup(own.url, disk, archive);
    await putting;
    const { log, line } = createLog();
    const waiting = line(/^Waiting for the lock of those who change tables, held by process \d+ \(assay-restore/);
    const starting = start({ log });
    await waiting;
    release();
    await restoring;
    await starting;
    expect(await count(`select count(*) from users where email = '${accounts.owner}'`)).toBe(1);
  });
});

// @module-tag slow
import { mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import pino from 'pino';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { deleteOldRows } from '../../../src/server/retention/retention';
import { readSettings } from '../../../src/server/settings/settings';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startFixtureProgram } from '../../support/program';

type Kind = 'history' | 'notifications';
const kinds: readonly Kind[] = ['history', 'notifications'];

let test: TestDatabase;
let folder: string;

beforeEach(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'assay-archive-'));
  // More than two batches of old rows, with a young one before, between and after them.
  for (const age of [1, 41, 2]) {
    const count = age === 41 ? 2_500 : 1;
    await sql`insert into assay.history (site_id, resource, record_id, event, new_values, user_id, created_at)
      select n % 3, 'shots', n, 'created', jsonb_build_object('name', 'Line' || chr(10) || n), 1, now() - ${age} * interval '1 day'
      from generate_series(1, ${count}::integer) n`.execute(test.database.kysely);
    await sql`insert into assay.notifications (site_id, user_id, title, created_at)
      select n % 3, 1, 'Notification ' || n, now() - ${age} * interval '1 day' from generate_series(1, ${count}::integer) n`.execute(
      test.database.kysely,
    );
  }
});
afterEach(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const programWith = (env: Record<string, string>) => ({ database: test.database, settings: readSettings(env) });
const bothAfter40Days = { HISTORY_DAYS: '40', NOTIFICATION_DAYS: '40' };

async function stored(kind: Kind): Promise<unknown[]> {
  const { rows } = await sql<{
    row: unknown;
  }>`select to_jsonb(t) as row from ${sql.id('assay', kind)} t order by id`.execute(test.database.kysely);
  return rows.map(({ row }) => row);
}

async function archived(kind: Kind): Promise<{ id: number }[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(kind)).sort();
  const texts = await Promise.all(names.map(async (name) => gunzipSync(await readFile(join(folder, name))).toString()));
  const lines = texts.join('').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as { id: number }).sort((one, other) => one.id - other.id);
}

it('deletes rows older than the settings, and the archive contains exactly these', async () => {
  const before = { history: await stored('history'), notifications: await stored('notifications') };
  const program = programWith({ ...bothAfter40Days, ARCHIVE_DIR: folder });
  expect(await deleteOldRows(program)).toEqual({ history: 2_500, notifications: 2_500 });
  for (const kind of kinds) {
    expect(await stored(kind)).toEqual([before[kind][0], before[kind].at(-1)]);
    expect(await archived(kind)).toEqual(before[kind].slice(1, -1));
  }
  const today = new Date().toISOString().slice(0, 10);
  expect((await readdir(folder)).sort()).toEqual([`history-${today}.jsonl.gz`, `notifications-${today}.jsonl.gz`]);
  expect(await deleteOldRows(program)).toEqual({ history: 0, notifications: 0 });
});

it.each<[Record<string, string>, Record<Kind, number>]>([
  [{}, { history: 0, notifications: 0 }],
  [
    { HISTORY_DAYS: '42', NOTIFICATION_DAYS: '42' },
    { history: 0, notifications: 0 },
  ],
  [{ HISTORY_DAYS: '30' }, { history: 2_500, notifications: 0 }],
  [{ NOTIFICATION_DAYS: '30' }, { history: 0, notifications: 2_500 }],
])('%j without an archive drops %j', async (env, dropped) => {
  expect(await deleteOldRows(programWith(env))).toEqual(dropped);
  for (const kind of kinds) expect(await stored(kind)).toHaveLength(2_502 - dropped[kind]);
});

it('keeps every row if the archive cannot be written', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await expect(deleteOldRows(programWith({ ...bothAfter40Days, ARCHIVE_DIR: join(file, 'archive') }))).rejects.toThrow(
    'ENOTDIR',
  );
  for (const kind of kinds) expect(await stored(kind)).toHaveLength(2_502);
});

it('leaves a truncated file alone, and writes another one', async () => {
  const program = programWith({ HISTORY_DAYS: '40', ARCHIVE_DIR: folder });
  const name = join(folder, `history-${new Date().toISOString().slice(0, 10)}.jsonl.gz`);
  await deleteOldRows(programWith({ NOTIFICATION_DAYS: '40', ARCHIVE_DIR: folder }));
  const notifications = (await readdir(folder))[0]!;
  await writeFile(name, await readFile(join(folder, notifications)));
  await truncate(name, 1_000);
  await deleteOldRows(program);
  await rm(name);
  expect(await archived('history')).toHaveLength(2_500);
});

it('skips if another server is doing it', async () => {
  const program = programWith(bothAfter40Days);
  await test.database.transaction(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('assay.retention', 0))`.execute(trx);
    expect(await deleteOldRows(program)).toEqual({ history: 0, notifications: 0 });
  });
  const two = await Promise.all([deleteOldRows(program), deleteOldRows(program)]);
  expect(two[0]!.history + two[1]!.history).toBeLessThanOrEqual(2_500);
  await deleteOldRows(program);
  expect(await stored('history')).toHaveLength(2);
});

it('runs at the start of a server, which logs errors and continues', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const demo = await createTestDatabase(inject('fixture'));
  try {
    await sql`insert into assay.notifications (site_id, user_id, title, created_at) values (0, 1, 'Old', now() - interval '50 days')`.execute(
      demo.database.kysely,
    );
    const count = async () =>
      (await sql`select from assay.notifications where title = 'Old'`.execute(demo.database.kysely)).rows.length;
    const failing = await startFixtureProgram({ database: demo, log, env: { ...bothAfter40Days, ARCHIVE_DIR: file } });
    await expect
      .poll(() => lines.join(''))
      .toContain('Old history and notifications could not be deleted, and are kept: EEXIST');
    await failing.close();
    expect(await count()).toBe(1);
    const next = await startFixtureProgram({ database: demo, env: bothAfter40Days });
    await expect.poll(count).toBe(0);
    await next.close();
  } finally {
    await demo.close();
  }
});

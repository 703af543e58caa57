// @module-tag slow
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase, type Database } from '../../../src/server/database/database';
import { startEmbedded } from '../../../src/server/database/embedded/start-embedded';
import type { Statement } from '../../../src/server/database/statements';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { openTransactionPooler } from '../../support/transaction-pooler';

const log = pino({ level: 'silent' });
const advance: Statement = { sql: 'update counter set last = last + 1 returning last', parameters: [] };
const tables = `create table counter (last integer not null); insert into counter values (0);
  create table items (number integer primary key)`;

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
  await own.database.pool.query(tables);
});
afterAll(() => own.close());

async function next(database: Database): Promise<number> {
  const [row] = await database.queryIndependently(advance);
  return row!.last as number;
}
const last = async (database: Database) => (await database.pool.query('select last from counter')).rows[0].last;

test('an independent statement is committed at once, also if the transaction around it is rolled back', async () => {
  const { database } = own;
  const before = await last(database);
  const rolledBack: string[] = [];
  const run = database.transaction(async (trx) => {
    database.afterRollback(trx, async () => void rolledBack.push(`after ${await last(database)}`));
    await sql`insert into items values (${await next(database)})`.execute(trx);
    expect(await last(database)).toBe(before + 1);
    throw new Error('Refused');
  });
  await expect(run).rejects.toThrow('Refused');
  expect(rolledBack).toEqual([`after ${before + 1}`]);
  expect((await database.pool.query('select from items')).rowCount).toBe(0);
});

test.each(['directly', 'through a pooler of transactions'])(
  'transactions that hold every connection of the pool do not wait for another one, %s',
  async (way) => {
    const pooler = way === 'directly' ? undefined : await openTransactionPooler(own.url);
    const database = openDatabase(pooler?.url ?? own.url, log, {
      connections: 2,
      ...(pooler && { directUrl: own.url }),
    });
    const before = await last(own.database);
    let begun = 0;
    let allBegun = () => undefined as void;
    const all = new Promise<void>((done) => (allBegun = done));
    const write = () =>
      database.transaction(async (trx) => {
        await sql`select 1`.execute(trx);
        if (++begun === 2) allBegun();
        await all;
        return next(database);
      });
    const numbers = await Promise.all([write(), write()]);
    expect(numbers.sort()).toEqual([before + 1, before + 2]);
    expect(pooler?.faults ?? []).toEqual([]);
    await database.close();
    await pooler?.close();
  },
);

test('after a crash of PostgreSQL no number is given again that something stored has', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-crash-'));
  const embedded = await startEmbedded({
    dataDir,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const database = openDatabase(embedded.url, log);
  try {
    await database.pool.query(tables);
    const stored: number[] = [];
    const writers = Array.from({ length: 8 }, async () => {
      for (;;) {
        const number = await next(database);
        await database.transaction((trx) => sql`insert into items values (${number})`.execute(trx));
        stored.push(number);
      }
    });
    const interrupted = Promise.allSettled(writers);
    await vi.waitFor(() => expect(stored.length).toBeGreaterThan(60), { timeout: 20_000 });
    process.kill(Number(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    await interrupted;
    await vi.waitFor(() => last(database), { timeout: 30_000, interval: 100 });
    const { rows } = await database.pool.query<{ number: number }>('select number from items');
    const kept = rows.map(({ number }) => number);
    expect(kept).toEqual(expect.arrayContaining(stored));
    expect(await next(database)).toBeGreaterThan(Math.max(...kept));
  } finally {
    await database.close();
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 120_000);

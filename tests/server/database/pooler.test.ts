// @module-tag slow
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { LiveEvent } from '../../../src/server/live/live-hub';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startOnFixture } from '../../support/demo';
import { accounts, startFixtureProgram } from '../../support/program';
import { openTransactionPooler, type TransactionPooler } from '../../support/transaction-pooler';
import { query } from '../embedded/programs';

// A pooler of transactions gives each transaction whichever session is free: nothing may be left behind in one.

let own: TestDatabase;
let pooler: TransactionPooler;
beforeAll(async () => {
  own = await createTestDatabase(inject('fixture'));
  pooler = await openTransactionPooler(own.url);
});
afterAll(async () => {
  await pooler.close();
  await own.close();
});

const settings = {
  timezone: 'UTC',
  statement_timeout: '10s',
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '60s',
};

/** Sets what sessions of this database begin with. */
async function configure(changes: Readonly<Record<string, string>>): Promise<void> {
  const name = new URL(own.url).pathname.slice(1);
  await query(own.url, `alter database ${name} reset all`);
  for (const [key, value] of Object.entries(changes)) {
    await query(own.url, `alter database ${name} set ${key} = '${value}'`);
  }
}

describe('the start', () => {
  const start = (env: Readonly<Record<string, string>>, url = pooler.url) => startOnFixture(url, { env });

  test('names the missing setting without the address of the server itself', async () => {
    await expect(start({})).rejects.toThrow(
      /^DATABASE_URL: the connection pooler there refuses session settings: set DATABASE_DIRECT_URL [^\n]+$/,
    );
  });

  test.each([
    ['limits of time', { timezone: 'UTC' }],
    ['the time zone', { ...settings, timezone: 'Europe/Berlin' }],
  ])('says how to set %s if sessions lack it', async (_what, changes) => {
    await configure(changes);
    await expect(start({ DATABASE_DIRECT_URL: own.url })).rejects.toThrow(
      /^DATABASE_URL: sessions behind a connection pooler [^\n]+ alter role \S+ set timezone = 'UTC'; alter role \S+ set statement_timeout = '10000'; [^\n]+RECONNECT/,
    );
  });

  test('refuses a direct address of another database', async () => {
    const elsewhere = Object.assign(new URL(own.url), { pathname: '/postgres' }).href;
    await expect(start({ DATABASE_DIRECT_URL: elsewhere })).rejects.toThrow(
      /^DATABASE_DIRECT_URL: it leads to another database than DATABASE_URL does$/,
    );
    await expect(start({ DATABASE_DIRECT_URL: elsewhere.replace('/postgres', '/missing') })).rejects.toThrow(
      /^DATABASE_DIRECT_URL: there is no database missing/,
    );
  });
});

test('work behind a pooler leaves nothing in a session, and notifications bypass it', async () => {
  await configure(settings);
  pooler.faults.length = 0;
  const env = { DATABASE_DIRECT_URL: own.url };
  const behind = await startFixtureProgram({ database: { ...own, url: pooler.url }, env });
  const direct = await startFixtureProgram({ database: own });
  try {
    const told: LiveEvent[] = [];
    behind.program.live.subscribe((event) => told.push(event));
    const owner = await behind.signIn(accounts.owner);
    for (const path of ['/screenings?range=[0,14]', '/dashboard', '/permissions-list', '/shots?q=login']) {
      for (let time = 0; time < 3; time++) expect((await owner('GET', path)).status, path).toBeLessThan(500);
    }
    const made = await owner<{ data: { id: number } }>('POST', '/urgencies', { option_name: 'Behind a pooler' });
    expect(made.status).toBe(201);
    const admin = await behind.signIn(accounts.admin);
    const { body } = await admin<{ data: { text: string; version: number } }>('GET', '/modules/projectors');
    expect(body).toBeTruthy();
    const there = await direct.signIn(accounts.owner);
    const { status } = await there('PUT', `/urgencies/${made.body.data.id}`, { option_name: 'Told past it' });
    expect(status).toBe(200);
    await vi.waitFor(() =>
      expect(told.some(({ resource, event }) => resource === 'urgencies' && event === 'updated')).toBe(true),
    );
    expect(pooler.faults).toEqual([]);
  } finally {
    await behind.close();
    await direct.close();
  }
});

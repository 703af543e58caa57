import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { accessCacheOf } from '../../../src/server/accounts/session/access-cache';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { password } from '../../support/accounts';
import { accounts, startFixtureProgram, type ApiResponse, type Client, type DemoProgram } from '../../support/program';
import { openSmallDisk, type SmallDisk } from '../../support/small-disk';

let own: TestDatabase;
let demo: DemoProgram;
let qa: Client;
let client: pg.Client;
let disk: SmallDisk;
beforeAll(async () => {
  own = await createTestDatabase(inject('fixture'));
  demo = await startFixtureProgram({ database: own });
  qa = await demo.signIn(accounts.qa);
  client = new pg.Client(own.url);
  await client.connect();
  disk = await openSmallDisk(client, ['screening_notes', 'screenings']);
});
afterAll(async () => {
  await demo.close();
  await client.end();
  await own.close();
  const admin = new pg.Client(inject('serverUrl'));
  await admin.connect();
  await disk.remove(admin);
  await admin.end();
});

interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Changes of every way to the database: a statement by itself, transactions, and one that is carried out once. */
const changes = (): Record<string, () => Promise<ApiResponse<Refusal>>> => {
  // No two are alike, and nothing of it can be compressed: each needs space of its own.
  const comments = randomBytes(3_600).toString('base64');
  return {
    create: () => qa('POST', '/screenings', { name: 'New', film_id: 1, projection_notes: comments }),
    edit: () => qa('PUT', '/screenings/2', { projection_notes: comments }),
    request: () => qa('PATCH', '/screening/2', { status_id: 2, operator_id: 4, comments }),
    once: () =>
      qa('PATCH', '/screening/2', { status_id: 2, operator_id: 4, comments }, { 'idempotency-key': randomUUID() }),
  };
};

/** What a change would leave behind. */
async function stored(): Promise<unknown> {
  const { rows } = await client.query(`select (select json_agg(t order by id) from screenings t) as cases,
    (select count(*) from screening_notes) as comments, (select count(*) from assay.history) as history,
    (select count(*) from assay.notifications) as told, (select count(*) from assay.idempotency_keys) as keys`);
  return rows[0];
}

function expectRefused({ status, body, headers }: ApiResponse<Refusal>, words: RegExp, retryAfter: string): void {
  expect([status, body.code, headers['retry-after']]).toEqual([503, 'UNAVAILABLE', retryAfter]);
  expect(body.message).toMatch(words);
}

describe('a full disk', () => {
  test('gives 503 with Retry-After, changes nothing, allows reading, and recovers once there is space', async () => {
    await disk.fill();
    for (const name of ['create', 'edit', 'request', 'once']) {
      let answer: ApiResponse<Refusal>;
      let before: unknown;
      let tries = 0;
      // The last pages may hold a little more.
      do {
        before = await stored();
        answer = await changes()[name]!();
      } while (answer.status < 300 && ++tries < 8);
      expectRefused(answer, /disk of the database is full.*Nothing was changed/, '60');
      expect(await stored(), name).toEqual(before);
    }
    expect((await qa('GET', '/screenings/2')).status).toBe(200);
    await disk.free();
    for (const change of Object.values(changes())) expect((await change()).status).toBeLessThan(300);
  });
});

describe('a read-only database', () => {
  const name = () => new URL(own.url).pathname.slice(1);
  /** As after a failover to a standby, or where an administrator says so: connections are made again. */
  const setReadOnly = async (on: boolean) => {
    await client.query(`set default_transaction_read_only = off`);
    await client.query(`alter database ${name()} set default_transaction_read_only = ${on ? 'on' : 'off'}`);
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  };

  test('gives 503 with Retry-After, changes nothing, allows reading, and recovers once it accepts changes', async () => {
    const before = await stored();
    // Reading by somebody whose use of the sign-in would be noted.
    await client.query("update assay.tokens set last_used_at = now() - interval '2 minutes'");
    accessCacheOf(demo.program.database).clear();
    await setReadOnly(true);
    // The first that meets an ended connection is told so.
    await expect.poll(async () => (await qa('GET', '/screenings/2')).status).toBe(200);
    for (const [kind, change] of Object.entries(changes())) {
      expectRefused(await change(), /does not accept changes at the moment: it is read-only.*Nothing was changed/, '5');
      expect(await stored(), kind).toEqual(before);
    }
    const signIn = await demo.call<Refusal>('POST', '/login', { email: accounts.qa, password });
    expectRefused(signIn, /read-only/, '5');
    await setReadOnly(false);
    await expect.poll(async () => (await qa('GET', '/screenings/2')).status).toBe(200);
    for (const change of Object.values(changes())) expect((await change()).status).toBeLessThan(300);
  });
});

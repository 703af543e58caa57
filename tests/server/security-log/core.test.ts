import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Fastify from 'fastify';
import pino from 'pino';
import { trackRequests } from '../../../src/server/requests/track-requests';
import { recordSecurityEvent, type SecurityEntry } from '../../../src/server/security-log/security-log';
import { entryBufferOf } from '../../../src/server/security-log/entry-buffer';
import { createTestDatabase, type TestDatabase } from '../../support/database';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const actor = { id: 7, role_id: 3, level: 3, site_id: 2, permissions: {} } as const;

async function lines(event: string) {
  const found = await sql<Record<string, unknown>>`
    select * from assay.security_log where event = ${event} order by id`.execute(test.database.kysely);
  return found.rows;
}

describe('the core of the security log', () => {
  it('stores an event with its change, or not at all', async () => {
    const entry: SecurityEntry = {
      event: 'role_changed',
      actor,
      resource: 'roles',
      record_id: 4,
      subject: 'QA\0\ud800',
    };
    await test.database.transaction((trx) => recordSecurityEvent(test, entry, trx));
    const undone = test.database.transaction(async (trx) => {
      await recordSecurityEvent(test, entry, trx);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await lines('role_changed')).toMatchObject([
      {
        user_id: 7,
        viewed_id: null,
        site_id: 2,
        resource: 'roles',
        record_id: '4',
        subject: 'QA\ufffd\ufffd',
        times: 1,
      },
    ]);
  });

  it('records the real user when viewing as another, together with the other', async () => {
    const viewing = { ...actor, viewer: { ...actor, id: 1, level: 1, site_id: null } } as const;
    await test.database.transaction((trx) =>
      recordSecurityEvent(test, { event: 'view_as_started', actor: viewing, site_id: 2 }, trx),
    );
    expect(await lines('view_as_started')).toMatchObject([{ user_id: 1, viewed_id: 7, site_id: 2 }]);
  });

  it('counts repetitions and stores a limited number of entries', async () => {
    for (let n = 0; n < 5_000; n++) {
      void recordSecurityEvent(test, { event: 'sign_in_failed', key: 'one attacker', detail: { n } });
      void recordSecurityEvent(test, { event: 'refused', actor, resource: 'studios', record_id: n });
    }
    const waiting = entryBufferOf(test.database);
    await waiting.flush();
    expect(await lines('sign_in_failed')).toMatchObject([{ times: 1, detail: { n: 0 } }]);
    await waiting.close();
    expect(await lines('sign_in_failed')).toMatchObject([{ times: 1 }, { times: 4_999, detail: { n: 4_999 } }]);
    const refused = await lines('refused');
    expect(refused.length).toBeLessThanOrEqual(1_000);
    expect(refused.reduce((sum, line) => sum + (line.times as number), 0)).toBe(5_000);
    expect(refused.at(-1)).toMatchObject({ detail: { overflow: true }, user_id: null });
  });

  it.each([
    'update assay.security_log set event = event',
    'delete from assay.security_log',
    'truncate assay.security_log',
    "select set_config('assay.forgets_security_log', 'on', false); delete from assay.security_log",
  ])('is append-only: %s', async (statement) => {
    const [before] = (await sql`select count(*) from assay.security_log`.execute(test.database.kysely)).rows;
    await expect(test.database.pool.query(statement)).rejects.toThrow('append-only');
    const [after] = (await sql`select count(*) from assay.security_log`.execute(test.database.kysely)).rows;
    expect(after).toEqual(before);
  });

  it('records address, agent and request of a call, also after its body was read', async () => {
    const app = Fastify();
    trackRequests(app, { log: pino({ level: 'silent' }), slowAfter: 0 });
    app.post('/here', async () => {
      await new Promise((done) => setImmediate(done));
      await test.database.transaction((trx) => recordSecurityEvent(test, { event: 'settings_changed' }, trx));
      return {};
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as { port: number };
    const calls = ['one', 'two', 'three'].map((agent) =>
      fetch(`http://127.0.0.1:${port}/here`, {
        method: 'POST',
        body: JSON.stringify({ text: 'x'.repeat(300_000) }),
        headers: { 'content-type': 'application/json', 'user-agent': agent },
      }),
    );
    await Promise.all(calls);
    await app.close();
    const found = await lines('settings_changed');
    expect(found.map(({ agent }) => agent).sort()).toEqual(['one', 'three', 'two']);
    for (const line of found) expect(line).toMatchObject({ address: '127.0.0.1', request_id: expect.any(String) });
  });
});

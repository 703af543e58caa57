// @module-tag slow
import { createHash, scryptSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { png } from '../files/pictures';
import { password } from '../../support/accounts';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { openDatabaseProxy, type DatabaseProxy } from '../../support/database-proxy';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

let own: TestDatabase;
let proxy: DatabaseProxy;
let demo: DemoProgram;
let other: DemoProgram;
let admin: Client;
beforeAll(async () => {
  own = await createTestDatabase(inject('fixture'));
  proxy = await openDatabaseProxy(own.url);
  demo = await startFixtureProgram({ database: { ...own, url: proxy.url } });
  other = await startFixtureProgram({ database: own });
  admin = await demo.signIn(accounts.admin);
});
afterAll(async () => {
  await demo.close();
  await other.close();
  await proxy.close();
  await own.close();
});

type Problem = { code: string; message: string };
const count = async (from: string) =>
  Number((await own.database.pool.query(`select count(*) as n from ${from}`)).rows[0].n);
const made = (label: string) => count(`projectors where option_name = '${label}'`);
const create = (label: string, key: string, call = admin) =>
  call<Problem & { id: number }>('POST', '/projectors', { option_name: label }, { 'idempotency-key': key });

const probes = { name: 'probes', labels: { one: 'Probe', many: 'Probes' }, fields: { name: { type: 'text' } } };

/** Somebody who was invited, and answered nothing yet. */
async function invited(): Promise<number> {
  const person = { first_name: 'Ivy', last_name: 'Invited', email: 'ivy@demo.test', role_id: 5, site_id: 1 };
  const { body } = await admin<{ data: { id: number } }>('POST', '/users', person);
  return body.data.id;
}

interface Case {
  name: string;
  call: readonly [method: string, path: string, body?: object];
  stored: string;
  by: number;
}

describe('a call with a key', () => {
  test.each<Case>([
    {
      name: 'a create in one statement',
      call: ['POST', '/projectors', { option_name: 'Once' }],
      stored: "projectors where option_name = 'Once'",
      by: 1,
    },
    {
      name: 'a create with hooks',
      call: ['POST', '/roles', { role_name: 'Once', level: 4, site_id: 1 }],
      stored: "roles where role_name = 'Once'",
      by: 1,
    },
    {
      name: 'a change',
      call: ['PUT', '/projectors/1', { option_name: 'Changed once' }],
      stored: "assay.history where resource = 'projectors' and record_id = 1",
      by: 1,
    },
    {
      name: 'a request',
      call: ['PATCH', '/shot/1', { comments: 'Asked once', status_id: 2 }],
      stored: "shot_notes where comments like '%Asked once%'",
      by: 1,
    },
    {
      name: 'an announcement',
      call: ['POST', '/notifications', { title: 'Told once', content: 'x' }],
      stored: "assay.notifications where title = 'Told once' and user_id = 1",
      by: 1,
    },
    { name: 'a new link', call: ['POST', '/screenings/1/share'], stored: 'screenings where false', by: 0 },
    {
      name: 'an invitation',
      call: ['POST', '/resend-invitation', { user_id: 'invited' }],
      stored: "assay.mails where occasion = 'account_setup'",
      by: 1,
    },
    {
      name: 'a reset link',
      call: ['POST', '/send-reset-link', { user_id: 4 }],
      stored: "assay.mails where occasion = 'forgot_password'",
      by: 1,
    },
    {
      name: 'a profile',
      call: ['PUT', '/profile/1', { phone_number: '+49 30 1234' }],
      stored: "assay.history where resource = 'users' and record_id = 1",
      by: 1,
    },
    {
      name: 'permissions of a role',
      call: ['PUT', '/permissions/6', { modulePermission: ['shots.list'] }],
      stored: "assay.security_log where event = 'permissions_changed'",
      by: 1,
    },
    {
      name: 'permissions of several',
      call: [
        'PUT',
        '/permissions',
        { roles: [{ role_id: 6, modulePermission: ['shots.list', 'shots.view'], before: ['shots.list'] }] },
      ],
      stored: "assay.security_log where event = 'permissions_changed'",
      by: 1,
    },
    {
      name: 'a new module',
      call: ['POST', '/modules', { definition: probes }],
      stored: "assay.module_versions where name = 'probes'",
      by: 1,
    },
    {
      name: 'a publication',
      call: [
        'PUT',
        '/modules/probes',
        { definition: { ...probes, labels: { one: 'Probe', many: 'All probes' } }, version: 1 },
      ],
      stored: "assay.module_versions where name = 'probes'",
      by: 1,
    },
    {
      name: 'an earlier version',
      call: ['POST', '/modules/probes/restore', { version: 1 }],
      stored: "assay.module_versions where name = 'probes'",
      by: 1,
    },
    { name: 'a removal', call: ['DELETE', '/shot-notes/1'], stored: 'shot_notes where id = 1', by: -1 },
  ])(
    '$name is carried out once and answered the same again',
    async ({ name, call: [method, path, sent], stored, by }) => {
      const body = path === '/resend-invitation' ? { user_id: await invited() } : sent;
      const before = await count(stored);
      const headers = { 'idempotency-key': name };
      const first = await admin(method, path, body, headers);
      const again = await admin(method, path, body, headers);
      expect(first.body).not.toMatchObject({ status: false });
      expect([200, 201]).toContain(first.status);
      expect(first.headers['idempotency-replayed']).toBeUndefined();
      expect([again.status, again.body]).toEqual([first.status, first.body]);
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect((await count(stored)) - before).toBe(by);
      if (!sent) return;
      const other = await admin<Problem>(method, path, { ...body, another: 1 }, headers);
      // What is read before it is known to be another call may be refused for what it is.
      expect([422, 400]).toContain(other.status);
      expect((await count(stored)) - before).toBe(by);
    },
  );

  describe('that changes a password', () => {
    const fresh = {
      current_password: password,
      new_password: 'Quiet-ferry-81-lantern',
      confirm_password: 'Quiet-ferry-81-lantern',
    };
    const change = (call: Client, key: string, body: object) =>
      call<Problem & { errors?: object }>(
        'PUT',
        '/profile/5',
        { change_password: true, ...body },
        { 'idempotency-key': key },
      );

    test('runs once, and the stored data does not reveal the password', async () => {
      const qa = await demo.signIn(accounts.qa);
      const wrong = await change(qa, 'wrong', { ...fresh, current_password: 'Wrong@1234' });
      expect([wrong.status, wrong.body.errors]).toMatchObject([422, { current_password: expect.any(String) }]);
      // A guess counts, although a refused call keeps nothing.
      expect(await count("assay.attempts where key = 'proof 5'")).toBe(1);
      expect(await count("assay.idempotency_keys where key = 'wrong'")).toBe(0);
      const mails = "assay.mails where occasion = 'password_changed'";
      const before = await count(mails);
      const [first, again] = [await change(qa, 'new', fresh), await change(qa, 'new', fresh)];
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect((await count(mails)) - before).toBe(1);
      const other = 'another one 27 harbours';
      const reused = await change(qa, 'new', { ...fresh, new_password: other, confirm_password: other });
      expect(reused.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
      const { rows } = await own.database.pool.query(
        "select fingerprint, answer from assay.idempotency_keys where key = 'new'",
      );
      expect(rows[0].answer).not.toContain('password');
      const said = JSON.stringify([
        'PUT',
        '/api/profile/5',
        false,
        Object.entries({ change_password: true, ...fresh }),
      ]);
      expect(rows[0].fingerprint).not.toEqual(createHash('sha256').update(said).digest());
      expect(rows[0].fingerprint).toEqual(scryptSync(said, '5 new', 32));
    });
  });

  test('a publication whose response was lost returns the active definition, and publishes nothing', async () => {
    const call = () =>
      admin<Problem & { data?: { version: number } }>(
        'POST',
        '/modules',
        { definition: { ...probes, name: 'lost-probes' } },
        { 'idempotency-key': 'lost publication' },
      );
    const first = await call();
    expect(first.status).toBe(201);
    await own.database.pool.query(
      "update assay.idempotency_keys set status = null, answer = null where key = 'lost publication'",
    );
    const again = await call();
    expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([201, first.body, 'true']);
    expect(await count("assay.module_versions where name = 'lost-probes'")).toBe(1);
  });

  test('ten concurrent publications on two servers publish once', async () => {
    const there = await other.signIn(accounts.admin);
    const definition = { ...probes, name: 'crowd-probes' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? there : admin)<Problem>('POST', '/modules', { definition }, { 'idempotency-key': 'crowded' }),
      ),
    );
    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    expect(await count("assay.module_versions where name = 'crowd-probes'")).toBe(1);
  });

  test('a form with a file is the same only with the same bytes', async () => {
    const send = async (size: number) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ name: 'Filed once', film_id: '1', site_id: '1' }))
        form.append(name, value);
      form.append('screenshot', new Blob([new Uint8Array(png(size, 2))]), 'a.png');
      const body = new Response(form);
      const headers = { 'content-type': body.headers.get('content-type')!, 'idempotency-key': 'form' };
      return admin<Problem>('POST', '/screenings', Buffer.from(await body.arrayBuffer()), headers);
    };
    const first = await send(3);
    expect([first.status, first.body.message]).toEqual([201, undefined]);
    expect((await send(3)).body).toEqual(first.body);
    expect((await send(4)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await count("screenings where name = 'Filed once'")).toBe(1);
  });

  test('with another body it is rejected, and another user has separate keys', async () => {
    expect((await create('Mine', 'shared')).status).toBe(201);
    expect(await create('Not mine', 'shared')).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    const owner = await demo.signIn(accounts.owner);
    expect((await create('Theirs', 'shared', owner)).status).toBe(201);
    expect([await made('Mine'), await made('Not mine'), await made('Theirs')]).toEqual([1, 0, 1]);
  });

  test.each(['', 'k'.repeat(256), 'line\nbreak', 'ключ'])('%j is no key', async (key) => {
    const answer = await create('No key', key);
    expect([answer.status, await made('No key')]).toEqual([400, 0]);
  });

  test('a rejected call stores nothing, so that it can be corrected and sent again', async () => {
    expect((await create('', 'corrected')).status).toBe(422);
    expect((await create('Corrected', 'corrected')).status).toBe(201);
  });

  test('ten concurrent calls on two servers run once', async () => {
    const there = await other.signIn(accounts.admin);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => create('Crowd', 'crowd', n % 2 ? there : admin)),
    );
    expect(await made('Crowd')).toBe(1);
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    for (const { status, headers } of answers) {
      expect([201, 409]).toContain(status);
      if (status === 409) expect(headers['retry-after']).toBeDefined();
    }
  });

  test.each(['before', 'after'] as const)(
    'the commit is lost %s it arrived: trying again stores it once',
    async (when) => {
      const label = `Lost ${when}`;
      const happened = proxy.cut({ at: /^commit/i, after: /idempotency_keys/, when });
      expect(await create(label, label)).toMatchObject({ status: 503, body: { code: 'OUTCOME_UNKNOWN' } });
      await happened;
      const again = await create(label, label);
      expect(again.status).toBe(201);
      expect(again.headers['idempotency-replayed']).toBe(when === 'after' ? 'true' : undefined);
      expect(await made(label)).toBe(1);
    },
  );

  test('after 24 hours a key is new again, and expired ones are deleted', async () => {
    await create('Old', 'old');
    await own.database.pool.query("update assay.idempotency_keys set created_at = now() - interval '25 hours'");
    expect((await create('New', 'old')).status).toBe(201);
    expect(await made('New')).toBe(1);
  });

  test('its changes update totals and send events like any other', async () => {
    const told: unknown[] = [];
    const stop = demo.program.live.subscribe(({ resource, event }) => told.push([resource, event]));
    const total = async () => (await admin('GET', '/projectors?range=[0,0]')).headers['content-range'];
    const before = await total();
    await create('Counted', 'counted');
    expect(await total()).not.toBe(before);
    expect(told).toContainEqual(['projectors', 'created']);
    stop();
  });
});

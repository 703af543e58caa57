import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { png } from '../files/pictures';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { openDatabaseProxy, type DatabaseProxy } from '../../support/database-proxy';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';

let own: TestDatabase;
let proxy: DatabaseProxy;
let demo: DemoProgram;
let other: DemoProgram;
let admin: Client;
beforeAll(async () => {
  own = await createTestDatabase(inject('demo'));
  proxy = await openDatabaseProxy(own.url);
  demo = await startDemoProgram({ database: { ...own, url: proxy.url } });
  other = await startDemoProgram({ database: own });
  admin = await demo.signIn(accounts.admin);
});
afterAll(async () => {
  await demo.close();
  await other.close();
  await proxy.close();
  await own.close();
});

type Problem = { code: string; message: string };
const count = async (from: string) => Number((await own.database.pool.query(`select count(*) as n from ${from}`)).rows[0].n); // prettier-ignore
const made = (label: string) => count(`device_types where option_name = '${label}'`);
const create = (label: string, key: string, call = admin) =>
  call<Problem & { id: number }>('POST', '/device-types', { option_name: label }, { 'idempotency-key': key });

interface Case {
  name: string;
  call: readonly [method: string, path: string, body?: object];
  stored: string;
  by: number;
}

describe('a call with a key', () => {
  test.each<Case>([
    { name: 'a create in one statement', call: ['POST', '/device-types', { option_name: 'Once' }], stored: "device_types where option_name = 'Once'", by: 1 }, // prettier-ignore
    { name: 'a create with hooks', call: ['POST', '/roles', { role_name: 'Once', level: 4, site_id: 1 }], stored: "roles where role_name = 'Once'", by: 1 }, // prettier-ignore
    { name: 'a change', call: ['PUT', '/device-types/1', { option_name: 'Changed once' }], stored: "assay.history where resource = 'device-types' and record_id = 1", by: 1 }, // prettier-ignore
    { name: 'a request', call: ['PATCH', '/task/1', { comments: 'Asked once', status_id: 2 }], stored: "task_comments where comments like '%Asked once%'", by: 1 }, // prettier-ignore
    { name: 'an announcement', call: ['POST', '/notifications', { title: 'Told once', content: 'x' }], stored: "assay.notifications where title = 'Told once' and user_id = 1", by: 1 }, // prettier-ignore
    { name: 'a new link', call: ['POST', '/test-cases/1/share'], stored: 'test_cases where false', by: 0 },
    { name: 'a removal', call: ['DELETE', '/task-comments/1'], stored: 'task_comments where id = 1', by: -1 },
  ])('$name is carried out once and answered the same again', async ({ name, call, stored, by }) => {
    const before = await count(stored);
    const headers = { 'idempotency-key': name };
    const first = await admin(call[0], call[1], call[2], headers);
    const again = await admin(call[0], call[1], call[2], headers);
    expect([200, 201]).toContain(first.status);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await count(stored)) - before).toBe(by);
  });

  test('a form with a file is the same only with the same bytes', async () => {
    const send = async (size: number) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ name: 'Filed once', project_id: '1', site_id: '1' }))
        form.append(name, value);
      form.append('screenshot', new Blob([new Uint8Array(png(size, 2))]), 'a.png');
      const body = new Response(form);
      const headers = { 'content-type': body.headers.get('content-type')!, 'idempotency-key': 'form' };
      return admin<Problem>('POST', '/test-cases', Buffer.from(await body.arrayBuffer()), headers);
    };
    const first = await send(3);
    expect([first.status, first.body.message]).toEqual([201, undefined]);
    expect((await send(3)).body).toEqual(first.body);
    expect((await send(4)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await count("test_cases where name = 'Filed once'")).toBe(1);
  });

  test('with another body it is refused, and another person has keys of their own', async () => {
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

  test('a refused call keeps nothing, so that it can be corrected and sent again', async () => {
    expect((await create('', 'corrected')).status).toBe(422);
    expect((await create('Corrected', 'corrected')).status).toBe(201);
  });

  test('ten at once, on two servers, are carried out once', async () => {
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

  test('after 24 hours a key is new, and what has expired is removed', async () => {
    await create('Old', 'old');
    await own.database.pool.query("update assay.idempotency_keys set created_at = now() - interval '25 hours'");
    expect((await create('New', 'old')).status).toBe(201);
    expect(await made('New')).toBe(1);
  });

  test('what it stored is counted and told like any other', async () => {
    const told: unknown[] = [];
    const stop = demo.program.live.subscribe(({ resource, event }) => told.push([resource, event]));
    const total = async () => (await admin('GET', '/device-types?range=[0,0]')).headers['content-range'];
    const before = await total();
    await create('Counted', 'counted');
    expect(await total()).not.toBe(before);
    expect(told).toContainEqual(['device-types', 'created']);
    stop();
  });
});

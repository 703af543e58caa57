import Fastify, { type FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { authenticate, currentActor, onAccessChange } from '../../../src/server/accounts/session/authenticate';
import { registerEvents } from '../../../src/server/events/events-route';
import { visibleEvents } from '../../../src/server/events/visible-events';
import { sendError } from '../../../src/server/http/error-handler';
import { leave } from '../../../src/server/accounts/presence/presence';
import { createActor, findAccountById } from '../../../src/server/accounts/users/accounts';
import type { LiveEvent } from '../../../src/server/live/live-hub';
import { password } from '../../support/accounts';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { createTestDatabase, type TestDatabase } from '../../support/database';

let database: TestDatabase;
let demo: DemoProgram;
/** Another server on the same database. */
let other: DemoProgram;
let app: FastifyInstance;
let address: string;
const as = {} as Record<'owner' | 'qa' | 'developer' | 'harbour' | 'external', Client>;
let record: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('fixture'));
  demo = await startFixtureProgram({ database });
  other = await startFixtureProgram({ database });
  const { program } = other;
  app = Fastify();
  app.setErrorHandler(sendError);
  registerEvents(app, program, {
    authenticate: (request) => authenticate(program, request),
    currentActor: (request) => currentActor(program, request),
    filterVisible: (actor, events, asked) => visibleEvents(program, actor, events, asked),
    onAccessChange: (listener) => onAccessChange(program, listener),
    onStreamEnd: (actor, stream) => leave(program, actor, stream),
  });
  address = await app.listen({ port: 0, host: '127.0.0.1' });
  for (const name of Object.keys({ owner: 1, qa: 1, developer: 1, harbour: 1, external: 1 }) as (keyof typeof as)[]) {
    as[name] = await demo.signIn(accounts[name]);
  }
  const { body } = await as.owner<{ data: { id: number } }>('POST', '/genres', { option_name: 'Here', icon: 'rocket' });
  record = body.data.id;
});
beforeEach(() => sql`delete from assay.presence`.execute(demo.program.database.kysely));
afterAll(async () => {
  await app?.close();
  await other?.close();
  await demo?.close();
  await database?.close();
});

interface Present {
  record_id: number;
  user: { id: number; name: string };
  editing: boolean;
}
const name = (letter: string) => letter.repeat(20);
const enter = (by: keyof typeof as, stream = name('a'), id = record, more = {}) =>
  as[by]<{ data: boolean; message?: string }>('PUT', '/presence', { stream, resource: 'genres', id, ...more });
const present = async (by: keyof typeof as) =>
  (await as[by]<{ data: Present[] }>('GET', '/presence?resource=genres')).body.data;

test('colleagues see who is at a record; a person does not see themselves, and once for several windows', async () => {
  expect((await enter('qa')).status).toBe(200);
  expect((await enter('qa', name('b'))).status).toBe(200);
  expect(await present('qa')).toEqual([]);
  expect(await present('owner')).toEqual([
    {
      record_id: record,
      user: { id: expect.any(Number) as number, name: expect.any(String) as string },
      editing: false,
    },
  ]);
  expect((await as.qa('DELETE', `/presence/${name('a')}`)).status).toBe(200);
  expect(await present('owner')).toHaveLength(1);
  expect((await as.qa('DELETE', `/presence/${name('b')}`)).status).toBe(200);
  expect(await present('owner')).toEqual([]);
});

test('presence says who is changing the record, in any of their windows, until the change is stored', async () => {
  await enter('qa', name('a'), record, { editing: true });
  await enter('qa', name('b'));
  const at = async (id: number) =>
    (await as.owner<{ data: Present[] }>('GET', `/presence?resource=genres&id=${id}`)).body.data;
  expect(await at(record)).toMatchObject([{ record_id: record, editing: true }]);
  expect(await at(record + 1)).toEqual([]);
  await enter('qa', name('a'), record, { editing: false });
  expect(await at(record)).toMatchObject([{ editing: false }]);
});

test('only users who see the record get an event when a colleague opens, starts to change and leaves it; once for each', async () => {
  const heard: LiveEvent[] = [];
  const stop = demo.program.live.subscribe((event) => event.resource === 'presence' && heard.push(event));
  const other = (await as.owner<{ data: { id: number } }>('POST', '/genres', { option_name: 'There' })).body.data.id;
  await enter('qa');
  await enter('qa');
  await enter('qa', name('a'), record, { editing: true });
  await enter('qa', name('a'), other);
  await as.qa('DELETE', `/presence/${name('a')}`);
  stop();
  const places = [record, record, record, other, other].map((id) => `genres/${id}`);
  expect(heard.map(({ id }) => id)).toEqual(places);
  const { kysely } = demo.program.database;
  const seenBy = async (by: keyof typeof as) => {
    const me = await as[by]<{ data: { user: { id: number } } }>('GET', '/me');
    const actor = await createActor(kysely, (await findAccountById(kysely, me.body.data.user.id))!);
    return visibleEvents(demo.program, actor, heard);
  };
  expect(await seenBy('owner')).toHaveLength(5);
  expect(await seenBy('harbour')).toEqual([]);
  // May not list genres.
  expect(await seenBy('external')).toEqual([]);
});

test('presence ends with the event stream, on another server too, and colleagues get an event', async () => {
  const { body } = await demo.call<{ token: string }>('POST', '/login', { email: accounts.qa, password });
  const tab = new AbortController();
  const opened = await fetch(`${address}/events`, {
    headers: { authorization: `Bearer ${body.token}` },
    signal: tab.signal,
  });
  expect(opened.status).toBe(200);
  await enter('qa', opened.headers.get('x-stream')!);
  expect(await present('owner')).toHaveLength(1);
  const seen = new Promise<void>((done) => {
    const stop = demo.program.live.subscribe(({ resource }) => {
      if (resource !== 'presence') return;
      stop();
      done();
    });
  });
  tab.abort();
  await seen;
  expect(await present('owner')).toEqual([]);
});

test('presence ends a minute after the last sign of the user', async () => {
  await enter('qa');
  await sql`update assay.presence set seen_at = now() - interval '61 seconds'`.execute(demo.program.database.kysely);
  expect(await present('owner')).toEqual([]);
});

test('presence is limited to twenty windows of a user', async () => {
  for (let index = 0; index < 25; index++) await enter('qa', `window-number-${String(index).padStart(4, '0')}`);
  const { rows } = await sql`select from assay.presence`.execute(demo.program.database.kysely);
  expect(rows.length).toBeLessThanOrEqual(20);
});

test.each<[string, object]>([
  ['a short name', { stream: 'x', resource: 'genres', id: 1 }],
  ['no record', { stream: name('a'), resource: 'genres' }],
  ['an unknown property', { stream: name('a'), resource: 'genres', id: 1, user_id: 1 }],
])('%s is refused', async (_what, body) => {
  expect((await as.qa('PUT', '/presence', body)).status).toBe(422);
});

test('presence is limited to visible records of resources that the user may list, and to their company', async () => {
  expect((await enter('qa', name('a'), 999_999)).status).toBe(404);
  expect((await as.qa('PUT', '/presence', { stream: name('a'), resource: 'nothing', id: 1 })).status).toBe(404);
  expect((await enter('harbour')).status).toBe(404);
  await enter('qa');
  expect(await present('harbour')).toEqual([]);
  expect((await demo.call('GET', '/presence?resource=genres')).status).toBe(401);
  // Another person's window cannot be closed.
  await as.owner('DELETE', `/presence/${name('a')}`);
  expect(await present('owner')).toHaveLength(1);
});

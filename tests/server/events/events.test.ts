import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Actor } from '../../../src/engine/access/actor';
import { registerEvents, type EventsOptions } from '../../../src/server/events/events-route';
import { createDispatcher } from '../../../src/server/events/dispatcher';
import { EventBuffer } from '../../../src/server/live/event-buffer';
import { visibleEvents } from '../../../src/server/events/visible-events';
import { openStreamCount } from '../../../src/server/events/stream-count';
import type { LiveEvent } from '../../../src/server/live/live-hub';
import { sendError } from '../../../src/server/http/error-handler';
import { authenticate, onAccessChange, currentActor } from '../../../src/server/accounts/session/authenticate';
import { accounts, startFixtureProgram, type DemoProgram } from '../../support/program';

let demo: DemoProgram;
let app: FastifyInstance;
let address: string;
const streams: AbortController[] = [];

beforeAll(async () => {
  demo = await startFixtureProgram();
  const { program } = demo;
  app = Fastify();
  app.setErrorHandler(sendError);
  registerEvents(app, program, {
    authenticate: (request) => authenticate(program, request),
    currentActor: (request) => currentActor(program, request),
    filterVisible: (actor, events, asked) => visibleEvents(program, actor, events, asked),
    onAccessChange: (listener) => onAccessChange(program, listener),
  });
  address = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => streams.splice(0).forEach((stream) => stream.abort()));
afterAll(async () => {
  await app.close();
  await demo.close();
});

const token = async (email: string) => {
  const { body } = await demo.call<{ token: string }>('POST', '/login', { email, password: 'Demo@1234' });
  return body.token;
};

/** Opens a stream; `next` answers the next event, or undefined at the stream's end. */
async function follow(bearer: string) {
  const stop = new AbortController();
  streams.push(stop);
  const response = await fetch(`${address}/events`, {
    headers: { Authorization: `Bearer ${bearer}` },
    signal: stop.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<unknown> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await reader.read();
        if (done) return undefined;
        text += value;
        continue;
      }
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      if (block.startsWith('data: ')) return JSON.parse(block.slice(6));
    }
  };
  return { response, next };
}

const changed = (event: Partial<LiveEvent>): LiveEvent => ({
  resource: 'studios',
  id: 1,
  event: 'updated',
  site_id: 1,
  ...event,
});

describe('GET events', () => {
  test('needs a sign-in', async () => {
    const refused = await fetch(`${address}/events`);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toEqual({ message: 'Unauthenticated.', code: 'UNAUTHENTICATED' });
  });

  test('sends changes as resource, id and event, and none of other companies', async () => {
    const { response, next } = await follow(await token(accounts.owner));
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const harbour = await demo.signIn(accounts.harbour);
    const owner = await demo.signIn(accounts.owner);
    expect((await harbour('POST', '/genres', { option_name: 'Boats', icon: 'ship' })).status).toBe(201);
    const made = await owner<{ data: { id: number } }>('POST', '/genres', {
      option_name: 'Cars',
      icon: 'rocket',
    });
    expect(made.status).toBe(201);
    expect(await next()).toEqual({ resource: 'genres', id: made.body.data.id, event: 'created' });
  });

  test('the buffer is limited: beyond it one event covers the whole resource', () => {
    const gathered = new EventBuffer(2);
    for (const id of [1, 2, 2, 3, 4]) gathered.add(changed({ id }));
    gathered.add(changed({ id: 5, site_id: 2 }));
    gathered.add(changed({ id: 1, event: 'deleted' }));
    const whole = { id: null, event: 'changed' as const };
    expect(gathered.events()).toEqual([
      changed({ id: 1 }),
      changed({ id: 2 }),
      changed(whole),
      changed({ ...whole, site_id: 2 }),
    ]);
  });

  test('of drafts go to every window but the one that made the change and has the answer', async () => {
    const admin = await demo.signIn(accounts.admin);
    const bearer = await token(accounts.admin);
    const [own, other] = [await follow(bearer), await follow(bearer)];
    const stream = own.response.headers.get('x-stream')!;
    const source = (name: string) => ({ name, labels: { one: 'Genre', many: name }, fields: {} });
    const draft = (name: string, revision = 0) => ({
      ...{ base: { version: 1, source: source(name) }, source: source(name), text: '{', revision },
      ...{ purge: [], takes_shipped: false },
    });
    const put = (name: string, more: object) =>
      admin<{ data: { revision: number } }>('PUT', `/module-drafts/${name}`, { ...draft(name), ...more });
    expect((await put('genres', { stream })).status).toBe(200);
    expect((await admin('DELETE', `/module-drafts/genres?revision=1&stream=${stream}`)).status).toBe(200);
    expect((await put('genres', { stream: 'a b' })).status).toBe(422);
    expect((await put('films', {})).status).toBe(200);
    const event = (id: string) => ({ resource: 'module-drafts', id, event: 'changed' });
    expect(await own.next()).toEqual(event('films'));
    expect(await other.next()).toEqual(event('genres'));
    await admin('DELETE', '/module-drafts/films');
  });

  test('a change of two windows at once is buffered for each of them', () => {
    const gathered = new EventBuffer(3);
    for (const except of ['one', 'two', 'one']) gathered.add(changed({ except }));
    expect(gathered.events()).toEqual([changed({ except: 'two' }), changed({ except: 'one' })]);
    gathered.add(changed({ id: 2, except: 'one' }));
    gathered.add(changed({ id: 3, except: 'one' }));
    expect(gathered.events().at(-1)).toMatchObject({ id: null, except: undefined });
  });

  test('ends with the sign-in', async () => {
    const bearer = await token(accounts.qa);
    const { next } = await follow(bearer);
    const ended = next();
    await demo.call('POST', '/logout', undefined, { authorization: `Bearer ${bearer}` });
    expect(await ended).toBeUndefined();
  });

  /** A server of streams alone, and a connection that asked it for one. */
  async function openApart(options: Partial<EventsOptions> = {}) {
    const apart = Fastify();
    registerEvents(apart, demo.program, {
      authenticate: (request) => authenticate(demo.program, request),
      currentActor: (request) => currentActor(demo.program, request),
      filterVisible: async (_, events) => events,
      onAccessChange: () => () => undefined,
      ...options,
    });
    const port = Number(new URL(await apart.listen({ port: 0, host: '127.0.0.1' })).port);
    const bearer = await token(accounts.qa);
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${bearer}\r\n\r\n`);
    return { apart, socket };
  }
  /** How long it takes to close, in milliseconds. */
  const closing = async (server: FastifyInstance): Promise<number> => {
    const begun = performance.now();
    await server.close();
    return performance.now() - begun;
  };

  test('ends when the program stops, together with its connection', async () => {
    const { apart, socket } = await openApart();
    let text = '';
    const read = new Promise<void>((done) =>
      socket.on('data', (part) => (text += part.toString()).includes('hello') && done()),
    );
    await read;
    const ended = once(socket, 'end');
    expect(await closing(apart)).toBeLessThan(5_000);
    await ended;
    expect(text).toMatch(/: hello\n\n\r\n0\r\n\r\n$/);
  });

  test('is dropped if the client disconnected before it started', async () => {
    const before = openStreamCount(demo.program.live);
    const entering: [FastifyRequest, () => void][] = [];
    const { apart, socket } = await openApart({
      async authenticate(request) {
        const actor = await authenticate(demo.program, request);
        await new Promise<void>((done) => entering.push([request, done]));
        return actor;
      },
    });
    await vi.waitFor(() => expect(entering).toHaveLength(1));
    const [request, goOn] = entering[0]!;
    const left = once(request.raw.socket, 'close');
    socket.destroy();
    await left;
    goOn();
    await new Promise((done) => setImmediate(done));
    expect(openStreamCount(demo.program.live)).toBe(before);
    expect(await closing(apart)).toBeLessThan(5_000);
  });

  test('is closed if the client does not read', async () => {
    const long = Array.from({ length: 400 }, (_, n) => changed({ resource: `${n}-${'x'.repeat(50_000)}` }));
    const { apart, socket } = await openApart({ filterVisible: async () => long });
    await once(socket, 'data');
    socket.pause();
    const before = openStreamCount(demo.program.live);
    const owner = await demo.signIn(accounts.owner);
    expect((await owner('POST', '/genres', { option_name: 'Bicycles', icon: 'rocket' })).status).toBe(201);
    await vi.waitFor(() => expect(openStreamCount(demo.program.live)).toBeLessThan(before));
    expect(await closing(apart)).toBeLessThan(5_000);
    socket.destroy();
  });
});

describe('visibility of events', () => {
  const actors: Record<string, Actor> = {};
  let hidden: number;
  let open: number;
  let company: number;

  beforeAll(async () => {
    for (const [name, email] of Object.entries(accounts)) {
      const headers = { authorization: `Bearer ${await token(email)}` };
      actors[name] = await authenticate(demo.program, { headers });
    }
    company = actors.owner!.site_id!;
    const member = await demo.program.database.kysely
      .selectFrom('films__user_ids')
      .select('record_id')
      .where('target_id', '=', actors.external!.id)
      .execute();
    const films = await demo.program.database.kysely
      .selectFrom('films')
      .select('id')
      .where('site_id', '=', company)
      .execute();
    open = member[0]!.record_id as number;
    hidden = films.map(({ id }) => id as number).find((id) => !member.some((one) => one.record_id === id))!;
  });

  test('many concurrent events run one statement for all streams of a user, and become one event for users who see them all', async () => {
    const { database } = demo.program;
    const { query: original } = database;
    const statements: string[] = [];
    database.query = (statement, trx) => {
      statements.push(statement.sql);
      return original(statement, trx);
    };
    const join = createDispatcher(demo.program, (actor, events, known) =>
      visibleEvents(demo.program, actor, events, known),
    );
    const leave: (() => void)[] = [];
    const heard = (actor: Actor) =>
      new Promise<string>((write, fail) => leave.push(join({ name: 'window', actor: async () => actor, write, fail })));
    const told = Promise.all([actors.external!, actors.external!, actors.external!, actors.owner!].map(heard));
    for (let id = 1; id <= 1_000; id++) demo.program.live.publish(changed({ resource: 'films', id, site_id: company }));
    const [one, other, third, owner] = await told;
    leave.forEach((stop) => stop());
    database.query = original;
    expect(statements.filter((text) => text.includes('= any('))).toHaveLength(1);
    expect(owner).toBe('data: {"resource":"films","id":null,"event":"changed"}\n\n');
    expect([other, third]).toEqual([one, one]);
    const ids = one!.match(/\d+/g)!.map(Number);
    expect(ids).toContain(open);
    expect(ids).not.toContain(hidden);
  });

  test.each<[string, (at: { company: number; open: number; hidden: number }) => Partial<LiveEvent>, boolean]>([
    ['owner', ({ company }) => ({ site_id: company }), true],
    ['harbour', ({ company }) => ({ site_id: company }), false],
    ['admin', ({ company }) => ({ site_id: company }), true],
    ['external', ({ company }) => ({ site_id: company }), false],
    ['developer', () => ({ resource: 'territories', site_id: null }), true],
    ['harbour', () => ({ resource: 'urgencies', site_id: null }), true],
    ['external', ({ company, open }) => ({ resource: 'films', id: open, site_id: company }), true],
    ['external', ({ company, hidden }) => ({ resource: 'films', id: hidden, site_id: company }), false],
    ['external', ({ company, open }) => ({ resource: 'films', id: open, site_id: company, event: 'deleted' }), false],
    ['owner', ({ company }) => ({ resource: 'sites', id: company, site_id: null }), true],
    ['harbour', ({ company }) => ({ resource: 'sites', id: company, site_id: null }), false],
    ['owner', () => ({ resource: 'modules', id: 'studios', event: 'changed' }), true],
    ['owner', () => ({ resource: 'nothing-of-the-kind' }), false],
  ])('%s', async (name, event, expected) => {
    const asked = changed(event({ company, open, hidden }));
    expect(await visibleEvents(demo.program, actors[name]!, [asked]), JSON.stringify(asked)).toEqual(
      expected ? [asked] : [],
    );
  });
});

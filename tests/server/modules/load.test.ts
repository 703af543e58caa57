// @module-tag slow
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { buildApp, type RegisterRoutes } from '../../../src/server/http/app';
import { registerEvents } from '../../../src/server/events/events-route';
import { visibleEvents } from '../../../src/server/events/visible-events';
import { authenticate, onAccessChange, currentActor } from '../../../src/server/accounts/session/authenticate';
import type { FieldSource, Source } from '../../../src/engine/language/source';
import type { Module } from '../../../src/engine/studio/module';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { password } from '../../support/accounts';

const PUBLISHES = 100;
const EXPORTED = 20;

let program: DemoProgram;
let streams: FastifyInstance;
let address: string;
let done = false;
beforeAll(async () => {
  program = await startFixtureProgram();
  const { program: running } = program;
  const events: RegisterRoutes = (api) =>
    registerEvents(api, running, {
      authenticate: (request) => authenticate(running, request),
      currentActor: (request) => currentActor(running, request),
      filterVisible: (actor, events, asked) => visibleEvents(running, actor, events, asked),
      onAccessChange: (listener) => onAccessChange(running, listener),
    });
  streams = await buildApp(running, { appFolder: 'none', routes: [events] });
  address = await streams.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  done = true;
  await streams?.close();
  await program?.close();
});

type Fields = Record<string, FieldSource>;

/** The definition of the nth publication: every fifth adds a field, then it is renamed in words, widened twice, and renamed by `formerName`. */
function gadgets(turn: number): Source {
  const [round, step] = [Math.floor(turn / 5), turn % 5];
  const [name, type] = [`part_${round}`, ([{ integer: true }, { integer: true }, {}] as const)[step] ?? {}];
  const field: FieldSource = step < 3 ? { type: 'number', ...type } : { type: 'text' };
  const fields: Fields = {
    name: { label: `Name ${turn}` },
    state: {
      type: 'select',
      options: [
        { value: 'on', label: 'On' },
        { value: 'off', label: `Off ${turn}` },
      ],
    },
    ...(step === 4
      ? { [`piece_${round}`]: { ...field, formerName: name } }
      : { [name]: { ...field, label: `Part ${turn}` } }),
  };
  const own = Object.keys(fields).at(-1)!;
  return sourceOf('gadgets', fields, {
    labels: { one: 'Gadget', many: 'Gadgets' },
    scope: 'company',
    list: { filters: { state: {} }, sortChoices: step % 2 === 0 ? ['name', own] : ['name'] },
    ...(step === 1 && { indexes: [['state', own]] }),
  });
}

const system = ['id', 'site_id', 'site', 'created_by', 'updated_by', 'created_at', 'updated_at'];
const keysOf = (source: Source) => [...Object.keys(source.fields), ...system].sort().join();
const known = new Set(Array.from({ length: PUBLISHES + 1 }, (_, turn) => keysOf(gadgets(turn))));

/** Every record of an answer is of one published version, and all of them are of the same. */
function mustBeOfOne(records: readonly Record<string, unknown>[]): void {
  const shapes = new Set(records.map((record) => Object.keys(record).sort().join()));
  expect(shapes.size).toBeLessThanOrEqual(1);
  for (const shape of shapes) expect(known).toContain(shape);
  for (const name of Object.keys(records[0] ?? {}).filter((key) => /^(part|piece)_/.test(key))) {
    const types = new Set(records.map((record) => typeof record[name]).filter((type) => type !== 'object'));
    expect(types.size).toBeLessThanOrEqual(1);
  }
}

test('a hundred publications under load: no request fails, and every response is of a single version', async () => {
  const admin = await program.signIn(accounts.admin);
  const first = await admin<{ data: Module }>('POST', '/modules', { definition: gadgets(0) });
  expect(first).toMatchObject({ status: 201 });
  const owner = await program.signIn(accounts.owner);
  const made = Array.from({ length: 40 }, (_, index) =>
    owner('POST', '/gadgets', { name: `Gadget ${index}`, state: 'on', part_0: index }),
  );
  await Promise.all(made);

  const asked: Record<string, number> = {};
  const failures: string[] = [];
  const inForce = () => program.program.definitions.registry().version;
  let overtaken = 0;
  const ask = async <T>(client: Client, what: string, method: string, path: string, body?: unknown): Promise<T> => {
    const before = inForce();
    const answer = await client<T>(method, path, body);
    if (inForce() !== before) overtaken++;
    asked[what] = (asked[what] ?? 0) + 1;
    if (answer.status >= 400) failures.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  type Rows = Record<string, unknown>[];
  let latest = 1;
  const shots: ((client: Client, turn: number) => Promise<void>)[] = [
    async (client) => mustBeOfOne(await ask<Rows>(client, 'list', 'GET', '/gadgets?range=[0,39]')),
    async (client) =>
      mustBeOfOne(await ask<Rows>(client, 'filter', 'GET', '/gadgets?state=on&sort=["name","ASC"]&range=[0,39]')),
    async (client, turn) => mustBeOfOne([await ask(client, 'read', 'GET', `/gadgets/${1 + (turn % 40)}`)]),
    async (client, turn) => {
      const record = await ask<Rows[0]>(client, 'create', 'POST', '/gadgets', { name: `New ${turn}`, state: 'off' });
      mustBeOfOne([record]);
      latest = record.id as number;
    },
    async (client, turn) =>
      mustBeOfOne([await ask(client, 'update', 'PUT', `/gadgets/${1 + (turn % 40)}`, { name: `Gadget ${turn}` })]),
    async (client) => void (await ask(client, 'count', 'GET', '/gadgets?state=off&range=[0,0]')),
    async (client, turn) => {
      // Each writes its file in a thread of its own, which costs as much as a publication.
      if (turn % EXPORTED !== 0) return mustBeOfOne(await ask<Rows>(client, 'list', 'GET', '/gadgets?id=1,2,3'));
      const heading = (await ask<string>(client, 'export', 'GET', '/gadgets-export?format=csv')).split('\n')[0]!;
      expect(heading).toMatch(/Name \d+/);
      expect(new Set(heading.match(/(Name|Part) \d+/g)!.map((label) => label.split(' ')[1])).size).toBe(1);
    },
    async (client) => mustBeOfOne([await ask(client, 'remake', 'PUT', `/gadgets/${latest}`, { state: 'on' })]),
  ];
  const manager = await program.signIn(accounts.manager);
  const people = shots.map((_, index) => (index % 2 === 0 ? manager : owner));
  const events = await listen(accounts.admin);
  let asking = 0;
  // One after the other without a pause: every publication meets one of them.
  const askOn = async () => {
    while (!done && failures.length === 0) {
      const turn = asking++;
      const index = turn % shots.length;
      await shots[index]!(people[index]!, Math.floor(turn / shots.length)).catch((error: Error) =>
        failures.push(error.message),
      );
    }
  };
  const asks = askOn();
  const publishAll = async () => {
    let { version } = first.body.data;
    for (let turn = 1; turn <= PUBLISHES; turn++) {
      const answer = await admin<{ data: Module }>('PUT', '/modules/gadgets', { definition: gadgets(turn), version });
      expect(answer).toMatchObject({ status: 200 });
      version = answer.body.data.version;
      // Events of one record that follow within a moment are told as one, so the next publication waits for this one's.
      await events.hears('"resource":"modules","id":"gadgets"', turn);
    }
  };
  await publishAll().finally(() => (done = true));
  await asks;

  expect(failures).toEqual([]);
  // Definitions were published while these were being answered.
  expect(overtaken).toBeGreaterThan(PUBLISHES / 2);
  expect(Object.keys(asked)).toHaveLength(shots.length);
  for (const [what, times] of Object.entries(asked)) expect(times, what).toBeGreaterThan(1);
  for (const client of people) expect((await client('GET', '/me')).status).toBe(200);
  expect(events.open()).toBe(true);
  await events.hears('"resource":"gadgets"', PUBLISHES);
  await events.close();
}, 300_000);

/** Holds a stream of events open. */
async function listen(email: string) {
  const signedIn = await fetch(`${address}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { token } = (await signedIn.json()) as { token: string };
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${address}/api/events`, { headers, signal: stop.signal });
  let text = '';
  let ended = false;
  const chunks = new EventEmitter();
  const reading = (async () => {
    for await (const chunk of answer.body!) {
      text += Buffer.from(chunk as Uint8Array).toString();
      chunks.emit('chunk');
    }
  })()
    .catch(() => undefined)
    .finally(() => (ended = true));
  return {
    open: () => !ended,
    /** Resolves as soon as the stream had a part this often; rejects after 20 s. */
    async hears(part: string, times: number) {
      const signal = AbortSignal.timeout(20_000);
      while (text.split(part).length - 1 < times) await once(chunks, 'chunk', { signal });
    },
    async close() {
      stop.abort();
      await reading;
    },
  };
}

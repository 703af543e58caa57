import { ReadableStream, TextDecoderStream } from 'node:stream/web';
import { vi } from 'vitest';
import type { Action, Condition, Definition, Level, ResourceRecord } from '../../../src/engine/definitions/definition';
import { actions } from '../../../src/engine/definitions/definition';
import { matchesCondition } from '../../../src/engine/conditions/match-condition';
import { normalise } from '../../../src/engine/normalise/normalise';
import { createRegistry } from '../../../src/engine/registry/registry';
import type { Source } from '../../../src/engine/language/source';
import { recordTitleOf } from '../../../src/engine/lists/titles';
import { fixtureSources, shippedDefinitions } from '../../support/definitions';
import type { Preferences } from '../../../src/app/data/preferences';
import { saveSession } from '../../../src/app/session/session';

/** The definitions of the fixture product as the server returns them, some of them changed. */
export function fixtureDefinitions(change: (source: Source) => Source = (source) => source): Definition[] {
  return [...createRegistry(fixtureSources().map((source) => normalise(change(source)))).definitions.values()];
}

export interface Call {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  /** The idempotency key. */
  key?: string;
}

interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

interface Options {
  level?: Level;
  /** The actor's permissions; by default all. */
  permissions?: Record<string, readonly Action[]>;
  definitions?: Definition[];
  rows?: Record<string, ResourceRecord[]>;
  /** What `GET me` says that the user prefers. */
  preferences?: Preferences;
  /** Overrides of responses: status and body for `METHOD /path`. */
  answers?: Record<string, Answer | ((call: Call) => Answer | Promise<Answer>)>;
}

export interface FakeServer {
  calls: Call[];
  rows: Record<string, ResourceRecord[]>;
  options: Options;
  /** Sends an event to all subscribers. */
  publish: (event: object) => void;
  /** The filters of the last list call on a resource. */
  lastList: (resource: string) => { filter: ResourceRecord; sort: string[]; range: number[] } | undefined;
}

/** The same with the definitions of the QA product. */
export const fakeProductServer = (options: Options = {}): FakeServer =>
  fakeServer({ definitions: shippedDefinitions(), ...options });

/** As the server's, in milliseconds. */
const heartbeatInterval = 20_000;

/** A fake server: definitions, the current user, lists, single records, configurations, live events. */
export function fakeServer(options: Options = {}): FakeServer {
  const { level = 2, definitions = fixtureDefinitions() } = options;
  const everything = Object.fromEntries(definitions.map(({ name }) => [name, actions]));
  const calls: Call[] = [];
  const deleted: { of: string; record: ResourceRecord }[] = [];
  const rows = options.rows ?? {};
  const streams = new Set<{ enqueue: (bytes: Uint8Array) => void }>();
  const user = {
    id: 7,
    name: 'Ada King',
    first_name: 'Ada',
    last_name: 'King',
    email: 'ada@example.test',
    role_id: level,
    site_id: level === 1 ? null : 1,
  };
  const role = { id: level, role_name: 'Some Role', level };
  saveSession({ token: 'token', token_type: 'Bearer', user, role, totalClients: 1, totalProjects: 1 });

  const server: FakeServer = {
    calls,
    rows,
    options,
    publish: (event) => {
      if (streams.size === 0) throw new Error('The application has not opened the event stream.');
      const text = new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`);
      for (const stream of streams) stream.enqueue(text);
    },
    lastList: (resource) => {
      const call = calls.findLast(({ path, query }) => path === `/${resource}` && query.filter);
      return (
        call && {
          filter: JSON.parse(call.query.filter!) as ResourceRecord,
          sort: JSON.parse(call.query.sort!) as string[],
          range: JSON.parse(call.query.range!) as number[],
        }
      );
    },
  };
  const respond = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
    new Response(body === undefined ? null : JSON.stringify(body), { status, headers });

  let sentDefinitions: readonly Definition[] | undefined;
  let version = 0;
  /** Unchanged ones are not sent again, as screens are built again for others. */
  const respondDefinitions = (tag: string | null) => {
    const current = options.definitions ?? definitions;
    if (current !== sentDefinitions) version += 1;
    sentDefinitions = current;
    const etag = `"${version}"`;
    if (tag === etag) return respond(undefined, 304);
    // With the types of what is computed, as the server completes them.
    return respond({ data: [...createRegistry(current).definitions.values()] }, 200, { ETag: etag });
  };
  /** Events with heartbeats: without them a test that takes a minute refetches everything, as on a lost connection. */
  const openStream = () => {
    let heartbeat: ReturnType<typeof setInterval>;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        streams.add(controller);
        heartbeat = setInterval(() => controller.enqueue(new TextEncoder().encode(':\n\n')), heartbeatInterval);
      },
      cancel: () => clearInterval(heartbeat),
    });
  };

  const answer = async (call: Call, headers: Headers): Promise<Response> => {
    const given = options.answers?.[`${call.method} ${call.path}`];
    const special = typeof given === 'function' ? await given(call) : given;
    if (special) return respond(special.body, special.status, special.headers);
    const [resource = '', id, more] = call.path.slice(1).split('/');
    switch (resource) {
      case 'me':
        return respond({
          data: {
            user,
            role,
            totalClients: 1,
            totalProjects: 1,
            permissions: options.permissions ?? everything,
            preferences: options.preferences,
          },
        });
      case 'definitions':
        return respondDefinitions(headers.get('If-None-Match'));
      case 'notifications':
      case 'presence':
        return respond({ data: [] });
      case 'grid-configurations':
      case 'first-view':
      case 'timer':
        return respond({ data: null });
      case 'logout':
        return respond({ status: true });
      case 'events':
        return new Response(openStream() as BodyInit, { headers: { 'X-Stream': 'stream-of-this-window' } });
    }
    const definition = (options.definitions ?? definitions).find(({ name }) => name === resource);
    if (!definition) return respond({ message: 'Not found.' }, 404);
    const wrap = (data: unknown) => (definition.envelope ? { data } : data);
    const stored = (rows[resource] ??= []);
    if (call.method === 'PATCH' && id === 'restore') {
      const record = stored.find((one) => String(one.id) === more)!;
      record.archive = false;
      return respond(wrap(record));
    }
    if (call.method === 'POST' && id === 'restore') {
      const { ids } = call.body as { ids: number[] };
      const back = ids.map((one) => deleted.find(({ of, record }) => of === resource && record.id === one)!.record);
      stored.push(...back);
      return respond({ data: back });
    }
    if (call.method === 'POST' && id === undefined) {
      const made = { id: stored.length + 1, ...(call.body as ResourceRecord) };
      stored.push(made);
      return respond(wrap(made), 201);
    }
    if (call.method === 'GET' && id === 'choices' && more === undefined) {
      const choices = listed(stored, definition, call.query).map((one) => ({
        id: one.id,
        title: recordTitleOf(definition, one),
      }));
      return respond({ data: choices });
    }
    const record = stored.find((one) => String(one.id) === id);
    if (id !== undefined && !record) return respond({ message: 'Not found.' }, 404);
    if (call.method === 'DELETE') {
      if (definition.archive) record!.archive = true;
      else {
        stored.splice(stored.indexOf(record!), 1);
        deleted.push({ of: resource, record: record! });
      }
      return respond(wrap(record));
    }
    if (call.method === 'PUT') return respond(wrap(Object.assign(record!, call.body)));
    if (record) return respond(wrap(record));
    const found = listed(stored, definition, call.query);
    const [from = 0, to = 9999] = JSON.parse(call.query.range ?? '[]') as number[];
    const page = found.slice(from, to + 1);
    return respond(wrap(page), 200, { 'Content-Range': `${resource} ${from}-${to}/${found.length}` });
  };

  // jsdom has neither; without them every stream fails, and everything is refetched every few seconds.
  vi.stubGlobal('TextDecoderStream', TextDecoderStream);
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://localhost');
    const headers = new Headers(init.headers);
    const call: Call = {
      method: init.method ?? 'GET',
      path: url.pathname.replace(/^\/api/, ''),
      query: Object.fromEntries(url.searchParams),
      body:
        init.body instanceof FormData
          ? Object.fromEntries(init.body)
          : typeof init.body === 'string'
            ? JSON.parse(init.body)
            : undefined,
      key: headers.get('Idempotency-Key') ?? undefined,
    };
    // It is repeated by time; tests of it answer it themselves.
    if (!call.path.startsWith('/presence')) calls.push(call);
    await Promise.resolve();
    return answer(call, headers);
  });
  return server;
}

function listed(stored: readonly ResourceRecord[], definition: Definition, query: Record<string, string>) {
  const { q, archive, where, ...filter } = JSON.parse(query.filter ?? '{}') as ResourceRecord;
  const condition = typeof where === 'string' ? (JSON.parse(where) as Condition) : {};
  const [field = 'id', order = 'ASC'] = JSON.parse(query.sort ?? '[]') as string[];
  const found = stored.filter((record) => {
    if (definition.archive && (record.archive === true) !== (archive === 1)) return false;
    if (!matchesCondition(condition, record, {} as never)) return false;
    if (q && !JSON.stringify(record).toLowerCase().includes(String(q).toLowerCase())) return false;
    return Object.entries(filter).every(([name, value]) => {
      if (name.endsWith('_from')) return String(record[name.slice(0, -5)]) >= String(value);
      if (name.endsWith('_to')) return String(record[name.slice(0, -3)]) <= String(value);
      return Array.isArray(value) ? value.includes(record[name]) : record[name] === value;
    });
  });
  const sign = order === 'DESC' ? -1 : 1;
  return found.sort((one, other) => sign * compare(one[field], other[field]));
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other));
}

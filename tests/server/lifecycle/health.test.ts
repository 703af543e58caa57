// @module-tag slow
import { connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openProbe, type Probe } from '../../../src/server/database/probe';
import { createListeningServer } from '../../../src/server/http/listening-server';
import { createHealth } from '../../../src/server/lifecycle/health';
import { createTestDatabase, type TestDatabase } from '../../support/database';

/** Stands between a program and its database, and can hold back everything or hang up. */
interface Line {
  readonly url: string;
  /** How often something was sent to the database. */
  sent(): number;
  freeze(): void;
  cut(): Promise<void>;
}

let base: TestDatabase;
const servers: Server[] = [];
const probes: Probe[] = [];
beforeAll(async () => {
  base = await createTestDatabase();
});
afterAll(() => base.close());
afterEach(async () => {
  for (const probe of probes.splice(0)) await probe.close();
  for (const server of servers.splice(0)) server.close();
});

async function lineTo(url: string): Promise<Line> {
  const target = new URL(url);
  const { hostname, port } = target;
  const sockets = new Set<Socket>();
  let sent = 0;
  const server = createServer((near) => {
    near.on('data', () => sent++);
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  servers.push(server);
  target.port = String((server.address() as { port: number }).port);
  return {
    url: target.href,
    sent: () => sent,
    freeze: () => sockets.forEach((socket) => socket.unpipe().pause()),
    cut: () => {
      sockets.forEach((socket) => socket.destroy());
      return new Promise((done) => server.close(() => done()));
    },
  };
}

function probeOf(url: string): Probe {
  const probe = openProbe(url);
  probes.push(probe);
  return probe;
}

async function onDatabase(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: base.url, options: '-c default_transaction_read_only=off' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const name = () => new URL(base.url).pathname.slice(1);

test.each<[string, () => Promise<Probe>, string | undefined]>([
  ['that takes writes', async () => probeOf(base.url), undefined],
  [
    'that is read-only for new sessions',
    async () => {
      await onDatabase(`alter database ${name()} set default_transaction_read_only = on`);
      return probeOf(base.url);
    },
    'is read-only',
  ],
  [
    'that takes writes again',
    async () => {
      await onDatabase(`alter database ${name()} reset default_transaction_read_only`);
      return probeOf(base.url);
    },
    undefined,
  ],
  [
    'that is frozen',
    async () => {
      const line = await lineTo(base.url);
      const probe = probeOf(line.url);
      expect(await probe.trouble()).toBeUndefined();
      line.freeze();
      await forgotten();
      return probe;
    },
    'does not respond within 2 seconds',
  ],
  [
    'that has gone',
    async () => {
      const line = await lineTo(base.url);
      const probe = probeOf(line.url);
      expect(await probe.trouble()).toBeUndefined();
      await line.cut();
      await forgotten();
      return probe;
    },
    'cannot be reached',
  ],
  [
    'that refuses the password',
    async () => probeOf(Object.assign(new URL(base.url), { password: 'secret-1' }).href),
    'rejects the credentials of this program',
  ],
])('a database %s', async (_case, prepare, trouble) => {
  const probe = await prepare();
  const begun = Date.now();
  expect(await probe.trouble()).toBe(trouble);
  expect(Date.now() - begun).toBeLessThan(4_000);
});

/** Until what a probe said is asked again. */
const forgotten = () => new Promise((done) => setTimeout(done, 1_050));

test('concurrent checks, and checks within a second, run one database query', async () => {
  const line = await lineTo(base.url);
  const probe = probeOf(line.url);
  for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 50 }, () => probe.trouble()));
  // Three for the sign-in, and one question; more only where the machine took longer than a second for it.
  expect(line.sent()).toBeLessThan(10);
});

test('live and ready are served over HTTP during the whole life cycle', async () => {
  const health = createHealth();
  const front = createListeningServer(health);
  await front.listen(0, '127.0.0.1');
  const { port } = front.server.address() as { port: number };
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health${path}`, { method });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const statuses = async () => Promise.all(['', '/live', '/ready'].map(async (path) => (await ask(path)).status));

  expect(await statuses()).toEqual([503, 200, 503]);
  expect((await ask('/ready')).body).toMatchObject({
    message: 'Assay is not ready: it is starting.',
    code: 'UNAVAILABLE',
    checks: { program: 'starting', definitions: 'not loaded yet', database: 'not checked' },
  });

  // A call that came too early is answered as soon as there is something to answer it.
  const early = fetch(`http://127.0.0.1:${port}/api/shots`, { method: 'POST', body: '{"name":"Early"}' });
  await vi.waitFor(() => expect(front.inFlight()).toBe(1));
  front.setHandler((request, response) => request.pipe(response));
  expect(await (await early).text()).toBe('{"name":"Early"}');
  // What is served never answers: health is not behind it.
  front.setHandler(() => undefined);
  let trouble: string | undefined;
  health.markRunning(async () => trouble);
  expect(await statuses()).toEqual([200, 200, 200]);
  expect((await ask('')).body).toEqual({ status: 'ok' });
  expect((await ask('/ready?from=balancer')).body).toEqual({
    status: 'ok',
    checks: { program: 'ok', definitions: 'ok', database: 'ok' },
  });
  expect(await ask('/ready', 'HEAD')).toMatchObject({ status: 200, body: undefined });

  trouble = 'is read-only';
  expect(await statuses()).toEqual([503, 200, 503]);
  const refused = await ask('/ready');
  expect(refused.body).toMatchObject({
    message: 'Assay is not ready: the database is read-only.',
    checks: { database: 'is read-only' },
  });
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
  expect(refused.headers.get('x-request-id')).toBe(refused.body.request_id);

  trouble = undefined;
  health.markStopping();
  expect(await statuses()).toEqual([503, 200, 503]);
  expect((await ask('')).body.message).toBe('Assay is not ready: it is stopping.');
  await front.drain(3_000);
});

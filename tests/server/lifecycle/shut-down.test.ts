// @module-tag slow
import { Agent, request as send } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { createListeningServer, type ListeningServer } from '../../../src/server/http/listening-server';
import { restartInTurns } from '../../../scripts/resilience/rolling-restart';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startServerProcess, type ServerProcess } from '../modules/server-process';

const fronts: ListeningServer[] = [];
afterEach(() => Promise.all(fronts.splice(0).map((front) => front.drain(0))));

async function frontWith(answer: (path: string) => Promise<string>): Promise<{ front: ListeningServer; port: number }> {
  const front = createListeningServer();
  fronts.push(front);
  front.setHandler((request, response) => void answer(request.url ?? '').then((text) => response.end(text)));
  front.health.markRunning(async () => undefined);
  await front.listen(0, '127.0.0.1');
  return { front, port: (front.server.address() as { port: number }).port };
}

interface Got {
  readonly status: number;
  readonly connection: string | undefined;
  readonly text: string;
}

function get(port: number, path: string, agent?: Agent): Promise<Got> {
  return new Promise((done, fail) => {
    send({ port, path, agent, host: '127.0.0.1' }, (response) => {
      let text = '';
      response.on('data', (part) => (text += part));
      response.on('end', () => done({ status: response.statusCode!, connection: response.headers.connection, text }));
    })
      .on('error', fail)
      .end();
  });
}

describe('a draining server', () => {
  test('finishes running requests, closes used connections after their response, and closes idle ones', async () => {
    let finish = (): void => undefined;
    const { front, port } = await frontWith((path) =>
      path === '/slow' ? new Promise((done) => (finish = () => done('slow'))) : Promise.resolve('quick'),
    );
    const busy = new Agent({ keepAlive: true, maxSockets: 1 });
    const used = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await get(port, '/', used)).connection).toBe('keep-alive');
    const slow = get(port, '/slow', busy);
    await vi.waitFor(() => expect(front.inFlight()).toBe(1));
    const idle = connect(port, '127.0.0.1');
    const closed = new Promise<void>((done) => idle.once('close', () => done()));
    await new Promise<void>((done) => idle.once('connect', () => done()));

    front.health.markStopping();
    const drained = front.drain(15_000);
    // A connection that was in use just now takes one more request, and says goodbye with its answer.
    expect(await get(port, '/', used)).toEqual({ status: 200, connection: 'close', text: 'quick' });
    // Requests on new connections are taken until none has come for a moment.
    await vi.waitFor(() => expect(get(port, '/')).rejects.toThrow(/ECONNREFUSED/), { interval: 500 });
    idle.resume();
    await closed;
    finish();
    expect(await slow).toEqual({ status: 200, connection: 'close', text: 'slow' });
    await drained;
  });

  test('destroys connections that do not end', async () => {
    const { front, port } = await frontWith(() => new Promise(() => undefined));
    const hangs = get(port, '/never');
    hangs.catch(() => undefined);
    await vi.waitFor(() => expect(front.inFlight()).toBe(1));
    await front.drain(100);
    await expect(hangs).rejects.toThrow();
  });

  test('no request fails while two servers are restarted in turns under load', async () => {
    const outcome = await restartInTurns({
      restarts: 6,
      connections: 16,
      start: async () => {
        const { front, port } = await frontWith((path) => new Promise((done) => setTimeout(done, 5, path)));
        return {
          port,
          stop: async () => {
            front.health.markStopping();
            front.closeAfterResponse();
            await front.drain(8_000);
          },
        };
      },
      request: { path: '/api/anything' },
    });
    expect(outcome.failures).toEqual([]);
    expect(outcome.answerCount).toBeGreaterThan(500);
  });
});

describe('a program', () => {
  let database: TestDatabase | undefined;
  let server: ServerProcess | undefined;
  afterEach(async () => {
    await server?.kill();
    await database?.close();
  });

  test('stops within ten seconds with code 0 whatever runs, and logs no warning', async () => {
    database = await createTestDatabase(inject('demo'));
    server = await startServerProcess(database.url);
    const { admin, said } = server;
    const stream = await admin.stream('/events', new AbortController().signal);
    const ended = stream.closed;
    // A call that waits for a lock which nobody lets go of.
    const blocker = await database.database.pool.connect();
    await blocker.query('begin; lock table public.email_templates in access exclusive mode');
    const stuck = admin('GET', '/email-templates').then(
      ({ status }) => status,
      (error: Error) => error.message,
    );
    await vi.waitFor(async () => {
      const { rowCount } = await blocker.query('select from pg_locks where not granted');
      expect(rowCount).toBeGreaterThan(0);
    });
    const begun = Date.now();
    expect(await server.stop('SIGTERM')).toBe(0);
    expect(Date.now() - begun).toBeLessThan(10_500);
    await ended;
    expect([503, 'fetch failed']).toContain(await stuck);
    await blocker.query('rollback');
    blocker.release();
    const lines = said()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { level: number; msg: string; request_id?: string });
    // The call that waited is logged, as slow and as one that met a lock, and may be so after the end.
    const others = lines.filter((line) => line.request_id === undefined);
    expect(others.filter(({ level }) => level >= 40)).toEqual([]);
    expect(others.at(-1)!.msg).toBe('Assay has stopped');
  });

  test('exits at once at a second signal', async () => {
    database = await createTestDatabase(inject('demo'));
    server = await startServerProcess(database.url, { SHUTDOWN_DELAY: '60' });
    const first = server.stop('SIGTERM');
    await vi.waitFor(async () => {
      const ready = await server!.admin<{ checks: { program: string } }>('GET', '/health/ready');
      expect(ready).toMatchObject({ status: 503, body: { checks: { program: 'stopping' } } });
    });
    // Told by readiness alone: within the delay everything is served.
    expect((await server.admin('GET', '/email-templates')).status).toBe(200);
    await new Promise((done) => setTimeout(done, 300));
    const begun = Date.now();
    void server.stop('SIGTERM');
    expect(await first).toBe(143);
    expect(Date.now() - begun).toBeLessThan(2_000);
  });
});

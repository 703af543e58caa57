// @module-tag slow
import { afterEach, expect, test, vi } from 'vitest';
import { restartOnExit } from '../../../src/server/database/embedded/restart-on-exit';
import { startEmbedded } from '../../../src/server/database/embedded/start-embedded';
import type { SupervisedServer } from '../../../src/server/database/embedded/supervisor';
import { cleanUp, query, runs, serverPid, startedFolder, supervisorOf } from './programs';

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };

afterEach(async () => {
  vi.clearAllMocks();
  await cleanUp();
});

test.each(process.platform === 'linux' ? ['server', 'supervisor'] : ['server'])(
  'after kill -9 of the %s the data is served again at the same address',
  async (victim) => {
    const dataDir = await startedFolder();
    const database = await startEmbedded({ dataDir, log, fast: true });
    await query(database.url, 'create table kept as select 7 as answer');
    // The server that tests start writes to disk when it finds time for it.
    await query(database.url, 'checkpoint');
    const server = serverPid(dataDir);
    process.kill(victim === 'server' ? server : supervisorOf(server), 'SIGKILL');
    await vi.waitUntil(
      () => database.restarts() === 1 && log.info.mock.calls.flat().includes('The embedded database is running again'),
    );
    expect(await query(database.url, 'select answer from kept')).toEqual([{ answer: 7 }]);
    await vi.waitUntil(() => !runs(server));
    expect(log.error.mock.calls).toEqual([
      ['The embedded database has ended unexpectedly and is being restarted (1 of 3 times within ten minutes)'],
    ]);
    const again = serverPid(dataDir);
    await database.stop();
    expect(runs(again)).toBe(false);
  },
);

/** A server that ends when it is told to. */
function fakeServer(): SupervisedServer & { end(): void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((done) => (end = done));
  return { ended, end, stop: async () => end() };
}

test('a server that ends too often, or cannot start, is given up with a message', async () => {
  const first = fakeServer();
  const later = [fakeServer(), undefined, fakeServer()];
  const start = async () => {
    const next = later.shift();
    if (!next) throw new Error('The database does not start: its disk is full');
    queueMicrotask(next.end);
    return next;
  };
  const kept = restartOnExit(first, start, log, [0, 0, 0]);
  first.end();
  expect((await kept.failed).message).toMatch(
    /^The embedded database has ended unexpectedly 4 times within ten minutes and is not restarted; [^\n]+$/,
  );
  expect(kept.restarts()).toBe(3);
  expect(log.error.mock.calls.flat()).toContain('The database does not start: its disk is full');
  await kept.stop();
});

test('a server that is started while the program stops is stopped too', async () => {
  const first = fakeServer();
  const second = fakeServer();
  let started = (): void => undefined;
  const starting = new Promise<void>((done) => (started = done));
  let finish = (): void => undefined;
  const kept = restartOnExit(first, () => new Promise((done) => (started(), (finish = () => done(second)))), log, [0]);
  first.end();
  await starting;
  const stopped = kept.stop();
  finish();
  await stopped;
  await second.ended;
});

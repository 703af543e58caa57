import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openQueue, type Queue } from '../../../src/server/queue/queue';
import type { QueueData } from '../../../src/server/queue/queue-loop';
import { createTestDatabase, type TestDatabase } from '../../support/database';

let own: TestDatabase;
let servers: Queue[] = [];
const warnings: string[] = [];

beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own?.close());
beforeEach(async () => {
  warnings.length = 0;
  await sql`truncate assay.periodic_work`.execute(own.database.kysely);
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  servers = [];
});

async function server(): Promise<Queue> {
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  const queue = await openQueue(own.database, log, 0.1);
  servers.push(queue);
  return queue;
}

const nothingMissing = { searchEvery: 60, findMissing: async () => [] };
const workAll = (times: string[], name: string, every: number) => [
  { name, every, failure: 'It failed', run: async () => void times.push(name) },
];

test('a message is taken after its commit, by one of several servers, and not before its time', async () => {
  const taken: QueueData[] = [];
  const [one, two] = [await server(), await server()];
  for (const queue of [one, two])
    queue.work('mails', { ...nothingMissing, atOnce: 2, run: async (data) => void taken.push(data) });
  await own.database.transaction((trx) => one.send(trx, 'mails', [{ mail: 9 }], new Date(Date.now() + 60 * 60_000)));
  await expect(
    own.database.transaction(async (trx) => {
      await one.send(trx, 'mails', [{ mail: 8 }]);
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  const mails = Array.from({ length: 20 }, (_, index) => ({ mail: index }));
  await own.database.transaction((trx) => one.send(trx, 'mails', mails));
  await expect.poll(() => taken.length).toBe(20);
  expect(taken.map(({ mail }) => Number(mail)).sort((a, b) => a - b)).toEqual(mails.map(({ mail }) => mail));
});

test('a failed message is delivered again, and work without a message is found', async () => {
  const queue = await server();
  const taken: QueueData[] = [];
  let missing: QueueData[] = [{ job: 1 }];
  queue.work('jobs', {
    atOnce: 1,
    searchEvery: 0.1,
    findMissing: async () => missing.splice(0),
    run: async (data) => {
      taken.push(data);
      if (data.job === 2 && taken.length === 2) throw new Error('The database restarts.');
    },
  });
  await expect.poll(() => taken).toEqual([{ job: 1 }]);
  missing = [{ job: 2 }];
  await expect.poll(() => taken, { timeout: 15_000 }).toEqual([{ job: 1 }, { job: 2 }, { job: 2 }]);
  expect(warnings.join()).toContain('The database restarts.');
});

test('periodic work is done when a server starts and once in a period, whoever does it', async () => {
  const times: string[] = [];
  const [one, two] = [await server(), await server()];
  await one.repeat(workAll(times, 'daily', 24 * 60 * 60));
  await expect.poll(() => times).toEqual(['daily']);
  await two.repeat(workAll(times, 'daily', 24 * 60 * 60));
  await expect.poll(() => times).toHaveLength(2);
  // Its time has come: each of them looks, one of them does it.
  await sql`update assay.periodic_work set next_at = now()`.execute(own.database.kysely);
  await expect.poll(() => times, { timeout: 15_000 }).toHaveLength(3);
  const { rows } = await sql<{ hours: number }>`select extract(epoch from next_at - now())::float8 / 3600 as hours
    from assay.periodic_work`.execute(own.database.kysely);
  expect(rows).toEqual([{ hours: expect.closeTo(24, 1) }]);
});

test('periodic work that fails is logged, and does not keep others from theirs', async () => {
  const times: string[] = [];
  const queue = await server();
  const failing = { name: 'broken', every: 60, failure: 'Old things could not be deleted', run: vi.fn() };
  failing.run.mockRejectedValue(new Error('disk full'));
  await queue.repeat([failing, ...workAll(times, 'other', 60)]);
  await expect.poll(() => times).toEqual(['other']);
  await expect.poll(() => warnings.join()).toContain('Old things could not be deleted: disk full');
  expect(failing.run).toHaveBeenCalledTimes(1);
});

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  Interrupted,
  JobFailed,
  type Job,
  type JobKind,
  type JobQueue,
  type JobOutcome,
  type RunningJob,
} from '../../../src/server/jobs/job';
import { createJobQueue } from '../../../src/server/jobs/queue';
import { deleteOldJobs, findJob } from '../../../src/server/jobs/store';
import type { LiveEvent } from '../../../src/server/live/live-hub';
import { openQueue } from '../../../src/server/queue/queue';
import { createTestDatabase, type TestDatabase } from '../../support/database';

const parts = 5;
let own: TestDatabase;
let servers: { stop(): Promise<void> }[] = [];
let told: LiveEvent[] = [];

beforeAll(async () => {
  own = await createTestDatabase();
  await sql`create table public.stored (job_id integer, part integer)`.execute(own.database.kysely);
});
afterAll(() => own?.close());
beforeEach(async () => {
  told = [];
  await sql`truncate public.stored`.execute(own.database.kysely);
  await sql`truncate assay.jobs cascade`.execute(own.database.kysely);
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  servers = [];
});

/** A server on the test's database that does jobs of one kind. */
async function server(
  run: (job: RunningJob) => Promise<JobOutcome>,
  {
    atOnce = 3,
    perCompany = 2,
    beat = 100,
    ...kind
  }: Partial<JobKind> & { atOnce?: number; perCompany?: number; beat?: number } = {},
): Promise<JobQueue> {
  const { database } = own;
  const log = pino({ level: 'silent' });
  const queue = await openQueue(database, log, 0.1);
  const jobs = createJobQueue(
    {
      database,
      log,
      queue,
      settings: { databaseUrl: own.url, jobs: { maxConcurrent: atOnce, perCompany, retentionDays: 1 } },
      live: {
        publish: (event, trx) => (trx ? database.afterCommit(trx, () => void told.push(event)) : told.push(event)),
        publishLocally: () => undefined,
        subscribe: () => () => undefined,
        close: async () => undefined,
      },
    },
    { heartbeat: beat, poll: 100 },
  );
  servers.push({
    stop: async () => {
      await jobs.stop();
      await queue.stop();
    },
  });
  await jobs.start([
    {
      name: 'count',
      label: 'Count',
      grant: { resource: 'counts', action: 'create' },
      attempts: 3,
      run,
      describeSaved: ({ done }) => `${done} are stored.`,
      ...kind,
    },
  ]);
  return jobs;
}

/** Stores one row a part, each with its checkpoint; `before` is asked before each of them. */
const counting = (before: (part: number, job: RunningJob) => unknown = () => undefined) =>
  async function run(job: RunningJob): Promise<JobOutcome> {
    for (let part = ((job.place as number | null) ?? 0) + 1; part <= parts; part++) {
      await own.database.transaction(async (trx) => {
        await sql`insert into public.stored values (${job.id}, ${part})`.execute(trx);
        await before(part, job);
        await job.checkpoint(trx, { done: part, total: parts, place: part });
      });
    }
    return { result: { counted: parts }, message: 'Counted.' };
  };

const add = (jobs: JobQueue, user_id = 1, site_id: number | null = 1): Promise<Job> =>
  own.database.transaction((trx) =>
    jobs.enqueue(trx, { kind: 'count', title: 'A count', user_id, site_id, input: {} }),
  );
const stored = async (id: number) =>
  (
    await sql<{ part: number }>`select part from public.stored where job_id = ${id} order by part`.execute(
      own.database.kysely,
    )
  ).rows.map(({ part }) => part);
const all = Array.from({ length: parts }, (_, index) => index + 1);
const until = (id: number, is: (job: Job) => boolean) =>
  expect.poll(async () => is((await findJob(own.database.kysely, id))!), { interval: 20 }).toBe(true);
const aborted = ({ signal }: RunningJob) =>
  new Promise((done) => (signal.aborted ? done(0) : signal.addEventListener('abort', done)));

test('a job runs in parts, notifies its user, and returns its result', async () => {
  const jobs = await server(counting());
  const { id, state } = await add(jobs, 7);
  expect(state).toBe('waiting');
  expect(await jobs.waitForEnd(id)).toMatchObject({
    state: 'done',
    done: parts,
    total: parts,
    result: { counted: parts },
    message: 'Counted.',
  });
  expect(await stored(id)).toEqual(all);
  expect(told.length).toBeGreaterThanOrEqual(3);
  expect(told).toEqual(told.map(() => ({ resource: 'jobs', id, event: 'updated', site_id: 1, user_id: 7 })));
});

describe('a job resumes after its last checkpoint, without losing or repeating anything', () => {
  test('when its server has crashed', async () => {
    const jobs = await server(counting(), { atOnce: 1 });
    const { id } = await own.database.transaction(async (trx) => {
      const job = await jobs.enqueue(trx, { kind: 'count', title: '', user_id: 1, site_id: 1, input: {} });
      await sql`insert into public.stored values (${job.id}, 1), (${job.id}, 2)`.execute(trx);
      await sql`update assay.jobs set state = 'running', holder = ${randomUUID()}, place = '2', done = 2, attempts = 1,
        lease_until = now() + interval '300 milliseconds' where id = ${job.id}`.execute(trx);
      return job;
    });
    expect(await jobs.waitForEnd(id)).toMatchObject({ state: 'done', done: parts });
    expect(await stored(id)).toEqual(all);
  });

  test('when its server was presumed dead, and comes back in the middle of a part', async () => {
    let refused: unknown;
    let takenOver = (): void => undefined;
    const over = new Promise<void>((done) => (takenOver = done));
    const slow = counting(async (part) => {
      if (part === 3) await over;
    });
    // Its signs of life are too seldom for others.
    const first = await server(
      async (job) =>
        slow(job).catch((error: unknown) => {
          refused = error;
          throw error;
        }),
      { beat: 60_000 },
    );
    const { id } = await add(first);
    await until(id, ({ done }) => done === 2);
    const second = await server(counting());
    await sql`update assay.jobs set lease_until = now()`.execute(own.database.kysely);
    expect(await second.waitForEnd(id)).toMatchObject({ state: 'done' });
    takenOver();
    await expect.poll(() => refused).toBeInstanceOf(Interrupted);
    expect(await stored(id)).toEqual(all);
    expect(await findJob(own.database.kysely, id)).toMatchObject({ state: 'done', done: parts });
  });

  test('when its server stops: it is released at once, and no attempt is counted', async () => {
    const first = await server(counting((part, job) => part === 3 && aborted(job)));
    const { id } = await add(first);
    await until(id, ({ done }) => done === 2);
    const waiting = first.waitForEnd(id);
    await Promise.all([first.stop(), expect(waiting).rejects.toMatchObject({ status: 503, code: 'OUTCOME_UNKNOWN' })]);
    expect(await findJob(own.database.kysely, id)).toMatchObject({ state: 'waiting', done: 2, attempts: 0 });
    const second = await server(counting());
    expect(await second.waitForEnd(id)).toMatchObject({ state: 'done' });
    expect(await stored(id)).toEqual(all);
  });

  test('when a server error interrupts it', async () => {
    let faults = 0;
    const jobs = await server(
      counting((part) => {
        if (part === 4 && faults++ === 0) throw new Error('terminating connection');
      }),
    );
    const { id } = await add(jobs);
    await until(id, ({ state, message }) => state === 'waiting' && /continues automatically/.test(message ?? ''));
    await sql`update assay.jobs set next_at = now()`.execute(own.database.kysely);
    expect(await jobs.waitForEnd(id)).toMatchObject({ state: 'done' });
    expect(await stored(id)).toEqual(all);
  });
});

describe('a job that fails', () => {
  const failing = (error: Error) =>
    counting((part) => {
      if (part === 3) throw error;
    });
  const ends: [string, (job: RunningJob) => Promise<JobOutcome>, Partial<Job>][] = [
    [
      'says why',
      failing(new JobFailed('The count is wrong.')),
      { state: 'failed', repeatable: true, message: 'The count is wrong. 2 are stored.' },
    ],
    ['may be final', failing(new JobFailed('There is nothing.', true)), { state: 'failed', repeatable: false }],
  ];
  test.each(ends)('%s', async (_, run, expected) => {
    const jobs = await server(run);
    const { id } = await add(jobs);
    expect(await jobs.waitForEnd(id)).toMatchObject({ ...expected, done: 2 });
    expect(await countByState()).toEqual({ failed: 1 });
  });

  test('one that crashes its server each time is given up', async () => {
    const jobs = await server(counting());
    const { id } = await own.database.transaction(async (trx) => {
      const job = await jobs.enqueue(trx, { kind: 'count', title: '', user_id: 1, site_id: 1, input: {} });
      await sql`update assay.jobs set attempts = 3 where id = ${job.id}`.execute(trx);
      return job;
    });
    expect(await jobs.waitForEnd(id)).toMatchObject({
      state: 'failed',
      message: 'The server stopped 3 times while this was running. 0 are stored.',
    });
  });

  test('is retried from where it stopped', async () => {
    let isBroken = true;
    const jobs = await server(
      counting((part) => {
        if (part === 4 && isBroken) throw new JobFailed('Broken.');
      }),
    );
    const { id } = await add(jobs);
    await jobs.waitForEnd(id);
    isBroken = false;
    expect(await jobs.retry(id)).toMatchObject({ state: 'waiting', message: null });
    expect(await jobs.waitForEnd(id)).toMatchObject({ state: 'done' });
    expect(await stored(id)).toEqual(all);
    await expect(jobs.retry(id)).rejects.toMatchObject({ status: 409 });
  });
});

describe('cancelling', () => {
  test('ends a running job on any server: saved changes stay, and are reported', async () => {
    const first = await server(counting((part, job) => part === 3 && aborted(job)));
    const { id } = await add(first);
    await until(id, ({ done }) => done === 2);
    const second = await server(counting(), { name: 'another' });
    expect(await second.cancel(id)).toMatchObject({ state: 'running', message: 'Being cancelled.' });
    expect(await second.waitForEnd(id)).toMatchObject({
      state: 'cancelled',
      done: 2,
      message: 'Cancelled. 2 are stored.',
    });
    expect(await stored(id)).toEqual([1, 2]);
    await expect(first.cancel(id)).rejects.toMatchObject({ status: 409 });
  });

  test('removes a waiting job from the queue', async () => {
    const jobs = await server(
      counting((_, job) => aborted(job)),
      { atOnce: 1 },
    );
    await add(jobs);
    const { id } = await add(jobs);
    expect(await jobs.cancel(id)).toMatchObject({ state: 'cancelled', message: 'Cancelled. 0 are stored.' });
  });
});

test('one company cannot use all slots, and one user cannot fill the queue', async () => {
  const seen: Job[] = [];
  const jobs = await server(
    counting(async (part, job) => {
      if (part === 1) seen.push(job);
      await aborted(job);
    }),
    { atOnce: 3, perCompany: 2 },
  );
  for (let index = 0; index < 20; index++) await add(jobs, 1, 1);
  await expect(add(jobs, 1, 1)).rejects.toMatchObject({ status: 429 });
  await add(jobs, 2, 2);
  await expect.poll(() => seen.map(({ site_id }) => site_id).toSorted()).toEqual([1, 1, 2]);
  // Another server has places, and yet the share of the first company is used up.
  const other = await server(counting(), { atOnce: 3, perCompany: 2 });
  const { id } = await add(other, 3, null);
  expect(await other.waitForEnd(id)).toMatchObject({ state: 'done' });
  expect(await countByState()).toMatchObject({ running: 3, waiting: 18 });
});

test('jobs that ended long ago are deleted', async () => {
  const jobs = await server(counting());
  const [old, young] = [await add(jobs), await add(jobs)];
  await Promise.all([jobs.waitForEnd(old.id), jobs.waitForEnd(young.id)]);
  await sql`update assay.jobs set finished_at = now() - interval '25 hours' where id = ${old.id}`.execute(
    own.database.kysely,
  );
  await deleteOldJobs(own.database.kysely, 1);
  expect(await findJob(own.database.kysely, old.id)).toBeUndefined();
  expect(await findJob(own.database.kysely, young.id)).toMatchObject({ state: 'done' });
});

async function countByState(): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::integer as count from assay.jobs group by state`.execute(own.database.kysely);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

import { sql, type RawBuilder } from 'kysely';
import type { Queries, Transaction } from '../database/database';
import { onEngineTables } from '../database/engine-tables';
import type { Checkpoint, Job, JobState, NewJob } from './job';
import { firstOf, requireValue } from '../../engine/values/lookups';

/** Limits of claims. */
export interface ClaimLimits {
  /** How long a claim is valid without renewal, in seconds. */
  readonly lease: number;
  /** Jobs of one company that may run at the same time, on all servers together. */
  readonly perCompany: number;
}

/**
 * A claim on a job, identified by a UUID of its own, so that a holder whose claim has expired cannot write under a
 * later one.
 */
export interface Claim {
  readonly holder: string;
  readonly lease: number;
}

/** A filter of visible jobs; null: all. */
export type JobFilter = RawBuilder<boolean> | null;

const columns = sql`id::float8 as id, kind, title, site_id, user_id, state, input, place, done, total, result, message,
  attempts, repeatable, cancel_wanted, next_at, created_at, started_at, finished_at`;
const filterSql = (reach: JobFilter) => reach ?? sql<boolean>`true`;
const leaseEnd = ({ lease }: Pick<ClaimLimits, 'lease'>) => sql`now() + make_interval(secs => ${lease})`;

async function executeOne(queries: Queries, statement: RawBuilder<Job>): Promise<Job | undefined> {
  return (await statement.execute(queries)).rows[0];
}

/** Stores a waiting job and returns it. */
export async function insertJob(trx: Transaction, job: NewJob): Promise<Job> {
  const { kind, title, site_id, user_id, input } = job;
  const insertedJob = await executeOne(
    trx,
    sql<Job>`insert into assay.jobs (kind, title, site_id, user_id, input)
    values (${kind}, ${title}, ${site_id}, ${user_id}, ${JSON.stringify(input)}::jsonb) returning ${columns}`,
  );
  return requireValue(insertedJob, 'the inserted job');
}

/** The number of unfinished jobs of a user. */
export async function countOpenJobs(queries: Queries, userId: number): Promise<number> {
  const { open } = await onEngineTables(queries)
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('user_id', '=', userId)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirstOrThrow();
  return open;
}

export function findJob(queries: Queries, id: number, reach: JobFilter = null): Promise<Job | undefined> {
  return executeOne(queries, sql<Job>`select ${columns} from assay.jobs where id = ${id} and ${filterSql(reach)}`);
}

/** Reads a job and locks it until the transaction ends. */
export function lockJob(trx: Transaction, id: number): Promise<Job | undefined> {
  return executeOne(trx, sql<Job>`select ${columns} from assay.jobs where id = ${id} for update`);
}

/** A page of jobs, newest first, and the total. */
export async function listJobs(
  queries: Queries,
  reach: JobFilter,
  {
    kinds,
    states,
    from: offset,
    limit,
  }: { kinds?: readonly string[]; states?: readonly string[]; from: number; limit: number },
): Promise<{ jobs: Job[]; total: number }> {
  const condition = sql`${filterSql(reach)} and ${kinds ? sql`kind = any(${kinds}::text[])` : sql`true`}
    and ${states ? sql`state = any(${states}::text[])` : sql`true`}`;
  const [{ rows: jobs }, { rows: countRows }] = await Promise.all([
    sql<Job>`select ${columns} from assay.jobs where ${condition} order by id desc limit ${limit} offset ${offset}`.execute(
      queries,
    ),
    sql<{ n: number }>`select count(*)::integer as n from assay.jobs where ${condition}`.execute(queries),
  ]);
  return { jobs, total: firstOf(countRows).n };
}

/**
 * Claims the next job: one that is waiting, or whose server has not renewed its lease. The company with the fewest
 * running jobs comes first. Claims run one at a time, since concurrent ones would exceed the limits.
 */
export async function claimJob(
  trx: Transaction,
  {
    holder,
    lease,
    perCompany,
    kinds,
    except: ignoredJobs,
  }: Claim & ClaimLimits & { kinds: readonly string[]; except: readonly number[] },
): Promise<Job | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended('assay.jobs', 0))`.execute(trx);
  return executeOne(
    trx,
    sql<Job>`
    with taken as (
      select coalesce(site_id, 0) as company, count(*)::integer as places from assay.jobs
      where state = 'running' and lease_until > now() group by 1
    ), next as (
      select j.id from assay.jobs j left join taken t on t.company = coalesce(j.site_id, 0)
      where (j.state = 'waiting' and j.next_at <= now() or j.state = 'running' and j.lease_until <= now())
        and j.kind = any(${kinds}::text[]) and coalesce(t.places, 0) < ${perCompany}
        and j.id <> all(${ignoredJobs}::bigint[])
      order by coalesce(t.places, 0), j.next_at, j.id limit 1 for update of j skip locked
    )
    update assay.jobs set state = 'running', holder = ${holder}, lease_until = ${leaseEnd({ lease })},
      attempts = attempts + 1, message = null, started_at = coalesce(started_at, now())
    where id in (select id from next) returning ${columns}`,
  );
}

/** Jobs that could have been claimed for so many seconds: those of a killed server, and some of companies at their limit. */
export async function findDueJobs(queries: Queries, lateSeconds: number, limit: number): Promise<{ job: number }[]> {
  const { rows } = await sql<{ job: number }>`select id::float8 as job from assay.jobs
    where state = 'waiting' and next_at <= now() - make_interval(secs => ${lateSeconds})
      or state = 'running' and lease_until <= now()
    order by next_at limit ${limit}`.execute(queries);
  return rows;
}

/** Renews claims. Returns those that are still valid. */
export async function renewLeases(
  queries: Queries,
  { holders, lease }: { holders: readonly string[]; lease: number },
): Promise<{ id: number; cancel_wanted: boolean }[]> {
  const { rows } = await sql<{ id: number; cancel_wanted: boolean }>`update assay.jobs
    set lease_until = ${leaseEnd({ lease })} where holder = any(${holders}::uuid[]) and state = 'running'
    returning id::float8 as id, cancel_wanted`.execute(queries);
  return rows;
}

/** Saves the progress of a job; undefined if the claim is no longer valid, or the job is to be cancelled. */
export function storeCheckpoint(
  trx: Transaction,
  claim: Claim,
  id: number,
  { done: doneCount, total, place: position }: Checkpoint,
): Promise<Job | undefined> {
  return executeOne(
    trx,
    sql<Job>`update assay.jobs set done = ${doneCount}, total = ${total},
    place = ${JSON.stringify(position)}::jsonb, attempts = 0, lease_until = ${leaseEnd(claim)}
    where id = ${id} and holder = ${claim.holder} and state = 'running' and not cancel_wanted returning ${columns}`,
  );
}

/** Ends a job; undefined if the claim is no longer valid. */
export function endJob(
  trx: Transaction,
  { holder }: Claim,
  id: number,
  end: { state: JobState; result: unknown; message: string; repeatable: boolean },
): Promise<Job | undefined> {
  return executeOne(
    trx,
    sql<Job>`update assay.jobs set state = ${end.state}, result = ${JSON.stringify(end.result)}::jsonb,
    message = ${end.message}, repeatable = ${end.repeatable}, holder = null, lease_until = null, finished_at = now()
    where id = ${id} and holder = ${holder} and state = 'running' returning ${columns}`,
  );
}

/** Releases a job, to be started again after some seconds; `uncounted`: this does not count as an attempt. */
export function releaseJob(
  trx: Transaction,
  { holder }: Claim,
  id: number,
  retry: { seconds: number; message: string | null; uncounted: boolean },
): Promise<Job | undefined> {
  return executeOne(
    trx,
    sql<Job>`update assay.jobs set state = 'waiting', holder = null, lease_until = null,
    next_at = now() + make_interval(secs => ${retry.seconds}), message = ${retry.message},
    attempts = case when ${retry.uncounted} then greatest(attempts - 1, 0) else attempts end
    where id = ${id} and holder = ${holder} and state = 'running' returning ${columns}`,
  );
}

/** Cancels a waiting job, or asks the server of a running one to cancel it; undefined if it has ended. */
export function cancelJob(trx: Transaction, id: number, message: string): Promise<Job | undefined> {
  return executeOne(
    trx,
    sql<Job>`update assay.jobs set cancel_wanted = true,
    message = case when state = 'waiting' then ${message} else 'Being cancelled.' end,
    finished_at = case when state = 'waiting' then now() end,
    state = case when state = 'waiting' then 'cancelled' else state end
    where id = ${id} and state in ('waiting', 'running') returning ${columns}`,
  );
}

/** Retries a failed or cancelled job; undefined if it is neither, or cannot be retried. */
export function retryJob(trx: Transaction, id: number): Promise<Job | undefined> {
  return executeOne(
    trx,
    sql<Job>`update assay.jobs set state = 'waiting', cancel_wanted = false, attempts = 0, message = null,
    result = null, finished_at = null, next_at = now()
    where id = ${id} and state in ('failed', 'cancelled') and repeatable returning ${columns}`,
  );
}

/** Releases jobs that a previous run left running. Only if no other server is running. */
export async function releaseAllJobs(queries: Queries): Promise<void> {
  await onEngineTables(queries)
    .updateTable('jobs')
    .set({ lease_until: sql`now()` })
    .where('state', '=', 'running')
    .execute();
}

/** Deletes jobs that ended so many days ago. */
export async function deleteOldJobs(queries: Queries, days: number): Promise<void> {
  await sql`delete from assay.jobs where finished_at < now() - make_interval(days => ${days})`.execute(queries);
}

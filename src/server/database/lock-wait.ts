import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { StartError } from '../lifecycle/start-error';
import { isLockedError, lockRetryPause } from './busy-locks';
import { schemaLockKey } from './schema-lock';

/**
 * Runs something that needs locks in the database, and again as long as others hold one of them. Throws a StartError in
 * one line that says who holds which, after the limit; and the reason of the signal if the program is stopped meanwhile.
 */
export type WhenUnlocked = <T>(run: () => Promise<T>) => Promise<T>;

interface LockWaitOptions {
  readonly pool: pg.Pool;
  /** The processes of the server that work for this program; undefined behind a pooler, which has its own. */
  readonly processIds: () => readonly number[] | undefined;
  /** Milliseconds after which waiting ends. */
  readonly limit: number;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Creates a wait for locks, which logs once who holds which. */
export function createLockWait({ pool, processIds, limit, log, signal }: LockWaitOptions): WhenUnlocked {
  return async (run) => {
    const startTime = performance.now();
    let blocker: string | undefined;
    const onBlocker = (words: string): void => {
      if (words === blocker) return;
      blocker = words;
      const left = Math.ceil(Math.max(0, limit - (performance.now() - startTime)) / 1_000);
      log.warn(`Waiting for ${words}; trying again for ${left} s`);
    };
    for (;;) {
      const stopWatching = watchLocks(pool, processIds, onBlocker);
      try {
        return await run();
      } catch (error) {
        if (!isLockedError(error)) throw error;
        const waitedMs = performance.now() - startTime;
        if (waitedMs > limit) throw new StartError(describeEnd(blocker, waitedMs));
      } finally {
        await stopWatching();
      }
      signal.throwIfAborted();
      await pause(lockRetryPause(), undefined, { signal });
    }
  };
}

function describeEnd(blocker: string | undefined, waitedMs: number): string {
  const lock = blocker ?? 'a lock that another session of the database holds';
  return `Waited ${Math.round(waitedMs / 1_000)} s in vain for ${lock}. Let that transaction end, or end it with pg_terminate_backend, then try again (DATABASE_WAIT is the limit)`;
}

/** Milliseconds until the first look at what is waited for, less than any lock timeout, and between two looks. */
const firstLook = 100;
const lookInterval = 250;

/** Calls back with words for what the processes wait for, again and again. Returns a function that stops it. */
function watchLocks(
  pool: pg.Pool,
  processIds: () => readonly number[] | undefined,
  onBlocker: (words: string) => void,
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    // A database that does not answer this ends the wait with its own error.
    const words = await findBlocker(pool, processIds()).catch(() => undefined);
    if (words !== undefined) onBlocker(words);
    if (!isStopped) plan(lookInterval);
  };
  const plan = (delay: number): void => {
    timer = setTimeout(() => {
      looking = look();
    }, delay);
  };
  plan(firstLook);
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await looking;
  };
}

interface BlockedLock {
  readonly locktype: string;
  readonly table: string | null;
  readonly key: number | null;
  readonly pid: number;
  readonly application: string | null;
  readonly user: string | null;
  readonly address: string | null;
  readonly state: string | null;
  readonly since: string | null;
}

/** Describes a lock that one of the processes waits for, and the oldest transaction that holds it. */
async function findBlocker(pool: pg.Pool, processIds: readonly number[] | undefined): Promise<string | undefined> {
  const { rows } = await pool.query<BlockedLock>(
    `select w.locktype, case n.nspname when 'public' then c.relname else n.nspname || '.' || c.relname end as table,
      case when w.locktype = 'advisory' and w.classid = 0 then w.objid::bigint end as key,
      b.pid, s.application_name as application, s.usename as user, host(s.client_addr) as address, s.state,
      to_char(s.xact_start at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
    from pg_locks w join pg_stat_activity a on a.pid = w.pid
    cross join lateral unnest(pg_blocking_pids(w.pid)) b (pid)
    left join pg_stat_activity s on s.pid = b.pid
    left join lateral (select relation from pg_locks where pid = w.pid and locktype = 'tuple' limit 1) t on true
    left join pg_class c on c.oid = coalesce(w.relation, t.relation) left join pg_namespace n on n.oid = c.relnamespace
    where not w.granted and a.datname = current_database()
      and case when $1::bigint[] is null then a.application_name = 'assay' else w.pid = any($1) end
    order by s.xact_start limit 1`,
    [processIds ?? null],
  );
  return rows[0] && describeBlocker(rows[0]);
}

function describeBlocker({ pid, application, user, address, state, since: lockedSince, ...lock }: BlockedLock): string {
  // A prepared transaction has no process.
  if (pid === 0) return `${describeLock(lock)}, held by a prepared transaction (pg_prepared_xacts)`;
  const details = [application, user && `user ${user}`, address, state].filter((part) => part);
  const time = lockedSince === null ? '' : ` in a transaction since ${lockedSince}`;
  return `${describeLock(lock)}, held by process ${pid} (${details.join(', ')})${time}`;
}

function describeLock({ locktype, table, key }: Pick<BlockedLock, 'locktype' | 'table' | 'key'>): string {
  if (locktype === 'relation') return `the table ${table}`;
  if (locktype === 'advisory')
    return key === schemaLockKey ? 'the lock of those who change tables' : 'a lock of another server';
  return table === null ? 'a change that another session has not committed' : `a row of ${table}`;
}

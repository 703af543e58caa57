import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import { TooManyRequests } from '../../errors/errors';
import type { Program } from '../../program';
import { recordSecurityEvent } from '../../security-log/security-log';
import { networkKey, mailboxKey, signInLimits, formatWait } from './attempts';
import { oneRow } from '../../database/one-row';
import { requireValue } from '../../../engine/values/lookups';

const minute = 60_000;
const day = 24 * 60 * minute;
/** Failed sign-ins of an account, from all networks, after which it has to wait between attempts, longer each time. */
export const freeFailures = 20;
/** The longest wait between two attempts for an account, in milliseconds. */
const maxWait = 15 * minute;
/**
 * Failed sign-ins from a network after which each unknown account has one attempt from there, and after which it has
 * none.
 */
const networkFailures = { restricting: 100, blocking: 1000 } as const;
/** How long a network is known to a user after signing in from there, in milliseconds. */
const knownNetworkLifetime = 90 * day;

/** An attempt that counts as failed until it succeeds. */
export interface SignInAttempt {
  markSucceeded(): Promise<void>;
}

/**
 * How long an account has to wait after so many failures, in milliseconds: not at first, then a minute, doubled each
 * time.
 */
export function waitAfter(failures: number): number {
  return failures < freeFailures ? 0 : Math.min(maxWait, minute * 2 ** Math.min(failures - freeFailures, 10));
}

/**
 * Counts a sign-in attempt before it is made, so that concurrent attempts cannot exceed the limits. Throws TooMany
 * - after ten failures of the account from this network within 15 minutes;
 * - while the account has to wait because of failures from all networks, unless the network is known to be its owner's:
 *   nobody can lock out somebody else for good;
 * - if a network failed so often that it looks like a search for accounts; users who have signed in from there before
 *   still can, so that an office behind one address is not locked out together with an attacker.
 *
 * Addresses without an account are counted in the same way. `notify` is called within the transaction when the account
 * has to wait for the first time in a day.
 */
export async function countSignInAttempt(
  program: Program,
  email: string,
  address: string,
  notify: (trx: Transaction) => Promise<void>,
): Promise<SignInAttempt> {
  const { database } = program;
  const now = new Date();
  const guard: Guard = { account: mailboxKey(email), network: networkHash(address), now };
  const [pair, network] = signInLimits(email, address) as [PairLimit, PairLimit];
  try {
    await database.transaction(async (trx) => {
      for (const key of [pair.key, network.key, guard.account].sort()) {
        await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
      }
      const state = await loadState(trx, guard, pair, network);
      assertAllowed(state, pair.times, now);
      await countFailure(trx, guard, [pair.key, network.key]);
      if (state.failures + 1 >= freeFailures && !state.noticed) {
        await onEngineTables(trx)
          .updateTable('sign_in_guards')
          .set({ noticed_at: now })
          .where('key', '=', guard.account)
          .execute();
        await notify(trx);
      }
    });
  } catch (error) {
    if (error instanceof TooManyRequests)
      void recordSecurityEvent(program, {
        event: 'limited',
        subject: 'login',
        key: `limited login ${guard.account} ${guard.network}`,
      });
    throw error;
  }
  await deleteOldRows(program, now);
  return {
    markSucceeded: () =>
      database.transaction(async (trx) => {
        await sql`delete from assay.attempts where ctid in (
          select distinct on (key) ctid from assay.attempts
          where at = ${now} and key = any(${[pair.key, network.key]}))`.execute(trx);
        await resetFailures(trx, email, address);
      }),
  };
}

/**
 * Resets an account's failures and records the network as its owner's: they signed in, or proved that the mailbox is
 * theirs.
 */
export async function resetFailures(trx: Transaction, email: string, address: string): Promise<void> {
  const [account, now] = [mailboxKey(email), new Date()];
  // The time of the owner's notification stays: at most one a day.
  await onEngineTables(trx).updateTable('sign_in_guards').set({ failures: 0 }).where('key', '=', account).execute();
  await sql`insert into assay.known_networks (key, network, last_at) values (${account}, ${networkHash(address)}, ${now})
    on conflict (key, network) do update set last_at = excluded.last_at
    where known_networks.last_at < excluded.last_at - interval '1 day'`.execute(trx);
}

interface Guard {
  readonly account: string;
  readonly network: string;
  readonly now: Date;
}

interface PairLimit {
  readonly key: string;
  readonly times: number;
  readonly within: number;
}

interface GuardState {
  readonly failures: number;
  readonly last: string | null;
  readonly noticed: boolean;
  readonly known: boolean;
  /** Failures of the account from this network, and when the oldest of them expires. */
  readonly failuresHere: number;
  readonly oldestHere: string | null;
  readonly failuresOfNetwork: number;
}

/** Loads everything that the decision needs in one statement. Failures of an account expire after a day without any. */
async function loadState(trx: Transaction, guard: Guard, pair: PairLimit, network: PairLimit): Promise<GuardState> {
  const windowStart = new Date(guard.now.getTime() - pair.within);

  return oneRow(
    await sql<GuardState>`select
      coalesce(g.failures, 0) as failures, g.last_at as last,
      coalesce(g.noticed_at > ${new Date(guard.now.getTime() - day)}, false) as noticed,
      exists (select 1 from assay.known_networks k where k.key = ${guard.account} and k.network = ${guard.network}
        and k.last_at > ${new Date(guard.now.getTime() - knownNetworkLifetime)}) as known,
      here.times as "failuresHere", here.oldest as "oldestHere",
      (select count(*)::integer from (select 1 from assay.attempts where key = ${network.key} and at > ${windowStart}
        limit ${networkFailures.blocking}) counted) as "failuresOfNetwork"
    from (select count(*)::integer as times, min(at) as oldest from
        (select at from assay.attempts where key = ${pair.key} and at > ${windowStart} order by at desc limit ${pair.times}) counted) here
      left join assay.sign_in_guards g on g.key = ${guard.account} and g.last_at > ${new Date(guard.now.getTime() - day)}`.execute(
      trx,
    ),
  );
}

function assertAllowed(state: GuardState, timesHere: number, now: Date): void {
  const window = 15 * minute;
  if (state.failuresHere >= timesHere)
    throw tooManyAttempts(
      Date.parse(requireValue(state.oldestHere, 'the time of the oldest failure')) + window - now.getTime(),
    );
  if (state.known) return;
  const pause = waitAfter(state.failures);
  // Of two concurrent attempts, the later one may have been counted first: without a pause there is nothing to wait
  // for.
  if (pause > 0 && state.last !== null) {
    const wait = Date.parse(state.last) + pause - now.getTime();
    if (wait > 0) throw tooManyAttempts(wait);
  }
  const { restricting: strict, blocking } = networkFailures;
  if (state.failuresOfNetwork >= blocking || (state.failuresOfNetwork >= strict && state.failuresHere > 0))
    throw tooManyAttempts(window);
}

async function countFailure(trx: Transaction, { account, now }: Guard, keys: readonly string[]): Promise<void> {
  await sql`insert into assay.attempts (key, at) select unnest(${keys}::text[]), ${now}`.execute(trx);
  await sql`insert into assay.sign_in_guards (key, failures, last_at) values (${account}, 1, ${now})
    on conflict (key) do update set last_at = excluded.last_at,
      failures = case when sign_in_guards.last_at > ${new Date(now.getTime() - day)} then sign_in_guards.failures + 1 else 1 end`.execute(
    trx,
  );
}

function tooManyAttempts(wait: number): TooManyRequests {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return new TooManyRequests(
    seconds,
    `Too many attempts. Please try again in ${formatWait(seconds)}, or reset your password.`,
  );
}

/** Deletes expired rows, a few at a time; rows that another server is deleting are skipped. */
async function deleteOldRows({ database }: Program, now: Date): Promise<void> {
  const older = (span: number) => new Date(now.getTime() - span);
  await sql`with attempts as (
      delete from assay.attempts where ctid in
        (select ctid from assay.attempts where at < ${older(day)} limit 1000 for update skip locked)),
    guards as (
      delete from assay.sign_in_guards where key in
        (select key from assay.sign_in_guards where last_at < ${older(day)} limit 100 for update skip locked))
    delete from assay.known_networks where (key, network) in
      (select key, network from assay.known_networks where last_at < ${older(knownNetworkLifetime)} limit 100 for update skip locked)`.execute(
    database.kysely,
  );
}

function networkHash(address: string): string {
  return createHash('sha256')
    .update(`network ${networkKey(address)}`)
    .digest('base64url');
}

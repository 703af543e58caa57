import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Registry } from '../../engine/registry/registry';
import { isLockedError, lockRetryPause, tableLockTimeout, TablesBusyError } from '../database/busy-locks';
import type { Queries, Transaction } from '../database/database';
import { distributeNewTables } from './distribution';
import { createRowQueries, introspect } from './row-queries';
import { followRenames } from './follow-renames';
import { planSync } from './plan';
import { planPurge, type PurgeRequest } from './purge';
import type { SchemaRole } from './schema-role';
import type { Step } from './step';
import { qualifiedTable } from './target-schema';

/** The steps that a sync applied and those that it skipped. */
export interface SyncResult {
  readonly appliedSteps: readonly Step[];
  /** All steps of resources for which a step would lose stored values: such tables stay unchanged. */
  readonly refusedSteps: readonly Step[];
}

/** Thrown for a step that PostgreSQL refused; the whole sync was undone. */
export class SyncError extends Error {
  constructor(
    readonly step: Step,
    override readonly cause: Error,
  ) {
    super(`${step.text}: ${cause.message}`);
  }
}

/** The steps that a sync would do now, with row counts. Changes nothing. */
export async function currentPlan(
  database: Queries,
  registry: Registry,
  { previousRegistry, role }: Pick<SyncOptions, 'previousRegistry' | 'role'> = {},
): Promise<Step[]> {
  return planSync(registry, await introspect(database), createRowQueries(database), { previousRegistry, role });
}

/** How tables follow definitions. */
export interface SyncOptions {
  /** Confirms steps that lose stored values. */
  readonly destructive?: boolean;
  /** The definitions whose indexes are dropped if the new ones don't need them. */
  readonly previousRegistry?: Registry;
  /** Hidden columns to drop, which also needs `destructive`. */
  readonly purge?: PurgeRequest;
  readonly role?: SchemaRole;
  /** The resource whose tables alone are changed. */
  readonly resource?: string;
}

/**
 * Changes the tables to match the definitions, within a transaction that holds the schema lock; the caller has to forget
 * prepared statements after its commit. Skips destructive steps, and with them all steps of their resource, unless
 * `destructive` confirms them. Throws TablesBusyError if tables stay locked, and SyncError if PostgreSQL refuses a step.
 */
export async function syncInTransaction(
  trx: Transaction,
  registry: Registry,
  options: SyncOptions = {},
): Promise<SyncResult> {
  const wholePlan = await currentPlan(trx, registry, options);
  const plan = wholePlan.filter(({ resource }) => options.resource === undefined || resource === options.resource);
  const purgeSteps = options.purge
    ? await planPurge(registry, await introspect(trx), createRowQueries(trx), options.purge)
    : [];
  const result = await applyPlan(trx, [...plan, ...purgeSteps], options.destructive ?? false);
  await followRenames(trx, registry, new Set(result.refusedSteps.map(({ resource }) => resource)));
  return result;
}

async function applyPlan(trx: Transaction, plan: readonly Step[], destructive: boolean): Promise<SyncResult> {
  const destructiveResources = new Set(
    destructive ? [] : plan.filter((step) => step.destructive).map((step) => step.resource),
  );
  const appliedSteps = plan.filter((step) => !destructiveResources.has(step.resource) && !step.inBackground);
  await lockTables(trx, locksOf(appliedSteps));
  const lastTable = appliedSteps.findLast(({ kind }) => kind === 'createTable');
  for (const step of appliedSteps) {
    await sql
      .raw(step.sql)
      .execute(trx)
      .catch((error: Error) => {
        throw isLockedError(error) ? new TablesBusyError() : new SyncError(step, error);
      });
    // Foreign keys follow, which only tables of the cluster can have to others of it.
    if (step === lastTable) await distributeNewTables(trx);
  }
  return { appliedSteps, refusedSteps: plan.filter((step) => destructiveResources.has(step.resource)) };
}

const maxAttempts = 40;

/** From weakest to strongest. Creating an index only blocks writing, changing a table also blocks reading. */
const lockModes = ['share', 'share row exclusive', 'access exclusive'] as const;
type LockMode = (typeof lockModes)[number];

/** The strongest lock that steps need, by table. */
function locksOf(steps: readonly Step[]): Map<string, LockMode> {
  const locks = new Map<string, LockMode>();
  for (const step of steps) {
    const mode = lockModeOf(step);
    for (const table of step.locks) {
      const currentLock = locks.get(table);
      if (!currentLock || lockModes.indexOf(currentLock) < lockModes.indexOf(mode)) locks.set(table, mode);
    }
  }
  return locks;
}

function lockModeOf({ kind }: Step): LockMode {
  if (kind === 'createIndex') return 'share';
  return kind === 'addForeignKey' || kind === 'renameValues' ? 'share row exclusive' : 'access exclusive';
}

/**
 * Takes all locks, given by table, in one order and at once, and releases all of them to try again if one is not
 * available: whoever changes tables gives way to those who use them. For the rest of the transaction no other lock is
 * waited for any longer. Throws TablesBusyError after the last attempt.
 */
export async function lockTables(trx: Transaction, locks: ReadonlyMap<string, LockMode>): Promise<void> {
  if (locks.size === 0) return;
  const inOrder = [...locks].sort(([a], [b]) => (a < b ? -1 : 1));
  for (let attempt = 1; !(await tryLocks(trx, inOrder)); attempt++) {
    if (attempt === maxAttempts) throw new TablesBusyError();
    await pause(lockRetryPause());
  }
}

async function tryLocks(trx: Transaction, locks: readonly (readonly [string, LockMode])[]): Promise<boolean> {
  await sql.raw(`savepoint locks; set local lock_timeout = ${tableLockTimeout}`).execute(trx);
  try {
    for (const [table, mode] of locks)
      await sql.raw(`lock table ${qualifiedTable(table)} in ${mode} mode`).execute(trx);
    await sql`release savepoint locks`.execute(trx);
    return true;
  } catch (error) {
    if (!isLockedError(error)) throw error;
    await sql`rollback to savepoint locks`.execute(trx);
    return false;
  }
}

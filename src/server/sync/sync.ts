import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Registry } from '../../engine/definitions/registry';
import type { Queries, Transaction } from '../database/database';
import { createRowQueries } from './row-queries';
import { followRenames } from './follow-renames';
import { introspect } from './introspect';
import { planSync } from './plan';
import { planPurge, type PurgeRequest } from './purge';
import type { Step } from './step';
import { qualifiedTable } from './target-schema';

/** What a sync did and what it skipped. */
export interface SyncResult {
  readonly applied: readonly Step[];
  /** All steps of resources for which a step would lose stored values: such tables stay unchanged. */
  readonly refused: readonly Step[];
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
export async function currentPlan(database: Queries, registry: Registry, before?: Registry): Promise<Step[]> {
  return planSync(registry, await introspect(database), createRowQueries(database), { before });
}

/**
 * Changes the tables to match the definitions, within a transaction that holds the schema lock; the caller has to forget
 * prepared statements after its commit. Skips destructive steps, and with them all steps of their resource, unless
 * `destructive` confirms them. `before` are the definitions whose indexes are dropped if the new ones don't need them. `purge` names
 * hidden columns to drop, which also needs `destructive`. Throws TablesBusyError if tables stay locked, and SyncError
 * if PostgreSQL refuses a step.
 */
export async function syncInTransaction(
  trx: Transaction,
  registry: Registry,
  options: { destructive?: boolean; purge?: PurgeRequest; before?: Registry } = {},
): Promise<SyncResult> {
  const plan = await currentPlan(trx, registry, options.before);
  const purged = options.purge
    ? await planPurge(registry, await introspect(trx), createRowQueries(trx), options.purge)
    : [];
  const result = await applyPlan(trx, [...plan, ...purged], options.destructive ?? false);
  await followRenames(trx, registry, new Set(result.refused.map(({ resource }) => resource)));
  return result;
}

async function applyPlan(trx: Transaction, plan: readonly Step[], destructive: boolean): Promise<SyncResult> {
  const destructiveResources = new Set(
    destructive ? [] : plan.filter((step) => step.destructive).map((step) => step.resource),
  );
  const applied = plan.filter((step) => !destructiveResources.has(step.resource) && !step.inBackground);
  await lockTables(trx, applied);
  for (const step of applied) {
    await sql
      .raw(step.sql)
      .execute(trx)
      .catch((error: Error) => {
        throw new SyncError(step, error);
      });
  }
  return { applied, refused: plan.filter((step) => destructiveResources.has(step.resource)) };
}

/** Thrown if the tables stay locked by others; nothing was changed. */
export class TablesBusyError extends Error {
  constructor() {
    super('The tables are in use at the moment. Nothing was changed. Try again in a minute.');
  }
}

/**
 * Milliseconds to wait for a lock: less than PostgreSQL takes to detect a deadlock, so that another transaction is
 * never the one to be canceled, and short enough that those who queue behind hardly notice.
 */
const LOCK_TIMEOUT = 300;
const MAX_ATTEMPTS = 40;
/** Lock timeout and deadlock. */
const busyCodes = new Set(['55P03', '40P01']);

/** From weakest to strongest. Creating an index only blocks writing, changing a table also blocks reading. */
const lockModes = ['share', 'share row exclusive', 'access exclusive'] as const;
type LockMode = (typeof lockModes)[number];

/**
 * Takes all locks that the steps need, in one order and at once, and releases all of them to try again if one is not
 * available: whoever changes tables gives way to those who use them. Throws TablesBusyError after the last attempt.
 */
async function lockTables(trx: Transaction, steps: readonly Step[]): Promise<void> {
  const neededLocks = new Map<string, LockMode>();
  for (const step of steps) {
    const mode = lockModeOf(step);
    for (const table of step.locks) {
      const known = neededLocks.get(table);
      if (!known || lockModes.indexOf(known) < lockModes.indexOf(mode)) neededLocks.set(table, mode);
    }
  }
  if (neededLocks.size === 0) return;
  const locks = [...neededLocks].sort(([a], [b]) => (a < b ? -1 : 1));
  for (let attempt = 1; !(await tryLocks(trx, locks)); attempt++) {
    if (attempt === MAX_ATTEMPTS) throw new TablesBusyError();
    await pause(20 + Math.random() * 180);
  }
}

function lockModeOf({ kind }: Step): LockMode {
  if (kind === 'createIndex') return 'share';
  return kind === 'addForeignKey' ? 'share row exclusive' : 'access exclusive';
}

async function tryLocks(trx: Transaction, locks: readonly (readonly [string, LockMode])[]): Promise<boolean> {
  await sql`savepoint locks`.execute(trx);
  try {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(trx);
    for (const [table, mode] of locks)
      await sql.raw(`lock table ${qualifiedTable(table)} in ${mode} mode`).execute(trx);
    await sql`set local lock_timeout = 0`.execute(trx);
    await sql`release savepoint locks`.execute(trx);
    return true;
  } catch (error) {
    if (!busyCodes.has(String((error as { code?: string }).code))) throw error;
    await sql`rollback to savepoint locks`.execute(trx);
    return false;
  }
}

import { sql } from 'kysely';
import type { Registry } from '../../engine/definitions/registry';
import type { Database, Queries, Transaction } from '../database/database';
import { lockSchema } from '../database/schema-lock';
import { createRowQueries } from './row-queries';
import { introspect } from './introspect';
import { lockTables } from './lock-tables';
import { planSync } from './plan';
import { planPurge, type PurgeRequest } from './purge';
import type { Step } from './step';

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
 * Changes the tables to match the definitions in one transaction, one server at a time. Skips destructive steps, and
 * with them all steps of their resource, unless `destructive` confirms them.
 */
export async function syncTables(
  database: Database,
  registry: Registry,
  options: { destructive?: boolean; before?: Registry } = {},
): Promise<SyncResult> {
  const synced = await database.transaction(async (trx) => {
    await lockSchema(trx);
    return syncInTransaction(trx, registry, options);
  });
  if (synced.applied.length > 0) database.forgetPreparedStatements();
  return synced;
}

/**
 * As `syncTables`, within a transaction that holds the schema lock; the caller has to forget prepared statements after
 * its commit. `before` are the definitions whose indexes are dropped if the new ones don't need them. `purge` names
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
  return applyPlan(trx, [...plan, ...purged], options.destructive ?? false);
}

async function applyPlan(trx: Transaction, plan: readonly Step[], destructive: boolean): Promise<SyncResult> {
  const destructiveResources = new Set(
    destructive ? [] : plan.filter((step) => step.destructive).map((step) => step.resource),
  );
  const applied = plan.filter((step) => !destructiveResources.has(step.resource) && !step.later);
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

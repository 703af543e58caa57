import { sql } from 'kysely';
import type { Registry } from '../../engine/definitions/registry';
import type { Database, Queries, Transaction } from '../database/database';
import { lockSchema } from '../database/schema-lock';
import { askOf } from './ask';
import { introspect } from './introspect';
import { lockTables } from './lock-tables';
import { planSync } from './plan';
import { planPurge, type Purge } from './purge';
import type { Step } from './step';

/** What a sync did, and what it left alone. */
export interface Synced {
  readonly applied: readonly Step[];
  /** All steps of the resources that would lose stored values: such a table stays as it is as a whole. */
  readonly refused: readonly Step[];
}

/** A step that PostgreSQL refused; nothing of the whole sync was done. */
export class SyncError extends Error {
  constructor(
    readonly step: Step,
    override readonly cause: Error,
  ) {
    super(`${step.text}: ${cause.message}`);
  }
}

/** What would be done now, with the counts of rows. Changes nothing. */
export async function currentPlan(database: Queries, registry: Registry, before?: Registry): Promise<Step[]> {
  return planSync(registry, await introspect(database), askOf(database), { before });
}

/**
 * Brings the tables to the definitions in one transaction, one server at a time. Destructive steps are left out, and
 * with them the other steps of their resource, unless `destructive` says that somebody has agreed.
 */
export async function sync(
  database: Database,
  registry: Registry,
  options: { destructive?: boolean; before?: Registry } = {},
): Promise<Synced> {
  const synced = await database.transaction(async (trx) => {
    await lockSchema(trx);
    return syncWithin(trx, registry, options);
  });
  if (synced.applied.length > 0) database.renew();
  return synced;
}

/**
 * As `sync`, within a transaction that has the lock; whoever began it renews the statements after its commit. `before`
 * are the definitions whose indexes are given up where the new ones want others. `purge` names hidden columns to drop,
 * which is done only where `destructive` is said too. Throws TablesBusy where others do not let go of the tables, and
 * SyncError where PostgreSQL refuses a step.
 */
export async function syncWithin(
  trx: Transaction,
  registry: Registry,
  options: { destructive?: boolean; purge?: Purge; before?: Registry } = {},
): Promise<Synced> {
  const plan = await currentPlan(trx, registry, options.before);
  const purged = options.purge ? await planPurge(registry, await introspect(trx), askOf(trx), options.purge) : [];
  return applyPlan(trx, [...plan, ...purged], options.destructive ?? false);
}

async function applyPlan(trx: Transaction, plan: readonly Step[], destructive: boolean): Promise<Synced> {
  const losing = new Set(destructive ? [] : plan.filter((step) => step.destructive).map((step) => step.resource));
  const applied = plan.filter((step) => !losing.has(step.resource) && !step.later);
  await lockTables(trx, applied);
  for (const step of applied) {
    await sql
      .raw(step.sql)
      .execute(trx)
      .catch((error: Error) => {
        throw new SyncError(step, error);
      });
  }
  return { applied, refused: plan.filter((step) => losing.has(step.resource)) };
}

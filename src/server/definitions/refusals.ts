import { sql } from 'kysely';
import type { Registry } from '../../engine/definitions/registry';
import type { Transaction } from '../database/database';
import type { Step } from '../sync/step';
import { syncWithin, SyncError } from '../sync/sync';

/** What bringing the tables to definitions came to. */
export interface Brought {
  readonly applied: readonly Step[];
  /** By resource: what could not be had without losing stored values. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Brings the tables to the definitions, within a transaction that has the lock, and answers what was refused. Where
 * PostgreSQL refuses a step, nothing at all was done.
 */
export async function bringTables(trx: Transaction, registry: Registry): Promise<Brought> {
  await sql`savepoint tables`.execute(trx);
  try {
    const { applied, refused } = await syncWithin(trx, registry);
    const resources = [...new Set(refused.map((step) => step.resource))];
    const message = (name: string) => refusal(refused.filter((step) => step.resource === name));
    return { applied, refused: new Map(resources.map((name) => [name, message(name)])) };
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    await sql`rollback to savepoint tables`.execute(trx);
    return { applied: [], refused: new Map([[error.step.resource, `${error.message}.`]]) };
  }
}

/** What stands in the way and, where it can be done all the same, the statements for somebody who has decided to. */
function refusal(steps: readonly Step[]): string {
  const [change, ...others] = steps.filter((step) => step.destructive);
  const reasons = [change!, ...others].map(({ kind, text, rows = 0 }) => {
    const held = rows === 1 ? '1 stored row' : `${rows} stored rows`;
    return kind === 'changeType' ? `${text}: not done, as it may change ${held}.` : `${text}: ${held} against it.`;
  });
  if ([change!, ...others].some((step) => step.kind !== 'changeType')) return reasons.join(' ');
  return `${reasons.join(' ')} To do it all the same, run: begin; ${steps.map(({ sql }) => sql).join('; ')}; commit;`;
}

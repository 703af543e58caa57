import { sql } from 'kysely';
import type { Registry } from '../../engine/definitions/registry';
import type { Transaction } from '../database/database';
import type { Step } from '../sync/step';
import { syncInTransaction, SyncError } from '../sync/sync';

/** The result of syncing tables with definitions. */
export interface TableSync {
  readonly applied: readonly Step[];
  /** Messages by resource: changes that would lose stored values. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Changes the tables to match the definitions, within a transaction that holds the schema lock, and returns what was
 * refused. If PostgreSQL refuses a step, nothing was changed.
 */
export async function syncOrRefuse(trx: Transaction, registry: Registry): Promise<TableSync> {
  await sql`savepoint tables`.execute(trx);
  try {
    const { applied, refused } = await syncInTransaction(trx, registry);
    const resources = [...new Set(refused.map((step) => step.resource))];
    const message = (name: string) => refusalMessage(refused.filter((step) => step.resource === name));
    return { applied, refused: new Map(resources.map((name) => [name, message(name)])) };
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    await sql`rollback to savepoint tables`.execute(trx);
    return { applied: [], refused: new Map([[error.step.resource, `${error.message}.`]]) };
  }
}

/** The reasons and, where possible, the statements to run manually to apply the change anyway. */
function refusalMessage(steps: readonly Step[]): string {
  const [change, ...others] = steps.filter((step) => step.destructive);
  const reasons = [change!, ...others].map(({ kind, text, rows = 0 }) => {
    const held = rows === 1 ? '1 stored row' : `${rows} stored rows`;
    return kind === 'changeType'
      ? `${text}: skipped because it may change ${held}.`
      : `${text}: ${held} violate${rows === 1 ? 's' : ''} it.`;
  });
  if ([change!, ...others].some((step) => step.kind !== 'changeType')) return reasons.join(' ');
  return `${reasons.join(' ')} To apply it anyway, run: begin; ${steps.map(({ sql }) => sql).join('; ')}; commit;`;
}

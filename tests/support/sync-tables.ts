import type { Registry } from '../../src/engine/registry/registry';
import type { Database } from '../../src/server/database/database';
import { lockSchema } from '../../src/server/database/schema-lock';
import { syncInTransaction, type SyncResult } from '../../src/server/sync/sync';

/** Changes the tables to match the definitions, as the start of a server does: in one transaction, under the lock. */
export async function syncTables(
  database: Database,
  registry: Registry,
  options: { destructive?: boolean; previousRegistry?: Registry } = {},
): Promise<SyncResult> {
  const synced = await database.transaction(async (trx) => {
    await lockSchema(trx);
    return syncInTransaction(trx, registry, options);
  });
  if (synced.appliedSteps.length > 0) database.forgetPreparedStatements();
  return synced;
}

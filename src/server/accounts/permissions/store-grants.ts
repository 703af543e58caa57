import type { Transaction } from '../../database/database';
import type { Registry } from '../../../engine/registry/registry';
import { grantableModules, parseGrantId } from './grants';
import { onEngineTables } from '../../database/engine-tables';

/**
 * Replaces the grants of a role. Grants of inactive modules stay as they are, so that they come back with their module.
 */
export async function storeGrants(
  trx: Transaction,
  registry: Registry,
  roleId: number,
  ids: readonly string[],
): Promise<void> {
  const grants = onEngineTables(trx);
  await grants
    .deleteFrom('grants')
    .where('role_id', '=', roleId)
    .where('module', 'in', grantableModules(registry))
    .execute();
  const rows = ids.flatMap((id) => {
    const grant = parseGrantId(registry, id);
    return grant ? [{ role_id: roleId, ...grant }] : [];
  });
  if (rows.length > 0) await grants.insertInto('grants').values(rows).execute();
}

/** Deletes all grants of a role that is being deleted. */
export async function deleteGrants(trx: Transaction, roleId: number): Promise<void> {
  await onEngineTables(trx).deleteFrom('grants').where('role_id', '=', roleId).execute();
}

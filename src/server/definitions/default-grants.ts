import type { Definition, Level } from '../../engine/definitions/definition';
import type { Transaction } from '../database/database';
import { onEngineTables } from '../database/engine-tables';

/** The properties of a role that default grants need. */
export interface RoleLevel {
  readonly id: number;
  readonly level: Level;
  /** Definitions name the role by it. */
  readonly key: string;
}

/**
 * Gives every role the default grants of its level on new modules, once: grants that are removed later stay removed.
 * Returns the new modules.
 */
export async function createDefaultGrants(
  trx: Transaction,
  definitions: readonly Definition[],
  roleLevels: (trx: Transaction) => Promise<readonly RoleLevel[]>,
): Promise<string[]> {
  const assay = onEngineTables(trx);
  const knownModules = new Set(
    (await assay.selectFrom('seeded_modules').select('module').execute()).map(({ module }) => module),
  );
  const newModules = definitions.filter(({ name }) => !knownModules.has(name));
  if (newModules.length === 0) return [];
  const levels = await roleLevels(trx);
  const grants = newModules.flatMap(({ name, grants: byLevel }) =>
    levels.flatMap(({ id, level }) => byLevel[level].map((action) => ({ role_id: id, module: name, action }))),
  );
  if (grants.length > 0) {
    await assay
      .insertInto('grants')
      .values(grants)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await assay
    .insertInto('seeded_modules')
    .values(newModules.map(({ name }) => ({ module: name })))
    .execute();
  return newModules.map(({ name }) => name);
}

import type { Level } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import type { Transaction } from '../database/database';

/** A role as far as grants by default need to know. */
export interface RoleLevel {
  readonly id: number;
  readonly level: Level;
}

/**
 * Gives every role what its level holds by default on modules that are new, once: what is taken away later stays away.
 * Answers the modules.
 */
export async function seedGrants(
  trx: Transaction,
  registry: Registry,
  roleLevels: (trx: Transaction) => Promise<readonly RoleLevel[]>,
): Promise<string[]> {
  const assay = trx.withSchema('assay');
  const known = new Set(
    (await assay.selectFrom('seeded_modules').select('module').execute()).map(({ module }) => module),
  );
  const fresh = [...registry.definitions.values()].filter(({ name }) => !known.has(name));
  if (fresh.length === 0) return [];
  const all = await roleLevels(trx);
  const grants = fresh.flatMap(({ name, grants: byLevel }) =>
    all.flatMap(({ id, level }) => byLevel[level].map((action) => ({ role_id: id, module: name, action }))),
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
    .values(fresh.map(({ name }) => ({ module: name })))
    .execute();
  return fresh.map(({ name }) => name);
}

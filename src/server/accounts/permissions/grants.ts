import { sql } from 'kysely';
import type { Permissions } from '../../../engine/access/actor';
import { actions, type Action } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import type { Queries } from '../../database/database';
import { createByteCache } from '../../limits/byte-cache';
import { getOrThrow } from '../../../engine/values/lookups';

const order = new Map(actions.map((action, index) => [action, index]));

/** The id of a grant, as in `tasks.edit`. */
export function grantId(module: string, action: Action): string {
  return `${module}.${action}`;
}

/** Parses the id of a grant; undefined if no active definition has it, or its levels are fixed. */
export function parseGrantId(registry: Registry, id: string): { module: string; action: Action } | undefined {
  const dot = id.lastIndexOf('.');
  const [module, action] = [id.slice(0, dot), id.slice(dot + 1) as Action];
  const definition = registry.get(module);
  return definition && !definition.system && order.has(action) ? { module, action } : undefined;
}

/** Roles are few and the people who have them many: equal grants are one object in memory. */
const knownGrants = createByteCache<Permissions>(4_000_000);

/** The stored grants of a role, by module. Must not be modified. */
export async function loadPermissions(queries: Queries, roleId: number): Promise<Permissions> {
  const grants = (await loadRolePermissions(queries, [roleId])).get(roleId) ?? {};
  const key = JSON.stringify(grants);
  const equalGrants = knownGrants.get(key);
  if (!equalGrants) knownGrants.set(key, grants);
  return equalGrants ?? grants;
}

/** The stored grants of several roles, each by module, actions in their usual order. */
export async function loadRolePermissions(
  queries: Queries,
  roleIds: readonly number[],
): Promise<Map<number, Record<string, Action[]>>> {
  const grantsByRole = new Map<number, Record<string, Action[]>>();
  if (roleIds.length === 0) return grantsByRole;
  // Lists with roles read their grants, so the statement has one text however many roles there are.
  const { rows } = await sql<{ role_id: number; module: string; action: Action }>`select role_id, module, action
    from assay.grants where role_id = any(${roleIds}::bigint[]) order by module`.execute(queries);
  rows.sort((a, b) => getOrThrow(order, a.action) - getOrThrow(order, b.action));
  for (const { role_id, module, action } of rows) {
    const ofRole = grantsByRole.get(role_id) ?? {};
    (ofRole[module] ??= []).push(action);
    grantsByRole.set(role_id, ofRole);
  }
  return grantsByRole;
}

/** All grants: what level 1 has without stored rows. */
export function allPermissions(registry: Registry): Record<string, readonly Action[]> {
  return Object.fromEntries([...registry.definitions.keys()].map((module) => [module, actions]));
}

/** The active modules that can be granted to roles; system modules depend on the level alone. */
export function grantableModules(registry: Registry): string[] {
  return [...registry.definitions.values()].filter(({ system }) => !system).map(({ name }) => name);
}

/** Ids of grants on active modules, in the order of the definitions. */
export function grantIds(registry: Registry, permissions: Permissions): string[] {
  return grantableModules(registry).flatMap((module) =>
    (permissions[module] ?? []).map((action) => grantId(module, action)),
  );
}

/** The ids of all grants, in the order of the definitions. */
export function allGrantIds(registry: Registry): string[] {
  return grantIds(registry, allPermissions(registry));
}

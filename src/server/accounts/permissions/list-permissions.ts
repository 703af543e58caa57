import { Level } from '../../../engine/definitions/level';
import { sql } from 'kysely';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { notDeletedFilter, assertGranted, accessFilter, companyScope, assertOwned } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';
import { predicateToSql } from '../../sql/predicate-to-sql';
import type { Queries } from '../../database/database';
import { Forbidden } from '../../errors/errors';
import { allPermissions, grantIds, loadRolePermissions } from './grants';
import { roleChangeRefusal } from './roles';

/** A role with its permissions. */
export interface RolePermissions {
  readonly role_id: number;
  readonly role_name: string;
  readonly key: string;
  readonly level: Level;
  readonly modulePermission: readonly string[];
  /** The number of users with the role that the caller can see. */
  readonly users: number;
  /** Why the caller cannot change its permissions; null if they can. */
  readonly fixed: string | null;
}

interface RoleRow extends ResourceRecord {
  readonly id: number;
  readonly role_name: string;
  readonly key: string;
  readonly level: Level;
  readonly site_id: number | null;
}

/** The roles that the caller can list (optionally only some ids) with their permissions. */
export async function listPermissions(
  context: RequestContext,
  queries: Queries = context.program.database.kysely,
  roleIds?: readonly number[],
): Promise<RolePermissions[]> {
  const { registry } = context;
  const definition = registry.getOrThrow('roles');
  const rowCondition = predicateToSql(
    accessFilter(context, definition, 'list'),
    definition,
    definition.table,
    registry,
    context.evaluationContext,
  );
  let query = queries
    .selectFrom(definition.table)
    .select(['id', 'role_name', 'key', 'level', 'site_id'])
    .where(rowCondition);
  if (roleIds) query = query.where('id', 'in', roleIds);
  const roles = (await query.orderBy('id').execute()) as RoleRow[];
  const ids = roles.map(({ id }) => id);
  // One by one: within a transaction they share a connection.
  const storedPermissions = await loadRolePermissions(queries, ids);
  const users = await countUsers(context, queries);
  return roles.map((role) => ({
    role_id: role.id,
    role_name: role.role_name,
    key: role.key,
    level: role.level,
    modulePermission: grantIds(
      registry,
      role.level === Level.Installation ? allPermissions(registry) : (storedPermissions.get(role.id) ?? {}),
    ),
    users: users.get(role.id) ?? 0,
    fixed: fixedReason(context, definition, role),
  }));
}

/** Why the caller cannot change the permissions of a role. */
function fixedReason(context: RequestContext, definition: Definition, role: RoleRow): string | null {
  if (role.level === Level.Installation) return 'Administrators of the installation always have every permission.';
  try {
    assertGranted(context, definition, 'edit');
    assertOwned(context.actor, definition, role, 'edit');
  } catch (error) {
    if (error instanceof Forbidden) return error.message;
    throw error;
  }
  return roleChangeRefusal(context.actor, role) ?? null;
}

/** How many users there are of each role, within the caller's company. */
async function countUsers(
  { actor, registry, evaluationContext }: RequestContext,
  queries: Queries,
): Promise<Map<number, number>> {
  const definition = registry.getOrThrow('users');
  const inScope = predicateToSql(
    companyScope(actor, definition),
    definition,
    definition.table,
    registry,
    evaluationContext,
  );
  const notDeleted = predicateToSql(
    notDeletedFilter(definition),
    definition,
    definition.table,
    registry,
    evaluationContext,
  );
  const rows = await queries
    .selectFrom(definition.table)
    .select(['role_id', sql<number>`count(*)::integer`.as('users')])
    .where(inScope)
    .where(notDeleted)
    .groupBy('role_id')
    .execute();
  return new Map(rows.map(({ role_id, users }) => [role_id as number, users]));
}

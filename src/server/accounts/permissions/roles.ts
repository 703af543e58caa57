import { Level } from '../../../engine/definitions/level';
import { sql } from 'kysely';
import type { Actor } from '../../../engine/access/actor';
import { toRoleKey } from '../../../engine/access/audience';
import { isGranted } from '../../../engine/access/access-decision';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { allGrantIds, allPermissions, grantIds, loadRolePermissions, parseGrantId } from './grants';
import { deleteGrants, storeGrants } from './store-grants';
import type { Queries } from '../../database/database';
import type { Hook, HookContext, Program } from '../../program';
import { permissionsResource } from '../../live/live-hub';
import { clearAccessCache } from '../session/access-cache';
import { assertRecentProof } from '../session/identity-proof';
import { onEngineTables } from '../../database/engine-tables';
import { idOf, companyOf } from '../../../engine/definitions/accessors';
import { previousRowOf } from '../../program';
import { requireValue } from '../../../engine/values/lookups';

/** The virtual field of a role: ids of its permissions. */
const field = 'modulePermission';
/** The levels available to custom roles. */
const [highest, lowest] = [3, 6];

/** beforeSave: nobody can edit their own role, grant permissions they don't have, or create a role above their own. */
export const guardRole: Hook = async (context) => {
  const { previousRow, values, fail } = context;
  if (previousRow && !changesSecondFactorAlone(context)) refuseOwnAndMorePowerful(context);
  const level = values.level ?? previousRow?.level;
  if (previousRow && previousRow.site_id === null && (await isShipped(context))) {
    if (level !== previousRow.level) fail('level', 'The level of a shipped role cannot be changed.');
  } else if (typeof level === 'number') {
    if (level < highest || level > lowest) fail('level', `Level must be from ${highest} to ${lowest}.`);
    if (level < context.actor.level) context.forbid('You cannot create a role that is more powerful than your own.');
  }
  const grants = await guardGrants(context);
  assertRecentProof(context.actor);
  return previousRow ? grants : { ...grants, key: await roleKey(context) };
};

/**
 * The key of a new role, which rules name: the one that was sent, or one made from the name. It is different from those
 * of the other roles that its users could have, so that no role gets the rules of another.
 */
async function roleKey({ trx, values, fail }: HookContext): Promise<string | null> {
  const site = companyOf(values);
  await sql`select pg_advisory_xact_lock(hashtextextended('role_keys', 0))`.execute(trx);
  const existingKeys = await keysBeside(trx, site);
  const requestedKey = values.key as string | null | undefined;
  if (typeof requestedKey !== 'string' || requestedKey === '')
    return freeKey(toRoleKey(String(values.role_name ?? '')), existingKeys);
  if (existingKeys.has(requestedKey)) fail('key', `Another role has the key ${requestedKey}.`);
  return requestedKey;
}

/** The keys of the roles of a company and of the installation; for a role of the installation, those of all. */
async function keysBeside(queries: Queries, site: number | null): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`select key from public.roles
    where key is not null and (${site}::bigint is null or site_id is null or site_id = ${site}::bigint)`.execute(
    queries,
  );
  return new Set(rows.map(({ key }) => key));
}

function freeKey(key: string, existingKeys: ReadonlySet<string>): string {
  if (!existingKeys.has(key)) return key;
  for (let number = 2; ; number++) if (!existingKeys.has(`${key}-${number}`)) return `${key}-${number}`;
}

/** Gives the roles a key that were created before roles had one. */
export async function fillRoleKeys({ database }: Pick<Program, 'database'>): Promise<void> {
  const keylessRoles = await sql`select from public.roles where key is null limit 1`.execute(database.kysely);
  if (keylessRoles.rows.length === 0) return;
  await database.transaction(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('role_keys', 0))`.execute(trx);
    const { rows } = await sql<{ id: number; role_name: string; site_id: number | null }>`
      select id, role_name, site_id from public.roles where key is null order by site_id nulls first, id`.execute(trx);
    for (const { id, role_name, site_id } of rows) {
      const key = freeKey(toRoleKey(role_name), await keysBeside(trx, site_id));
      await sql`update public.roles set key = ${key} where id = ${id}`.execute(trx);
    }
  });
}

/** beforeDelete: nobody can delete their own role; the grants are deleted with the role. */
export const guardRoleRemoval: Hook = async (context) => {
  refuseOwnAndMorePowerful(context);
  assertRecentProof(context.actor);
  await deleteGrants(context.trx, idOf(previousRowOf(context)));
  await clearAccessCache(context.program.database, context.trx);
};

/** afterSave: stores the role's permissions, if they were sent. */
export const storePermissions: Hook = async ({ program, trx, values, input }) => {
  await clearAccessCache(program.database, trx);
  const ids = sentGrants(values, input);
  if (!ids) return;
  const id = idOf(values);
  await storeGrants(trx, program.definitions.registry(), id, ids);
  program.live.publish({ resource: permissionsResource, id, event: 'changed', role_id: id }, trx);
};

/** afterRead: adds the permissions of all roles with one query. */
export const readPermissions: Hook = async ({ program, trx, records }) => {
  const registry = program.definitions.registry();
  const storedPermissions = await loadRolePermissions(
    trx,
    records.map((record) => idOf(record)),
  );
  for (const record of records) {
    const permissions =
      record.level === Level.Installation ? allPermissions(registry) : (storedPermissions.get(idOf(record)) ?? {});
    record[field] = grantIds(registry, permissions);
  }
};

/** Why an actor cannot change a role, regardless of permissions: it is their own, or more powerful. */
export function roleChangeRefusal(actor: Actor, role: ResourceRecord): string | undefined {
  if (role.id === actor.role_id) return 'This is your own role: somebody else has to change it.';
  return (role.level as number) < actor.level ? 'This role is more powerful than your own.' : undefined;
}

function refuseOwnAndMorePowerful(context: HookContext): void {
  const refusal = roleChangeRefusal(context.actor, previousRowOf(context));
  if (refusal !== undefined) context.forbid(refusal);
}

/** Administrators of the installation can change the second-factor requirement of their own role. */
function changesSecondFactorAlone(context: HookContext): boolean {
  const { actor, values, input } = context;
  const previousRow = previousRowOf(context);
  const otherNames = Object.keys(input).filter(
    (name) => name !== 'second_factor' && name in values && !isSame(values[name], previousRow[name]),
  );
  return actor.level === Level.Installation && 'second_factor' in input && otherNames.length === 0;
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
}

async function isShipped(context: HookContext): Promise<boolean> {
  const shippedRow = await onEngineTables(context.trx)
    .selectFrom('shipped_rows')
    .select('record_id')
    .where('resource', '=', context.definition.name)
    .where('record_id', '=', idOf(previousRowOf(context)))
    .executeTakeFirst();
  return shippedRow !== undefined;
}

/** Refuses permissions that do not exist or that the actor does not have. */
async function guardGrants(context: HookContext): Promise<ResourceRecord | void> {
  const { program, actor, previousRow, values, input, fail, forbid } = context;
  const ids = sentGrants(values, input);
  if (!ids) return;
  const registry = program.definitions.registry();
  const unknown = ids.find((id) => !parseGrantId(registry, id));
  if (unknown !== undefined) fail(field, `Unknown permission ${unknown}.`);
  const currentIds = (previousRow?.[field] as string[] | undefined) ?? [];
  const refusedId = ids.find((id) => !currentIds.includes(id) && !hasGrant(actor, registry, id));
  if (refusedId) forbid(`You cannot grant ${refusedId}: you don't have it yourself.`);
  return { [field]: allGrantIds(registry).filter((id) => ids.includes(id)) };
}

/** The list sent with the request, parsed by its field type; undefined if none was sent. */
function sentGrants(values: ResourceRecord, input: Readonly<ResourceRecord>): string[] | undefined {
  return field in input && Array.isArray(values[field]) ? (values[field] as string[]) : undefined;
}

function hasGrant(actor: Actor, registry: Registry, id: string): boolean {
  const { module, action } = requireValue(parseGrantId(registry, id), `the permission ${id}`);
  return isGranted(actor, module, action);
}

import type { Permissions } from '../../../engine/access/actor';
import { isGranted } from '../../../engine/access/access-decision';
import { actions, type Action, type ResourceRecord } from '../../../engine/definitions/definition';
import type { Queries } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import type { Hook, HookContext } from '../../program';
import { allGrantIds, grantableModules, grantIds, loadPermissions, parseGrantId } from '../permissions/grants';
import { idOf } from '../../../engine/definitions/accessors';
import { requireValue } from '../../../engine/values/lookups';

/** The virtual field of a service account: ids of the grants to which it is limited. */
const field = 'scopes';

/** The stored scopes of service accounts, by account and module. */
async function loadScopes(queries: Queries, ids: readonly number[]): Promise<Map<number, Record<string, Action[]>>> {
  const scopesByAccount = new Map<number, Record<string, Action[]>>();
  if (ids.length === 0) return scopesByAccount;
  const rows = await onEngineTables(queries)
    .selectFrom('service_scopes')
    .select(['service_account_id', 'module'])
    .select((row) => row.ref('action').$castTo<Action>().as('action'))
    .where('service_account_id', 'in', ids)
    .execute();
  for (const { service_account_id: id, module, action } of rows) {
    const accountScopes = scopesByAccount.get(id) ?? {};
    (accountScopes[module] ??= []).push(action);
    scopesByAccount.set(id, accountScopes);
  }
  return scopesByAccount;
}

/** The permissions of a limited account: those that its role grants and its scopes include. A scope never adds to the role. */
export async function withinScopes(queries: Queries, account: number, grants: Permissions): Promise<Permissions> {
  const scopes = (await loadScopes(queries, [account])).get(account) ?? {};
  return Object.fromEntries(
    Object.entries(grants).map(([module, grantedActions]) => [
      module,
      grantedActions.filter((action) => scopes[module]?.includes(action)),
    ]),
  );
}

/**
 * Refuses scopes that do not exist, that whoever adds them does not have, or that the role does not grant. Returns those
 * that were sent in the order of the definitions; undefined if none were sent.
 */
export async function guardScopes(context: HookContext): Promise<ResourceRecord | undefined> {
  const { program, trx, actor, previousRow, values, fail, forbid } = context;
  const ids = sentScopes(context);
  if (!ids) return undefined;
  const registry = program.definitions.registry();
  const unknown = ids.find((id) => !parseGrantId(registry, id));
  if (unknown !== undefined) {
    fail(field, `Unknown permission ${unknown}.`);
    return undefined;
  }
  const previousIds = (previousRow?.[field] as readonly string[] | undefined) ?? [];
  const addedIds = ids.filter((id) => !previousIds.includes(id));
  const ungrantedId = addedIds.find((id) => {
    const { module, action } = requireValue(parseGrantId(registry, id), `the permission ${id}`);
    return !isGranted(actor, module, action);
  });
  if (ungrantedId !== undefined) forbid(`You cannot give the scope ${ungrantedId}: you don't have it yourself.`);
  const role = values.role_id;
  if (typeof role === 'number') {
    const grantedIds = new Set(grantIds(registry, await loadPermissions(trx, role)));
    const excessId = addedIds.find((id) => !grantedIds.has(id));
    if (excessId !== undefined) fail(field, `The role does not grant ${excessId}: a scope cannot add to it.`);
  }
  return { [field]: allGrantIds(registry).filter((id) => ids.includes(id)) };
}

/** Replaces the scopes of an account, if some were sent. Those of inactive modules stay for when these come back. */
export async function storeScopes(context: HookContext, account: number): Promise<void> {
  const ids = sentScopes(context);
  if (!ids) return;
  const registry = context.program.definitions.registry();
  const scopes = onEngineTables(context.trx);
  await scopes
    .deleteFrom('service_scopes')
    .where('service_account_id', '=', account)
    .where('module', 'in', grantableModules(registry))
    .execute();
  const rows = ids.flatMap((id) => {
    const grant = parseGrantId(registry, id);
    return grant ? [{ service_account_id: account, ...grant }] : [];
  });
  if (rows.length > 0) await scopes.insertInto('service_scopes').values(rows).execute();
}

/** afterRead: adds the scopes of all accounts with one query. */
export const readScopes: Hook = async ({ program, trx, records }) => {
  const registry = program.definitions.registry();
  const storedScopes = await loadScopes(
    trx,
    records.map((record) => idOf(record)),
  );
  const order = (scopes: Readonly<Record<string, readonly Action[]>>): Permissions =>
    Object.fromEntries(
      Object.entries(scopes).map(([module, scopeActions]) => [
        module,
        actions.filter((action) => scopeActions.includes(action)),
      ]),
    );
  for (const record of records) record[field] = grantIds(registry, order(storedScopes.get(idOf(record)) ?? {}));
};

/** The list sent with the request, parsed by its field type; undefined if none was sent. */
function sentScopes({ values, input }: HookContext): string[] | undefined {
  return field in input && Array.isArray(values[field]) ? (values[field] as string[]) : undefined;
}

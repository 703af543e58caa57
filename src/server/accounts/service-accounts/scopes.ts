import type { Permissions } from '../../../engine/access/actor';
import { isGranted } from '../../../engine/access/access-decision';
import { actions, type Action, type ResourceRecord } from '../../../engine/definitions/definition';
import type { Queries } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import type { Hook, HookContext } from '../../program';
import { allGrantIds, grantableModules, grantIds, loadPermissions, parseGrantId } from '../permissions/grants';

/** The virtual field of a service account: ids of the grants to which it is limited. */
const field = 'scopes';

/** The stored scopes of service accounts, by account and module. */
async function loadScopes(queries: Queries, ids: readonly number[]): Promise<Map<number, Record<string, Action[]>>> {
  const found = new Map<number, Record<string, Action[]>>();
  if (ids.length === 0) return found;
  const rows = await onEngineTables(queries)
    .selectFrom('service_scopes')
    .select(['service_account_id', 'module'])
    .select((row) => row.ref('action').$castTo<Action>().as('action'))
    .where('service_account_id', 'in', ids)
    .execute();
  for (const { service_account_id: id, module, action } of rows) {
    const own = found.get(id) ?? {};
    (own[module] ??= []).push(action);
    found.set(id, own);
  }
  return found;
}

/** What a limited account may do: what its role grants and its scopes include. A scope never adds to the role. */
export async function withinScopes(queries: Queries, account: number, granted: Permissions): Promise<Permissions> {
  const scopes = (await loadScopes(queries, [account])).get(account) ?? {};
  return Object.fromEntries(
    Object.entries(granted).map(([module, held]) => [module, held.filter((one) => scopes[module]?.includes(one))]),
  );
}

/**
 * Refuses scopes that do not exist, that whoever adds them does not have, or that the role does not grant. Returns those
 * that were sent in the order of the definitions; undefined if none were sent.
 */
export async function guardScopes(context: HookContext): Promise<ResourceRecord | undefined> {
  const { program, trx, actor, before, values, fail, forbid } = context;
  const ids = sentScopes(context);
  if (!ids) return undefined;
  const registry = program.definitions.registry();
  const unknown = ids.find((id) => !parseGrantId(registry, id));
  if (unknown !== undefined) {
    fail(field, `Unknown permission ${unknown}.`);
    return undefined;
  }
  const known = (before?.[field] as readonly string[] | undefined) ?? [];
  const added = ids.filter((id) => !known.includes(id));
  const missing = added.find((id) => {
    const { module, action } = parseGrantId(registry, id)!;
    return !isGranted(actor, module, action);
  });
  if (missing !== undefined) forbid(`You cannot give the scope ${missing}: you don't have it yourself.`);
  const role = values.role_id;
  if (typeof role === 'number') {
    const granted = new Set(grantIds(registry, await loadPermissions(trx, role)));
    const beyond = added.find((id) => !granted.has(id));
    if (beyond !== undefined) fail(field, `The role does not grant ${beyond}: a scope cannot add to it.`);
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
  const stored = await loadScopes(
    trx,
    records.map((record) => record.id as number),
  );
  const order = (own: Readonly<Record<string, readonly Action[]>>): Permissions =>
    Object.fromEntries(
      Object.entries(own).map(([module, held]) => [module, actions.filter((one) => held.includes(one))]),
    );
  for (const record of records) record[field] = grantIds(registry, order(stored.get(record.id as number) ?? {}));
};

/** The list sent with the request, parsed by its field type; undefined if none was sent. */
function sentScopes({ values, input }: HookContext): string[] | undefined {
  return field in input && Array.isArray(values[field]) ? (values[field] as string[]) : undefined;
}

import { sql } from 'kysely';
import type { Hook, HookContext } from '../../program';
import { onEngineTables } from '../../database/engine-tables';
import { clearAccessCache } from '../session/access-cache';
import { assertRecentProof } from '../session/identity-proof';
import { assignmentRefusal } from '../users/users';
import { guardScopes, readScopes, storeScopes } from './scopes';
import { serviceDomain } from './service-users';
import { oneRow } from '../../database/one-row';
import { idOf } from '../../../engine/definitions/accessors';
import { requireValue } from '../../../engine/values/lookups';
import { previousRowOf } from '../../program';

/** beforeSave: nobody gives a service account more than they have themselves, or the whole installation. */
const guardServiceAccount: Hook = async (context) => {
  const { actor, previousRow, values } = context;
  assertRecentProof(actor);
  // A change of an account decides what its token may do from then on.
  if (previousRow) await refuseRicherAccount(context);
  const { role_id: role } = values;
  const refusal =
    typeof role === 'number' && role !== previousRow?.role_id ? await assignmentRefusal(context, role) : undefined;
  if (refusal) context.forbid(refusal);
  return guardScopes(context);
};

/** beforeDelete: as for changes. */
const guardServiceAccountRemoval: Hook = async (context) => {
  assertRecentProof(context.actor);
  await refuseRicherAccount(context);
};

/** afterSave: keeps the user in whose name it acts, and its scopes; cached access ends. */
const storeServiceUser: Hook = async (context) => {
  const { program, trx, previousRow, values } = context;
  await clearAccessCache(program.database, trx);
  const { id, name, site_id } = { ...previousRow, ...values } as { id: number; name: string; site_id: number };
  if (previousRow) {
    await sql`update public.users u set first_name = ${name}, site_id = ${site_id} from assay.service_accounts a
      where a.service_account_id = ${id} and u.id = a.user_id`.execute(trx);
    await storeScopes(context, id);
    return;
  }
  const row = oneRow(
    await sql<{ id: number }>`
    insert into public.users (first_name, email, site_id, deleted_at, created_at, updated_at)
    values (${name}, ${`service-account-${id}@${serviceDomain}`}, ${site_id}, now(), now(), now())
    returning id`.execute(trx),
  );
  await onEngineTables(trx)
    .insertInto('service_accounts')
    .values({ service_account_id: id, user_id: row.id })
    .execute();
  await storeScopes(context, id);
};

/** afterDelete: the token and the scopes end; the user stays for the history of what the account did. */
const dropServiceToken: Hook = async ({ program, trx, previousRow }) => {
  await clearAccessCache(program.database, trx);
  const tables = onEngineTables(trx);
  const id = idOf(requireValue(previousRow, 'the service account to delete'));
  await tables.deleteFrom('service_scopes').where('service_account_id', '=', id).execute();
  await tables.deleteFrom('service_accounts').where('service_account_id', '=', id).execute();
};

async function refuseRicherAccount(context: HookContext): Promise<void> {
  const refusal = await richerAccountRefusal(context, previousRowOf(context).role_id as number);
  if (refusal) context.forbid(refusal);
}

/** Why an actor cannot change an account with a role, or make a token for it; undefined if they can. */
export async function richerAccountRefusal(
  context: Pick<HookContext, 'program' | 'trx' | 'actor'>,
  role: number,
): Promise<string | undefined> {
  const refusal = await assignmentRefusal(context, role);
  return refusal && "You cannot change this service account: its role has permissions that you don't have yourself.";
}

/** The hooks that the definition of service accounts names. */
export const serviceAccountHooks = {
  guardServiceAccount,
  guardServiceAccountRemoval,
  storeServiceUser,
  dropServiceToken,
  readScopes,
};

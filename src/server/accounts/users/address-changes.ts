import { Level } from '../../../engine/definitions/level';
import { sql } from 'kysely';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import type { Queries, Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import type { HookContext, Program } from '../../program';
import { addressChangeLimits, countAttemptWithin } from '../session/attempts';
import {
  hasConfirmedOwner,
  storeConfirmedAddress,
  hasConfirmedAddress,
  isConfirmedByAnother,
} from './confirmed-addresses';
import { queueOccasionMail } from '../mails/mails';
import { storeVerifiedChange } from './verified-changes';
import { fieldOf, idOf, companyOf } from '../../../engine/definitions/accessors';

/**
 * Sends a code to a user's new address: the current address stays until the code comes back. Never checks or reveals
 * whether another company uses the address.
 */
export async function requestAddressChange(context: HookContext, user: ResourceRecord, email: string): Promise<void> {
  const { program, trx, actor, definition, fail } = context;
  const [id, site] = [idOf(user), companyOf(user)];
  if (
    id !== actor.id &&
    actor.level !== Level.Installation &&
    (site === null || !(await hasConfirmedOwner(trx, site)))
  ) {
    context.conflict('Please confirm your email address first: open the link in the email that we sent to you.');
  }
  if (await isEmailUsedInCompany(trx, email, site, id))
    fail('email', `${fieldOf(definition, 'email').label} is already taken.`);
  await countAttemptWithin(trx, addressChangeLimits(id, site));
  await onEngineTables(trx)
    .insertInto('address_changes')
    .values({ user_id: id, email, requested_by: actor.id })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(({ ref }) => ({
        email: ref('excluded.email'),
        requested_by: ref('excluded.requested_by'),
        requested_at: sql`now()`,
      })),
    )
    .execute();
  await queueOccasionMail(program, trx, 'address_change', { user_id: id, to: email });
}

/**
 * Applies the requested address, confirmed by the code sent to it. Returns false if that is not possible (any more).
 */
export async function applyAddressChange(program: Program, trx: Transaction, user: ResourceRecord): Promise<boolean> {
  const id = idOf(user);
  const requested = await onEngineTables(trx)
    .deleteFrom('address_changes')
    .where('user_id', '=', id)
    .returning('email')
    .executeTakeFirst();
  const email = requested?.email;
  if (email === undefined) return false;
  const site = companyOf(user);
  if ((await isConfirmedByAnother(trx, id, email)) || (await isEmailUsedInCompany(trx, email, site, id))) return false;
  const tellsOld = (await hasConfirmedAddress(trx, id)) || (site !== null && (await hasConfirmedOwner(trx, site)));
  await storeVerifiedChange(program, trx, id, { email });
  await storeConfirmedAddress(trx, id);
  if (tellsOld) await queueOccasionMail(program, trx, 'address_changed', { user_id: id, to: user.email as string });
  return true;
}

/** Whether another user of the same company (or, without one, any user) has an address. */
export async function isEmailUsedInCompany(
  queries: Queries,
  email: string,
  site: number | null,
  ignoredUserId: number | null,
): Promise<boolean> {
  const companyCondition = site === null ? sql`true` : sql`site_id = ${site}`;
  const { rows } = await sql`select 1 from users where lower(email) = ${email.toLowerCase()} and deleted_at is null
    and id is distinct from ${ignoredUserId}::bigint and ${companyCondition} limit 1`.execute(queries);
  return rows.length > 0;
}

import type { ResourceRecord } from '../../../engine/definitions/definition';
import type { Transaction } from '../../database/database';
import type { Program } from '../../program';
import { publishRecordChange, updateRow } from '../../records/write/row-writes';
import { recordSecurityEvent } from '../../security-log/security-log';
import { clearAccessCache } from '../session/access-cache';
import { deleteCodes, type CodePurpose } from '../session/codes';
import { endAllSignIns } from '../session/sign-ins';
import { applyAddressChange } from './address-changes';
import { hasConfirmedOwner, storeConfirmedAddress, isConfirmedByAnother } from './confirmed-addresses';
import { queueOccasionMail } from '../mails/mails';
import { sendWaitingInvitations } from './invitations';
import { storeVerifiedChange } from './verified-changes';
import { activeStatus, invitedStatus } from './user-status';
import { idOf, companyOf } from '../../../engine/definitions/accessors';

/** The status that a user must have to set a password with a code of this purpose. */
const requiredStatus: Readonly<Partial<Record<CodePurpose, number>>> = { reset: activeStatus, setup: invitedStatus };

/**
 * Sets a password with a code that was redeemed in the same transaction; an invited account becomes active. Ends all
 * sessions and all other codes. Returns the account's address; undefined if it cannot have a password (any more).
 */
export async function setPasswordByCode(
  program: Program,
  trx: Transaction,
  { userId, purpose }: { userId: number; purpose: CodePurpose },
  hash: string,
): Promise<string | undefined> {
  const previousRow = await lockUser(trx, userId);
  if (!previousRow || previousRow.status_id !== requiredStatus[purpose]) return undefined;
  if (await isConfirmedByAnother(trx, userId, previousRow.email as string)) return undefined;
  const definition = program.definitions.registry().getOrThrow('users');
  if (previousRow.status_id !== activeStatus)
    await storeVerifiedChange(program, trx, userId, { status_id: activeStatus });
  const now = Math.max(Date.now(), Date.parse(String(previousRow.updated_at)) + 1);
  const changedRow: ResourceRecord = {
    ...previousRow,
    password: hash,
    status_id: activeStatus,
    updated_at: new Date(now).toISOString(),
    updated_by: userId,
  };
  await updateRow(definition, userId, changedRow, new Set(['password', 'updated_at', 'updated_by']), trx);
  await endAllSignIns(trx, userId);
  await clearAccessCache(program.database, trx);
  await deleteCodes(trx, userId);
  await storeConfirmation(program, trx, previousRow);
  if (purpose === 'reset') await queueOccasionMail(program, trx, 'password_changed', { user_id: userId });
  await recordSecurityEvent(
    program,
    {
      event: 'password_changed',
      user_id: userId,
      site_id: companyOf(previousRow),
      resource: 'users',
      record_id: userId,
      detail: { by: purpose },
    },
    trx,
  );
  publishRecordChange(program, definition, changedRow, 'updated', trx);
  return previousRow.email as string;
}

/**
 * Stores that an address, or a new one, was confirmed with a code, and sends the invitations that waited for it.
 * Returns false if the account cannot use it (any more), or another account has confirmed the same address.
 */
export async function confirmAddressByCode(
  program: Program,
  trx: Transaction,
  { userId, purpose }: { userId: number; purpose: CodePurpose },
): Promise<boolean> {
  const user = await lockUser(trx, userId);
  if (!user || user.status_id !== activeStatus) return false;
  if (purpose === 'address') return applyAddressChange(program, trx, user);
  if (await isConfirmedByAnother(trx, userId, user.email as string)) return false;
  await storeConfirmation(program, trx, user);
  return true;
}

async function storeConfirmation(program: Program, trx: Transaction, user: ResourceRecord): Promise<void> {
  await recordSecurityEvent(
    program,
    {
      event: 'address_confirmed',
      user_id: idOf(user),
      site_id: companyOf(user),
      resource: 'users',
      record_id: idOf(user),
    },
    trx,
  );
  const site = companyOf(user);
  const awaitedOwner = site !== null && !(await hasConfirmedOwner(trx, site));
  await storeConfirmedAddress(trx, idOf(user));
  // They may send more from now on.
  await clearAccessCache(program.database, trx);
  if (awaitedOwner && (await hasConfirmedOwner(trx, site))) await sendWaitingInvitations(program, trx, site);
}

async function lockUser(trx: Transaction, id: number): Promise<ResourceRecord | undefined> {
  const query = trx.selectFrom('users').selectAll().where('id', '=', id).where('deleted_at', 'is', null);
  return (await query.forUpdate().executeTakeFirst()) as ResourceRecord | undefined;
}

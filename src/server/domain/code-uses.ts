import type { ResourceRecord } from '../../engine/definitions/definition';
import type { Transaction } from '../database/database';
import type { Program } from '../program';
import { publish } from '../records/publish';
import { updateRow } from '../records/store';
import { recordSecurityEvent } from '../security-log/security-log';
import { forgetAccess } from '../session/access-cache';
import { endCodes, type CodePurpose } from '../session/codes';
import { endSignInsOf } from '../session/sign-ins';
import { changeAddress } from './address-changes';
import { companyIsConfirmed, confirmAddress, isConfirmedByAnother } from './confirmed-addresses';
import { wantMailOn } from './mails';
import { sendWaitingInvitations } from './invitations';
import { storeProven } from './proven-changes';
import { active, invited } from './user-status';

/** The status that a user must have to set a password with a code of this purpose. */
const expected: Readonly<Partial<Record<CodePurpose, number>>> = { reset: active, setup: invited };

/**
 * Sets a password with a code that was redeemed in the same transaction; an invited account becomes active. Ends all
 * sessions and all other codes. Returns the account's address; undefined if it cannot have a password (any more).
 */
export async function setPassword(
  program: Program,
  trx: Transaction,
  { userId, purpose }: { userId: number; purpose: CodePurpose },
  hash: string,
): Promise<string | undefined> {
  const before = await holdUser(trx, userId);
  if (!before || before.status_id !== expected[purpose]) return undefined;
  if (await isConfirmedByAnother(trx, userId, before.email as string)) return undefined;
  const definition = program.definitions.registry().need('users');
  if (before.status_id !== active) await storeProven(program, trx, userId, { status_id: active });
  const now = Math.max(Date.now(), Date.parse(String(before.updated_at)) + 1);
  const after: ResourceRecord = {
    ...before,
    password: hash,
    status_id: active,
    updated_at: new Date(now).toISOString(),
    updated_by: userId,
  };
  await updateRow(definition, userId, after, new Set(['password', 'updated_at', 'updated_by']), trx);
  await endSignInsOf(trx, userId);
  await forgetAccess(program.database, trx);
  await endCodes(trx, userId);
  await confirm(program, trx, before);
  if (purpose === 'reset') await wantMailOn(program, trx, 'password_changed', { user_id: userId });
  await recordSecurityEvent(
    program,
    {
      event: 'password_changed',
      user_id: userId,
      site_id: before.site_id as number | null,
      resource: 'users',
      record_id: userId,
      detail: { by: purpose },
    },
    trx,
  );
  publish(program, definition, after, 'updated', trx);
  return before.email as string;
}

/**
 * Stores that an address, or a new one, was confirmed with a code, and sends the invitations that waited for it.
 * Returns false if the account cannot use it (any more), or another account has confirmed the same address.
 */
export async function confirmUser(
  program: Program,
  trx: Transaction,
  { userId, purpose }: { userId: number; purpose: CodePurpose },
): Promise<boolean> {
  const user = await holdUser(trx, userId);
  if (!user || user.status_id !== active) return false;
  if (purpose === 'address') return changeAddress(program, trx, user);
  if (await isConfirmedByAnother(trx, userId, user.email as string)) return false;
  await confirm(program, trx, user);
  return true;
}

async function confirm(program: Program, trx: Transaction, user: ResourceRecord): Promise<void> {
  await recordSecurityEvent(
    program,
    {
      event: 'address_confirmed',
      user_id: user.id as number,
      site_id: user.site_id as number | null,
      resource: 'users',
      record_id: user.id as number,
    },
    trx,
  );
  const site = user.site_id as number | null;
  const waited = site !== null && !(await companyIsConfirmed(trx, site));
  await confirmAddress(trx, user.id as number);
  if (waited && (await companyIsConfirmed(trx, site))) await sendWaitingInvitations(program, trx, site);
}

async function holdUser(trx: Transaction, id: number): Promise<ResourceRecord | undefined> {
  const query = trx.selectFrom('users').selectAll().where('id', '=', id).where('deleted_at', 'is', null);
  return (await query.forUpdate().executeTakeFirst()) as ResourceRecord | undefined;
}

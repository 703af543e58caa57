import type { Transaction } from '../../database/database';
import type { Program } from '../../program';
import { recordSecurityEvent } from '../../security-log/security-log';
import { queueOccasionMail } from '../mails/mails';

/** A change of a user's second factor. */
export interface FactorChange {
  readonly userId: number;
  readonly siteId: number | null;
  readonly change:
    | 'authenticator added'
    | 'authenticator removed'
    | 'passkey added'
    | 'passkey removed'
    | 'recovery codes made'
    | 'recovery code used'
    | 'reset';
  /** The user who did it, if it was not the account's owner. */
  readonly actorId?: number;
  readonly subject?: string;
}

/** Records a change and notifies the user by mail, in the same transaction. */
export async function recordFactorChange(
  program: Program,
  trx: Transaction,
  { userId, siteId, change, actorId, subject }: FactorChange,
): Promise<void> {
  const subjectFields = { resource: 'users', record_id: userId, subject, detail: { change } };
  await recordSecurityEvent(
    program,
    { event: 'second_factor_changed', user_id: actorId ?? userId, site_id: siteId, ...subjectFields },
    trx,
  );
  const mailOccasion = change === 'reset' ? 'second_factor_reset' : 'second_factor_changed';
  await queueOccasionMail(program, trx, mailOccasion, { user_id: userId });
}

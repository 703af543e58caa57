import type { Transaction } from '../../database/database';
import type { Program } from '../../program';
import { recordSecurityEvent } from '../../security-log/security-log';
import { wantMailOn } from '../mails';

/** What was done to somebody's second factor. */
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
  /** Who did it, where it was not the person. */
  readonly by?: number;
  readonly subject?: string;
}

/** Records a change and tells the person by mail, with the change or not at all. */
export async function tellOfChange(
  program: Program,
  trx: Transaction,
  { userId, siteId, change, by, subject }: FactorChange,
): Promise<void> {
  const about = { resource: 'users', record_id: userId, subject, detail: { change } };
  await recordSecurityEvent(
    program,
    { event: 'second_factor_changed', user_id: by ?? userId, site_id: siteId, ...about },
    trx,
  );
  const occasion = change === 'reset' ? 'second_factor_reset' : 'second_factor_changed';
  await wantMailOn(program, trx, occasion, { user_id: userId });
}

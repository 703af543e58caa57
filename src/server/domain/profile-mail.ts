import type { ResourceRecord } from '../../engine/definitions/definition';
import type { Transaction } from '../database/database';
import type { Program } from '../program';
import { wantMailOn } from './mails';

/** Tells the owner of an address that the password of their account was changed. */
export async function tellPasswordChanged(program: Program, trx: Transaction, user: ResourceRecord): Promise<void> {
  await wantMailOn(program, trx, 'password_changed', { user_id: user.id as number });
}

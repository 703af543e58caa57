import { RequestContext } from '../access/request-context';
import { createActor, findAccountById, findAccountsByEmail, type Account } from '../accounts/users/accounts';
import type { Transaction } from '../database/database';
import { Forbidden } from '../errors/errors';
import type { Program } from '../program';

/**
 * The context of a user for what an automation does: everything goes through the same access decisions as a request of
 * that user. Undefined if the account is gone or can no longer sign in.
 */
export async function contextOfUser(
  program: Program,
  trx: Transaction,
  id: number,
  { zone, depth }: { readonly zone: string; readonly depth: number },
): Promise<RequestContext | undefined> {
  const account = await findAccountById(trx, id);
  return account?.canSignIn ? contextOf(program, trx, account, zone, depth) : undefined;
}

/** The id of the user with an email address. Throws Forbidden if there is none who can sign in. */
export async function userOfAddress(trx: Transaction, address: string): Promise<number> {
  const [account] = await findAccountsByEmail(trx, address);
  if (!account?.canSignIn)
    throw new Forbidden(`No active user has the email address ${address}, with whose permissions this would run.`);
  return account.id;
}

async function contextOf(program: Program, trx: Transaction, account: Account, zone: string, depth: number) {
  return new RequestContext(program, await createActor(trx, account), zone, undefined, depth);
}

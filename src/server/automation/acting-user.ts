import { RequestContext } from '../access/request-context';
import { createActor, findAccountById, findAccountsByEmail } from '../accounts/users/accounts';
import { serviceAccountOfUser } from '../accounts/service-accounts/service-users';
import type { Transaction } from '../database/database';
import { Forbidden } from '../errors/errors';
import type { Program } from '../program';

/**
 * The context of a user, or of a service account by its user, for what an automation does: everything goes through the same access decisions as a request of
 * that user. Undefined if the account is gone or can no longer sign in.
 */
export async function contextOfUser(
  program: Program,
  trx: Transaction,
  id: number,
  { zone, depth }: { readonly zone: string; readonly depth: number },
): Promise<RequestContext | undefined> {
  const account = await findAccountById(trx, id);
  const actor = account
    ? account.canSignIn && (await createActor(trx, account))
    : (await serviceAccountOfUser(trx, id))?.actor;
  return actor ? new RequestContext(program, actor, zone, undefined, depth) : undefined;
}

/** The id of the user with an email address. Throws Forbidden if there is none who can sign in. */
export async function userOfAddress(trx: Transaction, address: string): Promise<number> {
  const [account] = await findAccountsByEmail(trx, address);
  if (!account?.canSignIn)
    throw new Forbidden(`No active user has the email address ${address}, with whose permissions this would run.`);
  return account.id;
}

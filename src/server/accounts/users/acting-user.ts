import { RequestContext } from '../../access/request-context';
import type { Queries, Transaction } from '../../database/database';
import type { Actor } from '../../../engine/access/actor';
import { Forbidden } from '../../errors/errors';
import type { Program } from '../../program';
import { serviceAccountOfUser } from '../service-accounts/service-users';
import { createActor, findAccountById, findAccountsByEmail } from './accounts';

/**
 * The actor of a user, or of the service account that acts in the name of this user, with their present permissions:
 * for what is done later than it was requested. Undefined if the account is gone or can no longer sign in.
 */
export async function actorOfUser(queries: Queries, id: number): Promise<Actor | undefined> {
  const account = await findAccountById(queries, id);
  if (!account) return (await serviceAccountOfUser(queries, id))?.actor;
  return account.canSignIn ? createActor(queries, account) : undefined;
}

/**
 * The context of a user for what an automation does: everything goes through the same access decisions as a request of
 * that user. Undefined if the account is gone or can no longer sign in. `dueAt` is the moment that
 * `$now` and `$today` mean.
 */
export async function contextOfUser(
  program: Program,
  trx: Transaction,
  id: number,
  { zone, depth, dueAt }: { readonly zone: string; readonly depth: number; readonly dueAt?: string },
): Promise<RequestContext | undefined> {
  const actor = await actorOfUser(trx, id);
  return actor && new RequestContext(program, actor, zone, undefined, { depth, dueAt });
}

/** The id of the user with an email address. Throws Forbidden if there is none who can sign in. */
export async function userOfAddress(trx: Transaction, address: string): Promise<number> {
  const [account] = await findAccountsByEmail(trx, address);
  if (!account?.canSignIn)
    throw new Forbidden(`No active user has the email address ${address}, with whose permissions this would run.`);
  return account.id;
}

import { Level } from '../../../engine/definitions/level';
import type { Actor } from '../../../engine/access/actor';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { RequestContext } from '../../access/request-context';
import type { Transaction } from '../../database/database';
import type { Program } from '../../program';
import { insertRecord } from '../../records/write/create';
import { lockOwnRow } from '../../records/write/stored-row';
import { storeChanges } from '../../records/write/update';
import { createActor, loadAccount } from './accounts';

/**
 * Stores a change that a user proved without being signed in, such as owning a mailbox: with the validation, hooks and
 * history of every change of a user. Throws what `PUT users/{id}` throws.
 */
export async function storeVerifiedChange(
  program: Program,
  trx: Transaction,
  userId: number,
  values: ResourceRecord,
): Promise<void> {
  const actor = await createActor(trx, await loadAccount(trx, userId));
  const context = new RequestContext(program, actor, undefined, new Set(Object.keys(values)));
  const users = context.registry.getOrThrow('users');
  const input = { values, errors: {}, kept: [] };
  await storeChanges(
    { context, definition: users, trx },
    userId,
    input,
    await lockOwnRow({ context, definition: users, trx }, userId),
  );
}

/**
 * Adds a user that an identity provider vouches for to a company, with the validation, hooks and history of every new
 * user. There is no acting user: the program acts with the role that the company chose for such users. Returns the id.
 * Throws what `POST users` throws.
 */
export async function addVerifiedUser(
  program: Program,
  trx: Transaction,
  site: number,
  values: ResourceRecord & { readonly role_id: number },
): Promise<number> {
  const actor: Actor = {
    id: null as unknown as number,
    role_id: values.role_id,
    level: Level.Owner,
    site_id: site,
    permissions: {},
  };
  const context = new RequestContext(program, actor, undefined, new Set(Object.keys(values)));
  return insertRecord(
    { context, definition: context.registry.getOrThrow('users'), trx },
    { values, errors: {}, kept: [] },
  );
}

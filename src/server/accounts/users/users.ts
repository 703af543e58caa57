import { Level } from '../../../engine/definitions/level';
import { sql } from 'kysely';
import type { Actor } from '../../../engine/access/actor';
import type { Transaction } from '../../database/database';
import { Forbidden } from '../../errors/errors';
import { grantIds, loadPermissions } from '../permissions/grants';
import type { Hook, HookContext, Program } from '../../program';
import { clearAccessCache } from '../session/access-cache';
import { deleteCodes } from '../session/codes';
import { assertRecentProof } from '../session/identity-proof';
import { endAllSignIns } from '../session/sign-ins';
import { isEmailUsedInCompany, requestAddressChange } from './address-changes';
import { activeStatus } from './user-status';
import { fieldOf, idOf } from '../../../engine/definitions/accessors';
import { previousRowOf } from '../../program';

interface User {
  readonly id?: number;
  readonly role_id: number | null;
  readonly status_id: number | null;
  readonly site_id: number | null;
  readonly password?: string | null;
  readonly email?: string;
}

interface Role {
  readonly role_name: string;
  readonly level: Level;
}

const lastOwnerMessage = 'A company needs at least one owner.';
const lastAdministratorMessage = 'The installation needs at least one administrator.';

/** beforeSave: nobody can raise a user above their own level, or leave a company without an owner. */
export const guardUser: Hook = async (context) => {
  const { trx, actor } = context;
  const previousUser = context.previousRow as User | undefined;
  const changedUser = { ...previousUser, ...context.values } as User;
  if (previousUser) await refuseMorePowerful(context, previousUser);
  const replacement = previousUser ? await guardCredentials(context, previousUser) : undefined;
  // Administrators see every company. Other callers do not learn whether another company uses an address.
  if (
    !previousUser &&
    actor.level === Level.Installation &&
    changedUser.email &&
    (await isEmailUsedInCompany(trx, changedUser.email, null, null))
  ) {
    context.fail('email', `${fieldOf(context.definition, 'email').label} is already taken.`);
  }
  const role = await roleOf(trx, changedUser.role_id);
  if (affectsSignIn(previousUser, changedUser, role, context.verifiedFields)) assertRecentProof(actor);
  if (!role || changedUser.role_id === null) return replacement;
  const refusal =
    changedUser.role_id === previousUser?.role_id ? undefined : await assignmentRefusal(context, changedUser.role_id);
  if (refusal) context.forbid(refusal);
  if (role.level === Level.Installation && changedUser.site_id != null) {
    context.fail('site_id', 'An administrator of the installation belongs to no company.');
  }
  if (role.level > Level.Installation && changedUser.site_id == null)
    context.fail('site_id', 'Company is required for this role.');
  if (!previousUser) return undefined;
  const lastOwnerMessage = await lastOneMessage(
    trx,
    previousUser,
    role.level !== (await roleOf(trx, previousUser.role_id))?.level,
    changedUser,
  );
  if (lastOwnerMessage)
    context.fail(changedUser.role_id === previousUser.role_id ? 'status_id' : 'role_id', lastOwnerMessage);
  return replacement;
};

/** Whether a change affects how a user signs in, or what they can do then. */
function affectsSignIn(
  previousUser: User | undefined,
  changedUser: User,
  role: Role | undefined,
  verifiedFields: ReadonlySet<string>,
): boolean {
  if (!previousUser) return Boolean(changedUser.password) || (role !== undefined && role.level <= Level.Owner);
  return (['role_id', 'site_id', 'email', 'password'] as const).some(
    (name) => !verifiedFields.has(name) && changedUser[name] !== previousUser[name],
  );
}

/** beforeDelete: the same checks for a deletion. */
export const guardUserRemoval: Hook = async (context) => {
  const previousUser = context.previousRow as unknown as User;
  await refuseMorePowerful(context, previousUser);
  await refuseRicherUser(context, previousUser);
  const lastOwnerMessage = await lastOneMessage(context.trx, previousUser, true);
  if (lastOwnerMessage) context.conflict(lastOwnerMessage);
};

/** afterSave, afterDelete: ends all sessions of a user who can no longer sign in or has a new password. */
export const endSignIns: Hook = async ({ program, trx, event, previousRow, values }) => {
  const [previousUser, changedUser] = [
    previousRow as User | undefined,
    { ...previousRow, ...values } as unknown as User,
  ];
  await clearAccessCache(program.database, trx);
  if (!previousUser) return;
  const endsSignIns =
    event === 'afterDelete' || changedUser.status_id !== activeStatus || changedUser.password !== previousUser.password;
  const id = idOf(previousUser);
  if (endsSignIns) await endAllSignIns(trx, id);
  // A code is in the mailbox of the old address.
  if (endsSignIns || changedUser.email !== previousUser.email) await deleteCodes(trx, id);
};

/** How a user signs in, and whether they can. */
const credentials = ['email', 'password', 'status_id', 'role_id'] as const;

/**
 * Users set their own passwords, and a new address applies once its mailbox confirms it. Returns the values to store
 * instead of the sent ones.
 */
async function guardCredentials(context: HookContext, previousUser: User): Promise<Partial<User> | undefined> {
  const { actor, values, verifiedFields } = context;
  const changedNames = credentials.filter(
    (name) => !verifiedFields.has(name) && (values[name] ?? null) !== (previousUser[name] ?? null),
  );
  if (changedNames.length === 0) return undefined;
  if (previousUser.id !== actor.id) await refuseRicherUser(context, previousUser);
  if (changedNames.includes('password'))
    context.forbid(previousUser.id === actor.id ? ownPasswordMessage : othersPasswordMessage);
  // A user who has never signed in has nothing to lose: the invitation is just sent to the new address.
  if (!changedNames.includes('email') || (previousUser.status_id !== activeStatus && !previousUser.password))
    return undefined;
  if (previousUser.status_id !== activeStatus) {
    context.fail('email', 'Only an active user can confirm a new address: make the user active first.');
  }
  await requestAddressChange(context, previousRowOf(context), values.email as string);
  return { email: previousUser.email };
}

const ownPasswordMessage = 'Change your password in your profile, with your current password.';
const othersPasswordMessage = 'You cannot set the password of another user: send them a link to choose one.';

/** Users cannot change the credentials of a user with a permission that they don't have themselves. */
async function refuseRicherUser({ program, trx, actor, forbid }: HookContext, { id, role_id }: User): Promise<void> {
  if (actor.level === Level.Installation || id === actor.id || role_id === null || role_id === actor.role_id) return;
  const missingPermission = await missingGrant(program, trx, actor, role_id);
  if (missingPermission)
    forbid(`You cannot change how this user signs in: they have ${missingPermission}, which you don't have yourself.`);
}

async function refuseMorePowerful({ trx, actor }: HookContext, user: User): Promise<void> {
  await assertNotMorePowerful(trx, actor, user.role_id);
}

/** Throws Forbidden if a user's role is more powerful than the actor's. */
export async function assertNotMorePowerful(trx: Transaction, actor: Actor, roleId: number | null): Promise<void> {
  const role = await roleOf(trx, roleId);
  if (role && role.level < actor.level) {
    throw new Forbidden(`This user's role (${role.role_name}) is more powerful than your own.`);
  }
}

/**
 * Why an actor cannot give a role to somebody: it is more powerful than their own, or has permissions that they don't
 * have themselves. Undefined if they can.
 */
export async function assignmentRefusal(
  { program, trx, actor }: Pick<HookContext, 'program' | 'trx' | 'actor'>,
  id: number,
): Promise<string | undefined> {
  const role = await roleOf(trx, id);
  if (!role) return undefined;
  const name = role.role_name;
  if (role.level < actor.level) return `You cannot assign the role ${name}: it is more powerful than your own.`;
  const missingPermission = await missingGrant(program, trx, actor, id);
  return (
    missingPermission &&
    `You cannot assign the role ${name}: it grants ${missingPermission}, which you don't have yourself.`
  );
}

/** A permission of the role that the actor does not have; undefined if there is none. */
export async function missingGrant(
  program: Program,
  trx: Transaction,
  actor: Actor,
  role: number,
): Promise<string | undefined> {
  if (actor.level === Level.Installation || role === actor.role_id) return undefined;
  const registry = program.definitions.registry();
  const grantedIds = new Set(grantIds(registry, actor.permissions));
  return grantIds(registry, await loadPermissions(trx, role)).find((grant) => !grantedIds.has(grant));
}

async function roleOf(trx: Transaction, id: number | null): Promise<Role | undefined> {
  if (id === null || id === undefined) return undefined;
  return trx.selectFrom('roles').select(['role_name', 'level']).where('id', '=', id).executeTakeFirst();
}

/**
 * Why a user cannot be removed as the last owner or administrator; undefined if they can. Waits for concurrent checks.
 */
async function lastOneMessage(
  trx: Transaction,
  previousUser: User,
  losesRole: boolean,
  changedUser?: User,
): Promise<string | undefined> {
  const level = (await roleOf(trx, previousUser.role_id))?.level;
  const leaves = losesRole || changedUser?.status_id !== activeStatus;
  if (previousUser.status_id !== activeStatus || !leaves || level === undefined || level > Level.Owner)
    return undefined;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`owners of ${previousUser.site_id ?? 'the installation'}`}, 0))`.execute(
    trx,
  );
  const otherOwner = await trx
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select(sql`1`.as('one'))
    .where('roles.level', '=', level)
    .where('users.site_id', 'is not distinct from', previousUser.site_id)
    .where('users.status_id', '=', activeStatus)
    .where('users.deleted_at', 'is', null)
    .where('users.id', '<>', previousUser.id)
    .limit(1)
    .executeTakeFirst();
  if (otherOwner) return undefined;
  return level === Level.Installation ? lastAdministratorMessage : lastOwnerMessage;
}

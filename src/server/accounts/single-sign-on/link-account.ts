import { Level } from '../../../engine/definitions/level';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../../database/database';
import { Invalid } from '../../errors/errors';
import { safeMailName } from '../../mail/safe-name';
import type { Program } from '../../program';
import { recordSecurityEvent } from '../../security-log/security-log';
import { deleteCodes } from '../session/codes';
import type { Identity } from './exchange';
import { SignOnFailed } from './failures';
import { hasOtherIdentity, linkIdentity, userOfIdentity } from './identities';
import { isTrustedFor, type Provider } from './providers';
import { findAccountById, findAccountsByEmail, type Account, loadAccount } from '../users/accounts';
import { storeConfirmedAddress, hasConfirmedAddress, isConfirmedByAnother } from '../users/confirmed-addresses';
import { addVerifiedUser, storeVerifiedChange } from '../users/verified-changes';
import { activeStatus, invitedStatus } from '../users/user-status';
import { requiredProviderFor } from './required-provider';
import { firstOf } from '../../../engine/values/lookups';

/** An account with the data that decides whether an identity can be linked to it. */
type Candidate = Account & { readonly status_id: number };

const longestName = 100;

/**
 * The account of an identity. An identity that was linked before is found by issuer and subject, whatever its address
 * is now. Otherwise the provider must supply a verified address in its domains, and the account with that address is
 * linked. Invited users become active; unknown users are added if the company chose a role for them. Throws Failed.
 */
export function accountOfIdentity(program: Program, provider: Provider, identity: Identity): Promise<Account> {
  return program.database.transaction(async (trx) => {
    await lockIdentity(trx, provider, identity);
    const linkedAccount = await findLinkedAccount(trx, provider, identity);
    const account = linkedAccount ?? (await linkByAddress(program, trx, provider, identity));
    if (!account.canSignIn) throw new SignOnFailed('suspended', { email: account.email });
    await assertProviderAllowed(program, trx, provider, account);
    await linkIdentity(trx, provider, identity, account.id);
    return account;
  });
}

/** The account that an identity was linked to before; undefined if there is none. */
async function findLinkedAccount(
  trx: Transaction,
  provider: Provider,
  identity: Identity,
): Promise<Account | undefined> {
  const linkedUser = await userOfIdentity(trx, provider, identity);
  if (!linkedUser) return undefined;
  const account = await findAccountById(trx, linkedUser.user_id);
  if (!account) {
    // A deleted user can come back with a new invitation only, not as an unknown person.
    const invitedUser = identity.email ? await findCandidate(trx, provider, identity.email) : undefined;
    if (!invitedUser) throw new SignOnFailed('deleted', { email: identity.email || linkedUser.email });
    return undefined;
  }
  assertSameCompany(provider, account);
  return account;
}

async function linkByAddress(
  program: Program,
  trx: Transaction,
  provider: Provider,
  identity: Identity,
): Promise<Account> {
  const { email } = identity;
  if (!/^[^\s@<>"]+@[^\s@<>"]+$/.test(email) || email.length > 255) throw new SignOnFailed('no_address');
  if (identity.verified === false) throw new SignOnFailed('unverified', { email });
  if (!isTrustedFor(provider, email)) throw new SignOnFailed('other_domain', { email });
  if (!identity.verified && !provider.trusts_addresses) throw new SignOnFailed('no_email_verified', { email });
  const candidate = await findCandidate(trx, provider, email);
  if (!candidate) return addPerson(program, trx, provider, identity);
  if (await hasOtherIdentity(trx, provider, identity, candidate.id))
    throw new SignOnFailed('other_identity', { email });
  if (candidate.status_id === invitedStatus) return acceptInvitation(program, trx, candidate.id);
  if (!candidate.canSignIn) throw new SignOnFailed('suspended', { email });
  // People can register with another person's address, so an unconfirmed account is not linked. Administrators
  // do not register.
  if (candidate.level !== Level.Installation && !(await hasConfirmedAddress(trx, candidate.id)))
    throw new SignOnFailed('unconfirmed', { email });
  return candidate;
}

/**
 * The account of an address: within the provider's company, or, for the installation's provider, the one that confirmed
 * it.
 */
async function findCandidate(trx: Transaction, provider: Provider, email: string): Promise<Candidate | undefined> {
  if (provider.site_id === null) {
    const [first, second] = await findAccountsByEmail(trx, email);
    // Of several companies that claim an address none is chosen for its owner.
    if (first && second && !(await hasConfirmedAddress(trx, first.id)))
      throw new SignOnFailed('unconfirmed', { email });
    return first && withStatus(trx, first);
  }
  const { rows } = await sql<{ id: number; deleted: boolean }>`select id, deleted_at is not null as deleted from users
    where lower(email) = ${email.toLowerCase()} and site_id = ${provider.site_id}
    order by deleted_at is not null, id limit 1`.execute(trx);
  const [row] = rows;
  if (row?.deleted) throw new SignOnFailed('deleted', { email });
  return row && withStatus(trx, await loadAccount(trx, row.id));
}

async function withStatus(trx: Transaction, account: Account): Promise<Candidate> {
  const { rows } = await sql<{ status_id: number }>`select status_id from users where id = ${account.id}`.execute(trx);
  return { ...account, status_id: firstOf(rows).status_id };
}

/** Adds a new user to the company, with the role chosen for such users: never owner or administrator. */
async function addPerson(program: Program, trx: Transaction, provider: Provider, identity: Identity): Promise<Account> {
  const { email } = identity;
  const site = provider.site_id;
  if (site === null || provider.new_people_role === null) throw new SignOnFailed('no_account', { email });
  if (!(await isRoleForNewPeople(trx, site, provider.new_people_role))) throw new SignOnFailed('no_role');
  if (await isConfirmedByAnother(trx, 0, email)) throw new SignOnFailed('other_company', { email });
  const names = {
    first_name: cleanName(identity.firstName) || cleanName(firstOf(email.split('@'))),
    last_name: cleanName(identity.lastName) || '-',
  };
  const person = { ...names, email, role_id: provider.new_people_role, status_id: activeStatus, site_id: site };
  const id = await orFailedSignIn(email, () => addVerifiedUser(program, trx, site, person));
  await storeConfirmedAddress(trx, id);
  return await loadAccount(trx, id);
}

/** Signing in at the company's provider accepts an invitation: the provider vouches for the mailbox. */
async function acceptInvitation(program: Program, trx: Transaction, id: number): Promise<Account> {
  const { email } = await loadAccount(trx, id);
  if (await isConfirmedByAnother(trx, id, email)) throw new SignOnFailed('other_company', { email });
  await orFailedSignIn(email, () => storeVerifiedChange(program, trx, id, { status_id: activeStatus }));
  await deleteCodes(trx, id);
  await storeConfirmedAddress(trx, id);
  const account = await loadAccount(trx, id);
  await recordSecurityEvent(
    program,
    {
      event: 'address_confirmed',
      user_id: id,
      site_id: account.site_id,
      resource: 'users',
      record_id: id,
      detail: { by: 'single sign-on' },
    },
    trx,
  );
  return account;
}

/** Runs code that stores an account; a validation error becomes a failed sign-in. Throws Failed. */
async function orFailedSignIn<T>(email: string, store: () => Promise<T>): Promise<T> {
  try {
    return await store();
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    throw new SignOnFailed('incomplete', { email, detail: Object.values(error.errors).join(' ') }, { cause: error });
  }
}

/** Whether new single sign-on users can get a role: one of the company or a shipped one, below the owner's. */
export async function isRoleForNewPeople(queries: Queries, site: number, role: number): Promise<boolean> {
  const { rows } = await sql`select 1 from roles where id = ${role} and level > 2
    and (site_id is null or site_id = ${site})`.execute(queries);
  return rows.length > 0;
}

/** A user who must sign in through their company's provider cannot use another one. */
async function assertProviderAllowed(
  program: Program,
  trx: Transaction,
  provider: Provider,
  account: Account,
): Promise<void> {
  const requiredProvider = await requiredProviderFor(program, account, trx);
  if (requiredProvider && requiredProvider.id !== provider.id)
    throw new SignOnFailed('other_way', { detail: requiredProvider.name });
}

function assertSameCompany({ site_id }: Provider, account: Account): void {
  if (site_id !== null && account.site_id !== site_id)
    throw new SignOnFailed('other_company', { email: account.email });
}

/** Serialises concurrent sign-ins of one identity, or for one account. */
async function lockIdentity(trx: Transaction, { id }: Provider, { issuer, subject, email }: Identity): Promise<void> {
  for (const key of [`identity ${id} ${issuer} ${subject}`, `identity ${id} ${email.toLowerCase()}`].sort()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
  }
}

/** A name from a provider, safe to use as a name here: without links and line breaks, and limited in length. */
function cleanName(text: string): string {
  return safeMailName(text).slice(0, longestName).trim();
}

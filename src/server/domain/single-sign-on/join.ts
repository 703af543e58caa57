import { sql } from 'kysely';
import type { Queries, Transaction } from '../../database/database';
import { Invalid } from '../../errors/errors';
import { plainName } from '../../mail/plain-name';
import type { Program } from '../../program';
import { recordSecurityEvent } from '../../security-log/security-log';
import { endCodes } from '../../session/codes';
import type { Identity } from '../../single-sign-on/exchange';
import { Failed } from '../../single-sign-on/failures';
import { hasOtherIdentity, keepIdentity, userOfIdentity } from '../../single-sign-on/identities';
import { vouchesFor, type Provider } from '../../single-sign-on/providers';
import { accountOfUser, accountsOfEmail, type Account } from '../accounts';
import { confirmAddress, hasConfirmed, isConfirmedByAnother } from '../confirmed-addresses';
import { addProven, storeProven } from '../proven-changes';
import { active, invited } from '../user-status';
import { closedFor } from './closed';

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
    await holdIdentity(trx, provider, identity);
    const known = await joined(trx, provider, identity);
    const account = known ?? (await joinByAddress(program, trx, provider, identity));
    if (!account.mayEnter) throw new Failed('suspended', { email: account.email });
    await mustBeWay(program, trx, provider, account);
    await keepIdentity(trx, provider, identity, account.id);
    return account;
  });
}

/** The account that an identity was linked to before; undefined if there is none. */
async function joined(trx: Transaction, provider: Provider, identity: Identity): Promise<Account | undefined> {
  const found = await userOfIdentity(trx, provider, identity);
  if (!found) return undefined;
  const account = await accountOfUser(trx, found.user_id);
  if (!account) throw new Failed('deleted', { email: identity.email || found.email });
  mustBeOfCompany(provider, account);
  return account;
}

async function joinByAddress(
  program: Program,
  trx: Transaction,
  provider: Provider,
  identity: Identity,
): Promise<Account> {
  const { email } = identity;
  if (!/^[^\s@<>"]+@[^\s@<>"]+$/.test(email) || email.length > 255) throw new Failed('no_address');
  if (!identity.verified) throw new Failed('unverified', { email });
  if (!vouchesFor(provider, email)) throw new Failed('other_domain', { email });
  const found = await candidateOf(trx, provider, email);
  if (!found) return addPerson(program, trx, provider, identity);
  if (await hasOtherIdentity(trx, provider, identity, found.id)) throw new Failed('other_identity', { email });
  if (found.status_id === invited) return acceptInvitation(program, trx, found.id);
  if (!found.mayEnter) throw new Failed('suspended', { email });
  // Somebody may have registered with another person's address, so an unconfirmed account is not linked. Administrators
  // do not register.
  if (found.level !== 1 && !(await hasConfirmed(trx, found.id))) throw new Failed('unconfirmed', { email });
  return found;
}

/**
 * The account of an address: within the provider's company, or, for the installation's provider, the one that confirmed
 * it.
 */
async function candidateOf(trx: Transaction, provider: Provider, email: string): Promise<Candidate | undefined> {
  if (provider.site_id === null) {
    const [first, another] = await accountsOfEmail(trx, email);
    // Of several companies that claim an address none is chosen for its owner.
    if (another && !(await hasConfirmed(trx, first!.id))) throw new Failed('unconfirmed', { email });
    return first && withStatus(trx, first);
  }
  const { rows } = await sql<{ id: number; deleted: boolean }>`select id, deleted_at is not null as deleted from users
    where lower(email) = ${email.toLowerCase()} and site_id = ${provider.site_id}
    order by deleted_at is not null, id limit 1`.execute(trx);
  const [row] = rows;
  if (row?.deleted) throw new Failed('deleted', { email });
  return row && withStatus(trx, (await accountOfUser(trx, row.id))!);
}

async function withStatus(trx: Transaction, account: Account): Promise<Candidate> {
  const { rows } = await sql<{ status_id: number }>`select status_id from users where id = ${account.id}`.execute(trx);
  return { ...account, status_id: rows[0]!.status_id };
}

/** Adds a new user to the company, with the role chosen for such users: never owner or administrator. */
async function addPerson(program: Program, trx: Transaction, provider: Provider, identity: Identity): Promise<Account> {
  const { email } = identity;
  const site = provider.site_id;
  if (site === null || provider.new_people_role === null) throw new Failed('no_account', { email });
  if (!(await isRoleForNewPeople(trx, site, provider.new_people_role))) throw new Failed('no_role');
  if (await isConfirmedByAnother(trx, 0, email)) throw new Failed('other_company', { email });
  const names = {
    first_name: nameOf(identity.firstName) || nameOf(email.split('@')[0]!),
    last_name: nameOf(identity.lastName) || '-',
  };
  const person = { ...names, email, role_id: provider.new_people_role, status_id: active, site_id: site };
  const id = await sound(email, () => addProven(program, trx, site, person));
  await confirmAddress(trx, id);
  return (await accountOfUser(trx, id))!;
}

/** Signing in at the company's provider accepts an invitation: the provider vouches for the mailbox. */
async function acceptInvitation(program: Program, trx: Transaction, id: number): Promise<Account> {
  const { email } = (await accountOfUser(trx, id))!;
  if (await isConfirmedByAnother(trx, id, email)) throw new Failed('other_company', { email });
  await sound(email, () => storeProven(program, trx, id, { status_id: active }));
  await endCodes(trx, id);
  await confirmAddress(trx, id);
  const account = (await accountOfUser(trx, id))!;
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
async function sound<T>(email: string, store: () => Promise<T>): Promise<T> {
  try {
    return await store();
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    throw new Failed('incomplete', { email, detail: Object.values(error.errors).join(' ') }, { cause: error });
  }
}

/** Whether new single sign-on users can get a role: one of the company or a shipped one, below the owner's. */
export async function isRoleForNewPeople(queries: Queries, site: number, role: number): Promise<boolean> {
  const { rows } = await sql`select 1 from roles where id = ${role} and level > 2
    and (site_id is null or site_id = ${site})`.execute(queries);
  return rows.length > 0;
}

/** A user who must sign in through their company's provider cannot use another one. */
async function mustBeWay(program: Program, trx: Transaction, provider: Provider, account: Account): Promise<void> {
  const only = await closedFor(program, account, trx);
  if (only && only.id !== provider.id) throw new Failed('other_way', { detail: only.name });
}

function mustBeOfCompany({ site_id }: Provider, account: Account): void {
  if (site_id !== null && account.site_id !== site_id) throw new Failed('other_company', { email: account.email });
}

/** Serialises concurrent sign-ins of one identity, or for one account. */
async function holdIdentity(trx: Transaction, { id }: Provider, { issuer, subject, email }: Identity): Promise<void> {
  for (const key of [`identity ${id} ${issuer} ${subject}`, `identity ${id} ${email.toLowerCase()}`].sort()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
  }
}

/** A name from a provider, safe to use as a name here: without links and line breaks, and limited in length. */
function nameOf(text: string): string {
  return plainName(text).slice(0, longestName).trim();
}

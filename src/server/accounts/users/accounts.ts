import { Level } from '../../../engine/definitions/level';
import { sql } from 'kysely';
import type { Actor } from '../../../engine/access/actor';
import type { RoleName } from '../../../engine/access/audience';
import { tableLockTimeout } from '../../database/busy-locks';
import type { Queries } from '../../database/database';
import { lockSchema } from '../../database/schema-lock';
import type { Program } from '../../program';
import { loadPermissions } from '../permissions/grants';
import { activeStatus } from './user-status';
import { firstOf, requireValue } from '../../../engine/values/lookups';

/** A user account, with what sign-in needs to know. */
export interface Account {
  readonly id: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly site_id: number | null;
  readonly site_name: string | null;
  readonly role_id: number;
  readonly role_name: string;
  /** The role's key, which rules name. */
  readonly role: string;
  readonly level: Level;
  /** The hash; null for an invited user who has not accepted yet. */
  readonly password: string | null;
  /** Neither suspended, inactive nor invited, and with a company if the role needs one. */
  readonly canSignIn: boolean;
}

function selectAccounts(queries: Queries) {
  return queries
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .leftJoin('sites', 'sites.id', 'users.site_id')
    .select(['users.id', 'users.first_name', 'users.last_name', 'users.email', 'users.site_id', 'users.role_id'])
    .select(['users.password', 'users.status_id', 'roles.role_name', 'roles.key as role', 'roles.level'])
    .select('sites.name as site_name')
    .where('users.deleted_at', 'is', null);
}

/**
 * At most two accounts with an email address, ignoring case: first the one that confirmed it, otherwise the oldest;
 * then the newest of the others. Several accounts can claim an address until one confirms it.
 */
export async function findAccountsByEmail(queries: Queries, email: string): Promise<Account[]> {
  const lower = queries.fn<string>('lower', ['users.email']);
  const rows = await selectAccounts(queries)
    .where(lower, '=', email.trim().toLowerCase())
    .orderBy(confirmedFirst)
    .orderBy('users.id')
    .execute();
  return [...new Set([rows.at(0), rows.at(-1)])].flatMap((row) => toAccount(row) ?? []);
}

/** Sign-in looks users up by address alone, in any company, but the table's own index starts with the company. */
export async function createEmailIndex({ database }: Pick<Program, 'database'>): Promise<void> {
  // Asking for an index that exists would wait for those who write to the table, too.
  const { rows } = await sql<{ has: boolean }>`select to_regclass('public.users_address') is not null as has`.execute(
    database.kysely,
  );
  if (firstOf(rows).has) return;
  await database.transaction(async (trx) => {
    // If several servers start at once, only one creates it.
    await lockSchema(trx, tableLockTimeout);
    await sql`create index if not exists users_address on public.users (lower(email)) where deleted_at is null`.execute(
      trx,
    );
  });
}

/** Sorts users with the same address: the one that confirmed it comes first. */
export const confirmedFirst = sql`not exists (select 1 from assay.confirmed_addresses c
  where c.user_id = users.id and c.email = lower(users.email))`;

/** The account of a user's id. */
export async function findAccountById(queries: Queries, id: number): Promise<Account | undefined> {
  return toAccount(await selectAccounts(queries).where('users.id', '=', id).executeTakeFirst());
}

/** The account of a user who exists. */
export async function loadAccount(queries: Queries, id: number): Promise<Account> {
  return requireValue(await findAccountById(queries, id), `the account ${id}`);
}

function toAccount(row: Record<string, unknown> | undefined): Account | undefined {
  if (!row) return undefined;
  const { status_id, ...account } = row as unknown as Omit<Account, 'canSignIn'> & { status_id: number };
  const hasPlace = account.level === Level.Installation || account.site_id !== null;
  return { ...account, canSignIn: status_id === activeStatus && hasPlace };
}

/** The actor for access decisions: the account with the grants of its role. Level 1 belongs to no company. */
export async function createActor(queries: Queries, account: Account): Promise<Actor> {
  const site_id = account.level === Level.Installation ? null : account.site_id;
  return {
    id: account.id,
    role_id: account.role_id,
    level: account.level,
    role: account.role,
    roles: await loadRoleNames(queries, site_id, account.level),
    site_id,
    permissions: await loadPermissions(queries, account.role_id),
  };
}

/**
 * The roles of the installation and of a company that messages to somebody of a level may name, the more powerful ones
 * first: none to external users.
 */
export async function loadRoleNames(queries: Queries, site: number | null, level: Level): Promise<RoleName[]> {
  if (level === Level.External) return [];
  const { rows } = await sql<RoleName>`select key, role_name as name, level from public.roles
    where site_id is null or site_id = ${site}::bigint order by level, id`.execute(queries);
  return rows;
}

/** Every role with its level and key, for the grants of a new module and for what definitions name. */
export async function roleLevels(queries: Queries): Promise<{ id: number; level: Level; key: string }[]> {
  const rows = await queries
    .selectFrom('roles')
    .select(['id', 'level', 'key'])
    .orderBy('level')
    .orderBy('id')
    .execute();
  return rows as { id: number; level: Level; key: string }[];
}

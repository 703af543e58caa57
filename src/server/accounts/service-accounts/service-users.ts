import { sql } from 'kysely';
import type { Actor } from '../../../engine/access/actor';
import type { Level } from '../../../engine/definitions/definition';
import type { Queries } from '../../database/database';
import { isReadOnlyError } from '../../database/database-errors';
import { loadPermissions } from '../permissions/grants';
import { loadRoleNames } from '../users/accounts';
import { hashToken, newToken, serviceTokenPrefix } from '../session/tokens';
import { withinScopes } from './scopes';
import { touchInterval } from '../session/sign-ins';

/** The domain of the users in whose name service accounts act: no mail goes there. */
export const serviceDomain = 'service-account.invalid';

/** A service account as access decisions see it. */
export interface ServiceAccount {
  readonly id: number;
  readonly name: string;
  readonly role_name: string;
  readonly actor: Actor;
  /** Neither switched off nor expired, nor of level 1, whatever became of its role since. */
  readonly isActive: boolean;
  /** When its token expires, in milliseconds since 1970; Infinity: never. */
  readonly endsAt: number;
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly user_id: number;
  readonly role_id: number;
  readonly role_name: string;
  readonly role: string;
  readonly level: Level;
  readonly site_id: number;
  readonly expires_at: string | null;
  readonly limited: boolean | null;
  readonly is_active: boolean;
  readonly last_used_at: string | null;
}

/** A new token, which is shown once and stored as its hash. */
export function newServiceToken(): string {
  return `${serviceTokenPrefix}${newToken()}`;
}

/**
 * The account of a token, whose use is recorded at most once a minute; undefined if there is none, or it is switched off
 * or has expired. While the database is read-only the use is not recorded.
 */
export async function useServiceToken(queries: Queries, token: string): Promise<ServiceAccount | undefined> {
  const row = await findActive(queries, sql`a.hash = ${hashToken(token)}`);
  if (!row) return undefined;
  if (row.last_used_at === null || Date.parse(row.last_used_at) <= Date.now() - touchInterval) {
    // Not a change that somebody made: `updated_at` stays, by which changes at the same time are noticed.
    await sql`update public.service_accounts set last_used_at = now() where id = ${row.id}`
      .execute(queries)
      .catch((error: unknown) => {
        if (!isReadOnlyError(error)) throw error;
      });
  }
  return toAccount(queries, row);
}

/** Same, without recording a use. */
export async function findServiceToken(queries: Queries, token: string): Promise<ServiceAccount | undefined> {
  const row = await findActive(queries, sql`a.hash = ${hashToken(token)}`);
  return row && toAccount(queries, row);
}

/** The active service account that acts in the name of a user; undefined if there is none. */
export async function serviceAccountOfUser(queries: Queries, user: number): Promise<ServiceAccount | undefined> {
  const row = await findActive(queries, sql`a.user_id = ${user}`);
  return row && toAccount(queries, row);
}

/** A service account by its id, active or not, if it exists. */
export async function findServiceAccount(queries: Queries, id: number): Promise<ServiceAccount | undefined> {
  const row = await find(queries, sql`s.id = ${id}`);
  return row && toAccount(queries, row);
}

const active = sql`s.active and (s.expires_at is null or s.expires_at > now()) and r.level > 1`;

const findActive = (queries: Queries, condition: ReturnType<typeof sql>) =>
  find(queries, sql`${condition} and ${active}`);

async function find(queries: Queries, condition: ReturnType<typeof sql>): Promise<Row | undefined> {
  const { rows } =
    await sql<Row>`select s.id, s.name, a.user_id, s.role_id, r.role_name, r.key as role, r.level, s.site_id, s.expires_at,
      s.limited, s.last_used_at, ${active} as is_active
    from assay.service_accounts a
    join public.service_accounts s on s.id = a.service_account_id join public.roles r on r.id = s.role_id
    where ${condition}`.execute(queries);
  return rows[0];
}

async function toAccount(queries: Queries, row: Row): Promise<ServiceAccount> {
  const { id, name, role_name, role_id, role, level, site_id, user_id, expires_at, is_active: isActive } = row;
  const rolePermissions = await loadPermissions(queries, role_id);
  const roles = await loadRoleNames(queries, site_id, level);
  const permissions = row.limited ? await withinScopes(queries, id, rolePermissions) : rolePermissions;
  const actor = {
    ...{ id: user_id, role_id, role, roles, level, site_id, permissions },
    ...(row.limited && { beyondScopes: rolePermissions }),
  };
  return { id, name, role_name, actor, isActive, endsAt: expires_at === null ? Infinity : Date.parse(expires_at) };
}

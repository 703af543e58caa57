import { sql } from 'kysely';
import type { Transaction } from '../../database/database';
import { active } from '../user-status';

/** Somebody who can be told something. */
export interface Recipient {
  readonly id: number;
  readonly first_name: string;
  readonly site_name: string | null;
}

/**
 * Those of some users who can be told of a record of a project: they have an account in force, and whoever sees nothing
 * but their own projects is on it.
 */
export async function recipients(
  trx: Transaction,
  ids: readonly (number | null | undefined)[],
  project?: number,
): Promise<Recipient[]> {
  const wanted = [...new Set(ids)].filter((id): id is number => typeof id === 'number');
  if (wanted.length === 0) return [];
  const query = trx
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .leftJoin('sites', 'sites.id', 'users.site_id')
    .select(['users.id', 'users.first_name', 'sites.name as site_name'])
    .where('users.id', 'in', wanted)
    .where('users.status_id', '=', active)
    .where('users.deleted_at', 'is', null)
    .orderBy('users.id');
  const onProject = sql<boolean>`(roles.level < 6 or exists (
    select 1 from projects__user_ids o where o.record_id = ${project ?? null}::integer and o.target_id = users.id))`;
  return (await (project === undefined ? query : query.where(onProject)).execute()) as Recipient[];
}

/** What somebody is called. */
export async function nameOf(trx: Transaction, id: number): Promise<string> {
  const user = await trx
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('id', '=', id)
    .executeTakeFirst();
  return [user?.first_name, user?.last_name].filter(Boolean).join(' ');
}

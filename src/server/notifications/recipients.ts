import { sql, type RawBuilder } from 'kysely';
import { activeStatus } from '../accounts/users/user-status';

/**
 * Whether a user `u` with a role `r` can be notified about a record of a project (null: none): the account is active,
 * and an external user is a member of the project.
 */
export function canBeNotified(project: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(u.status_id = ${sql.lit(activeStatus)} and u.deleted_at is null and (r.level < 6 or ${project} is null or exists (
    select 1 from public.projects__user_ids o where o.record_id = ${project} and o.target_id = u.id)))`;
}

import { sql, type RawBuilder } from 'kysely';

/**
 * Whether a user `u` with a role `r` can be notified about a record of a project (null: none): external users only if
 * they are members of the project.
 */
export function isMemberOrInternal(project: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(r.level < 6 or ${project} is null or exists (
    select 1 from public.projects__user_ids o where o.record_id = ${project} and o.target_id = u.id and o.site_id = u.site_id))`;
}

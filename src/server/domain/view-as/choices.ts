import { sql, type RawBuilder } from 'kysely';
import { reach } from '../../access/reach';
import type { RequestContext } from '../../access/request-context';
import { patternOf } from '../../conditions/compare-sql';
import { predicateToSql } from '../../conditions/to-sql';
import { active } from '../user-status';

/** A user, or a role, to view as. */
export interface Choice {
  /** The value for the header. */
  readonly as: string;
  readonly name: string;
  readonly role: string;
  readonly level: number;
  readonly company: string | null;
}

/** Choices that travel at a time. */
const most = 50;

/**
 * The active users that the caller can see, except themselves and more powerful ones. Throws Refused without the grant.
 */
export async function peopleToViewAs(context: RequestContext, q: string): Promise<readonly Choice[]> {
  const { level, id } = context.actor;
  const name = sql`concat_ws(' ', users.first_name, users.last_name)`;
  return choices(
    context,
    sql`
    select 'user ' || users.id as "as", ${name} as name, roles.role_name as role, roles.level, sites.name as company
    from users join roles on roles.id = users.role_id left join sites on sites.id = users.site_id
    where ${reached(context, 'users')} and users.status_id = ${active} and users.id <> ${id} and roles.level >= ${level}
      and (roles.level = 1 or users.site_id is not null)
      and ${found(q, name, sql`roles.role_name`, sql`sites.name`)}
    order by ${beginsFirst(q, name)}, lower(${name}), users.id limit ${most}`,
  );
}

/**
 * The roles that are not more powerful. A caller without a company combines a role of the installation with one of the
 * companies.
 */
export async function rolesToViewAs(context: RequestContext, q: string): Promise<readonly Choice[]> {
  const { level, site_id } = context.actor;
  const named = sql`case when roles.level > 1 and roles.site_id is null and ${site_id === null}
    then ' site ' || sites.id else '' end`;
  return choices(
    context,
    sql`
    select 'role ' || roles.id || ${named} as "as", roles.role_name as name, roles.role_name as role, roles.level,
      sites.name as company
    from roles left join sites on roles.level > 1 and ${reached(context, 'sites')}
      and sites.id = coalesce(roles.site_id, ${site_id}::integer, sites.id)
    where ${reached(context, 'roles')} and roles.level >= ${level} and (roles.level = 1 or sites.id is not null)
      and ${found(q, sql`roles.role_name`, sql`sites.name`)}
    order by ${beginsFirst(q, sql`roles.role_name`)}, sites.name nulls first, roles.level, roles.id limit ${most}`,
  );
}

async function choices(context: RequestContext, query: RawBuilder<Choice>): Promise<readonly Choice[]> {
  return (await query.execute(context.program.database.kysely)).rows;
}

function reached(context: RequestContext, resource: string): RawBuilder<unknown> {
  const definition = context.registry.need(resource);
  return predicateToSql(
    reach(context, definition, 'list'),
    definition,
    definition.table,
    context.registry,
    context.surroundings,
  );
}

function found(q: string, ...texts: RawBuilder<unknown>[]): RawBuilder<unknown> {
  if (q === '') return sql`true`;
  return sql`lower(concat_ws(' ', ${sql.join(texts)})) like ${patternOf(q)}::text`;
}

/** Sorts names that begin with the searched text first. */
function beginsFirst(q: string, name: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(lower(${name}) not like ${patternOf(q).slice(1)}::text)`;
}

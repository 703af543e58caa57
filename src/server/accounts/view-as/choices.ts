import { sql, type RawBuilder } from 'kysely';
import { accessFilter } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';
import { likePattern } from '../../sql/operands';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { activeStatus } from '../users/user-status';

/** A user, or a role, to view as. */
export interface ViewAsChoice {
  /** The value for the header. */
  readonly as: string;
  readonly name: string;
  readonly role: string;
  readonly level: number;
  readonly company: string | null;
}

/** Choices that travel at a time. */
const maxChoices = 50;

/**
 * The active users that the caller can see, except themselves and more powerful ones. Throws Forbidden without the grant.
 */
export async function peopleToViewAs(context: RequestContext, q: string): Promise<readonly ViewAsChoice[]> {
  const { level, id } = context.actor;
  const name = sql`concat_ws(' ', users.first_name, users.last_name)`;
  return loadChoices(
    context,
    sql`
    select 'user ' || users.id as "as", ${name} as name, roles.role_name as role, roles.level, sites.name as company
    from users join roles on roles.id = users.role_id left join sites on sites.id = users.site_id
    where ${visibleFilter(context, 'users')} and users.status_id = ${activeStatus} and users.id <> ${id} and roles.level >= ${level}
      and (roles.level = 1 or users.site_id is not null)
      and ${searchFilter(q, name, sql`roles.role_name`, sql`sites.name`)}
    order by ${beginsFirst(q, name)}, lower(${name}), users.id limit ${maxChoices}`,
  );
}

/**
 * The roles that are not more powerful. A caller without a company combines a role of the installation with one of the
 * companies.
 */
export async function rolesToViewAs(context: RequestContext, q: string): Promise<readonly ViewAsChoice[]> {
  const { level, site_id } = context.actor;
  const companySuffix = sql`case when roles.level > 1 and roles.site_id is null and ${site_id === null}
    then ' site ' || sites.id else '' end`;
  return loadChoices(
    context,
    sql`
    select 'role ' || roles.id || ${companySuffix} as "as", roles.role_name as name, roles.role_name as role, roles.level,
      sites.name as company
    from roles left join sites on roles.level > 1 and ${visibleFilter(context, 'sites')}
      and sites.id = coalesce(roles.site_id, ${site_id}::bigint, sites.id)
    where ${visibleFilter(context, 'roles')} and roles.level >= ${level} and (roles.level = 1 or sites.id is not null)
      and ${searchFilter(q, sql`roles.role_name`, sql`sites.name`)}
    order by ${beginsFirst(q, sql`roles.role_name`)}, sites.name nulls first, roles.level, roles.id limit ${maxChoices}`,
  );
}

async function loadChoices(context: RequestContext, query: RawBuilder<ViewAsChoice>): Promise<readonly ViewAsChoice[]> {
  return (await query.execute(context.program.database.kysely)).rows;
}

function visibleFilter(context: RequestContext, resource: string): RawBuilder<unknown> {
  const definition = context.registry.getOrThrow(resource);
  return predicateToSql(
    accessFilter(context, definition, 'list'),
    definition,
    definition.table,
    context.registry,
    context.evaluationContext,
  );
}

function searchFilter(q: string, ...texts: RawBuilder<unknown>[]): RawBuilder<unknown> {
  if (q === '') return sql`true`;
  return sql`lower(concat_ws(' ', ${sql.join(texts)})) like ${likePattern(q)}::text`;
}

/** Sorts names that begin with the searched text first. */
function beginsFirst(q: string, name: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(lower(${name}) not like ${likePattern(q).slice(1)}::text)`;
}

import { Level } from '../../engine/definitions/level';
import { sql, type RawBuilder } from 'kysely';
import type { Actor } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import { accessFilterIfGranted } from '../access/access-filter';
import { RequestContext } from '../access/request-context';
import { loadRolePermissions } from '../accounts/permissions/grants';
import type { Queries } from '../database/database';
import { isActiveRecipient } from '../notifications/recipients';
import type { Program } from '../program';
import { expandComputed, predicateToSql } from '../sql/predicate-to-sql';

type Sql = RawBuilder<unknown>;

interface UserRow {
  readonly id: number;
  readonly role_id: number;
  readonly level: Level;
  readonly role: string;
  readonly site_id: number | null;
}

/**
 * The active users `u` of a record's company who meet a condition, as access decisions see them, in the given order. Of a
 * record without a company, and with `administrators` of every record: those of the installation too.
 */
export async function loadColleagues(
  queries: Queries,
  company: number | null,
  condition: Sql,
  {
    order = sql`u.id`,
    limit,
    offset = 0,
    administrators = company === null,
  }: { order?: Sql; limit: number; offset?: number; administrators?: boolean },
): Promise<Actor[]> {
  const { rows } = await sql<UserRow>`select u.id, u.role_id, r.level, r.key as role, u.site_id
    from public.users u join public.roles r on r.id = u.role_id
    where ${isActiveRecipient()} and ${condition}
      and (u.site_id = ${company}::bigint or (r.level = 1 and ${sql.lit(administrators)}))
    order by ${order} limit ${limit}::bigint offset ${offset}::bigint`.execute(queries);
  const grants = await loadRolePermissions(queries, [...new Set(rows.map(({ role_id }) => role_id))]);
  return rows.map(({ id, role_id, level, role, site_id }) => ({
    id,
    role_id,
    level,
    role,
    site_id: level === Level.Installation ? null : site_id,
    permissions: grants.get(role_id) ?? {},
  }));
}

/**
 * Whether a user of these, whose id is the given expression, may view a record now: each by their own grants and rules,
 * all in one condition. Users with the same rules share their part of it.
 *
 * @example sql`select u.id from users u where ${mayViewSql(program, deals, 7, people, sql`u.id`)}`;
 */
export function mayViewSql(
  program: Program,
  definition: Definition,
  id: number,
  people: readonly Actor[],
  user: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`exists (select from ${sql.id('public', definition.table)} t
    where t.id = ${id}::bigint and ${mayViewRowSql(program, definition, people, user)})`;
}

/** As `mayViewSql`, of the row `t` of the definition's table. */
export function mayViewRowSql(
  program: Program,
  definition: Definition,
  people: readonly Actor[],
  user: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const groups = new Map<string, { ids: number[]; condition: Sql }>();
  for (const person of people) {
    const context = new RequestContext(program, person);
    const filter = accessFilterIfGranted(context, definition, 'view', { archived: 'any' });
    if (!filter) continue;
    const { registry, evaluationContext } = context;
    // Says everything that the SQL depends on, and is written sooner than SQL for each person.
    const key = JSON.stringify(expandComputed(filter, definition, registry, evaluationContext));
    let group = groups.get(key);
    if (!group) {
      group = { ids: [], condition: predicateToSql(filter, definition, 't', registry, evaluationContext) };
      groups.set(key, group);
    }
    group.ids.push(person.id);
  }
  if (groups.size === 0) return sql`false`;
  const groupConditions = [...groups.values()].map(
    ({ ids, condition }) => sql`(${user} = any(${ids}::bigint[]) and ${condition})`,
  );
  return sql`(${sql.join(groupConditions, sql` or `)})`;
}

/** Of these users, the ids of those who may view a record. */
export async function findReaders(
  program: Program,
  queries: Queries,
  definition: Definition,
  id: number,
  people: readonly Actor[],
): Promise<ReadonlySet<number>> {
  if (people.length === 0) return new Set();
  const ids = people.map((person) => person.id);
  const { rows } = await sql<{ id: number }>`select u.id from unnest(${ids}::bigint[]) u (id)
    where ${mayViewSql(program, definition, id, people, sql`u.id`)}`.execute(queries);
  return new Set(rows.map((row) => row.id));
}

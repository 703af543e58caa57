import { sql } from 'kysely';
import { realUser, type Actor } from '../../../engine/access/actor';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { accessFilter } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';
import { Forbidden, NotFound } from '../../errors/errors';
import { presenceResource } from '../../live/live-hub';
import type { Program } from '../../program';
import { readRecord } from '../../records/read/read';
import { visibleTitleSql } from '../../sql/operands';
import { predicateToSql } from '../../sql/predicate-to-sql';

/** A user who has a record open. */
export interface Present {
  readonly record_id: number;
  readonly user: { readonly id: number; readonly name: string };
  /** They have changed something there that is not stored yet. */
  readonly editing: boolean;
}

/** A record, and what somebody does there. */
export interface Place {
  readonly resource: string;
  readonly id: number;
  readonly editing?: boolean;
}

/** Seconds after which somebody who was not heard of is gone: their connection was lost. Clients say so twice as often. */
const secondsUntilGone = 60;
/** The most places at which one person can be: as many windows as anybody works with. */
const maxPlaces = 20;

/**
 * `PUT presence`: the caller is at a record now, in the window with this event stream. Throws Forbidden and NotFound for
 * a record that they may not see.
 */
export async function enter(
  context: RequestContext,
  stream: string,
  { resource, id, editing = false }: Place,
): Promise<void> {
  const { program, actor } = context;
  // A user who views as another user is not shown as present.
  if (actor.viewer) throw new Forbidden('While viewing as another user you are nowhere.');
  const definition = definitionOf(context, resource);
  const record: ResourceRecord = await readRecord({ context, definition }, id, new Set(['id', 'site_id']));
  const site_id = (record.site_id ?? actor.site_id) as number | null;
  const { rows } = await sql<{ record_id: number | null; resource: string | null; editing: boolean | null }>`
    with before as (
      select p.resource, p.record_id, p.editing from assay.presence p where p.user_id = ${actor.id} and p.stream = ${stream}
        and p.seen_at > now() - make_interval(secs => ${secondsUntilGone})
    ),
    gone as (
      delete from assay.presence p where p.seen_at < now() - make_interval(secs => ${secondsUntilGone})
        and not (p.user_id = ${actor.id} and p.stream = ${stream})
    ),
    most as (
      delete from assay.presence p where p.user_id = ${actor.id} and p.stream <> ${stream} and p.stream in (
        select o.stream from assay.presence o where o.user_id = ${actor.id} and o.stream <> ${stream}
        order by o.seen_at desc offset ${maxPlaces - 1})
    ),
    stored as (
      insert into assay.presence (user_id, stream, resource, record_id, site_id, seen_at, editing)
      values (${actor.id}, ${stream}, ${definition.name}, ${id}, ${site_id}, now(), ${editing})
      on conflict (user_id, stream) do update set resource = excluded.resource, record_id = excluded.record_id,
        site_id = excluded.site_id, seen_at = excluded.seen_at, editing = excluded.editing
    )
    select b.resource, b.record_id, b.editing from (select 1) one left join before b on true`.execute(
    program.database.kysely,
  );
  const [previousPresence] = rows;
  if (
    previousPresence?.resource &&
    previousPresence.record_id !== null &&
    (previousPresence.record_id !== id || previousPresence.resource !== definition.name)
  )
    publishPresence(program, { resource: previousPresence.resource, id: previousPresence.record_id }, site_id);
  const isSame =
    previousPresence?.record_id === id &&
    previousPresence.resource === definition.name &&
    previousPresence.editing === editing;
  if (!isSame) publishPresence(program, { resource: definition.name, id }, site_id);
}

/** The window with this event stream is at no record any more, or it is closed. */
export async function leave(program: Program, actor: Actor, stream: string): Promise<void> {
  const { rows } = await sql<{ resource: string; id: number; site_id: number | null }>`delete from assay.presence p
    where p.user_id = ${realUser(actor).id} and p.stream = ${stream}
    returning p.resource, p.record_id as id, p.site_id`.execute(program.database.kysely);
  if (rows[0]) publishPresence(program, rows[0], rows[0].site_id);
}

/** `GET presence`: the others who are at records of a resource now, or at one, as far as the caller may list them. */
export async function listPresent(
  context: RequestContext,
  { resource, id }: Pick<Place, 'resource'> & Partial<Place>,
): Promise<readonly Present[]> {
  const { registry, actor, evaluationContext, program } = context;
  const definition = definitionOf(context, resource);
  const canList = predicateToSql(
    accessFilter(context, definition, 'list'),
    definition,
    't',
    registry,
    evaluationContext,
  );
  const users = registry.getOrThrow('users');
  const { rows } = await sql<{ record_id: number; user_id: number; name: string; editing: boolean }>`
    select p.record_id, p.user_id, ${visibleTitleSql(actor, users, 'u', registry)} as name, bool_or(p.editing) as editing
    from assay.presence p join ${sql.id('public', definition.table)} t on t.id = p.record_id
      join public.users u on u.id = p.user_id
    where p.resource = ${definition.name} and p.user_id <> ${realUser(actor).id}
      and p.seen_at > now() - make_interval(secs => ${secondsUntilGone}) and ${canList}
      ${id === undefined ? sql`` : sql`and p.record_id = ${id}`}
    group by p.record_id, p.user_id, u.id order by p.record_id, p.user_id limit 500`.execute(program.database.kysely);
  return rows.map(({ record_id, user_id, name, editing }) => ({ record_id, user: { id: user_id, name }, editing }));
}

function definitionOf({ registry }: RequestContext, resource: string): Definition {
  const definition = registry.get(resource);
  if (!definition) throw new NotFound();
  return definition;
}

/** Says only that somebody came to a record or went: who that is, clients ask with their own access. */
function publishPresence(program: Program, { resource, id }: Place, site_id: number | null): void {
  program.live.publish({ resource: presenceResource, id: `${resource}/${id}`, event: 'changed', site_id });
}

import { Level } from '../../engine/definitions/level';
import { sql } from 'kysely';
import { realUser, type Actor } from '../../engine/access/actor';
import { readsInternal } from '../../engine/comments/internal-comments';
import { isAllowedOnRecord, isGranted } from '../../engine/access/access-decision';
import { actions, type Definition, type ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { rulesFor } from '../../engine/access/access-decision';
import { visibleRowsFilter } from '../access/access-filter';
import { RequestContext } from '../access/request-context';
import { predicateToSql } from '../sql/predicate-to-sql';
import { withStableRegistry } from '../definitions/registry-swap';
import { jobsResource } from '../jobs/job';
import type { Program } from '../program';
import {
  anyResource,
  commentsResource,
  definitionsResource,
  draftsResource,
  notificationsResource,
  permissionsResource,
  presenceResource,
  timerResource,
  type LiveEvent,
} from '../live/live-hub';

const personalResources: ReadonlySet<string> = new Set([notificationsResource, jobsResource, timerResource]);
const resourcesWithoutRecords: ReadonlySet<string> = new Set([
  ...personalResources,
  anyResource,
  definitionsResource,
  draftsResource,
  permissionsResource,
]);

/** Query results for one batch of events: by rules and resource, the visible ids. */
export type QueryResults = Map<string, Promise<ReadonlySet<unknown>>>;

/**
 * The events that an actor may see at this moment: the list is granted, the record is of the actor's company, and no
 * row rule hides it. Of a record that was deleted, or taken from an actor's sight, those with row rules hear that it was
 * deleted if its old values say that they saw it (`former`), and nothing where those cannot say so. An event of a whole resource (its id is null) reveals no record. Runs one statement per resource with row rules, and
 * none if the same query already ran for another actor: results are cached for these events.
 */
export async function visibleEvents(
  program: Program,
  actor: Actor,
  events: readonly LiveEvent[],
  asked: QueryResults = new Map(),
): Promise<readonly LiveEvent[]> {
  return withStableRegistry(
    program.definitions,
    () => filterVisibleEvents(new RequestContext(program, actor), events, asked),
    {
      repeatable: true,
    },
  );
}

async function filterVisibleEvents(
  context: RequestContext,
  events: readonly LiveEvent[],
  asked: QueryResults,
): Promise<readonly LiveEvent[]> {
  const narrowed = createNarrowedLookup(context);
  const subjects = new Map(events.map((event) => [event, subjectOf(event)]));
  const allowed = events.filter((event) => isVisibleWithoutRecord(context, subjects.get(event)!));
  const shown = new Map<Definition, ReadonlySet<unknown>>();
  for (const event of allowed) {
    const { resource, id } = subjects.get(event)!;
    const definition = narrowed(resource);
    if (definition && id !== null && !shown.has(definition))
      shown.set(definition, await visibleIds(context, definition, [...subjects.values()], asked));
  }
  return allowed.flatMap((event) => {
    const { resource, id } = subjects.get(event)!;
    const definition = narrowed(resource);
    if (!definition || id === null || (event.event !== 'deleted' && shown.get(definition)!.has(id))) return [event];
    return event.former && sawBefore(context, definition, event.former) ? [{ ...event, event: 'deleted' }] : [];
  });
}

/** Whether the row rules let the actor list a record that had these values. */
function sawBefore(context: RequestContext, definition: Definition, former: ResourceRecord): boolean {
  return isAllowedOnRecord(context.actor, definition, 'list', former, context.evaluationContext);
}

/** The event as one of the record that it is about: somebody is at a record for those who see the record. */
function subjectOf(event: LiveEvent): LiveEvent {
  if (event.resource !== presenceResource) return event;
  const [resource = '', id] = String(event.id).split('/');
  return { ...event, resource, id: Number(id) };
}

/** What can be decided without reading the record. */
function isVisibleWithoutRecord({ actor, registry }: RequestContext, event: LiveEvent): boolean {
  if (event.resource === anyResource) return true;
  // A user who views as another user receives their own notifications and jobs.
  if (personalResources.has(event.resource)) return event.user_id === realUser(actor).id;
  if (event.resource === permissionsResource)
    return [actor, realUser(actor)].some(({ role_id: own }) => own === event.role_id);
  if (event.resource === commentsResource)
    return (
      (actor.level === Level.Installation || event.site_id === actor.site_id) && hearsInternal(actor, event, registry)
    );
  if (event.resource === definitionsResource) return isRelevantDefinition(actor, String(event.id), registry);
  if (event.resource === draftsResource) return actor.level === Level.Installation;
  const definition = registry.get(event.resource);
  return definition !== undefined && isGranted(actor, definition.name, 'list') && isOfCompany(actor, definition, event);
}

/** Whether somebody may know that there is a comment, if it is an internal one. */
function hearsInternal(actor: Actor, { internal }: LiveEvent, registry: Registry): boolean {
  if (internal === undefined) return true;
  const definition = registry.get(internal);
  return definition !== undefined && readsInternal(actor, definition);
}

/** Returns a function that returns the definition of a resource if a rule hides some of its rows from the actor. */
function createNarrowedLookup({ actor, registry }: RequestContext): (resource: string) => Definition | undefined {
  const known = new Map<string, Definition | undefined>();
  return (resource) => {
    if (!known.has(resource)) {
      const definition = resourcesWithoutRecords.has(resource) ? undefined : registry.get(resource);
      known.set(resource, definition && hasRowRules(actor, definition) ? definition : undefined);
    }
    return known.get(resource);
  };
}

/** Of all records of a resource in the events, the ids of those that the rules allow. */
function visibleIds(
  context: RequestContext,
  definition: Definition,
  events: readonly LiveEvent[],
  asked: QueryResults,
): Promise<ReadonlySet<unknown>> {
  const { database } = context.program;
  const { registry, evaluationContext } = context;
  const where = predicateToSql(
    visibleRowsFilter(context, definition, 'list'),
    definition,
    't',
    registry,
    evaluationContext,
  );
  const { sql: text, parameters } = sql`${where}`.compile(database.kysely);
  const key = JSON.stringify([definition.name, text, parameters]);
  let shown = asked.get(key);
  if (!shown) {
    const ids = new Set(
      events.flatMap(({ resource, id }) => (resource === definition.name && Number.isInteger(id) ? [id] : [])),
    );
    const found = sql<{ id: number }>`select t.id from ${sql.id('public', definition.table)} t
      where t.id = any(${[...ids]}::integer[]) and ${where}`;
    shown = database.query(found.compile(database.kysely)).then((rows) => new Set(rows.map(({ id }) => id)));
    asked.set(key, shown);
  }
  return shown;
}

function hasRowRules(actor: Actor, definition: Definition): boolean {
  if (actor.viewer && hasRowRules(actor.viewer, definition)) return true;
  return rulesFor(actor, definition, 'list').some((rule) => rule.where);
}

/** Whether a definition is relevant for an actor: a grant on it, or on one whose relations refer to it. */
function isRelevantDefinition(actor: Actor, name: string, registry: Registry): boolean {
  const granted = (module: string) => actions.some((action) => isGranted(actor, module, action));
  return granted(name) || registry.referencesTo(name).some(({ definition }) => granted(definition.name));
}

function isOfCompany(actor: Actor, definition: Definition, event: LiveEvent): boolean {
  if (actor.viewer && !isOfCompany(actor.viewer, definition, event)) return false;
  const { id, site_id = null } = event;
  if (definition.scope === 'installation' || actor.level === Level.Installation) return true;
  if (definition.scope === 'self') return id === actor.site_id;
  if (site_id === null) return definition.scope === 'both';
  return site_id === actor.site_id;
}

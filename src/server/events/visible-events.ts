import { Level } from '../../engine/definitions/level';
import { sql } from 'kysely';
import { realUser, type Actor } from '../../engine/access/actor';
import { readsInternal } from '../../engine/comments/internal-comments';
import { isAllowedOnRecord, isGranted } from '../../engine/access/access-decision';
import { actions, type Definition, type ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { rulesFor } from '../../engine/access/access-decision';
import { visibleRowsFilter } from '../access/access-filter';
import type { RecordScope } from '../access/record-scope';
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
import { getOrThrow } from '../../engine/values/lookups';

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
  queryResults: QueryResults = new Map(),
): Promise<readonly LiveEvent[]> {
  return withStableRegistry(
    program.definitions,
    () => filterVisibleEvents(new RequestContext(program, actor), events, queryResults),
    {
      repeatable: true,
    },
  );
}

async function filterVisibleEvents(
  context: RequestContext,
  events: readonly LiveEvent[],
  queryResults: QueryResults,
): Promise<readonly LiveEvent[]> {
  const narrowedDefinition = createNarrowedLookup(context);
  const subjects = new Map(events.map((event) => [event, subjectOf(event)]));
  const allowedEvents = events.filter((event) => isVisibleWithoutRecord(context, getOrThrow(subjects, event)));
  const idsByDefinition = new Map<Definition, ReadonlySet<unknown>>();
  for (const event of allowedEvents) {
    const { resource, id } = getOrThrow(subjects, event);
    const definition = narrowedDefinition(resource);
    if (definition && id !== null && !idsByDefinition.has(definition))
      idsByDefinition.set(definition, await visibleIds({ context, definition }, [...subjects.values()], queryResults));
  }
  return allowedEvents.flatMap((event) => {
    const { resource, id } = getOrThrow(subjects, event);
    const definition = narrowedDefinition(resource);
    if (!definition || id === null || (event.event !== 'deleted' && getOrThrow(idsByDefinition, definition).has(id)))
      return [event];
    return event.former && sawBefore(context, definition, event.former) ? [{ ...event, event: 'deleted' }] : [];
  });
}

/** Whether the row rules let the actor list a record that had these values. */
function sawBefore(context: RequestContext, definition: Definition, formerRow: ResourceRecord): boolean {
  return isAllowedOnRecord(context.actor, definition, 'list', formerRow, context.evaluationContext);
}

/** The event as one of the record that it is about: somebody is at a record for those who see the record. */
function subjectOf(event: LiveEvent): LiveEvent {
  if (event.resource !== presenceResource) return event;
  const [resource = '', id] = String(event.id).split('/');
  return { ...event, resource, id: Number(id) };
}

/** Whether an event is visible, where this can be decided without reading the record. */
function isVisibleWithoutRecord({ actor, registry }: RequestContext, event: LiveEvent): boolean {
  if (event.resource === anyResource) return true;
  // A user who views as another user receives their own notifications and jobs.
  if (personalResources.has(event.resource)) return event.user_id === realUser(actor).id;
  if (event.resource === permissionsResource)
    return [actor, realUser(actor)].some(({ role_id: roleId }) => roleId === event.role_id);
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
  const narrowedByName = new Map<string, Definition | undefined>();
  return (resource) => {
    if (!narrowedByName.has(resource)) {
      const definition = resourcesWithoutRecords.has(resource) ? undefined : registry.get(resource);
      narrowedByName.set(resource, definition && hasRowRules(actor, definition) ? definition : undefined);
    }
    return narrowedByName.get(resource);
  };
}

/** Of all records of a resource in the events, the ids of those that the rules allow. */
function visibleIds(
  { context, definition }: RecordScope,
  events: readonly LiveEvent[],
  queryResults: QueryResults,
): Promise<ReadonlySet<unknown>> {
  const { database } = context.program;
  const { registry, evaluationContext } = context;
  const condition = predicateToSql(
    visibleRowsFilter(context, definition, 'list'),
    definition,
    't',
    registry,
    evaluationContext,
  );
  const { sql: text, parameters } = sql`${condition}`.compile(database.kysely);
  const key = JSON.stringify([definition.name, text, parameters]);
  let visibleIds = queryResults.get(key);
  if (!visibleIds) {
    const ids = new Set(
      events.flatMap(({ resource, id }) => (resource === definition.name && Number.isInteger(id) ? [id] : [])),
    );
    const visibleRows = sql<{ id: number }>`select t.id from ${sql.id('public', definition.table)} t
      where t.id = any(${[...ids]}::bigint[]) and ${condition}`;
    visibleIds = database.query(visibleRows.compile(database.kysely)).then((rows) => new Set(rows.map(({ id }) => id)));
    queryResults.set(key, visibleIds);
  }
  return visibleIds;
}

function hasRowRules(actor: Actor, definition: Definition): boolean {
  if (actor.viewer && hasRowRules(actor.viewer, definition)) return true;
  return rulesFor(actor, definition, 'list').some((rule) => rule.where);
}

/** Whether a definition is relevant for an actor: a grant on it, or on one whose relations refer to it. */
function isRelevantDefinition(actor: Actor, name: string, registry: Registry): boolean {
  const isModuleGranted = (module: string) => actions.some((action) => isGranted(actor, module, action));
  return (
    isModuleGranted(name) || registry.referencesTo(name).some(({ definition }) => isModuleGranted(definition.name))
  );
}

function isOfCompany(actor: Actor, definition: Definition, event: LiveEvent): boolean {
  if (actor.viewer && !isOfCompany(actor.viewer, definition, event)) return false;
  const { id, site_id = null } = event;
  if (definition.scope === 'installation' || actor.level === Level.Installation) return true;
  if (definition.scope === 'self') return id === actor.site_id;
  if (site_id === null) return definition.scope === 'both';
  return site_id === actor.site_id;
}

import { sql } from 'kysely';
import { personOf, type Actor } from '../../engine/access/actor';
import { isGranted } from '../../engine/access/decide';
import { actions, type Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { visible } from '../access/reach';
import { rulesFor } from '../access/readable';
import { RequestContext } from '../access/request-context';
import { predicateToSql } from '../conditions/to-sql';
import { underDefinitions } from '../definitions/turnover';
import { jobEvents } from '../jobs/job';
import { everything, type LiveEvent, type Program } from '../program';

/** What an event of a changed definition names as its resource. */
export const definitionsChanged = 'modules';
/** What an event of a message to somebody names as its resource. */
export const messages = 'notifications';
/** What an event of changed permissions names as its resource: for whoever holds the role. */
export const grantsChanged = 'permissions';

/**
 * Whether an actor may hear of an event at this moment: the list is granted, the record is of the actor's company, and
 * no row rule hides it. A record that is gone can be held against no row rule: whom one narrows does not hear of it.
 */
export async function maySee(program: Program, actor: Actor, event: LiveEvent): Promise<boolean> {
  if (event.resource === everything) return true;
  // Messages are personal: whoever views as another hears of their own.
  if (event.resource === messages) return event.user_id === personOf(actor).id;
  if (event.resource === jobEvents) return event.user_id === personOf(actor).id;
  if (event.resource === grantsChanged)
    return [actor, personOf(actor)].some(({ role_id: own }) => own === event.role_id);
  return underDefinitions(program.definitions, () => mayHear(new RequestContext(program, actor), event), { repeatable: true }); // prettier-ignore
}

async function mayHear(context: RequestContext, event: LiveEvent): Promise<boolean> {
  const { actor, program } = context;
  if (event.resource === definitionsChanged) return mayUse(actor, String(event.id), context.registry);
  const definition = context.registry.get(event.resource);
  if (!definition || !isGranted(actor, definition.name, 'list') || !isOfCompany(actor, definition, event)) return false;
  if (!isNarrowed(actor, definition)) return true;
  if (event.event === 'deleted') return false;
  const where = predicateToSql(
    visible(context, definition, 'list'),
    definition,
    't',
    context.registry,
    context.surroundings,
  );
  const found = sql`select 1 from ${sql.id('public', definition.table)} t where t.id = ${event.id} and ${where}`;
  return (await program.database.named(found.compile(program.database.kysely))).length > 0;
}

function isNarrowed(actor: Actor, definition: Definition): boolean {
  if (actor.viewer && isNarrowed(actor.viewer, definition)) return true;
  return rulesFor(actor, definition, 'list').some((rule) => rule.where);
}

/** A definition concerns whoever holds a grant on it, or on one whose relations name it. */
function mayUse(actor: Actor, name: string, registry: Registry): boolean {
  const granted = (module: string) => actions.some((action) => isGranted(actor, module, action));
  return granted(name) || registry.referencesTo(name).some(({ definition }) => granted(definition.name));
}

function isOfCompany(actor: Actor, definition: Definition, event: LiveEvent): boolean {
  if (actor.viewer && !isOfCompany(actor.viewer, definition, event)) return false;
  const { id, site_id = null } = event;
  if (definition.scope === 'installation' || actor.level === 1) return true;
  if (definition.scope === 'self') return id === actor.site_id;
  if (site_id === null) return definition.scope === 'both';
  return site_id === actor.site_id;
}

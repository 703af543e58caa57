import type { Actor } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import type { RequestContext } from '../access/request-context';
import { levelsOf } from '../access/readable';
import { inverseReach } from './inverse-selection';
import type { Kind } from './selection';
import { sharers } from './share-selection';

/** What the columns of an answer depend on besides the definition and the caller's level. */
interface Dependence {
  readonly today: boolean;
  readonly now: boolean;
  readonly actor: boolean;
  /** Whether any of it, or a rule that narrows what is embedded, names the instant: then no two requests are alike. */
  readonly instant: boolean;
}

const dependences = new WeakMap<Registry, Map<string, Dependence>>();

interface Remembered {
  readonly registry: Registry;
  readonly byName: Map<string, unknown>;
}

const remembered = new WeakMap<Actor, Remembered>();

/**
 * What a caller gets on a definition, worked out once and then remembered under a name: for the caller's day and the
 * definitions in force, and not at all where a rule names the instant. A caller is the same object from request to
 * request as long as nothing about them changes, grants included.
 */
export function perCaller<T>(context: RequestContext, definition: Definition, name: string, workOut: () => T): T {
  const { registry, actor, today } = context;
  let own = remembered.get(actor);
  if (own?.registry !== registry) remembered.set(actor, (own = { registry, byName: new Map() }));
  const key = `${name}|${today}|${definition.name}`;
  const known = own.byName.get(key) as T | undefined;
  if (known !== undefined) return known;
  const found = workOut();
  if (!dependenceOf(registry, definition).instant) own.byName.set(key, found);
  return found;
}

/** Names everything that a selection is made of: two callers with the same key get the same columns. */
export function selectionKey(context: RequestContext, definition: Definition, kind: Kind): string {
  return perCaller(context, definition, `columns-${kind}`, () => workedOut(context, definition, kind));
}

function workedOut(context: RequestContext, definition: Definition, kind: Kind): string {
  const { registry, actor } = context;
  const on = dependenceOf(registry, definition);
  const inverses = Object.values(definition.fields)
    .filter((field) => field.inverse && (kind === 'one' || field.inLists !== 'nothing'))
    .map((field) => inverseReach(context, field) ?? null);
  const links = sharers(context, definition);
  return `${registry.version}|${definition.name}|${kind}|${levelsOf(actor)}|${surroundingsOf(context, on)}|${inverses.length > 0 ? JSON.stringify(inverses) : ''}|${links ? JSON.stringify(links) : ''}`;
}

/** Names what a condition on the definition's rows is made of besides the predicate itself. */
export function conditionKey(context: RequestContext, definition: Definition): string {
  return `${definition.name}|${surroundingsOf(context, dependenceOf(context.registry, definition))}`;
}

function surroundingsOf({ actor, today, now }: RequestContext, on: Dependence): string {
  return `${on.today ? today : ''}|${on.now ? now : ''}|${on.actor ? JSON.stringify([actor.id, actor.role_id, actor.site_id]) : ''}`;
}

/** Computed conditions, of the definition and of those that it embeds, may name the day, the instant or the caller. */
function dependenceOf(registry: Registry, definition: Definition): Dependence {
  let ofRegistry = dependences.get(registry);
  if (!ofRegistry) dependences.set(registry, (ofRegistry = new Map()));
  let found = ofRegistry.get(definition.name);
  if (!found) {
    const all = [definition, ...related(registry, definition)];
    const texts = all
      .flatMap(({ fields }) => Object.values(fields))
      .map(({ computed }) => (typeof computed === 'object' ? JSON.stringify(computed) : ''))
      .join();
    const names = (variable: string) => texts.includes(variable);
    const instant = names('$now') || JSON.stringify(all.map(({ rules }) => rules)).includes('$now');
    found = { today: names('$today'), now: names('$now'), actor: names('$actor'), instant };
    ofRegistry.set(definition.name, found);
  }
  return found;
}

function related(registry: Registry, definition: Definition): Definition[] {
  return Object.values(definition.fields).flatMap((field) => {
    const name = field.to ?? field.inverse?.resource;
    return name ? [registry.need(name)] : [];
  });
}

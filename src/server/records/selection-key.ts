import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import type { RequestContext } from '../access/request-context';
import { inverseReach } from './inverse-selection';
import type { Kind } from './selection';
import { sharers } from './share-selection';

/** What the columns of an answer depend on besides the definition and the caller's level. */
interface Dependence {
  readonly today: boolean;
  readonly now: boolean;
  readonly actor: boolean;
}

const dependences = new WeakMap<Registry, Map<string, Dependence>>();

/** Names everything that a selection is made of: two callers with the same key get the same columns. */
export function selectionKey(context: RequestContext, definition: Definition, kind: Kind): string {
  const { registry, actor } = context;
  const inverses = Object.values(definition.fields)
    .filter((field) => field.inverse && (kind === 'one' || field.inLists !== 'nothing'))
    .map((field) => inverseReach(context, field) ?? null);
  const on = dependenceOf(registry, definition);
  const links = sharers(context, definition);
  const own = `${on.today ? context.today : ''}|${on.now ? context.now : ''}|${on.actor ? JSON.stringify([actor.id, actor.role_id, actor.site_id]) : ''}`;
  return `${registry.version}|${definition.name}|${kind}|${actor.level}|${own}|${inverses.length > 0 ? JSON.stringify(inverses) : ''}|${links ? JSON.stringify(links) : ''}`;
}

/** Computed conditions, of the definition and of those that it embeds, may name the day, the instant or the caller. */
function dependenceOf(registry: Registry, definition: Definition): Dependence {
  let known = dependences.get(registry);
  if (!known) dependences.set(registry, (known = new Map()));
  let found = known.get(definition.name);
  if (!found) {
    const texts = [definition, ...related(registry, definition)]
      .flatMap(({ fields }) => Object.values(fields))
      .map(({ computed }) => (typeof computed === 'object' ? JSON.stringify(computed) : ''))
      .join();
    const names = (variable: string) => texts.includes(variable);
    known.set(definition.name, (found = { today: names('$today'), now: names('$now'), actor: names('$actor') }));
  }
  return found;
}

function related(registry: Registry, definition: Definition): Definition[] {
  return Object.values(definition.fields).flatMap((field) => {
    const name = field.to ?? field.inverse?.resource;
    return name ? [registry.need(name)] : [];
  });
}

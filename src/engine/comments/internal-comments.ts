import { isAmong } from '../access/audience';
import type { Actor } from '../access/actor';
import type { Definition } from '../definitions/definition';
import type { Registry } from '../registry/registry';

/**
 * Whether somebody reads and writes the internal comments on records of a definition, if they may view the record. A
 * viewer reads what both they and the other user read.
 *
 * @example readsInternal(actor, tickets); // false for a customer
 */
export function readsInternal(actor: Actor, { comments }: Pick<Definition, 'comments'>): boolean {
  if (!comments?.internal) return false;
  return isAmong(actor, comments.internal) && (!actor.viewer || readsInternal(actor.viewer, { comments }));
}

/**
 * The resources whose internal comments somebody reads.
 *
 * @example internalResources(actor, registry); // ['tickets']
 */
export function internalResources(actor: Actor, { definitions }: Pick<Registry, 'definitions'>): string[] {
  return [...definitions.values()].flatMap((definition) => (readsInternal(actor, definition) ? [definition.name] : []));
}

import type { Definition } from '../definitions/definition';
import type { Registry } from '../registry/registry';
import { formatNumber } from '../formats/numbers';
import { firstOf } from '../values/lookups';

/** How many records are assigned to others, as far as somebody may know. */
export interface KnownAssignments {
  /** Those that they have in lists. */
  readonly resources: readonly { readonly resource: string; readonly count: number }[];
  /** Whether there are others. */
  readonly others: boolean;
}

/**
 * Says what is assigned to some records that are to be deleted; empty if nothing is.
 *
 * @example
 * assignmentsInWords(known, { registry, definition: users, count: 1 });
 * // '54 deals and 3 visits are assigned to this user.'
 */
export function assignmentsInWords(
  { resources, others: hasOthers }: KnownAssignments,
  { registry, definition, count }: { registry: Registry; definition: Pick<Definition, 'labels'>; count: number },
): string {
  const phrases = resources.map((assignment) => {
    const { labels } = registry.getOrThrow(assignment.resource);
    return `${formatNumber(assignment.count)} ${(assignment.count === 1 ? labels.one : labels.many).toLowerCase()}`;
  });
  if (hasOthers) phrases.push(phrases.length > 0 ? 'others that you do not see' : 'Records that you do not see');
  if (phrases.length === 0) return '';
  const phraseList =
    phrases.length === 1 ? firstOf(phrases) : `${phrases.slice(0, -1).join(', ')} and ${phrases.at(-1)}`;
  const isSingle = resources.length === 1 && firstOf(resources).count === 1 && !hasOthers;
  const target = count === 1 ? `this ${definition.labels.one}` : `these ${definition.labels.many}`;
  return `${phraseList} ${isSingle ? 'is' : 'are'} assigned to ${target.toLowerCase()}.`;
}

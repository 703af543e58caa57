import type { Definition } from '../definitions/definition';
import { formatNumber } from '../formats/numbers';

/** In how many records a record is used, as far as somebody may know. */
export interface KnownUses {
  /** Those that they have in lists. */
  readonly count: number;
  /** Whether there are others. */
  readonly others: boolean;
}

/**
 * Where a record is used, in words.
 *
 * @example usesInWords({ count: 41, others: true }, testCases); // 'Used in 41 test cases, and in others that you do not see.'
 */
export function usesInWords({ count, others: hasOthers }: KnownUses, { labels }: Pick<Definition, 'labels'>): string {
  const plural = labels.many.toLowerCase();
  if (count === 0) return `Used in ${plural} that you do not see.`;
  const text = `Used in ${formatNumber(count)} ${count === 1 ? labels.one.toLowerCase() : plural}`;
  return hasOthers ? `${text}, and in others that you do not see.` : `${text}.`;
}

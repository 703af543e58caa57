import type { Definition } from '../definitions/definition';

/**
 * The sentence of an empty list: that of its definition, or that there is none yet.
 *
 * @example emptySentence(tasks); // 'No tasks yet.'
 */
export function emptySentence({ list, labels }: Pick<Definition, 'list' | 'labels'>): string {
  return list.emptyText ?? `No ${labels.many.toLowerCase()} yet.`;
}

import type { Card, Definition } from '../definitions/definition';
import { isSequence } from '../field-types/sequence';

/**
 * The definition's card, or a default one made from its columns for small screens.
 *
 * @example cardOrDefault(definition).title; // '{name}'
 */
export function cardOrDefault(definition: Definition): Card {
  if (definition.list.card) return definition.list.card;
  const { columns, actions } = definition.list;
  const keys = Object.values(definition.fields).filter(isSequence);
  const titleFields = new Set(['id', 'site_id', definition.titleField, ...keys.map(({ name }) => name)]);
  return {
    title: definition.recordTitle,
    mark: 'none',
    marks: [],
    lines: columns.filter(({ field, visible }) => visible && !titleFields.has(field)).map(({ field }) => ({ field })),
    counts: [],
    menu: actions.map(({ name }) => name),
  };
}

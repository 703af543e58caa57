import type { Field } from '../../engine/definitions/definition';
import type { ChoiceSource } from './choice';

/** "Choose a country": what an empty choice says. */
export function choicePlaceholder(field: Field, { target }: ChoiceSource): string {
  if (field.placeholder) return field.placeholder;
  if (field.type === 'relations') return `Choose ${(target?.labels.many ?? field.label).toLowerCase()}`;
  return `Choose ${withArticle(target?.labels.one ?? field.label)}`;
}

/** "a country", "an action". */
export function withArticle(label: string): string {
  const noun = label.toLowerCase();
  return `${/^([aeio]|u(?!s))/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Whether the choices carry a mark before their titles. */
export function hasMark({ target }: ChoiceSource): boolean {
  return target?.chip !== undefined && target.chip.shape !== 'dot';
}

/** What stands in place of choices. */
export function emptyText(search: string, error: Error | null): string {
  if (error) return error.message;
  return search.trim() === '' ? 'Nothing to choose from' : `Nothing matches “${search.trim()}”`;
}

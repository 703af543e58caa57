import type { Field } from '../../engine/definitions/definition';

/** "Choose a country": what an empty choice says. */
export function choicePlaceholder(field: Field): string {
  if (field.placeholder) return field.placeholder;
  const name = field.label.toLowerCase();
  if (field.type === 'relations') return `Choose ${name}`;
  return `Choose ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** What stands in place of choices. */
export function emptyText(search: string, error: Error | null): string {
  if (error) return error.message;
  return search.trim() === '' ? 'Nothing to choose from' : `Nothing matches “${search.trim()}”`;
}

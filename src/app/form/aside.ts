import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { parentTitle } from './fieldChoices';
import type { FormTitles } from './useTitles';

/** What stands at the end of a field's label: what narrows its value. */
export function asideOf(
  definition: Definition,
  field: Field,
  values: ResourceRecord,
  titles: FormTitles,
): string | undefined {
  const parent = parentTitle(definition, field, values, titles);
  if (parent) return `in ${parent}`;
  const start = field.notBefore === undefined ? undefined : definition.fields[field.notBefore];
  if (start) return `after the ${start.label.toLowerCase()}`;
  if (field.type === 'number' && field.min !== undefined && field.max !== undefined) {
    return `${field.min} to ${field.max}`;
  }
  return undefined;
}

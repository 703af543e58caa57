import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { parentTitle } from './fieldChoices';
import type { FormTitles } from './useTitles';

/** Texts shorter than this are worth a word. */
const shortText = 20;
/** Types of values that somebody would type, were they not fixed. */
const plain: ReadonlySet<string> = new Set(['text', 'email', 'phone']);

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
  if (field.readOnly && plain.has(field.type)) return 'cannot be changed';
  if (field.maxLength !== undefined && field.maxLength < shortText) return `${field.maxLength} characters at most`;
  return undefined;
}

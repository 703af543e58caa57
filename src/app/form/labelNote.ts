import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { parentTitle } from './fieldChoices';
import type { FormTitles } from './useFormTitles';

/** Length limits below this are worth mentioning. */
const shortTextLength = 20;

/** The note at the end of a field's label: what limits its value, or that it is computed or cannot be changed while others can. */
export function labelNote(
  definition: Definition,
  field: Field,
  values: ResourceRecord,
  titles: FormTitles,
  { readOnly, isLocked }: { readOnly: boolean; isLocked: boolean },
): string | undefined {
  if (isLocked) return field.computed === undefined ? 'cannot be changed' : 'computed';
  const parent = parentTitle(definition, field, values, titles);
  if (parent) return `in ${parent}`;
  if (readOnly) return undefined;
  const start = field.notBefore === undefined ? undefined : definition.fields[field.notBefore];
  if (start) return `after the ${start.label.toLowerCase()}`;
  if (field.min !== undefined && field.max !== undefined) {
    return `${field.min} to ${field.max}`;
  }
  if (field.maxLength !== undefined && field.maxLength < shortTextLength)
    return `${field.maxLength} characters at most`;
  return undefined;
}

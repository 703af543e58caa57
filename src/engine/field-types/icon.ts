import type { Field, FieldOf } from '../definitions/definition';
import type { FieldType } from './field-type';
import { textValues } from './text';

/** The name of an icon of the program's set. */
export const icon: FieldType = {
  ...textValues,
  schema: () => ({ type: 'string', pattern: '^[a-z][a-z0-9-]*$', maxLength: 50 }),
  searchable: false,
  maxLength: undefined,
  isImportable: false,
  isSharable: false,
};

/** Whether a field has the name of an icon. */
export function isIcon(field: Field): field is FieldOf<'icon'> {
  return field.type === 'icon';
}

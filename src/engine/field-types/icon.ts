import type { FieldType } from './field-type';
import { text } from './text';

/** The name of an icon of the program's set. */
export const icon: FieldType = {
  ...text,
  keys: [],
  schema: () => ({ type: 'string', pattern: '^[a-z][a-z0-9-]*$', maxLength: 50 }),
  searchable: false,
  maxLength: undefined,
};

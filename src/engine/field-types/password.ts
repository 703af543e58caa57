import type { FieldType } from './field-type';
import { text } from './text';

/** The rule for every password that is set or chosen, as a pattern of JSON Schema. */
export const passwordPattern = '^(?=.*[A-Z])(?=.*[a-z])(?=.*\\d)(?=.*[^A-Za-z0-9])[\\s\\S]{8,}$';

/** What is said of a password that breaks the rule. */
export const passwordMessage = 'Password:8+ chars,1 upper,1 lower,1 digit,1 special.';

/** A password: kept as a hash, never answered. */
export const password: FieldType = {
  ...text,
  schema: (field) => ({ type: 'string', pattern: passwordPattern, maxLength: field.maxLength ?? 255 }),
  parse: (value) => (value === '' ? null : value),
  toText: () => '',
  searchable: false,
  sortable: false,
  filterable: false,
  oneWay: true,
};

import { maxPasswordLength, minPasswordLength } from '../passwords/rule';
import type { FieldType } from './field-type';
import { text, textKeys } from './text';

/** PostgreSQL cannot store NUL, so a password cannot contain it. */
export const passwordPattern = '^[^\\u0000]*$';

/**
 * A password: stored as a hash, never returned. Only its length is checked here, because sign-in must accept passwords
 * set under older rules. Its strength is checked where it is chosen.
 */
export const password: FieldType = {
  ...text,
  keys: textKeys,
  schema: () => ({
    type: 'string',
    minLength: minPasswordLength,
    maxLength: maxPasswordLength,
    pattern: passwordPattern,
  }),
  parse: (value) => (value === '' ? null : value),
  toText: () => '',
  searchable: false,
  sortable: false,
  filterable: false,
  isHashed: true,
};

import { maxPasswordLength, minPasswordLength, passwordMessage } from '../passwords/rule';
import type { FieldType } from './field-type';
import { textValues } from './text';

/** PostgreSQL cannot store NUL, so a password cannot contain it. */
export const passwordPattern = '^[^\\u0000]*$';

/**
 * A password: stored as a hash, never returned. Only its length is checked here, because sign-in must accept passwords
 * set under older rules. Its strength is checked where it is chosen.
 */
export const password: FieldType = {
  ...textValues,
  schema: () => ({
    type: 'string',
    minLength: minPasswordLength,
    maxLength: maxPasswordLength,
    pattern: passwordPattern,
  }),
  parse: (value) => (value === '' ? null : value),
  toText: () => '',
  ruleMessage: passwordMessage,
  searchable: false,
  sortable: false,
  filterable: false,
  isHashed: true,
  isSharable: false,
};

import { longestPassword, shortestPassword } from '../passwords/rule';
import type { FieldType } from './field-type';
import { text } from './text';

/** What PostgreSQL cannot store is no sign of a password. */
export const passwordPattern = '^[^\\u0000]*$';

/**
 * A password: kept as a hash, never answered. Here its length alone is checked: one that was set by an older rule is
 * still typed to sign in. How hard it is to guess is measured where one is chosen.
 */
export const password: FieldType = {
  ...text,
  schema: () => ({ type: 'string', minLength: shortestPassword, maxLength: longestPassword, pattern: passwordPattern }),
  parse: (value) => (value === '' ? null : value),
  toText: () => '',
  searchable: false,
  sortable: false,
  filterable: false,
  oneWay: true,
};

import type { FieldType } from './field-type';
import { text } from './text';

/**
 * A random token that gives anyone with the link access to a record. The server creates it, and only users who can edit
 * the record can read it.
 */
export const shareLink: FieldType = {
  ...text,
  keys: ['path', 'shares'],
  neededKeys: ['path'],
  normalise: (written) => ({ shares: [], ...written }),
  schema: () => ({ type: 'string', maxLength: 100 }),
  searchable: false,
  maxLength: undefined,
  sortable: false,
  filterable: false,
  isDerived: true,
  isPrivate: true,
  width: 'full',
};

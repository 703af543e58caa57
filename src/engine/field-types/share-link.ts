import type { Field, FieldOf } from '../definitions/definition';
import type { FieldType } from './field-type';
import { textValues } from './text';

/**
 * A random token that gives anyone with the link access to a record. The server creates it, and only users who can edit
 * the record can read it.
 */
export const shareLink: FieldType = {
  ...textValues,
  normalise: (source) => ({ sharedFields: [], ...source }),
  schema: () => ({ type: 'string', maxLength: 100 }),
  searchable: false,
  maxLength: undefined,
  sortable: false,
  filterable: false,
  isDerived: true,
  isPrivate: true,
  isSharable: false,
  onlyPresence: true,
  width: 'full',
};

/**
 * Whether a field has the record's public link.
 *
 * @example Object.values(definition.fields).some(isShareLink);
 */
export function isShareLink(field: Field): field is FieldOf<'shareLink'> {
  return field.type === 'shareLink';
}

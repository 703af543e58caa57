import type { Field, FieldOf } from '../definitions/definition';
import { isEqualSet } from '../values/equal-values';
import type { FieldType } from './field-type';
import { scalarText } from './text';

/** An action on a module, such as `tasks.edit`. */
export const permissionPattern = '^[a-z][a-z0-9-]*\\.(list|view|create|edit|delete)$';

/** The grants of a role: ids such as `tasks.edit`. */
export const permissions: FieldType<FieldOf<'permissions'>> = {
  holds: 'object',
  column: null,
  schema: () => ({
    type: 'array',
    items: { type: 'string', pattern: permissionPattern },
    uniqueItems: true,
    maxItems: 5000,
  }),
  parse: (value) => (value === null || value === '' ? [] : value),
  fromText: (text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  toText: (value) => (Array.isArray(value) ? value.map(scalarText).join(', ') : ''),
  isEqual: isEqualSet,
  searchable: false,
  sortable: false,
  filterable: false,
  hasRangeFilter: false,
  isImportable: false,
  isSharable: false,
  width: 'full',
};

/**
 * Whether a field has permissions.
 *
 * @example isPermissions(roles.fields.modulePermission); // true
 */
export function isPermissions(field: Field): field is FieldOf<'permissions'> {
  return field.type === 'permissions';
}

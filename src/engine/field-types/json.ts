import type { Field, FieldOf } from '../definitions/definition';
import { isEqualJson } from '../values/equal-values';
import type { FieldType } from './field-type';
import { parseBoundedJson } from '../values/bounded-json';

/** Any JSON value. */
export const json: FieldType = {
  holds: 'object',
  column: 'jsonb',
  schema: () => ({}),
  parse: (value) => value,
  fromText: (text) => {
    try {
      return parseBoundedJson(text) as unknown;
    } catch {
      return undefined;
    }
  },
  toText: (value) => (value === null || value === undefined ? '' : JSON.stringify(value)),
  isEqual: isEqualJson,
  searchable: false,
  sortable: false,
  filterable: false,
  hasRangeFilter: false,
  isImportable: false,
  isSharable: false,
  isIndexable: false,
  width: 'full',
};

/**
 * Whether a field has any JSON value.
 *
 * @example isJson(views.fields.settings); // true
 */
export function isJson(field: Field): field is FieldOf<'json'> {
  return field.type === 'json';
}

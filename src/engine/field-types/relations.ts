import type { Field, FieldOf } from '../definitions/definition';
import { isEqualSet } from '../values/equal-values';
import type { FieldType } from './field-type';
import { scalarText } from './text';
import { parseId, relation } from './relation';

/** Many records of another resource, by their ids; stored in a join table. */
export const relations: FieldType = {
  ...relation,
  holds: 'records',
  normalise: (source, { name }) => ({
    embedFields: [],
    onDelete: 'restrict',
    inLists: 'nothing',
    countName: `${name}_count`,
    ...source,
  }),
  column: null,
  schema: (field) => ({ type: 'array', items: relation.schema(field), uniqueItems: true, maxItems: 1000 }),
  parse: (value) => (value === null || value === '' ? [] : value),
  fromText: (text) => {
    const ids = text
      .split(',')
      .filter((part) => part.trim() !== '')
      .map(parseId);
    return ids.includes(undefined) ? undefined : ids;
  },
  toText: (value) => (Array.isArray(value) ? value.map(scalarText).join(', ') : ''),
  isEqual: isEqualSet,
  sortable: false,
  isDetail: false,
  width: 'full',
};

/**
 * Whether a field holds the ids of many records.
 *
 * @example fields.filter(isRelations).map(({ to }) => to); // ['users']
 */
export function isRelations(field: Field): field is FieldOf<'relations'> {
  return field.type === 'relations';
}

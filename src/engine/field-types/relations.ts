import { isEqualSet } from '../validation/equal-values';
import type { FieldType } from './field-type';
import { plainText } from './text';
import { readId, relation } from './relation';

/** Many records of another resource, by their ids; stored in a join table. */
export const relations: FieldType = {
  ...relation,
  column: null,
  schema: (field) => ({ type: 'array', items: relation.schema(field), uniqueItems: true, maxItems: 1000 }),
  parse: (value) => (value === null || value === '' ? [] : value),
  fromText: (text) => {
    const ids = text
      .split(',')
      .filter((one) => one.trim() !== '')
      .map(readId);
    return ids.includes(undefined) ? undefined : ids;
  },
  toText: (value) => (Array.isArray(value) ? value.map(plainText).join(', ') : ''),
  same: isEqualSet,
  sortable: false,
  width: 'full',
};

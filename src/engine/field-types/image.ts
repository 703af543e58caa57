import type { FieldType } from './field-type';

/** One picture: `{name, size, type, key}` is stored, `{name, size, type, url}` answered. */
export const image: FieldType = {
  column: 'jsonb',
  schema: () => ({ type: 'object' }),
  parse: (value) => (value === '' ? null : value),
  fromText: () => undefined,
  toText: (value) =>
    typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string' ? value.name : '',
  searchable: false,
  sortable: false,
  filterable: false,
  ranged: false,
  width: 'full',
};

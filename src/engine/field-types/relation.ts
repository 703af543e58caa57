import type { FieldType } from './field-type';
import { scalarText } from './text';

/** The largest id there can be. */
export const maxId = 2_147_483_647;

/** Reads an id from text; `undefined` if it is not one. */
export function parseId(text: string): number | undefined {
  const id = /^\d{1,10}$/.test(text.trim()) ? Number(text) : 0;
  return id >= 1 && id <= maxId ? id : undefined;
}

/** One record of another resource (or of its own), by id. */
export const relation: FieldType = {
  column: 'integer',
  schema: () => ({ type: 'integer', minimum: 1, maximum: maxId }),
  parse: (value) => (value === '' ? null : value),
  fromText: parseId,
  toText: scalarText,
  searchable: false,
  sortable: true,
  filterable: true,
  hasRangeFilter: false,
  width: 'half',
};

import type { FieldType, SheetType } from './field-type';

const booleanWords: Record<string, boolean> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
};

/**
 * Reads true or false in the spellings that people use; `undefined`: neither.
 *
 * @example parseBoolean('Yes'); // true
 */
export function parseBoolean(text: string): boolean | undefined {
  return booleanWords[text.trim().toLowerCase()];
}

/** Yes or no. */
export const boolean: FieldType = {
  holds: 'boolean',
  computedFrom: 'condition',
  column: 'boolean',
  schema: () => ({ type: 'boolean' }),
  parse: (value) => (value === 1 ? true : value === 0 ? false : value),
  fromText: parseBoolean,
  toText: (value) => (value === true ? 'Yes' : value === false ? 'No' : ''),
  searchable: false,
  sortable: true,
  filterable: true,
  hasRangeFilter: false,
  isUsualFilter: true,
  width: 'half',
  fitsCell: true,
};

export const booleanSheet: SheetType = { choices: () => ['Yes', 'No'] };

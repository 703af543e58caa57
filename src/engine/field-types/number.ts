import { withSeparators } from '../formats/numbers';
import type { FieldOf } from '../definitions/definition';
import type { FieldType, SheetType } from './field-type';

const integerLimit = 2_147_483_647;
const numberLimit = 1e15;

/** A number; with `integer` in the definition only whole ones. */
export const number: FieldType<FieldOf<'number'>> = {
  holds: 'number',
  keys: ['min', 'max', 'integer', 'digits', 'separators', 'notBefore', 'after'],
  normalise: ({ integer = false, ...written }) => ({ ...written, integer }),
  column: 'double precision',
  schema: (field) => ({
    type: field.integer ? 'integer' : 'number',
    minimum: field.min ?? (field.integer ? -integerLimit : -numberLimit),
    maximum: field.max ?? (field.integer ? integerLimit : numberLimit),
  }),
  parse: (value) => (value === '' ? null : value),
  fromText: parseNumber,
  toText: (value, field) => {
    if (typeof value !== 'number') return '';
    const text = field.digits === undefined ? String(value) : value.toFixed(field.digits);
    return field.name === 'id' || field.separators === false ? text : withSeparators(text);
  },
  searchable: false,
  sortable: true,
  filterable: true,
  hasRangeFilter: true,
  isSummable: true,
  isDetail: true,
  width: 'quarter',
};

function parseNumber(text: string): number | undefined {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : undefined;
}

export const numberSheet: SheetType<FieldOf<'number'>> = {
  toCell: (value) => (typeof value === 'number' ? value : undefined),
  // A single comma is read as a decimal point.
  fromCell: (text) => parseNumber(/^[+-]?\d+,\d+$/.test(text) ? text.replace(',', '.') : text),
  example: (field) => Math.max(field.min ?? 1, 1),
};

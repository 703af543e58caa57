import { formatDuration } from '../formats/durations';
import { parseTypedNumber } from '../formats/parse-typed-values';
import { withDecimalSign, withSeparators } from '../formats/numbers';
import type { Field, FieldOf } from '../definitions/definition';
import type { BrokenRule, ColumnType, FieldType, SheetType } from './field-type';

/** The greatest whole number of 32 bits. */
export const integerLimit = 2_147_483_647;
/** The greatest number that is not exact. */
export const numberLimit = 1e15;

/** The digits of an exact number, before and after the point: as many as a number in JSON carries without loss. */
const decimalDigits = 15;

/** The digits after the point of an exact number whose definition says nothing about them. */
const defaultDecimals = 2;

/**
 * Whether whole numbers of a field need 64 bits: its definition allows such.
 *
 * @example isWide({ max: 9_000_000_000 }); // true
 */
export function isWide({ min = 0, max = 0 }: Pick<Field, 'min' | 'max'>): boolean {
  return Math.max(-min, max) > integerLimit;
}

/** A number; with `integer` in the definition only whole ones, with `decimal` stored exactly with its `digits`. */
export const number: FieldType<FieldOf<'number'>> = {
  holds: 'number',
  normalise: ({ integer = false, decimal, ...source }) => ({
    ...(decimal && { decimal, digits: defaultDecimals }),
    ...source,
    integer,
  }),
  column: 'double precision',
  columnOf: (field) => (field.decimal ? decimalColumn(decimalsOf(field)) : undefined),
  brokenRule: (value, field) => (field.decimal ? brokenDecimals(value, decimalsOf(field)) : undefined),
  schema: (field) => {
    const limit = field.integer
      ? isWide(field)
        ? Number.MAX_SAFE_INTEGER
        : integerLimit
      : field.decimal
        ? greatestDecimal(decimalsOf(field))
        : numberLimit;
    return {
      type: field.integer ? 'integer' : 'number',
      minimum: Math.max(field.min ?? -limit, field.decimal ? -limit : -Infinity),
      maximum: Math.min(field.max ?? limit, field.decimal ? limit : Infinity),
    };
  },
  parse: (value) => (value === '' ? null : value),
  fromText: parseNumber,
  toText: (value, field, record) => {
    if (typeof value !== 'number') return '';
    const text = field.isMinutes ? formatDuration(value) : numberText(value, field);
    const wholeValue = field.of === undefined ? undefined : record?.[field.of];
    if (typeof wholeValue !== 'number') return text;
    return `${text} of ${field.isMinutes ? formatDuration(wholeValue * 60) : withSeparators(String(wholeValue))}`;
  },
  shownWith: ({ of: wholeName }) => (wholeName === undefined ? [] : [wholeName]),
  searchable: false,
  sortable: true,
  filterable: true,
  hasRangeFilter: true,
  isSummable: true,
  isDetail: true,
  width: 'quarter',
  fitsCell: true,
};

function numberText(value: number, { name, digits, separators }: FieldOf<'number'>): string {
  const text = digits === undefined ? String(value) : value.toFixed(digits);
  if (name === 'id') return text;
  return separators === false ? withDecimalSign(text) : withSeparators(text);
}

function decimalsOf({ digits = defaultDecimals }: FieldOf<'number'>): number {
  return digits;
}

/** The column of exact numbers. */
export function decimalColumn(digits: number): ColumnType {
  return `numeric(${decimalDigits},${digits})`;
}

/** The greatest number that fits the column: `9,999,999,999,999.99`. */
export function greatestDecimal(digits: number): number {
  return Number(`${'9'.repeat(decimalDigits - digits)}.${'9'.repeat(digits)}`);
}

/** Whether a number has more digits after the point than are stored. */
export function brokenDecimals(value: unknown, digits: number): BrokenRule | undefined {
  if (typeof value !== 'number' || Number(value.toFixed(digits)) === value) return undefined;
  return { keyword: 'decimals', limit: digits };
}

export function parseNumber(text: string): number | undefined {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : undefined;
}

export const numberSheet: SheetType<FieldOf<'number'>> = {
  toCell: (value, field) => (typeof value !== 'number' ? undefined : field.isMinutes ? { hours: value / 60 } : value),
  fromCell: (text) => parseTypedNumber(text) ?? parseNumber(text),
  example: (field) => Math.max(field.min ?? 1, 1),
};

import { formatDate, isDate } from '../formats/dates';
import type { FieldType, SheetType } from './field-type';

/** A day of the calendar, `YYYY-MM-DD`. */
export const date: FieldType = {
  holds: 'day',
  keys: ['notBefore', 'after', 'notAfter'],
  column: 'date',
  schema: () => ({ type: 'string', format: 'date' }),
  parse: (value) => (value === '' ? null : value),
  fromText: (text) => (isDate(text.trim()) ? text.trim() : undefined),
  toText: (value) => (typeof value === 'string' ? formatDate(value) : ''),
  searchable: false,
  sortable: true,
  filterable: true,
  hasRangeFilter: true,
  isDetail: true,
  isUsualFilter: true,
  width: 'quarter',
  fitsCell: true,
};

export const dateSheet: SheetType = {
  toCell: (value) => (typeof value === 'string' ? { day: value } : undefined),
  fromCell: parseCellDay,
  example: (_field, today) => ({ day: today }),
};

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The day in a cell such as `2026-11-16`, `16-11-2026` or `16-Nov-2026`, optionally followed by a time. */
export function parseCellDay(text: string): string | undefined {
  const day = text.replace(/[T ]\d{1,2}:\d{2}.*$/, '');
  if (isDate(day)) return day;
  const match = /^(\d{1,2})[-./](\d{1,2}|[A-Za-z]{3})[-./](\d{4})$/.exec(day);
  if (!match) return undefined;
  const month = /^\d/.test(match[2]!) ? Number(match[2]) : months.indexOf(match[2]!.toLowerCase()) + 1;
  const read = `${match[3]}-${String(month).padStart(2, '0')}-${match[1]!.padStart(2, '0')}`;
  return isDate(read) ? read : undefined;
}

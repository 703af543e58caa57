import { parseTypedDate } from '../formats/parse-typed-values';
import { formatDate, isDate } from '../formats/dates';
import type { FieldType, SheetType } from './field-type';

/** A day of the calendar, `YYYY-MM-DD`. */
export const date: FieldType = {
  holds: 'day',
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

/** The time behind the day of a cell. */
const timeOfCell = /[T ]\d{1,2}:\d{2}.*$/;

/**
 * The day in a cell such as `2026-11-16`, `16-11-2026` or `16-Nov-2026`, optionally followed by a time: as it is typed
 * into a form, but with its year.
 */
export function parseCellDay(text: string): string | undefined {
  const day = text.replace(timeOfCell, '').trim();
  if (isDate(day)) return day;
  return (day.match(/[\p{L}\p{M}\d]+/gu)?.length ?? 0) >= 3 ? parseTypedDate(day, firstOfCentury) : undefined;
}

/** A year of two digits is one of this century. */
const firstOfCentury = '2000-01-01';

/**
 * Which number of a day comes first, `dmy` or `mdy`, in a cell whose numbers can be read in one way alone; `either` if
 * they can be read in both ways and differ; undefined for any other text.
 *
 * @example orderInCell('12/24/2026'); // 'mdy'
 */
export function orderInCell(text: string): 'dmy' | 'mdy' | 'either' | undefined {
  const match = /^(\d{1,2})[-./ ]+(\d{1,2})[-./ ]+(\d{4}|\d{2})$/.exec(text.replace(timeOfCell, '').trim());
  const [first, second] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || first === second || first < 1 || second < 1) return undefined;
  if (first > 12 && second > 12) return undefined;
  return first > 12 ? 'dmy' : second > 12 ? 'mdy' : 'either';
}

import type { FieldOf } from '../definitions/definition';
import { formatDate, formatTimeOfDay, isDate } from '../formats/dates';
import type { FieldType, SheetType } from './field-type';
import { itemAt } from '../values/lookups';

/** A time of day, `HH:mm`; with its day in front (`2026-11-16 14:30`) if it belongs to a date field. */
export const time: FieldType<FieldOf<'time'>> = {
  holds: 'time',
  column: 'text',
  schema: ({ laterThan }) => ({ type: 'string', format: laterThan === undefined ? 'time' : 'end-time' }),
  responseSchema: (field) =>
    field.dateField === undefined
      ? time.schema(field)
      : { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}$' },
  toResponse: (value) => (typeof value === 'string' ? toClock(value) : value),
  responseSql: (value) => `replace(${value}, '${midnight}', '00:00')`,
  parse: (value, field) => (value === '' ? null : typeof value === 'string' ? readTime(value, field) : value),
  fromText: (text, field) => {
    const read = readTime(text.trim(), field);
    return isTime(read) || (field.laterThan !== undefined && isEndTime(read)) ? read : undefined;
  },
  toText: (value) => (typeof value === 'string' ? formatTimeOfDay(toClock(value)) : ''),
  searchable: false,
  sortable: true,
  filterable: true,
  hasRangeFilter: true,
  width: 'quarter',
  fitsCell: true,
};

export const timeSheet: SheetType = {
  toCell: (value) => (typeof value === 'string' ? { time: toClock(value) } : undefined),
};

/** The end of a day, as the time of what ends then is stored: later than all others. It is written as `00:00`. */
const midnight = '24:00';

/**
 * The time at which something ends: midnight is the end of its day.
 *
 * @example toEnd('00:00'); // '24:00', later than '23:00'
 */
export function toEnd(time: string): string {
  return time === '00:00' ? midnight : time;
}

/**
 * A stored time as clocks show it.
 *
 * @example toClock('24:00'); // '00:00'
 */
export function toClock(time: string): string {
  return time === midnight ? '00:00' : time;
}

/**
 * The time in a text as its field stores it.
 *
 * @example readTime('00:00', { laterThan: 'start' }); // '24:00'
 */
export function readTime(text: string, field: { readonly dateField?: string; readonly laterThan?: string }): string {
  const time = timeOfDay(text, field);
  return field.laterThan === undefined ? time : toEnd(time);
}

/**
 * The time in a text such as `2026-11-16 14:30`, whose day comes from the date field; any other text unchanged.
 *
 * @example timeOfDay('2026-11-16 14:30', { dateField: 'date' }); // '14:30'
 */
export function timeOfDay(text: string, field: { readonly dateField?: string }): string {
  const match = field.dateField === undefined ? null : /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})$/.exec(text);
  return match && isDate(itemAt(match, 1)) ? itemAt(match, 2) : text;
}

/**
 * A time as its readers write it: `16-Nov-2026 14:30` with its day, else as it is.
 *
 * @example formatTime('2026-11-16 14:30', { dateField: 'date' }); // '16-Nov-2026 14:30'
 */
export function formatTime(text: string, field: { readonly dateField?: string }): string {
  const time = timeOfDay(text, field);
  const clockText = formatTimeOfDay(toClock(time));
  return time === text ? clockText : `${formatDate(text)} ${clockText}`;
}

/**
 * Whether the text is a time of day, `HH:mm`.
 *
 * @example isTime('24:00'); // false
 */
export function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** As `isTime`, of something that ends: `24:00`, the end of a day, is one too. */
export function isEndTime(text: string): boolean {
  return text === midnight || isTime(text);
}

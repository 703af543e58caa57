import type { FieldOf } from '../definitions/definition';
import { formatDate, formatTimeOfDay, isDate } from '../formats/dates';
import type { FieldType, SheetType } from './field-type';

/** A time of day, `HH:mm`; with its day in front (`2026-11-16 14:30`) if it belongs to a date field. */
export const time: FieldType<FieldOf<'time'>> = {
  holds: 'time',
  keys: ['notBefore', 'after', 'on', 'continues'],
  references: { on: 'date', continues: 'time' },
  column: 'text',
  schema: () => ({ type: 'string', format: 'time' }),
  responseSchema: (field) =>
    field.on === undefined ? time.schema(field) : { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}$' },
  parse: (value, field) => (value === '' ? null : typeof value === 'string' ? timeOfDay(value, field) : value),
  fromText: (text, field) => {
    const read = timeOfDay(text.trim(), field);
    return isTime(read) ? read : undefined;
  },
  toText: (value) => (typeof value === 'string' ? formatTimeOfDay(value) : ''),
  searchable: false,
  sortable: true,
  filterable: true,
  hasRangeFilter: true,
  width: 'quarter',
  fitsCell: true,
};

export const timeSheet: SheetType = {
  toCell: (value) => (typeof value === 'string' ? { time: value } : undefined),
};

/**
 * The time in a text such as `2026-11-16 14:30`, whose day comes from the date field; any other text unchanged.
 *
 * @example timeOfDay('2026-11-16 14:30', { on: 'date' }); // '14:30'
 */
export function timeOfDay(text: string, field: { readonly on?: string }): string {
  const match = field.on === undefined ? null : /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})$/.exec(text);
  return match && isDate(match[1]!) ? match[2]! : text;
}

/**
 * A time as its readers write it: `16-Nov-2026 14:30` with its day, else as it is.
 *
 * @example formatTime('2026-11-16 14:30', { on: 'date' }); // '16-Nov-2026 14:30'
 */
export function formatTime(text: string, field: { readonly on?: string }): string {
  const time = timeOfDay(text, field);
  const shown = formatTimeOfDay(time);
  return time === text ? shown : `${formatDate(text)} ${shown}`;
}

/**
 * Whether the text is a time of day, `HH:mm`.
 *
 * @example isTime('24:00'); // false
 */
export function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}

import type { Field, FieldOf } from '../definitions/definition';
import { formatNumber } from '../formats/numbers';
import type { FieldType, SheetType } from './field-type';

/**
 * A duration between two times of the record: stored as whole minutes, returned as text with hours before the point and
 * minutes after it (`1.30`), shown as `1h 30m`.
 */
export const duration: FieldType = {
  holds: 'minutes',
  normalise: ({ startField, endField }) => ({
    span: startField === undefined || endField === undefined ? undefined : { from: startField, to: endField },
  }),
  column: 'integer',
  schema: () => ({ type: 'integer', minimum: 0 }),
  responseSchema: () => ({ type: 'string', pattern: '^\\d+\\.[0-5]\\d$' }),
  toResponse: (value) => (typeof value === 'number' ? formatHoursAndMinutes(value) : value),
  responseSql: (minutes) => `((${minutes} / 60)::text || '.' || lpad((${minutes} % 60)::text, 2, '0'))`,
  parse: (value) => (typeof value === 'string' ? (parseHours(value.trim()) ?? value) : value),
  fromText: (text) => parseHours(text.trim()),
  toText: (value) => describeMinutes(typeof value === 'string' ? parseHours(value) : value),
  searchable: false,
  sortable: true,
  filterable: true,
  hasRangeFilter: true,
  isDerived: true,
  isSummable: true,
  onlyPresence: true,
  width: 'quarter',
  fitsCell: true,
};

/**
 * Whether a field is a duration between two times of its record.
 *
 * @example Object.values(definition.fields).find(isDuration)?.span.from; // 'start'
 */
export function isDuration(field: Field): field is FieldOf<'duration'> {
  return field.type === 'duration';
}

export const durationSheet: SheetType = {
  // As in list responses (`1.30`), or in minutes.
  toCell: (value) => {
    const minutes = typeof value === 'string' ? parseHours(value) : value;
    return typeof minutes === 'number' ? { hours: minutes / 60 } : null;
  },
};

/**
 * The minutes of a text such as `1.30` (hours before the point, minutes after it); `undefined` if it is not one.
 *
 * @example parseHours('1.30'); // 90
 */
export function parseHours(text: string): number | undefined {
  const match = /^(\d{1,6})(?:\.([0-5]\d))?$/.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2] ?? 0) : undefined;
}

/** Minutes as returned by the API: `90` → `1.30`. */
function formatHoursAndMinutes(minutes: number): string {
  return `${Math.floor(minutes / 60)}.${String(minutes % 60).padStart(2, '0')}`;
}

/**
 * Minutes as text: `1h 05m`, `1,200h`, `0h 45m`; empty for none.
 *
 * @example describeMinutes(65); // '1h 05m'
 */
export function describeMinutes(minutes: unknown): string {
  if (typeof minutes !== 'number' || minutes <= 0) return '';
  const [hours, rest] = [formatNumber(Math.floor(minutes / 60)), minutes % 60];
  return rest === 0 ? `${hours}h` : `${hours}h ${String(rest).padStart(2, '0')}m`;
}

/**
 * The minutes by the clock from one time of day (`HH:mm`) to a later one, midnight being the end of the day; `undefined` if
 * one is missing or the end is before the start.
 *
 * @example minutesBetween('09:15', '10:00'); // 45
 */
export function minutesBetween(startTime: unknown, endTime: unknown): number | undefined {
  const [start, time] = [minuteOfDay(startTime), minuteOfDay(endTime)];
  const end = time === 0 ? 24 * 60 : time;
  return start === undefined || end === undefined || end < start ? undefined : end - start;
}

function minuteOfDay(time: unknown): number | undefined {
  const match = typeof time === 'string' ? /(\d{2}):(\d{2})$/.exec(time) : null;
  return match ? Number(match[1]) * 60 + Number(match[2]) : undefined;
}

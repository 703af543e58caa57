import { formatInstant, isDate, parseInstant } from '../formats/dates';
import { localTimeZone } from '../formats/time-zone';
import { instantAt } from '../formats/wall-clock';
import { parseCellDay } from './date';
import type { FieldType, SheetType } from './field-type';

/** An instant, ISO 8601 in UTC with whole milliseconds. */
export const datetime: FieldType = {
  holds: 'instant',
  column: 'timestamptz(3)',
  schema: () => ({ type: 'string', format: 'date-time' }),
  parse: (value) => (value === '' ? null : typeof value === 'string' ? (parseInstant(value) ?? value) : value),
  fromText: parseDayOrInstant,
  toText: (value) => (typeof value === 'string' ? formatInstant(value) : ''),
  searchable: false,
  sortable: true,
  filterable: true,
  hasRangeFilter: true,
  isUsualFilter: true,
  width: 'half',
  fitsCell: true,
};

/** A filter's value can be a whole day. */
function parseDayOrInstant(text: string): string | undefined {
  return isDate(text.trim()) ? text.trim() : parseInstant(text.trim());
}

export const datetimeSheet: SheetType = {
  toCell: (value) => (typeof value === 'string' ? { instant: value } : undefined),
  fromCell: (text) => parseInstant(text.trim()) ?? parseCellInstant(text),
};

/** A day with a time or without one, where clocks show it: exports write instants so. */
function parseCellInstant(text: string): string | undefined {
  const day = parseCellDay(text);
  if (day === undefined) return undefined;
  const time = /[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([ap]\.?m\b\.?)?/i.exec(text);
  if (!time) return instantAt(`${day} 00:00`, localTimeZone());
  const [, hour, minute, second = '00', half] = time;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0);
  return instantAt(`${day} ${String(hours).padStart(2, '0')}:${minute}:${second}`, localTimeZone());
}

import { formatInstant, isDate } from '../formats/dates';
import type { FieldType } from './field-type';

/** An instant, ISO 8601 in UTC with whole milliseconds. */
export const datetime: FieldType = {
  keys: ['notBefore', 'after'],
  column: 'timestamptz(3)',
  schema: () => ({ type: 'string', format: 'date-time' }),
  parse: (value) => (value === '' ? null : typeof value === 'string' ? (parseInstant(value) ?? value) : value),
  fromText: (text) => (isDate(text.trim()) ? text.trim() : parseInstant(text.trim())),
  toText: (value) => (typeof value === 'string' ? formatInstant(value) : ''),
  searchable: false,
  sortable: true,
  filterable: true,
  hasRangeFilter: true,
  cellKind: 'instant',
  width: 'half',
};

/** An instant in any ISO 8601 form with a zone, converted to UTC; `undefined` if it is not one. */
export function parseInstant(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/.test(text)) return undefined;
  if (!isDate(text.slice(0, 10))) return undefined;
  const instant = new Date(text);
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9999 ? instant.toISOString() : undefined;
}

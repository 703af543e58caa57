import { formatDate, isDate } from '../formats/dates';
import type { FieldType } from './field-type';

/** A day of the calendar, `YYYY-MM-DD`. */
export const date: FieldType = {
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
  cellKind: 'day',
  width: 'quarter',
};

import type { FieldType } from './field-type';

/** A time of day, `HH:mm`. */
export const time: FieldType = {
  column: 'text',
  schema: () => ({ type: 'string', format: 'time' }),
  parse: (value) => (value === '' ? null : value),
  fromText: (text) => (isTime(text.trim()) ? text.trim() : undefined),
  toText: (value) => (typeof value === 'string' ? value : ''),
  searchable: false,
  sortable: true,
  filterable: true,
  ranged: true,
  width: 'quarter',
};

/** Whether the text is a time of day, `HH:mm`. */
export function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}

import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import type { Registry } from '../definitions/registry';
import { fieldTypeOf } from '../field-types';
import { parseHours } from '../field-types/duration';
import { resolveColumn } from '../lists/column-value';
import { embedsOf, recordTitleOf } from '../lists/titles';

/**
 * The value of a spreadsheet cell. A day is `YYYY-MM-DD`, an instant ISO 8601 in UTC, a time `HH:mm` or `YYYY-MM-DD
 * HH:mm` without a time zone, and hours have decimals.
 */
export type Cell =
  | string
  | number
  | { readonly day: string }
  | { readonly instant: string }
  | { readonly time: string }
  | { readonly hours: number }
  | null;

/**
 * Returns a function that reads one column's cell from a record of a list response: titles for ids, text for everything
 * but numbers and dates.
 */
export function cellReader(path: string, definition: Definition, registry: Registry): (record: ResourceRecord) => Cell {
  const source = resolveColumn(path, definition, registry);
  if (!source) return () => null;
  const { field } = source;
  const target = field.to ?? field.inverse?.resource;
  if (target === undefined) return (record) => valueCell(field, source.value(record));
  return (record) => relatedCell(field, source.record(record), registry.get(target));
}

function valueCell(field: Field, value: unknown): Cell {
  if (value === null || value === undefined || value === '') return null;
  const { cellKind } = fieldTypeOf(field);
  if (cellKind === 'number' && typeof value === 'number') return value;
  if (cellKind === 'day' && typeof value === 'string') return { day: value };
  if (cellKind === 'time' && typeof value === 'string') return { time: value };
  if (cellKind === 'hours') return hoursCell(value);
  if (cellKind === 'instant' && typeof value === 'string') return { instant: value };
  return fieldTypeOf(field).toText(value, field) || null;
}

/** A duration as in list responses (`1.30`), or in minutes. */
function hoursCell(value: unknown): Cell {
  const minutes = typeof value === 'string' ? parseHours(value) : value;
  return typeof minutes === 'number' ? { hours: minutes / 60 } : null;
}

/** The titles of the related records; their count if the response contains no more. */
function relatedCell(field: Field, record: ResourceRecord, target: Definition | undefined): Cell {
  const titles = embedsOf(field, record).map((embed) => recordTitleOf(target, embed));
  if (titles.length > 0) return titles.join(', ');
  const value = (field.countAs && record[field.countAs]) ?? record[field.name];
  if (Array.isArray(value)) return value.length === 0 ? null : value.length;
  return typeof value === 'number' && field.type !== 'relation' ? value : null;
}

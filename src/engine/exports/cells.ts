import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import type { Registry } from '../definitions/registry';
import { fieldTypeOf, sheetTypeOf, type Cell } from '../field-types';
import { isRelation } from '../field-types/relation';
import { resolveColumn } from '../lists/column-value';
import { embedsOf, recordTitleOf } from '../lists/titles';

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
  const cell = sheetTypeOf(field).toCell?.(value, field);
  return cell === undefined ? fieldTypeOf(field).toText(value, field) || null : cell;
}

/** The titles of the related records; their count if the response contains no more. */
function relatedCell(field: Field, record: ResourceRecord, target: Definition | undefined): Cell {
  const titles = embedsOf(field, record).map((embed) => recordTitleOf(target, embed));
  if (titles.length > 0) return titles.join(', ');
  const value = (field.countAs && record[field.countAs]) ?? record[field.name];
  if (Array.isArray(value)) return value.length === 0 ? null : value.length;
  return typeof value === 'number' && !isRelation(field) ? value : null;
}

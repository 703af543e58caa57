import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { replaceNames, templateFields } from '../definitions/labels';
import type { Registry } from '../registry/registry';
import { rowColumnAt, rowDefinition } from '../field-types/row-definition';
import { fieldTypeOf, sheetTypeOf, type Cell } from '../field-types';
import { isInverse, shownResource } from '../field-types/inverse';
import { isRelation } from '../field-types/relation';
import { expandedRows } from '../field-types/rows';
import { resolveColumn } from '../lists/column-value';
import { embedsOf, recordTitleOf } from '../lists/titles';
import type { CellSource } from './columns';
import { itemAt, getOrThrow } from '../values/lookups';

/**
 * Returns a function that reads the cells of a record's lines in a sheet: one, or as many as it has rows, of which those
 * below the first have only the cells of rows. A row without any of these cells has no line. `writeCell` gives the text of a
 * cell within a text.
 *
 * @example
 * const linesOf = lineReader(['name', 'lines.action'], definition, registry); // linesOf(record): a line for each row
 */
export function lineReader(
  sources: readonly CellSource[],
  definition: Definition,
  registry: Registry,
  writeCell: (cell: Cell) => string = String,
): (record: ResourceRecord) => Cell[][] {
  const ofRows = sources.map((source) => (typeof source === 'string' ? rowColumnAt(definition, source) : undefined));
  const ownReaders = sources.map((source, index) => {
    if (ofRows[index]) return () => null;
    return typeof source === 'string'
      ? cellReader(source, definition, registry)
      : textReader(source.text, definition, registry, writeCell);
  });
  const lists = [...new Set(ofRows.flatMap((rowColumn) => rowColumn?.field ?? []))].map((field) => ({
    field,
    readers: ofRows.flatMap((rowColumn, index) =>
      rowColumn?.field === field
        ? [{ index, read: cellReader(rowColumn.column.name, rowDefinition(definition, field), registry) }]
        : [],
    ),
  }));
  return (record) => {
    const lines: Cell[][] = [ownReaders.map((read) => read(record))];
    for (const { field, readers } of lists) {
      let lineIndex = 0;
      for (const row of expandedRows(field, record[field.name])) {
        const cells = readers.map(({ read }) => read(row));
        if (cells.every((cell) => cell === null)) continue;
        const line = (lines[lineIndex++] ??= sources.map(() => null));
        readers.forEach(({ index }, readerIndex) => (line[index] = itemAt(cells, readerIndex)));
      }
    }
    return lines;
  };
}

/** Returns a function that fills the names in a text with their cells; null where nothing is left. */
function textReader(
  text: string,
  definition: Definition,
  registry: Registry,
  writeCell: (cell: Cell) => string,
): (record: ResourceRecord) => Cell {
  const readers = new Map(templateFields(text).map((path) => [path, cellReader(path, definition, registry)]));
  return (record) => {
    const filledText = replaceNames(text, (path) => {
      const cell = getOrThrow(readers, path)(record);
      return cell === null ? '' : writeCell(cell);
    });
    return filledText.trim() === '' ? null : filledText;
  };
}

/**
 * Returns a function that reads one column's cell from a record of a list response: titles for ids, text for everything
 * but numbers and dates.
 */
function cellReader(path: string, definition: Definition, registry: Registry): (record: ResourceRecord) => Cell {
  const source = resolveColumn(path, definition, registry);
  if (!source) return () => null;
  const { field } = source;
  const target = isInverse(field) ? shownResource(field, registry.get(field.inverse.resource)) : field.to;
  if (target === undefined) return (record) => valueCell(field, source.value(record), source.record(record));
  return (record) => relatedCell(field, source.record(record), registry.get(target));
}

function valueCell(field: Field, value: unknown, record: ResourceRecord): Cell {
  if (value === null || value === undefined || value === '') return null;
  const cell = sheetTypeOf(field).toCell?.(value, field, record);
  return cell === undefined ? fieldTypeOf(field).toText(value, field, record) || null : cell;
}

/** The titles of the related records; their count if the response contains no more. */
function relatedCell(field: Field, record: ResourceRecord, target: Definition | undefined): Cell {
  const titles = embedsOf(field, record).map((embed) => recordTitleOf(target, embed));
  if (titles.length > 0) return titles.join(', ');
  const value = (field.countName && record[field.countName]) ?? record[field.name];
  if (Array.isArray(value)) return value.length === 0 ? null : value.length;
  return typeof value === 'number' && !isRelation(field) ? value : null;
}

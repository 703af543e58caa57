import { unwrapId } from '../conditions/variables';
import type { Field, FieldOf, ResourceRecord } from '../definitions/definition';
import { fieldTypeOf, sheetTypeOf } from '../field-types';
import { insertedRows, insertsRecord, ownColumns, rowsIn } from '../field-types/rows';
import { isEmpty } from '../values/is-empty';
import { firstOf, itemAt, lastOf, requireValue } from '../values/lookups';

type RowsField = FieldOf<'rows'>;
type Rows = readonly ResourceRecord[];

/**
 * The columns that people fill in, without the one that inserts a record.
 *
 * @example typedColumns(lines).map(({ name }) => name); // ['action', 'expected']
 */
export function typedColumns(field: RowsField): Field[] {
  return ownColumns(field).filter(({ readOnly }) => !readOnly);
}

/**
 * The columns that a grid shows: those that people fill in, and those that are computed from them.
 *
 * @example gridColumns(lines).map(({ name }) => name); // ['quantity', 'price', 'amount']
 */
export function gridColumns(field: RowsField): Field[] {
  return ownColumns(field).filter(({ readOnly, computed: computation }) => !readOnly || computation !== undefined);
}

/**
 * A new row with the defaults of its columns; `resolve` gives variables such as `$today` their value.
 *
 * @example emptyRow(lines, (value) => value); // { action: null, expected: null }
 */
export function emptyRow(field: RowsField, resolve: (value: unknown) => unknown): ResourceRecord {
  return Object.fromEntries(typedColumns(field).map((column) => [column.name, resolve(column.default) ?? null]));
}

/**
 * The rows without the empty new ones at the end, which begin a row and are none yet.
 *
 * @example withoutEmptyEnd(lines, [{ action: 'Open' }, { action: null }]); // [{ action: 'Open' }]
 */
export function withoutEmptyEnd(field: RowsField, rows: Rows): Rows {
  const columns = typedColumns(field);
  const isEmptyRow = (row: ResourceRecord) =>
    row.id === undefined && !insertsRecord(field, row) && columns.every(({ name }) => isEmpty(row[name]));
  const last = rows.findLastIndex((row) => !isEmptyRow(row));
  return last === rows.length - 1 ? rows : rows.slice(0, last + 1);
}

/**
 * The rows with the one at a place moved by some places; the same rows if it cannot move that far.
 *
 * @example moveRow([{ id: 1 }, { id: 2 }, { id: 3 }], 0, 2); // [{ id: 2 }, { id: 3 }, { id: 1 }]
 */
export function moveRow(rows: Rows, source: number, target: number): Rows {
  if (target < 0 || target >= rows.length || source === target) return rows;
  const rest = rows.filter((_, index) => index !== source);
  return [...rest.slice(0, target), itemAt(rows, source), ...rest.slice(target)];
}

/**
 * The rows with a copy of one below it.
 *
 * @example copyRow([{ id: 4, action: 'Open' }], 0); // [{ id: 4, action: 'Open' }, { action: 'Open' }]
 */
export function copyRow(rows: Rows, index: number): Rows {
  const { id: _id, ...cells } = itemAt(rows, index);
  return [...rows.slice(0, index + 1), cells, ...rows.slice(index + 1)];
}

/** The column whose record has the rows that a row inserts. */
function insertingColumn({ insertedRows: insertion }: RowsField): string {
  return requireValue(insertion, 'insertedRows').by;
}

/**
 * A row that stands for the rows of a record.
 *
 * @example insertingRow(steps, 7, shared.steps); // { action: null, shared_id: 7, inserted: […] }
 */
export function insertingRow(field: RowsField, id: unknown, rows: unknown): ResourceRecord {
  const empty = typedColumns(field).map(({ name }) => [name, null]);
  return { ...Object.fromEntries(empty), [insertingColumn(field)]: id, [insertedRows]: rowsIn(rows) };
}

/**
 * The rows with those of a record in place of the row that inserts it: they are the form's own from then on.
 *
 * @example detachRow(steps, [{ shared_id: 7, inserted: [{ action: 'Open' }] }], 0); // [{ action: 'Open', shared_id: null }]
 */
export function detachRow(field: RowsField, rows: Rows, index: number): Rows {
  const names = typedColumns(field).map(({ name }) => name);
  const ownRows = rowsIn(itemAt(rows, index)[insertedRows]).map((row) => ({
    ...Object.fromEntries(names.map((name) => [name, unwrapId(row[name]) ?? null])),
    [insertingColumn(field)]: null,
  }));
  return [...rows.slice(0, index), ...ownRows, ...rows.slice(index + 1)];
}

/**
 * Whether some rows can be made those of a record: rows of the form's own that follow each other.
 *
 * @example canBeShared(steps, rows, new Set([1, 2])); // true
 */
export function canBeShared(field: RowsField, rows: Rows, indexes: ReadonlySet<number>): boolean {
  if (!field.insertedRows || indexes.size === 0) return false;
  const [first, last] = [Math.min(...indexes), Math.max(...indexes)];
  return last - first + 1 === indexes.size && [...indexes].every((index) => isOwnRow(field, rows[index]));
}

const isOwnRow = (field: RowsField, row: ResourceRecord | undefined) => row !== undefined && !insertsRecord(field, row);

/**
 * The number of each row as it is read: the first of those that it stands for.
 *
 * @example rowNumbers(steps, [{ shared_id: 7, inserted: [{}, {}, {}] }, {}]); // [1, 4]
 */
export function rowNumbers(field: RowsField, rows: Rows): number[] {
  let next = 1;
  return rows.map((row) => {
    const number = next;
    next += insertsRecord(field, row) ? rowsIn(row[insertedRows]).length : 1;
    return number;
  });
}

/**
 * The cells of a range that a spreadsheet put on the clipboard: tabs between cells, lines between rows, and quotes
 * around a cell with either in it, in which two quotes stand for one.
 *
 * @example parseCells('Open\t"two\nlines"\nClose'); // [['Open', 'two\nlines'], ['Close']]
 */
export function parseCells(text: string): string[][] {
  const rows: string[][] = [[]];
  const source = text.replaceAll('\r\n', '\n').replace(/\n$/, '');
  let position = 0;
  while (position <= source.length) {
    const quotedCell = source[position] === '"' ? /^"((?:[^"]|"")*)"(?=\t|\n|$)/.exec(source.slice(position)) : null;
    const plainCell = quotedCell ? '' : firstOf(source.slice(position).split(/[\t\n]/, 1));
    lastOf(rows).push(quotedCell ? itemAt(quotedCell, 1).replaceAll('""', '"') : plainCell);
    position += quotedCell ? quotedCell[0].length : plainCell.length;
    if (source[position] === '\n') rows.push([]);
    position += 1;
  }
  return rows;
}

/**
 * Reads the text of a cell by the type of its column, as an import does. Text that is no value stays as it is, so that
 * the form says what is wrong. `titles` are known records, by the column.
 */
function readCell(column: Field, text: string, idOf: (title: string) => unknown): unknown {
  const trimmedText = text.trim();
  if (trimmedText === '') return null;
  if (column.to !== undefined) return idOf(trimmedText) ?? text;
  const option = column.options?.find(({ label }) => label.toLowerCase() === trimmedText.toLowerCase());
  if (option) return option.value;
  return (
    sheetTypeOf(column).fromCell?.(trimmedText, column) ?? fieldTypeOf(column).fromText(trimmedText, column) ?? text
  );
}

/** Cells are pasted into rows of the form's own: the next one that inserts a record moves below them. */
function ownRowsEnd(field: RowsField, rows: Rows, start: number): number {
  const next = rows.slice(start).findIndex((row) => insertsRecord(field, row));
  return next < 0 ? rows.length : start + next;
}

/**
 * How many rows can be pasted from a row on.
 *
 * @example pasteCapacity(lines, rows, 0); // 200
 */
export function pasteCapacity(field: RowsField, rows: Rows, start: number): number {
  const rowsBelow = rows.length - ownRowsEnd(field, rows, start);
  return Math.max(0, field.maxItems - rowsBelow - start);
}

/**
 * The rows with pasted cells from a place on: rows that are missing are added, cells beyond the last column left out.
 *
 * @example pasteCells(lines, rows, { row: 1, column: 0 }, parseCells(text), { fresh, idOf });
 */
export function pasteCells(
  field: RowsField,
  rows: Rows,
  cellPosition: { readonly row: number; readonly column: number },
  cells: readonly (readonly string[])[],
  { fresh: createRow, idOf: findId }: { fresh: () => ResourceRecord; idOf: (column: Field, title: string) => unknown },
): Rows {
  const columns = typedColumns(field);
  const pasted = cells.slice(0, pasteCapacity(field, rows, cellPosition.row));
  const end = ownRowsEnd(field, rows, cellPosition.row);
  const filledRows = Array.from({ length: Math.max(end, cellPosition.row + pasted.length) }, (_, index) => {
    const row = index < end ? itemAt(rows, index) : createRow();
    const texts = pasted[index - cellPosition.row];
    if (!texts) return row;
    const read = texts.flatMap((text, offset) => {
      const column = columns[cellPosition.column + offset];
      return column ? [[column.name, readCell(column, text, (title) => findId(column, title))] as const] : [];
    });
    return { ...row, ...Object.fromEntries(read) };
  });
  return [...filledRows, ...rows.slice(end)];
}

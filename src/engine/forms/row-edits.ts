import type { Field, FieldOf, ResourceRecord } from '../definitions/definition';
import { fieldTypeOf, sheetTypeOf } from '../field-types';

type RowsField = FieldOf<'rows'>;
type Rows = readonly ResourceRecord[];

/**
 * The columns that people fill in.
 *
 * @example typedColumns(lines).map(({ name }) => name); // ['action', 'expected']
 */
export function typedColumns({ columns }: RowsField): Field[] {
  return Object.values(columns).filter(({ readOnly }) => !readOnly);
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
 * The rows with the one at a place moved by some places; the same rows if it cannot move that far.
 *
 * @example moveRow([{ id: 1 }, { id: 2 }, { id: 3 }], 0, 2); // [{ id: 2 }, { id: 3 }, { id: 1 }]
 */
export function moveRow(rows: Rows, from: number, to: number): Rows {
  if (to < 0 || to >= rows.length || from === to) return rows;
  const rest = rows.filter((_, index) => index !== from);
  return [...rest.slice(0, to), rows[from]!, ...rest.slice(to)];
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
  let at = 0;
  while (at <= source.length) {
    const quoted = source[at] === '"' ? /^"((?:[^"]|"")*)"(?=\t|\n|$)/.exec(source.slice(at)) : null;
    const plain = quoted ? '' : /^[^\t\n]*/.exec(source.slice(at))![0];
    rows.at(-1)!.push(quoted ? quoted[1]!.replaceAll('""', '"') : plain);
    at += quoted ? quoted[0].length : plain.length;
    if (source[at] === '\n') rows.push([]);
    at += 1;
  }
  return rows;
}

/**
 * Reads the text of a cell by the type of its column, as an import does. Text that is no value stays as it is, so that
 * the form says what is wrong. `titles` are known records, by the column.
 */
function readCell(column: Field, text: string, idOf: (title: string) => unknown): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (column.to !== undefined) return idOf(trimmed) ?? text;
  const option = column.options?.find(({ label }) => label.toLowerCase() === trimmed.toLowerCase());
  if (option) return option.value;
  const { holds, fromText } = fieldTypeOf(column);
  // Spreadsheets copy numbers as they show them.
  const plain = holds === 'number' ? trimmed.replace(/,(?=\d{3}(\D|$))/g, '') : trimmed;
  return sheetTypeOf(column).fromCell?.(plain, column) ?? fromText(plain, column) ?? text;
}

/**
 * The rows with pasted cells from a place on: rows that are missing are added, cells beyond the last column left out.
 *
 * @example pasteCells(lines, rows, { row: 1, column: 0 }, parseCells(text), { fresh, idOf });
 */
export function pasteCells(
  field: RowsField,
  rows: Rows,
  place: { readonly row: number; readonly column: number },
  cells: readonly (readonly string[])[],
  { fresh, idOf }: { fresh: () => ResourceRecord; idOf: (column: Field, title: string) => unknown },
): Rows {
  const columns = typedColumns(field);
  const room = Math.max(0, field.most - place.row);
  const pasted = cells.slice(0, room);
  const last = Math.max(rows.length, place.row + pasted.length);
  return Array.from({ length: last }, (_, index) => {
    const row = rows[index] ?? fresh();
    const texts = pasted[index - place.row];
    if (!texts) return row;
    const read = texts.flatMap((text, offset) => {
      const column = columns[place.column + offset];
      return column ? [[column.name, readCell(column, text, (title) => idOf(column, title))] as const] : [];
    });
    return { ...row, ...Object.fromEntries(read) };
  });
}

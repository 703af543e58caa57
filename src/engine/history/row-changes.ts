import type { Field, FieldOf, ResourceRecord } from '../definitions/definition';
import { fieldTypeOf } from '../field-types';
import { rowsIn } from '../field-types/rows';
import { isEqualJson } from '../values/equal-values';
import { getOrThrow, itemAt } from '../values/lookups';

/** The effect of a change on one row, as one side of the history shows it. */
export interface RowChange {
  /** Its place on this side, from 1. */
  readonly position: number;
  readonly kind: 'added' | 'removed' | 'moved' | 'changed';
  /** The cells that differ, as text; of a new or removed row all that have a value. */
  readonly cells: readonly { readonly column: Field; readonly text: string }[];
}

type RowsField = FieldOf<'rows'>;
/** A cell of a column as text. */
type CellText = (column: Field, value: unknown) => string;

/**
 * The rows that differ between two versions, on one of its sides, in their order. A row of the new version that has no
 * id yet is new; one whose neighbours stay the same is not moved by others that come or go.
 */
export function rowChanges(
  field: RowsField,
  { old: oldValue, new: newValue }: { readonly old: unknown; readonly new: unknown },
  side: 'old' | 'new',
  textOf: CellText = cellAsText,
): RowChange[] {
  const [oldRows, newRows] = [rowsIn(oldValue), rowsIn(newValue)];
  const movedRowIds = movedIds(oldRows, newRows);
  const [sideRows, otherSideRows] = side === 'old' ? [oldRows, newRows] : [newRows, oldRows];
  const otherRowsById = new Map(otherSideRows.filter(({ id }) => id !== undefined).map((row) => [row.id, row]));
  return sideRows.flatMap((row, index): RowChange[] => {
    const otherRow = row.id === undefined ? undefined : otherRowsById.get(row.id);
    const position = index + 1;
    if (!otherRow)
      return [{ position, kind: side === 'old' ? 'removed' : 'added', cells: cellsOf(field, row, textOf) }];
    const differentCells = cellsOf(field, row, textOf, otherRow);
    if (differentCells.length > 0) return [{ position, kind: 'changed', cells: differentCells }];
    return movedRowIds.has(row.id) ? [{ position, kind: 'moved', cells: cellsOf(field, row, textOf).slice(0, 1) }] : [];
  });
}

function cellsOf(field: RowsField, row: ResourceRecord, textOf: CellText, otherRow?: ResourceRecord) {
  return Object.values(field.columns).flatMap((column) => {
    const value: unknown = row[column.name] ?? null;
    const otherValue: unknown = otherRow?.[column.name] ?? null;
    if (otherRow ? isEqualJson(value, otherValue) : value === null) return [];
    return [{ column, text: value === null ? '' : textOf(column, value) }];
  });
}

/** A cell as text; a related record by its id. */
export function cellAsText(column: Field, value: unknown): string {
  if (column.to !== undefined) return `#${String(value)}`;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const { toPlainText, toText } = fieldTypeOf(column);
  return toPlainText ? toPlainText(value) : toText(value, column);
}

/** The rows that left their place among those that both versions have: all but the longest run that kept its order. */
function movedIds(oldRows: readonly ResourceRecord[], newRows: readonly ResourceRecord[]): ReadonlySet<unknown> {
  const oldIndexes = new Map<unknown, number>(
    oldRows.flatMap(({ id }, index) => (id === undefined ? [] : [[id, index] as const])),
  );
  const commonRows = newRows
    .filter(({ id }) => oldIndexes.has(id))
    .map(({ id }) => ({ id, at: getOrThrow(oldIndexes, id) }));
  const runs: { length: number; previous: number }[] = [];
  commonRows.forEach(({ at: oldIndex }, index) => {
    let [length, previous] = [1, -1];
    for (let rowIndex = 0; rowIndex < index; rowIndex++) {
      if (itemAt(commonRows, rowIndex).at < oldIndex && itemAt(runs, rowIndex).length + 1 > length)
        [length, previous] = [itemAt(runs, rowIndex).length + 1, rowIndex];
    }
    runs.push({ length, previous });
  });
  const keptIds = new Set<unknown>();
  let last = runs.findIndex(({ length }) => length === Math.max(...runs.map((run) => run.length)));
  for (; last >= 0; last = itemAt(runs, last).previous) keptIds.add(itemAt(commonRows, last).id);
  return new Set(commonRows.map(({ id }) => id).filter((id) => !keptIds.has(id)));
}

/** One side of a change of rows in words, a line for each row: `Row 2, changed: Amount 12`. */
export function describeRowChanges(changes: readonly RowChange[]): string {
  return changes
    .map(({ position, kind, cells }) => {
      const texts = cells.map(({ column, text }) => `${column.label} ${text === '' ? 'nothing' : text}`);
      return `Row ${position}, ${kind}${texts.length > 0 ? `: ${texts.join(', ')}` : ''}`;
    })
    .join('\n');
}

/** How the cells of a column differ between two versions: a line for each row that differs there; null for none. */
export interface ColumnChange {
  readonly column: Field;
  readonly old: string | null;
  readonly new: string | null;
}

/**
 * The columns in which the rows of two versions differ, each with its own cells: `Row 2: Beta`.
 *
 * @example columnChanges(lines, { old: [{ id: 4, amount: 1 }], new: [{ id: 4, amount: 2 }] })[0]; // Amount, from 1 to 2
 */
export function columnChanges(
  field: RowsField,
  sides: { readonly old: unknown; readonly new: unknown },
  textOf: CellText = cellAsText,
): ColumnChange[] {
  const changesOf = (side: 'old' | 'new') =>
    rowChanges(field, sides, side, textOf).filter(({ kind }) => kind !== 'moved');
  const [oldChanges, newChanges] = [changesOf('old'), changesOf('new')];
  const linesIn = (changes: readonly RowChange[], column: Field): string | null => {
    const lines = changes.flatMap(({ position, cells }) => {
      const cell = cells.find((candidate) => candidate.column === column);
      return cell ? [`Row ${position}: ${cell.text === '' ? 'empty' : cell.text}`] : [];
    });
    return lines.length > 0 ? lines.join('\n') : null;
  };
  return Object.values(field.columns)
    .map((column) => ({ column, old: linesIn(oldChanges, column), new: linesIn(newChanges, column) }))
    .filter(({ old: oldLines, new: newLines }) => oldLines !== null || newLines !== null);
}

import type { Field, FieldOf, ResourceRecord } from '../definitions/definition';
import { fieldTypeOf } from '../field-types';
import { rowsIn } from '../field-types/rows';
import { isEqualJson } from '../validation/equal-values';

/** What a change did to one row, as one side of the history shows it. */
export interface RowChange {
  /** Its place on this side, from 1. */
  readonly place: number;
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
  { old, new: fresh }: { readonly old: unknown; readonly new: unknown },
  side: 'old' | 'new',
  textOf: CellText = cellAsText,
): RowChange[] {
  const [before, after] = [rowsIn(old), rowsIn(fresh)];
  const moved = movedIds(before, after);
  const [mine, theirs] = side === 'old' ? [before, after] : [after, before];
  const others = new Map(theirs.filter(({ id }) => id !== undefined).map((row) => [row.id, row]));
  return mine.flatMap((row, index): RowChange[] => {
    const other = row.id === undefined ? undefined : others.get(row.id);
    const place = index + 1;
    if (!other) return [{ place, kind: side === 'old' ? 'removed' : 'added', cells: cellsOf(field, row, textOf) }];
    const differing = cellsOf(field, row, textOf, other);
    if (differing.length > 0) return [{ place, kind: 'changed', cells: differing }];
    return moved.has(row.id) ? [{ place, kind: 'moved', cells: cellsOf(field, row, textOf).slice(0, 1) }] : [];
  });
}

function cellsOf(field: RowsField, row: ResourceRecord, textOf: CellText, other?: ResourceRecord) {
  return Object.values(field.columns).flatMap((column) => {
    const value: unknown = row[column.name] ?? null;
    const before: unknown = other?.[column.name] ?? null;
    if (other ? isEqualJson(value, before) : value === null) return [];
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
function movedIds(before: readonly ResourceRecord[], after: readonly ResourceRecord[]): ReadonlySet<unknown> {
  const places = new Map<unknown, number>(
    before.flatMap(({ id }, index) => (id === undefined ? [] : [[id, index] as const])),
  );
  const common = after.filter(({ id }) => places.has(id)).map(({ id }) => ({ id, at: places.get(id)! }));
  const best: { length: number; previous: number }[] = [];
  common.forEach(({ at }, index) => {
    let [length, previous] = [1, -1];
    for (let one = 0; one < index; one++) {
      if (common[one]!.at < at && best[one]!.length + 1 > length) [length, previous] = [best[one]!.length + 1, one];
    }
    best.push({ length, previous });
  });
  const kept = new Set<unknown>();
  let last = best.findIndex(({ length }) => length === Math.max(...best.map((one) => one.length)));
  for (; last >= 0; last = best[last]!.previous) kept.add(common[last]!.id);
  return new Set(common.map(({ id }) => id).filter((id) => !kept.has(id)));
}

/** One side of a change of rows in words, a line for each row: `Row 2, changed: Amount 12`. */
export function describeRowChanges(changes: readonly RowChange[]): string {
  return changes
    .map(({ place, kind, cells }) => {
      const texts = cells.map(({ column, text }) => `${column.label} ${text === '' ? 'nothing' : text}`);
      return `Row ${place}, ${kind}${texts.length > 0 ? `: ${texts.join(', ')}` : ''}`;
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
  const [old, fresh] = [changesOf('old'), changesOf('new')];
  const linesIn = (changes: readonly RowChange[], column: Field): string | null => {
    const lines = changes.flatMap(({ place, cells }) => {
      const cell = cells.find((one) => one.column === column);
      return cell ? [`Row ${place}: ${cell.text === '' ? 'empty' : cell.text}`] : [];
    });
    return lines.length > 0 ? lines.join('\n') : null;
  };
  return Object.values(field.columns)
    .map((column) => ({ column, old: linesIn(old, column), new: linesIn(fresh, column) }))
    .filter(({ old: before, new: after }) => before !== null || after !== null);
}

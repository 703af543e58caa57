import type { ListSource, Source } from '../language/source';
import { isSameJson } from '../formats/json';
import { setAtPath } from './set-at-path';

type WrittenParts = Extract<Written, object>['parts'];

/** A column as the visual editor shows it. */
export interface ColumnView {
  /** A field, or a path through an embed. */
  readonly field: string;
  readonly label?: string;
  readonly visible: boolean;
  /** Cannot be switched off, and is visible. */
  readonly fixed: boolean;
  readonly width?: number;
  readonly priority?: number;
  /** Fields in a second line. */
  readonly secondLine?: string[];
  readonly parts?: WrittenParts;
}

type Written = NonNullable<ListSource['columns']>[number];

/**
 * The columns of a definition; null if it uses the default ones.
 *
 * @example readColumns(source)?.map(({ field }) => field); // ['id', 'name']
 */
export function readColumns(source: Source): ColumnView[] | null {
  const columns = source.list?.columns?.map(readColumn);
  if (!columns) return null;
  // If none is marked, all are visible.
  return isMarked(columns) ? columns : columns.map((column) => ({ ...column, visible: true }));
}

/**
 * The definition with these columns, each written in the shortest form, or in the one that it had.
 *
 * @example writeColumns(source, [{ field: 'name', visible: true, fixed: true }]);
 */
export function writeColumns(source: Source, columns: readonly ColumnView[] | null): Source {
  if (!columns || columns.length === 0) return setAtPath(source, ['list', 'columns'], undefined);
  const sourceColumns = new Map((source.list?.columns ?? []).map((column) => [readColumn(column).field, column]));
  const wasMarked = isMarked([...sourceColumns.values()].map(readColumn));
  const areMarked = wasMarked || columns.some(({ visible, fixed: isFixed }) => !visible || isFixed);
  const columnSources = columns.map((column) => {
    const wantedColumn = { ...column, visible: areMarked && (column.visible || column.fixed) };
    const oldColumn = sourceColumns.get(column.field);
    return oldColumn !== undefined && meansSame(readColumn(oldColumn), wantedColumn)
      ? oldColumn
      : writeColumn(wantedColumn);
  });
  return setAtPath(source, ['list', 'columns'], columnSources);
}

function readColumn(column: Written): ColumnView {
  if (typeof column !== 'string') {
    const { visible = false, fixed: isFixed = false } = column;
    return { ...column, visible: visible || isFixed, fixed: isFixed };
  }
  const field = column.replace(/[!*]+$/, '');
  const marks = column.slice(field.length);
  return { field, visible: marks !== '', fixed: marks.includes('!') };
}

function writeColumn({
  field,
  label,
  visible,
  fixed: isFixed,
  width,
  priority,
  secondLine,
  parts,
}: ColumnView): Written {
  if ([label, width, priority, secondLine, parts].every((property) => property === undefined))
    return field + (isFixed ? '!' : visible ? '*' : '');
  return {
    field,
    ...(label !== undefined && { label }),
    ...(visible && !isFixed && { visible }),
    ...(isFixed && { fixed: isFixed }),
    ...(width !== undefined && { width }),
    ...(priority !== undefined && { priority }),
    ...(secondLine !== undefined && { secondLine }),
    ...(parts !== undefined && { parts }),
  };
}

function isMarked(columns: readonly ColumnView[]): boolean {
  return columns.some(({ visible }) => visible);
}

function meansSame(left: ColumnView, right: ColumnView): boolean {
  const keys = ['field', 'label', 'visible', 'fixed', 'width', 'priority', 'secondLine', 'parts'] as const;
  return keys.every((key) => isSameJson(left[key], right[key]));
}

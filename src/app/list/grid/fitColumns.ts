/** A column of a grid as it is placed. */
export interface FittedColumn {
  readonly field: string;
  /** The pixels that its header and its values need, with padding; undefined while they have not been measured. */
  readonly need?: number;
  /** A width that a person or the definition chose. It wins. */
  readonly width?: number;
  /** Columns with higher numbers leave first; undefined: it stays a column. */
  readonly leaves?: number;
}

/** No column but the title is wider than this by its content alone. */
const widest = 240;
/** The title gets at least this much before other columns leave for its second line. */
export const titleWidth = 320;

/** The columns of a grid that stay, and those that continue in the second line of the title. */
export interface ColumnFit {
  readonly widths: ReadonlyMap<string, number>;
  readonly movedFields: readonly string[];
}

/**
 * Places columns by their content: each gets what it needs, up to 240 px, and the title the rest. While the title would get
 * less than 320 px, columns leave for its second line, those with the highest number first.
 *
 * @param columns all columns but the title.
 * @param available the pixels that they share with the title.
 * @param hasTitle without a title, no column leaves.
 * @example fitColumns([{ field: 'status', need: 90, leaves: 1 }], 400, true); // 'status' goes beneath the title
 */
export function fitColumns(columns: readonly FittedColumn[], available: number, hasTitle: boolean): ColumnFit {
  const widths = new Map(columns.map((column) => [column.field, widthOf(column)]));
  const movedFields: string[] = [];
  if (hasTitle) {
    const movableColumns = columns
      .filter((column) => column.leaves !== undefined)
      .sort((left, right) => (right.leaves ?? 0) - (left.leaves ?? 0));
    let rest = available - [...widths.values()].reduce((sum, width) => sum + width, 0);
    for (const { field } of movableColumns) {
      if (rest >= titleWidth) break;
      rest += widths.get(field) ?? 0;
      widths.delete(field);
      movedFields.push(field);
    }
  }
  const order = columns.map(({ field }) => field);
  return { widths, movedFields: movedFields.sort((left, right) => order.indexOf(left) - order.indexOf(right)) };
}

const widthOf = ({ width, need = 140 }: FittedColumn) => width ?? Math.min(Math.ceil(need), widest);

/**
 * The width that 95 % of the values of a column fit into.
 *
 * @example ninetyFifth([40, 52, 380]); // 380
 */
export function ninetyFifth(widths: readonly number[]): number {
  const sortedWidths = [...widths].sort((left, right) => left - right);
  return sortedWidths[Math.ceil(sortedWidths.length * 0.95) - 1] ?? 0;
}

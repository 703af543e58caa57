import { normaliseHeading, type MatchedColumn } from '../../engine/imports/headings';
import type { JoinedRow } from '../../engine/imports/join-rows';

/** The cells of a column that are not imported. */
export interface IgnoredColumn {
  readonly column: string;
  /** Non-empty cells that are not imported, in all rows of the file. */
  readonly cells: number;
  readonly reason: string;
}

/** Counts the cells that an import ignores: in columns without a field, and cells that another column overrides. */
export class IgnoredCells {
  private readonly cells: number[];
  /** By column: a later column for the same field. */
  private readonly overriddenBy: readonly number[];
  private readonly isUsed: readonly boolean[];

  constructor(
    private readonly columns: readonly MatchedColumn[],
    numbers: readonly string[],
  ) {
    const ignored = new Set(numbers.map(normaliseHeading));
    this.cells = columns.map(() => 0);
    this.isUsed = columns.map(
      ({ field, by, heading }) => field !== null || by === 'errors' || ignored.has(normaliseHeading(heading)),
    );
    this.overriddenBy = columns.map(({ field }, index) =>
      field === null ? -1 : columns.findLastIndex((other, at) => at > index && other.field === field),
    );
  }

  count(part: readonly JoinedRow[]): void {
    const filled = (cells: readonly string[], index: number) => (cells[index] ?? '').trim() !== '';
    for (const { rows, cells } of part) {
      this.columns.forEach((_, index) => {
        if (!this.isUsed[index]) {
          for (const row of rows) if (filled(row.cells, index)) this.cells[index]!++;
        } else {
          const other = this.overriddenBy[index]!;
          if (other >= 0 && filled(cells, index) && filled(cells, other)) this.cells[index]!++;
        }
      });
    }
  }

  /** The columns with ignored cells, in the order of the file. */
  list(): IgnoredColumn[] {
    return this.columns.flatMap((column, index) => {
      const cells = this.cells[index]!;
      return cells > 0 ? [{ column: column.heading, cells, reason: this.reasonOf(column, index) }] : [];
    });
  }

  private reasonOf({ by, reason, label }: MatchedColumn, index: number): string {
    if (this.isUsed[index])
      return `“${this.columns[this.overriddenBy[index]!]!.heading}” also fills ${label}, and is used where both have a value.`;
    if (reason) return reason;
    if (by === 'hand') return 'You left it out.';
    if (by === 'memory') return 'You left it out in an earlier import.';
    if (by === 'tool') return 'There is no field for it here.';
    return 'No field has this name.';
  }
}

import type { ImportDefinition } from '../definitions/definition';
import { plainHeading, type MatchedColumn } from './headings';

/** A row of a file as text, numbered as a spreadsheet does. */
export interface SheetRow {
  readonly number: number;
  readonly cells: readonly string[];
}

/** The rows of one record, and its cells: the first row's, with those of steps joined. */
export interface JoinedRow {
  readonly rows: readonly SheetRow[];
  readonly cells: readonly string[];
}

/** Joins rows that come one after the other. */
export interface RowJoiner {
  /** Takes the next row; answers the record above it, if the row begins another one. */
  next(row: SheetRow): JoinedRow | undefined;
  /** The last record, after the last row. */
  end(): JoinedRow | undefined;
}

/**
 * Joins rows into records. A row goes on with the record above when it holds nothing but steps, or when the column that
 * marks records says the same and the title's columns add nothing else. Steps of several rows are numbered.
 */
export function rowJoiner(imported: ImportDefinition, columns: readonly MatchedColumn[]): RowJoiner {
  const steps = new Set(
    columns.flatMap(({ field }, index) => (field !== null && imported.steps.includes(field) ? [index] : [])),
  );
  const marks = new Set(imported.key.map(plainHeading));
  const key = columns.findIndex(({ heading, field }) => field === null && marks.has(plainHeading(heading)));
  const matched = columns.flatMap(({ field }, index) => (field !== null && !steps.has(index) ? [index] : []));
  const ignored = new Set([...steps, ...columns.flatMap(({ by }, index) => (by === 'errors' ? [index] : []))]);
  let group: SheetRow[] = [];

  const end = (): JoinedRow | undefined =>
    group.length === 0 ? undefined : { rows: group, cells: joined(group, steps) };
  return {
    end,
    next(row) {
      if (group.length > 0 && goesOn(row, group[0]!)) {
        group.push(row);
        return undefined;
      }
      const above = end();
      group = [row];
      return above;
    },
  };

  function goesOn(row: SheetRow, first: SheetRow): boolean {
    if (![...steps].some((index) => filled(row, index))) return false;
    if (row.cells.every((_, index) => ignored.has(index) || !filled(row, index))) return true;
    if (key < 0 || !filled(row, key) || row.cells[key] !== first.cells[key]) return false;
    return matched.every((index) => !filled(row, index) || row.cells[index] === first.cells[index]);
  }
}

function filled(row: SheetRow, index: number): boolean {
  return (row.cells[index] ?? '').trim() !== '';
}

function joined(group: readonly SheetRow[], steps: ReadonlySet<number>): readonly string[] {
  if (group.length === 1) return group[0]!.cells;
  return group[0]!.cells.map((cell, index) => {
    if (!steps.has(index)) return cell;
    const lines = group.flatMap((row, at) => {
      const text = (row.cells[index] ?? '').trim();
      return text === '' ? [] : [/^\d+[.)]\s/.test(text) ? text : `${at + 1}. ${text}`];
    });
    return lines.join('\n');
  });
}

import type { MatchedColumn } from '../../engine/imports/headings';
import type { JoinedRow } from '../../engine/imports/join-rows';
import type { CellError, Checked, OpenedFile } from './import-file';
import type { ImportRequest } from './import-request';

/** A record as a preview shows it: the first and last row that it was joined from, and its cells by column. */
export interface PreviewRow {
  readonly row: number;
  readonly last: number;
  readonly cells: readonly string[];
}

/** What an import would do. Nothing is stored yet. */
export interface Preview {
  readonly columns: readonly MatchedColumn[];
  readonly rows: readonly PreviewRow[];
  readonly errors: readonly CellError[];
  /** Records in the file, those without errors, and those with. */
  readonly total: number;
  readonly ready: number;
  readonly failed: number;
  readonly tool: string | null;
  /** What a column can be mapped to. */
  readonly targets: readonly { readonly value: string; readonly label: string }[];
}

const longestShown = 300;

/** Answers the first rows, and every error of the rows that are answered. */
export function previewOf(
  { targets }: ImportRequest,
  { columns, total, tool }: OpenedFile,
  { first, failures, failed }: Checked,
): Preview {
  const shown = new Map([...first, ...failures.map(({ row }) => row)].map((row) => [row.rows[0]!.number, row]));
  return {
    columns,
    rows: [...shown.values()].sort((one, other) => one.rows[0]!.number - other.rows[0]!.number).map(previewRow),
    errors: failures.flatMap(({ errors }) => errors),
    total,
    ready: total - failed,
    failed,
    tool,
    targets: targets.map(({ value, label }) => ({ value, label })),
  };
}

function previewRow({ rows, cells }: JoinedRow): PreviewRow {
  return { row: rows[0]!.number, last: rows.at(-1)!.number, cells: cells.map((cell) => cell.slice(0, longestShown)) };
}

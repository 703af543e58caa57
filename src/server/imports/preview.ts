import type { Definition } from '../../engine/definitions/definition';
import type { MatchedColumn } from '../../engine/imports/headings';
import type { ValueMeanings } from '../../engine/imports/value-meanings';
import type { JoinedRow } from '../../engine/imports/join-rows';
import type { CellError, CheckResult, OpenedFile } from './import-file';
import { type IgnoredColumn, isLookedUp, type SeenValue } from './read-records';
import type { ImportRequest } from './import-request';

/** A record in a preview: its first and last row in the file, and its cells by column. */
export interface PreviewRow {
  readonly row: number;
  readonly last: number;
  readonly cells: readonly string[];
}

/** What an import would do. Nothing is saved. */
export interface Preview {
  readonly columns: readonly MatchedColumn[];
  readonly rows: readonly PreviewRow[];
  readonly errors: readonly CellError[];
  /** The number of records in the file, of those without errors, and of those with errors. */
  readonly total: number;
  readonly ready: number;
  readonly failed: number;
  readonly tool: string | null;
  /** What a column can be mapped to. */
  readonly targets: readonly { readonly value: string; readonly label: string }[];
  /** The user's choices for an earlier file with the same headings, and when; null if none of them is used. */
  readonly memory: { readonly at: string; readonly values: ValueMeanings } | null;
  readonly sheet: string | null;
  readonly sheets: OpenedFile['sheets'];
  /** It is a text file with the name of a workbook. */
  readonly is_misnamed: boolean;
  /** For each column of a relation, choice or boolean: its values and their meanings. */
  readonly values: readonly ColumnValues[];
  /** Columns in which `\\n` is a line break. */
  readonly breaks: readonly string[];
  readonly dropped: readonly IgnoredColumn[];
  /** Rows without a record. */
  readonly skipped: number;
}

/** The values of a column. */
export interface ColumnValues {
  readonly column: string;
  readonly field: string;
  readonly values: readonly SeenValue[];
}

const maxShownLength = 300;

/** Builds a preview with the first rows, and all errors of the included rows. */
export function buildPreview(
  definition: Definition,
  { targets }: ImportRequest,
  opened: OpenedFile,
  { first, failures, failed, values, dropped }: CheckResult,
): Preview {
  const { columns, meanings, total, tool, memory, sheet, sheets, isMisnamed, breaks, skipped } = opened;
  const shown = new Map([...first, ...failures.map(({ row }) => row)].map((row) => [row.rows[0]!.number, row]));
  const valuesOf = ({ heading, field }: MatchedColumn, index: number): ColumnValues[] => {
    const seen =
      field !== null && definition.fields[field] && isLookedUp(definition.fields[field]) ? values.ofColumn(index) : [];
    return seen.length > 0 ? [{ column: heading, field: field!, values: seen }] : [];
  };
  const counts =
    columns.some(({ by }) => by === 'memory') ||
    meanings.some((of) => [...of.values()].some(({ by }) => by === 'memory'));
  return {
    columns,
    rows: [...shown.values()].sort((one, other) => one.rows[0]!.number - other.rows[0]!.number).map(previewRow),
    errors: failures.flatMap(({ errors }) => errors),
    total,
    ready: total - failed,
    failed,
    tool: tool?.name ?? null,
    targets: targets.map(({ value, label }) => ({ value, label })),
    memory: memory && counts ? { at: memory.at, values: memory.meanings } : null,
    sheet,
    sheets,
    is_misnamed: isMisnamed,
    values: columns.flatMap(valuesOf),
    breaks: breaks.map((index) => columns[index]!.heading),
    dropped: dropped.list(),
    skipped,
  };
}

function previewRow({ rows, cells }: JoinedRow): PreviewRow {
  return { row: rows[0]!.number, last: rows.at(-1)!.number, cells: cells.map((cell) => cell.slice(0, maxShownLength)) };
}

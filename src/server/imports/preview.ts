import type { Definition } from '../../engine/definitions/definition';
import { importedFieldAt, recordIdHeading, rowsColumnCheck, type MatchedColumn } from '../../engine/imports/headings';
import type { ColumnFormat } from '../../engine/imports/column-formats';
import { readCell } from '../../engine/imports/read-cell';
import { fieldTypeOf } from '../../engine/field-types';
import { formatDate } from '../../engine/formats/dates';
import { dayOf, type RequestContext } from '../access/request-context';
import { readAs, type PersonalFormats } from '../../engine/formats/personal';
import type { ValueMeanings } from '../../engine/imports/value-meanings';
import type { JoinedRow } from '../../engine/imports/join-rows';
import type { CellError, CheckResult, OpenedFile } from './import-file';
import { type IgnoredColumn, isLookedUp, type SeenValue } from './read-records';
import type { ImportRequest } from './import-request';
import { matchedBy } from './match-rows';
import type { PreviewFile } from './row-files';
import type { CellChange, RowKind } from './store-rows';
import { firstOf, itemAt, lastOf, requireValue } from '../../engine/values/lookups';
import { fieldOf } from '../../engine/definitions/accessors';

/** A record in a preview: its first and last row in the file, and its cells by column; those of its rows below each other. */
export interface PreviewRow {
  readonly row: number;
  readonly last: number;
  readonly cells: readonly string[];
  readonly kind: RowKind;
  /** Of a row that changes a record: the differences. */
  readonly changes: readonly CellChange[];
  /** The files that come with it. */
  readonly files: readonly PreviewFile[];
}

/** The planned result of an import, of which nothing is saved. */
export interface Preview {
  readonly columns: readonly MatchedColumn[];
  readonly rows: readonly PreviewRow[];
  readonly errors: readonly CellError[];
  /** The number of records in the file, of those without errors, and of those with errors. */
  readonly total: number;
  readonly ready: number;
  readonly failed: number;
  /** Of those that are ready: new records, changed ones, and those that are already as the file says. */
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  /** How many rows the records have, for each field that holds rows and that the file fills. */
  readonly row_counts: readonly { readonly field: string; readonly label: string; readonly count: number }[];
  /** By what rows find records that exist, as text; null: every row makes a new record. */
  readonly matched_by: string | null;
  /** When the records were compared: sent with the import, it refuses those that were changed since. */
  readonly seen_at: string;
  readonly tool: string | null;
  /** The possible targets of a column. */
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
  /** The row with the headings: those above it are not imported. */
  readonly heading_row: number;
  /** Columns whose merged cells give their value to all rows that they cover. */
  readonly merged: readonly string[];
  /** Columns whose days or numbers could be read otherwise, and how some cells are read. */
  readonly formats: readonly (Omit<ColumnFormat, 'samples'> & {
    readonly column: string;
    readonly samples: readonly { readonly text: string; readonly means: string | null }[];
  })[];
  readonly dropped: readonly IgnoredColumn[];
  /** Rows with numbered text that is split into rows of a record, or can be. */
  readonly numbered: number;
  /** Rows without a record. */
  readonly skipped: number;
  /** How many files the records get that they do not have, and their bytes. */
  readonly files: CheckResult['addedFiles'];
  /** Files in the document that are not imported, with the reasons: the first, and how many there are. */
  readonly left_out: CheckResult['leftOut'];
  readonly left_out_count: number;
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
  { targets, givenValues }: ImportRequest,
  openedFile: OpenedFile,
  checked: CheckResult,
  { now: seenAt, timeZone }: Pick<RequestContext, 'now' | 'timeZone'>,
): Preview {
  const { first, failures, failed, values, ignoredCells, counts: records, rowCounts, kinds, changes, files } = checked;
  const { columns, meanings, formats, total, tool, memory, sheet, sheets, isMisnamed, lineBreakColumns, skippedRows } =
    openedFile;
  const changesByRow = new Map(changes.map(({ row, changes: cellChanges }) => [firstOf(row.rows).number, cellChanges]));
  const recordMatcher = matchedBy(definition, columns, givenValues);
  const keys = [
    ...(recordMatcher.hasIds ? [recordIdHeading] : []),
    ...(recordMatcher.fields.length > 0 ? [recordMatcher.fields.map(({ label }) => label).join(' and ')] : []),
  ];
  const previewRows = new Map(
    [...first, ...failures.map(({ row }) => row), ...changes.map(({ row }) => row)].map((row) => [
      firstOf(row.rows).number,
      row,
    ]),
  );
  const valuesOf = ({ heading, field }: MatchedColumn, index: number): ColumnValues[] => {
    const importedField = field === null ? undefined : importedFieldAt(definition, field);
    const seenValues = importedField && isLookedUp(importedField) ? values.ofColumn(index) : [];
    return field !== null && seenValues.length > 0 ? [{ column: heading, field, values: seenValues }] : [];
  };
  const ofRows = columns.map(rowsColumnCheck(definition));
  const counts =
    columns.some(({ by: matchReason }) => matchReason === 'memory') ||
    meanings.some((columnMeanings) =>
      [...columnMeanings.values()].some(({ by: meaningSource }) => meaningSource === 'memory'),
    );
  return {
    columns,
    rows: [...previewRows.values()]
      .sort((left, right) => firstOf(left.rows).number - firstOf(right.rows).number)
      .map((row) => previewRow(row, ofRows, { kinds, cellChanges: changesByRow, files })),
    errors: failures.flatMap(({ errors }) => errors),
    total,
    ready: total - failed,
    failed,
    created: records.new,
    changed: records.changed,
    unchanged: records.unchanged,
    row_counts: [...rowCounts].map(([field, count]) => ({ field, label: fieldOf(definition, field).label, count })),
    matched_by: keys.length > 0 ? keys.join(', or ') : null,
    seen_at: seenAt,
    tool: tool?.name ?? null,
    targets: targets.map(({ value, label }) => ({ value, label })),
    memory: memory && counts ? { at: memory.at, values: memory.meanings } : null,
    sheet,
    sheets,
    is_misnamed: isMisnamed,
    values: columns.flatMap(valuesOf),
    breaks: lineBreakColumns.map((index) => itemAt(columns, index).heading),
    heading_row: openedFile.headingRow,
    merged: openedFile.mergedColumns.map((index) => itemAt(columns, index).heading),
    formats: formats.flatMap((format, index) =>
      format ? [shownFormat(definition, itemAt(columns, index), format, openedFile.cellFormats[index], timeZone)] : [],
    ),
    dropped: ignoredCells.list(),
    numbered: openedFile.numbered,
    skipped: skippedRows,
    files: checked.addedFiles,
    left_out: checked.leftOut,
    left_out_count: checked.leftOutCount,
  };
}

/** How a column is read: its samples as they would be stored, written so that nobody takes them for something else. */
function shownFormat(
  definition: Definition,
  { heading, field: path }: MatchedColumn,
  { samples, ...format }: ColumnFormat,
  cellFormats: PersonalFormats | undefined,
  timeZone: string,
) {
  const field = requireValue(importedFieldAt(definition, path ?? ''), `the field of the column ${heading}`);
  const meaningOf = (text: string) => {
    const read = readAs({ formats: cellFormats, timeZone }, () => readCell(definition, field, text));
    if (!('value' in read) || read.value === null) return null;
    if (typeof read.value !== 'string') return String(read.value);
    return formatDate(fieldTypeOf(field).holds === 'instant' ? dayOf(read.value, timeZone) : read.value);
  };
  return { column: heading, ...format, samples: samples.map((text) => ({ text, means: meaningOf(text) })) };
}

function previewRow(
  { rows, cells }: JoinedRow,
  ofRows: readonly boolean[],
  {
    kinds,
    cellChanges,
    files,
  }: Pick<CheckResult, 'kinds' | 'files'> & { readonly cellChanges: ReadonlyMap<number, readonly CellChange[]> },
): PreviewRow {
  const row = firstOf(rows).number;
  return {
    row,
    last: lastOf(rows).number,
    cells: cells.map((cell, index) => (ofRows[index] ? cellsBelow(rows, index) : cell).slice(0, maxShownLength)),
    kind: kinds.get(row) ?? 'new',
    changes: cellChanges.get(row) ?? [],
    files: files.get(row) ?? [],
  };
}

/** The filled cells of a column below each other, as far as they are shown. */
function cellsBelow(rows: JoinedRow['rows'], index: number): string {
  return rows
    .slice(0, maxShownLength)
    .flatMap(({ cells }) => cells[index]?.slice(0, maxShownLength) || [])
    .join('\n');
}

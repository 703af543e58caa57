import type { Definition, ImportTool } from '../../engine/definitions/definition';
import {
  importedFieldAt,
  knownHeadings,
  matchColumns,
  normaliseHeading,
  detectTool,
  rowsColumnCheck,
  type MatchedColumn,
} from '../../engine/imports/headings';
import { rowColumnAt, rowsFields } from '../../engine/field-types/row-definition';
import { cellOfPlace, rowsIn } from '../../engine/field-types/rows';
import { hasNumberedText, splitColumns, splitRow, withSplitColumns } from '../../engine/imports/numbered-lines';
import { createRowJoiner, type JoinedRow, type SheetRow } from '../../engine/imports/join-rows';
import { normaliseValue, resolveMeanings, type ColumnMeanings } from '../../engine/imports/value-meanings';
import { ColumnFormatFinder, readingFormats, type ColumnFormat } from '../../engine/imports/column-formats';
import type { PersonalFormats } from '../../engine/formats/personal';
import { fieldTypeOf } from '../../engine/field-types';
import { realUser } from '../../engine/access/actor';
import { loadReaders } from '../accounts/profile/readers-formats';
import type { FieldErrors } from '../../engine/validation/validate-values';
import type { RecordScope } from '../access/record-scope';
import type { RequestContext } from '../access/request-context';
import { FairSlots } from '../jobs/fair-slots';
import { BatchState } from '../records/write/record-write';
import { isInRuleGroup, lockRules } from '../records/write/rule-locks';
import { IgnoredCells, readRecords, type ReadingContext, type RowInput, SeenValues } from './read-records';
import { ReferenceFinder } from './find-references';
import { matchRows, SeenKeys, type RowPurpose } from './match-rows';
import { MissingRecords } from './missing-records';
import { columnsOfRows, linesOf } from './record-lines';
import { addedFiles, addFiles, inspectFiles, type LeftOutFile, type PreviewFile } from './row-files';
import { checkRows, describeChanges, type CellChange, type CheckedRow, type RowKind } from './store-rows';
import type { ImportRequest } from './import-request';
import { loadSavedChoices, type SavedChoices } from './saved-choices';
import { openSheet, type Sheet } from './reading/open-sheet';
import { UnreadableFile } from './reading/sheet-file';
import { writeSpool, type ImportRow, type Spool } from './spool';
import { importOf } from '../../engine/definitions/accessors';
import { firstOf, itemAt } from '../../engine/values/lookups';

/** Records that are read, validated and stored together. */
export const batchSize = 200;

/** How many records of a definition are stored together: fewer if other writes of the company wait for their rules meanwhile. */
export function batchSizeOf(context: RequestContext, definition: Definition): number {
  return isInRuleGroup(context, definition) ? batchSize / 4 : batchSize;
}

/** At most two files are read at the same time, each in a thread, and one per company. */
const readingSlots = new FairSlots(2, 1);

/** An open file whose columns are matched and whose records have been written to disk. Always close it. */
export interface OpenedFile extends Spool {
  readonly columns: readonly MatchedColumn[];
  /** By column: the meanings of its values. */
  readonly meanings: readonly ColumnMeanings[];
  /** By column: how its days or numbers are read, if they could be read otherwise. */
  readonly formats: readonly (ColumnFormat | undefined)[];
  /** By column: the formats in which its cells are read. */
  readonly cellFormats: readonly (PersonalFormats | undefined)[];
  /** The user's choices for an earlier file with the same headings, if used. */
  readonly memory: SavedChoices | undefined;
  /** The program that wrote it, if its headings reveal it. */
  readonly tool: ImportTool | undefined;
  /** The sheet that was read, and those that could be read; none for text files. */
  readonly sheet: string | null;
  readonly sheets: Sheet['sheets'];
  readonly isWorkbook: boolean;
  /** The number of the row with the headings. */
  readonly headingRow: number;
  /** Columns whose merged cells gave their value to all rows that they cover. */
  readonly mergedColumns: readonly number[];
  /** It is a text file with the name of a workbook. */
  readonly isMisnamed: boolean;
  /** Columns in which `\\n` was read as a line break. */
  readonly lineBreakColumns: readonly number[];
  /** Rows with numbered text that is split into rows of a record, or can be. */
  readonly numbered: number;
  /** Rows without a record, as marked by the program that wrote the file. */
  readonly skippedRows: number;
}

/** An error of a record, in a row and a column of the file if there is one, otherwise with the label of the field. */
export interface CellError {
  readonly row: number;
  readonly column: string;
  readonly message: string;
}

/** A rejected record. */
export interface FailedRecord {
  readonly row: JoinedRow;
  readonly errors: readonly CellError[];
}

/** The options of reading a file. */
export type FileOptions = Pick<
  ImportRequest,
  'targets' | 'mapping' | 'meanings' | 'memory' | 'sheet' | 'company' | 'formats' | 'split'
> & {
  /** The name of the file. */
  readonly name: string;
  /** The columns as matched at the start of the import, when it resumes. */
  readonly matchedColumns?: readonly MatchedColumn[];
};

/**
 * Reads a file page by page in a thread, matches its columns, and writes its records to disk. Waits for a slot, which
 * are shared fairly among companies; undefined if the signal was aborted first. Throws UnreadableFile.
 */
export async function openFile(
  { context, definition }: RecordScope,
  {
    targets,
    mapping,
    meanings,
    memory: counts,
    sheet: requestedSheet,
    company,
    name,
    matchedColumns,
    formats: chosenFormats,
    split,
  }: FileOptions,
  content: () => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<OpenedFile | undefined> {
  const leave = await readingSlots.acquire(context.actor.site_id, signal);
  if (!leave) return undefined;
  let sheet: Sheet | undefined;
  try {
    const sheetSelection = { sheet: requestedSheet, known: knownHeadings(definition), resource: definition.name };
    sheet = await openSheet(await content(), sheetSelection, context.program.product.importThread).catch((error) => {
      throw describeMisnamedFile(error, name);
    });
    const { headings, sheets, lineBreakColumns } = sheet;
    const owner = { person: context.actor.id, company, resource: definition.name };
    const memory = counts ? await loadSavedChoices(context.program.database, owner, headings) : undefined;
    const headingChoices = { byHand: mapping, remembered: memory?.mapping ?? {} };
    const matchedOwn = matchColumns(definition, headings, targets, headingChoices);
    const splitTargets = splitColumns(definition, matchedOwn, targets);
    const columns = matchedColumns ?? (split ? withSplitColumns(definition, matchedOwn, splitTargets) : matchedOwn);
    const tool = detectTool(importOf(definition), headings);
    const rows = { skipped: 0, numbered: 0 };
    const readers = await loadReaders(context.program.database.kysely, [realUser(context.actor).id]);
    const person = readers(realUser(context.actor).id).formats;
    const finders = columns.map(({ field }) => formatFinder(definition, field));
    const plainChoices = new Map(
      Object.entries(chosenFormats).map(([heading, format]) => [normaliseHeading(heading), format]),
    );
    const path = await context.program.files.temporary.newPath();
    const records = await writeSpool(
      path,
      readFileRecords(definition, columns, tool, sheet, rows, finders, {
        columns: [...splitTargets.keys()],
        isOn: split,
      }),
    );
    const formats = finders.map((finder, index) =>
      finder?.find(person, plainChoices.get(normaliseHeading(itemAt(columns, index).heading))),
    );
    // Numbers of workbooks and documents are no texts that somebody wrote.
    const hasNumbers = sheet.kind !== 'csv';
    return {
      ...records,
      columns,
      formats,
      cellFormats: formats.map((format) => readingFormats(person, format, hasNumbers)),
      meanings: resolveMeanings(columns, meanings, memory?.meanings ?? {}),
      memory,
      tool,
      sheet: sheet.sheet,
      sheets,
      isWorkbook: sheet.kind === 'xlsx' || sheet.kind === 'xls',
      headingRow: sheet.headingRow,
      mergedColumns: sheet.mergedColumns,
      isMisnamed: sheet.kind === 'csv' && isCalledWorkbook(name),
      lineBreakColumns,
      skippedRows: rows.skipped,
      numbered: rows.numbered,
    };
  } finally {
    await sheet?.close();
    leave();
  }
}

/** Collects the formats of a column, if it has days or numbers. */
function formatFinder(definition: Definition, path: string | null): ColumnFormatFinder | undefined {
  const field = path === null ? undefined : importedFieldAt(definition, path);
  if (!field || field.to !== undefined) return undefined;
  const { holds: valueKind } = fieldTypeOf(field);
  if (valueKind === 'day' || valueKind === 'instant') return new ColumnFormatFinder('date');
  return valueKind === 'number' && !field.options ? new ColumnFormatFinder('number') : undefined;
}

/** Whether a file has the name of a workbook. */
const isCalledWorkbook = (name: string): boolean => /\.xlsx?$/i.test(name);

/** Rewords errors of a text file that has the name of a workbook. */
function describeMisnamedFile(error: unknown, name: string): unknown {
  if (!(error instanceof UnreadableFile) || !error.isText || !isCalledWorkbook(name)) return error;
  const message = error.message.replace(/^The file is /, 'It is ').replace(/^The file /, 'It ');
  return new UnreadableFile(`“${name}” is a text file, not a workbook, despite its name. ${message}`);
}

/** The records of a sheet, each as soon as its last row has been read; counts the rows without a record. */
async function* readFileRecords(
  definition: Definition,
  columns: readonly MatchedColumn[],
  tool: ImportTool | undefined,
  sheet: Sheet,
  rows: { skipped: number; numbered: number },
  finders: readonly (ColumnFormatFinder | undefined)[],
  split: { readonly columns: readonly number[]; readonly isOn: boolean },
): AsyncGenerator<ImportRow, void, void> {
  const joiner = createRowJoiner(importOf(definition), columns, tool, rowsColumnCheck(definition));
  const isSkipped = createSkipCheck(columns, tool);
  const formulas = new Map<number, string[]>();
  const completeRow = (record: JoinedRow): ImportRow => {
    const rowFormulas = record.rows.flatMap(({ number }) => formulas.get(number) ?? []);
    for (const { number } of record.rows) formulas.delete(number);
    return { ...record, formulas: rowFormulas };
  };
  for await (const page of sheet.pages()) {
    for (const cellPosition of page.formulas) {
      const row = Number.parseInt(cellPosition, 10);
      formulas.set(row, [...(formulas.get(row) ?? []), cellPosition]);
    }
    for (const row of page.rows) {
      if (isSkipped(row)) {
        rows.skipped++;
        continue;
      }
      finders.forEach((finder, index) => finder?.add(row.cells[index] ?? ''));
      if (hasNumberedText(row, split.columns)) rows.numbered++;
      for (const part of split.isOn ? splitRow(row, split.columns) : [row]) {
        const record = joiner.next(part);
        if (record) yield completeRow(record);
      }
    }
  }
  const last = joiner.end();
  if (last) yield completeRow(last);
}

/** Returns a function that tells whether a row has no record, as marked by the program that wrote the file. */
function createSkipCheck(columns: readonly MatchedColumn[], tool: ImportTool | undefined): (row: SheetRow) => boolean {
  const marks = Object.entries(tool?.skip ?? {}).map(([heading, values]) => {
    const normalised = normaliseHeading(heading);
    return {
      index: columns.findIndex((column) => normaliseHeading(column.heading) === normalised),
      values: new Set(values.map(normaliseValue)),
    };
  });
  return ({ cells }) => marks.some(({ index, values }) => index >= 0 && values.has(normaliseValue(cells[index] ?? '')));
}

/** The positions of formulas in some records. */
export const formulasOf = (part: readonly ImportRow[]): ReadonlySet<string> =>
  new Set(part.flatMap(({ formulas }) => formulas));

/** A check returns the first records, and as many invalid ones as a user would read. */
const maxPreviewRows = 10;
const maxPreviewFailures = 500;
/** Files that are left out, with the reasons. */
const maxPreviewLeftOut = 500;
/** Rows that change a record, with their differences. */
const maxPreviewChanges = 100;

/** The result of checking the records of a file. */
export interface CheckResult {
  readonly first: readonly JoinedRow[];
  readonly failures: readonly FailedRecord[];
  /** The number of invalid records, including those that are not returned. */
  readonly failed: number;
  readonly values: SeenValues;
  readonly ignoredCells: IgnoredCells;
  /** How many rows become a new record, change one, or leave it as it is. */
  readonly counts: Readonly<Record<Exclude<RowKind, 'refused'>, number>>;
  /** How many rows the records have, by the field that holds them; only of fields that the file fills. */
  readonly rowCounts: ReadonlyMap<string, number>;
  /** By row of the file: what becomes of the rows that are returned. */
  readonly kinds: ReadonlyMap<number, RowKind>;
  /** The first rows that change a record, and the differences. */
  readonly changes: readonly { readonly row: JoinedRow; readonly changes: readonly CellChange[] }[];
  /** By row of the file: the files that come with it. */
  readonly files: ReadonlyMap<number, readonly PreviewFile[]>;
  /** How many files the records get that they do not have, and their bytes. */
  readonly addedFiles: { readonly count: number; readonly bytes: number };
  /** The first files that are left out, and how many there are. */
  readonly leftOut: readonly (LeftOutFile & { readonly row: number })[];
  readonly leftOutCount: number;
}

/** Validates every record as an import would, and saves nothing. */
export async function checkFile(
  { context, definition }: RecordScope,
  { targets, givenValues, company, empty, unknown, seenAt }: ImportRequest,
  openedFile: OpenedFile,
): Promise<CheckResult> {
  const memory = new BatchState(true);
  const rollback = new Error('undone');
  const { database } = context.program;
  const finder = new ReferenceFinder(context, company);
  const missingRecords = new MissingRecords(context, definition);
  const [values, ignoredCells] = [new SeenValues(), new IgnoredCells(openedFile.columns, definition)];
  const counts = { new: 0, changed: 0, unchanged: 0 };
  const kinds = new Map<number, RowKind>();
  const rowCounts = new Map<string, number>(
    rowsFields(definition).flatMap(({ name }) =>
      columnsOfRows(openedFile.columns, definition, name).some(({ field }) => field !== null) ? [[name, 0]] : [],
    ),
  );
  const seenKeys = new SeenKeys();
  const changes: { row: JoinedRow; changes: readonly CellChange[] }[] = [];
  const files = new Map<number, readonly PreviewFile[]>();
  const newFiles = { count: 0, bytes: 0 };
  const leftOut: (LeftOutFile & { row: number })[] = [];
  let leftOutCount = 0;
  const checked = { first: [] as JoinedRow[], failures: [] as FailedRecord[], failed: 0, values, ignoredCells };
  for await (const part of openedFile.parts(batchSizeOf(context, definition))) {
    const reading: Omit<ReadingContext, 'trx'> = {
      definition,
      columns: openedFile.columns,
      meanings: openedFile.meanings,
      cellFormats: openedFile.cellFormats,
      timeZone: context.timeZone,
      tool: openedFile.tool,
      targets,
      givenValues,
      unknown,
      formulas: formulasOf(part),
      isWorkbook: openedFile.isWorkbook,
      finder,
      missingRecords,
      seenValues: values,
    };
    ignoredCells.count(part);
    let inputs: readonly RowInput[] = [];
    const withFiles = await inspectFiles(context, definition, part);
    withFiles.forEach((rowFiles, index) => {
      const row = firstOf(itemAt(part, index).rows).number;
      if (rowFiles.files.length > 0)
        files.set(
          row,
          rowFiles.files.map(({ file: { name, size } }) => ({ name, size })),
        );
      leftOutCount += rowFiles.leftOut.length;
      for (const file of rowFiles.leftOut.slice(0, maxPreviewLeftOut - leftOut.length)) leftOut.push({ row, ...file });
    });
    let checkedRows: CheckedRow[] = [];
    let purposes: readonly RowPurpose[] = [];
    await database
      .transaction(async (trx) => {
        await lockRules(context, [definition], trx);
        inputs = await readRecords({ ...reading, trx }, part);
        const matchedPurposes = await matchRows(context, reading, { empty, seenAt }, part, inputs, seenKeys, trx);
        purposes = addFiles(definition, matchedPurposes, withFiles);
        checkedRows = await checkRows({ context, definition, trx }, purposes, memory);
        const plans = checkedRows.flatMap(({ kind, plan }, index) =>
          kind === 'changed' && plan ? [{ row: itemAt(part, index), plan }] : [],
        );
        const previewPlans = plans.slice(0, maxPreviewChanges - changes.length);
        const texts = await describeChanges(
          { context, definition, queries: trx },
          previewPlans.map(({ plan }) => plan),
        );
        previewPlans.forEach(({ row }, index) => changes.push({ row, changes: itemAt(texts, index) }));
        throw rollback;
      })
      .catch((error: unknown) => {
        if (error !== rollback) throw error;
      });
    if (missingRecords.hasMade) finder.clear();
    missingRecords.clear();
    for (const [name, count] of rowCounts)
      rowCounts.set(
        name,
        inputs.reduce((sum, { values: rowValues }) => sum + rowsIn(rowValues[name]).length, count),
      );
    const failures = failuresOf(
      reading,
      part,
      checkedRows.map(({ errors }) => errors),
    );
    checkedRows.forEach(({ kind }, index) => {
      kinds.set(firstOf(itemAt(part, index).rows).number, kind);
      if (kind === 'refused') return;
      counts[kind]++;
      for (const { size } of addedFiles(itemAt(purposes, index), itemAt(withFiles, index))) {
        newFiles.count++;
        newFiles.bytes += size;
      }
    });
    checked.failed += failures.length;
    checked.failures.push(...failures.slice(0, maxPreviewFailures - checked.failures.length));
    checked.first.push(...part.slice(0, maxPreviewRows - checked.first.length));
  }
  return { ...checked, counts, rowCounts, kinds, changes, files, addedFiles: newFiles, leftOut, leftOutCount };
}

/** The rejected records of a part, with their errors in the order of the file's columns. */
export function failuresOf(
  reading: Omit<ReadingContext, 'trx'>,
  part: readonly JoinedRow[],
  fieldErrors: readonly FieldErrors[],
): FailedRecord[] {
  return part.flatMap((row, index) => {
    const errors = cellErrors(reading, row, itemAt(fieldErrors, index));
    return errors.length > 0 ? [{ row, errors }] : [];
  });
}

/** In the order of the file's rows and columns; errors without a column come last. */
function cellErrors(
  { definition, columns, targets }: Omit<ReadingContext, 'trx'>,
  row: JoinedRow,
  errors: FieldErrors,
): CellError[] {
  const cellErrors = Object.entries(errors).map(([name, message]) => {
    const cell = cellOfPlace(name);
    const path = cell ? `${cell.field}.${cell.column}` : name;
    const values = targets.flatMap(({ value, fields }) => (fields.includes(path) ? [value] : []));
    const columnIndex = columns.findIndex(
      ({ field }) => field !== null && (values.includes(field) || rowColumnAt(definition, field)?.field.name === name),
    );
    const column = columns[columnIndex]?.heading ?? importedFieldAt(definition, path)?.label ?? '';
    const line = cell && linesOf(columnsOfRows(columns, definition, cell.field), row)[cell.index];
    const number = (line ?? firstOf(row.rows)).number;
    return { at: columnIndex < 0 ? columns.length : columnIndex, error: { row: number, column, message } };
  });
  return cellErrors
    .sort((left, right) => left.error.row - right.error.row || left.at - right.at)
    .map(({ error }) => error);
}

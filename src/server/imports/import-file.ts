import type { Definition, ImportTool } from '../../engine/definitions/definition';
import { knownHeadings, matchColumns, plainHeading, toolOf, type MatchedColumn } from '../../engine/imports/headings';
import { rowJoiner, type JoinedRow, type SheetRow } from '../../engine/imports/join-rows';
import { meaningsOf, type ColumnMeanings } from '../../engine/imports/meanings';
import type { FieldErrors } from '../../engine/validation/check-values';
import type { RequestContext } from '../access/request-context';
import { FairPlaces } from '../jobs/fair-places';
import { checkMany, ManyMemory } from '../records/create-many';
import { Dropped } from './dropped';
import { ReferenceFinder } from './find-references';
import type { ImportRequest } from './import-request';
import { recallMemory, type ImportMemory } from './memories';
import { openSheet, type Sheet } from './reading/open-sheet';
import { UnreadableFile } from './reading/sheet-file';
import { readRecords, type Reading } from './read-records';
import { spool, type ImportRow, type Spool } from './spool';
import { ValuesSeen } from './values-seen';

/** Records that are read, checked and stored together. */
export const batch = 200;

/** Files that are read at the same time, each in a thread: two, and one of a company. */
const places = new FairPlaces(2, 1);

/** A file, its columns matched and its rows joined to records, which are on disk. Close it, whatever happens. */
export interface OpenedFile extends Spool {
  readonly columns: readonly MatchedColumn[];
  /** By column: what its values mean. */
  readonly meanings: readonly ColumnMeanings[];
  /** What was said of an earlier file with the same headings, where that counts. */
  readonly memory: ImportMemory | undefined;
  /** The program that wrote it, where its headings tell. */
  readonly tool: ImportTool | undefined;
  /** The sheet that was read, and those that could be; none for text. */
  readonly sheet: string | null;
  readonly sheets: Sheet['sheets'];
  /** It is a text, though its name is that of a workbook. */
  readonly isMisnamed: boolean;
  /** Columns in which `\\n` was read as a line break. */
  readonly breaks: readonly number[];
  /** Rows that hold no record, as the program that wrote the file marks them. */
  readonly skipped: number;
}

/** What is wrong with a record, on a column of the file where there is one, else on the field's label. */
export interface CellError {
  readonly row: number;
  readonly column: string;
  readonly message: string;
}

/** A record that was refused. */
export interface Failure {
  readonly row: JoinedRow;
  readonly errors: readonly CellError[];
}

/** What an import knows of its file and its columns. */
export type Columns = Pick<ImportRequest, 'targets' | 'mapping' | 'meanings' | 'memory' | 'sheet' | 'company'> & {
  /** What the file is called. */
  readonly name: string;
  /** As they were matched when the import began, where it goes on. */
  readonly matched?: readonly MatchedColumn[];
};

/**
 * Reads a file page by page, in a thread of its own, matches its columns, and puts its records on disk. Waits for a place,
 * of which each company has its share; undefined where the signal came first. Throws UnreadableFile.
 */
export async function openFile(
  context: RequestContext,
  definition: Definition,
  { targets, mapping, meanings, memory: counts, sheet: wanted, company, name, matched }: Columns,
  content: () => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<OpenedFile | undefined> {
  const leave = await places.take(context.actor.site_id, signal);
  if (!leave) return undefined;
  let sheet: Sheet | undefined;
  try {
    sheet = await openSheet(await content(), { sheet: wanted, known: knownHeadings(definition) }).catch((error) => {
      throw calledWhatItIs(error, name);
    });
    const { headings, sheets, breaks } = sheet;
    const owner = { person: context.actor.id, company, resource: definition.name };
    const memory = counts ? await recallMemory(context.program.database, owner, headings) : undefined;
    const said = { byHand: mapping, remembered: memory?.mapping ?? {} };
    const columns = matched ?? matchColumns(definition, headings, targets, said);
    const tool = toolOf(definition.import!, headings);
    const rows = { skipped: 0 };
    const path = await context.program.files.temporary.newPath();
    const records = await spool(path, recordsOf(definition, columns, tool, sheet, rows));
    return {
      ...records,
      columns,
      meanings: meaningsOf(columns, meanings, memory?.meanings ?? {}),
      memory,
      tool,
      sheet: sheet.sheet,
      sheets,
      isMisnamed: sheet.kind === 'csv' && isCalledWorkbook(name),
      breaks,
      skipped: rows.skipped,
    };
  } finally {
    await sheet?.close();
    leave();
  }
}

/** Whether a file is called a workbook. */
const isCalledWorkbook = (name: string): boolean => /\.xlsx?$/i.test(name);

/** What is wrong with a text that is called a workbook is said of a text. */
function calledWhatItIs(error: unknown, name: string): unknown {
  if (!(error instanceof UnreadableFile) || !error.isText || !isCalledWorkbook(name)) return error;
  const message = error.message.replace(/^The file is /, 'It is ').replace(/^The file /, 'It ');
  return new UnreadableFile(`“${name}” is a text file, no workbook, whatever its name says. ${message}`);
}

/** The records of a sheet, each once its last row has been read; counts the rows that hold none. */
async function* recordsOf(
  definition: Definition,
  columns: readonly MatchedColumn[],
  tool: ImportTool | undefined,
  sheet: Sheet,
  rows: { skipped: number },
): AsyncGenerator<ImportRow, void, void> {
  const joiner = rowJoiner(definition.import!, columns, tool);
  const isSkipped = skipping(columns, tool);
  const formulas = new Map<number, string[]>();
  const whole = (record: JoinedRow): ImportRow => {
    const own = record.rows.flatMap(({ number }) => formulas.get(number) ?? []);
    for (const { number } of record.rows) formulas.delete(number);
    return { ...record, formulas: own };
  };
  for await (const page of sheet.pages()) {
    for (const place of page.formulas) {
      const row = Number.parseInt(place, 10);
      formulas.set(row, [...(formulas.get(row) ?? []), place]);
    }
    for (const row of page.rows) {
      if (isSkipped(row)) {
        rows.skipped++;
        continue;
      }
      const record = joiner.next(row);
      if (record) yield whole(record);
    }
  }
  const last = joiner.end();
  if (last) yield whole(last);
}

/** Whether a row holds no record, as the program that wrote the file marks it. */
function skipping(columns: readonly MatchedColumn[], tool: ImportTool | undefined): (row: SheetRow) => boolean {
  const marks = Object.entries(tool?.skip ?? {}).map(([heading, values]) => {
    const plain = plainHeading(heading);
    return { index: columns.findIndex((column) => plainHeading(column.heading) === plain), values: new Set(values) };
  });
  return ({ cells }) => marks.some(({ index, values }) => index >= 0 && values.has((cells[index] ?? '').trim()));
}

/** Of records that are read together: where formulas are. */
export const formulasOf = (part: readonly ImportRow[]): ReadonlySet<string> =>
  new Set(part.flatMap(({ formulas }) => formulas));

/** What a check of a file keeps: the first records, and those that are wrong, as far as somebody would read. */
const firstRows = 10;
const mostFailures = 500;

/** What came of checking the records of a file. */
export interface Checked {
  readonly first: readonly JoinedRow[];
  readonly failures: readonly Failure[];
  /** Records that are wrong, those that are not kept here too. */
  readonly failed: number;
  readonly values: ValuesSeen;
  readonly dropped: Dropped;
}

/** Checks every record as an import would, and stores nothing. */
export async function checkFile(
  context: RequestContext,
  definition: Definition,
  { targets, given, company }: ImportRequest,
  opened: OpenedFile,
): Promise<Checked> {
  const memory = new ManyMemory(true);
  const undone = new Error('undone');
  const { database } = context.program;
  const finder = new ReferenceFinder(context, company);
  const [values, dropped] = [new ValuesSeen(), new Dropped(opened.columns, definition.import!.numbers)];
  const checked = { first: [] as JoinedRow[], failures: [] as Failure[], failed: 0, values, dropped };
  for await (const part of opened.parts(batch)) {
    const reading: Reading = {
      definition,
      columns: opened.columns,
      meanings: opened.meanings,
      tool: opened.tool,
      targets,
      given,
      formulas: formulasOf(part),
      finder,
      seen: values,
    };
    dropped.count(part);
    const inputs = await readRecords(reading, part);
    let found: FieldErrors[] = [];
    await database
      .transaction(async (trx) => {
        found = await checkMany(context, definition, inputs, memory, trx);
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
    const failures = failuresOf(reading, part, found);
    checked.failed += failures.length;
    checked.failures.push(...failures.slice(0, mostFailures - checked.failures.length));
    checked.first.push(...part.slice(0, firstRows - checked.first.length));
  }
  return checked;
}

/** The records of a part that were refused, with what is wrong in the order of the file's columns. */
export function failuresOf(reading: Reading, part: readonly JoinedRow[], found: readonly FieldErrors[]): Failure[] {
  return part.flatMap((row, index) => {
    const errors = cellErrors(reading, row, found[index]!);
    return errors.length > 0 ? [{ row, errors }] : [];
  });
}

/** In the order of the file's columns; what belongs to none of them comes last. */
function cellErrors({ definition, columns, targets }: Reading, row: JoinedRow, errors: FieldErrors): CellError[] {
  const placed = Object.entries(errors).map(([name, message]) => {
    const values = targets.flatMap(({ value, fields }) => (fields.includes(name) ? [value] : []));
    const at = columns.findIndex(({ field }) => field !== null && values.includes(field));
    const column = columns[at]?.heading ?? definition.fields[name]?.label ?? '';
    return { at: at < 0 ? columns.length : at, error: { row: row.rows[0]!.number, column, message } };
  });
  return placed.sort((one, other) => one.at - other.at).map(({ error }) => error);
}

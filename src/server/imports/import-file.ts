import type { Definition } from '../../engine/definitions/definition';
import { matchColumns, toolOf, type MatchedColumn } from '../../engine/imports/headings';
import { joinRows, type JoinedRow } from '../../engine/imports/join-rows';
import type { FieldErrors } from '../../engine/validation/check-values';
import type { RequestContext } from '../access/request-context';
import { checkMany, createMany, ManyMemory } from '../records/create-many';
import { ReferenceFinder } from './find-references';
import type { ImportRequest } from './import-request';
import { rememberedMapping } from './mappings';
import { readFile } from './reading/read-file';
import type { SheetFile } from './reading/sheet-file';
import { readRecords, type Reading } from './read-records';

/** Records that are read, checked and stored together. */
const batch = 200;

/** Where an import is written down while it runs. */
export interface ImportLog {
  reached(imported: number, failed: number): Promise<void>;
  ended(imported: number, failed: number): Promise<void>;
}

/** A file, its columns matched and its rows joined. */
export interface OpenedFile {
  readonly file: SheetFile;
  readonly columns: readonly MatchedColumn[];
  readonly rows: readonly JoinedRow[];
  /** The program that wrote it, where its headings tell. */
  readonly tool: string | null;
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

/** Reads a file, in a thread of its own, and matches its columns. Throws UnreadableFile and Unavailable. */
export async function openFile(
  context: RequestContext,
  definition: Definition,
  request: ImportRequest,
): Promise<OpenedFile> {
  const { upload, targets, mapping, company } = request;
  const file = await readFile(await upload.bytes());
  const remembered = await rememberedMapping(context.program.database, definition.name, company);
  // What is said now is the last word, also about a heading that is written another way.
  const columns = matchColumns(definition, file.headings, targets, { ...remembered, ...mapping });
  const rows = joinRows(definition.import!, columns, file.rows);
  return { file, columns, rows, tool: toolOf(definition.import!, file.headings)?.name ?? null };
}

/** Checks every record as an import would, and stores nothing. */
export async function checkFile(
  context: RequestContext,
  definition: Definition,
  request: ImportRequest,
  opened: OpenedFile,
): Promise<Failure[]> {
  const memory = new ManyMemory(true);
  const undone = new Error('undone');
  return inBatches(context, definition, request, opened, async (inputs) => {
    let found: FieldErrors[] = [];
    const { database } = context.program;
    await database
      .transaction(async (trx) => {
        found = await checkMany(context, definition, inputs, memory, trx);
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
    return found;
  });
}

/** Stores the good records, batch by batch, and answers the others. */
export async function storeFile(
  context: RequestContext,
  definition: Definition,
  request: ImportRequest,
  opened: OpenedFile,
  reached: (imported: number, failed: number) => Promise<void>,
): Promise<Failure[]> {
  const memory = new ManyMemory();
  let [imported, failed] = [0, 0];
  return inBatches(context, definition, request, opened, async (inputs) => {
    const fates = await createMany(context, definition, inputs, memory);
    const errors = fates.map((fate) => ('id' in fate ? {} : fate.errors));
    failed += fates.filter((fate) => !('id' in fate)).length;
    imported = imported + fates.length - errors.filter((one) => Object.keys(one).length > 0).length;
    await reached(imported, failed);
    return errors;
  });
}

async function inBatches(
  context: RequestContext,
  definition: Definition,
  { targets, given, company }: ImportRequest,
  { file, columns, rows }: OpenedFile,
  run: (inputs: Awaited<ReturnType<typeof readRecords>>) => Promise<FieldErrors[]>,
): Promise<Failure[]> {
  const finder = new ReferenceFinder(context, company);
  const reading: Reading = { definition, columns, targets, given, formulas: new Set(file.formulas), finder };
  const failures: Failure[] = [];
  for (let from = 0; from < rows.length; from += batch) {
    const part = rows.slice(from, from + batch);
    const found = await run(await readRecords(reading, part));
    part.forEach((row, index) => {
      const errors = cellErrors(reading, row, found[index]!);
      if (errors.length > 0) failures.push({ row, errors });
    });
  }
  return failures;
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

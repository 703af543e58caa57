import type { Definition } from '../../engine/definitions/definition';
import { matchColumns, toolOf, type MatchedColumn } from '../../engine/imports/headings';
import { joinRows, type JoinedRow } from '../../engine/imports/join-rows';
import type { FieldErrors } from '../../engine/validation/check-values';
import type { RequestContext } from '../access/request-context';
import { FairPlaces } from '../jobs/fair-places';
import { checkMany, ManyMemory } from '../records/create-many';
import { ReferenceFinder } from './find-references';
import type { ImportRequest } from './import-request';
import { rememberedMapping } from './mappings';
import { readFile } from './reading/read-file';
import type { SheetFile } from './reading/sheet-file';
import { readRecords, type Reading } from './read-records';

/** Records that are read, checked and stored together. */
export const batch = 200;

/** Files that are read at the same time, each in a thread: two, and one of a company. */
const places = new FairPlaces(2, 1);

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

/** What an import knows of its file's columns. */
export type Columns = Pick<ImportRequest, 'targets' | 'mapping' | 'company'> & {
  /** As they were matched when the import began, where it goes on. */
  readonly matched?: readonly MatchedColumn[];
};

/**
 * Reads a file, in a thread of its own, and matches its columns. Waits for a place, of which each company has its share;
 * undefined where the signal came first. Throws UnreadableFile.
 */
export async function openFile(
  context: RequestContext,
  definition: Definition,
  { targets, mapping, company, matched }: Columns,
  content: () => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<OpenedFile | undefined> {
  const leave = await places.take(context.actor.site_id, signal);
  if (!leave) return undefined;
  try {
    const file = await readFile(await content());
    const remembered = await rememberedMapping(context.program.database, definition.name, company);
    // What is said now is the last word, also about a heading that is written another way.
    const columns = matched ?? matchColumns(definition, file.headings, targets, { ...remembered, ...mapping });
    const rows = joinRows(definition.import!, columns, file.rows);
    return { file, columns, rows, tool: toolOf(definition.import!, file.headings)?.name ?? null };
  } finally {
    leave();
  }
}

/** Checks every record as an import would, and stores nothing. */
export async function checkFile(
  context: RequestContext,
  definition: Definition,
  { targets, given, company }: ImportRequest,
  { file, columns, rows }: OpenedFile,
): Promise<Failure[]> {
  const memory = new ManyMemory(true);
  const undone = new Error('undone');
  const { database } = context.program;
  const finder = new ReferenceFinder(context, company);
  const reading: Reading = { definition, columns, targets, given, formulas: new Set(file.formulas), finder };
  const failures: Failure[] = [];
  for (let from = 0; from < rows.length; from += batch) {
    const part = rows.slice(from, from + batch);
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
    failures.push(...failuresOf(reading, part, found));
  }
  return failures;
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

import { buffer } from 'node:stream/consumers';
import { grantedFields } from '../../engine/access/access-decision';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import {
  importTargets,
  normaliseHeading,
  type HeadingMapping,
  type MatchedColumn,
} from '../../engine/imports/headings';
import type { ValueMeanings } from '../../engine/imports/value-meanings';
import { assertGranted } from '../access/access-filter';
import { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { allowLongStatements } from '../database/timeouts';
import { onEngineTables } from '../database/engine-tables';
import { withStableRegistry } from '../definitions/registry-swap';
import { actorOfUser } from '../accounts/users/acting-user';
import { exportTypes } from '../exports/export-types';
import { Interrupted, JobFailed, type Job, type JobKind, type JobOutcome, type RunningJob } from '../jobs/job';
import type { StoredFile } from '../files/files';
import type { Program } from '../program';
import { BatchState } from '../records/write/record-write';
import { inSavepoint } from '../records/write/savepoints';
import { lockRules } from '../records/write/rule-locks';
import { Conflict, HttpError } from '../errors/errors';
import { recordProof } from '../accounts/session/identity-proof';
import { createFailedFile, type FailedRow, storeGeneratedFile } from './failed-file';
import { ReferenceFinder } from './find-references';
import { batchSize, batchSizeOf, failuresOf, formulasOf, openFile, type OpenedFile } from './import-file';
import type { ImportHistory } from './import-history';
import type { EmptyCells, ImportRequest, UnknownValues } from './import-request';
import { matchedBy, matchRows, type RowPurpose, SeenKeys } from './match-rows';
import { MissingRecords } from './missing-records';
import { addFiles, discardingFiles, type FilesOfPart, keysIn, storeFiles } from './row-files';
import { type RowKind, type RowResult, storeRows } from './store-rows';
import { storeSavedChoices, type SavedChoices } from './saved-choices';
import { UnreadableFile } from './reading/sheet-file';
import { readRecords, type ReadingContext, type RowInput } from './read-records';
import type { ImportRow } from './spool';
import { firstOf, getOrThrow, itemAt, lastOf, requireValue } from '../../engine/values/lookups';

/** The job kind of imports. */
export const importKindName = 'import';

/** The input of an import job. */
export interface ImportInput {
  readonly type: string;
  /** The key of the stored file. */
  readonly file: string;
  readonly mapping: HeadingMapping;
  /**
   * The meanings of values, whether choices for earlier files are used, and the sheet; jobs of older versions have
   * none.
   */
  readonly meanings?: ValueMeanings;
  readonly memory?: boolean;
  readonly sheet?: string | null;
  /** The name of the file. */
  readonly name?: string;
  readonly given: ResourceRecord;
  readonly company: number | null;
  /** Jobs of older versions have neither. */
  readonly empty?: EmptyCells;
  readonly seenAt?: string | null;
  readonly formats?: ImportRequest['formats'];
  readonly unknown?: UnknownValues;
  readonly split?: boolean;
  /** If the caller said so. */
  readonly timeZone?: string;
  /** The entry of the history. */
  readonly line: number;
  /** The user had proved their identity, which some records require. */
  readonly proven: boolean;
}

/** Where an import resumes: after this row of the file, with the columns that it started with. */
interface ImportPosition {
  readonly columns: readonly MatchedColumn[];
  readonly row: number;
  readonly imported: number;
  readonly failed: number;
  /** Of those imported, the records that existed; none in positions of older versions. */
  readonly changed?: number;
  readonly unchanged?: number;
  /** The files that were stored with records, and those that were left out; none in positions of older versions. */
  readonly files?: number;
  readonly leftOut?: number;
}

/** The result of an import. */
export interface ImportResult {
  readonly imported: number;
  readonly failed: number;
  /** Of those imported, the records that existed, if the file could find some. */
  readonly changed?: number;
  readonly unchanged?: number;
  /** The files that records got, and those that were left out, if the document has files. */
  readonly files?: number;
  readonly files_left_out?: number;
  readonly line: number;
  /** The file with the rejected rows. */
  readonly file: { readonly key: string; readonly name: string } | null;
}

/** A rejected record, by the number of its first row. */
interface StoredFailure {
  readonly row: number;
  readonly messages: readonly string[];
  /** The row of each message; those of older versions have none, and are about the first row. */
  readonly places?: readonly number[];
}

/** Creates the job kind of imports. */
export function createImportKind(program: Program, history: ImportHistory): JobKind {
  const progress = ({ id, state, total, place: position, done: doneCount }: Job) => {
    const { imported: importedCount = 0, failed = 0 } = (position ?? {}) as Partial<ImportPosition>;
    const isBetween = state === 'waiting' && doneCount > 0;
    return { state: isBetween ? ('running' as const) : state, total, imported: importedCount, failed, job: id };
  };
  return {
    name: importKindName,
    label: 'Import',
    grant: { resource: history.resource, action: 'create' },
    attempts: 5,
    run: (job) => importRows(program, history, job),
    onChange: (trx, job) => history.storeProgress(program, trx, (job.input as ImportInput).line, progress(job)),
    describeSaved({ place: position, total, input }) {
      const { imported: importedCount = 0 } = (position ?? {}) as Partial<ImportPosition>;
      const name = program.definitions
        .registry()
        .get((input as ImportInput).type)
        ?.labels.many.toLowerCase();
      if (importedCount === 0) return 'Nothing was saved.';
      return `${importedCount.toLocaleString('en')} of ${(total ?? 0).toLocaleString('en')} ${name ?? 'records'} were saved.`;
    },
    formatResult({ result }) {
      if (!result) return null;
      const { line, file, ...counts } = result as ImportResult;
      const failedRows = file && { name: file.name, url: program.files.signedUrl(file.key) };
      return { ...counts, import_id: line, failed_file: failedRows };
    },
  };
}

async function importRows(program: Program, history: ImportHistory, job: RunningJob): Promise<JobOutcome> {
  const { database, definitions } = program;
  const startContext = await importContext(program, history, job);
  const startPosition = job.place as ImportPosition | null;
  const openedFile = await openImportFile(startContext, history, job, startPosition?.columns);
  try {
    const { columns, total } = openedFile;
    let position: ImportPosition = startPosition ?? { columns, row: 0, imported: 0, failed: 0 };
    const note = (trx: Transaction, next: ImportPosition) =>
      job.checkpoint(trx, { done: next.imported + next.failed, total, place: next });
    if (!startPosition) await database.transaction((trx) => note(trx, position));
    const store = createPartStorer(program, history, job, openedFile, note);
    const definition = startContext.registry.getOrThrow((job.input as ImportInput).type);
    for await (const part of openedFile.parts(batchSizeOf(startContext, definition), position.row)) {
      if (job.signal.aborted) throw new Interrupted();
      // User and definitions are loaded again for each part: access may end and tables may change in the meantime.
      await withStableRegistry(definitions, async () => void (position = await store(part, position)), {
        repeatable: false,
      });
    }
    return await finishImport(program, history, job, openedFile, position);
  } finally {
    await openedFile.close();
  }
}

/** Returns a function that stores a part of the records and returns the place where it ends. */
function createPartStorer(
  program: Program,
  history: ImportHistory,
  job: RunningJob,
  { columns, meanings, cellFormats, isWorkbook, tool }: OpenedFile,
  note: (trx: Transaction, next: ImportPosition) => Promise<void>,
): (part: readonly ImportRow[], reached: ImportPosition) => Promise<ImportPosition> {
  const input = job.input as ImportInput;
  const memory = new BatchState();
  let seenKeys = new SeenKeys();
  let reader: { context: RequestContext; finder: ReferenceFinder; missingRecords: MissingRecords } | undefined;
  return async (part, reachedPosition) => {
    const context = await importContext(program, history, job);
    if (!isSameContext(reader?.context, context)) {
      const importDefinition = context.registry.getOrThrow(input.type);
      const missingRecords = new MissingRecords(context, importDefinition);
      reader = { context, finder: new ReferenceFinder(context, input.company), missingRecords };
      memory.references.clear();
    }
    memory.takenValues.clear();
    const definition = context.registry.getOrThrow(input.type);
    const targets = targetsOf(context, definition);
    const { finder, missingRecords } = requireValue(reader, 'the reader of the import');
    const reading: Omit<ReadingContext, 'trx'> = {
      definition,
      columns,
      meanings,
      cellFormats,
      timeZone: context.timeZone,
      tool,
      targets,
      givenValues: input.given,
      unknown: input.unknown ?? 'refuse',
      formulas: formulasOf(part),
      isWorkbook,
      finder,
      missingRecords,
    };
    const options = { empty: input.empty ?? ('keep' as const), seenAt: input.seenAt ?? null };
    const files = await filesOfPart();
    let next = reachedPosition;
    let usedFiles: ReadonlySet<string> = new Set();
    const isKept = ({ file }: { readonly file: StoredFile }) => usedFiles.has(file.key);
    const store = async (trx: Transaction) => {
      await allowLongStatements(trx);
      await lockRules(context, [definition], trx);
      const { purposes, results } = await storeRowsAndMissing(trx);
      const failures = failuresOf(
        reading,
        part,
        results.map(({ errors }) => errors),
      );
      await storeFailures(
        trx,
        job.id,
        firstOf(firstOf(part).rows).number,
        failures.map(({ row, errors: rowErrors }) => ({
          row: firstOf(row.rows).number,
          messages: rowErrors.map(({ message }) => message),
          places: rowErrors.map((error) => error.row),
        })),
      );
      const count = (kind: RowKind) => results.filter((result) => result.kind === kind).length;
      const ofRecords = purposes.filter((_, index) => itemAt(results, index).kind !== 'refused');
      usedFiles = new Set(files && keysIn(definition, ofRecords));
      next = {
        columns,
        row: lastOf(lastOf(part).rows).number,
        imported: reachedPosition.imported + results.length - count('refused'),
        failed: reachedPosition.failed + count('refused'),
        changed: (reachedPosition.changed ?? 0) + count('changed'),
        unchanged: (reachedPosition.unchanged ?? 0) + count('unchanged'),
        files:
          (reachedPosition.files ?? 0) +
          (files?.found.flatMap((rowFiles) => rowFiles.files) ?? []).filter(isKept).length,
        leftOut: (reachedPosition.leftOut ?? 0) + (files?.found.flatMap(({ leftOut }) => leftOut).length ?? 0),
      };
      await note(trx, next);
    };
    const run = () =>
      context.program.database.transaction(store).catch((error: unknown) => {
        // Results of a failed transaction are invalid.
        forgetTransaction();
        throw error;
      });
    await (files ? discardingFiles(files, run) : run());
    if (missingRecords.hasMade) forgetTransaction();
    // Those of rows that were refused.
    await files?.discard(usedFiles);
    return next;

    /** Forgets the records that a transaction looked up or created: if it is rolled back, they may not exist any more. */
    function forgetTransaction(): void {
      memory.references.clear();
      finder.clear();
      missingRecords.clear();
    }

    /**
     * Stores the rows with the records that they need and that do not exist. A refused row leaves nothing: if such
     * records were made while rows were refused, all is undone, and the other rows are stored without the refused ones.
     */
    async function storeRowsAndMissing(
      trx: Transaction,
    ): Promise<{ purposes: readonly RowPurpose[]; results: readonly RowResult[] }> {
      const refusals = new Map<number, RowPurpose & { kind: 'refused' }>();
      const previousKeys = seenKeys;
      for (;;) {
        const rowIndexes = part.flatMap((_, index) => (refusals.has(index) ? [] : [index]));
        const partKeys = new SeenKeys(previousKeys.entries());
        const attempt: { purposes: readonly RowPurpose[]; results: readonly RowResult[] } = {
          purposes: [],
          results: [],
        };
        const outcome = await inSavepoint(trx, async () => {
          const rows = rowIndexes.map((index) => itemAt(part, index));
          const read = await readRecords({ ...reading, trx }, rows);
          const inputs = files
            ? read.map((input, position) => ({
                ...input,
                errors: { ...files.errors[itemAt(rowIndexes, position)], ...input.errors },
              }))
            : read;
          const purposes = await matchRows(context, reading, options, rows, inputs, partKeys, trx);
          attempt.purposes = files
            ? addFiles(
                definition,
                purposes,
                rowIndexes.map((index) => itemAt(files.found, index)),
              )
            : purposes;
          attempt.results = await storeRows({ context, definition, trx }, attempt.purposes, memory);
          const isClean = !missingRecords.hasMade || attempt.results.every(({ kind }) => kind !== 'refused');
          if (!isClean) throw new Conflict('Rows were refused.');
        });
        if (outcome instanceof HttpError && attempt.results.length === 0) throw outcome;
        attempt.results.forEach(({ kind, errors }, position) => {
          if (kind === 'refused') refusals.set(itemAt(rowIndexes, position), { kind, errors });
        });
        if (outcome instanceof HttpError) {
          forgetTransaction();
          memory.takenValues.clear();
          continue;
        }
        seenKeys = partKeys;
        const positions = new Map(rowIndexes.map((index, position) => [index, position]));
        // A refused row has no position among those that were stored.
        const ofRow = <T>(values: readonly T[], index: number): T | undefined => values[positions.get(index) ?? -1];
        return {
          purposes: part.map((_, index) => ofRow(attempt.purposes, index) ?? getOrThrow(refusals, index)),
          results: part.map((_, index) => ofRow(attempt.results, index) ?? { ...getOrThrow(refusals, index) }),
        };
      }
    }

    async function filesOfPart(): Promise<FilesOfPart | undefined> {
      if (!part.some(({ rows }) => rows.some((row) => row.files))) return undefined;
      let previousPurposes: RowPurpose[] = [];
      let inputs: readonly RowInput[] = [];
      // The purposes of rows are found first, to store no file that a record has, and found again when the rows are stored.
      const rollback = new Error('undone');
      await context.program.database
        .transaction(async (trx) => {
          inputs = await readRecords({ ...reading, trx }, part);
          previousPurposes = await matchRows(context, reading, options, part, inputs, new SeenKeys(), trx);
          throw rollback;
        })
        .catch((error: unknown) => {
          if (error !== rollback) throw error;
        });
      forgetTransaction();
      return storeFiles({ context, definition }, input.company, part, inputs, previousPurposes);
    }
  };
}

/** All records are stored: creates the file of the rejected rows. */
async function finishImport(
  program: Program,
  history: ImportHistory,
  job: RunningJob,
  { columns, parts, memory }: OpenedFile,
  {
    imported: importedCount,
    failed,
    changed: changedCount = 0,
    unchanged: unchangedCount = 0,
    files = 0,
    leftOut = 0,
  }: ImportPosition,
): Promise<JobOutcome> {
  const { type, company, mapping, meanings = {}, line, given: givenValues } = job.input as ImportInput;
  const definition = program.definitions.registry().getOrThrow(type);
  const { labels } = definition;
  const recordMatcher = matchedBy(definition, columns, givenValues);
  const counts = {
    imported: importedCount,
    failed,
    ...((recordMatcher.hasIds || recordMatcher.fields.length > 0) && {
      changed: changedCount,
      unchanged: unchangedCount,
    }),
    ...(files + leftOut > 0 && { files, files_left_out: leftOut }),
  };
  const owner = { person: job.user_id, company, resource: type };
  const headings = columns.map(({ heading }) => heading);
  await storeSavedChoices(program.database, owner, headings, mergeChoices(memory, { mapping, meanings }));
  if (failed === 0) return { result: { ...counts, line, file: null }, message: 'Imported Successfully' };
  const failures = new Map((await loadFailures(program, job.id)).map((failure) => [failure.row, failure]));
  const lines: FailedRow[] = [];
  for await (const part of parts(batchSize)) {
    for (const row of part) {
      const failure = failures.get(firstOf(row.rows).number);
      if (!failure) continue;
      const { messages, places: rowNumbers = [] } = failure;
      const errors = messages.map((message, index) => ({ row: rowNumbers[index] ?? failure.row, message }));
      const enclosedFiles = row.rows.flatMap((sheetRow) => sheetRow.files ?? []);
      const filesNote =
        'Its files are not in this spreadsheet: correct the document and import it again, or add them later.';
      lines.push({
        row,
        errors: enclosedFiles.length > 0 ? [...errors, { row: failure.row, message: filesNote }] : errors,
      });
    }
  }
  const name = `failed_imports_${type}.xlsx`;
  const bytes = await createFailedFile(labels.many, columns, lines);
  const { key } = await storeGeneratedFile(program.files, name, bytes, exportTypes.xlsx, {
    resource: history.resource,
    field: 'failed_key',
  });
  return {
    result: { ...counts, line, file: { key, name } } satisfies ImportResult,
    message: `${importedCount.toLocaleString('en')} imported, ${failed.toLocaleString('en')} with errors`,
    async store(trx) {
      await history.storeFailedFile(trx, line, key);
      await onEngineTables(trx).deleteFrom('import_failures').where('job_id', '=', job.id).execute();
    },
  };
}

/**
 * The context of the user or service account who started it, with their current permissions. Throws JobFailed if they can no longer
 * import.
 */
async function importContext(
  program: Program,
  history: ImportHistory,
  { user_id, input }: Job,
): Promise<RequestContext> {
  const { type, timeZone, proven: isProven } = input as ImportInput;
  const actor = await actorOfUser(program.database.kysely, user_id);
  if (!actor) throw new JobFailed('The user who started this no longer has access.');
  // The proof of identity was valid when the file was sent; the job still belongs to that request.
  if (isProven) recordProof(actor, Date.now());
  const context = new RequestContext(program, actor, timeZone);
  const definition = context.registry.get(type);
  if (!definition?.import) throw new JobFailed('Records of this kind can no longer be imported.');
  assertGranted(context, context.registry.getOrThrow(history.resource), 'create');
  assertGranted(context, definition, 'create');
  return context;
}

async function openImportFile(
  context: RequestContext,
  history: ImportHistory,
  job: RunningJob,
  matchedColumns: readonly MatchedColumn[] | undefined,
): Promise<OpenedFile> {
  const { program, registry } = context;
  const {
    type,
    file,
    mapping,
    meanings = {},
    memory = true,
    sheet = null,
    formats = {},
    split = false,
    name = '',
    company,
    line,
  } = job.input as ImportInput;
  const definition = registry.getOrThrow(type);
  const content = async () => {
    const storedContent = await program.files.open(file);
    if (!storedContent) throw new JobFailed('The file is no longer stored. Import it again.', true);
    return buffer(storedContent);
  };
  try {
    const columns = {
      targets: targetsOf(context, definition),
      mapping,
      meanings,
      memory,
      sheet,
      formats,
      split,
      company,
      name,
      matchedColumns,
    };
    const openedFile = await openFile({ context, definition }, columns, content, job.signal);
    if (!openedFile) throw new Interrupted();
    if (openedFile.columns.some(({ field }) => field !== null)) return openedFile;
    await openedFile.close();
    throw new UnreadableFile('None of the columns is known. Map at least one column.');
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new JobFailed(error.message, true, (trx) => history.deleteEntry(program, trx, line));
  }
}

/** Merges earlier choices with the current ones, which take precedence. */
function mergeChoices(
  memory: SavedChoices | undefined,
  choices: { readonly mapping: HeadingMapping; readonly meanings: ValueMeanings },
): Omit<SavedChoices, 'at'> {
  const toObject = <Value>(values: Readonly<Record<string, Value>> = {}) =>
    Object.fromEntries(Object.entries(values).map(([heading, value]) => [normaliseHeading(heading), value]));
  const [previousMeanings, now] = [toObject(memory?.meanings), toObject(choices.meanings)];
  const meanings = Object.fromEntries(
    Object.keys({ ...previousMeanings, ...now }).map((heading) => [
      heading,
      { ...previousMeanings[heading], ...now[heading] },
    ]),
  );
  return { mapping: { ...toObject(memory?.mapping), ...toObject(choices.mapping) }, meanings };
}

const targetsOf = ({ actor }: RequestContext, definition: Definition) =>
  importTargets(definition, grantedFields(actor, definition, 'create'));

function isSameContext(left: RequestContext | undefined, right: RequestContext): boolean {
  return left?.registry === right.registry && JSON.stringify(left.actor) === JSON.stringify(right.actor);
}

async function storeFailures(trx: Transaction, job: number, position: number, failures: readonly StoredFailure[]) {
  if (failures.length === 0) return;
  await onEngineTables(trx)
    .insertInto('import_failures')
    .values({ job_id: job, place: position, failures: JSON.stringify(failures) })
    .execute();
}

async function loadFailures({ database }: Program, job: number): Promise<StoredFailure[]> {
  const rows = await onEngineTables(database.kysely)
    .selectFrom('import_failures')
    .select('failures')
    .where('job_id', '=', job)
    .orderBy('place')
    .execute();
  return rows.flatMap(({ failures }) => failures as StoredFailure[]);
}

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { grantedFields } from '../../engine/access/access-decision';
import { realUser } from '../../engine/access/actor';
import type { Definition, FieldOf } from '../../engine/definitions/definition';
import { isFiles } from '../../engine/field-types/files';
import { filesIn, type NamedFile } from '../../engine/field-types/stored-files';
import type { EnclosedFile, JoinedRow } from '../../engine/imports/join-rows';
import type { FieldErrors } from '../../engine/validation/validate-values';
import type { RecordScope } from '../access/record-scope';
import type { RequestContext } from '../access/request-context';
import { HttpError, Invalid, OutcomeUnknown, TooLarge, UnsupportedMediaType } from '../errors/errors';
import type { StoredFile } from '../files/files';
import type { Upload } from '../files/upload';
import { assertAccepted } from '../records/write/input';
import type { RowPurpose } from './match-rows';
import type { RowInput } from './read-records';

/** A file of a row that its record gets, as the record keeps it. */
interface RowFile {
  readonly field: string;
  readonly file: StoredFile;
}

/** A file of a row that is not taken, and the reason as a sentence. */
export interface LeftOutFile {
  readonly name: string;
  readonly reason: string;
}

/** The files that came with a row. */
export interface RowFiles {
  readonly files: readonly RowFile[];
  readonly leftOut: readonly LeftOutFile[];
}

/** The properties of a file that a preview shows. */
export type PreviewFile = Pick<NamedFile, 'name' | 'size'>;

const maxShownName = 150;

/** The files of rows as an import would take them; nothing is stored, so their keys are of nothing. */
export async function inspectFiles(
  context: RequestContext,
  definition: Definition,
  part: readonly JoinedRow[],
): Promise<RowFiles[]> {
  const rowFilesList: RowFiles[] = [];
  for (const row of part) {
    const files: RowFile[] = [];
    const leftOut = await eachFile({ context, definition }, row, async (field, { name, size, type }) => {
      files.push({ field: field.name, file: { name, size, type, key: `preview ${randomUUID()}` } });
    });
    rowFilesList.push({ files, leftOut });
  }
  return rowFilesList;
}

/**
 * The purposes of rows with their files: a new record gets them, one that exists gets those besides its own. A file
 * with the name and the size of one that the record has is that file.
 */
export function addFiles(
  definition: Definition,
  purposes: readonly RowPurpose[],
  rowFilesList: readonly RowFiles[],
): RowPurpose[] {
  return purposes.map((purpose, index): RowPurpose => {
    const { files } = rowFilesList[index]!;
    if (purpose.kind === 'refused' || files.length === 0) return purpose;
    const values = { ...purpose.input.values };
    for (const field of Object.values(definition.fields).filter(isFiles)) {
      const storedFiles = purpose.kind === 'change' ? filesIn<StoredFile>(purpose.stored[field.name]) : [];
      const newFiles = files.flatMap((rowFile) =>
        rowFile.field === field.name && !hasFile(storedFiles, rowFile.file) ? [rowFile.file] : [],
      );
      if (newFiles.length > 0) values[field.name] = [...storedFiles, ...newFiles];
    }
    return { ...purpose, input: { ...purpose.input, values } };
  });
}

/** Those files of a row that its record does not have yet. */
export function addedFiles(purpose: RowPurpose, { files }: RowFiles): readonly PreviewFile[] {
  if (purpose.kind === 'refused') return [];
  const storedFilesOf = (field: string) => (purpose.kind === 'change' ? filesIn(purpose.stored[field]) : []);
  return files.flatMap(({ field, file }) => (hasFile(storedFilesOf(field), file) ? [] : [file]));
}

const hasErrors = (errors: FieldErrors) => Object.keys(errors).length > 0;

const hasFile = (storedFiles: readonly PreviewFile[], { name, size }: PreviewFile) =>
  storedFiles.some((file) => file.name === name && file.size === size);

/** The files of some rows in the storage, before the transaction that stores their records. */
export interface FilesOfPart {
  /** By row: the errors of files that the storage refused. */
  readonly errors: readonly FieldErrors[];
  readonly found: readonly RowFiles[];
  /** Deletes the files that no record has: all of them, or those without the keys that are kept. */
  discard(kept?: ReadonlySet<string>): Promise<void>;
}

/**
 * Stores the files of rows that shall become records or change some, unless a record has them already (`purposes`: what
 * the rows are for, as far as it is known). A row whose file is refused by a quota or a scanner gets an error.
 */
export async function storeFiles(
  scope: RecordScope,
  company: number | null,
  part: readonly JoinedRow[],
  inputs: readonly RowInput[],
  purposes: readonly RowPurpose[],
): Promise<FilesOfPart> {
  const { context, definition } = scope;
  const { files: storage } = context.program;
  const keys: string[] = [];
  const discard: FilesOfPart['discard'] = (usedKeys = new Set()) =>
    storage.remove(keys.filter((key) => !usedKeys.has(key)));
  const person = realUser(context.actor).id;
  const rowFilesList: RowFiles[] = [];
  const refusals: FieldErrors[] = [];
  try {
    for (const [index, row] of part.entries()) {
      const purpose = purposes[index]!;
      const files: RowFile[] = [];
      const errors: FieldErrors = {};
      const leftOut = await eachFile(scope, row, async (field, upload) => {
        if (purpose.kind === 'refused' || [errors, inputs[index]!.errors].some(hasErrors)) return;
        if (purpose.kind === 'change' && hasFile(filesIn(purpose.stored[field.name]), upload)) return;
        try {
          const owner = { resource: definition.name, field: field.name, person, company };
          const file = await storage.store(upload, upload.type, owner);
          keys.push(file.key);
          files.push({ field: field.name, file });
        } catch (error) {
          if (!isRefusal(error)) throw error;
          errors[field.name] = `“${upload.name}”: ${reasonOf(error)}`;
        }
      });
      rowFilesList.push({ files, leftOut });
      refusals.push(errors);
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return { errors: refusals, found: rowFilesList, discard };
}

/** Runs what stores the records of a part; if that fails, no file stays. Returns its result. */
export async function discardingFiles<Result>({ discard }: FilesOfPart, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    // If it is unknown whether the records were saved, the sweep deletes what they do not have.
    if (!(error instanceof OutcomeUnknown)) await discard();
    throw error;
  }
}

/** The keys of the files that purposes give to their records. */
export function keysIn(definition: Definition, purposes: readonly RowPurpose[]): readonly string[] {
  const fields = Object.values(definition.fields).filter(isFiles);
  return purposes.flatMap((purpose) =>
    purpose.kind === 'refused'
      ? []
      : fields.flatMap(({ name }) => filesIn<StoredFile>(purpose.input.values[name]).map(({ key }) => key)),
  );
}

/** Hands out the files of a row that its fields take, one by one, each on disk until it was used; returns the others. */
async function eachFile(
  { context, definition }: RecordScope,
  row: JoinedRow,
  use: (field: FieldOf<'files'>, upload: Upload) => Promise<void>,
): Promise<LeftOutFile[]> {
  const leftOut: LeftOutFile[] = [];
  const counts = new Map<string, number>();
  for (const enclosed of row.rows.flatMap(({ files = [] }) => files)) {
    const field = definition.fields[enclosed.field];
    if (!field || !isFiles(field)) throw new Error(`${definition.name} has no files in ${enclosed.field}.`);
    const refuse = (name: string, reason: string) => leftOut.push({ name: name.slice(0, maxShownName), reason });
    if (!('base64' in enclosed)) {
      refuse(enclosed.name, enclosed.reason);
      continue;
    }
    if (!grantedFields(context.actor, definition, 'create').has(field.name)) {
      refuse(enclosed.name, `You don't have permission to set ${field.label}.`);
      continue;
    }
    const count = (counts.get(field.name) ?? 0) + 1;
    if (count > field.maxItems) {
      refuse(enclosed.name, `${field.label} has at most ${field.maxItems} files.`);
      continue;
    }
    const upload = await receive(context, enclosed);
    try {
      assertAccepted(field, upload);
      counts.set(field.name, count);
      await use(field, upload);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refuse(upload.name, reasonOf(error));
    } finally {
      await upload.deleteFile();
    }
  }
  return leftOut;
}

function receive(
  { program: { files } }: RequestContext,
  { name, base64 }: EnclosedFile & { readonly base64: string },
): Promise<Upload> {
  const bytes = Buffer.from(base64, 'base64');
  return files.temporary.receive(name, Readable.from([bytes]), bytes.length);
}

/** Whether a file alone is the reason: its size or kind, a quota, or a scanner. */
const isRefusal = (error: unknown): error is HttpError =>
  error instanceof Invalid || error instanceof TooLarge || error instanceof UnsupportedMediaType;

const reasonOf = (error: HttpError): string =>
  error instanceof Invalid ? (Object.values(error.errors)[0] ?? error.message) : error.message;

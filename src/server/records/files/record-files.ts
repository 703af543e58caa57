import { sql } from 'kysely';
import { authorOf, realUser } from '../../../engine/access/actor';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { isFiles } from '../../../engine/field-types/files';
import { fileFields, fileKeyOf, filesIn, type FileValue } from '../../../engine/field-types/stored-files';
import type { FieldErrors } from '../../../engine/validation/validate-values';
import type { RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import type { Transaction } from '../../database/database';
import { OutcomeUnknown, NotFound, Forbidden } from '../../errors/errors';
import type { Program } from '../../program';
import type { StoredFile } from '../../files/files';
import { Upload } from '../../files/upload';
import type { RecordWrite, TransactionWrite, Write } from '../write/record-write';
import { FileReference, isValid, parseInput, takesUpload, type Body, type Input } from '../write/input';
import { readRecord } from '../read/read';
import { recordCompany } from '../write/references';

/**
 * Stores the files of a body, and copies those of the record that a new one is copied from, before `run` starts: a call
 * with an `Idempotency-Key` is one transaction, which must not wait for the file storage. Files that no record uses in
 * the end are removed.
 */
export async function withStoredFiles<T>(
  scope: RecordScope,
  body: Body,
  kind: 'create' | 'update',
  run: (body: Body) => Promise<T>,
): Promise<T> {
  const { context, definition } = scope;
  if (fileFields(definition).length === 0) return run(body);
  const input = parseInput(definition, body);
  if (!isValid(input)) return run(body);
  const { values, kept: keptFields } = input;
  const readyValues = kind === 'create' ? await copyFiles(scope, values, keptFields) : values;
  const uploads = Object.entries(readyValues).filter(([, value]) => uploadsIn(value).length > 0);
  try {
    const completeBody = { ...body, values: { ...body.values, ...Object.fromEntries(uploads) } };
    return await withStoredUploads(context, [{ definition, values: readyValues }], () => run(completeBody));
  } finally {
    await discardCopies(values, readyValues);
  }
}

/** The received files in a value: one, or some of a list. */
function uploadsIn(value: unknown): readonly Upload[] {
  return [value].flat().filter((item) => item instanceof Upload);
}

/**
 * Copies the files of an original record into new ones, if the values name the original and the caller may see it: the
 * pictures of the named fields, and what lists refer to. Others are left out.
 */
export async function copyFiles(
  scope: RecordScope,
  values: ResourceRecord,
  names: readonly string[],
): Promise<ResourceRecord> {
  const { context, definition } = scope;
  const original = definition.copy?.originalField === undefined ? undefined : values[definition.copy.originalField];
  if (typeof original !== 'number' || (names.length === 0 && !hasFileReferences(definition, values))) return values;
  const record = (await readRecord(scope, original).catch((error: unknown) => {
    if (error instanceof NotFound || error instanceof Forbidden) return {};
    throw error;
  })) as ResourceRecord;
  const { files } = context.program;
  const copyOf = async (file: FileValue | undefined) => {
    const content = file && (await files.open(fileKeyOf(file.url)));
    return content && files.temporary.receive(file.name, content, file.size);
  };
  const copiedValues = { ...values };
  for (const name of names) {
    const copy = await copyOf(filesIn(record[name])[0]);
    if (copy) copiedValues[name] = copy;
  }
  for (const { name } of fileFields(definition)) {
    const list = values[name];
    if (!Array.isArray(list)) continue;
    const originalFiles = new Map(filesIn(record[name]).map((file) => [fileKeyOf(file.url), file]));
    const copies: unknown[] = [];
    for (const item of list as unknown[])
      copies.push((item instanceof FileReference && (await copyOf(originalFiles.get(item.key)))) || item);
    copiedValues[name] = copies;
  }
  return copiedValues;
}

/** Whether values refer to files that were stored before. */
export function hasFileReferences(definition: Definition, values: Readonly<ResourceRecord>): boolean {
  return fileFields(definition).some(({ name }) => [values[name]].flat().some((item) => item instanceof FileReference));
}

/**
 * Replaces references to files by what is stored of them: those of the record before, and those that the caller uploaded
 * for it (`POST r/files/{field}`) and that still wait for a record. Others are errors. They are locked until the record
 * is stored (`claimFiles`); each goes to one record of a batch.
 */
export async function resolveFiles(
  { context, definition, trx, batch }: Write,
  input: Input,
  storedRecord: Readonly<ResourceRecord>,
): Promise<Input> {
  if (!hasFileReferences(definition, input.values)) return input;
  if (!trx) throw new Error(`Files of ${definition.name} are claimed outside of a transaction.`);
  const values = { ...input.values };
  const errors: FieldErrors = { ...input.errors };
  for (const { name: field, label } of fileFields(definition)) {
    const list = values[field];
    if (!Array.isArray(list)) continue;
    const availableFiles = new Map(filesIn<StoredFile>(storedRecord[field]).map((file) => [file.key, file]));
    const requestedKeys = (list as unknown[]).flatMap((item) =>
      item instanceof FileReference && !availableFiles.has(item.key) && !batch?.takenFiles.has(item.key)
        ? item.key
        : [],
    );
    if (requestedKeys.length > 0) {
      const { rows } = await sql<StoredFile>`select name, size, type, key from assay.files
        where key = any(${requestedKeys}::text[]) and is_waiting and resource = ${definition.name} and field = ${field}
          and user_id = ${realUser(context.actor).id}
        order by key for update`.execute(trx);
      for (const file of rows) {
        availableFiles.set(file.key, file);
        batch?.takenFiles.add(file.key);
      }
    }
    const missingFile = (list as unknown[]).find(
      (item) => item instanceof FileReference && !availableFiles.has(item.key),
    );
    if (missingFile)
      errors[field] = `${label}: “${(missingFile as FileReference).name}” is no longer there. Add it again.`;
    values[field] = (list as unknown[]).flatMap((item) =>
      item instanceof FileReference ? (availableFiles.get(item.key) ?? []) : [item],
    );
  }
  return { ...input, values, errors };
}

/**
 * Makes the files that waited for a record those of the records that are stored now: nobody can use them a second time.
 * Files of a record that was refused go on waiting.
 */
export async function claimFiles(
  { context, definition, trx }: TransactionWrite,
  records: readonly RecordWrite[],
): Promise<void> {
  const fields = fileFields(definition).filter(isFiles);
  const claims = records.flatMap(({ sent, before = {}, values }) =>
    fields.flatMap(({ name }) => {
      if (!hasFileReferences(definition, sent.values)) return [];
      const previousKeys = new Set(filesIn<StoredFile>(before[name]).map(({ key }) => key));
      return filesIn<StoredFile>(values[name]).flatMap(({ key }) =>
        previousKeys.has(key) ? [] : { key, company: recordCompany(definition, values) },
      );
    }),
  );
  if (claims.length === 0) return;
  await sql`update assay.files f set is_waiting = false, created_at = now(), site_id = coalesce(f.site_id, c.company)
    from unnest(${claims.map(({ key }) => key)}::text[], ${claims.map(({ company }) => company)}::bigint[]) c (key, company)
    where f.key = c.key and f.is_waiting and f.resource = ${definition.name}
      and f.user_id = ${realUser(context.actor).id}`.execute(trx);
}

/** Values that were sent for a record, without files of its row that others have removed from the row meanwhile. */
export function withoutRemovedFiles(
  definition: Definition,
  values: Readonly<ResourceRecord>,
  firstRow: Readonly<ResourceRecord>,
  row: Readonly<ResourceRecord>,
): ResourceRecord {
  const completeValues = { ...values };
  for (const { name } of fileFields(definition).filter(isFiles)) {
    if (!Array.isArray(values[name])) continue;
    const keysOf = (list: unknown) => filesIn<StoredFile>(list).map(({ key }) => key);
    const presentKeys = keysOf(row[name]);
    const removedKeys = new Set(keysOf(firstRow[name]).filter((key) => !presentKeys.includes(key)));
    // A reference is what the caller has seen: it is refused instead.
    completeValues[name] = (values[name] as unknown[]).filter(
      (item) =>
        item instanceof FileReference ||
        item instanceof Upload ||
        !removedKeys.has((item as StoredFile | null)?.key ?? ''),
    );
  }
  return completeValues;
}

/** Deletes the temporary files of `copyFiles` once they are stored. */
export async function discardCopies(
  sentValues: Readonly<ResourceRecord>,
  copiedValues: Readonly<ResourceRecord>,
): Promise<void> {
  for (const [name, value] of Object.entries(copiedValues)) {
    const received = uploadsIn(sentValues[name]);
    for (const upload of uploadsIn(value)) if (!received.includes(upload)) await upload.deleteFile();
  }
}

/** The values of a record that may contain files. */
export interface RecordUploads {
  readonly definition: Definition;
  readonly values: Readonly<ResourceRecord>;
}

/**
 * Stores the files among the values, then runs `run`, which saves the record; if that fails, the files are deleted
 * again. They are stored before any transaction starts, so that none waits for the storage, or for a second connection.
 * If it is unknown whether the record was saved, they stay: the sweep deletes them if not.
 *
 * @example await withStoredUploads(context, [{ definition: deals, values: { papers: uploads } }], () => store(uploads));
 */
export async function withStoredUploads<T>(
  { program: { files }, actor }: RequestContext,
  recordUploads: readonly RecordUploads[],
  run: () => Promise<T>,
): Promise<T> {
  const storedUploads: Upload[] = [];
  try {
    for (const { definition, values } of recordUploads) {
      for (const field of fileFields(definition)) {
        for (const upload of uploadsIn(values[field.name])) {
          // A file with a key was already stored before the call's transaction started.
          if (!takesUpload(field, upload) || upload.key) continue;
          const company = actor.site_id ?? (typeof values.site_id === 'number' ? values.site_id : null);
          const person = authorOf(realUser(actor)) ?? undefined;
          const owner = { resource: definition.name, field: field.name, person, company };
          const { key } = await files.store(upload, upload.type, owner);
          upload.key = key;
          upload.isReferenced = false;
          storedUploads.push(upload);
        }
      }
    }
    const outcome = await run();
    // Files of fields that were not saved are deleted.
    await files.remove(storedUploads.flatMap(({ key, isReferenced }) => (key && !isReferenced ? [key] : [])));
    return outcome;
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw error;
    await files.remove(storedUploads.flatMap(({ key }) => key ?? []));
    throw error;
  }
}

/** Replaces stored files in the values with what is saved in the record. */
export function replaceUploads(definition: Definition, values: ResourceRecord): ResourceRecord {
  const completeValues = { ...values };
  for (const field of fileFields(definition)) {
    const value = values[field.name];
    if (uploadsIn(value).length === 0) continue;
    const toStored = (item: unknown): unknown => {
      if (!(item instanceof Upload)) return item;
      const { name, size, type, key } = item;
      if (!key) throw new Error(`A file of ${definition.name}.${field.name} was not stored before its record.`);
      item.isReferenced = true;
      return { name, size, type, key } satisfies StoredFile;
    };
    completeValues[field.name] = isFiles(field) ? [value].flat().map(toStored) : toStored(value);
  }
  return completeValues;
}

/**
 * Deletes the files of a row after the transaction is committed. With `update`, only those of the named fields that its
 * values do not have any more.
 */
export function deleteFilesAfterCommit(
  { database, files }: Program,
  definition: Definition,
  row: ResourceRecord,
  trx: Transaction,
  update?: { readonly names: ReadonlySet<string>; readonly values: Readonly<ResourceRecord> },
): void {
  const keysOf = (value: unknown) => filesIn<StoredFile>(value).flatMap(({ key }) => key ?? []);
  const keys = fileFields(definition)
    .filter(({ name }) => !update || update.names.has(name))
    .flatMap(({ name }) => {
      const keptKeys = update ? keysOf(update.values[name]) : [];
      return keysOf(row[name]).filter((key) => !keptKeys.includes(key));
    });
  if (keys.length > 0) database.afterCommit(trx, () => void files.remove(keys));
}

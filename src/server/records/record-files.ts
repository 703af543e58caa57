import { realUser } from '../../engine/access/actor';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { isStoredImage, imageFields } from '../../engine/field-types/image';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { OutcomeUnknown, NotFound, Forbidden } from '../errors/errors';
import type { Program } from '../program';
import type { StoredFile } from '../files/files';
import { Upload } from '../files/upload';
import { isValid, parseInput, type Body } from './input';
import { readRecord } from './read';
import { keyInUrl } from '../files/signed-url';

/**
 * Stores the files of a body, and copies those of the record that a new one is copied from, before `run` starts: a call
 * with an `Idempotency-Key` is one transaction, which must not wait for the file storage. Files that no record uses in
 * the end are removed.
 */
export async function withStoredFiles<T>(
  context: RequestContext,
  definition: Definition,
  body: Body,
  kind: 'create' | 'update',
  run: (body: Body) => Promise<T>,
): Promise<T> {
  if (imageFields(definition).length === 0) return run(body);
  const input = parseInput(definition, body);
  if (!isValid(input)) return run(body);
  const { values, kept } = input;
  const readyValues = kind === 'create' ? await copyPictures(context, definition, values, kept) : values;
  const uploads = Object.entries(readyValues).filter(([, value]) => value instanceof Upload);
  try {
    const completeBody = { ...body, values: { ...body.values, ...Object.fromEntries(uploads) } };
    return await withStoredUploads(context, [{ definition, values: readyValues }], () => run(completeBody));
  } finally {
    await discardCopies(values, readyValues);
  }
}

/**
 * Copies the pictures of an original record into new files: those of the named fields, if the values name the original
 * and the caller may see it. Others are left out.
 */
export async function copyPictures(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  names: readonly string[],
): Promise<ResourceRecord> {
  const original = definition.copy?.keeps === undefined ? undefined : values[definition.copy.keeps];
  if (typeof original !== 'number' || names.length === 0) return values;
  const record = await readRecord(context, definition, original).catch((error: unknown) => {
    if (error instanceof NotFound || error instanceof Forbidden) return {};
    throw error;
  });
  const copied = { ...values };
  for (const name of names) {
    const picture = (record as ResourceRecord)[name];
    const content = isStoredImage(picture) ? await context.program.files.open(keyInUrl(picture.url)) : undefined;
    if (!isStoredImage(picture) || !content) continue;
    copied[name] = await context.program.files.temporary.receive(picture.name, content, picture.size);
  }
  return copied;
}

/** Deletes the temporary files of `copyPictures` once they are stored. */
export async function discardCopies(sent: Readonly<ResourceRecord>, copied: Readonly<ResourceRecord>): Promise<void> {
  for (const [name, value] of Object.entries(copied)) {
    if (value instanceof Upload && sent[name] !== value) await value.deleteFile();
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
 */
export async function withStoredUploads<T>(
  { program: { files }, actor }: RequestContext,
  sent: readonly RecordUploads[],
  run: () => Promise<T>,
): Promise<T> {
  const stored: Upload[] = [];
  try {
    for (const { definition, values } of sent) {
      for (const { name: field } of imageFields(definition)) {
        const upload = values[field];
        // A file with a key was already stored before the call's transaction started.
        if (!(upload instanceof Upload) || !upload.picture || upload.key) continue;
        const company = actor.site_id ?? (typeof values.site_id === 'number' ? values.site_id : null);
        const owner = { resource: definition.name, field, person: realUser(actor).id, company };
        const { key } = await files.store(upload, upload.picture.type, owner);
        upload.key = key;
        upload.isReferenced = false;
        stored.push(upload);
      }
    }
    const outcome = await run();
    // Files of fields that were not saved are deleted.
    await files.remove(stored.flatMap(({ key, isReferenced }) => (key && !isReferenced ? [key] : [])));
    return outcome;
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw error;
    await files.remove(stored.flatMap(({ key }) => key ?? []));
    throw error;
  }
}

/** Replaces stored files in the values with what is saved in the record. */
export function replaceUploads(definition: Definition, values: ResourceRecord): ResourceRecord {
  const whole = { ...values };
  for (const { name: field } of imageFields(definition)) {
    const upload = values[field];
    if (!(upload instanceof Upload)) continue;
    if (!upload.key) throw new Error(`The file of ${definition.name}.${field} was not stored before its record.`);
    upload.isReferenced = true;
    whole[field] = { name: upload.name, size: upload.size, type: upload.picture!.type, key: upload.key };
  }
  return whole;
}

/** Deletes the files of a row after the transaction is committed; only those of the named fields if given. */
export function deleteFilesAfterCommit(
  { database, files }: Program,
  definition: Definition,
  row: ResourceRecord,
  trx: Transaction,
  names?: ReadonlySet<string>,
): void {
  const keys = imageFields(definition)
    .filter(({ name }) => !names || names.has(name))
    .flatMap(({ name }) => (row[name] as StoredFile | null)?.key ?? []);
  if (keys.length > 0) database.afterCommit(trx, () => void files.remove(keys));
}

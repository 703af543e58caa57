import { realUser } from '../../engine/access/actor';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { imageTypeMessage, isImage } from '../../engine/field-types/image';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import type { ColumnWriters } from '../database/json-rows';
import { OutcomeUnknown, UnsupportedMediaType } from '../errors/errors';
import type { Program } from '../program';
import type { StoredFile } from '../files/files';
import { Upload } from '../files/upload';

/** The file fields of a definition. */
export function fileFields(definition: Definition): Field[] {
  return Object.values(definition.fields).filter(isImage);
}

/** Checks a received file by its content. Throws UnsupportedMediaType if it is not a picture. */
export function assertPicture(field: Field, upload: Upload): void {
  if (!upload.picture) throw new UnsupportedMediaType(imageTypeMessage(field.label));
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
      for (const { name: field } of fileFields(definition)) {
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
  for (const { name: field } of fileFields(definition)) {
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
  const keys = fileFields(definition)
    .filter(({ name }) => !names || names.has(name))
    .flatMap(({ name }) => (row[name] as StoredFile | null)?.key ?? []);
  if (keys.length > 0) database.afterCommit(trx, () => void files.remove(keys));
}

/** Formats files as JSON with their URLs, for rows that are never parsed: by field, from the text of its column. */
export function fileWriters({ files }: Program, definition: Definition): ColumnWriters {
  const address = (text: string) => JSON.stringify(withFileUrl(files, JSON.parse(text) as StoredFile | null));
  return Object.fromEntries(fileFields(definition).map(({ name }) => [name, address]));
}

function withFileUrl(files: Program['files'], stored: StoredFile | null | undefined): unknown {
  if (!stored?.key) return stored;
  const { key, name, size, type } = stored;
  return { name, size, type, url: files.signedUrl(key) };
}

/** Replaces keys of files with their URLs. */
export function addFileUrls({ files }: Program, definition: Definition, records: readonly ResourceRecord[]): void {
  for (const { name: field } of fileFields(definition)) {
    for (const record of records) {
      if (field in record) record[field] = withFileUrl(files, record[field] as StoredFile | null | undefined);
    }
  }
}

import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { imageTypeMessage } from '../../engine/field-types/image';
import type { Transaction } from '../database/database';
import { UnsupportedType } from '../errors/errors';
import type { Program } from '../program';
import type { StoredFile } from './files';
import { pictureContent } from './picture';
import { Upload } from './upload';

/** The fields that keep a file. */
export function fileFields(definition: Definition): Field[] {
  return Object.values(definition.fields).filter(({ type }) => type === 'image');
}

/** Checks what was sent for a field by its content. Throws UnsupportedType for what is no picture. */
export function mustBePicture(field: Field, upload: Upload): void {
  if (!pictureContent(upload.bytes())) throw new UnsupportedType(imageTypeMessage(field.label));
}

/** Stores the files among the values, and answers the values with what is kept of them in the record. */
export async function storeUploads(
  { files }: Program,
  definition: Definition,
  values: ResourceRecord,
): Promise<ResourceRecord> {
  const stored = { ...values };
  for (const field of fileFields(definition)) {
    const value = values[field.name];
    if (!(value instanceof Upload)) continue;
    const owner = { resource: definition.name, field: field.name };
    const { key, name, size, type } = await files.store(value, pictureContent(value.bytes())!.type, owner);
    value.key = key;
    stored[field.name] = { name, size, type, key };
  }
  return stored;
}

/** Runs what stores a record; where it fails, the files that came with it are removed again. */
export async function withUploads<T>({ files }: Program, values: ResourceRecord, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const keys = Object.values(values).flatMap((value) => (value instanceof Upload && value.key ? [value.key] : []));
    await files.remove(keys);
    throw error;
  }
}

/** Once the transaction is committed, removes the files of a row; of the named fields alone where some are given. */
export function dropFiles(
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

/** Puts addresses in the place of keys. */
export function addressFiles({ files }: Program, definition: Definition, records: readonly ResourceRecord[]): void {
  for (const { name: field } of fileFields(definition)) {
    for (const record of records) {
      const stored = record[field] as StoredFile | null | undefined;
      if (!stored?.key) continue;
      const { key, name, size, type } = stored;
      record[field] = { name, size, type, url: files.addressOf(key) };
    }
  }
}

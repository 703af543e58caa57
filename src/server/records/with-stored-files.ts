import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import { fileFields, withStoredUploads } from './record-files';
import { Upload } from '../files/upload';
import { isValid, parseInput, type Body } from './input';
import { readRecord } from './read';
import { isStoredImage } from '../../engine/field-types/image';
import { NotFound, Forbidden } from '../errors/errors';
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
  if (fileFields(definition).length === 0) return run(body);
  const input = parseInput(definition, body);
  if (!isValid(input)) return run(body);
  const { values, kept } = input;
  const readyValues = kind === 'create' ? await copyPictures(context, definition, values, kept, readRecord) : values;
  const uploads = Object.entries(readyValues).filter(([, value]) => value instanceof Upload);
  try {
    const completeBody = { ...body, values: { ...body.values, ...Object.fromEntries(uploads) } };
    return await withStoredUploads(context, [{ definition, values: readyValues }], () => run(completeBody));
  } finally {
    await discardCopies(values, readyValues);
  }
}

/** Reads a record with the caller's permissions. */
type ReadRecord = (context: RequestContext, definition: Definition, id: number) => Promise<ResourceRecord>;

/**
 * Copies the pictures of an original record into new files: those of the named fields, if the values name the original
 * and the caller may see it. Others are left out.
 */
export async function copyPictures(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  names: readonly string[],
  read: ReadRecord,
): Promise<ResourceRecord> {
  const original = definition.copy?.keeps === undefined ? undefined : values[definition.copy.keeps];
  if (typeof original !== 'number' || names.length === 0) return values;
  const record = await read(context, definition, original).catch((error: unknown) => {
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

import type { Definition } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import { copyPictures, discardCopies } from './copy-pictures';
import { fileFields, withStoredUploads } from './record-files';
import { Upload } from '../files/upload';
import { isValid, parseInput, type Body } from './input';
import { readRecord } from './read';

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

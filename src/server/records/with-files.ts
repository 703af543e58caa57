import type { Definition } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import { copyPictures, discardCopies } from '../files/copy-pictures';
import { fileFields, withUploads } from '../files/record-files';
import { Upload } from '../files/upload';
import { isSound, readInput, type Body } from './input';
import { readRecord } from './read';

/**
 * Stores the files of a body, and copies those of the original that a new record is a copy of, before `run` begins: a call
 * with an `Idempotency-Key` is one transaction, which is not to wait for the storage. What no record comes to keep is
 * removed again.
 */
export async function withFiles<T>(
  context: RequestContext,
  definition: Definition,
  body: Body,
  kind: 'create' | 'update',
  run: (body: Body) => Promise<T>,
): Promise<T> {
  if (fileFields(definition).length === 0) return run(body);
  const input = readInput(definition, body);
  if (!isSound(input)) return run(body);
  const { values, kept } = input;
  const ready = kind === 'create' ? await copyPictures(context, definition, values, kept, readRecord) : values;
  const uploads = Object.entries(ready).filter(([, value]) => value instanceof Upload);
  try {
    const whole = { ...body, values: { ...body.values, ...Object.fromEntries(uploads) } };
    return await withUploads(context, [{ definition, values: ready }], () => run(whole));
  } finally {
    await discardCopies(values, ready);
  }
}

import { Readable } from 'node:stream';
import type { Files, StoredFile } from '../files/files';

/** Stores a generated file, which does not count towards any quota. */
export async function storeGeneratedFile(
  files: Files,
  name: string,
  bytes: Uint8Array,
  type: string,
  owner: { resource: string; field: string },
): Promise<StoredFile> {
  const upload = await files.temporary.receive(name, Readable.from([bytes]), bytes.length);
  try {
    return await files.store(upload, type, owner);
  } finally {
    await upload.deleteFile();
  }
}

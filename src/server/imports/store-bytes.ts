import { Readable } from 'node:stream';
import type { Files, StoredFile } from '../files/files';

/** Stores a file that was made here, at nobody's charge. */
export async function storeBytes(
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
    await upload.discard();
  }
}

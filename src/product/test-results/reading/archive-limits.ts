import { UnreadableResults } from './parsed-test';

/** The maximum size of an unpacked archive in bytes, and its maximum number of files. */
export const maxUnpacked = 500 * 1024 * 1024;
export const maxArchiveFiles = 300_000;
const maxRatio = 200;
const alwaysAllowed = 1024 * 1024;

/**
 * Throws UnreadableResults for an entry that is far larger than its packed form, and if no bytes are left for it; answers
 * how many are left.
 */
export function assertUnpackedSize(
  left: number,
  entry?: { readonly uncompressedSize: number; readonly compressedSize: number },
): number {
  const isBomb = entry && entry.uncompressedSize > Math.max(alwaysAllowed, entry.compressedSize * maxRatio);
  if (left < 0 || isBomb) throw new UnreadableResults('The archive is far larger unpacked than results of tests are.');
  return left;
}

/** Returns the result of reading an archive. Throws UnreadableResults if it fails. */
export async function assertWhole<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnreadableResults) throw error;
    throw new UnreadableResults('The archive is not complete. Expected a .zip with reports of tests.');
  }
}

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBucket } from '../../support/s3';

/** A place for files, with what a test sees of it past the program. */
export interface Storage {
  /** The settings that name it. */
  readonly env: Readonly<Record<string, string>>;
  /** The keys that lie in it. */
  stored(): string[];
  /** Takes a file away. */
  lose(key: string): void;
  close(): unknown;
}

/** The data folder, and a bucket. */
export const storages: readonly (readonly [name: string, open: () => Promise<Storage>])[] = [
  ['the data folder', openFolder],
  ['a bucket', openBucketStorage],
];

async function openFolder(): Promise<Storage> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-files-'));
  const files = join(folder, 'files');
  return {
    env: { DATA_DIR: folder },
    stored() {
      try {
        return readdirSync(files).sort();
      } catch {
        return [];
      }
    },
    lose: (key) => rmSync(join(files, key)),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function openBucketStorage(): Promise<Storage> {
  const { env, objects, close } = await openBucket();
  return {
    env,
    stored: () => [...objects.keys()].sort(),
    lose: (key) => objects.delete(key),
    close,
  };
}

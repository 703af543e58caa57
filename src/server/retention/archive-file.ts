import { createReadStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';

const compress = promisify(gzip);

/** A growing file of gzipped JSON lines: `zcat` reads all of it. */
export interface ArchiveFile {
  /** Appends lines, and resolves once they are on disk. An incomplete write is undone. */
  append(lines: readonly string[]): Promise<void>;
}

/**
 * Opens today's file of a kind in a folder, which is created if missing: `history-2030-01-31.jsonl.gz`. A file with a
 * truncated end, because a server was killed while writing, is left as it is, and another one with a number is used.
 */
export async function openArchiveFile(folder: string, kind: string, now = new Date()): Promise<ArchiveFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = await usablePath(folder, `${kind}-${now.toISOString().slice(0, 10)}`);
  return {
    async append(lines) {
      const compressed = await compress(lines.map((line) => `${line}\n`).join(''));
      const file = await open(path, 'a', 0o600);
      try {
        const { size } = await file.stat();
        try {
          await file.appendFile(compressed);
          await file.sync();
        } catch (error) {
          await file.truncate(size).catch(() => undefined);
          throw error;
        }
      } finally {
        await file.close();
      }
      await syncFolder(folder);
    },
  };
}

async function usablePath(folder: string, name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.jsonl.gz`);
    if (await isUsable(path)) return path;
  }
}

/** Whether the file does not exist yet or can be read to its end. */
async function isUsable(path: string): Promise<boolean> {
  const fileStats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!fileStats || fileStats.size === 0) return true;
  const discardStream = new Writable({ write: (_chunk, _encoding, callback) => callback() });
  try {
    await pipeline(createReadStream(path), createGunzip(), discardStream);
    return true;
  } catch (error) {
    if (String((error as NodeJS.ErrnoException).code).startsWith('Z_')) return false;
    throw error;
  }
}

/** The name of a new file is on disk only once its folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

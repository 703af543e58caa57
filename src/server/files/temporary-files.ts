import { randomBytes } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TooLarge, Unavailable } from '../errors/errors';
import { formatByteSize } from '../limits/size-limits';
import { pictureHeaderLength, hasPictureHeader, readPictureInfo, type PictureInfo } from './picture';
import { readContentKind } from './content-kind';
import { Upload } from './upload';

/** Maximum size of pictures; larger files are not inspected. */
const maxPictureSize = 16 * 1024 * 1024;
/** Age in milliseconds after which files are leftovers: no request takes this long. */
const leftoverAge = 60 * 60_000;

/** Files that are being received, in a folder of the data folder until their request has ended. */
export interface TemporaryFiles {
  /** Writes a file to disk while it arrives. Throws TooLarge beyond `most` bytes, and leaves nothing behind. */
  receive(name: string, content: Readable, most: number): Promise<Upload>;
  /** A file that was written to a path of `newPath`, as one that was received. */
  adopt(name: string, path: string): Promise<Upload>;
  /** A path for a new temporary file. Its creator deletes it; files that were not written for an hour are swept. */
  newPath(): Promise<string>;
  /** Deletes files of processes that ended before they could. */
  sweep(): Promise<void>;
}

/** Opens the folder of temporary files, which is created with the first of them. */
export function openTemporaryFiles(dataDir: string): TemporaryFiles {
  const folder = join(dataDir, 'uploads');
  const newPath = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return join(folder, randomBytes(16).toString('hex'));
  };
  return {
    newPath,
    async receive(name, content, maxBytes) {
      const path = await newPath();
      let size = 0;
      const sizeLimiter = new Transform({
        transform(chunk: Buffer, _encoding, callback) {
          size += chunk.length;
          if (size > maxBytes)
            callback(new TooLarge(`This is too large: a file must have at most ${formatByteSize(maxBytes)}.`));
          else callback(null, chunk);
        },
      });
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
      try {
        await pipeline(content, sizeLimiter, file);
        return await inspect(name, size, path);
      } catch (error) {
        await closeFile(file);
        await rm(path, { force: true }).catch(() => undefined);
        throw diskFullError(error) ?? error;
      }
    },
    adopt: async (name, path) => inspect(name, (await stat(path)).size, path),
    async sweep() {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name);
        const fileStats = await stat(path).catch(() => undefined);
        if (fileStats?.isFile() && fileStats.mtimeMs < Date.now() - leftoverAge) await rm(path, { force: true });
      }
    },
  };
}

/**
 * Stops writing a file and resolves when it is closed: a file that is still being opened would be created again after
 * it was deleted.
 */
export async function closeFile(file: WriteStream): Promise<void> {
  file.destroy();
  if (!file.closed) await new Promise<void>((resolve) => file.once('close', () => resolve()));
}

/** The error for a full disk; undefined for any other error. */
export function diskFullError(error: unknown): Unavailable | undefined {
  const { code = '' } = (error ?? {}) as { code?: string };
  if (!['ENOSPC', 'EDQUOT'].includes(code)) return undefined;
  return new Unavailable('The server has no space left for files. Nothing was saved; please contact its operator.');
}

/** A file on disk, with what its content says it is. */
async function inspect(name: string, size: number, path: string): Promise<Upload> {
  const picture = await readPicture(path, size);
  return new Upload(name, size, path, await readContentKind(path, name, size, picture), picture);
}

/** Reads a file only if it begins like a picture. */
async function readPicture(path: string, size: number): Promise<PictureInfo | undefined> {
  if (size > maxPictureSize) return undefined;
  const file = await open(path);
  const start = Buffer.alloc(pictureHeaderLength);
  try {
    await file.read(start, 0, pictureHeaderLength, 0);
  } finally {
    await file.close();
  }
  return hasPictureHeader(start) ? readPictureInfo(await readFile(path)) : undefined;
}

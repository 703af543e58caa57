import { createReadStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { PictureInfo } from './picture';
import { lastOf } from '../../engine/values/lookups';

/**
 * A received file before it is stored: it is on disk until its request ends. To outlive the request, it must be stored
 * first (`files.store`) and read by its key.
 */
export class Upload {
  readonly name: string;
  /** The name of the form's part that it came as. */
  part?: string;
  /** Its key, once it is stored. */
  key?: string;
  /** Whether a record refers to that key. */
  isReferenced = false;

  constructor(
    name: string,
    /** Bytes. */
    readonly size: number,
    /** Its path on disk. */
    readonly path: string,
    /** Its type, by its content: `application/pdf`. */
    readonly type: string,
    /** Type and size, if it is a picture. */
    readonly picture?: PictureInfo,
  ) {
    this.name = cleanFileName(name);
  }

  open(): Readable {
    return createReadStream(this.path);
  }

  /** Reads all of it; its size is limited by the limit for receiving it. */
  bytes(): Promise<Uint8Array> {
    return readFile(this.path);
  }

  async deleteFile(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

const maxNameLength = 150;
/** The name of a file that comes without one. */
export const unnamedFile = 'file';

/** Removes folders and invisible characters from a name; a long name keeps its end. */
function cleanFileName(name: string): string {
  const plainName = lastOf(name.split(/[\\/]/))
    .replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '')
    .trim();
  return plainName.slice(-maxNameLength) || unnamedFile;
}

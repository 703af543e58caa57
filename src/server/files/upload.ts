import { createReadStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { PictureContent } from './picture';

/**
 * A file as it was sent, before it is stored: it lies on the disk for as long as its request is handled. What has to
 * outlive the request is stored first (`files.store`), and read back by its key.
 */
export class Upload {
  readonly name: string;
  /** The key under which it was stored, once it was. */
  key?: string;
  /** Whether a record names that key. */
  isKept = false;

  constructor(
    name: string,
    /** Bytes. */
    readonly size: number,
    /** Where it lies; whoever discards it removes it there. */
    readonly path: string,
    /** What its content says, where it is a picture. */
    readonly picture?: PictureContent,
  ) {
    this.name = plainName(name);
  }

  open(): Readable {
    return createReadStream(this.path);
  }

  /** All of it; its size is bounded by the limit that it was received under. */
  bytes(): Promise<Uint8Array> {
    return readFile(this.path);
  }

  async discard(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

const longest = 150;

/** The name without folders and what no file system shows; the end stays, where it is too long. */
function plainName(name: string): string {
  const plain = name
    .split(/[\\/]/)
    .at(-1)!
    .replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '')
    .trim();
  return plain.slice(-longest) || 'file';
}

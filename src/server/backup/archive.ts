import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack, type Pack } from 'tar-stream';

/** An archive that cannot be restored; the message for the operator says why. */
export class ArchiveError extends Error {}

/** The last entry, without which an archive is incomplete. */
const END = 'end.json';

/** Writes the entries of an archive, one after the other. */
export interface ArchiveWriter {
  /** Adds an entry from memory. */
  add(name: string, bytes: Uint8Array | string): Promise<void>;
  /** Adds an entry from a stream of exactly `size` bytes. Throws if the stream has another size. */
  addStream(name: string, size: number, content: Readable): Promise<void>;
}

/** An entry that is being read. It must be consumed before the next one. */
export interface ArchiveEntry {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

/**
 * Writes an archive (tar, gzip) to a temporary file and renames it once it is complete on disk, so that an incomplete
 * backup is never mistaken for a complete one. Only its owner can read it. The last entry is the checksum of all
 * others.
 */
export async function writeArchive(path: string, write: (archive: ArchiveWriter) => Promise<void>): Promise<void> {
  const draft = `${path}.part`;
  await rm(draft, { force: true });
  const tar = pack();
  const storing = pipeline(tar, createGzip({ level: 6 }), createWriteStream(draft, { mode: 0o600, flags: 'wx' }));
  // Errors of writing entries take precedence; this promise is awaited below.
  storing.catch(() => undefined);
  const hash = createHash('sha256');
  try {
    await Promise.race([write(createWriter(tar, hash)), storing.then(() => undefined)]);
    await writeEntry(tar, END, Buffer.from(JSON.stringify({ sha256: hash.digest('hex') })));
    tar.finalize();
    await storing;
    const handle = await open(draft, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    tar.destroy();
    await storing.catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}

function createWriter(tar: Pack, hash: Hash): ArchiveWriter {
  return {
    async add(name, content) {
      const bytes = Buffer.from(content);
      hash.update(`${name}\n${bytes.length}\n`).update(bytes);
      await writeEntry(tar, name, bytes);
    },
    async addStream(name, size, content) {
      hash.update(`${name}\n${size}\n`);
      let entry!: ReturnType<Pack['entry']>;
      const storing = new Promise<void>((resolve, fail) => {
        entry = tar.entry({ name, size }, (error) => (error ? fail(error) : resolve()));
      });
      storing.catch(() => undefined);
      for await (const chunk of content as AsyncIterable<Buffer>) {
        hash.update(chunk);
        if (!entry.write(chunk)) await once(entry, 'drain');
      }
      (entry as NodeJS.WritableStream).end();
      await storing;
    },
  };
}

function writeEntry(tar: Pack, name: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, fail) => {
    tar.entry({ name, size: bytes.length }, bytes, (error) => (error ? fail(error) : resolve()));
  });
}

/**
 * Reads an archive and passes on its entries in order. Throws an ArchiveError if it is not an archive of this kind, is
 * damaged or incomplete, which is certain only at the end.
 */
export async function readArchive(path: string, read: (entry: ArchiveEntry) => Promise<void>): Promise<void> {
  const hash = createHash('sha256');
  const source = createReadStream(path);
  const tar = extract();
  const flow = pipeline(source, createGunzip(), tar);
  flow.catch((error: Error) => tar.destroy(error));
  let expectedHash: string | undefined;
  try {
    for await (const entry of tar) {
      const { name, size = 0 } = entry.header;
      if (name === END) {
        expectedHash = (JSON.parse((await readAll(entry)).toString()) as { sha256: string }).sha256;
        continue;
      }
      hash.update(`${name}\n${size}\n`);
      const content = hashContent(entry as AsyncIterable<Buffer>, hash);
      await read({ name, size, content });
      // Unread content is part of the checksum too.
      for await (const _rest of content);
    }
    await flow;
  } catch (error) {
    source.destroy();
    if (isDamageError(error)) throw new ArchiveError(`${path} cannot be read: ${(error as Error).message}`);
    throw error;
  }
  if (expectedHash === undefined) throw new ArchiveError(`${path} is incomplete: its end is missing.`);
  if (expectedHash !== hash.digest('hex')) throw new ArchiveError(`${path} is damaged: its checksum does not match.`);
}

async function* hashContent(content: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Reads an entry that is known to be small. */
export async function readAll(content: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function isDamageError(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return /^Z_|^ERR_STREAM_PREMATURE|^ERR_STREAM_DESTROYED/.test(code) || /tar|header|Unexpected end/i.test(message);
}

import { connect } from 'node:net';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { Invalid, Unavailable } from '../errors/errors';

/** A received file, before anybody can see it. */
export interface ScannedFile {
  readonly name: string;
  /** By its content. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Its content, from the beginning. */
  open(): Readable;
}

/**
 * Looks into a file before it is stored: returns why it is refused (`it contains Eicar-Test-Signature`), undefined if it
 * is not. A scanner that fails refuses the file for now.
 */
export type FileScanner = (file: ScannedFile) => Promise<string | undefined>;

/**
 * Runs scanners one after another. Throws Invalid (at `field`) with the reason of the first that refuses the file, and
 * Unavailable if one does not answer: what could not be scanned is not stored.
 */
export async function scanFile(
  scanners: readonly FileScanner[],
  file: ScannedFile,
  field: string,
  log: Logger,
): Promise<void> {
  for (const scan of scanners) {
    let reason: string | undefined;
    try {
      reason = await scan(file);
    } catch (error) {
      log.error({ err: error }, 'The virus scanner did not answer');
      throw new Unavailable('Files cannot be scanned at the moment, so none is stored. Please try again later.');
    }
    if (reason === undefined) continue;
    log.warn({ field, reason }, 'The virus scanner refused a file');
    throw new Invalid({ [field]: `“${file.name}” was refused: ${reason}.` });
  }
}

/** Milliseconds without an answer after which a scanner counts as failed. */
const scanTimeout = 60_000;
/** The bytes of one part of a file on its way to the scanner. */
const partLength = 64 * 1024;

/**
 * A scanner that asks ClamAV's daemon over TCP, with its command `INSTREAM`.
 *
 * @example const scan = clamScanner({ host: 'clamav', port: 3310 });
 */
export function clamScanner({ host, port }: { host: string; port: number }): FileScanner {
  return async (file) => {
    const socket = connect({ host, port });
    socket.setTimeout(scanTimeout, () => socket.destroy(new Error('The scanner timed out.')));
    const answer = collect(socket);
    // It may answer, and close, before it has all of the file: its answer counts.
    answer.catch(() => undefined);
    try {
      await once(socket, 'connect');
      socket.write('zINSTREAM\0');
      for await (const chunk of file.open() as AsyncIterable<Buffer>) {
        for (let offset = 0; offset < chunk.length; offset += partLength) {
          const part = chunk.subarray(offset, offset + partLength);
          const length = Buffer.alloc(4);
          length.writeUInt32BE(part.length);
          socket.write(length);
          if (!socket.write(part)) await Promise.race([once(socket, 'drain'), answer]);
        }
        if (socket.destroyed || socket.readableEnded) break;
      }
      if (!socket.destroyed) socket.end(Buffer.alloc(4));
      return readAnswer(await answer);
    } finally {
      socket.destroy();
    }
  };
}

async function collect(socket: Readable): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of socket as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString('utf8').replaceAll('\0', '').trim();
}

/** `stream: OK`, or `stream: Eicar-Signature FOUND`; anything else is an error of the scanner. */
function readAnswer(answer: string): string | undefined {
  if (answer === 'stream: OK') return undefined;
  const [, foundVirus] = /^stream: (.+) FOUND$/.exec(answer) ?? [];
  if (foundVirus !== undefined) return `it contains ${foundVirus}`;
  throw new Error(`The scanner answered: ${answer || 'nothing'}`);
}

import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { JoinedRow } from '../../engine/imports/join-rows';
import { closeFile, diskFullError } from '../files/temporary-files';
import { firstOf, requireValue } from '../../engine/values/lookups';

/** A record of a file, with the positions of its formulas: `row:column` with the column from 0. */
export interface ImportRow extends JoinedRow {
  readonly formulas: readonly string[];
}

/** The records of a file on disk, so that only those in use are in memory. */
export interface Spool {
  readonly total: number;
  /**
   * The records that start after a row of the file, in parts of at most `size`; each part is read when the previous one
   * has been used.
   */
  parts(size: number, below?: number): AsyncGenerator<ImportRow[], void, void>;
  /** Removes the file. */
  close(): Promise<void>;
}

/** Writes records to a new file. Throws Unavailable if the disk is full. */
export async function writeSpool(path: string, records: AsyncIterable<ImportRow>): Promise<Spool> {
  const close = () => rm(path, { force: true });
  const stream = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const writing = finished(stream);
  writing.catch(() => undefined);
  let total = 0;
  try {
    for await (const record of records) {
      total++;
      if (!stream.write(`${JSON.stringify(record)}\n`)) await Promise.race([once(stream, 'drain'), writing]);
    }
    stream.end();
    await writing;
  } catch (error) {
    await closeFile(stream);
    await close();
    throw diskFullError(error) ?? error;
  }
  return {
    total,
    close,
    async *parts(size, start = 0) {
      let part: ImportRow[] = [];
      for await (const record of readSpool(path)) {
        if (firstOf(record.rows).number <= start) continue;
        part.push(record);
        if (part.length < size) continue;
        yield part;
        part = [];
        // Prevents files of long imports from being deleted as leftovers.
        await utimes(path, new Date(), new Date());
      }
      if (part.length > 0) yield part;
    },
  };
}

/** Reads the records, one per line. */
async function* readSpool(path: string): AsyncGenerator<ImportRow, void, void> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = requireValue(lines.pop(), 'the line that has not ended');
    for (const line of lines) yield JSON.parse(line) as ImportRow;
  }
}

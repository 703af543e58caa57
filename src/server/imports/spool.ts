import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { JoinedRow } from '../../engine/imports/join-rows';
import { closed, withoutSpace } from '../files/temporary';

/** A record of a file, with those of its cells that hold a formula: `row:column` with the column from 0. */
export interface ImportRow extends JoinedRow {
  readonly formulas: readonly string[];
}

/** The records of a file on disk, so that no more of them are in memory than are worked on. */
export interface Spool {
  readonly total: number;
  /** Those that begin below a row of the file, in parts of at most `size`; each is read once the last was used. */
  parts(size: number, below?: number): AsyncGenerator<ImportRow[], void, void>;
  /** Removes the file. */
  close(): Promise<void>;
}

/** Writes records to a file at a path where none is. Throws Unavailable where the disk is full. */
export async function spool(path: string, records: AsyncIterable<ImportRow>): Promise<Spool> {
  const close = () => rm(path, { force: true });
  const out = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const written = finished(out);
  written.catch(() => undefined);
  let total = 0;
  try {
    for await (const record of records) {
      total++;
      if (!out.write(`${JSON.stringify(record)}\n`)) await Promise.race([once(out, 'drain'), written]);
    }
    out.end();
    await written;
  } catch (error) {
    await closed(out);
    await close();
    throw withoutSpace(error) ?? error;
  }
  return {
    total,
    close,
    async *parts(size, below = 0) {
      let part: ImportRow[] = [];
      for await (const record of recordsAt(path)) {
        if (record.rows[0]!.number <= below) continue;
        part.push(record);
        if (part.length < size) continue;
        yield part;
        part = [];
        // Long imports are not taken for leftovers.
        await utimes(path, new Date(), new Date());
      }
      if (part.length > 0) yield part;
    },
  };
}

/** One record a line. */
async function* recordsAt(path: string): AsyncGenerator<ImportRow, void, void> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as ImportRow;
  }
}

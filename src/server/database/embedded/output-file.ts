import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const LIMIT = 5 * 1024 * 1024;

/** The file that the database server writes its messages to. */
export interface OutputFile {
  path: string;
  handle: number;
  /** The output since it was opened. */
  read(): string;
  close(): void;
}

/** Opens `pg.log` in the data folder for appending; a file over 5 MB is renamed to `pg.log.old` first. */
export function openOutputFile(dataDir: string): OutputFile {
  const path = join(dataDir, 'pg.log');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LIMIT) renameSync(path, `${path}.old`);
  const handle = openSync(path, 'a', 0o600);
  const start = fstatSync(handle).size;
  return {
    path,
    handle,
    read: () => readFileSync(path).subarray(start).toString('utf8'),
    close: () => closeSync(handle),
  };
}

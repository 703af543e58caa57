import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedError } from './embedded-error';

/**
 * The database's password, from a file that only the owner of the data folder can read. It is created before the
 * cluster that it protects, so that it still exists after an interrupted start.
 */
export function readPassword(dataDir: string, clusterExists: boolean): string {
  const file = join(dataDir, 'pg.password');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (clusterExists) throw new EmbeddedError(`${file} is missing: without it the database cannot be opened`);
  const password = randomBytes(24).toString('base64url');
  const draft = `${file}.new`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeSync(handle, password);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
  return password;
}

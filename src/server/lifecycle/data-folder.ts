import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from './start-error';

const messages: Readonly<Record<string, string>> = {
  EACCES: 'this user cannot write there: give the folder to the user that Assay runs as',
  EPERM: 'this user cannot write there: give the folder to the user that Assay runs as',
  EROFS: 'it is on a file system that is mounted read-only',
  ENOSPC: 'its disk is full: free some space',
  EDQUOT: 'the quota of its disk is used up: free some space',
  EISDIR: 'a folder is where a file should be: move it away',
  ENOTDIR: 'a file is where a folder should be: move it away, or set DATA_DIR to another folder',
  EEXIST: 'a file is where a folder should be: move it away, or set DATA_DIR to another folder',
  EMFILE: 'too many files are open: raise the limit of open files',
  ENOENT: 'it cannot be created there',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'its disk reports an error',
};

/**
 * Turns a file system error within the data folder into one line that names DATA_DIR; returns any other error
 * unchanged. Errors of open files have no path.
 */
export function toFolderError(error: unknown, dataDir: string): unknown {
  const { code = '', path } = error as NodeJS.ErrnoException;
  const words = messages[code];
  if (words === undefined || (path === undefined ? !withoutPath.has(code) : !isSameBranch(path, dataDir))) return error;
  return new StartError(`DATA_DIR: ${path ?? dataDir} cannot be used: ${words} (${code})`);
}

const withoutPath = new Set(['ENOSPC', 'EDQUOT', 'EISDIR', 'EIO']);
/** The folder that prevents creating another one may be above it. */
const isSameBranch = (path: string, dataDir: string) => path.startsWith(dataDir) || dataDir.startsWith(path);

/**
 * Creates the data folder if missing and checks that it is writable. Throws a StartError. Folders are created one by
 * one: Node's `recursive` never returns where nothing can be created, as below /proc.
 */
export function createDataFolder(dataDir: string): void {
  try {
    const missingFolders: string[] = [];
    let folder = dataDir;
    for (; statSync(folder, { throwIfNoEntry: false }) === undefined; folder = dirname(folder))
      missingFolders.unshift(folder);
    for (const folder of missingFolders) createFolder(folder);
    if (!statSync(dataDir).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR', path: dataDir });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw toFolderError(error, dataDir);
  }
}

function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o711 });
  } catch (error) {
    // Another process may have created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

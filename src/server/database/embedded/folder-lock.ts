import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EmbeddedError } from './embedded-error';
import type { Log } from './log';
import { isAlive, processStart } from './process-identity';

/** A held lock. */
export interface FolderLock {
  release(): void;
}

interface Holder {
  pid: number;
  start: string;
}

/**
 * Makes this process the only user of the data folder. Waits up to `patience` milliseconds for another process that is
 * stopping, then throws an EmbeddedError. Takes over the lock of a process that died.
 */
export async function lockFolder(dataDir: string, log: Log, patience: number): Promise<FolderLock> {
  const file = join(dataDir, 'lock');
  const ownHolder = JSON.stringify({ pid: process.pid, start: processStart(process.pid) } satisfies Holder);
  const deadline = Date.now() + patience;
  let isLogged = false;
  for (;;) {
    if (tryCreate(file, ownHolder)) return { release: () => removeIfEqual(file, ownHolder) };
    const text = read(file);
    if (text === undefined) continue;
    const holder = parse(text);
    if (!holder || !isHeld(holder)) {
      removeStaleLock(file, text);
      continue;
    }
    if (Date.now() >= deadline) throw folderInUseError(holder, dataDir);
    if (!isLogged) log.info(`Waiting for another program (process ${holder.pid}) to leave the data folder ${dataDir}`);
    isLogged = true;
    await wait(100);
  }
}

function folderInUseError(holder: Holder, dataDir: string): EmbeddedError {
  return new EmbeddedError(
    `The data folder ${dataDir} is in use by another program (process ${holder.pid}): stop that one first, or set DATA_DIR to another folder`,
  );
}

function isHeld(holder: Holder): boolean {
  return isAlive(holder.pid) && processStart(holder.pid) === holder.start;
}

// Written to a temporary file and linked into place, so that nobody ever reads half a lock.
function tryCreate(file: string, text: string): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

// Two processes may find the same stale lock. Moving it is atomic; a process that moved a valid one instead puts it
// back.
function removeStaleLock(file: string, staleHolder: string): void {
  const staleFile = `${file}.dead-${process.pid}`;
  try {
    renameSync(file, staleFile);
    if (readFileSync(staleFile, 'utf8') !== staleHolder) linkSync(staleFile, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  } finally {
    rmSync(staleFile, { force: true });
  }
}

function removeIfEqual(file: string, text: string): void {
  if (read(file) === text) rmSync(file, { force: true });
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parse(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder>;
    return typeof holder.pid === 'number' && typeof holder.start === 'string' ? (holder as Holder) : undefined;
  } catch {
    return undefined;
  }
}

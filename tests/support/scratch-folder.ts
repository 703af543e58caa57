import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** The most bytes that the databases of a run take, their logs included. */
const needed = 6 * 1024 ** 3;

/**
 * Creates an empty folder for databases that a test throws away, and returns its path: in memory where the machine has
 * room for them there, because nothing in them must outlive it, else in the system's folder for temporary files.
 */
export function createScratchFolder(prefix: string): string {
  return mkdtempSync(join(hasRoomInMemory() ? memory : tmpdir(), prefix));
}

function hasRoomInMemory(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= needed;
}

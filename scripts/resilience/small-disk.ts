import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { StepContext } from './step';

/** A separate file system that can be filled up. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills it up except for some bytes. */
  fill(leave?: number): void;
  /** Gives the space back that `fill` took. */
  free(): void;
}

/** Why no small file system can be mounted here; undefined if it can. */
export function missingForSmallDisk(): string | undefined {
  if (process.platform !== 'linux') return 'small file systems are mounted on Linux alone';
  if (process.getuid?.() !== 0) return 'needs root, to mount a small file system';
  return undefined;
}

/** Mounts a file system of so many megabytes for the time of the step. */
export function mountDisk(context: StepContext, name: string, megabytes: number): SmallDisk {
  const folder = join(context.folder, name);
  mkdirSync(folder);
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`a file system of ${megabytes} MB cannot be mounted: ${stderr.trim()}`);
  context.addCleanup(() => spawnSync('umount', ['-l', folder]));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill(leave = 0) {
      const file = openSync(ballast, 'a');
      const block = Buffer.alloc(4096);
      try {
        for (;;) {
          const { bavail, bsize } = statfsSync(folder);
          if (bavail * bsize <= leave) break;
          const size = Math.min(1024 * 1024, bavail * bsize - leave);
          writeSync(file, size > block.length ? Buffer.alloc(size) : block);
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
  };
}

import type { Program } from '../program';

/** The progress of an export. */
export interface ExportProgress {
  written: number;
  readonly total: number;
}

const progressByProgram = new WeakMap<Program, Map<string, ExportProgress>>();

/** Running exports, by user and name. */
export function runningExports(program: Program): Map<string, ExportProgress> {
  let progressById = progressByProgram.get(program);
  if (!progressById) progressByProgram.set(program, (progressById = new Map()));
  return progressById;
}

/** The key of a user's export. */
export function progressKey(userId: number, name: string): string {
  return `${userId}/${name}`;
}

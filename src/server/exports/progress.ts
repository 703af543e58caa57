import type { Program } from '../program';

/** The progress of an export. */
export interface Progress {
  written: number;
  readonly total: number;
}

const running = new WeakMap<Program, Map<string, Progress>>();

/** Running exports, by user and name. */
export function progressOf(program: Program): Map<string, Progress> {
  let known = running.get(program);
  if (!known) running.set(program, (known = new Map()));
  return known;
}

/** The key of a user's export. */
export function progressKey(userId: number, name: string): string {
  return `${userId}/${name}`;
}

import type { Program } from '../program';

/** How far a download is. */
export interface Progress {
  written: number;
  readonly total: number;
}

const running = new WeakMap<Program, Map<string, Progress>>();

/** The downloads under way, by who asked for them and the name that they gave it. */
export function progressOf(program: Program): Map<string, Progress> {
  let known = running.get(program);
  if (!known) running.set(program, (known = new Map()));
  return known;
}

/** The name under which a user's download is known. */
export function progressKey(userId: number, name: string): string {
  return `${userId}/${name}`;
}

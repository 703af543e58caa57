import type { LiveHub } from '../program';

const open = new WeakMap<LiveHub, number>();

/** How many event streams are open on a hub. */
export function openStreams(live: LiveHub): number {
  return open.get(live) ?? 0;
}

/** Counts a stream. Returns a function that uncounts it, to be called once. */
export function countStream(live: LiveHub): () => void {
  open.set(live, openStreams(live) + 1);
  return () => open.set(live, openStreams(live) - 1);
}

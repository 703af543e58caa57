import type { LiveHub } from '../live/live-hub';

const streamCounts = new WeakMap<LiveHub, number>();

/** How many event streams are open on a hub. */
export function openStreamCount(live: LiveHub): number {
  return streamCounts.get(live) ?? 0;
}

/** Counts a stream. Returns a function that uncounts it, to be called once. */
export function countStream(live: LiveHub): () => void {
  streamCounts.set(live, openStreamCount(live) + 1);
  return () => streamCounts.set(live, openStreamCount(live) - 1);
}

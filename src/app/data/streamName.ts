import { useSyncExternalStore } from 'react';

let current: string | undefined;
const listeners = new Set<() => void>();

/** A stream was opened, with this name; it takes the place of the one before. */
export function openedStream(name: string | undefined): void {
  current = name;
  for (const listener of listeners) listener();
}

/** A stream has ended. Another one may have taken its place before. */
export function endedStream(name: string | undefined): void {
  if (name === undefined || current !== name) return;
  current = undefined;
  for (const listener of listeners) listener();
}

/** The name of this window's open event stream, as it is now; undefined while there is none. */
export const readStreamName = (): string | undefined => current;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The name of this window's open event stream; undefined while there is none.
 *
 * @example const stream = useStreamName();
 */
export const useStreamName = (): string | undefined => useSyncExternalStore(subscribe, readStreamName);

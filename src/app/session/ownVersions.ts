import { useSyncExternalStore } from 'react';
import { onSignOut } from './session';

const versions = new Set<string>();
const listeners = new Set<() => void>();
const maxVersions = 500;
let isOwnVersion = createVersionTest();
onSignOut(() => versions.clear());

/** Records the version of a record that this tab stored, from the response of a change, with or without an envelope. */
export function recordOwnVersion(answer: unknown): void {
  const { id, updated_at: at } = unwrapRecord(answer);
  if (id === undefined || typeof at !== 'string') return;
  versions.add(keyOf(id, at));
  if (versions.size > maxVersions) versions.delete(versions.values().next().value!);
  isOwnVersion = createVersionTest();
  listeners.forEach((listener) => listener());
}

/**
 * Returns a function that says whether this tab stored a version of a record. A version stored by another tab of the
 * same user does not count.
 *
 * @example useOwnVersions()(record.id, record.updated_at); // false: somebody else stored it
 */
export function useOwnVersions(): (id: unknown, at: unknown) => boolean {
  return useSyncExternalStore(subscribe, () => isOwnVersion);
}

/** A new function each time, so that subscribers re-render. */
function createVersionTest() {
  return (id: unknown, at: unknown) => versions.has(keyOf(id, at));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function unwrapRecord(answer: unknown): Readonly<Record<string, unknown>> {
  const found = answer as Readonly<Record<string, unknown>> | null;
  if (typeof found !== 'object' || found === null) return {};
  return found.id === undefined && typeof found.data === 'object' ? unwrapRecord(found.data) : found;
}

/** Ids of different resources may be equal, but not in the same millisecond in practice. */
function keyOf(id: unknown, at: unknown): string {
  return `${String(id)} ${Date.parse(String(at))}`;
}

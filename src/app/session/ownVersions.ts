import { useSyncExternalStore } from 'react';
import { onSignOut } from './session';

const versions = new Set<string>();
const listeners = new Set<() => void>();
const maxVersions = 500;
let isOwnVersion = createVersionTest();
onSignOut(() => versions.clear());

/** Records the version of a record that this tab stored, from the response of a change, with or without an envelope. */
export function recordOwnVersion(answer: unknown): void {
  const { id, updated_at: updatedAt } = unwrapRecord(answer);
  if (id === undefined || typeof updatedAt !== 'string') return;
  versions.add(keyOf(id, updatedAt));
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
export function useOwnVersions(): (id: unknown, updatedAt: unknown) => boolean {
  return useSyncExternalStore(subscribe, () => isOwnVersion);
}

/** A new function each time, so that subscribers re-render. */
function createVersionTest() {
  return (id: unknown, updatedAt: unknown) => versions.has(keyOf(id, updatedAt));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function unwrapRecord(answer: unknown): Readonly<Record<string, unknown>> {
  const content = answer as Readonly<Record<string, unknown>> | null;
  if (typeof content !== 'object' || content === null) return {};
  return content.id === undefined && typeof content.data === 'object' ? unwrapRecord(content.data) : content;
}

/** Ids of different resources may be equal, but not in the same millisecond in practice. */
function keyOf(id: unknown, updatedAt: unknown): string {
  return `${String(id)} ${Date.parse(String(updatedAt))}`;
}

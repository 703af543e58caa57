import { useSyncExternalStore } from 'react';

const versions = new Set<string>();
const listeners = new Set<() => void>();
const mostKept = 500;
let isOwnVersion = makeTest();

/** Notes that this tab stored the version of a record that a writing call answers, bare or in its envelope. */
export function noteOwnVersion(answer: unknown): void {
  const { id, updated_at: at } = recordIn(answer);
  if (id === undefined || typeof at !== 'string') return;
  versions.add(keyOf(id, at));
  if (versions.size > mostKept) versions.delete(versions.values().next().value!);
  isOwnVersion = makeTest();
  listeners.forEach((listener) => listener());
}

/** Answers whether this tab itself stored a version of a record: what another tab of the same person stored is not its own. */
export function useOwnVersions(): (id: unknown, at: unknown) => boolean {
  return useSyncExternalStore(subscribe, () => isOwnVersion);
}

/** Another function each time, so that whoever holds it is drawn again. */
function makeTest() {
  return (id: unknown, at: unknown) => versions.has(keyOf(id, at));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function recordIn(answer: unknown): Readonly<Record<string, unknown>> {
  const found = answer as Readonly<Record<string, unknown>> | null;
  if (typeof found !== 'object' || found === null) return {};
  return found.id === undefined && typeof found.data === 'object' ? recordIn(found.data) : found;
}

/** Ids of two resources may be the same; that both were stored in the same millisecond is not to be expected. */
function keyOf(id: unknown, at: unknown): string {
  return `${String(id)} ${Date.parse(String(at))}`;
}

import { isJsonObject } from './json';
import { identityOf } from './merge-structure';

/** An entry of a list or object, with its identity. */
export interface Entry {
  readonly id: string;
  /** Its step in a JSON pointer: an index or a key. */
  readonly step: string;
  readonly value: unknown;
}

/** The entries of the list or object at a place. */
export function entriesOf(steps: readonly string[], value: unknown): Entry[] {
  if (isJsonObject(value)) return Object.entries(value).map(([key, one]) => ({ id: key, step: key, value: one }));
  if (!Array.isArray(value)) return [];
  return value.map((one: unknown, index) => ({ id: identityOf(steps, one), step: String(index), value: one }));
}

/** The differences between two lists or objects, entry by entry. */
export interface EntryDiff {
  readonly added: readonly Entry[];
  readonly removed: readonly Entry[];
  readonly common: readonly { readonly before: Entry; readonly after: Entry }[];
  /** The common entries have another order. */
  readonly reordered: boolean;
}

/** Compares two lists of entries by identity. */
export function diffEntries(before: readonly Entry[], after: readonly Entry[]): EntryDiff {
  const [old, fresh] = [byId(before), byId(after)];
  const kept = [...fresh].flatMap(([id, entry]) => (old.has(id) ? [{ before: old.get(id)!, after: entry }] : []));
  const order = [...old.keys()].filter((id) => fresh.has(id));
  return {
    added: [...fresh].filter(([id]) => !old.has(id)).map(([, entry]) => entry),
    removed: [...old].filter(([id]) => !fresh.has(id)).map(([, entry]) => entry),
    common: kept,
    reordered: kept.some(({ after: { id } }, index) => id !== order[index]),
  };
}

/** By identity; duplicates are numbered. */
function byId(entries: readonly Entry[]): Map<string, Entry> {
  const found = new Map<string, Entry>();
  for (const entry of entries) {
    let id = entry.id;
    for (let number = 2; found.has(id); number += 1) id = `${entry.id} (${number})`;
    found.set(id, { ...entry, id });
  }
  return found;
}

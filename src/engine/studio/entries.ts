import { isObject } from './json';
import { identityOf } from './parts';

/** An entry of a list or of an object, told apart by its identity. */
export interface Entry {
  readonly id: string;
  /** Its step in a JSON pointer: an index or a key. */
  readonly step: string;
  readonly value: unknown;
}

/** The entries of the list or object at a place. */
export function entriesOf(steps: readonly string[], value: unknown): Entry[] {
  if (isObject(value)) return Object.entries(value).map(([key, one]) => ({ id: key, step: key, value: one }));
  if (!Array.isArray(value)) return [];
  return value.map((one: unknown, index) => ({ id: identityOf(steps, one), step: String(index), value: one }));
}

/** Two lists or objects held against each other, entry by entry. */
export interface Held {
  readonly added: readonly Entry[];
  readonly removed: readonly Entry[];
  readonly kept: readonly { readonly before: Entry; readonly after: Entry }[];
  /** What both have stands in another order. */
  readonly reordered: boolean;
}

/** What one version has that the other has not, and what both have. */
export function hold(before: readonly Entry[], after: readonly Entry[]): Held {
  const [old, fresh] = [byId(before), byId(after)];
  const kept = [...fresh].flatMap(([id, entry]) => (old.has(id) ? [{ before: old.get(id)!, after: entry }] : []));
  const order = [...old.keys()].filter((id) => fresh.has(id));
  return {
    added: [...fresh].filter(([id]) => !old.has(id)).map(([, entry]) => entry),
    removed: [...old].filter(([id]) => !fresh.has(id)).map(([, entry]) => entry),
    kept,
    reordered: kept.some(({ after: { id } }, index) => id !== order[index]),
  };
}

/** By identity; of several with the same one, each further is told by its number. */
function byId(entries: readonly Entry[]): Map<string, Entry> {
  const found = new Map<string, Entry>();
  for (const entry of entries) {
    let id = entry.id;
    for (let number = 2; found.has(id); number += 1) id = `${entry.id} (${number})`;
    found.set(id, { ...entry, id });
  }
  return found;
}

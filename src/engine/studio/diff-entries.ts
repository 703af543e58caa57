import { isJsonObject } from '../formats/json';
import { identityKey, identityOf } from './merge-structure';
import { getOrThrow } from '../values/lookups';

/** An entry of a list or object, with its identity. */
export interface Entry {
  readonly id: string;
  /** Its identity before it was renamed (`formerName`, `formerValue`), if it was. */
  readonly formerId?: string;
  /** Its step in a JSON pointer: an index or a key. */
  readonly step: string;
  readonly value: unknown;
}

/** The entries of the list or object at a place. A short form counts as the part that it stands for. */
export function entriesOf(steps: readonly string[], value: unknown): Entry[] {
  if (isJsonObject(value)) return Object.entries(value).map(([key, member]) => ({ id: key, step: key, value: member }));
  if (!Array.isArray(value)) return [];
  const key = identityKey(steps);
  return value.map((member: unknown, index) => {
    const id = identityOf(steps, member);
    return {
      id,
      step: String(index),
      value: key === undefined || isJsonObject(member) ? member : expand(key, id, member),
    };
  });
}

/** A column that is visible by default (`name*`) or always (`name!`), or any other entry that is written as its name. */
const expand = (key: string, id: string, source: unknown) => ({
  [key]: id,
  ...(source !== id && { visible: true }),
  ...(String(source).includes('!') && { fixed: true }),
});

/** The differences between two lists or objects, entry by entry. */
export interface EntryDiff {
  readonly addedEntries: readonly Entry[];
  readonly removedEntries: readonly Entry[];
  readonly commonEntries: readonly { readonly oldEntry: Entry; readonly newEntry: Entry }[];
  /** The common entries have another order. */
  readonly isReordered: boolean;
}

/** Compares two lists of entries by identity. */
export function diffEntries(oldEntries: readonly Entry[], newEntries: readonly Entry[]): EntryDiff {
  const renames = findRenames(oldEntries, newEntries);
  const renamedEntries = oldEntries.map((entry) => {
    const id = renames.get(entry.id);
    return id === undefined ? entry : { ...entry, id, formerId: entry.id };
  });
  const [oldById, newById] = [byId(renamedEntries), byId(newEntries)];
  const commonEntries = [...newById].flatMap(([id, entry]) =>
    oldById.has(id) ? [{ oldEntry: getOrThrow(oldById, id), newEntry: entry }] : [],
  );
  const order = [...oldById.keys()].filter((id) => newById.has(id));
  return {
    addedEntries: [...newById].filter(([id]) => !oldById.has(id)).map(([, entry]) => entry),
    removedEntries: [...oldById].filter(([id]) => !newById.has(id)).map(([, entry]) => entry),
    commonEntries,
    isReordered: commonEntries.some(({ newEntry: { id } }, index) => id !== order[index]),
  };
}

/** The new identities of the entries that say what they were called before, by the old ones. */
export function findRenames(oldEntries: readonly Entry[], newEntries: readonly Entry[]): Map<string, string> {
  const [oldIds, newIds] = [new Set(oldEntries.map(({ id }) => id)), new Set(newEntries.map(({ id }) => id))];
  const renames = newEntries.flatMap(({ id, value }): [string, string][] => {
    const formerId = isJsonObject(value) ? (value.formerName ?? value.formerValue) : undefined;
    const isRenamed =
      formerId !== undefined && oldIds.has(String(formerId)) && !newIds.has(String(formerId)) && !oldIds.has(id);
    return isRenamed ? [[String(formerId), id]] : [];
  });
  return new Map(renames);
}

/** By identity; duplicates are numbered. */
function byId(entries: readonly Entry[]): Map<string, Entry> {
  const entriesById = new Map<string, Entry>();
  for (const entry of entries) {
    let id = entry.id;
    for (let number = 2; entriesById.has(id); number += 1) id = `${entry.id} (${number})`;
    entriesById.set(id, { ...entry, id });
  }
  return entriesById;
}

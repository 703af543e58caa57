import { isJsonObject } from './json';
import { identityKey, identityOf } from './merge-structure';

/** An entry of a list or object, with its identity. */
export interface Entry {
  readonly id: string;
  /** Its identity before it was renamed (`formerName`, `formerValue`), if it was. */
  readonly formerId?: string;
  /** Its step in a JSON pointer: an index or a key. */
  readonly step: string;
  readonly value: unknown;
}

/** The entries of the list or object at a place. What is written short is the part that it stands for. */
export function entriesOf(steps: readonly string[], value: unknown): Entry[] {
  if (isJsonObject(value)) return Object.entries(value).map(([key, one]) => ({ id: key, step: key, value: one }));
  if (!Array.isArray(value)) return [];
  const key = identityKey(steps);
  return value.map((one: unknown, index) => {
    const id = identityOf(steps, one);
    return { id, step: String(index), value: key === undefined || isJsonObject(one) ? one : expand(key, id, one) };
  });
}

/** A column that is visible by default (`name*`) or always (`name!`), or any other entry that is written as its name. */
const expand = (key: string, id: string, written: unknown) => ({
  [key]: id,
  ...(written !== id && { visible: true }),
  ...(String(written).includes('!') && { fixed: true }),
});

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
  const renames = findRenames(before, after);
  const renamed = before.map((entry) => {
    const id = renames.get(entry.id);
    return id === undefined ? entry : { ...entry, id, formerId: entry.id };
  });
  const [old, fresh] = [byId(renamed), byId(after)];
  const common = [...fresh].flatMap(([id, entry]) => (old.has(id) ? [{ before: old.get(id)!, after: entry }] : []));
  const order = [...old.keys()].filter((id) => fresh.has(id));
  return {
    added: [...fresh].filter(([id]) => !old.has(id)).map(([, entry]) => entry),
    removed: [...old].filter(([id]) => !fresh.has(id)).map(([, entry]) => entry),
    common,
    reordered: common.some(({ after: { id } }, index) => id !== order[index]),
  };
}

/** The new identities of the entries that say what they were called before, by the old ones. */
export function findRenames(before: readonly Entry[], after: readonly Entry[]): Map<string, string> {
  const [old, fresh] = [new Set(before.map(({ id }) => id)), new Set(after.map(({ id }) => id))];
  const renames = after.flatMap(({ id, value }): [string, string][] => {
    const former = isJsonObject(value) ? (value.formerName ?? value.formerValue) : undefined;
    const isRenamed = former !== undefined && old.has(String(former)) && !fresh.has(String(former)) && !old.has(id);
    return isRenamed ? [[String(former), id]] : [];
  });
  return new Map(renames);
}

/** By identity; duplicates are numbered. */
function byId(entries: readonly Entry[]): Map<string, Entry> {
  const numbered = new Map<string, Entry>();
  for (const entry of entries) {
    let id = entry.id;
    for (let number = 2; numbered.has(id); number += 1) id = `${entry.id} (${number})`;
    numbered.set(id, { ...entry, id });
  }
  return numbered;
}

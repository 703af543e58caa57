import { joinPointer } from '../definitions/problems';
import type { Source } from '../definitions/source';
import { isIdenticalJson, isJsonObject, isSameJson, parsePointer } from './json';
import { alignNames } from './merge-names';
import { mergeOrder } from './merge-order';
import type { Conflict } from './module';
import { identityKey, identityOf, structureAt } from './merge-structure';

export { resolveConflicts, type ConflictChoices } from './resolve-conflicts';

type Side = 'shipped' | 'changed';

/** The state of a merge: the side that wins conflicts, and the conflicts found. */
interface MergeState {
  readonly wins: Side;
  readonly conflicts: Conflict[];
}

/**
 * Merges the new shipped version with the local changes, both based on the same version: by field and key, and lists
 * entry by entry. If both sides changed the same place differently, the local change wins, and a conflict is recorded.
 *
 * @example mergeSources(base, shipped, changed).conflicts; // [] if both changed different parts
 */
export function mergeSources(
  base: Source,
  shipped: Source,
  changed: Source,
): { merged: Source; conflicts: Conflict[] } {
  const merging: MergeState = { wins: 'changed', conflicts: [] };
  const sides =
    isIdenticalJson(base, shipped) || isIdenticalJson(base, changed)
      ? { base, shipped, changed }
      : alignNames({ base, shipped, changed });
  const merged = merge(merging, [], sides.base, sides.shipped, sides.changed) as Source;
  return { merged, conflicts: merging.conflicts };
}

function merge(
  merging: MergeState,
  steps: readonly string[],
  base: unknown,
  shipped: unknown,
  changed: unknown,
): unknown {
  if (isIdenticalJson(changed, base)) return shipped;
  if (isIdenticalJson(shipped, base) || isIdenticalJson(shipped, changed)) return changed;
  const part = structureAt(steps, changed);
  // Two additions with the same name are separate things, unless it is a top-level key that every definition can have.
  const common = base !== undefined || steps.length < 2;
  if (
    common &&
    part === 'keys' &&
    isJsonObject(shipped) &&
    isJsonObject(changed) &&
    (base === undefined || isJsonObject(base))
  ) {
    return mergeKeys(merging, steps, base ?? {}, shipped, changed);
  }
  if (common && part === 'entries' && [base ?? [], shipped, changed].every((one) => hasUniqueIdentities(steps, one))) {
    return mergeEntries(merging, steps, (base ?? []) as unknown[], shipped as unknown[], changed as unknown[]);
  }
  if (isSameJson(changed, base)) return shipped;
  if (isSameJson(shipped, base) || isSameJson(shipped, changed)) return changed;
  return recordConflict(merging, steps, base, shipped, changed);
}

function recordConflict(
  { wins, conflicts }: MergeState,
  steps: readonly string[],
  base: unknown,
  shipped: unknown,
  changed: unknown,
): unknown {
  conflicts.push({
    path: joinPointer('', ...steps),
    ...(base !== undefined && { base }),
    ...(shipped !== undefined && { shipped }),
    ...(changed !== undefined && { changed }),
  });
  return wins === 'changed' ? changed : shipped;
}

type Json = Readonly<Record<string, unknown>>;

function mergeKeys(merging: MergeState, steps: readonly string[], base: Json, shipped: Json, changed: Json): Json {
  const keys = mergeOrder(Object.keys(base), Object.keys(shipped), Object.keys(changed));
  const own = (side: Json, key: string) => (Object.hasOwn(side, key) ? side[key] : undefined);
  const merged = keys.map((key) => [
    key,
    merge(merging, [...steps, key], own(base, key), own(shipped, key), own(changed, key)),
  ]);
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined)) as Json;
}

/** Whether all entries of a list have distinct identities. */
function hasUniqueIdentities(steps: readonly string[], list: unknown): boolean {
  return Array.isArray(list) && new Set(list.map((one) => identityOf(steps, one))).size === list.length;
}

/**
 * Merges lists by identity. A conflict inside an entry is recorded at its place; if one side removed an entry that the
 * other changed, there is no such place, so the whole list is the conflict, merged once for each side.
 */
function mergeEntries(
  merging: MergeState,
  steps: readonly string[],
  base: unknown[],
  shipped: unknown[],
  changed: unknown[],
): unknown {
  if (identityKey(steps) === undefined && bothReplacedEntry(steps, base, shipped, changed))
    return recordConflict(merging, steps, base, shipped, changed);
  const found: Conflict[] = [];
  const merged = mergeListEntries({ wins: merging.wins, conflicts: found }, steps, base, shipped, changed);
  if (found.every((conflict) => hasPlace(steps, conflict))) {
    merging.conflicts.push(...found);
    return merged;
  }
  const other = mergeListEntries(
    { wins: merging.wins === 'changed' ? 'shipped' : 'changed', conflicts: [] },
    steps,
    base,
    shipped,
    changed,
  );
  const [theirs, mine] = merging.wins === 'changed' ? [other, merged] : [merged, other];
  return recordConflict(merging, steps, base, theirs, mine);
}

function mergeListEntries(
  merging: MergeState,
  steps: readonly string[],
  base: unknown[],
  shipped: unknown[],
  changed: unknown[],
): unknown[] {
  const byId = (list: unknown[]) => new Map(list.map((one) => [identityOf(steps, one), one]));
  const [old, theirs, mine] = [byId(base), byId(shipped), byId(changed)];
  const joined = (id: string, index: number) =>
    merge(merging, [...steps, String(index)], old.get(id), theirs.get(id), mine.get(id));
  const ids = mergeOrder([...old.keys()], [...theirs.keys()], [...mine.keys()]);
  const list: unknown[] = [];
  for (const id of ids) {
    const value = joined(id, list.length);
    if (value !== undefined) list.push(value);
  }
  return list;
}

/** Whether a conflict within a list is at a place that both sides have, or below one. */
function hasPlace(steps: readonly string[], { path, shipped, changed }: Conflict): boolean {
  return parsePointer(path).length > steps.length + 1 || (shipped !== undefined && changed !== undefined);
}

/** Both sides replaced the same entry, which has no key, by different ones. */
function bothReplacedEntry(steps: readonly string[], base: unknown[], shipped: unknown[], changed: unknown[]): boolean {
  const ids = (list: unknown[]) => new Set(list.map((one) => identityOf(steps, one)));
  const [old, theirs, mine] = [ids(base), ids(shipped), ids(changed)];
  const objects = base.some((one) => typeof one === 'object');
  const bothTook = [...old].some((id) => !theirs.has(id) && !mine.has(id));
  const puts = (side: Set<string>, other: Set<string>) => [...side].some((id) => !old.has(id) && !other.has(id));
  return objects && bothTook && puts(theirs, mine) && puts(mine, theirs);
}

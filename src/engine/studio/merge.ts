import { joinPointer } from '../definitions/problems';
import type { Source } from '../language/source';
import { isIdenticalJson, isJsonObject, isSameJson, parsePointer } from '../formats/json';
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
  shippedSource: Source,
  changedSource: Source,
): { merged: Source; conflicts: Conflict[] } {
  const state: MergeState = { wins: 'changed', conflicts: [] };
  const sides =
    isIdenticalJson(base, shippedSource) || isIdenticalJson(base, changedSource)
      ? { base, shipped: shippedSource, changed: changedSource }
      : alignNames({ base, shipped: shippedSource, changed: changedSource });
  const mergedSource = merge(state, [], sides.base, sides.shipped, sides.changed) as Source;
  return { merged: mergedSource, conflicts: state.conflicts };
}

function merge(
  state: MergeState,
  steps: readonly string[],
  base: unknown,
  shippedValue: unknown,
  changedValue: unknown,
): unknown {
  if (isIdenticalJson(changedValue, base)) return shippedValue;
  if (isIdenticalJson(shippedValue, base) || isIdenticalJson(shippedValue, changedValue)) return changedValue;
  const part = structureAt(steps, changedValue);
  // Two additions with the same name are separate things, unless it is a top-level key that every definition can have.
  const isCommon = base !== undefined || steps.length < 2;
  if (
    isCommon &&
    part === 'keys' &&
    isJsonObject(shippedValue) &&
    isJsonObject(changedValue) &&
    (base === undefined || isJsonObject(base))
  ) {
    return mergeKeys(state, steps, base ?? {}, shippedValue, changedValue);
  }
  if (
    isCommon &&
    part === 'entries' &&
    [base ?? [], shippedValue, changedValue].every((side) => hasUniqueIdentities(steps, side))
  ) {
    return mergeEntries(state, steps, (base ?? []) as unknown[], shippedValue as unknown[], changedValue as unknown[]);
  }
  if (isSameJson(changedValue, base)) return shippedValue;
  if (isSameJson(shippedValue, base) || isSameJson(shippedValue, changedValue)) return changedValue;
  return recordConflict(state, steps, base, shippedValue, changedValue);
}

function recordConflict(
  { wins: winner, conflicts }: MergeState,
  steps: readonly string[],
  base: unknown,
  shippedValue: unknown,
  changedValue: unknown,
): unknown {
  conflicts.push({
    path: joinPointer('', ...steps),
    ...(base !== undefined && { base }),
    ...(shippedValue !== undefined && { shipped: shippedValue }),
    ...(changedValue !== undefined && { changed: changedValue }),
  });
  return winner === 'changed' ? changedValue : shippedValue;
}

type Json = Readonly<Record<string, unknown>>;

function mergeKeys(
  state: MergeState,
  steps: readonly string[],
  base: Json,
  shippedPart: Json,
  changedPart: Json,
): Json {
  const keys = mergeOrder(Object.keys(base), Object.keys(shippedPart), Object.keys(changedPart));
  const ownValue = (side: Json, key: string) => (Object.hasOwn(side, key) ? side[key] : undefined);
  const mergedEntries = keys.map((key) => [
    key,
    merge(state, [...steps, key], ownValue(base, key), ownValue(shippedPart, key), ownValue(changedPart, key)),
  ]);
  return Object.fromEntries(mergedEntries.filter(([, value]) => value !== undefined)) as Json;
}

/** Whether all entries of a list have distinct identities. */
function hasUniqueIdentities(steps: readonly string[], list: unknown): boolean {
  return Array.isArray(list) && new Set(list.map((member) => identityOf(steps, member))).size === list.length;
}

/**
 * Merges lists by identity. A conflict inside an entry is recorded at its place; if one side removed an entry that the
 * other changed, there is no such place, so the whole list is the conflict, merged once for each side.
 */
function mergeEntries(
  state: MergeState,
  steps: readonly string[],
  base: unknown[],
  shippedList: unknown[],
  changedList: unknown[],
): unknown {
  if (identityKey(steps) === undefined && bothReplacedEntry(steps, base, shippedList, changedList))
    return recordConflict(state, steps, base, shippedList, changedList);
  const listConflicts: Conflict[] = [];
  const mergedList = mergeListEntries(
    { wins: state.wins, conflicts: listConflicts },
    steps,
    base,
    shippedList,
    changedList,
  );
  if (listConflicts.every((conflict) => hasPlace(steps, conflict))) {
    state.conflicts.push(...listConflicts);
    return mergedList;
  }
  const alternativeList = mergeListEntries(
    { wins: state.wins === 'changed' ? 'shipped' : 'changed', conflicts: [] },
    steps,
    base,
    shippedList,
    changedList,
  );
  const [shippedResult, changedResult] =
    state.wins === 'changed' ? [alternativeList, mergedList] : [mergedList, alternativeList];
  return recordConflict(state, steps, base, shippedResult, changedResult);
}

function mergeListEntries(
  state: MergeState,
  steps: readonly string[],
  base: unknown[],
  shippedList: unknown[],
  changedList: unknown[],
): unknown[] {
  const byId = (list: unknown[]) => new Map(list.map((member) => [identityOf(steps, member), member]));
  const [baseById, shippedById, changedById] = [byId(base), byId(shippedList), byId(changedList)];
  const mergeEntry = (id: string, index: number) =>
    merge(state, [...steps, String(index)], baseById.get(id), shippedById.get(id), changedById.get(id));
  const ids = mergeOrder([...baseById.keys()], [...shippedById.keys()], [...changedById.keys()]);
  const list: unknown[] = [];
  for (const id of ids) {
    const value = mergeEntry(id, list.length);
    if (value !== undefined) list.push(value);
  }
  return list;
}

/** Whether a conflict within a list is at a place that both sides have, or below one. */
function hasPlace(steps: readonly string[], { path, shipped: shippedValue, changed: changedValue }: Conflict): boolean {
  return parsePointer(path).length > steps.length + 1 || (shippedValue !== undefined && changedValue !== undefined);
}

/** Both sides replaced the same entry, which has no key, by different ones. */
function bothReplacedEntry(
  steps: readonly string[],
  base: unknown[],
  shippedList: unknown[],
  changedList: unknown[],
): boolean {
  const ids = (list: unknown[]) => new Set(list.map((member) => identityOf(steps, member)));
  const [baseIds, shippedIds, changedIds] = [ids(base), ids(shippedList), ids(changedList)];
  const objects = base.some((member) => typeof member === 'object');
  const bothTook = [...baseIds].some((id) => !shippedIds.has(id) && !changedIds.has(id));
  const addsEntry = (side: Set<string>, otherSide: Set<string>) =>
    [...side].some((id) => !baseIds.has(id) && !otherSide.has(id));
  return objects && bothTook && addsEntry(shippedIds, changedIds) && addsEntry(changedIds, shippedIds);
}

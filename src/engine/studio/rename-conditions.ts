import { isJsonObject, type JsonObject } from './json';
import { renameVariable, type Renaming } from './renaming';

/** A condition on this resource's records, or on those of another one, where only variables refer to this resource. */
export function renameCondition<T extends JsonObject>(
  renaming: Renaming,
  written: T,
  own = true,
  roots?: string[],
): T | null {
  const made = Object.entries(written).flatMap(([left, right]): [string, unknown][] => {
    const next = renameClause(renaming, left, right, own, roots);
    return next === null ? [] : [next];
  });
  return made.length === 0 && Object.keys(written).length > 0 ? null : (Object.fromEntries(made) as T);
}

function renameClause(
  renaming: Renaming,
  left: string,
  right: unknown,
  own: boolean,
  roots?: string[],
): [string, unknown] | null {
  if (left === '$not' && isJsonObject(right)) {
    const inner = renameCondition(renaming, right, own, roots);
    return inner === null ? null : [left, inner];
  }
  if (['$and', '$or', '$nor'].includes(left) && Array.isArray(right)) {
    const parts = right.flatMap((one) =>
      isJsonObject(one) ? (renameCondition(renaming, one, own, roots) ?? []) : [one],
    );
    return parts.length === 0 && right.length > 0 ? null : [left, parts];
  }
  const key = left.startsWith('$') ? renameVariable(renaming, left, roots) : renameFieldPath(renaming, left, own);
  if (key === null) return null;
  const value = renameOperand(renaming, left, right, roots);
  return value === null && right !== null ? null : [key as string, value];
}

/** A field, or a path through relations; null if it refers to something removed. */
function renameFieldPath(renaming: Renaming, left: string, own: boolean): string | null {
  const dot = left.indexOf('.');
  const field = dot < 0 ? left : left.slice(0, dot);
  const name = own ? renaming.mapName(field) : field;
  if (dot < 0 || name === null) return name;
  const rest = renameFieldPath(renaming, left.slice(dot + 1), own && renaming.ownRelations.has(field));
  return rest === null ? null : `${name}.${rest}`;
}

/** The right side of a clause; null if it refers to something removed. */
function renameOperand(renaming: Renaming, left: string, right: unknown, roots?: string[]): unknown {
  if (Array.isArray(right)) {
    const list = right.map((one) => (one === null ? one : (renameVariable(renaming, one, roots) ?? undefined)));
    return list.includes(undefined) ? null : list;
  }
  if (!isJsonObject(right)) return renameVariable(renaming, right, roots);
  const made: [string, unknown][] = [];
  for (const [operator, value] of Object.entries(right)) {
    const isOwn = renaming.ownRelations.has(left.slice(left.lastIndexOf('.') + 1));
    const next =
      operator === '$some' && isJsonObject(value)
        ? renameCondition(renaming, value, isOwn, roots)
        : renameOperand(renaming, left, value, roots);
    if (next === null && value !== null) return null;
    made.push([operator, next]);
  }
  return Object.fromEntries(made);
}

/** A condition that makes sense only as a whole; null if any part of it refers to something removed. */
export function renameConditionOrNull<T extends JsonObject>(renaming: Renaming, written: T): T | null {
  let gone = false;
  const mapName = (one: string) => {
    const next = renaming.mapName(one);
    gone ||= next === null;
    return next;
  };
  const made = renameCondition({ ...renaming, mapName }, written);
  return gone ? null : (made ?? written);
}

/**
 * A condition that must not change silently: if it refers to something removed, it stays unchanged and is reported as
 * unresolved.
 */
export function renameConditionOrReport<T extends JsonObject>(renaming: Renaming, written: T, place: string): T {
  const made = renameConditionOrNull(renaming, written);
  if (made === null) renaming.onUnresolved(place);
  return made ?? written;
}

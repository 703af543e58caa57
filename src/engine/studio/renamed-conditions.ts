import { isObject, type Json } from './json';
import { variable, type Renaming } from './renaming';

/** A condition on this resource's records, or on those of another one, where only variables refer to this resource. */
export function condition<T extends Json>(renaming: Renaming, written: T, own = true, roots?: string[]): T | null {
  const made = Object.entries(written).flatMap(([left, right]): [string, unknown][] => {
    const next = clause(renaming, left, right, own, roots);
    return next === null ? [] : [next];
  });
  return made.length === 0 && Object.keys(written).length > 0 ? null : (Object.fromEntries(made) as T);
}

function clause(
  renaming: Renaming,
  left: string,
  right: unknown,
  own: boolean,
  roots?: string[],
): [string, unknown] | null {
  if (left === '$not' && isObject(right)) {
    const inner = condition(renaming, right, own, roots);
    return inner === null ? null : [left, inner];
  }
  if (['$and', '$or', '$nor'].includes(left) && Array.isArray(right)) {
    const parts = right.flatMap((one) => (isObject(one) ? (condition(renaming, one, own, roots) ?? []) : [one]));
    return parts.length === 0 && right.length > 0 ? null : [left, parts];
  }
  const key = left.startsWith('$') ? variable(renaming, left, roots) : own ? renaming.name(left) : left;
  if (key === null) return null;
  const value = operand(renaming, left, right, roots);
  return value === null && right !== null ? null : [key as string, value];
}

/** The right side of a clause; null if it refers to something removed. */
function operand(renaming: Renaming, left: string, right: unknown, roots?: string[]): unknown {
  if (Array.isArray(right)) {
    const list = right.map((one) => (one === null ? one : (variable(renaming, one, roots) ?? undefined)));
    return list.includes(undefined) ? null : list;
  }
  if (!isObject(right)) return variable(renaming, right, roots);
  const made: [string, unknown][] = [];
  for (const [operator, value] of Object.entries(right)) {
    const isOwn = renaming.ownRelations.has(left);
    const next =
      operator === '$some' && isObject(value)
        ? condition(renaming, value, isOwn, roots)
        : operand(renaming, left, value, roots);
    if (next === null && value !== null) return null;
    made.push([operator, next]);
  }
  return Object.fromEntries(made);
}

/**
 * A condition that must not change silently: if it refers to something removed, it stays unchanged and is reported as
 * unresolved.
 */
export function kept<T extends Json>(renaming: Renaming, written: T, place: string): T {
  let gone = false;
  const name = (one: string) => {
    const next = renaming.name(one);
    gone ||= next === null;
    return next;
  };
  const made = condition({ ...renaming, name }, written);
  if (!gone) return made ?? written;
  renaming.open(place);
  return written;
}

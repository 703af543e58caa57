/**
 * Whether two JSON values are equal: lists in order, objects regardless of key order.
 *
 * @example isEqualJson({ a: [1] }, { a: [1] }); // true
 */
export function isEqualJson(first: unknown, second: unknown): boolean {
  if (first === second) return true;
  if (typeof first !== 'object' || typeof second !== 'object' || first === null || second === null) return false;
  if (Array.isArray(first) !== Array.isArray(second)) return false;
  const names = Object.keys(first);
  if (names.length !== Object.keys(second).length) return false;
  const [left, right] = [first as Record<string, unknown>, second as Record<string, unknown>];
  return names.every((name) => Object.hasOwn(right, name) && isEqualJson(left[name], right[name]));
}

/** Whether two lists have the same members, in any order; a missing list counts as empty. */
export function isEqualSet(first: unknown, second: unknown): boolean {
  const [left, right] = [new Set(membersOf(first)), new Set(membersOf(second))];
  return left.size === right.size && [...left].every((member) => right.has(member));
}

const membersOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

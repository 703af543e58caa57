/**
 * Whether two JSON values are equal: lists in order, objects regardless of key order.
 *
 * @example isEqualJson({ a: [1] }, { a: [1] }); // true
 */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return names.every((name) => Object.hasOwn(right, name) && isEqualJson(left[name], right[name]));
}

/** Whether two lists have the same members, in any order; a missing list counts as empty. */
export function isEqualSet(one: unknown, other: unknown): boolean {
  const [left, right] = [new Set(membersOf(one)), new Set(membersOf(other))];
  return left.size === right.size && [...left].every((member) => right.has(member));
}

const membersOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Whether a value is a JSON object: not a list, not null.
 *
 * @example isJsonObject([]); // false
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether two JSON values mean the same; the order of keys means nothing here.
 *
 * @example isSameJson({ a: 1, b: 2 }, { b: 2, a: 1 }); // true
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((member, index) => isSameJson(member, b[index]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]))
  );
}

/** Whether two JSON values are written alike: keys in the same order too. */
export function isIdenticalJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/**
 * The steps of a JSON pointer.
 *
 * @example parsePointer('/fields/a~1b/label'); // ['fields', 'a/b', 'label']
 */
export function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * The value at a path; undefined if there is none.
 *
 * @example valueAtPath({ fields: { due: { type: 'date' } } }, ['fields', 'due', 'type']); // 'date'
 */
export function valueAtPath(root: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    return (value as Record<string, unknown>)[step];
  }, root);
}

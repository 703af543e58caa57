/**
 * Lookups whose result must exist. Each returns the value without `undefined` in its type, and throws a
 * `MissingValueError` that names the value: a fault of the program, not of what a person entered.
 */

/** A value that the program relies on does not exist. */
export class MissingValueError extends Error {
  override readonly name = 'MissingValueError';
}

/**
 * A value that is neither null nor undefined; `name` says in the error which value it is.
 *
 * @example requireValue(field.insertedRows, 'insertedRows of a field with checks').by;
 */
export function requireValue<T>(value: T, name: string): NonNullable<T> {
  if (value === undefined || value === null) throw new MissingValueError(`Missing: ${name}`);
  return value;
}

/**
 * The value of a key in a map.
 *
 * @example getOrThrow(namesById, 7);
 */
export function getOrThrow<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new MissingValueError(`Missing in a map: ${String(key)}`);
  return value;
}

/**
 * The value of a key in an object that is used as a map.
 *
 * @example propertyOf(field.columns, 'step').label;
 */
export function propertyOf<V>(object: Readonly<Record<string, V>>, key: string): V {
  if (!Object.hasOwn(object, key)) throw new MissingValueError(`Missing key: ${key}`);
  return object[key] as V;
}

/**
 * The value of a key that an object may have, undefined for one that it inherits (`toString`).
 *
 * @example ownProperty(definition.fields, name)?.label;
 */
export function ownProperty<V>(object: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * The item at a position; a negative position counts from the end.
 *
 * @example itemAt(['a', 'b', 'c'], 1); // 'b'
 */
export function itemAt<T>(list: ArrayLike<T>, position: number): T {
  const index = position < 0 ? list.length + position : position;
  if (!(index >= 0 && index < list.length)) {
    throw new MissingValueError(`No item ${position} in a list of ${list.length}`);
  }
  return list[index] as T;
}

/**
 * The first item of a list that is not empty.
 *
 * @example firstOf('name:asc'.split(':')); // 'name'
 */
export function firstOf<T>(list: ArrayLike<T>): T {
  return itemAt(list, 0);
}

/**
 * The last item of a list that is not empty.
 *
 * @example lastOf('project_id.site_id'.split('.')); // 'site_id'
 */
export function lastOf<T>(list: ArrayLike<T>): T {
  return itemAt(list, -1);
}

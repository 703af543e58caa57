/**
 * The value of a key, made when it is first needed. A full cache starts again, so callers who choose keys cannot fill
 * the memory.
 *
 * @example cachedValue(formatters, 100, 'EUR', () => new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }));
 */
export function cachedValue<Key, Value>(
  cache: Map<Key, Value>,
  max: number,
  key: Key,
  make: (key: Key) => Value,
): Value {
  if (cache.has(key)) return cache.get(key) as Value;
  const value = make(key);
  if (cache.size >= max) cache.clear();
  cache.set(key, value);
  return value;
}

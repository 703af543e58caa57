/**
 * Whether PostgreSQL stores a value as it is: no text in it, at any depth, has a NUL or half of a pair of surrogates. The
 * six characters `\\u0000` are ordinary text.
 */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && !/\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isStorable(inner));
}

/**
 * Whether PostgreSQL can store a value unchanged: no text in it, at any depth, contains a NUL or an unpaired surrogate.
 * The six characters `\\u0000` are ordinary text.
 *
 * @example isStorable('a\u0000b'); // false
 */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && !/\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isStorable(inner));
}

/**
 * `A`, `A and B`, `A, B and C`; with `or` as alternatives.
 *
 * @example joinNames(['Name', 'State', 'Owner'], 'or'); // 'Name, State or Owner'
 */
export function joinNames(names: readonly string[], word: 'and' | 'or' = 'and'): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

import { levels as allLevels, type Level } from '../definitions/definition';

/**
 * `A`, `A and B`, `A, B and C`; with `or` as alternatives.
 *
 * @example joinNames(['Name', 'State', 'Owner'], 'or'); // 'Name, State or Owner'
 */
export function joinNames(names: readonly string[], word: 'and' | 'or' = 'and'): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

/**
 * `level 4`, `levels 4 and 5`, `levels 2 to 6`: a run of at least `inRow` levels is shortened to its first and last.
 *
 * @example describeLevels([2, 3, 4, 5]); // 'levels 2 to 5'
 */
export function describeLevels(levels: readonly Level[], inRow = 4): string {
  const sorted = allLevels.filter((level) => levels.includes(level));
  if (sorted.length < 2) return `level ${sorted[0]}`;
  const [first, last] = [sorted[0]!, sorted.at(-1)!];
  const isRange = sorted.length >= inRow && last - first === sorted.length - 1;
  return `levels ${isRange ? `${first} to ${last}` : joinNames(sorted.map(String))}`;
}

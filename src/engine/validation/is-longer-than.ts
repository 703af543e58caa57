/**
 * Whether a text has more than so many characters. Those of a text that is certainly short enough, or certainly too long,
 * are not counted.
 *
 * @example isLongerThan('naïve', 4); // true
 */
export function isLongerThan(text: string, most: number): boolean {
  // A character has one or two UTF-16 units.
  if (text.length <= most) return false;
  return text.length > 2 * most || Array.from(text).length > most;
}

/**
 * Whether a text has more than so many characters. Those of a text that is certainly short enough, or certainly too long,
 * are not counted.
 *
 * @example isLongerThan('naïve', 4); // true
 */
export function isLongerThan(text: string, maximum: number): boolean {
  // A character has one or two UTF-16 units.
  if (text.length <= maximum) return false;
  return text.length > 2 * maximum || Array.from(text).length > maximum;
}

/**
 * Places where two sequences surely go on together: right after something that stands once in each, as many of them as
 * keep the same order in both. Between them, little is left to compare.
 */
export function anchors(before: readonly string[], after: readonly string[]): (readonly [number, number])[] {
  const [mine, theirs] = [onceIn(before), onceIn(after)];
  const pairs: { at: number; to: number; previous: number }[] = [];
  /** For every length, the pair that ends the sequence of that length soonest. */
  const ends: number[] = [];
  for (const [text, at] of mine) {
    const to = theirs.get(text);
    if (to === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]!.to < to) low = middle + 1;
      else high = middle;
    }
    ends[low] = pairs.length;
    pairs.push({ at, to, previous: low === 0 ? -1 : ends[low - 1]! });
  }
  const found: (readonly [number, number])[] = [];
  for (let one = ends.at(-1) ?? -1; one >= 0; one = pairs[one]!.previous)
    found.push([pairs[one]!.at + 1, pairs[one]!.to + 1]);
  return found.reverse();
}

/** What stands once, and where, in its order. */
function onceIn(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const twice = new Set<string>();
  lines.forEach((line, index) => (places.has(line) ? twice.add(line) : places.set(line, index)));
  for (const line of twice) places.delete(line);
  return places;
}

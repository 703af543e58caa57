/** The part of a stream that one source has loaded, newest first. */
export interface StreamPart<Entry> {
  readonly entries: readonly Entry[];
  /** The source has older ones. */
  readonly hasMore: boolean;
}

/** Entries of several sources in one order. */
export interface MergedStream<Entry> {
  /** Newest first, none twice; only those of which it is certain that nothing comes between them. */
  readonly entries: readonly Entry[];
  /** The places of the sources that have to load more before older entries can be shown. */
  readonly next: readonly number[];
}

/**
 * Merges what was loaded of several sources. A source that has more hides what others have that is older than its last
 * entry: its next page could come between.
 *
 * @example mergeStream([{ entries: comments, hasMore: true }, { entries: changes, hasMore: false }]).next; // [0]
 */
export function mergeStream<Entry extends { readonly key: string; readonly at: string }>(
  parts: readonly StreamPart<Entry>[],
): MergedStream<Entry> {
  const timeOf = ({ at: createdAt }: Entry) => Date.parse(createdAt);
  const partEnds = parts.map(({ entries, hasMore }) => {
    if (!hasMore) return -Infinity;
    const last = entries.at(-1);
    return last ? timeOf(last) : Infinity;
  });
  const end = Math.max(-Infinity, ...partEnds);
  const entriesByKey = new Map<string, Entry>();
  for (const entry of parts.flatMap(({ entries }) => entries))
    if (timeOf(entry) >= end && !entriesByKey.has(entry.key)) entriesByKey.set(entry.key, entry);
  return {
    entries: [...entriesByKey.values()].sort((left, right) => timeOf(right) - timeOf(left)),
    next: parts.flatMap(({ hasMore }, index) => (hasMore && partEnds[index] === end ? [index] : [])),
  };
}

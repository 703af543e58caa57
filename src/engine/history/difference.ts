/** A run of text, and on which side of a change it stands. */
export interface Run {
  readonly text: string;
  readonly side: 'both' | 'old' | 'new';
}

/** More words than this are not compared: the old text stands as a whole beside the new one. */
const most = 1500;

/**
 * The difference between two texts, word by word: what both have, what only the old one had, what only the new one has.
 * The runs of `both` and `old` make the old text, those of `both` and `new` the new one.
 */
export function difference(old: string, fresh: string): Run[] {
  const [before, after] = [words(old), words(fresh)];
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  const runs = [
    ...before.slice(0, start).map((text): Run => ({ text, side: 'both' })),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map((text): Run => ({ text, side: 'both' })),
  ];
  return joined(runs);
}

/** Words and the spaces between them. */
function words(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? [];
}

function middle(before: readonly string[], after: readonly string[]): Run[] {
  if (before.length > most || after.length > most) {
    return [
      ...before.map((text): Run => ({ text, side: 'old' })),
      ...after.map((text): Run => ({ text, side: 'new' })),
    ];
  }
  const longest = commonLengths(before, after);
  const runs: Run[] = [];
  let [at, to] = [0, 0];
  while (at < before.length || to < after.length) {
    if (at < before.length && to < after.length && before[at] === after[to]) {
      runs.push({ text: before[at]!, side: 'both' });
      at += 1;
      to += 1;
    } else if (to >= after.length || (at < before.length && longest[at + 1]![to]! >= longest[at]![to + 1]!)) {
      runs.push({ text: before[at]!, side: 'old' });
      at += 1;
    } else {
      runs.push({ text: after[to]!, side: 'new' });
      to += 1;
    }
  }
  return runs;
}

/** For every pair of ends, how many words the rests have in common. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let at = before.length - 1; at >= 0; at -= 1) {
    for (let to = after.length - 1; to >= 0; to -= 1) {
      table[at]![to] =
        before[at] === after[to] ? table[at + 1]![to + 1]! + 1 : Math.max(table[at + 1]![to]!, table[at]![to + 1]!);
    }
  }
  return table;
}

/** Neighbours of the same side as one; what was taken before what was put. */
function joined(runs: readonly Run[]): Run[] {
  const result: Run[] = [];
  for (const run of runs) {
    const last = result.at(-1);
    if (last?.side === run.side) result[result.length - 1] = { text: last.text + run.text, side: run.side };
    else result.push(run);
  }
  return result;
}

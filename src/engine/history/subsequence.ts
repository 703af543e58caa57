/** How two sequences go on together: this many of both, then so many of the old one alone, then so many of the new one. */
export interface Stretch {
  readonly both: number;
  readonly old: number;
  readonly fresh: number;
}

/**
 * The longest common subsequence of two sequences as stretches. Between what both begin and end with, where the product
 * of the two lengths is greater than `most`, nothing is compared: the old part stands as a whole beside the new one.
 */
export function compare(before: readonly string[], after: readonly string[], most: number): Stretch[] {
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
  const middle = between(before.slice(start, before.length - end), after.slice(start, after.length - end), most);
  return joined([{ both: start, old: 0, fresh: 0 }, ...middle, { both: end, old: 0, fresh: 0 }]);
}

function between(before: readonly string[], after: readonly string[], most: number): Stretch[] {
  if (before.length * after.length > most) return [{ both: 0, old: before.length, fresh: after.length }];
  const longest = commonLengths(before, after);
  const stretches: Stretch[] = [];
  let [at, to] = [0, 0];
  while (at < before.length || to < after.length) {
    if (at < before.length && to < after.length && before[at] === after[to]) {
      stretches.push({ both: 1, old: 0, fresh: 0 });
      at += 1;
      to += 1;
    } else if (to >= after.length || (at < before.length && longest[at + 1]![to]! >= longest[at]![to + 1]!)) {
      stretches.push({ both: 0, old: 1, fresh: 0 });
      at += 1;
    } else {
      stretches.push({ both: 0, old: 0, fresh: 1 });
      to += 1;
    }
  }
  return stretches;
}

/** For every pair of ends, how much the rests have in common. */
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

/** Stretches as long as they can be. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = [];
  for (const { both, old, fresh } of stretches) {
    const last = result.at(-1);
    if (last && (both === 0 || (last.old === 0 && last.fresh === 0))) {
      result[result.length - 1] = { both: last.both + both, old: last.old + old, fresh: last.fresh + fresh };
    } else {
      result.push({ both, old, fresh });
    }
  }
  return result.filter(({ both, old, fresh }) => both + old + fresh > 0);
}

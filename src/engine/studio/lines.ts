import { compare, type Stretch } from '../history/subsequence';
import { anchors } from './anchors';

/** A line of two texts side by side; a side without a line of its own is null. Lines count from 1. */
export interface Row {
  /** `changed`: a line that was taken, and the one that stands in its place. */
  readonly kind: 'same' | 'removed' | 'added' | 'changed';
  readonly left: Line | null;
  readonly right: Line | null;
}

export interface Line {
  readonly number: number;
  readonly text: string;
}

/** Lines that both texts have, taken together. */
export interface Fold {
  readonly kind: 'fold';
  readonly rows: readonly Row[];
}

/** The greatest product of two numbers of lines that are compared line by line. */
const most = 2_000_000;

/** Two texts side by side, line by line. */
export function compareLines(old: string, fresh: string): Row[] {
  const [before, after] = [linesOf(old), linesOf(fresh)];
  const rows: Row[] = [];
  let [at, to] = [0, 0];
  for (const [end, stop] of [...anchors(before, after), [before.length, after.length] as const]) {
    const stretches = compare(before.slice(at, end), after.slice(to, stop), most);
    rows.push(...rowsOf(before.slice(at, end), after.slice(to, stop), stretches, at, to));
    [at, to] = [end, stop];
  }
  return rows;
}

/** How many lines were taken and how many put; a changed one counts on both sides. */
export function countLines(rows: readonly Row[]): { removed: number; added: number } {
  return {
    removed: rows.filter(({ kind }) => kind === 'removed' || kind === 'changed').length,
    added: rows.filter(({ kind }) => kind === 'added' || kind === 'changed').length,
  };
}

/** The rows with long runs of equal lines folded: `around` of them stay to see beside what differs. */
export function folded(rows: readonly Row[], around = 3): (Row | Fold)[] {
  const near = new Set<number>();
  rows.forEach((row, index) => {
    if (row.kind === 'same') return;
    for (let one = index - around; one <= index + around; one += 1) near.add(one);
  });
  const result: (Row | Fold)[] = [];
  for (let index = 0; index < rows.length;) {
    let end = index;
    while (end < rows.length && !near.has(end)) end += 1;
    // A fold takes a line itself: one that hides a single line would hide it for nothing.
    if (end - index > 1) result.push({ kind: 'fold', rows: rows.slice(index, end) });
    else result.push(...rows.slice(index, end));
    if (end < rows.length) result.push(rows[end]!);
    index = end + 1;
  }
  return result;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function rowsOf(
  before: readonly string[],
  after: readonly string[],
  stretches: readonly Stretch[],
  at: number,
  to: number,
): Row[] {
  const rows: Row[] = [];
  let [left, right] = [0, 0];
  const next = (kind: Row['kind'], old: boolean, fresh: boolean) => {
    rows.push({
      kind,
      left: old ? { number: at + left + 1, text: before[left]! } : null,
      right: fresh ? { number: to + right + 1, text: after[right]! } : null,
    });
    if (old) left += 1;
    if (fresh) right += 1;
  };
  for (const stretch of stretches) {
    for (let one = 0; one < stretch.both; one += 1) next('same', true, true);
    const opposite = compare(
      before.slice(left, left + stretch.old).map(head),
      after.slice(right, right + stretch.fresh).map(head),
      most,
    );
    for (const { both, old, fresh } of opposite) {
      for (let one = 0; one < both + Math.min(old, fresh); one += 1)
        next(before[left] === after[right] ? 'same' : 'changed', true, true);
      for (let one = fresh; one < old; one += 1) next('removed', true, false);
      for (let one = old; one < fresh; one += 1) next('added', false, true);
    }
  }
  return rows;
}

/** What a line of JSON is about: its indentation and its key. */
function head(line: string): string {
  return /^\s*"[^"]*":/.exec(line)?.[0] ?? line;
}

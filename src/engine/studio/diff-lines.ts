import { diffArrays } from 'diff';
import { itemAt } from '../values/lookups';

/** A line of two texts side by side; a side without a line there is null. Lines count from 1. */
export interface DiffRow {
  /** `changed`: a line that was removed, and the one in its place. */
  readonly kind: 'same' | 'removed' | 'added' | 'changed';
  readonly left: DiffLine | null;
  readonly right: DiffLine | null;
}

export interface DiffLine {
  readonly number: number;
  readonly text: string;
}

/** Lines that both texts have, taken together. */
export interface DiffFold {
  readonly kind: 'fold';
  readonly rows: readonly DiffRow[];
}

/** Texts with more lines removed and added than this are not compared: the time grows with its square. */
const maxEditLength = 500;

/**
 * Two texts of JSON side by side, line by line. Within what differs, lines of the same key are opposite each other.
 *
 * @example compareLines('{\n  "a": 1\n}', '{\n  "a": 2\n}')[1]; // { kind: 'changed', left: …, right: … }
 */
export function compareLines(oldText: string, newText: string): DiffRow[] {
  const rows: DiffRow[] = [];
  let [left, right] = [0, 0];
  const add = (oldLines: readonly string[], newLines: readonly string[]) => {
    for (let index = 0; index < Math.max(oldLines.length, newLines.length); index += 1)
      rows.push(rowOf(lineAt(oldLines, index, left), lineAt(newLines, index, right)));
    left += oldLines.length;
    right += newLines.length;
  };
  for (const [oldLines, newLines] of stretches(linesOf(oldText), linesOf(newText), (line) => line))
    for (const pair of stretches(oldLines, newLines, keyOf)) add(...pair);
  return rows;
}

/**
 * How many lines were removed and how many added; a changed one counts on both sides.
 *
 * @example countLines(rows); // { removed: 2, added: 3 }
 */
export function countLines(rows: readonly DiffRow[]): { removed: number; added: number } {
  return {
    removed: rows.filter(({ kind }) => kind === 'removed' || kind === 'changed').length,
    added: rows.filter(({ kind }) => kind === 'added' || kind === 'changed').length,
  };
}

/**
 * The rows with long runs of equal lines folded: `context` of them stay to see beside what differs.
 *
 * @example foldEqualRows(rows, 2).length;
 */
export function foldEqualRows(rows: readonly DiffRow[], context = 3): (DiffRow | DiffFold)[] {
  const shownIndexes = new Set<number>();
  rows.forEach((row, index) => {
    if (row.kind === 'same') return;
    for (let shownIndex = index - context; shownIndex <= index + context; shownIndex += 1) shownIndexes.add(shownIndex);
  });
  const result: (DiffRow | DiffFold)[] = [];
  for (let index = 0; index < rows.length;) {
    let end = index;
    while (end < rows.length && !shownIndexes.has(end)) end += 1;
    // A fold takes a line itself: one that hides a single line would hide it for nothing.
    if (end - index > 1) result.push({ kind: 'fold', rows: rows.slice(index, end) });
    else result.push(...rows.slice(index, end));
    if (end < rows.length) result.push(itemAt(rows, end));
    index = end + 1;
  }
  return result;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Two sequences in stretches that follow each other: those that both have, by what `keyOf` makes of an entry, and those
 * that differ, as a whole.
 */
function stretches(
  oldLines: readonly string[],
  newLines: readonly string[],
  keyOf: (line: string) => string,
): [before: readonly string[], after: readonly string[]][] {
  const changes = diffArrays(oldLines.map(keyOf), newLines.map(keyOf), { maxEditLength });
  if (!changes) return [[oldLines, newLines]];
  const result: [readonly string[], readonly string[]][] = [];
  let [left, right] = [0, 0];
  for (let index = 0; index < changes.length; index += 1) {
    const [change, next] = [itemAt(changes, index), changes[index + 1]];
    const [start, begin] = [left, right];
    if (!change.added) left += change.count;
    if (!change.removed) right += change.count;
    if (change.removed && next?.added) {
      right += next.count;
      index += 1;
    }
    result.push([oldLines.slice(start, left), newLines.slice(begin, right)]);
  }
  return result;
}

function lineAt(lines: readonly string[], index: number, lineCount: number): DiffLine | null {
  return index < lines.length ? { number: lineCount + index + 1, text: itemAt(lines, index) } : null;
}

function rowOf(left: DiffLine | null, right: DiffLine | null): DiffRow {
  if (left === null) return { kind: 'added', left, right };
  if (right === null) return { kind: 'removed', left, right };
  return { kind: left.text === right.text ? 'same' : 'changed', left, right };
}

/** The subject of a line of JSON: its indentation and its key. */
function keyOf(line: string): string {
  return /^\s*"[^"]*":/.exec(line)?.[0] ?? line;
}

import type { SheetRow } from '../../../engine/imports/join-rows';

/** `\n` as two characters, except after a drive letter as in `C:\new`. */
const writtenLineBreak = /(?<![A-Za-z]:)(?:\\r)?\\n/;
const writtenLineBreaks = new RegExp(writtenLineBreak, 'g');

/** A Windows or network path. */
const filePath = /(^|\s)([A-Za-z]:\\|\\\\\w)/;

/**
 * Finds columns in which line breaks are written as `\n`: most of their cells contain it, and none has a real line
 * break. Returns the rows with real line breaks there, and the columns.
 */
export function replaceWrittenLineBreaks(rows: readonly SheetRow[]): {
  rows: readonly SheetRow[];
  breaks: readonly number[];
} {
  const counts: { filled: number; written: number; real: boolean }[] = [];
  for (const { cells } of rows) {
    cells.forEach((cell, index) => {
      if (cell.trim() === '') return;
      const count = (counts[index] ??= { filled: 0, written: 0, real: false });
      count.filled++;
      if (writtenLineBreak.test(cell) && !filePath.test(cell)) count.written++;
      count.real ||= cell.includes('\n');
    });
  }
  const breaks = Object.entries(counts).flatMap(([index, { filled, written: said, real }]) =>
    !real && said > filled / 2 ? [Number(index)] : [],
  );
  if (breaks.length === 0) return { rows, breaks };
  const isBroken = new Set(breaks);
  const replaced = rows.map(({ number, cells }) => ({
    number,
    cells: cells.map((cell, index) => (isBroken.has(index) ? cell.replace(writtenLineBreaks, '\n') : cell)),
  }));
  return { rows: replaced, breaks };
}

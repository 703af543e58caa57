import { rowColumnAt } from '../field-types/row-definition';
import type { Definition } from '../definitions/definition';
import { labelAt, type ImportTarget, type MatchedColumn } from './headings';
import type { SheetRow } from './join-rows';
import { itemAt } from '../values/lookups';
import { importOf } from '../definitions/accessors';

/**
 * The lines of `1. Open it`, `2. Close it`, each with what follows it; nothing for any other text.
 *
 * @example numberedLines('1. Open it\n2. Close it'); // ['Open it', 'Close it']
 */
export function numberedLines(text: string): readonly string[] {
  const parts = text.trim().split(/^\s*(\d+)[.)]\s+/m);
  if (parts[0] !== '' || parts.length < 3) return [];
  const lines: string[] = [];
  for (let index = 1; index < parts.length; index += 2) {
    const isNext = Number(parts[index]) === lines.length + 1;
    if (isNext) lines.push(itemAt(parts, index + 1).trim());
    else lines.push(`${lines.pop() ?? ''}\n${parts[index]}. ${itemAt(parts, index + 1).trim()}`);
  }
  return lines;
}

/** Whether a cell has several numbered lines. */
const isNumbered = (text: string) => numberedLines(text).length > 1;

/**
 * The columns of a file whose numbered text can be split into rows, and the column of rows that each fills then.
 *
 * @example splitColumns(definition, columns, targets).get(2); // 'steps.action'
 */
export function splitColumns(
  definition: Definition,
  columns: readonly MatchedColumn[],
  targets: readonly ImportTarget[],
): ReadonlyMap<number, string> {
  const { splits } = importOf(definition);
  return new Map(
    columns.flatMap(({ field }, index) => {
      if (field === null) return [];
      const path = rowColumnAt(definition, field) ? field : splits[field];
      return path !== undefined && targets.some(({ value }) => value === path) ? [[index, path] as const] : [];
    }),
  );
}

/**
 * The columns with their numbered text in rows: those that fill texts fill columns of rows.
 *
 * @example withSplitColumns(definition, columns, splitColumns(definition, columns, targets))[2]?.field; // 'steps.action'
 */
export function withSplitColumns(
  definition: Definition,
  columns: readonly MatchedColumn[],
  split: ReadonlyMap<number, string>,
): readonly MatchedColumn[] {
  return columns.map((column, index) => {
    const path = split.get(index);
    return path === undefined ? column : { ...column, field: path, label: labelAt(definition, path) ?? path };
  });
}

/**
 * Whether a row has numbered text in one of these columns.
 *
 * @example hasNumberedText({ number: 2, cells: ['1. Open it\n2. Close it'] }, [0]); // true
 */
export function hasNumberedText(row: SheetRow, columns: Iterable<number>): boolean {
  return [...columns].some((index) => isNumbered(row.cells[index] ?? ''));
}

/**
 * A row as several of the same number, one for each numbered line; the first has all other cells.
 *
 * @example splitRow({ number: 2, cells: ['Pays', '1. Open it\n2. Close it'] }, [1]).length; // 2
 */
export function splitRow(row: SheetRow, columns: Iterable<number>): readonly SheetRow[] {
  const texts = [...columns].map((index) => {
    const text = row.cells[index] ?? '';
    return { index, lines: isNumbered(text) ? numberedLines(text) : [text] };
  });
  const count = Math.max(1, ...texts.map(({ lines }) => lines.length));
  if (count === 1) return [row];
  return Array.from({ length: count }, (_, lineIndex) => {
    const cells = lineIndex === 0 ? [...row.cells] : row.cells.map(() => '');
    for (const { index, lines } of texts) cells[index] = lines[lineIndex] ?? '';
    return lineIndex === 0 ? { ...row, cells } : { number: row.number, cells };
  });
}

import type { ImportDefinition, ImportTool } from '../definitions/definition';
import { normaliseHeading, type MatchedColumn } from './headings';
import { firstOf } from '../values/lookups';

/** A row of a file as text, numbered as a spreadsheet does. */
export interface SheetRow {
  readonly number: number;
  readonly cells: readonly string[];
  /** Columns whose value comes from a merged cell that begins in a row above. */
  readonly repeated?: readonly number[];
  /** The files that the document has for the record of this row. */
  readonly files?: readonly EnclosedFile[];
}

/** A file within the document that is imported: its content as base64, or why it is left out, as a sentence. */
export type EnclosedFile = {
  /** The field with several files that it is for. */
  readonly field: string;
  readonly name: string;
} & ({ readonly base64: string } | { readonly reason: string });

/** The rows of one record, and its cells: the first row's, with those of steps joined. */
export interface JoinedRow {
  readonly rows: readonly SheetRow[];
  readonly cells: readonly string[];
}

/** Joins rows that come one after the other. */
export interface RowJoiner {
  /** Takes the next row; returns the record above it if the row starts another one. */
  next(row: SheetRow): JoinedRow | undefined;
  /** The last record, after the last row. */
  end(): JoinedRow | undefined;
}

/**
 * Joins rows into records. A row continues the record above if it contains only steps and their number, or if the key
 * column has the same value and the title's columns add nothing else. In files of a known program, unmapped columns do
 * not start a record either; nor does what a merged cell says of all rows that it covers. The columns of rows (`isOfRows`) are as those of steps, but stay apart. Steps from several rows are numbered; columns that fill the same steps field are written
 * below each other in the first of them.
 *
 * @example const joiner = createRowJoiner(definition.import, columns);
 */
export function createRowJoiner(
  importDefinition: ImportDefinition,
  columns: readonly MatchedColumn[],
  tool?: ImportTool,
  isOfRows: (column: MatchedColumn) => boolean = () => false,
): RowJoiner {
  const steps = new Map<string, number[]>();
  columns.forEach(({ field }, index) => {
    if (field === null || !importDefinition.steps.includes(field)) return;
    steps.set(field, [...(steps.get(field) ?? []), index]);
  });
  const ofRows = columns.flatMap((column, index) => (isOfRows(column) ? [index] : []));
  const ofSteps = new Set([...[...steps.values()].flat(), ...ofRows]);
  const unmatched = (headings: readonly string[]) => {
    const normalisedHeadings = new Set(headings.map(normaliseHeading));
    return columns.flatMap(({ heading, field }, index) =>
      field === null && normalisedHeadings.has(normaliseHeading(heading)) ? [index] : [],
    );
  };
  const [key = -1] = unmatched(importDefinition.key);
  const matchedIndexes = columns.flatMap(({ field }, index) => (field !== null && !ofSteps.has(index) ? [index] : []));
  const ignoredIndexes = new Set([
    ...ofSteps,
    ...unmatched(importDefinition.numbers),
    ...columns.flatMap(({ by: matchedBy }, index) => (matchedBy === 'errors' ? [index] : [])),
  ]);
  const startIndexes = columns.flatMap((_, index) =>
    ignoredIndexes.has(index) || (tool && index !== key && !matchedIndexes.includes(index)) ? [] : [index],
  );
  let group: SheetRow[] = [];

  const end = (): JoinedRow | undefined =>
    group.length === 0 ? undefined : { rows: group, cells: joinSteps(group, [...steps.values()]) };
  return {
    end,
    next(row) {
      if (group.length > 0 && goesOn(row, firstOf(group))) {
        group.push(row);
        return undefined;
      }
      const finishedRow = end();
      group = [row];
      return finishedRow;
    },
  };

  function goesOn(row: SheetRow, first: SheetRow): boolean {
    if (![...ofSteps].some((index) => hasText(row, index))) return false;
    if (!startIndexes.some((index) => hasText(row, index) && !row.repeated?.includes(index))) return true;
    if (key < 0 || !hasText(row, key) || row.cells[key] !== first.cells[key]) return false;
    return matchedIndexes.every((index) => !hasText(row, index) || row.cells[index] === first.cells[index]);
  }
}

const textOf = (row: SheetRow, index: number): string => (row.cells[index] ?? '').trim();

function hasText(row: SheetRow, index: number): boolean {
  return textOf(row, index) !== '';
}

function joinSteps(group: readonly SheetRow[], steps: readonly (readonly number[])[]): readonly string[] {
  const rows = group.filter((row) => steps.flat().some((index) => hasText(row, index)));
  const cells = [...firstOf(group).cells];
  for (const columns of steps) {
    const texts = rows.map((row) =>
      columns
        .map((index) => unquoteSteps(textOf(row, index)))
        .filter((text) => text !== '')
        .join('\n'),
    );
    const lines = texts.flatMap((text, rowIndex) => (text === '' ? [] : [numberStep(text, rowIndex, rows.length)]));
    columns.forEach((index, columnIndex) => (cells[index] = columnIndex === 0 ? lines.join('\n') : ''));
  }
  return cells;
}

const quotedLine = /^(\d+[.)]) "(.*)"$/;

/** The steps of a cell without the quotes that some programs add: `1. "Open it"`. */
function unquoteSteps(text: string): string {
  const lines = text.split('\n');
  if (!lines.every((line) => quotedLine.test(line))) return text;
  const steps = lines.map((line) => {
    const [, number, quotedText = ''] = quotedLine.exec(line) ?? [];
    return { number, said: quotedText.replaceAll('\\"', '"').replaceAll('\\n', '\n').trim() };
  });
  return steps.flatMap(({ number, said: stepText }) => (stepText === '' ? [] : [`${number} ${stepText}`])).join('\n');
}

/** A step with its number before it, unless it is the only one or has one already. */
function numberStep(text: string, index: number, count: number): string {
  return count === 1 || /^\d+[.)]\s/.test(text) ? text : `${index + 1}. ${text}`;
}

import { numberedLines } from '../../engine/imports/numbered-lines';
import type { SheetRow } from '../../engine/imports/join-rows';
import { normaliseHeading } from '../../engine/imports/headings';
import type { SheetFile } from '../../server/imports/reading/sheet-file';
import { plainText, sectionCells, sectionHeadings } from './foreign-case';

/** Tells that a spreadsheet has a row for each step. */
export const stepIndexHeading = 'Steps (Index)';

/** Spreadsheets of TestRail and Qase with a row for each step and columns for their sections; others as they are. */
export function rewriteSpreadsheet(file: SheetFile): SheetFile {
  const indexes = new Map(file.headings.map((heading, index) => [normaliseHeading(heading), index]));
  const indexOf = (heading: string) => indexes.get(normaliseHeading(heading)) ?? -1;
  const isOf = (...headings: readonly string[]) => headings.every((heading) => indexOf(heading) >= 0);
  if (isOf('Issue Type', 'Action', 'Result') || isOf('Precondition Type')) return rewriteXray(file, indexOf);
  if (isOf('Test Script (Step-by-Step) - Step')) return withPlainText(file, [indexOf('Name'), indexOf('Key')]);
  if (isOf('Test Step Description', 'Name')) return withPlainText(file, [indexOf('Name'), indexOf('Id')]);
  if (isOf('Step Description', 'Step Position')) return withPlainText(file, [indexOf('Name'), indexOf('Id')]);
  if (sectionHeadings.some((heading) => indexOf(heading) >= 0)) return file;
  if (indexOf('Section Hierarchy') >= 0 && indexOf('Title') >= 0) return rewriteTestRail(file, indexOf);
  if (indexOf('steps_actions') >= 0 && indexOf('steps_type') >= 0) return rewriteQase(file, indexOf);
  return file;
}

/** A row with further cells at its end. */
const extend = ({ headings }: SheetFile, { number, cells }: SheetRow, addedCells: readonly string[]): SheetRow => ({
  number,
  cells: [...headings.map((_, index) => cells[index] ?? ''), ...addedCells],
});

/** The file with its HTML as text, except in some columns, which have none. */
function withPlainText(file: SheetFile, plainColumns: readonly number[]): SheetFile {
  const rows = file.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, index) => (plainColumns.includes(index) ? cell : plainText(cell))),
  }));
  return { ...file, rows };
}

function rewriteTestRail(writtenFile: SheetFile, indexOf: (heading: string) => number): SheetFile {
  const file = withPlainText(writtenFile, ['ID', 'Title', 'Section', 'Section Hierarchy'].map(indexOf));
  const [title, hierarchy, section, action, expectedColumn, index] = [
    'Title',
    'Section Hierarchy',
    'Section',
    'Steps (Step)',
    'Steps (Expected Result)',
    stepIndexHeading,
  ].map(indexOf) as [number, number, number, number, number, number];
  const isOurs = index >= 0;
  const rows = file.rows.flatMap((row, position): SheetRow[] => {
    const { cells } = row;
    const cellText = (column: number) => (cells[column] ?? '').trim();
    const sections = cellText(title) === '' ? [] : testRailSections(cellText(hierarchy), cellText(section), isOurs);
    const extendedRow = extend(file, { ...row, cells }, sectionCells(sections));
    const goesOn = file.rows[position + 1]?.cells[title]?.trim() === '';
    const steps = isOurs || goesOn ? [] : numberedLines(cellText(action));
    if (steps.length < 2) return [extendedRow];
    return splitRow(extendedRow, [
      [action, steps],
      [expectedColumn, numberedLines(cellText(expectedColumn))],
    ]);
  });
  return { ...file, headings: [...file.headings, ...sectionHeadings], rows };
}

/**
 * `Shop > Pay`; the name of the last one is also alone, so that it can have a `>` itself. So can both of ours, which are
 * never more than two.
 */
function testRailSections(hierarchy: string, section: string, isOurs: boolean): readonly string[] {
  if (section !== '' && hierarchy === section) return [section];
  const end = ` > ${section}`;
  if (section === '' || !hierarchy.endsWith(end)) return hierarchy.split(' > ');
  const parentText = hierarchy.slice(0, -end.length);
  return [...(isOurs ? [parentText] : parentText.split(' > ')), section];
}

/** A row as several: the first has the rest of its cells, each has its own of some columns. */
function splitRow(row: SheetRow, columns: readonly (readonly [index: number, lines: readonly string[]])[]): SheetRow[] {
  const count = Math.max(...columns.map(([, lines]) => lines.length), 1);
  return Array.from({ length: count }, (_, position) => {
    const cells = position === 0 ? [...row.cells] : row.cells.map(() => '');
    for (const [index, lines] of columns) if (index >= 0) cells[index] = lines[position] ?? '';
    return { number: row.number, cells };
  });
}

/** Kinds of issues in files of Xray that are no tests. */
const xrayPrecondition = /^pre-?condition$/i;

/**
 * Tests have the texts of the preconditions that they refer to by number or key; the rows of preconditions themselves
 * are no test cases (`skip` in the definition of the import).
 */
function rewriteXray(file: SheetFile, indexOf: (heading: string) => number): SheetFile {
  const [type, id, key, text] = ['Issue Type', 'Issue ID', 'Issue Key', 'Description'].map(indexOf) as number[];
  const [title, definition] = [
    Math.max(indexOf('Test Summary'), indexOf('Summary')),
    Math.max(indexOf('Unstructured Definition'), indexOf('Precondition Definition')),
  ];
  const condition = ['Precondition', 'Preconditions', 'Pre-conditions'].map(indexOf).find((index) => index >= 0) ?? -1;
  const cellText = ({ cells }: SheetRow, index: number | undefined) => (cells[index ?? -1] ?? '').trim();
  const texts = new Map<string, string>();
  for (const row of file.rows) {
    if (!xrayPrecondition.test(cellText(row, type))) continue;
    const actionText = [cellText(row, title), cellText(row, definition), cellText(row, text)]
      .filter((part) => part !== '')
      .join(': ');
    for (const name of [cellText(row, id), cellText(row, key)]) if (name !== '') texts.set(name, actionText);
  }
  if (texts.size === 0 || condition < 0) return file;
  const rows = file.rows.map((row): SheetRow => {
    const names = cellText(row, condition)
      .split(/[;,\n]/)
      .map((name) => name.trim());
    if (!names.some((name) => texts.has(name))) return row;
    const cells = [...row.cells];
    cells[condition] = names.map((name) => texts.get(name) ?? name).join('\n');
    return { ...row, cells };
  });
  return { ...file, rows };
}

function rewriteQase(file: SheetFile, indexOf: (heading: string) => number): SheetFile {
  const [id, parent, suite, type] = ['suite_id', 'suite_parent_id', 'suite', 'steps_type'].map(indexOf) as [
    number,
    number,
    number,
    number,
  ];
  const lists = ['steps_actions', 'steps_result', 'steps_results', 'steps_data']
    .map(indexOf)
    .filter((index) => index >= 0);
  const suites = new Map(
    file.rows.flatMap(({ cells }) =>
      cells[id] && cells[suite] ? [[cells[id], { name: cells[suite], parent: cells[parent] ?? '' }] as const] : [],
    ),
  );
  const sectionsOf = (suiteId: string, visitedIds: readonly string[] = []): readonly string[] => {
    const parentSuite = visitedIds.includes(suiteId) ? undefined : suites.get(suiteId);
    return parentSuite ? [...sectionsOf(parentSuite.parent, [...visitedIds, suiteId]), parentSuite.name] : [];
  };
  const rows = file.rows.flatMap((row): SheetRow[] => {
    const extendedRow = extend(file, row, sectionCells(sectionsOf(row.cells[id] ?? '')));
    const isGherkin = row.cells[type]?.trim() === 'gherkin';
    const steps = lists.map((index) => [index, quotedLines(row.cells[index] ?? '', isGherkin)] as const);
    return steps.some(([, lines]) => lines.length > 0) ? splitRow(extendedRow, steps) : [extendedRow];
  });
  return { ...file, headings: [...file.headings, ...sectionHeadings], rows };
}

/** The steps in `1. "Open it"`, in which quotation marks and line breaks have a backslash; without quotes they are Gherkin. */
function quotedLines(text: string, isGherkin: boolean): readonly string[] {
  const quotedTexts = [...text.matchAll(/^\s*\d+\. "((?:[^"\\]|\\.)*)"\s*$/gms)].map(([, quotedText = '']) =>
    quotedText.replace(/\\(.)/gs, (_, sign: string) => (sign === 'n' ? '\n' : sign)).trim(),
  );
  if (quotedTexts.length > 0) return quotedTexts;
  return isGherkin ? numberedLines(text.trim()) : text.trim() === '' ? [] : [text.trim()];
}

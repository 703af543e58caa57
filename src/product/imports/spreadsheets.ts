import type { SheetRow } from '../../engine/imports/join-rows';
import { normaliseHeading } from '../../engine/imports/headings';
import type { SheetFile } from '../../server/imports/reading/sheet-file';
import { sectionCells, sectionHeadings } from './foreign-case';

/** Tells that a spreadsheet has a row for each step, and quotes what it would take for a formula. */
export const stepIndexHeading = 'Steps (Index)';

/** What a spreadsheet takes for a formula, with the apostrophes that prevent it. */
export const formulaStart = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Spreadsheets of TestRail and Qase with a row for each step and columns for their sections; others as they are. */
export function rewriteSpreadsheet(file: SheetFile): SheetFile {
  const places = new Map(file.headings.map((heading, index) => [normaliseHeading(heading), index]));
  const at = (heading: string) => places.get(normaliseHeading(heading)) ?? -1;
  if (sectionHeadings.some((heading) => at(heading) >= 0)) return file;
  if (at('Section Hierarchy') >= 0 && at('Title') >= 0) return rewriteTestRail(file, at);
  if (at('steps_actions') >= 0 && at('steps_type') >= 0) return rewriteQase(file, at);
  return file;
}

/** A row with further cells at its end. */
const extend = ({ headings }: SheetFile, { number, cells }: SheetRow, more: readonly string[]): SheetRow => ({
  number,
  cells: [...headings.map((_, index) => cells[index] ?? ''), ...more],
});

function rewriteTestRail(file: SheetFile, at: (heading: string) => number): SheetFile {
  const [title, hierarchy, section, action, expected, index] = [
    'Title',
    'Section Hierarchy',
    'Section',
    'Steps (Step)',
    'Steps (Expected Result)',
    stepIndexHeading,
  ].map(at) as [number, number, number, number, number, number];
  const isOurs = index >= 0;
  const rows = file.rows.flatMap((row, place): SheetRow[] => {
    const cells = isOurs ? row.cells.map(unquoteFormula) : row.cells;
    const said = (column: number) => (cells[column] ?? '').trim();
    const sections = said(title) === '' ? [] : testRailSections(said(hierarchy), said(section), isOurs);
    const whole = extend(file, { ...row, cells }, sectionCells(sections));
    const goesOn = file.rows[place + 1]?.cells[title]?.trim() === '';
    const steps = isOurs || goesOn ? [] : numberedLines(said(action));
    if (steps.length < 2) return [whole];
    return splitRow(whole, [
      [action, steps],
      [expected, numberedLines(said(expected))],
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
  const above = hierarchy.slice(0, -end.length);
  return [...(isOurs ? [above] : above.split(' > ')), section];
}

const unquoteFormula = (cell: string) => (/^'/.test(cell) && formulaStart.test(cell) ? cell.slice(1) : cell);

/** The lines of `1. Open it`, `2. Close it`, each with what follows it; nothing for any other text. */
function numberedLines(text: string): readonly string[] {
  const parts = text.split(/^(\d+)\. /m);
  if (parts[0] !== '' || parts.length < 3) return [];
  const lines: string[] = [];
  for (let index = 1; index < parts.length; index += 2) {
    const isNext = Number(parts[index]) === lines.length + 1;
    if (isNext) lines.push(parts[index + 1]!.trim());
    else lines.push(`${lines.pop() ?? ''}\n${parts[index]}. ${parts[index + 1]!.trim()}`);
  }
  return lines;
}

/** A row as several: the first has the rest of its cells, each has its own of some columns. */
function splitRow(row: SheetRow, columns: readonly (readonly [index: number, lines: readonly string[]])[]): SheetRow[] {
  const count = Math.max(...columns.map(([, lines]) => lines.length), 1);
  return Array.from({ length: count }, (_, place) => {
    const cells = place === 0 ? [...row.cells] : row.cells.map(() => '');
    for (const [index, lines] of columns) if (index >= 0) cells[index] = lines[place] ?? '';
    return { number: row.number, cells };
  });
}

function rewriteQase(file: SheetFile, at: (heading: string) => number): SheetFile {
  const [id, parent, suite, type] = ['suite_id', 'suite_parent_id', 'suite', 'steps_type'].map(at) as [
    number,
    number,
    number,
    number,
  ];
  const lists = ['steps_actions', 'steps_result', 'steps_results', 'steps_data'].map(at).filter((index) => index >= 0);
  const suites = new Map(
    file.rows.flatMap(({ cells }) =>
      cells[id] && cells[suite] ? [[cells[id], { name: cells[suite], parent: cells[parent] ?? '' }] as const] : [],
    ),
  );
  const sectionsOf = (own: string, known: readonly string[] = []): readonly string[] => {
    const found = known.includes(own) ? undefined : suites.get(own);
    return found ? [...sectionsOf(found.parent, [...known, own]), found.name] : [];
  };
  const rows = file.rows.flatMap((row): SheetRow[] => {
    const whole = extend(file, row, sectionCells(sectionsOf(row.cells[id] ?? '')));
    const isGherkin = row.cells[type]?.trim() === 'gherkin';
    const steps = lists.map((index) => [index, quotedLines(row.cells[index] ?? '', isGherkin)] as const);
    return steps.some(([, lines]) => lines.length > 0) ? splitRow(whole, steps) : [whole];
  });
  return { ...file, headings: [...file.headings, ...sectionHeadings], rows };
}

/** The steps in `1. "Open it"`, in which quotation marks and line breaks have a backslash; without quotes they are Gherkin. */
function quotedLines(text: string, isGherkin: boolean): readonly string[] {
  const quoted = [...text.matchAll(/^\s*\d+\. "((?:[^"\\]|\\.)*)"\s*$/gms)].map(([, said]) =>
    said!.replace(/\\(.)/gs, (_, sign: string) => (sign === 'n' ? '\n' : sign)).trim(),
  );
  if (quoted.length > 0) return quoted;
  return isGherkin ? numberedLines(text.trim()) : text.trim() === '' ? [] : [text.trim()];
}

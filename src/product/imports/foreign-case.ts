import { normaliseHeading } from '../../engine/imports/headings';
import type { SheetRow } from '../../engine/imports/join-rows';
import { markupToText } from '../../engine/formats/markup-to-text';
import { UnreadableFile } from '../../server/imports/reading/sheet-file';
import { ownProperty, propertyOf, requireValue } from '../../engine/values/lookups';

/** A step of a test case of another program, and its line in the file. */
export interface ForeignStep {
  readonly line: number;
  readonly action: string;
  readonly data: string;
  readonly expected: string;
}

/** The facts of a test case of another program beside its title, sections and steps, by the headings of an import. */
export type ForeignFacts = Readonly<Partial<Record<(typeof factHeadings)[number], string>>>;

/** A test case as another program wrote it, with the line where it begins. */
export interface ForeignCase {
  readonly line: number;
  readonly id: string;
  readonly title: string;
  /** The names of its sections, the outermost first. */
  readonly sections: readonly string[];
  readonly facts: ForeignFacts;
  /** Texts without a field, by their headings: the preview shows them as not imported. */
  readonly others?: Readonly<Record<string, string>>;
  /** Texts without a field that are kept: lines below the description. */
  readonly notes?: readonly string[];
  readonly steps: readonly ForeignStep[];
  /** Files that the other program keeps, and where: they are not fetched. */
  readonly links?: readonly ForeignLink[];
  /** Files that are in the document itself. */
  readonly files?: readonly ForeignFile[];
}

/** A file in the document: its content as base64, or why it has no place here, as a sentence. */
export type ForeignFile = { readonly name: string } & ({ readonly base64: string } | { readonly reason: string });

/** A file of another program. */
export interface ForeignLink {
  readonly name: string;
  readonly address: string;
}

/** Headings that name a field of ours come first; the others are shown in the preview as what is not imported. */
const factHeadings = [
  'Type',
  'Priority',
  'Status',
  'Assigned To',
  'Description',
  'Pre-conditions',
  'Test Data',
  'Steps to Reproduce',
  'Expected Result',
  'Postconditions',
  'Estimate',
  'Owner Key',
  'Attachments',
] as const;

/** The heading of files whose addresses are kept, which says where. */
const linksHeading = 'Attachments (Links in Description)';

/** The field of test cases that has their files. */
const filesField = 'attachments';

/** The headings of sections and steps. */
export const sectionHeadings = ['Module', 'Sub Module'] as const;
const stepHeadings = ['Steps: Action', 'Steps: Data', 'Steps: Expected'] as const;

/** More sections within each other than any of these programs has. */
const maxDepth = 100;

/**
 * Test cases as rows of a sheet, headings first: a row for each step, of which only the first has the rest. A case begins
 * in the row of its line, or in the next free one. `idHeading` tells the import which program wrote the file. Throws
 * UnreadableFile for a case without a title, by its line.
 */
export function sheetRows(idHeading: string, cases: readonly ForeignCase[]): readonly SheetRow[] {
  const linked = cases.map(withNotes);
  const facts = factHeadings.filter((heading) => linked.some((foreignCase) => foreignCase.facts[heading]));
  const hasLinks = linked.some(({ links = [] }) => links.length > 0);
  const otherFacts = otherHeadings(linked);
  const headings = [
    idHeading,
    'Title',
    ...sectionHeadings,
    ...facts,
    ...(hasLinks ? [linksHeading] : []),
    ...otherFacts.map(({ heading }) => heading),
    ...stepHeadings,
  ];
  let last = 0;
  const inOrder = linked.toSorted((left, right) => left.line - right.line);
  const rows = inOrder.flatMap(
    ({
      line,
      id,
      title,
      sections,
      facts: caseFacts,
      others: lostFacts = {},
      steps,
      links = [],
      files = [],
    }): SheetRow[] => {
      if (title.trim() === '') throw new UnreadableFile(`Line ${line}: a test case has no title.`);
      if (sections.length > maxDepth)
        throw new UnreadableFile(`Line ${line}: sections are nested deeper than ${maxDepth} levels.`);
      const first = Math.max(last + 1, line);
      const firstCells = [
        id,
        title,
        ...sectionCells(sections),
        ...facts.map((heading) => caseFacts[heading] ?? ''),
        ...(hasLinks ? [links.map(({ name, address }) => name || address).join(', ')] : []),
        ...otherFacts.map(({ name }) => ownProperty(lostFacts, name) ?? ''),
      ];
      const rowsBelow = [undefined, ...steps.slice(1)].map((step, index): SheetRow => {
        const rowStep = index === 0 ? steps[0] : step;
        const number =
          index === 0 ? first : Math.max(last, requireValue(rowStep, 'the step of a row below the first').line);
        last = number;
        const cells = rowStep ? [rowStep.action, rowStep.data, rowStep.expected] : ['', '', ''];
        return {
          number,
          cells: [...(index === 0 ? firstCells : firstCells.map(() => '')), ...cells],
          ...(index === 0 && files.length > 0 && { files: files.map((file) => ({ field: filesField, ...file })) }),
        };
      });
      return rowsBelow;
    },
  );
  if (rows.length === 0) throw new UnreadableFile('The file has no test case.');
  return [{ number: 0, cells: headings }, ...rows];
}

/** More columns than a team adds to its cases; a sheet has at most 200. */
const maxOthers = 150;

/** The headings of what there is no field for; one that stands for a field here says that it is another one. */
function otherHeadings(cases: readonly ForeignCase[]): { name: string; heading: string }[] {
  const knownNames = new Set(
    ['Title', linksHeading, ...sectionHeadings, ...factHeadings, ...stepHeadings].map(normaliseHeading),
  );
  const names = new Set(
    cases.flatMap(({ others: otherValues = {} }) =>
      Object.keys(otherValues).filter((name) => propertyOf(otherValues, name).trim() !== ''),
    ),
  );
  const headings = [...names].map((name) => ({
    name,
    heading: knownNames.has(normaliseHeading(name)) ? `${name} (Custom Field)` : name,
  }));
  if (headings.length > maxOthers)
    throw new UnreadableFile(`The file has more than ${maxOthers} custom fields. Export it without those not needed.`);
  return headings;
}

/**
 * The case with its notes and the addresses of its files below its description, as text: nothing is fetched from there.
 */
function withNotes(foreignCase: ForeignCase): ForeignCase {
  const isAddress = ({ address }: ForeignLink) => /^https?:\/\/\S+$/i.test(address);
  const links = (foreignCase.links ?? []).filter(isAddress);
  // Of others the name is shown as what is not imported.
  const linkLines = (foreignCase.links ?? [])
    .filter((link) => link.address !== '' && !isAddress(link))
    .map(({ name, address }) => name || address);
  const names = [foreignCase.facts.Attachments ?? '', ...linkLines].filter((name) => name !== '').join(', ');
  const facts = { ...foreignCase.facts, ...(names !== '' && { Attachments: names }) };
  const lines = [
    ...(foreignCase.notes ?? []),
    ...links.map(({ name, address }) => `Attachment: ${name === '' ? address : `${name} ${address}`}`),
  ].filter((line) => line.trim() !== '');
  if (lines.length === 0) return { ...foreignCase, links, facts };
  const description = foreignCase.facts.Description ?? '';
  // A file that was exported after it was imported has them there already.
  const missingLines = lines.filter((line) => !description.includes(line));
  return { ...foreignCase, links, facts: { ...facts, Description: joinTexts(description, ...missingLines) } };
}

/** Two levels, as modules have: deeper sections become part of the name of the second. */
export function sectionCells(sections: readonly string[]): [module: string, subModule: string] {
  const [first = '', ...rest] = sections.map((name) => name.trim()).filter((name) => name !== '');
  return [first, rest.join(' / ')];
}

/** HTML as editors of text write it: `<PDF>` is something else. */
const htmlOfEditors =
  /<\/?(a|b|blockquote|br|code|div|em|font|h[1-6]|hr|i|img|li|ol|p|pre|s|span|strong|su[bp]|t(able|body|head|[dhr])|u|ul)\b[^<>]*>|&(#\d+|#x[\da-f]+|amp|lt|gt|quot|nbsp);/i;

/** Text of a field that may have HTML: as it is if it has none. */
export function plainText(text: string): string {
  return htmlOfEditors.test(text) ? markupToText(text, { emptyLines: true }) : text.trim();
}

/** Text for a field of another program that takes HTML: `plainText` reads it as it is here. */
export function textForEditors(text: string): string {
  if (!htmlOfEditors.test(text)) return text;
  const escapedText = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escapedText
    .split('\n')
    .map((line) => `<p>${line}</p>`)
    .join('');
}

/** A note of this name, if there is anything to say. */
export const noteOf = (name: string, text: string): readonly string[] => (text === '' ? [] : [`${name}: ${text}`]);

/** Those of some texts that say something, one below the other. */
export const joinTexts = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n');

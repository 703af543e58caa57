import type { SheetRow } from '../../engine/imports/join-rows';
import { markupToText } from '../../engine/formats/markup-to-text';
import { UnreadableFile } from '../../server/imports/reading/sheet-file';

/** A step of a test case of another program, and its line in the file. */
export interface ForeignStep {
  readonly line: number;
  readonly action: string;
  readonly data: string;
  readonly expected: string;
}

/** What a test case of another program says beside its title, sections and steps, by the headings of an import. */
export type ForeignFacts = Readonly<Partial<Record<(typeof factHeadings)[number], string>>>;

/** A test case as another program wrote it, with the line where it begins. */
export interface ForeignCase {
  readonly line: number;
  readonly id: string;
  readonly title: string;
  /** The names of its sections, the outermost first. */
  readonly sections: readonly string[];
  readonly facts: ForeignFacts;
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
  'References',
  'Estimate',
  'Labels',
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
  const linked = cases.map(withLinks);
  const facts = factHeadings.filter((heading) => linked.some((one) => one.facts[heading]));
  const hasLinks = linked.some(({ links = [] }) => links.length > 0);
  const headings = [
    idHeading,
    'Title',
    ...sectionHeadings,
    ...facts,
    ...(hasLinks ? [linksHeading] : []),
    ...stepHeadings,
  ];
  let last = 0;
  const inOrder = linked.toSorted((one, other) => one.line - other.line);
  const rows = inOrder.flatMap(
    ({ line, id, title, sections, facts: own, steps, links = [], files = [] }): SheetRow[] => {
      if (title.trim() === '') throw new UnreadableFile(`Line ${line}: a test case has no title.`);
      if (sections.length > maxDepth)
        throw new UnreadableFile(`Line ${line}: sections are nested deeper than ${maxDepth} levels.`);
      const first = Math.max(last + 1, line);
      const whole = [
        id,
        title,
        ...sectionCells(sections),
        ...facts.map((heading) => own[heading] ?? ''),
        ...(hasLinks ? [links.map(({ name, address }) => name || address).join(', ')] : []),
      ];
      const below = [undefined, ...steps.slice(1)].map((step, index): SheetRow => {
        const said = index === 0 ? steps[0] : step;
        const number = index === 0 ? first : Math.max(last, said!.line);
        last = number;
        const cells = said ? [said.action, said.data, said.expected] : ['', '', ''];
        return {
          number,
          cells: [...(index === 0 ? whole : whole.map(() => '')), ...cells],
          ...(index === 0 && files.length > 0 && { files: files.map((file) => ({ field: filesField, ...file })) }),
        };
      });
      return below;
    },
  );
  if (rows.length === 0) throw new UnreadableFile('The file has no test case.');
  return [{ number: 0, cells: headings }, ...rows];
}

/** The case with the addresses of its files below its description, as text: nothing is fetched from there. */
function withLinks(one: ForeignCase): ForeignCase {
  const isAddress = ({ address }: ForeignLink) => /^https?:\/\/\S+$/i.test(address);
  const links = (one.links ?? []).filter(isAddress);
  // Of others the name is shown as what is not imported.
  const others = (one.links ?? [])
    .filter((link) => link.address !== '' && !isAddress(link))
    .map(({ name, address }) => name || address);
  const names = [one.facts.Attachments ?? '', ...others].filter((name) => name !== '').join(', ');
  const facts = { ...one.facts, ...(names !== '' && { Attachments: names }) };
  if (links.length === 0) return { ...one, links, facts };
  const lines = links.map(({ name, address }) => `Attachment: ${name === '' ? address : `${name} ${address}`}`);
  const description = one.facts.Description ?? '';
  // A file that was exported after it was imported has them there already.
  const missing = lines.filter((line) => !description.includes(line));
  return { ...one, links, facts: { ...facts, Description: joinTexts(description, ...missing) } };
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
  return htmlOfEditors.test(text) ? markupToText(text) : text.trim();
}

/** Those of some texts that say something, one below the other. */
export const joinTexts = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n');

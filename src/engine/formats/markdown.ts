import type { Field } from '../definitions/definition';
import { firstOf, lastOf } from '../values/lookups';

/**
 * A part of Markdown in plain text: `**bold**`, `_italic_`, code between backticks, `[text](address)`, and
 * `![text](file name)` for a picture among the files of the record. Nothing else changes, so that text nobody meant as
 * Markdown looks as it was typed: `a*b`, `*.txt`, `snake_case`, `**** 1234` and backslashes are themselves. Marks end in
 * the line in which they begin.
 */

/** The marks that selected text can get. */
export type Mark = 'bold' | 'italic' | 'code';

/** A piece of a text, from one position of it to another. */
export type MarkdownPart = { readonly from: number; readonly to: number } & (
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'bold' | 'italic'; readonly parts: readonly MarkdownPart[] }
  | { readonly kind: 'link'; readonly address: string; readonly parts: readonly MarkdownPart[] }
  | { readonly kind: 'picture'; readonly text: string; readonly name: string }
);

/** Characters of words that are written without spaces between them: a mark may begin and end among them. */
const unspaced = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}';
/** The surroundings that a mark may have on each side: the edge of the text, a space, or punctuation that opens or closes. */
const beforeMark = `(?<=^|[\\s\\p{Ps}\\p{Pi}"'>–—${unspaced}])`;
const afterMark = `(?=$|[\\s\\p{Pe}\\p{Pf}"'<.,;:!?…–—${unspaced}])`;
/** A mark on both sides of a text, without spaces between them and it: where it may begin, and end, or that it does not. */
const onBothSides = (sign: string, mark: string) => ({
  opening: new RegExp(`${beforeMark}${mark}(?![\\s${sign}/])`, 'uy'),
  closing: new RegExp(`(?<=[^\\s${sign}])${mark}(?![${sign}])${afterMark}|\\n|$`, 'gu'),
});

const signs = { bold: '**', italic: '_', code: '`' } as const;
const bold = onBothSides('*', '\\*\\*');
const italic = onBothSides('_', '_');
const code = new RegExp(`${beforeMark}\`(?!\\s)([^\`\\n]*[^\`\\s])\`(?!\`)${afterMark}`, 'uy');
const address = '(?:https?:\\/\\/|mailto:)[^\\s()<>"\\\\`]{1,2000}(?:\\([^\\s()<>"\\\\`]*\\)[^\\s()<>"\\\\`]*)?';
const link = new RegExp(`\\[([^[\\]\\n]{1,1000})\\]\\((${address})\\)`, 'uy');
const picture = /!\[([^[\]\n]{0,500})\]\(([^\s()/\\:](?:[^()/\\:\n]{0,250}[^\s()/\\:])?\.(?:png|jpe?g|gif|webp))\)/iuy;

/**
 * The pieces of a text, in order; together they are the whole of it.
 *
 * @example parseMarkdown('Press **Pay**').map(({ kind }) => kind); // ['text', 'bold']
 */
export function parseMarkdown(text: string): readonly MarkdownPart[] {
  return partsOf(text, 0, new Set(['bold', 'italic', 'code', 'link', 'picture']));
}

/** The pieces of a text that begins at a position of a longer one, of these kinds. Takes time linear in its length. */
function partsOf(text: string, offset: number, kinds: ReadonlySet<MarkedKind>): MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  const unclosed: Partial<Record<MarkedKind, number>> = {};
  let plainStart = 0;
  const addText = (end: number) => {
    if (end > plainStart)
      parts.push({ kind: 'text', text: text.slice(plainStart, end), from: offset + plainStart, to: offset + end });
  };
  for (let position = 0; position < text.length; position++) {
    const kind = kindsBySign[text.charAt(position)];
    if (kind === undefined || !kinds.has(kind) || position < (unclosed[kind] ?? 0)) continue;
    const mark =
      kind === 'bold' || kind === 'italic' ? closedAt(text, position, kind, unclosed) : wholeAt(text, position, kind);
    if (!mark) continue;
    addText(position);
    const { inside: innerText, from: innerStart, to: markEnd, target } = mark;
    const range = { from: offset + position, to: offset + markEnd };
    const innerParts = () =>
      partsOf(
        innerText,
        offset + innerStart,
        new Set([...kinds].filter((innerKind) => innerKind !== kind && kind + innerKind !== 'linkpicture')),
      );
    if (kind === 'code') parts.push({ kind, text: innerText, ...range });
    else if (kind === 'picture') parts.push({ kind, text: innerText, name: target, ...range });
    else if (kind === 'link') parts.push({ kind, address: target, parts: innerParts(), ...range });
    else parts.push({ kind, parts: innerParts(), ...range });
    plainStart = markEnd;
    position = markEnd - 1;
  }
  addText(text.length);
  return parts;
}

type MarkedKind = Exclude<MarkdownPart['kind'], 'text'>;

/** A mark with the text inside it; positions are those of the whole text. */
interface Found {
  readonly inside: string;
  readonly from: number;
  readonly to: number;
  readonly target: string;
}

/** Finds the end of a mark that stands on both sides; `unclosed` remembers up to which position none ends. */
function closedAt(
  text: string,
  position: number,
  kind: 'bold' | 'italic',
  unclosed: Partial<Record<MarkedKind, number>>,
): Found | undefined {
  const { opening: openingMark, closing: closingMark } = kind === 'bold' ? bold : italic;
  openingMark.lastIndex = position;
  if (!openingMark.test(text)) return undefined;
  const start = position + signs[kind].length;
  closingMark.lastIndex = start + 1;
  const end = closingMark.exec(text);
  if (!end || end[0] !== signs[kind]) {
    unclosed[kind] = end?.index ?? text.length;
    return undefined;
  }
  return { inside: text.slice(start, end.index), from: start, to: end.index + signs[kind].length, target: '' };
}

function wholeAt(text: string, position: number, kind: 'code' | 'link' | 'picture'): Found | undefined {
  const pattern = { code, link, picture }[kind];
  pattern.lastIndex = position;
  const [match, innerText = '', target = ''] = pattern.exec(text) ?? [];
  if (match === undefined) return undefined;
  return { inside: innerText, from: position + (kind === 'picture' ? 2 : 1), to: position + match.length, target };
}

const kindsBySign: Readonly<Record<string, MarkedKind>> = {
  '*': 'bold',
  _: 'italic',
  '`': 'code',
  '[': 'link',
  '!': 'picture',
};

/**
 * The text without its marks: links by their words, pictures by their text or name.
 *
 * @example markdownToText('Press **Pay** on [the page](https://example.com)'); // 'Press Pay on the page'
 */
export function markdownToText(text: string): string {
  return parseMarkdown(text).map(visibleText).join('');
}

function visibleText(part: MarkdownPart): string {
  if ('parts' in part) return part.parts.map(visibleText).join('');
  return part.kind === 'picture' ? part.text || part.name : part.text;
}

/**
 * The names of the pictures that a text shows.
 *
 * @example pictureNames('See ![shot](shot.png)'); // ['shot.png']
 */
export function pictureNames(text: string): string[] {
  const namesIn = (part: MarkdownPart): string[] => {
    if ('parts' in part) return part.parts.flatMap(namesIn);
    return part.kind === 'picture' ? [part.name] : [];
  };
  return parseMarkdown(text).flatMap(namesIn);
}

/**
 * The text as markup for a field of formatted text: a paragraph for each line, with its marks; pictures by their text or
 * name. Markup in the text is escaped.
 *
 * @example markdownToMarkup('Press **Pay**'); // '<p>Press <strong>Pay</strong></p>'
 */
export function markdownToMarkup(text: string): string {
  const markup = (part: MarkdownPart): string => {
    switch (part.kind) {
      case 'bold':
        return `<strong>${part.parts.map(markup).join('')}</strong>`;
      case 'italic':
        return `<em>${part.parts.map(markup).join('')}</em>`;
      case 'link':
        return `<a href="${escapeMarkup(part.address)}">${part.parts.map(markup).join('')}</a>`;
      case 'code':
        return `<code>${escapeMarkup(part.text)}</code>`;
      default:
        return escapeMarkup(visibleText(part));
    }
  };
  return text
    .split('\n')
    .map((line) => `<p>${parseMarkdown(line).map(markup).join('')}</p>`)
    .join('');
}

const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A text and what is selected of it; an empty selection is the place of the cursor. */
export interface SelectedText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The marks around a selection.
 *
 * @example marksAround({ text: 'Press **Pay**', start: 9, end: 9 }); // ['bold']
 */
export function marksAround({ text, start, end }: SelectedText): readonly MarkdownPart['kind'][] {
  return partsAround(parseMarkdown(text), start, end).map(({ kind }) => kind);
}

function partsAround(parts: readonly MarkdownPart[], start: number, end: number): readonly MarkdownPart[] {
  // The place of a cursor at an end of the marks is outside of them.
  const edge = start === end ? 1 : 0;
  const part = parts.find(
    ({ kind, from: partStart, to: partEnd }) => kind !== 'text' && partStart + edge <= start && end <= partEnd - edge,
  );
  if (!part) return [];
  return 'parts' in part ? [part, ...partsAround(part.parts, start, end)] : [part];
}

/**
 * Marks the selected text, whole words of it, line by line; takes the mark away where all of it has it. Without a
 * selection the word at the cursor, else there are marks to type between.
 *
 * @returns undefined where the mark would not be one, such as bold within code.
 * @example toggleMark({ text: 'Press Pay', start: 6, end: 9 }, 'bold')?.text; // 'Press **Pay**'
 */
export function toggleMark(selected: SelectedText, mark: Mark): SelectedText | undefined {
  const { text, start, end } = selected;
  const sign = signs[mark];
  if (start === end && text.slice(0, start).endsWith(sign) && text.slice(start).startsWith(sign))
    return withoutMarks(selected, [start - sign.length, start], sign.length);
  const ranges = selectedRanges(selected);
  if (ranges.length === 0) {
    if (start !== end) return undefined;
    const cursor = start + sign.length;
    return { text: `${text.slice(0, start)}${sign}${sign}${text.slice(end)}`, start: cursor, end: cursor };
  }
  const marks = ranges.map(([rangeStart, rangeEnd]) => markOf(text, rangeStart, rangeEnd, mark));
  if (marks.every((part) => part !== undefined)) {
    const signPositions = [...new Set(marks)].flatMap(({ from: markStart, to: markEnd }) => [
      markStart,
      markEnd - sign.length,
    ]);
    return withoutMarks(selected, signPositions, sign.length);
  }
  const unmarkedRanges = ranges.filter((_, index) => !marks[index]);
  const next = unmarkedRanges.reduceRight(
    (now, [rangeStart, rangeEnd]) =>
      `${now.slice(0, rangeStart)}${sign}${now.slice(rangeStart, rangeEnd)}${sign}${now.slice(rangeEnd)}`,
    text,
  );
  const shift = 2 * sign.length;
  const isMarked = unmarkedRanges.every(([rangeStart, rangeEnd], index) =>
    markOf(next, rangeStart + index * shift, rangeEnd + (index + 1) * shift, mark),
  );
  // Only code shows marks that were others before.
  if (!isMarked || (mark !== 'code' && markdownToText(next) !== markdownToText(text))) return undefined;
  if (start === end) return { text: next, start: start + sign.length, end: end + sign.length };
  const last = lastOf(ranges)[1] + next.length - text.length;
  return { text: next, start: firstOf(ranges)[0] + sign.length, end: last - sign.length };
}

/** The mark of this kind around a range, or that is the range. */
function markOf(text: string, start: number, end: number, mark: Mark): MarkdownPart | undefined {
  return partsAround(parseMarkdown(text), start, end).find(({ kind }) => kind === mark);
}

const wordBefore = new RegExp(`[^\\s\\p{Ps}\\p{Pi}"'>–—${unspaced}]+$`, 'u');
const wordAfter = new RegExp(`^[^\\s\\p{Pe}\\p{Pf}"'<.,;:!?…–—${unspaced}]+`, 'u');

/** The selected part of each line, in whole words, without spaces at its ends; for a cursor the word that it is in. */
function selectedRanges({ text, start, end }: SelectedText): [number, number][] {
  const ranges: [number, number][] = [];
  for (let line = start; line <= end;) {
    const next = text.indexOf('\n', line);
    const lineEnd = next < 0 ? end : Math.min(next, end);
    const { from: rangeStart, to: rangeEnd } = trimRange(text, line, lineEnd);
    if (rangeStart < rangeEnd || start === end) {
      const left =
        rangeStart - (wordBefore.exec(text.slice(Math.max(0, rangeStart - 200), rangeStart))?.[0].length ?? 0);
      const right = rangeEnd + (wordAfter.exec(text.slice(rangeEnd, rangeEnd + 200))?.[0].length ?? 0);
      if (left < right) ranges.push([left, right]);
    }
    line = lineEnd + 1;
  }
  return ranges;
}

/** The text without so many characters at each place, with the rest of the selection. */
function withoutMarks({ text, start, end }: SelectedText, positions: readonly number[], length: number): SelectedText {
  const removedBefore = (position: number) =>
    positions.reduce((sum, removedPosition) => sum + Math.min(length, Math.max(0, position - removedPosition)), 0);
  const next = [...positions]
    .sort((left, right) => right - left)
    .reduce((now, removedPosition) => now.slice(0, removedPosition) + now.slice(removedPosition + length), text);
  return { text: next, start: start - removedBefore(start), end: end - removedBefore(end) };
}

/**
 * Makes a link of the selected text; without one the address is its text. Where the selection is in a link, that gets the
 * address.
 *
 * @returns undefined if the text cannot be one, or the address is none of http, https or mailto.
 * @example insertLink({ text: 'See page', start: 4, end: 8 }, 'https://example.com')?.text; // 'See [page](https://example.com)'
 */
export function insertLink({ text, start, end }: SelectedText, address: string): SelectedText | undefined {
  const enclosingLink = partsAround(parseMarkdown(text), start, end).find(({ kind }) => kind === 'link');
  const range = enclosingLink ? { from: enclosingLink.from, to: enclosingLink.to } : trimRange(text, start, end);
  const words = enclosingLink
    ? text.slice(enclosingLink.from + 1, text.lastIndexOf('](', enclosingLink.to))
    : text.slice(range.from, range.to);
  const space = words === '' ? spaceBefore(text, range.from) : '';
  const linkText = `${space}[${words || address.replace(/^mailto:/, '')}](${address})`;
  const next = text.slice(0, range.from) + linkText + text.slice(range.to);
  const nextParts = partsAround(parseMarkdown(next), range.from + space.length, range.from + linkText.length);
  if (!nextParts.some(({ kind }) => kind === 'link')) return undefined;
  return { text: next, start: range.from + linkText.length, end: range.from + linkText.length };
}

/** An insertion is separated from the word before it, and does not end its marks. */
const spaceBefore = (text: string, position: number): string =>
  /[^\s\p{Ps}]$/u.test(text.slice(0, position)) ? ' ' : '';

function trimRange(text: string, start: number, end: number): { from: number; to: number } {
  const part = text.slice(start, end);
  const trimmedStart = start + (part.length - part.trimStart().length);
  return { from: trimmedStart, to: trimmedStart + part.trim().length };
}

/**
 * Puts a picture of the record's files at the cursor.
 *
 * @example insertPicture({ text: '', start: 0, end: 0 }, 'shot.png').text; // '![shot](shot.png)'
 */
export function insertPicture({ text, start, end }: SelectedText, name: string): SelectedText {
  const label = name.replace(/\.\w+$/, '').replaceAll(/[[\]\n]/g, ' ');
  const pictureText = `${spaceBefore(text, start)}![${label}](${name})`;
  const cursor = start + pictureText.length;
  return { text: text.slice(0, start) + pictureText + text.slice(end), start: cursor, end: cursor };
}

/**
 * The address of the link around a selection; undefined if there is none.
 *
 * @example linkAround({ text: '[page](https://example.com)', start: 2, end: 2 }); // 'https://example.com'
 */
export function linkAround({ text, start, end }: SelectedText): string | undefined {
  const part = partsAround(parseMarkdown(text), start, end).find(({ kind }) => kind === 'link');
  return part?.kind === 'link' ? part.address : undefined;
}

/**
 * A file's name as a picture can be written with it; the extension stays.
 *
 * @example pictureName('a/b.png'); // 'a-b.png'
 */
export function pictureName(name: string): string {
  return name.replaceAll(/[()/\\:\s]+/g, (separator) => (separator.trim() === '' ? ' ' : '-')).trim();
}

/**
 * Whether the texts of a field can have marks.
 *
 * @example Object.values(steps.columns).filter(isMarkdown).map(({ name }) => name); // ['action', 'expected']
 */
export function isMarkdown(field: Field): boolean {
  return 'markdown' in field && field.markdown === true;
}

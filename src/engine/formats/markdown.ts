import type { Field } from '../definitions/definition';

/**
 * A part of Markdown in plain text: `**bold**`, `_italic_`, code between backticks, `[text](address)`, and
 * `![text](file name)` for a picture among the files of the record. Nothing else changes, so that text nobody meant as
 * Markdown looks as it was typed: `a*b`, `*.txt`, `snake_case`, `**** 1234` and backslashes are themselves. Marks end in
 * the line in which they begin.
 */

/** What can be done to selected text. */
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
/** What may be before a mark, and after it: the edge of the text, a space, or punctuation that opens or closes. */
const before = `(?<=^|[\\s\\p{Ps}\\p{Pi}"'>–—${unspaced}])`;
const after = `(?=$|[\\s\\p{Pe}\\p{Pf}"'<.,;:!?…–—${unspaced}])`;
/** A mark on both sides of a text, without spaces between them and it: where it may begin, and end, or that it does not. */
const onBothSides = (sign: string, mark: string) => ({
  opening: new RegExp(`${before}${mark}(?![\\s${sign}/])`, 'uy'),
  closing: new RegExp(`(?<=[^\\s${sign}])${mark}(?![${sign}])${after}|\\n|$`, 'gu'),
});

const signs = { bold: '**', italic: '_', code: '`' } as const;
const bold = onBothSides('*', '\\*\\*');
const italic = onBothSides('_', '_');
const code = new RegExp(`${before}\`(?!\\s)([^\`\\n]*[^\`\\s])\`(?!\`)${after}`, 'uy');
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
  let plain = 0;
  const addText = (end: number) => {
    if (end > plain) parts.push({ kind: 'text', text: text.slice(plain, end), from: offset + plain, to: offset + end });
  };
  for (let at = 0; at < text.length; at++) {
    const kind = kindsBySign[text[at]!];
    if (kind === undefined || !kinds.has(kind) || at < (unclosed[kind] ?? 0)) continue;
    const found = kind === 'bold' || kind === 'italic' ? closedAt(text, at, kind, unclosed) : wholeAt(text, at, kind);
    if (!found) continue;
    addText(at);
    const { inside, from, to, target } = found;
    const place = { from: offset + at, to: offset + to };
    const within = () =>
      partsOf(inside, offset + from, new Set([...kinds].filter((one) => one !== kind && kind + one !== 'linkpicture')));
    if (kind === 'code') parts.push({ kind, text: inside, ...place });
    else if (kind === 'picture') parts.push({ kind, text: inside, name: target, ...place });
    else if (kind === 'link') parts.push({ kind, address: target, parts: within(), ...place });
    else parts.push({ kind, parts: within(), ...place });
    plain = to;
    at = to - 1;
  }
  addText(text.length);
  return parts;
}

type MarkedKind = Exclude<MarkdownPart['kind'], 'text'>;

/** What is between marks, where that is, and what follows them; positions of the text. */
interface Found {
  readonly inside: string;
  readonly from: number;
  readonly to: number;
  readonly target: string;
}

/** What a mark on both sides begins; `unclosed` remembers up to where nothing ends one. */
function closedAt(
  text: string,
  at: number,
  kind: 'bold' | 'italic',
  unclosed: Partial<Record<MarkedKind, number>>,
): Found | undefined {
  const { opening, closing } = kind === 'bold' ? bold : italic;
  opening.lastIndex = at;
  if (!opening.test(text)) return undefined;
  const from = at + signs[kind].length;
  closing.lastIndex = from + 1;
  const end = closing.exec(text);
  if (!end || end[0] !== signs[kind]) {
    unclosed[kind] = end?.index ?? text.length;
    return undefined;
  }
  return { inside: text.slice(from, end.index), from, to: end.index + signs[kind].length, target: '' };
}

function wholeAt(text: string, at: number, kind: 'code' | 'link' | 'picture'): Found | undefined {
  const pattern = { code, link, picture }[kind];
  pattern.lastIndex = at;
  const [whole, inside = '', target = ''] = pattern.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { inside, from: at + (kind === 'picture' ? 2 : 1), to: at + whole.length, target };
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
 * name. What is markup in the text is escaped.
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
  const part = parts.find(({ kind, from, to }) => kind !== 'text' && from + edge <= start && end <= to - edge);
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
    return without(selected, [start - sign.length, start], sign.length);
  const ranges = selectedRanges(selected);
  if (ranges.length === 0) {
    if (start !== end) return undefined;
    const cursor = start + sign.length;
    return { text: `${text.slice(0, start)}${sign}${sign}${text.slice(end)}`, start: cursor, end: cursor };
  }
  const marked = ranges.map(([from, to]) => markOf(text, from, to, mark));
  if (marked.every((part) => part !== undefined)) {
    const places = [...new Set(marked)].flatMap(({ from, to }) => [from, to - sign.length]);
    return without(selected, places, sign.length);
  }
  const added = ranges.filter((_, index) => !marked[index]);
  const next = added.reduceRight(
    (now, [from, to]) => `${now.slice(0, from)}${sign}${now.slice(from, to)}${sign}${now.slice(to)}`,
    text,
  );
  const shift = 2 * sign.length;
  const isMarked = added.every(([from, to], index) =>
    markOf(next, from + index * shift, to + (index + 1) * shift, mark),
  );
  // Only code shows marks that were others before.
  if (!isMarked || (mark !== 'code' && markdownToText(next) !== markdownToText(text))) return undefined;
  if (start === end) return { text: next, start: start + sign.length, end: end + sign.length };
  const last = ranges.at(-1)![1] + next.length - text.length;
  return { text: next, start: ranges[0]![0] + sign.length, end: last - sign.length };
}

/** The mark of this kind around a range, or that is the range. */
function markOf(text: string, from: number, to: number, mark: Mark): MarkdownPart | undefined {
  return partsAround(parseMarkdown(text), from, to).find(({ kind }) => kind === mark);
}

const wordBefore = new RegExp(`[^\\s\\p{Ps}\\p{Pi}"'>–—${unspaced}]+$`, 'u');
const wordAfter = new RegExp(`^[^\\s\\p{Pe}\\p{Pf}"'<.,;:!?…–—${unspaced}]+`, 'u');

/** The selected part of each line, in whole words, without spaces at its ends; for a cursor the word that it is in. */
function selectedRanges({ text, start, end }: SelectedText): [number, number][] {
  const found: [number, number][] = [];
  for (let line = start; line <= end;) {
    const next = text.indexOf('\n', line);
    const until = next < 0 ? end : Math.min(next, end);
    const { from, to } = trimmed(text, line, until);
    if (from < to || start === end) {
      const left = from - (wordBefore.exec(text.slice(Math.max(0, from - 200), from))?.[0].length ?? 0);
      const right = to + (wordAfter.exec(text.slice(to, to + 200))?.[0].length ?? 0);
      if (left < right) found.push([left, right]);
    }
    line = until + 1;
  }
  return found;
}

/** The text without so many characters at each place, with the rest of the selection. */
function without({ text, start, end }: SelectedText, places: readonly number[], length: number): SelectedText {
  const removedBefore = (position: number) =>
    places.reduce((sum, place) => sum + Math.min(length, Math.max(0, position - place)), 0);
  const next = [...places]
    .sort((one, other) => other - one)
    .reduce((now, place) => now.slice(0, place) + now.slice(place + length), text);
  return { text: next, start: start - removedBefore(start), end: end - removedBefore(end) };
}

/**
 * Makes a link of the selected text; without one the address is its text. Where the selection is in a link, that gets the
 * address.
 *
 * @returns undefined if the text cannot be one, or the address is none of http, https or mailto.
 * @example insertLink({ text: 'See page', start: 4, end: 8 }, 'https://example.com')?.text; // 'See [page](https://example.com)'
 */
export function insertLink({ text, start, end }: SelectedText, to: string): SelectedText | undefined {
  const around = partsAround(parseMarkdown(text), start, end).find(({ kind }) => kind === 'link');
  const range = around ? { from: around.from, to: around.to } : trimmed(text, start, end);
  const words = around
    ? text.slice(around.from + 1, text.lastIndexOf('](', around.to))
    : text.slice(range.from, range.to);
  const space = words === '' ? spaceBefore(text, range.from) : '';
  const written = `${space}[${words || to.replace(/^mailto:/, '')}](${to})`;
  const next = text.slice(0, range.from) + written + text.slice(range.to);
  const made = partsAround(parseMarkdown(next), range.from + space.length, range.from + written.length);
  if (!made.some(({ kind }) => kind === 'link')) return undefined;
  return { text: next, start: range.from + written.length, end: range.from + written.length };
}

/** What is inserted is no part of the word before it, nor the end of its marks. */
const spaceBefore = (text: string, at: number): string => (/[^\s\p{Ps}]$/u.test(text.slice(0, at)) ? ' ' : '');

function trimmed(text: string, start: number, end: number): { from: number; to: number } {
  const part = text.slice(start, end);
  const from = start + (part.length - part.trimStart().length);
  return { from, to: from + part.trim().length };
}

/**
 * Puts a picture of the record's files at the cursor.
 *
 * @example insertPicture({ text: '', start: 0, end: 0 }, 'shot.png').text; // '![shot](shot.png)'
 */
export function insertPicture({ text, start, end }: SelectedText, name: string): SelectedText {
  const label = name.replace(/\.\w+$/, '').replaceAll(/[[\]\n]/g, ' ');
  const written = `${spaceBefore(text, start)}![${label}](${name})`;
  const place = start + written.length;
  return { text: text.slice(0, start) + written + text.slice(end), start: place, end: place };
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
  return name.replaceAll(/[()/\\:\s]+/g, (found) => (found.trim() === '' ? ' ' : '-')).trim();
}

/**
 * Whether the texts of a field can have marks.
 *
 * @example Object.values(steps.columns).filter(isMarkdown).map(({ name }) => name); // ['action', 'expected']
 */
export function isMarkdown(field: Field): boolean {
  return 'markdown' in field && field.markdown === true;
}

import { itemAt, propertyOf, requireValue } from '../values/lookups';

/** How a dialect of regular expressions writes a code point in a class, and a Unicode property if it supports them. */
export interface CharacterDialect {
  code(point: number): string;
  /** `L`, `Lu`, `Greek`; undefined if the dialect does not support it. */
  property(name: string, negated: boolean): string | undefined;
}

type Range = readonly [from: number, to: number];
/** The content of a class: ranges of code points, and properties. */
type Item = Range | { readonly property: string; readonly negated: boolean };

const last = 0x10ffff;
const digits: Range[] = [[0x30, 0x39]];
const wordCharacters: Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const spaces: Range[] = [
  [0x9, 0xd],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const lineEnds: Range[] = [
  [0xa, 0xa],
  [0xd, 0xd],
  [0x2028, 0x2029],
];
const namedClasses: Readonly<Record<string, Range[]>> = { d: digits, w: wordCharacters, s: spaces };
const controls: Readonly<Record<string, number>> = { n: 0xa, r: 0xd, t: 0x9, f: 0xc, v: 0xb, 0: 0, b: 0x8 };

/** The word characters of `\b`, as a class. */
export function wordClass(dialect: CharacterDialect, negated = false): string {
  return requireValue(writeClass(wordCharacters, negated, dialect), 'the class of word characters');
}

/**
 * One character of a pattern (a literal, an escape, `.` or a class) as a class of the dialect; undefined if that is not
 * possible.
 */
export function characterClass(source: string, dialect: CharacterDialect): string | undefined {
  if (source === '.') return writeClass(lineEnds, true, dialect);
  if (!source.startsWith('[')) return writeClass(parseAtom(source), false, dialect);
  const negated = source.startsWith('[^');
  const atoms = Array.from(source.slice(negated ? 2 : 1, -1).matchAll(atom), ([text]) => text);
  const items: Item[] = [];
  for (let index = 0; index < atoms.length; index++) {
    const [startItems, endItems] = [
      parseAtom(itemAt(atoms, index)),
      atoms[index + 1] === '-' ? parseAtom(atoms[index + 2] ?? '') : [],
    ];
    if (endItems.length === 1 && isPoint(startItems[0]) && isPoint(endItems[0])) {
      items.push([startItems[0][0], endItems[0][0]]);
      index += 2;
    } else items.push(...startItems);
  }
  return writeClass(items, negated, dialect);
}

const atom =
  /\\(?:x[0-9a-fA-F]{2}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}|[pP]\{[^}]*\}|c[A-Za-z]|[\s\S])|[\s\S]/gu;

function isPoint(item: Item | undefined): item is Range {
  return Array.isArray(item) && item[0] === item[1];
}

function parseAtom(text: string): Item[] {
  if (text === '') return [];
  if (!text.startsWith('\\')) return [pointRange(codePointOf(text))];
  const escape = text.charAt(1);
  if (escape === 'p' || escape === 'P') {
    const property = text.slice(3, -1).replace(/^(Script|sc|General_Category|gc)=/, '');
    return [{ property, negated: escape === 'P' }];
  }
  if (escape in namedClasses) return propertyOf(namedClasses, escape);
  if (escape.toLowerCase() in namedClasses) return complement(propertyOf(namedClasses, escape.toLowerCase()));
  if (escape === 'c') return [pointRange(text.charCodeAt(2) % 32)];
  if (escape === 'x') return [pointRange(Number.parseInt(text.slice(2), 16))];
  if (escape === 'u' && text.length > 2) return [pointRange(unicode(text))];
  return [pointRange(controls[escape] ?? codePointOf(escape))];
}

function codePointOf(text: string): number {
  return requireValue(text.codePointAt(0), 'the first character of a text');
}

function unicode(text: string): number {
  if (text[2] === '{') return Number.parseInt(text.slice(3, -1), 16);
  const units = text.slice(2).split('\\u');
  return codePointOf(String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))));
}

function pointRange(code: number): Range {
  return [code, code];
}

/** The complement of sorted ranges. */
function complement(ranges: readonly Range[]): Range[] {
  const starts = [0, ...ranges.map(([, end]) => end + 1)];
  const rangeEnds = [...ranges.map(([start]) => start - 1), last];
  return starts.map((start, index): Range => [start, itemAt(rangeEnds, index)]).filter(([start, end]) => start <= end);
}

function writeClass(items: readonly Item[], negated: boolean, dialect: CharacterDialect): string | undefined {
  // An empty class matches nothing, and its negation everything.
  if (items.length === 0) return writeClass([[0, last]], !negated, dialect);
  const parts: string[] = [];
  for (const item of items) {
    const part = 'property' in item ? dialect.property(item.property, item.negated) : range(item, dialect);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return `[${negated ? '^' : ''}${parts.join('')}]`;
}

function range([start, end]: Range, { code }: CharacterDialect): string {
  return start === end ? code(start) : `${code(start)}-${code(end)}`;
}

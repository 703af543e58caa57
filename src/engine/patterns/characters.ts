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
  return writeClass(wordCharacters, negated, dialect)!;
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
    const [from, to] = [parseAtom(atoms[index]!), atoms[index + 1] === '-' ? parseAtom(atoms[index + 2] ?? '') : []];
    if (to.length === 1 && isPoint(from[0]) && isPoint(to[0])) {
      items.push([from[0][0], to[0][0]]);
      index += 2;
    } else items.push(...from);
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
  if (!text.startsWith('\\')) return [pointRange(text.codePointAt(0)!)];
  const letter = text[1]!;
  if (letter === 'p' || letter === 'P') {
    const property = text.slice(3, -1).replace(/^(Script|sc|General_Category|gc)=/, '');
    return [{ property, negated: letter === 'P' }];
  }
  if (letter in namedClasses) return namedClasses[letter]!;
  if (letter.toLowerCase() in namedClasses) return complement(namedClasses[letter.toLowerCase()]!);
  if (letter === 'c') return [pointRange(text.charCodeAt(2) % 32)];
  if (letter === 'x') return [pointRange(Number.parseInt(text.slice(2), 16))];
  if (letter === 'u' && text.length > 2) return [pointRange(unicode(text))];
  return [pointRange(controls[letter] ?? letter.codePointAt(0)!)];
}

function unicode(text: string): number {
  if (text[2] === '{') return Number.parseInt(text.slice(3, -1), 16);
  const units = text.slice(2).split('\\u');
  return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))).codePointAt(0)!;
}

function pointRange(code: number): Range {
  return [code, code];
}

/** The complement of sorted ranges. */
function complement(ranges: readonly Range[]): Range[] {
  const starts = [0, ...ranges.map(([, to]) => to + 1)];
  const ends = [...ranges.map(([from]) => from - 1), last];
  return starts.map((from, index): Range => [from, ends[index]!]).filter(([from, to]) => from <= to);
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

function range([from, to]: Range, { code }: CharacterDialect): string {
  return from === to ? code(from) : `${code(from)}-${code(to)}`;
}

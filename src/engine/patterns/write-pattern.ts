import { characterClass, wordClass, type CharacterDialect } from './characters';
import type { PatternNode } from './parse-pattern';

/** A dialect as a whole: how often it repeats at most, and how it writes the edge of a word. */
export interface PatternDialect extends CharacterDialect {
  readonly mostTimes: number;
  edge(word: string, other: string, negated: boolean): string;
}

/** RE2, with run time linear in the length of the text. */
export const re2: PatternDialect = {
  mostTimes: 1_000,
  code: (point) => `\\x{${point.toString(16)}}`,
  property: (name, negated) => `\\${negated ? 'P' : 'p'}{${name}}`,
  edge: (_, __, negated) => (negated ? '\\B' : '\\b'),
};

/** PostgreSQL, whose own character classes depend on the database's locale. */
export const postgres: PatternDialect = {
  mostTimes: 255,
  // PostgreSQL stores no text with a NUL.
  code: (point) => `\\U${Math.max(point, 1).toString(16).padStart(8, '0')}`,
  property: () => undefined,
  edge: (word, nonWord, negated) => {
    const [beforeEdge, afterEdge] = [`(?:^|(?<=${nonWord}))`, `(?:$|(?=${nonWord}))`];
    return negated
      ? `(?:${beforeEdge}${afterEdge}|(?<=${word})(?=${word}))`
      : `(?:${beforeEdge}(?=${word})|(?<=${word})${afterEdge})`;
  },
};

/**
 * Writes a pattern in another dialect; undefined if the dialect cannot express it.
 *
 * @example writePattern(parsePattern('^[A-Z]{2,5}$'), postgres);
 */
export function writePattern(part: PatternNode, dialect: PatternDialect): string | undefined {
  switch (part.kind) {
    case 'character':
      return characterClass(part.source, dialect);
    case 'place':
      return part.source.startsWith('\\')
        ? dialect.edge(wordClass(dialect), wordClass(dialect, true), part.source === '\\B')
        : part.source;
    case 'look':
    case 'back':
      return undefined;
    case 'repeat':
      return writeRepeat(part, writePattern(part.part, dialect), dialect);
    default: {
      const writtenParts = part.parts.map((innerPart) => writePattern(innerPart, dialect));
      if (writtenParts.includes(undefined)) return undefined;
      return part.kind === 'choice' ? `(?:${writtenParts.join('|')})` : writtenParts.join('');
    }
  }
}

function writeRepeat(
  { minimum, maximum }: Extract<PatternNode, { kind: 'repeat' }>,
  innerPattern: string | undefined,
  { mostTimes }: PatternDialect,
): string | undefined {
  if (innerPattern === undefined || minimum > mostTimes || (maximum > mostTimes && maximum !== Infinity))
    return undefined;
  const times =
    maximum !== Infinity ? `{${minimum},${maximum}}` : minimum === 0 ? '*' : minimum === 1 ? '+' : `{${minimum},}`;
  return `(?:${innerPattern})${times}`;
}

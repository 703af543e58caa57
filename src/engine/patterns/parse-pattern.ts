import { firstOf, itemAt } from '../values/lookups';

/** The syntax tree of a pattern (a JavaScript regular expression with the flag `u`); captures are ignored. */
export type PatternNode =
  /** One character: itself, an escape, `.` or a class. */
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly minimum: number; readonly maximum: number }
  /** `^`, `$`, `\b` or `\B`. */
  | { readonly kind: 'place'; readonly source: string }
  /** A lookahead or lookbehind. */
  | { readonly kind: 'look' }
  /** A backreference. */
  | { readonly kind: 'back' };

const token =
  /\\(?:x[0-9a-fA-F]{2}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}|[pP]\{[^}]*\}|k<[^>]*>|c[A-Za-z]|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?(?:<?[=!]|:|<[^>=!]*>)|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/gu;

/**
 * Parses a pattern that `new RegExp(pattern, 'u')` accepts.
 *
 * @example parsePattern('^[A-Z]{2,5}$'); // its parts, for the checks and for PostgreSQL
 */
export function parsePattern(pattern: string): PatternNode {
  const tokens = Array.from(pattern.matchAll(token), ([text]) => text);
  let position = 0;

  function choice(): PatternNode {
    const alternatives: PatternNode[] = [sequence()];
    while (tokens[position] === '|') {
      position++;
      alternatives.push(sequence());
    }
    return alternatives.length === 1 ? firstOf(alternatives) : { kind: 'choice', parts: alternatives };
  }

  function sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (position < tokens.length && tokens[position] !== '|' && tokens[position] !== ')')
      parts.push(withRepetition(atomOrGroup()));
    return parts.length === 1 ? firstOf(parts) : { kind: 'sequence', parts };
  }

  function atomOrGroup(): PatternNode {
    const text = itemAt(tokens, position++);
    if (text.startsWith('(')) {
      const inner = choice();
      position++;
      return /^\(\?<?[=!]/.test(text) ? { kind: 'look' } : inner;
    }
    if (/^\\[1-9k]/.test(text)) return { kind: 'back' };
    if (text === '^' || text === '$' || text === '\\b' || text === '\\B') return { kind: 'place', source: text };
    return { kind: 'character', source: text };
  }

  function withRepetition(part: PatternNode): PatternNode {
    const text = tokens[position] ?? '';
    const times = /^(?:([*+?])|\{(\d+)(,)?(\d*)\})\??$/.exec(text);
    if (!times) return part;
    position++;
    if (times[1])
      return {
        kind: 'repeat',
        part,
        minimum: times[1] === '+' ? 1 : 0,
        maximum: times[1] === '?' ? 1 : Infinity,
      };
    const minimum = Number(times[2]);
    return {
      kind: 'repeat',
      part,
      minimum,
      maximum: times[3] === undefined ? minimum : times[4] ? Number(times[4]) : Infinity,
    };
  }

  return choice();
}

/** The syntax tree of a pattern (a JavaScript regular expression with the flag `u`); captures are ignored. */
export type PatternNode =
  /** One character: itself, an escape, `.` or a class. */
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'sequence' | 'choice'; readonly of: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly of: PatternNode; readonly least: number; readonly most: number }
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
    const ways: PatternNode[] = [sequence()];
    while (tokens[position] === '|') {
      position++;
      ways.push(sequence());
    }
    return ways.length === 1 ? ways[0]! : { kind: 'choice', of: ways };
  }

  function sequence(): PatternNode {
    const of: PatternNode[] = [];
    while (position < tokens.length && tokens[position] !== '|' && tokens[position] !== ')') of.push(repeated(one()));
    return of.length === 1 ? of[0]! : { kind: 'sequence', of };
  }

  function one(): PatternNode {
    const text = tokens[position++]!;
    if (text.startsWith('(')) {
      const of = choice();
      position++;
      return /^\(\?<?[=!]/.test(text) ? { kind: 'look' } : of;
    }
    if (/^\\[1-9k]/.test(text)) return { kind: 'back' };
    if (text === '^' || text === '$' || text === '\\b' || text === '\\B') return { kind: 'place', source: text };
    return { kind: 'character', source: text };
  }

  function repeated(of: PatternNode): PatternNode {
    const text = tokens[position] ?? '';
    const times = /^(?:([*+?])|\{(\d+)(,)?(\d*)\})\??$/.exec(text);
    if (!times) return of;
    position++;
    if (times[1]) return { kind: 'repeat', of, least: times[1] === '+' ? 1 : 0, most: times[1] === '?' ? 1 : Infinity };
    const least = Number(times[2]);
    return { kind: 'repeat', of, least, most: times[3] === undefined ? least : times[4] ? Number(times[4]) : Infinity };
  }

  return choice();
}

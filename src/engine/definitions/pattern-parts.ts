/** A pattern (a regular expression of JavaScript with the flag `u`), taken apart as far as its running time is concerned. */
export type Part =
  | { readonly kind: 'characters'; readonly source: string }
  | { readonly kind: 'sequence' | 'choice'; readonly of: readonly Part[] }
  | { readonly kind: 'repeat'; readonly of: Part; readonly least: number; readonly most: number }
  /** Consumes nothing: an anchor, a boundary. */
  | { readonly kind: 'nothing' }
  /** Looks ahead or behind: its inside runs by itself. */
  | { readonly kind: 'look'; readonly of: Part };

const token =
  /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}|[pP]\{[^}]*\}|k<[^>]*>|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?(?:<?[=!]|:|<[^>=!]*>)|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/gu;

/** Takes a pattern apart. Undefined where it refers back to what it found: how long that takes nobody can tell. */
export function partsOf(pattern: string): Part | undefined {
  const tokens = Array.from(pattern.matchAll(token), ([text]) => text);
  if (tokens.some((text) => /^\\[1-9k]/.test(text))) return undefined;
  let position = 0;

  function choice(): Part {
    const ways: Part[] = [sequence()];
    while (tokens[position] === '|') {
      position++;
      ways.push(sequence());
    }
    return ways.length === 1 ? ways[0]! : { kind: 'choice', of: ways };
  }

  function sequence(): Part {
    const of: Part[] = [];
    while (position < tokens.length && tokens[position] !== '|' && tokens[position] !== ')') of.push(repeated(one()));
    return of.length === 1 ? of[0]! : { kind: 'sequence', of };
  }

  function one(): Part {
    const text = tokens[position++]!;
    if (text.startsWith('(')) {
      const of = choice();
      position++;
      return /^\(\?<?[=!]/.test(text) ? { kind: 'look', of } : of;
    }
    if (text === '^' || text === '$' || text === '\\b' || text === '\\B') return { kind: 'nothing' };
    return { kind: 'characters', source: text };
  }

  function repeated(of: Part): Part {
    const text = tokens[position] ?? '';
    const times = /^(?:([*+?])|\{(\d+)(,)?(\d*)\})\??$/.exec(text);
    if (!times) return of;
    position++;
    if (times[1]) return { kind: 'repeat', of, least: times[1] === '+' ? 1 : 0, most: times[1] === '?' ? 1 : Infinity };
    const least = Number(times[2]);
    return { kind: 'repeat', of, least, most: times[3] === undefined ? least : times[4] ? Number(times[4]) : Infinity };
  }

  const whole = choice();
  return position < tokens.length ? undefined : whole;
}

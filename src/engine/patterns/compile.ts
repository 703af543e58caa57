import { formatNumber } from '../formats/numbers';
import { RE2JS } from 're2js';
import { engine, type Matcher } from './engine';
import { partsOf, type Part } from './parts';
import { re2, writePattern } from './write';

/**
 * The maximum number of characters that all repetitions expand to: each costs memory, and time for each character of a
 * text.
 */
const mostPlaces = 1_000;
const known = new Map<string, Matcher | string>();
const mostKnown = 500;

/**
 * Compiles a pattern of a definition for an engine with linear run time. Throws if the pattern is invalid or
 * unsupported.
 */
export function compilePattern(pattern: string): Matcher {
  const compiled = compile(pattern);
  if (typeof compiled === 'string') throw new Error(compiled);
  return compiled;
}

/** Why a pattern cannot be used, and what to do; undefined if it can. */
export function patternFault(pattern: string): string | undefined {
  const compiled = compile(pattern);
  return typeof compiled === 'string' ? compiled : undefined;
}

engine.compile = compilePattern;

function compile(pattern: string): Matcher | string {
  let compiled = known.get(pattern);
  if (compiled === undefined) {
    compiled = made(pattern);
    if (known.size >= mostKnown) known.clear();
    known.set(pattern, compiled);
  }
  return compiled;
}

function made(pattern: string): Matcher | string {
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    return `This is not a valid regular expression: ${(error as Error).message.replace(/^Invalid regular expression: /, '')}.`;
  }
  const parts = partsOf(pattern);
  const kinds = new Set(kindsOf(parts));
  if (kinds.has('look'))
    return 'This pattern cannot be used: it contains a lookahead or lookbehind, such as "(?=…)". Rewrite it without one, or use a rule.';
  if (kinds.has('back'))
    return 'This pattern cannot be used: it contains a backreference, such as "\\1". Rewrite it without one, or use a rule.';
  if (placesOf(parts) > mostPlaces)
    return `This pattern cannot be used: its repetitions match more than ${formatNumber(mostPlaces)} characters. Use minLength and maxLength to limit the length.`;
  const written = writePattern(parts, re2);
  try {
    const expression = RE2JS.compile(written!);
    return (text) => expression.test(text);
  } catch {
    return 'This pattern cannot be used: it uses a character property or a repetition that is not supported.';
  }
}

function* kindsOf(part: Part): Generator<Part['kind']> {
  yield part.kind;
  if (part.kind === 'repeat') yield* kindsOf(part.of);
  else if ('of' in part) for (const one of part.of) yield* kindsOf(one);
}

function placesOf(part: Part): number {
  if (part.kind === 'repeat') return placesOf(part.of) * Math.max(1, part.most === Infinity ? part.least : part.most);
  return 'of' in part ? part.of.reduce((sum, one) => sum + placesOf(one), 0) : 1;
}

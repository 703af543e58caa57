import { cachedValue } from '../formats/cached-value';
import { formatNumber } from '../formats/numbers';
import { RE2JS } from 're2js';
import { patternEngine, type Matcher } from './engine';
import { parsePattern, type PatternNode } from './parse-pattern';
import { re2, writePattern } from './write-pattern';
import { requireValue } from '../values/lookups';

/**
 * The maximum number of characters that all repetitions expand to: each costs memory, and time for each character of a
 * text.
 */
const maxExpandedLength = 1_000;
const compiledPatterns = new Map<string, Matcher | string>();
const maxCompiledPatterns = 500;

/**
 * Compiles a pattern of a definition for an engine with linear run time. Throws if the pattern is invalid or
 * unsupported.
 *
 * @example compilePattern('^[A-Z]{2,5}$')('QA'); // true
 */
export function compilePattern(pattern: string): Matcher {
  const matcher = compile(pattern);
  if (typeof matcher === 'string') throw new Error(matcher);
  return matcher;
}

/** Why a pattern cannot be used, and what to do; undefined if it can. */
export function patternProblem(pattern: string): string | undefined {
  const matcher = compile(pattern);
  return typeof matcher === 'string' ? matcher : undefined;
}

patternEngine.compile = compilePattern;

function compile(pattern: string): Matcher | string {
  return cachedValue(compiledPatterns, maxCompiledPatterns, pattern, compileNew);
}

function compileNew(pattern: string): Matcher | string {
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    return `This is not a valid regular expression: ${(error as Error).message.replace(/^Invalid regular expression: /, '')}.`;
  }
  const parts = parsePattern(pattern);
  const kinds = new Set(kindsOf(parts));
  if (kinds.has('look'))
    return 'This pattern cannot be used: it contains a lookahead or lookbehind, such as "(?=…)". Rewrite it without one, or use a rule.';
  if (kinds.has('back'))
    return 'This pattern cannot be used: it contains a backreference, such as "\\1". Rewrite it without one, or use a rule.';
  if (expandedLength(parts) > maxExpandedLength)
    return `This pattern cannot be used: its repetitions match more than ${formatNumber(maxExpandedLength)} characters. Use minLength and maxLength to limit the length.`;
  const re2Pattern = writePattern(parts, re2);
  try {
    const expression = RE2JS.compile(requireValue(re2Pattern, 'the pattern in the syntax of RE2'));
    return (text) => expression.test(text);
  } catch {
    return 'This pattern cannot be used: it uses a character property or a repetition that is not supported.';
  }
}

function* kindsOf(part: PatternNode): Generator<PatternNode['kind']> {
  yield part.kind;
  if (part.kind === 'repeat') yield* kindsOf(part.part);
  else if ('parts' in part) for (const innerPart of part.parts) yield* kindsOf(innerPart);
}

function expandedLength(part: PatternNode): number {
  if (part.kind === 'repeat')
    return expandedLength(part.part) * Math.max(1, part.maximum === Infinity ? part.minimum : part.maximum);
  return 'parts' in part ? part.parts.reduce((sum, innerPart) => sum + expandedLength(innerPart), 0) : 1;
}

import { formatNumber } from '../formats/numbers';
import { RE2JS } from 're2js';
import { engine, type Matcher } from './engine';
import { partsOf, type Part } from './parts';
import { re2, writePattern } from './write';

/** Characters that the repetitions of a pattern may come to: each costs memory, and time for each character of a text. */
const mostPlaces = 1_000;
const known = new Map<string, Matcher | string>();
const mostKnown = 500;

/** A pattern of a definition, in an engine that takes time that grows with the length of the text. Throws where it has a fault. */
export function compilePattern(pattern: string): Matcher {
  const compiled = compile(pattern);
  if (typeof compiled === 'string') throw new Error(compiled);
  return compiled;
}

/** Why a pattern cannot be used, and what to do; undefined where it can. */
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
    return `This is no regular expression: ${(error as Error).message.replace(/^Invalid regular expression: /, '')}.`;
  }
  const parts = partsOf(pattern);
  const kinds = new Set(kindsOf(parts));
  if (kinds.has('look'))
    return 'This pattern cannot be used: it looks ahead or behind, as "(?=…)" does. Write it without, or as a rule.';
  if (kinds.has('back'))
    return 'This pattern cannot be used: it refers back to a group, as "\\1" does. Write it without, or as a rule.';
  if (placesOf(parts) > mostPlaces)
    return `This pattern cannot be used: its repetitions come to more than ${formatNumber(mostPlaces)} characters. Limit lengths by minLength and maxLength.`;
  const written = writePattern(parts, re2);
  try {
    const expression = RE2JS.compile(written!);
    return (text) => expression.test(text);
  } catch {
    return 'This pattern cannot be used: it asks for a property of characters, or for repetitions, that the engine does not know.';
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

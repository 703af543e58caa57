import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Field } from '../../src/engine/definitions/definition';
import { fieldTypeOf } from '../../src/engine/field-types';
import {
  defaultJsonLimits,
  JsonLimitError,
  JsonScanner,
  parseBoundedJson,
  type JsonLimits,
} from '../../src/engine/values/bounded-json';

const limits: JsonLimits = { depth: 3, names: 4, values: 12 };

/** The limit that a value exceeds; undefined if it exceeds none. Written independently of the scanner. */
function exceeded(value: unknown): boolean {
  let values = 0;
  let isTooMuch = false;
  const visit = (one: unknown, depth: number): void => {
    if (typeof one !== 'object' || one === null) return;
    const inner = Object.values(one);
    values += Math.max(1, inner.length);
    if (depth > limits.depth || (!Array.isArray(one) && inner.length > limits.names)) isTooMuch = true;
    for (const each of inner) visit(each, depth + 1);
  };
  visit(value, 1);
  return isTooMuch || values > limits.values;
}

function scan(pieces: readonly string[], within = limits): string | undefined {
  const scanner = new JsonScanner(within);
  try {
    for (const piece of pieces) scanner.scan(piece);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(JsonLimitError);
    return (error as Error).message;
  }
}

/** Texts of nothing but what means something in JSON. */
const trickyText = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', 'a', 'ä', '\n') });
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 5 }, trickyText, fc.integer(), fc.constant(null), tie('list'), tie('object')),
  list: fc.array(tie('any'), { maxLength: 6 }),
  object: fc.dictionary(trickyText, tie('any'), { maxKeys: 6, noNullPrototype: true }),
})).any;

test('bounded JSON is refused exactly if it exceeds a limit, for all divisions of its bytes', () => {
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 2 }), fc.infiniteStream(fc.nat(5)), (any, space, lengths) => {
      const bytes = Buffer.from(JSON.stringify(any, null, space)).toString('latin1');
      const pieces: string[] = [];
      for (let at = 0; at < bytes.length;) {
        const length = lengths.next().value!;
        pieces.push(bytes.slice(at, at + length));
        at += length;
      }
      expect(scan(pieces) !== undefined).toBe(exceeded(any));
      expect(scan([bytes]) !== undefined).toBe(exceeded(any));
    }),
    { numRuns: 2_000 },
  );
});

test('the scanner of bounded JSON accepts text that is no JSON', () => {
  fc.assert(
    fc.property(trickyText, trickyText, (text, more) => {
      scan([text, more]);
    }),
  );
});

test.each<[string, string, string]>([
  ['nested lists', '['.repeat(65), 'is nested too deeply: at most 64 levels are read'],
  ['nested objects', '{"a":'.repeat(65), 'is nested too deeply: at most 64 levels are read'],
  ['a list', `[${'1,'.repeat(50_000)}1]`, 'has too many values: at most 50,000 are read at once'],
  ['empty lists in a list', `[${'[],'.repeat(25_000)}[]]`, 'has too many values: at most 50,000 are read at once'],
  ['names', `{${'"a":1,'.repeat(1_000)}"b":1}`, 'has too many fields: at most 1,000 are read of one object'],
])('bounded JSON with too many %s is refused with the limit', (_what, text, message) => {
  expect(() => parseBoundedJson(text)).toThrow(new JsonLimitError(message));
});

test('the scanner of bounded JSON ignores brackets in texts and ends at the first value beyond the limit', () => {
  const text = JSON.stringify({ text: '[{,"\\'.repeat(100_000) });
  expect(parseBoundedJson(text)).toEqual(JSON.parse(text));
  const scanner = new JsonScanner(defaultJsonLimits);
  expect(() => scanner.scan('['.repeat(65))).toThrow(JsonLimitError);
});

test.each([
  ['rows', JSON.stringify([{ action: 'a' }])],
  ['json', JSON.stringify({ a: [1] })],
])('the text of a form for a field of the type %s is limited', (type, text) => {
  const { fromText } = fieldTypeOf({ type } as Field);
  const field = { type } as Field;
  expect(fromText(text, field)).toEqual(JSON.parse(text));
  expect(fromText('['.repeat(100) + ']'.repeat(100), field)).toBeUndefined();
  expect(fromText(`[${'{},'.repeat(60_000)}{}]`, field)).toBeUndefined();
});

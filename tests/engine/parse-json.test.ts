import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonError, parseJson } from '../../src/engine/check/parse-json';

const text = `{
  "name": "things",
  "fields": {
    "a/b": { "type": "text" },
    "list": [
      1,
      { "deep": null }
    ]
  }
}`;

describe('reading JSON with its lines', () => {
  test.each([
    ['', 1],
    ['/name', 2],
    ['/fields/a~1b/type', 4],
    ['/fields/list/0', 6],
    ['/fields/list/1/deep', 7],
  ])('%s is on line %i', (path, line) => {
    expect(parseJson(text).lines.get(path)).toBe(line);
  });

  test.each([
    ['', 1, 'found the end of the file instead of a value'],
    ['{\n "a": 1,\n}', 3, 'a key after the comma'],
    ['{\n "a": 1\n "b": 2\n}', 3, 'a comma or }'],
    ['{\n "a" 1\n}', 2, 'a colon'],
    ['[1,\n2,]', 2, 'a value after the comma'],
    ['{\n\n a: 1 }', 3, 'found a instead of something else'],
    ['{} {}', 1, 'something else'],
    ['{ "a": "\n" }', 1, 'something else'],
    ['{\n "a": 1,\n "a": 2 }', 3, 'The key "a" is duplicated'],
    ['{ "a": 01 }', 1, 'a comma or }'],
  ])('%j is refused on line %i', (broken, line, message) => {
    const read = () => parseJson(broken);
    expect(read).toThrow(JsonError);
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ line }));
  });

  test('agrees with JSON.parse on every JSON text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const written = JSON.stringify(value, null, 1);
        expect(parseJson(written).value).toEqual(JSON.parse(written));
      }),
    );
  });

  test('accepts nothing that JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ \n0a1-.eEtrufalsn') }), (broken) => {
        let value: unknown;
        try {
          ({ value } = parseJson(broken));
        } catch {
          return;
        }
        expect(value).toEqual(JSON.parse(broken));
      }),
    );
  });
});

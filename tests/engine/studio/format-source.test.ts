import fc from 'fast-check';
import { format } from 'oxfmt';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { formatJson, formatSource } from '../../../src/engine/studio/format-source';
import { fixtureFiles, source } from '../support/definitions';

const pretty = async (text: string) => (await format('a.json', text, { printWidth: 120 })).code;

describe('the text of a definition', () => {
  it.each(fixtureFiles.map(({ file, text }) => [file, text]))('equals the text of %s', (_, text) => {
    expect(formatSource(JSON.parse(text) as Source)).toBe(text);
  });

  it('is unchanged by the formatter', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), async (value) => {
        const text = `${formatJson(value)}\n`;
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(await pretty(text)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('breaks where a line would be longer than 120 characters', async () => {
    for (let length = 60; length < 130; length += 1) {
      const text = formatSource(source({ description: 'x', list: { columns: ['id', 'n'.repeat(length), 'name'] } }));
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(Math.max(120, length + 9));
      expect(await pretty(text)).toBe(text);
    }
  });

  it('counts the columns of wide letters as editors do', async () => {
    for (const letter of ['界', 'é', 'é', '🚀', '👩‍🚀', '🇨🇭', '✓', '…', '→'])
      for (let length = 20; length < 90; length += 1) {
        const text = formatSource(source({ list: { bulkEdit: [letter.repeat(length), 'name'] } }));
        expect(await pretty(text)).toBe(text);
      }
  });

  it('keeps the order of keys and leaves out undefined values', () => {
    const text = formatSource(
      source({ formerName: undefined, fields: { b: {}, a: { required: true, type: 'text' } } }),
    );
    expect(text).toContain('"fields": { "b": {}, "a": { "required": true, "type": "text" } }');
    expect(text).not.toContain('was');
  });
});

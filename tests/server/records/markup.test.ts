// @module-tag slow
import fc from 'fast-check';
import sanitizeHtml from 'sanitize-html';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { convertValue } from '../../../src/engine/forms/convert-value';
import { markupToText } from '../../../src/engine/formats/markup-to-text';
import { diffTexts } from '../../../src/engine/history/diff-texts';
import { isEmail } from '../../../src/engine/field-types/email';
import { fieldTypeOf } from '../../../src/engine/field-types';
import { parseTypedNumber } from '../../../src/engine/formats/parse-typed-values';
import { readCell } from '../../../src/engine/imports/read-cell';
import { mailText } from '../../../src/server/mail/render';
import { cleanMarkup, limitMarkupDepth } from '../../../src/server/records/write/markup';
import { fixtureDefinitions } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

const shots = fixtureDefinitions().find(({ name }) => name === 'shots')!;

/** Texts that grow with a number, of which each is hard on one way to read markup. */
const shapes: Readonly<Record<string, (times: number) => string>> = {
  'open links': (times) => '<a>'.repeat(times),
  'open elements': (times) => '<div><p>'.repeat(times),
  'ends that meet nothing': (times) => '<b>'.repeat(times) + '</i>'.repeat(times),
  'elements within each other': (times) => '<b>'.repeat(times) + '</b>'.repeat(times),
  'ends out of order': (times) => '<p><div><b></p>'.repeat(times),
  'tags without an end': (times) => '<a '.repeat(times),
  'brackets alone': (times) => '<'.repeat(times),
  'brackets around tags': (times) => '<<b>b>'.repeat(times),
  attributes: (times) => `<a ${'x="y" '.repeat(times)}>b</a>`,
  'comments within an address': (times) => `<a href="${'<!---->'.repeat(times)}">b</a>`,
  'a name without an end': (times) => `<${'b'.repeat(times)}`,
  entities: (times) => '&amp;lt;&#60'.repeat(times),
  comments: (times) => '<!--'.repeat(times),
  'pictures that close themselves': (times) => '<svg/><title>'.repeat(times),
  scripts: (times) => '<script/>'.repeat(times),
  items: (times) => '<li>'.repeat(times),
};

/** The least of a few tries: what else runs on the machine only ever adds. */
function time(run: () => void): number {
  const times = [0, 1].map(() => {
    const began = performance.now();
    run();
    return performance.now() - began;
  });
  return Math.min(...times);
}

/** Whether four times the text takes far less than the sixteen times that a quadratic step takes. */
function expectLinear(make: (times: number) => string, times: number, run: (text: string) => void): void {
  const [small, large] = [make(times), make(4 * times)];
  run(small);
  const once = time(() => run(small));
  expect(time(() => run(large))).toBeLessThan(9 * once + 150);
}

describe('reading text of users takes time linear in its length', () => {
  test.each(Object.entries(shapes))('markup: %s', (_, make) => {
    expectLinear(make, 20_000, cleanMarkup);
  });

  const readers: Readonly<Record<string, (text: string) => unknown>> = {
    'the text of markup': (text) => markupToText(text, { bullet: '• ' }),
    'the text of markup in a list': (text) =>
      fieldTypeOf(shots.fields.description!).toText(text, shots.fields.description!),
    'the text of a mail': mailText,
    'the difference of two texts': (text) => diffTexts(text, `x ${text} y`),
    'a number in a form': parseTypedNumber,
    'an address': isEmail,
    'a number in a cell': (text) => readCell(shots, shots.fields.planned_hours!, text),
    'a day in a cell': (text) => readCell(shots, shots.fields.ends_on!, text),
    'a number of a query': (text) =>
      fieldTypeOf(shots.fields.planned_hours!).fromText(text, shots.fields.planned_hours!),
    'markup as a number': (text) => convertValue(text, shots.fields.description!, shots.fields.planned_hours!),
  };
  const repeated = [
    '<',
    '<a ',
    '<a href="',
    '<a href="x">',
    '<li> ',
    '</td> ',
    '0',
    'a@',
    'x ',
    ' ',
    '\n',
    'T00:00',
    '&#',
    '</p',
  ];
  test.each(Object.entries(readers))('%s', (_, read) => {
    for (const part of repeated)
      expectLinear(
        (times) => `a@${part.repeat(times / part.length)}\nx`,
        30_000,
        (text) => void read(text),
      );
    for (const part of repeated)
      expectLinear(
        (times) => `${part.repeat(times / part.length)}x`,
        30_000,
        (text) => void read(text),
      );
  });
});

describe('markup before it is sanitized', () => {
  const options = { allowedTags: ['p', 'br', 'b', 'i', 'ul', 'li', 'a', 'div', 'table', 'tr', 'td'], nestingLimit: 50 };
  const sanitised = (html: string) => sanitizeHtml(html, options);
  const part = fc.constantFrom(
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<i>',
    '<br>',
    '</br>',
    '<ul>',
    '<li>',
    '</ul>',
    '<a href="http://x.y/?a=1&amp;b=2">',
    '</a>',
    '<div title="a > b">',
    '</div>',
    '<script>',
    '</script>',
    '<style>',
    '</style>',
    '<title>',
    '<!-- c -->',
    '<table><tr><td>',
    '<td>',
    '<tr>',
    '</table>',
    '&lt;b&gt;',
    '&amp;lt;',
    '&',
    ' a ',
    '<',
    '< b',
    '>',
    'ä',
    '&nbsp;',
    '<img src=x onerror=alert(1)>',
    '<a href="java&#115;cript:alert(1)">',
    '<P CLASS=x>',
    "<b title='</b>'>",
    '<b/>',
    '<zz>',
  );

  test('is unchanged if it is not deeply nested', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const html = parts.join('');
        expect(sanitised(limitMarkupDepth(html))).toBe(sanitised(html));
      }),
      { numRuns: 3_000 },
    );
  });

  test('is never nested deeper than the limit, and keeps its text', () => {
    const deep = limitMarkupDepth(`${'<b>'.repeat(1_000)}text${'</b>'.repeat(1_000)}<i>after</i>`);
    expect(deep.match(/<b>/g)).toHaveLength(64);
    expect(cleanMarkup(`${'<div>'.repeat(1_000)}text`)).toContain('text');
    expect(deep).toContain('text');
    expect(deep.endsWith('<i>after</i>')).toBe(true);
  });
});

describe('through the API', () => {
  let program: DemoProgram;
  let owner: Client;
  beforeAll(async () => {
    program = await startFixtureProgram();
    owner = await program.signIn(accounts.owner);
  });
  afterAll(() => program?.close());

  test('markup is measured before it is cleaned, whoever sends it', async () => {
    const [shot] = (await owner<{ data: { id: number }[] }>('GET', '/shots?range=[0,0]')).body.data;
    for (const description of ['<a>'.repeat(270_000), '<b>'.repeat(1_500_000), 'ä'.repeat(100_001)]) {
      const answer = await owner<{ errors: object }>('PUT', `/shots/${shot!.id}`, { description });
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        { description: 'Description must have at most 100000 characters.' },
      ]);
    }
    for (const description of ['<a>x'.repeat(25_000), `${'<div><p>'.repeat(10_000)}x`, '😀'.repeat(99_000)])
      expect([200, 422]).toContain((await owner('PUT', `/shots/${shot!.id}`, { description })).status);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldChangesOf, describeHistoryValue } from '../../../src/engine/history/field-changes';
import { diffTexts } from '../../../src/engine/history/diff-texts';
import { markupToText } from '../../../src/engine/formats/markup-to-text';
import { definition } from '../support/definitions';

const side = (runs: ReturnType<typeof diffTexts>, which: 'old' | 'new') =>
  runs
    .filter((run) => run.side === 'both' || run.side === which)
    .map(({ text }) => text)
    .join('');

test('a difference of texts has both texts, and marks nothing that they share at the ends', () => {
  const text = fc
    .array(fc.constantFrom('one', 'two', 'three', ' ', '\n'), { maxLength: 30 })
    .map((words) => words.join(' '));
  fc.assert(
    fc.property(text, text, (old, fresh) => {
      const runs = diffTexts(old, fresh);
      expect(side(runs, 'old')).toBe(old);
      expect(side(runs, 'new')).toBe(fresh);
    }),
  );
});

test('texts are compared word by word', () => {
  expect(diffTexts('One charge is made', 'Exactly one charge is made')).toEqual([
    { text: 'One', side: 'old' },
    { text: 'Exactly one', side: 'new' },
    { text: ' charge is made', side: 'both' },
  ]);
  expect(diffTexts('same', 'same')).toEqual([{ text: 'same', side: 'both' }]);
});

test('very long texts are not compared word by word', () => {
  const long = Array.from({ length: 4000 }, (_, index) => `old${index}`).join(' ');
  const runs = diffTexts(long, long.replaceAll('old', 'new'));
  expect(runs.map((run) => run.side)).toEqual(['old', 'new']);
});

test.each([
  [
    '<p>A &amp; <b>B</b></p><ul><li><p>one</p></li><li>two&nbsp;three</li></ul><p>C<br>D &#x41;</p>',
    'A & B\n• one\n• two three\nC\nD A',
  ],
  ['<h1>T</h1>\n  <p>x</p><pre><code>if (a) {\n  b\n}</code></pre>', 'T\nx\nif (a) {\n  b\n}'],
  ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
  ['two\nlines', 'two\nlines'],
])('formatted text is read as its reader sees it: %s', (html, text) =>
  expect(markupToText(html, { bullet: '• ' })).toBe(text),
);

const told = definition({
  fields: {
    name: {},
    shot: { type: 'image' },
    owner_id: { type: 'relation', to: 'things' },
    members: { type: 'relations', to: 'things' },
    notes: { type: 'richText' },
    due: { type: 'date' },
    open: { type: 'boolean' },
    state: { type: 'select', options: [{ value: 'a', label: 'Answered' }] },
  },
  scope: 'company',
});
const names = { owner_id: { 4: 'Ada King' }, members: { 4: 'Ada King', 5: 'Priya Raman' } };

test.each<
  [
    what: string,
    old: object | null,
    fresh: object | null,
    shown: Record<string, [string, string]>,
    titles?: typeof names | null,
  ]
>([
  ['a picture that was added', null, { shot: 'a.png' }, { shot: ['', 'Added a.png'] }],
  [
    'a picture that was replaced by one of the same name',
    { shot: 'a.png' },
    { shot: 'a.png' },
    { shot: ['a.png', 'Replaced by a.png'] },
  ],
  ['a picture that was removed', { shot: 'a.png' }, { shot: null }, { shot: ['a.png', 'Removed'] }],
  ['one record', { owner_id: null }, { owner_id: 4 }, { owner_id: ['', 'Ada King'] }],
  [
    'several records, one of them gone for good',
    { members: [4, 12] },
    { members: [5, 4] },
    { members: ['Ada King, #12 (deleted)', 'Priya Raman, Ada King'] },
  ],
  ['a record that is gone for good, alone', { owner_id: 12 }, { owner_id: null }, { owner_id: ['#12 (deleted)', ''] }],
  ['records whose names nobody looked up', { owner_id: 4 }, { owner_id: 12 }, { owner_id: ['#4', '#12'] }, null],
  [
    'values by their types',
    { notes: '<p>A &amp; B</p>', due: '2026-11-22' },
    { open: false, state: 'a' },
    { notes: ['A & B', ''], due: ['22-Nov-2026', ''], open: ['', 'No'], state: ['', 'Answered'] },
  ],
  ['what is no news', { site_id: 1, updated_at: 'x', name: '' }, { site_id: 2, updated_by: 3, id: 4, members: [] }, {}],
])('the history shows names of records: %s', (_, old, fresh, shown, titles = names) => {
  const line = {
    event: 'updated',
    user: null,
    created_at: '',
    old_values: old as never,
    new_values: fresh as never,
    ...(titles && { names: titles }),
  };
  const changes = fieldChangesOf(told, line);
  const words = changes.map((change) => [
    change.field.name,
    [describeHistoryValue(change, 'old'), describeHistoryValue(change, 'new')],
  ]);
  expect(Object.fromEntries(words)).toEqual(shown);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesOf, valueInWords } from '../../../src/engine/history/changes';
import { difference } from '../../../src/engine/history/difference';
import { plainText } from '../../../src/engine/history/plain-text';
import { definition } from '../support/definitions';

const side = (runs: ReturnType<typeof difference>, which: 'old' | 'new') =>
  runs.filter((run) => run.side === 'both' || run.side === which).map(({ text }) => text).join(''); // prettier-ignore

test('a difference holds both texts, and marks nothing that they share at the ends', () => {
  const text = fc.array(fc.constantFrom('one', 'two', 'three', ' ', '\n'), { maxLength: 30 }).map((words) => words.join(' ')); // prettier-ignore
  fc.assert(
    fc.property(text, text, (old, fresh) => {
      const runs = difference(old, fresh);
      expect(side(runs, 'old')).toBe(old);
      expect(side(runs, 'new')).toBe(fresh);
    }),
  );
});

test('what differs is said in words', () => {
  expect(difference('One charge is made', 'Exactly one charge is made')).toEqual([
    { text: 'One', side: 'old' },
    { text: 'Exactly one', side: 'new' },
    { text: ' charge is made', side: 'both' },
  ]);
  expect(difference('same', 'same')).toEqual([{ text: 'same', side: 'both' }]);
});

test('very long texts are not compared word by word', () => {
  const long = Array.from({ length: 4000 }, (_, index) => `old${index}`).join(' ');
  const runs = difference(long, long.replaceAll('old', 'new'));
  expect(runs.map((run) => run.side)).toEqual(['old', 'new']);
});

test('formatted text is read as its reader sees it', () => {
  expect(
    plainText('<p>A &amp; <b>B</b></p><ul><li><p>one</p></li><li>two&nbsp;three</li></ul><p>C<br>D &#x41;</p>'),
  ).toBe('A & B\n• one\n• two three\nC\nD A');
});

test('a picture that was added is named, and the company is no news', () => {
  const shots = definition({ fields: { name: {}, shot: { type: 'image' } }, scope: 'company' });
  const line = { event: 'updated', user: null, created_at: '', old_values: null, new_values: { shot: 'a.png', site_id: 1 } }; // prettier-ignore
  const changes = changesOf(shots, line);
  expect(changes.map((change) => [change.field.name, valueInWords(change, 'new')])).toEqual([['shot', 'a.png']]);
});

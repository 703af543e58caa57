import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareLines, countLines, foldEqualRows, type DiffRow } from '../../../src/engine/studio/diff-lines';

const shown = (rows: readonly DiffRow[]) =>
  rows.map(
    ({ kind, left, right }) =>
      `${kind} ${left ? `${left.number}:${left.text}` : '-'} | ${right ? `${right.number}:${right.text}` : '-'}`,
  );

test('changed lines are paired, added lines have no counterpart', () => {
  const old = '{\n  "a": {\n    "decimals": 1,\n    "min": 0\n  },\n  "b": 1\n}\n';
  const fresh = '{\n  "a": {\n    "decimals": 2,\n    "min": 0\n  },\n  "c": {\n    "x": 1\n  },\n  "b": 2\n}\n';
  const rows = compareLines(old, fresh);
  expect(shown(rows)).toEqual([
    'same 1:{ | 1:{',
    'same 2:  "a": { | 2:  "a": {',
    'changed 3:    "decimals": 1, | 3:    "decimals": 2,',
    'same 4:    "min": 0 | 4:    "min": 0',
    'same 5:  }, | 5:  },',
    'added - | 6:  "c": {',
    'added - | 7:    "x": 1',
    'added - | 8:  },',
    'changed 6:  "b": 1 | 9:  "b": 2',
    'same 7:} | 10:}',
  ]);
  expect(countLines(rows)).toEqual({ removed: 2, added: 5 });
});

test('both texts are complete and in order, and equal lines are paired', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '  "k": 1', '  "k": 2', '', '}'), { maxLength: 25 });
  fc.assert(
    fc.property(text, text, (old, fresh) => {
      const rows = compareLines(old.map((line) => `${line}\n`).join(''), fresh.map((line) => `${line}\n`).join(''));
      const [left, right] = [rows.flatMap((row) => row.left ?? []), rows.flatMap((row) => row.right ?? [])];
      expect(left.map((line) => line.text)).toEqual(old);
      expect(right.map((line) => line.text)).toEqual(fresh);
      expect(left.map((line) => line.number)).toEqual(old.map((_, index) => index + 1));
      expect(right.map((line) => line.number)).toEqual(fresh.map((_, index) => index + 1));
      for (const row of rows) {
        expect(row.kind === 'same').toBe(row.left !== null && row.left.text === row.right?.text);
        if (row.kind === 'removed') expect(row.right).toBeNull();
        if (row.kind === 'added') expect(row.left).toBeNull();
      }
    }),
  );
});

test('equal lines far from what differs are folded, and nothing gets lost', () => {
  const old = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const fresh = old.map((line, index) => (index === 20 ? 'other' : line));
  const rows = compareLines(old.join('\n'), fresh.join('\n'));
  const result = foldEqualRows(rows);
  expect(result.map((one) => (one.kind === 'fold' ? one.rows.length : one.kind))).toEqual([
    17,
    'same',
    'same',
    'same',
    'changed',
    'same',
    'same',
    'same',
    16,
  ]);
  expect(result.flatMap((one) => (one.kind === 'fold' ? one.rows : [one]))).toEqual(rows);
  expect(foldEqualRows(compareLines(old.join('\n'), old.join('\n')))).toHaveLength(1);
});

test('long texts are compared quickly', () => {
  const old = Array.from({ length: 5000 }, (_, index) => (index % 4 === 3 ? '},' : `"${index}": { "n": ${index % 7}`));
  const fresh = old.filter((_, index) => index % 50 !== 1).map((line, index) => (index % 90 === 0 ? `${line} ` : line));
  const began = performance.now();
  const rows = compareLines(old.join('\n'), fresh.join('\n'));
  const reversed = compareLines(old.join('\n'), old.toReversed().join('\n'));
  expect(performance.now() - began).toBeLessThan(2000);
  expect(countLines(rows).removed).toBeLessThan(200);
  expect(reversed.flatMap((row) => row.left ?? [])).toHaveLength(5000);
});

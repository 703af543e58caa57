import { expect, test } from 'vitest';
import type { FieldOf, ResourceRecord } from '../../../src/engine/definitions/definition';
import { describeRowChanges, rowChanges } from '../../../src/engine/history/row-changes';
import { definition } from '../support/definitions';

const lines = definition({
  fields: { lines: { type: 'rows', fields: { what: { type: 'text' }, amount: { type: 'number' } } } },
}).fields.lines as FieldOf<'rows'>;

const [a, b, c] = [
  { id: 1, what: 'a', amount: 1 },
  { id: 2, what: 'b', amount: 2 },
  { id: 3, what: 'c', amount: 3 },
] as [ResourceRecord, ResourceRecord, ResourceRecord];

test.each<[string, ResourceRecord[], string, string]>([
  ['an added row', [a, b, c, { what: 'd' }], '', 'Row 4, added: What d'],
  ['a removed row', [a, c], 'Row 2, removed: What b, Amount 2', ''],
  ['changed cells', [a, { ...b, amount: 9 }, c], 'Row 2, changed: Amount 2', 'Row 2, changed: Amount 9'],
  ['an emptied cell', [{ id: 1, what: 'a' }, b, c], 'Row 1, changed: Amount 1', 'Row 1, changed: Amount nothing'],
  ['a moved row', [b, c, a], 'Row 1, moved: What a', 'Row 3, moved: What a'],
  ['a new first row, which moves no other', [{ what: 'x' }, a, b, c], '', 'Row 1, added: What x'],
])('the history describes changes of rows: %s', (_what, after, old, fresh) => {
  const sides = { old: [a, b, c], new: after };
  expect(describeRowChanges(rowChanges(lines, sides, 'old'))).toBe(old);
  expect(describeRowChanges(rowChanges(lines, sides, 'new'))).toBe(fresh);
});

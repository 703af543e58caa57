import { expect, test } from 'vitest';
import {
  changeColumnType,
  columnNameProblem,
  newColumnName,
  renameColumn,
} from '../../../src/engine/studio/row-columns';

test('a new column has a name that no other has', () => {
  expect(newColumnName({})).toBe('column_1');
  expect(newColumnName({ column_2: {} })).toBe('column_3');
});

test.each([
  ['Action', 'Names start with a lower-case letter'],
  ['position', '"position" is reserved'],
  ['parent_id', '"parent_id" is reserved'],
  ['NOTE', 'Names start with'],
  ['nOTE', 'A column "note" already exists.'],
])('%s is no name', (name, message) => {
  expect(columnNameProblem({ note: {} }, name)).toContain(message);
});

test('a renamed column keeps its place and its values, and other columns follow', () => {
  const columns = { starts: { type: 'time' }, ends: { type: 'time', notBefore: 'starts' } } as const;
  const renamed = renameColumn(columns, 'starts', 'begins', columns);
  expect(Object.entries(renamed)).toEqual([
    ['begins', { type: 'time', was: 'starts' }],
    ['ends', { type: 'time', notBefore: 'begins' }],
  ]);
  // Back to its former name, or never published: there is nothing to remember.
  expect(renameColumn(renamed, 'begins', 'starts', columns).starts).toEqual({ type: 'time' });
  expect(renameColumn(columns, 'starts', 'begins').begins).toEqual({ type: 'time' });
});

test('another type drops what it does not have', () => {
  expect(changeColumnType({ type: 'text', label: 'A', maxLength: 9, required: true, default: 'x' }, 'number')).toEqual({
    type: 'number',
    label: 'A',
    required: true,
  });
  expect(changeColumnType({ type: 'relation', to: 'genres' }, 'duration')).toEqual({ type: 'duration' });
});

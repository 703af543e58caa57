import { expect, test } from 'vitest';
import type { FieldSource, Source } from '../../../src/engine/language/source';
import {
  changeColumnType,
  columnNameProblem,
  newColumnName,
  renameColumn,
  type WrittenColumns,
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
])('a column of rows cannot be named %s', (name, message) => {
  expect(columnNameProblem({ note: {} }, name)).toContain(message);
});

test('a renamed column keeps its place and its values, and other columns follow', () => {
  const columns = { starts: { type: 'time' }, ends: { type: 'time', notBefore: 'starts' } } as const;
  const withColumns = (fields: WrittenColumns, more: Source['fields'] = {}): Source =>
    ({ name: 'days', fields: { lines: { type: 'rows', fields }, ...more } }) as unknown as Source;
  const columnsOf = ({ fields }: Source) => fields.lines!.fields!;
  const renamed = columnsOf(renameColumn(withColumns(columns), 'lines', 'starts', 'begins', columns));
  expect(Object.entries(renamed)).toEqual([
    ['begins', { type: 'time', formerName: 'starts' }],
    ['ends', { type: 'time', notBefore: 'begins' }],
  ]);
  // Back to its former name, or never published: there is nothing to remember.
  expect(columnsOf(renameColumn(withColumns(renamed), 'lines', 'begins', 'starts', columns)).starts).toEqual({
    type: 'time',
  });
  expect(columnsOf(renameColumn(withColumns(columns), 'lines', 'starts', 'begins')).begins).toEqual({ type: 'time' });
  // Rollups over these rows follow; those over other records do not.
  const own: FieldSource = {
    type: 'rollup',
    source: 'lines',
    aggregate: 'latest',
    field: 'starts',
    latestBy: 'starts',
    where: { $not: { starts: null }, ends: 'starts' },
  };
  const other: FieldSource = { type: 'rollup', source: 'trips.day_id', aggregate: 'max', field: 'starts' };
  expect(renameColumn(withColumns(columns, { own, other }), 'lines', 'starts', 'begins').fields).toMatchObject({
    own: { field: 'begins', latestBy: 'begins', where: { $not: { begins: null }, ends: 'starts' } },
    other,
  });
});

test('a renamed column is followed by columns that are computed from it, not by fields of the record', () => {
  const fields: Record<string, FieldSource> = {
    price: { type: 'number' },
    twice: { type: 'number', computed: { $multiply: ['$record.price', 2] } },
    lines: {
      type: 'rows',
      fields: {
        price: { type: 'number' },
        amount: { type: 'number', computed: { $multiply: ['$record.price', '$record.quantity'] } },
        quantity: { type: 'number' },
      },
    },
  };
  const renamed = renameColumn({ name: 'orders', fields } as unknown as Source, 'lines', 'price', 'cost').fields;
  expect(renamed.lines!.fields!.amount!.computed).toEqual({ $multiply: ['$record.cost', '$record.quantity'] });
  expect(renamed.twice!.computed).toEqual({ $multiply: ['$record.price', 2] });
});

test('a column with another type loses the keys that this type does not have', () => {
  expect(changeColumnType({ type: 'text', label: 'A', maxLength: 9, required: true, default: 'x' }, 'number')).toEqual({
    type: 'number',
    label: 'A',
    required: true,
  });
  expect(changeColumnType({ type: 'relation', to: 'genres' }, 'duration')).toEqual({ type: 'duration' });
});

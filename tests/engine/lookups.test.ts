import { expect, test } from 'vitest';
import { companyOf, fieldOf, idOf } from '../../src/engine/definitions/accessors';
import {
  firstOf,
  getOrThrow,
  itemAt,
  lastOf,
  MissingValueError,
  propertyOf,
  requireValue,
} from '../../src/engine/values/lookups';
import { definition } from './support/definitions';

test('lookups return the value that exists', () => {
  expect(requireValue(0, 'position')).toBe(0);
  expect(getOrThrow(new Map([['a', false]]), 'a')).toBe(false);
  expect(propertyOf({ a: '' }, 'a')).toBe('');
  expect([firstOf('a:b'.split(':')), lastOf('a:b'.split(':')), itemAt(['a', 'b', 'c'], -2)]).toEqual(['a', 'b', 'b']);
});

test('accessors of a record and its definition return what exists', () => {
  expect(fieldOf(definition(), 'name').label).toBe('Name');
  expect([idOf({ id: 7 }), companyOf({ site_id: 2 }), companyOf({ site_id: null }), companyOf({})]).toEqual([
    7,
    2,
    null,
    null,
  ]);
});

test.each([
  ['a value', () => requireValue(null, 'import'), 'Missing: import'],
  ['a key of a map', () => getOrThrow(new Map(), 7), 'Missing in a map: 7'],
  ['a key of an object', () => propertyOf({}, 'toString'), 'Missing key: toString'],
  ['an item of a list', () => itemAt(['a'], 1), 'No item 1 in a list of 1'],
  ['an item at a position that is not a number', () => itemAt(['a'], NaN), 'No item NaN in a list of 1'],
  ['the first item of an empty list', () => firstOf([]), 'No item 0 in a list of 0'],
  ['the last item of an empty list', () => lastOf([]), 'No item -1 in a list of 0'],
  ['a field', () => fieldOf(definition(), 'toString'), 'things has no field "toString"'],
  ['the id of a new record', () => idOf({}), 'A stored record has no id: undefined'],
])('a lookup of %s that does not exist throws a named error', (_, lookUp, message) => {
  expect(lookUp).toThrow(new MissingValueError(message));
});

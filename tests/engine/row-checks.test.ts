import { expect, test } from 'vitest';
import { readSources, source } from './support/definitions';

type Wrong = Record<string, unknown>;

/** The faults of a definition with lines; `more` is beside its fields. */
function faultsOf(lines: Wrong, more: Wrong = {}) {
  const things = { ...source({ scope: 'company', fields: { name: {} } }), ...more };
  const whole = { ...things, fields: { ...(things.fields as object), lines: { type: 'rows', ...lines } } };
  return readSources(whole as never).problems.map(({ path, message }) => `${path} ${message}`);
}

const text = { type: 'text' };

test.each<[string, Wrong, Wrong]>([
  [
    'of every type',
    { fields: { text, amount: { type: 'number', decimal: true }, owner: { type: 'relation', to: 'users' } } },
    {},
  ],
  ['with an order of their own', { fields: { from: { type: 'date' }, till: { type: 'date', notBefore: 'from' } } }, {}],
  [
    'that a rule tests',
    { fields: { text } },
    { rules: [{ levels: [4], action: 'edit', where: { lines: { $some: { text: 'x' } } } }] },
  ],
  [
    'that a form tests',
    { fields: { text } },
    { validate: [{ condition: { 'lines.text': 'x' }, field: 'name', message: 'One line must say x.' }] },
  ],
])('the columns of rows may be %s', (_what, lines, more) => expect(faultsOf(lines, more)).toEqual([]));

test.each<[string, Wrong, string]>([
  ['no columns', {}, '/fields/lines "fields" is missing.'],
  [
    'a type that is no cell',
    { fields: { text, picture: { type: 'image' } } },
    '/fields/lines/fields/picture/type A column of rows cannot be of type image. Choose one of text, textarea, richText, number, money, boolean, date, time, datetime, select, url, email, phone, duration, relation, or make records of another module that point to this one.',
  ],
  [
    'rows within rows',
    { fields: { text, inner: { type: 'rows', fields: { text } } } },
    '/fields/lines/fields/inner/type A column of rows cannot be of type rows. Choose one of text, textarea, richText, number, money, boolean, date, time, datetime, select, url, email, phone, duration, relation, or make records of another module that point to this one.',
  ],
  [
    'a name of the rows themselves',
    { fields: { position: { type: 'number' } } },
    '/fields/lines/fields/position "position" is reserved for the rows themselves. Choose another name.',
  ],
  [
    'a key of records',
    { fields: { text: { type: 'text', unique: true } } },
    '/fields/lines/fields/text/unique A column of rows has no "unique". Rows are not compared with those of other records.',
  ],
  [
    'several values in a cell',
    { fields: { text: { type: 'select', multiple: true, options: [{ value: 'a', label: 'A' }] } } },
    '/fields/lines/fields/text/multiple A column of rows has no "multiple". A cell has one value.',
  ],
  [
    'a key of another type',
    { fields: { text: { type: 'text', lines: 2 } } },
    '/fields/lines/fields/text/lines A field of type text has no property "lines"; fields of type textarea, richText have it.',
  ],
  [
    'a cell that only the form requires',
    { fields: { text: { type: 'text', required: 'form' } } },
    '/fields/lines/fields/text/required A column of rows is required (true), required by a condition on other columns of its row, or not.',
  ],
  [
    'an unknown target',
    { fields: { owner: { type: 'relation', to: 'userz' } } },
    '/fields/lines/fields/owner/to Unknown resource "userz". Did you mean "users"?',
  ],
  [
    'an order by a field of the record',
    { fields: { day: { type: 'date', notBefore: 'name' } } },
    '/fields/lines/fields/day/notBefore Unknown field "name".',
  ],
  [
    'too few rows',
    { fields: { text }, minItems: 5, maxItems: 2 },
    '/fields/lines/minItems The least number of rows is greater than the most ("maxItems").',
  ],
])('a column of rows with %s is reported with its place and a remedy', (_what, lines, fault) =>
  expect(faultsOf(lines)).toEqual([fault]),
);

test('a list cannot test the cells of rows, which it only counts', () => {
  const highlight = { where: { 'lines.text': 'x' }, tone: 'high', label: 'x' };
  expect(faultsOf({ fields: { text } }, { list: { columns: ['name'], highlight } })).toEqual([
    '/list/highlight/where Records of lists only have the number of "lines". Test whether there is a row ({"$some": {}}).',
  ]);
});

test('a condition on a column that does not exist is reported', () => {
  const validate = [{ condition: { 'lines.colour': 'x' }, field: 'name', message: 'No.' }];
  expect(faultsOf({ fields: { text } }, { validate })).toEqual([
    '/validate/0/condition Unknown field "colour" in things.lines.',
  ]);
});

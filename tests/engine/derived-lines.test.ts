import { expect, test } from 'vitest';
import { readDefinitions } from '../../src/engine/check/read-definitions';
import type { FieldSource } from '../../src/engine/language/source';
import { sourceOf } from '../support/definitions';
import { validateSource } from './support/definitions';

// A fault in what the engine derives is reported at the line of the definition that says it, and nowhere else.

const parts = sourceOf('parts', {
  name: { type: 'text', required: true },
  thing_id: { type: 'relation', to: 'things' },
  code: { type: 'text', secret: true },
});
const users = sourceOf('users', { name: {}, email: { type: 'email' } });
const fields: Record<string, FieldSource> = {
  name: { type: 'text', required: true },
  amount: { type: 'number' },
  day: { type: 'date' },
  part_id: { type: 'relation', to: 'parts', embed: 'part' },
  lines: { type: 'rows', fields: { quantity: { type: 'number' } } },
};
const file = (source: object & { readonly name: string }) => ({
  file: `${source.name}.json`,
  text: JSON.stringify(source, null, 2),
});

const faults: [what: string, field: object, line: string][] = [
  [
    'a sequence per something unknown',
    { type: 'sequence', partitionBy: 'nothing', format: 'T-{n}' },
    '"partitionBy": "nothing",',
  ],
  [
    'a sequence without a number',
    { type: 'sequence', partitionBy: 'installation', format: 'T-{name}' },
    '"format": "T-{name}"',
  ],
  [
    'a sequence that is required',
    { type: 'sequence', partitionBy: 'installation', format: 'T-{n}', required: true },
    '"required": true',
  ],
  ['a sequence without a format', { type: 'sequence', partitionBy: 'installation' }, '"field": {'],
  ['a rollup of nothing', { type: 'rollup', source: 'nothing.x', aggregate: 'count' }, '"source": "nothing.x",'],
  [
    'a rollup of a text',
    { type: 'rollup', source: 'parts.thing_id', aggregate: 'sum', field: 'name' },
    '"field": "name"',
  ],
  [
    'a rollup under a wrong condition',
    { type: 'rollup', source: 'parts.thing_id', aggregate: 'count', where: { x: 1 } },
    '"where": {',
  ],
  ['a rollup of rows', { type: 'rollup', source: 'lines', aggregate: 'sum', field: 'price' }, '"field": "price"'],
  ['a lookup of something unknown', { type: 'lookup', source: 'part_id.nothing' }, '"source": "part_id.nothing"'],
  ['a lookup of a secret', { type: 'lookup', source: 'part_id.code' }, '"source": "part_id.code"'],
  ['an expression', { type: 'number', computed: { $add: ['$record.amount', '$record.nothing'] } }, '"$record.nothing"'],
  ['the type of an expression', { type: 'date', computed: { $add: ['$record.amount', 1] } }, '"computed": {'],
  ['a template', { type: 'text', computed: '{nothing}' }, '"computed": "{nothing}"'],
  ['a condition', { type: 'boolean', computed: { nothing: 1 } }, '"computed": {'],
  ['a duration', { type: 'duration', startField: 'nothing', endField: 'day' }, '"startField": "nothing",'],
  ['the records that point here', { type: 'inverse', source: 'parts.nothing' }, '"source": "parts.nothing"'],
  ['what is shown of these', { type: 'inverse', source: 'parts.thing_id', showFields: ['nothing'] }, '"nothing"'],
  [
    'a name that is made for their number',
    { type: 'inverse', source: 'parts.thing_id', countName: 'amount' },
    '"countName": "amount"',
  ],
];

test.each(faults)('a fault in a derived part is reported on the line that causes it: %s', (_, field, line) => {
  const things = file(sourceOf('things', { ...fields, field } as never));
  const { problems } = readDefinitions([file(parts), file(users), things], validateSource);
  expect(problems.length).toBeGreaterThan(0);
  const [first] = problems;
  expect(problems.every((one) => one.file === 'things.json' && one.path.startsWith('/fields/field'))).toBe(true);
  expect(things.text.split('\n')[first!.line - 1]!.trim()).toBe(line);
});

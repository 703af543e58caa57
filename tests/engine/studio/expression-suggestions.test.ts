import { expect, it } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import { operators } from '../../../src/engine/expressions/operators';
import { expressionSuggestions, signatureOf } from '../../../src/engine/studio/expression-suggestions';
import expressionSchema from '../../../schemas/expression.schema.json';
import { source } from '../support/definitions';

const definition = normalise(
  source({
    fields: {
      price: { type: 'number' },
      bought_on: { type: 'date', label: 'Bought' },
      secret: { type: 'password' },
      maker_id: { type: 'relation', to: 'makers' },
      maker_name: { type: 'lookup', source: 'maker_id.name' },
      total: { type: 'number', computed: { $add: ['$record.price', 1] } },
    },
  }),
);

it('suggestions for an expression are the fields that can be calculated with, lookups too, without its own field', () => {
  const suggested = expressionSuggestions(definition, 'total');
  const detailOf = (name: string) => suggested.find((one) => one.name === name)?.detail;
  expect(detailOf('$record.price')).toBe('Price: number');
  expect(detailOf('$record.bought_on')).toBe('Bought: date');
  expect(detailOf('$record.maker_name')).toMatch(/, looked up$/);
  for (const name of ['secret', 'maker_id', 'total']) expect(detailOf(`$record.${name}`)).toBeUndefined();
  expect(detailOf('$today')).toContain('date');
});

it('suggestions for an expression are all functions, with their parameters and result', () => {
  const functions = expressionSuggestions(definition, 'total').filter(({ kind }) => kind === 'function');
  expect(functions.map(({ name }) => name).toSorted()).toEqual(Object.keys(expressionSchema.properties).toSorted());
  expect(signatureOf('$round')).toBe('(number, [decimals]) → number');
  expect(signatureOf('$concat')).toBe('(value, …) → text');
  expect(signatureOf('$daysBetween')).toBe('(date, date) → number');
  for (const name of Object.keys(operators) as (keyof typeof operators)[])
    expect(signatureOf(name)).toMatch(/^\(.+\) → /);
});

import { describe, expect, test } from 'vitest';
import type { AnyFieldSource, FieldSource } from '../../../src/engine/language/source';
import { computeValues } from '../../../src/engine/expressions/evaluate';
import { definition, readSources, source } from '../support/definitions';
import { around } from '../support/evaluation-context';

const fields: Record<string, FieldSource> = {
  name: { type: 'text', required: true },
  price: { type: 'number', digits: 2 },
  quantity: { type: 'number', integer: true },
  bought_on: { type: 'date' },
  seen_at: { type: 'datetime' },
  notes: { type: 'richText' },
  starts: { type: 'time' },
  maker_id: { type: 'relation', to: 'things' },
  state: { type: 'select', options: [{ value: 'open', label: 'Open' }] },
};

const problemsOf = (written: AnyFieldSource, more: Record<string, FieldSource> = {}) =>
  readSources(source({ fields: { ...fields, ...more, value: written as FieldSource } })).problems.map(
    ({ path, message }) => `${path}: ${message}`,
  );

const computedNumber = (computed: object): FieldSource => ({
  type: 'number',
  computed: computed as FieldSource['computed'],
});

describe('an invalid expression is refused with its place and a remedy', () => {
  test.each<[object, string]>([
    [{ $ad: [1, 2] }, '/fields/value/computed/$ad: Unknown property "$ad". Did you mean "$add"?'],
    [{ $subtract: [1] }, '/fields/value/computed/$subtract: $subtract takes 2 values.'],
    [{ $add: ['$record.prize', 1] }, '/fields/value/computed/$add/0: Unknown field "prize". Did you mean "price"?'],
    [{ $add: ['$form.price', 1] }, '/fields/value/computed/$add/0: "$form.price" is not known here:'],
    [{ $add: ['$record.name', 1] }, '/fields/value/computed/$add/0: This must be a number, not text.'],
    [
      { $add: ['$record.maker_id', 1] },
      'it is of type relation. Take a value of the related record with a field of type lookup',
    ],
    [{ $length: '$record.notes' }, 'An expression cannot calculate with "notes": it is of type richText.'],
    [
      { $add: [{ $lower: '$record.price' }, 1] },
      '/fields/value/computed/$add/0/$lower: This must be text, not a number.',
    ],
    [{ $concat: ['$record.seen_at'] }, 'take its day with $dayOf'],
    [{ $concat: ['a'] }, '/fields/value/computed: This is text, but a field of type number holds a number.'],
    [
      { $round: ['$record.price', '$record.quantity'] },
      '$round/1: The number of decimals must be written as a whole number',
    ],
    [{ $coalesce: ['$record.price', 'none'] }, '$coalesce/1: This must be a number, not text.'],
    [{ $if: { then: 1 } }, '/fields/value/computed/$if: "condition" is missing.'],
    [{ $if: { condition: { pric: 1 }, then: 1 } }, '/fields/value/computed/$if/condition: Unknown field "pric".'],
    [{ $if: { condition: { name: '$record.state' }, then: 1 } }, 'Compare two fields by an expression: {"$eq"'],
    [{ $if: { condition: '$record.price', then: 1 } }, '$if/condition: This must be true or false, not a number.'],
    [{ $add: ['$record.value', 1] }, 'It is computed from itself: value → value. Break the circle.'],
    [{ $add: [[1], 2] }, '$add/0: An expression is a value, "$record.…", "$today", or an object with an operator.'],
  ])('%j', (computed, message) => {
    expect(problemsOf(computedNumber(computed)).join('\n')).toContain(message);
  });

  test('a circle through another field, and expressions that double', () => {
    const circle = problemsOf(computedNumber({ $add: ['$record.other', 1] }), {
      other: computedNumber({ $subtract: ['$record.value', 1] }),
    });
    expect(circle.join('\n')).toContain('It is computed from itself: value → other → value.');
    const doubling = Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => {
        const below = n === 0 ? '$record.price' : `$record.d${n - 1}`;
        return [`d${n}`, computedNumber({ $add: [below, below] })];
      }),
    );
    expect(problemsOf({}, doubling).join('\n')).toContain('more than 400 parts');
  });

  test.each<[AnyFieldSource, string]>([
    [
      { type: 'relation', to: 'things', computed: { $add: [1, 2] } },
      'A field of type relation cannot be computed; fields of type text',
    ],
    [
      { type: 'number', unique: true, computed: { $add: [1, 2] } },
      '/fields/value/unique: A computed field cannot be unique',
    ],
    [{ type: 'text', requiredWhen: 1 } as FieldSource, 'requiredWhen'],
    [{ type: 'number', computed: { price: 1 } }, 'A field computed by a condition must be of type boolean.'],
  ])('%j', (written, message) => {
    expect(problemsOf(written).join('\n')).toContain(message);
  });

  test('a condition on typed values can compare an expression', () => {
    const found = problemsOf(
      { type: 'text', visible: { total: { $gt: 1 } } },
      { total: computedNumber({ $add: ['$record.price', 1] }) },
    );
    expect(found).toEqual([]);
  });
});

describe('the value of an expression', () => {
  const record = {
    name: ' Ada ',
    price: 1.1,
    quantity: 3,
    bought_on: '2026-01-31',
    state: 'open',
    seen_at: '2026-03-29T23:30:00.000Z',
  };
  test.each<[FieldSource, unknown]>([
    [{ type: 'number', digits: 2, computed: { $multiply: ['$record.price', '$record.quantity'] } }, 3.3],
    [{ type: 'number', digits: 2, computed: { $multiply: [1.005, 1] } }, 1.01],
    [{ type: 'number', digits: 2, computed: { $divide: ['$record.price', 0] } }, null],
    [{ type: 'number', computed: { $divide: [1, 3] } }, 0.3333333333],
    [{ type: 'number', integer: true, computed: { $divide: [-5, 2] } }, -3],
    [{ type: 'number', computed: { $max: [0, '$record.missing_value', -1] } }, 0],
    [{ type: 'number', computed: { $monthsBetween: ['$record.bought_on', '2026-02-28'] } }, 1],
    [{ type: 'number', computed: { $daysBetween: ['2026-03-01', '$record.bought_on'] } }, -29],
    [{ type: 'date', computed: { $addMonths: ['$record.bought_on', 1] } }, '2026-02-28'],
    [{ type: 'date', computed: { $dayOf: '$record.seen_at' } }, '2026-03-30'],
    [
      {
        type: 'text',
        computed: { $concat: [{ $trim: '$record.name' }, ' ', '$record.price', ' ', '$record.bought_on'] },
      },
      'Ada 1.1 2026-01-31',
    ],
    [{ type: 'text', computed: { $literal: '$5' } }, '$5'],
    [
      {
        type: 'select',
        options: [
          { value: 'dear', label: 'Dear' },
          { value: 'cheap', label: 'Cheap' },
        ],
        computed: { $if: { condition: { price: { $gt: 5 } }, then: 'dear', else: 'cheap' } },
      },
      'cheap',
    ],
    [{ type: 'boolean', computed: { $gt: ['$record.quantity', '$record.price'] } }, true],
    [{ type: 'text', computed: { $if: { condition: { state: 'won' }, then: 'Won' } } }, null],
  ])('%j is %j', (written, expected) => {
    const all = { ...fields, missing_value: { type: 'number' }, value: written } as Record<string, FieldSource>;
    const computed = computeValues(definition({ fields: all }), record, { ...around, timeZone: 'Europe/Vienna' });
    expect(computed.value).toEqual(expected);
  });
});

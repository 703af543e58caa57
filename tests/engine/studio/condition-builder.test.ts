import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../../src/engine/conditions/grammar';
import { fieldTypeNames, type Condition } from '../../../src/engine/definitions/definition';
import {
  readCondition,
  writeCondition,
  type GroupPart,
  type RowPart,
} from '../../../src/engine/studio/condition-builder';
import {
  withOperator,
  isComplete,
  variablesFor,
  operatorOf,
  operatorsFor,
} from '../../../src/engine/studio/condition-operators';
import { isJsonObject } from '../../../src/engine/formats/json';
import { shipped } from './support/all';

const name = fc.constantFrom('status_id', 'name', 'shots', '$actor.level');
const scalar = fc.oneof(
  fc.integer({ max: 5 }),
  fc.constantFrom('a', '$today', '$actor.id'),
  fc.boolean(),
  fc.constant(null),
);
const { condition } = fc.letrec<{ condition: Condition; clause: [string, unknown] }>((tie) => ({
  clause: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(name, fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }))),
    fc.tuple(name, fc.dictionary(fc.constantFrom('$eq', '$ne', '$lt', '$gte', '$contains'), scalar, { minKeys: 1 })),
    fc.tuple(
      name,
      fc.record({ $in: fc.array(scalar, { maxLength: 3 }), $exists: fc.boolean() }, { requiredKeys: ['$in'] }),
    ),
    fc.tuple(name, fc.constantFrom({ $some: {} }, { $not: { $some: {} } }, { $exists: false }, { $in: '$actor.id' })),
    fc.tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('condition'), { maxLength: 3 })),
    fc.tuple(fc.constant('$not'), tie('condition')),
    fc.tuple(name, fc.record({ $some: tie('condition') })),
    fc.tuple(name, fc.record({ $not: fc.record({ $gt: scalar }) })),
  ),
  condition: fc.array(tie('clause'), { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as Condition),
}));

/** Every condition that a value holds. */
function conditionsIn(value: unknown, key = ''): Condition[] {
  if (Array.isArray(value)) return value.flatMap((one) => conditionsIn(one));
  if (!isJsonObject(value)) return [];
  const own = ['required', 'readOnly', 'visible', 'choices', 'computed', 'where', 'when', 'if'].includes(key)
    ? [value]
    : [];
  return [...own, ...Object.entries(value).flatMap(([one, inner]) => conditionsIn(inner, one))];
}

describe('conditions in the builder', () => {
  it('are written back unchanged', () => {
    fc.assert(
      fc.property(condition, (written) => {
        expect(JSON.stringify(writeCondition(readCondition(written)))).toBe(JSON.stringify(written));
      }),
      { numRuns: 1000 },
    );
    for (const written of conditionsIn(Object.values(shipped)))
      expect(JSON.stringify(writeCondition(readCondition(written)))).toBe(JSON.stringify(written));
  });

  it('are written back unchanged even if they are invalid', () => {
    for (const wrong of [
      { a: {} },
      { $or: 3 },
      { $and: [1] },
      { $what: 1 },
      { a: [{}] },
      { a: { $in: [[]] } },
      { $not: null },
    ])
      expect(writeCondition(readCondition(wrong))).toEqual(wrong);
  });

  it('are rows and groups as people read them', () => {
    const shown = readCondition({
      status_id: { $in: [2, 3] },
      $or: [{ name: 'a' }, { ends_on: { $lt: '$today', $exists: true } }],
    });
    expect(shown).toEqual({
      kind: 'group',
      join: 'all',
      parts: [
        { kind: 'row', left: 'status_id', operator: '$in', value: [2, 3], short: false },
        {
          kind: 'group',
          join: 'any',
          parts: [
            { kind: 'row', left: 'name', operator: '$eq', value: 'a', short: true },
            {
              kind: 'group',
              join: 'all',
              parts: [
                { kind: 'row', left: 'ends_on', operator: '$lt', value: '$today' },
                { kind: 'row', left: 'ends_on', operator: '$exists', value: true },
              ],
            },
          ],
        },
      ],
    });
    expect(readCondition(undefined)).toEqual({ kind: 'group', join: 'all', parts: [] });
    expect(readCondition({ $or: [{ a: 1 }] }).join).toBe('any');
    expect(readCondition({ shots: { $some: { name: 'a' } } }).parts[0]!.kind).toBe('raw');
  });

  it('match the same records when they are rebuilt', () => {
    const row = fc.record({
      kind: fc.constant('row' as const),
      left: name,
      operator: fc.constantFrom('$eq' as const, '$ne' as const, '$gt' as const),
      value: fc.nat({ max: 3 }),
    });
    const group: fc.Arbitrary<GroupPart> = fc.record({
      kind: fc.constant('group' as const),
      join: fc.constantFrom('all' as const, 'any' as const, 'none' as const),
      parts: fc.array(
        fc.oneof(
          row,
          fc.record({
            kind: fc.constant('group' as const),
            join: fc.constantFrom('all' as const, 'any' as const),
            parts: fc.array(row, { maxLength: 3 }),
          }),
        ),
        { maxLength: 4 },
      ),
    });
    const rowsOf = (part: GroupPart['parts'][number]): RowPart[] =>
      part.kind === 'group' ? part.parts.flatMap(rowsOf) : part.kind === 'row' ? [part] : [];
    fc.assert(
      fc.property(group, (built) => {
        const written = writeCondition(built);
        expect(() => parseCondition(written)).not.toThrow();
        const again = readCondition(written);
        const plain = (one: RowPart) => `${one.left} ${one.operator} ${String(one.value)}`;
        expect(rowsOf(again).map(plain)).toEqual(rowsOf(built).map(plain));
        expect(JSON.stringify(writeCondition(again))).toBe(JSON.stringify(written));
      }),
    );
    const row1: RowPart = { kind: 'row', left: 'a', operator: '$in', value: [1] };
    expect(writeCondition({ kind: 'group', join: 'all', parts: [row1] })).toEqual({ a: { $in: [1] } });
    expect(writeCondition({ kind: 'group', join: 'all', parts: [row1, row1] })).toEqual({
      $and: [{ a: { $in: [1] } }, { a: { $in: [1] } }],
    });
  });
});

describe('the operators of the condition builder', () => {
  it('have labels that fit the type', () => {
    expect(operatorsFor('date').map(({ label }) => label)).toContain('is before');
    expect(operatorsFor('relation').map(({ operator }) => operator)).not.toContain('$below');
    for (const type of ['relation', 'relations'] as const)
      expect(operatorsFor(type, true).map(({ label }) => label)).toContain('is or is below');
    expect(operatorsFor('relation')[0]!.label).toBe('is one of');
    expect(operatorOf({ kind: 'row', left: 'a', operator: '$eq', value: null }, 'text').label).toBe('is empty');
    expect(operatorOf({ kind: 'row', left: 'a', operator: '$exists', value: true }, 'date').label).toBe('is not empty');
    expect(operatorOf({ kind: 'row', left: 'a', operator: '$some', value: {} }, 'inverse').label).toBe('are not empty');
    expect(operatorOf({ kind: 'row', left: 'a', operator: '$contains', value: 'x' }, 'date').label).toBe('contains');
    expect(variablesFor('relation', 'users')).toEqual([{ value: '$actor.id', words: 'the person signed in' }]);
  });

  it('can each replace any other, and are then the operator of the row', () => {
    for (const type of fieldTypeNames)
      for (const from of operatorsFor(type))
        for (const to of operatorsFor(type)) {
          const start: RowPart = {
            kind: 'row',
            left: 'a',
            operator: from.operator,
            value: from.valueCount === 'none' ? from.value : from.valueCount === 'many' ? [1] : 1,
          };
          expect(operatorOf(start, type).key).toBe(from.key);
          const row = withOperator(start, to);
          expect(operatorOf(row, type).key).toBe(to.key);
          if (isComplete(row))
            expect(() => parseCondition(writeCondition({ kind: 'group', join: 'all', parts: [row] }))).not.toThrow();
          if (from.valueCount !== 'none') expect(isComplete(row)).toBe(true);
        }
  });
});

import { describe, expect, test } from 'vitest';
import { describeLevels, joinNames } from '../../src/engine/access/describe-levels';
import {
  describeConditions,
  describeFieldRule,
  rulesForLevel,
  describeRuleForLevel,
  describeRule,
} from '../../src/engine/access/describe-rules';
import { describeCondition } from '../../src/engine/conditions/describe-condition';
import { normalise } from '../../src/engine/definitions/normalise';

const definition = normalise({
  name: 'books',
  labels: { one: 'Book', many: 'Books' },
  scope: 'company',
  fields: {
    name: { type: 'text' },
    status_id: { type: 'relation', to: 'books', label: 'Status' },
    reader_id: { type: 'relation', to: 'books', label: 'Reader' },
  },
  rules: [
    { levels: [4, 5, 6], action: 'delete', where: { created_by: '$actor.id' }, reason: 'only books that you wrote' },
    { levels: [5], action: ['list', 'view'], except: ['reader_id'], reason: 'without your readers' },
    { levels: [6], action: 'edit', where: { created_by: '$actor.id' }, reason: 'all of yours' },
    { levels: [6], action: 'edit', fields: ['status_id', 'reader_id'], reason: 'status and reader of others' },
    { levels: [3, 4, 5, 6], action: 'create', except: ['status_id', 'reader_id'], reason: 'without status or reader' },
  ],
});
const [removing, reading, own, others, creating] = definition.rules as typeof definition.rules & { length: 5 };

describe('conditions as one reads them', () => {
  test.each([
    [{ created_by: '$actor.id' }, 'created_by = me'],
    [{ film_id: { $some: { user_ids: '$actor.id' } } }, 'film_id.user_ids = me'],
    [{ ends_on: { $lt: '$today' }, status_id: { $in: [1, 2] } }, 'ends_on < today and status_id in 1, 2'],
    [{ $or: [{ a: null }, { b: { $ne: null } }] }, 'a is empty or b is set'],
    [{ $or: [{ a: 1, b: 2 }, { name: 'x' }] }, '(a = 1 and b = 2) or name = “x”'],
    [{ shots: { $some: {} } }, 'has shots'],
    [{ $not: { a: 1, b: 2 } }, 'not (a = 1 and b = 2)'],
    [{ '$actor.level': { $lte: 3 }, '$form.film_id': 7 }, 'my level ≤ 3 and form film id = 7'],
  ])('%j', (condition, text) => expect(describeCondition(condition)).toBe(text));
});

describe('rules in words', () => {
  test('of everybody, of one level, of fields', () => {
    expect(describeRule(removing!)).toBe('Levels 4, 5 and 6 delete only books that they wrote.');
    expect(describeRule(reading!)).toBe('Level 5 lists and views without their readers.');
    expect(describeRule(creating!)).toBe('Levels 3 to 6 create without status or reader.');
    expect(describeRuleForLevel(removing!)).toBe('Deletes only books that they wrote');
    expect(describeRuleForLevel(own!)).toBe('Edits all of theirs');
    expect(describeFieldRule(reading!, definition)).toBe('Never sees Reader');
    expect(describeFieldRule(creating!, definition)).toBe('Never sets Status or Reader');
    expect(describeFieldRule(others!, definition)).toBe('Sets only Status and Reader');
    expect(describeFieldRule(removing!, definition)).toBeUndefined();
    expect(describeConditions(definition.rules)).toBe('created_by = me');
    expect(describeConditions([reading!])).toBeUndefined();
  });

  test('a rule for all records besides one for some allows all of them', () => {
    expect(rulesForLevel(definition, 4, 'delete')).toEqual({ rules: [removing], rows: true });
    expect(rulesForLevel(definition, 6, 'edit').rows).toBe(false);
    expect(rulesForLevel(definition, 3, 'delete')).toEqual({ rules: [], rows: false });
  });

  test('lists and levels', () => {
    expect([joinNames([]), joinNames(['a']), joinNames(['a', 'b']), joinNames(['a', 'b', 'c'], 'or')]).toEqual([
      '',
      'a',
      'a and b',
      'a, b or c',
    ]);
    expect([
      describeLevels([1]),
      describeLevels([2, 1]),
      describeLevels([1, 2, 3], 3),
      describeLevels([1, 2, 3, 5]),
    ]).toEqual(['level 1', 'levels 1 and 2', 'levels 1 to 3', 'levels 1, 2, 3 and 5']);
  });
});

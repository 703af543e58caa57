import { describe, expect, test } from 'vitest';
import { audienceNames, describeAudience, shippedRoleNames, toRoleKey } from '../../src/engine/access/audience';
import { joinNames } from '../../src/engine/formats/join-names';
import {
  describeConditions,
  describeFieldRule,
  rulesForRole,
  describeRuleForRole,
  describeRule,
} from '../../src/engine/access/describe-rules';
import { describeCondition } from '../../src/engine/conditions/describe-condition';
import { normalise } from '../../src/engine/normalise/normalise';

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
    { levels: [5], action: ['list', 'view'], exceptFields: ['reader_id'], reason: 'without your readers' },
    { levels: [6], action: 'edit', where: { created_by: '$actor.id' }, reason: 'all of yours' },
    { levels: [6], action: 'edit', fields: ['status_id', 'reader_id'], reason: 'status and reader of others' },
    {
      levels: [3, 4, 5, 6],
      action: 'create',
      exceptFields: ['status_id', 'reader_id'],
      reason: 'without status or reader',
    },
  ],
});
const [removing, reading, own, others, creating] = definition.rules as typeof definition.rules & { length: 5 };

describe('the description of a condition', () => {
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

describe('the description of rules', () => {
  test('names everybody, one level, and fields', () => {
    expect(describeRule(removing!, 'QA')).toBe('QA deletes only books that they wrote.');
    expect(describeRule(reading!, 'QA')).toBe('QA lists and views without their readers.');
    expect(describeRule(creating!, 'Tester')).toBe('Tester creates without status or reader.');
    expect(describeRuleForRole(removing!)).toBe('Deletes only books that they wrote');
    expect(describeRuleForRole(own!)).toBe('Edits all of theirs');
    expect(describeFieldRule(reading!, definition)).toBe('Never sees Reader');
    expect(describeFieldRule(creating!, definition)).toBe('Never sets Status or Reader');
    expect(describeFieldRule(others!, definition)).toBe('Sets only Status and Reader');
    expect(describeFieldRule(removing!, definition)).toBeUndefined();
    expect(describeConditions(definition.rules)).toBe('created_by = me');
    expect(describeConditions([reading!])).toBeUndefined();
  });

  test('a rule for all records besides one for some allows all of them', () => {
    expect(rulesForRole(definition, { level: 4 }, 'delete')).toEqual({ rules: [removing], rows: true });
    expect(rulesForRole(definition, { level: 6 }, 'edit').rows).toBe(false);
    expect(rulesForRole(definition, { level: 3 }, 'delete')).toEqual({ rules: [], rows: false });
  });

  test('joins names to a list', () => {
    expect([joinNames([]), joinNames(['a']), joinNames(['a', 'b']), joinNames(['a', 'b', 'c'], 'or')]).toEqual([
      '',
      'a',
      'a and b',
      'a, b or c',
    ]);
  });

  test('names an audience by the present names of the roles of the company', () => {
    const known = [...shippedRoleNames, { key: 'warehouse', name: 'Stock room', level: 5 as const }];
    expect([
      describeAudience({}),
      describeAudience({ levels: [1] }),
      describeAudience({ levels: [2, 1], roles: ['warehouse'] }, known),
      describeAudience({ levels: [5] }, known),
      describeAudience({ roles: ['warehouse', 'harbour'] }, shippedRoleNames.slice(0, 2)),
      describeAudience({ levels: [1, 2, 3, 4, 5, 6] }, known),
      describeAudience({ levels: [6] }, shippedRoleNames.slice(0, 2)),
    ]).toEqual([
      'everybody',
      'Administrator',
      'Administrator, Company Owner and Stock room',
      'QA and Stock room',
      'warehouse and harbour',
      'everybody',
      'nobody',
    ]);
    const many = Array.from({ length: 9 }, (_, index) => ({ key: `r${index}`, name: `R${index}`, level: 5 as const }));
    expect(audienceNames({ levels: [5] }, [...shippedRoleNames, ...many])).toEqual([
      ...['QA', 'R0', 'R1', 'R2', 'R3', 'R4'],
      '4 other roles',
    ]);
  });

  test('derives the keys of roles from their names', () => {
    expect(['Warehouse', ' Lager (Nacht) ', 'Équipe d’été', '倉庫', 'x'.repeat(90)].map(toRoleKey)).toEqual([
      ...['warehouse', 'lager-nacht', 'equipe-d-ete', 'role'],
      'x'.repeat(60),
    ]);
  });
});

import { expect, test } from 'vitest';
import { mayMatch } from '../../src/engine/conditions/may-match';
import { around } from './support/evaluation-context';

const member = { film_id: { $some: { user_ids: '$actor.id' } } };
const mine = { ...around, actor: { id: 7, level: 6 as const, role_id: 6, site_id: 1 } };

test.each([
  [member, { film_id: 5, film: { id: 5, name: 'A' } }, true],
  [member, { film_id: null }, false],
  [member, { film_id: { id: 5, user_ids: [7, 8] } }, true],
  [member, { film_id: { id: 5, user_ids: [8] } }, false],
  [{ $and: [member, { created_by: '$actor.id' }] }, { film_id: 5, created_by: 8 }, false],
  [{ $and: [member, { created_by: '$actor.id' }] }, { film_id: 5, created_by: { id: 7 } }, true],
  [{ created_by: '$actor.id' }, {}, false],
])('the condition %j may hold for the record %j: %s', (condition, record, expected) => {
  expect(mayMatch(condition, record, mine)).toBe(expected);
});

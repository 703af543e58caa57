import { expect, test } from 'vitest';
import { mayMatch } from '../../src/engine/conditions/may-match';
import { around } from './support/evaluation-context';

const member = { project_id: { $some: { user_ids: '$actor.id' } } };
const mine = { ...around, actor: { id: 7, level: 6 as const, role_id: 6, site_id: 1 } };

test.each([
  [member, { project_id: 5, project: { id: 5, name: 'A' } }, true],
  [member, { project_id: null }, false],
  [member, { project_id: { id: 5, user_ids: [7, 8] } }, true],
  [member, { project_id: { id: 5, user_ids: [8] } }, false],
  [{ $and: [member, { created_by: '$actor.id' }] }, { project_id: 5, created_by: 8 }, false],
  [{ $and: [member, { created_by: '$actor.id' }] }, { project_id: 5, created_by: { id: 7 } }, true],
  [{ created_by: '$actor.id' }, {}, false],
])('%j may hold for %j: %s', (condition, record, expected) => {
  expect(mayMatch(condition, record, mine)).toBe(expected);
});

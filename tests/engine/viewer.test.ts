import { describe, expect, test } from 'vitest';
import { realUser, type Actor } from '../../src/engine/access/actor';
import { grantedFields, isAllowedOnRecord, isGranted } from '../../src/engine/access/access-decision';
import { actions, type Level } from '../../src/engine/definitions/definition';
import { definition } from './support/definitions';
import { around } from './support/evaluation-context';

const things = definition({
  scope: 'company',
  fields: { name: {}, cost: {}, notes: {} },
  rules: [
    { levels: [2], action: 'list', exceptFields: ['notes'] },
    { levels: [4], action: 'list', exceptFields: ['cost'], where: { created_by: '$actor.id' } },
    { levels: [3], action: 'list', where: { created_by: '$actor.id' } },
  ],
});

const actor = (level: Level, permissions: Actor['permissions'], viewer?: Actor): Actor => ({
  id: level,
  role_id: level,
  level,
  site_id: level === 1 ? null : 1,
  permissions,
  ...(viewer && { viewer }),
});
const all = { things: actions };

describe('a user who views as another', () => {
  test.each<[string, Actor, readonly string[]]>([
    ['holds what both hold, to read', actor(4, { things: ['list', 'create'] }, actor(2, all)), ['list']],
    ['lacks what they do not hold themselves', actor(4, all, actor(2, { things: ['view', 'edit'] })), ['view']],
    ['reads alone, as level 1 too', actor(1, {}, actor(1, {})), ['list', 'view']],
    ['holds nothing where one of both does', actor(4, {}, actor(1, {})), []],
  ])('has the grants of both: %s', (_, seen, held) => {
    expect(actions.filter((action) => isGranted(seen, 'things', action))).toEqual(held);
  });

  test('reads only the fields that both may read', () => {
    const seen = grantedFields(actor(4, all, actor(2, all)), things, 'list');
    expect(['name', 'cost', 'notes'].filter((name) => seen.has(name))).toEqual(['name']);
  });

  test('sees only the records that the rules of both allow', () => {
    const of = (created_by: number) => ({ id: 1, created_by });
    const seen = actor(4, all, actor(3, all));
    expect([3, 4].map((id) => isAllowedOnRecord(seen, things, 'list', of(id), around))).toEqual([false, false]);
    const owners = actor(4, all, actor(2, all));
    expect([3, 4].map((id) => isAllowedOnRecord(owners, things, 'list', of(id), around))).toEqual([false, true]);
  });

  test('has the id of the real user', () => {
    const owner = actor(2, all);
    expect(realUser(actor(4, all, owner))).toBe(owner);
    expect(realUser(owner)).toBe(owner);
  });
});

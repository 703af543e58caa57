import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/engine/access/actor';
import { allowedFields, isAllowedOnRecord } from '../../src/engine/access/access-decision';
import { mayMatch } from '../../src/engine/conditions/may-match';
import { definition } from './support/definitions';
import { around } from './support/evaluation-context';

const member = { parent_id: { $some: { member_ids: 7 } } };

describe('a condition on a record whose response lacks data', () => {
  test.each<[object, object, boolean]>([
    // related records carry a part of themselves
    [member, { parent_id: 3 }, true],
    [member, { parent_id: { id: 3, name: 'Above' } }, true],
    [member, { parent_id: { id: 3, member_ids: [7, 8] } }, true],
    [member, { parent_id: { id: 3, member_ids: [8] } }, false],
    [member, { parent_id: null }, false],
    [member, {}, true],
    [{ $not: member }, { parent_id: 3 }, true],
    [{ $not: member }, { parent_id: { id: 3, member_ids: [7] } }, false],
    [{ $nor: [member] }, { parent_id: null }, true],
    // what is known decides
    [{ ...member, created_by: 7 }, { parent_id: 3, created_by: 8 }, false],
    [{ $or: [member, { created_by: 7 }] }, { parent_id: null, created_by: 7 }, true],
    [{ $or: [member, { created_by: 7 }] }, { parent_id: null, created_by: 8 }, false],
    [{ parent_id: { $some: { id: 4 } } }, { parent_id: 3 }, false],
    [{ parts: { $some: { kind: 1 } } }, { parts: [{ kind: 2 }, { id: 5 }] }, true],
    [{ parts: { $some: { kind: 1 } } }, { parts: [{ kind: 2 }] }, false],
    [{ parts: { $some: {} } }, { parts: [] }, false],
    [{ state: 1 }, {}, false],
  ])('%j on %j may hold: %s', (condition, record, expected) =>
    expect(mayMatch({ ...condition }, { ...record }, around)).toBe(expected),
  );
});

describe('access to a record of a response', () => {
  const things = definition({
    scope: 'company',
    fields: { name: {}, state: {}, parent_id: { type: 'relation', to: 'parents' } },
    rules: [
      {
        levels: [6],
        action: 'edit',
        where: { parent_id: { $some: { member_ids: '$actor.id' } } },
        exceptFields: ['state'],
      },
      { levels: [5], action: 'edit', where: { created_by: '$actor.id' } },
      { levels: [5], action: 'edit', fields: ['state'] },
      { levels: [6], action: 'delete', where: { created_by: '$actor.id' } },
    ],
  });
  const actor = (level: 5 | 6): Actor => ({
    id: 7,
    role_id: level,
    level,
    site_id: 1,
    permissions: { things: ['list', 'view', 'edit', 'delete'] },
  });
  const record = { id: 1, name: 'One', parent_id: 3, created_by: 8 };

  test('is decided by the server if the response lacks data', () => {
    expect(isAllowedOnRecord(actor(6), things, 'edit', record, around)).toBe(true);
    expect(allowedFields(actor(6), things, 'edit', record, around).has('name')).toBe(true);
    expect(allowedFields(actor(6), things, 'edit', record, around).has('state')).toBe(false);
  });

  test('is decided by the browser if the record has the data', () => {
    expect(isAllowedOnRecord(actor(6), things, 'delete', record, around)).toBe(false);
    expect(isAllowedOnRecord(actor(6), things, 'delete', { ...record, created_by: 7 }, around)).toBe(true);
    expect([...allowedFields(actor(5), things, 'edit', record, around)]).toEqual(['state']);
    expect(allowedFields(actor(5), things, 'edit', { ...record, created_by: 7 }, around).has('name')).toBe(true);
  });
});

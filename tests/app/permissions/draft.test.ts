import { describe, expect, test } from 'vitest';
import { type Role, studioModule, type MatrixModule } from '../../../src/app/screens/permissions/api';
import { fixedReason, describeRules, cellState } from '../../../src/app/screens/permissions/cells';
import {
  countChanges,
  fillChanges,
  isChanged,
  isGrantedWithChanges,
  noChanges,
  remainingChanges,
  roleChanges,
  listChanges,
  applyChanges,
} from '../../../src/app/screens/permissions/changes';
import { describeGains } from '../../../src/app/screens/permissions/PermissionsScreen';
import type { Actor } from '../../../src/engine/access/actor';
import { normalise } from '../../../src/engine/normalise/normalise';

const role = (
  role_id: number,
  level: Role['level'],
  users: number,
  grants: string[],
  fixed: string | null = null,
): Role => ({
  role_id,
  role_name: ['', 'Administrator', 'Owner', '', 'Developer', 'QA'][role_id]!,
  key: ['', 'administrator', 'company-owner', 'manager', 'developer', 'qa'][role_id]!,
  level,
  users,
  modulePermission: grants,
  fixed,
});
const admin = role(1, 1, 1, [], 'Administrators of the installation always have every permission.');
const developer = role(4, 4, 6, ['films.list', 'films.view', 'shots.list']);
const qa = role(5, 5, 3, ['shots.list']);
const manager = role(3, 3, 1, []);
const roles = [admin, developer, qa];

const module = (name: string, label: string, source: object = {}): MatrixModule => ({
  name,
  label,
  icon: 'table',
  definition: normalise({ name, labels: { one: label, many: label }, scope: 'company', fields: {}, ...source }),
});
const own = { levels: [4, 5], action: 'delete', where: { created_by: '$actor.id' }, reason: 'only what you created' };
const shots = module('shots', 'Shots', { rules: [own] });
const films = module('films', 'Films');
const territories = module('territories', 'Territories', { scope: 'installation' });
const modules = [shots, films, territories, studioModule];

const wish = (of: Role, name: string, action: 'list' | 'edit' | 'delete', grants = true) => ({
  role: of,
  module: name,
  action,
  grants,
});
const some = applyChanges(noChanges, [
  wish(developer, 'films', 'edit'),
  wish(developer, 'imports', 'list'),
  wish(qa, 'imports', 'list'),
]);

describe('unsaved changes of permissions', () => {
  test('are the differences from the saved permissions', () => {
    expect([countChanges(some), isGrantedWithChanges(developer, 'films', 'edit', some.get('films'))]).toEqual([
      3,
      true,
    ]);
    expect(isChanged(qa, 'edit', some.get('films'))).toBe(false);
    const back = applyChanges(some, [wish(developer, 'films', 'edit', false)]);
    expect([countChanges(back), back.has('films')]).toEqual([2, false]);
    expect(back.get('imports')).toBe(some.get('imports'));
    expect(countChanges(applyChanges(noChanges, [wish(qa, 'shots', 'list')]))).toBe(0);
  });

  test('are saved by role, with the earlier grants of each', () => {
    expect(roleChanges(some, roles)).toEqual([
      {
        role_id: 4,
        before: developer.modulePermission,
        modulePermission: [...developer.modulePermission, 'films.edit', 'imports.list'],
      },
      { role_id: 5, before: ['shots.list'], modulePermission: ['shots.list', 'imports.list'] },
    ]);
  });

  test('stay on top of permissions that another user saved, without those that became equal', () => {
    const theirs = { ...developer, modulePermission: ['films.edit', 'studios.list'] };
    const left = remainingChanges(some, [admin, theirs, qa]);
    expect(listChanges(left, [admin, theirs, qa]).map(({ module: name }) => name)).toEqual(['imports', 'imports']);
    expect(roleChanges(left, [admin, theirs, qa])[0]!.modulePermission).toEqual([
      'films.edit',
      'studios.list',
      'imports.list',
    ]);
    expect(remainingChanges(some, roles)).toBe(some);
    expect(countChanges(remainingChanges(some, [admin]))).toBe(0);
  });

  test('are set for whole rows and columns, except for fixed cells', () => {
    const isFixed = (of: Role, one: MatrixModule) => of.fixed !== null || one === territories || one === studioModule;
    const set = (filling: 'All' | 'Read' | 'None') =>
      applyChanges(noChanges, fillChanges(filling, roles, modules, isFixed));
    expect([countChanges(set('All')), countChanges(set('Read')), countChanges(set('None'))]).toEqual([16, 4, 4]);
  });
});

describe('users who gain or lose a permission', () => {
  test.each([
    [some, 'Developer gets Films edit and imports list; QA gets imports list. 9 users gain rights, none lose any.'],
    [
      applyChanges(noChanges, [wish(developer, 'shots', 'list', false)]),
      'Developer loses Shots list. No users gain rights, 6 lose some.',
    ],
    [noChanges, ''],
  ])('%#', (changes, words) => expect(describeGains(listChanges(changes, roles), modules)).toBe(words));

  test('many changes are told in short', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => wish(qa, name, 'list'));
    expect(describeGains(many, modules)).toBe(
      'QA gets a list, b list, c list and 2 more. 3 users gain rights, none lose any.',
    );
    const single = { ...qa, users: 1 };
    expect(describeGains([wish(single, 'shots', 'edit')], modules)).toContain('1 user gains rights');
  });
});

describe('a cell', () => {
  test('is allowed, narrowed by a rule of rows, or denied', () => {
    expect(cellState(shots, developer, 'delete', true)).toBe('own');
    expect(cellState(shots, manager, 'delete', true)).toBe('allowed');
    expect(cellState(shots, developer, 'delete', false)).toBe('denied');
    expect(cellState(territories, manager, 'edit', true)).toBe('denied');
    expect([describeRules(shots, developer, 'delete'), describeRules(shots, manager, 'delete')]).toEqual([
      'Deletes only what they created',
      undefined,
    ]);
  });

  test('that cannot be changed is fixed, and says why', () => {
    const actor: Actor = { id: 1, role_id: 2, level: 2, site_id: 1, permissions: { shots: ['list', 'edit'] } };
    const reason = (of: Role, one: MatrixModule, action: 'list' | 'edit' | 'delete') =>
      fixedReason(actor, of, one, action);
    expect(reason(qa, shots, 'edit')).toBeUndefined();
    expect(reason(qa, shots, 'delete')).toBe('You can grant and revoke only permissions that you have yourself.');
    expect(reason(admin, shots, 'list')).toContain('Administrators of the installation always');
    expect(reason(qa, territories, 'edit')).toBe(
      'Territories belong to the installation; only its administrators can change them.',
    );
    expect(reason(qa, studioModule, 'list')).toBe('Only administrators of the installation can use the studio.');
    expect(reason({ ...qa, fixed: 'Not yours.' }, shots, 'list')).toBe('Not yours.');
  });
});

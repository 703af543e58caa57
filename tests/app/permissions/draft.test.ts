import { describe, expect, test } from 'vitest';
import type { Role } from '../../../src/app/screens/permissions/api';
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
import { describeGains } from '../../../src/app/screens/permissions/describeGains';
import { studioModule, type MatrixModule } from '../../../src/app/screens/permissions/modules';
import type { Actor } from '../../../src/engine/access/actor';
import { normalise } from '../../../src/engine/definitions/normalise';

const role = (
  role_id: number,
  level: Role['level'],
  users: number,
  grants: string[],
  fixed: string | null = null,
): Role => ({
  role_id,
  role_name: ['', 'Administrator', 'Owner', '', 'Developer', 'QA'][role_id]!,
  level,
  users,
  modulePermission: grants,
  fixed,
});
const admin = role(1, 1, 1, [], 'Level 1 always has every permission.');
const developer = role(4, 4, 6, ['projects.list', 'projects.view', 'tasks.list']);
const qa = role(5, 5, 3, ['tasks.list']);
const roles = [admin, developer, qa];

const module = (name: string, label: string, source: object = {}): MatrixModule => ({
  name,
  label,
  icon: 'table',
  definition: normalise({ name, labels: { one: label, many: label }, scope: 'company', fields: {}, ...source }),
});
const own = { levels: [4, 5], action: 'delete', where: { created_by: '$actor.id' }, reason: 'only what you created' };
const tasks = module('tasks', 'Tasks', { rules: [own] });
const projects = module('projects', 'Projects');
const countries = module('countries', 'Countries', { scope: 'installation' });
const modules = [tasks, projects, countries, studioModule];

const wish = (of: Role, name: string, action: 'list' | 'edit' | 'delete', granted = true) => ({
  role: of,
  module: name,
  action,
  granted,
});
const some = applyChanges(noChanges, [
  wish(developer, 'projects', 'edit'),
  wish(developer, 'imports', 'list'),
  wish(qa, 'imports', 'list'),
]);

describe('what is not saved', () => {
  test('is what differs from what is saved', () => {
    expect([countChanges(some), isGrantedWithChanges(developer, 'projects', 'edit', some.get('projects'))]).toEqual([
      3,
      true,
    ]);
    expect(isChanged(qa, 'edit', some.get('projects'))).toBe(false);
    const back = applyChanges(some, [wish(developer, 'projects', 'edit', false)]);
    expect([countChanges(back), back.has('projects')]).toEqual([2, false]);
    expect(back.get('imports')).toBe(some.get('imports'));
    expect(countChanges(applyChanges(noChanges, [wish(qa, 'tasks', 'list')]))).toBe(0);
  });

  test('is saved by role, with what each granted before', () => {
    expect(roleChanges(some, roles)).toEqual([
      {
        role_id: 4,
        before: developer.modulePermission,
        modulePermission: [...developer.modulePermission, 'projects.edit', 'imports.list'],
      },
      { role_id: 5, before: ['tasks.list'], modulePermission: ['tasks.list', 'imports.list'] },
    ]);
  });

  test('stays on top of what somebody else saved, without what came true by it', () => {
    const theirs = { ...developer, modulePermission: ['projects.edit', 'clients.list'] };
    const left = remainingChanges(some, [admin, theirs, qa]);
    expect(listChanges(left, [admin, theirs, qa]).map(({ module: name }) => name)).toEqual(['imports', 'imports']);
    expect(roleChanges(left, [admin, theirs, qa])[0]!.modulePermission).toEqual([
      'projects.edit',
      'clients.list',
      'imports.list',
    ]);
    expect(remainingChanges(some, roles)).toBe(some);
    expect(countChanges(remainingChanges(some, [admin]))).toBe(0);
  });

  test('is set for whole rows and columns, what is fixed left alone', () => {
    const isFixed = (of: Role, one: MatrixModule) => of.fixed !== null || one === countries || one === studioModule;
    const set = (filling: 'All' | 'Read' | 'None') =>
      applyChanges(noChanges, fillChanges(filling, roles, modules, isFixed));
    expect([countChanges(set('All')), countChanges(set('Read')), countChanges(set('None'))]).toEqual([16, 4, 4]);
  });
});

describe('who gains and who loses', () => {
  test.each([
    [some, 'Developer gets Projects edit and imports list; QA gets imports list. 9 users gain rights, none lose any.'],
    [
      applyChanges(noChanges, [wish(developer, 'tasks', 'list', false)]),
      'Developer loses Tasks list. No users gain rights, 6 lose some.',
    ],
    [noChanges, ''],
  ])('%#', (changes, words) => expect(describeGains(listChanges(changes, roles), modules)).toBe(words));

  test('much is told in short', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => wish(qa, name, 'list'));
    expect(describeGains(many, modules)).toBe(
      'QA gets a list, b list, c list and 2 more. 3 users gain rights, none lose any.',
    );
    const single = { ...qa, users: 1 };
    expect(describeGains([wish(single, 'tasks', 'edit')], modules)).toContain('1 user gains rights');
  });
});

describe('a cell', () => {
  test('is allowed, narrowed by a rule of rows, or denied', () => {
    expect(cellState(tasks, 4, 'delete', true)).toBe('own');
    expect(cellState(tasks, 3, 'delete', true)).toBe('allowed');
    expect(cellState(tasks, 4, 'delete', false)).toBe('denied');
    expect(cellState(countries, 3, 'edit', true)).toBe('denied');
    expect([describeRules(tasks, 4, 'delete'), describeRules(tasks, 3, 'delete')]).toEqual([
      'Deletes only what they created',
      undefined,
    ]);
  });

  test('is fixed where nobody can change it, and says why', () => {
    const actor: Actor = { id: 1, role_id: 2, level: 2, site_id: 1, permissions: { tasks: ['list', 'edit'] } };
    const reason = (of: Role, one: MatrixModule, action: 'list' | 'edit' | 'delete') =>
      fixedReason(actor, of, one, action);
    expect(reason(qa, tasks, 'edit')).toBeUndefined();
    expect(reason(qa, tasks, 'delete')).toBe('You can grant and revoke only permissions that you have yourself.');
    expect(reason(admin, tasks, 'list')).toContain('Level 1 always');
    expect(reason(qa, countries, 'edit')).toBe('Countries belong to the installation; only level 1 can change them.');
    expect(reason(qa, studioModule, 'list')).toBe('Only level 1 can use the studio.');
    expect(reason({ ...qa, fixed: 'Not yours.' }, tasks, 'list')).toBe('Not yours.');
  });
});

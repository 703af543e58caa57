import { expect, test } from 'vitest';
import { ruleGroupOf } from '../../src/engine/definitions/rule-groups';
import type { Source } from '../../src/engine/definitions/source';
import { registryOf, sourceOf } from '../support/definitions';

type Parts = Partial<Source> & { readonly fields?: Source['fields'] };

const relation = (to: string, more: object = {}) => ({ type: 'relation' as const, to, ...more });
const company = { scope: 'company' } as const;
const count = { type: 'rollup', source: 'tasks.project_id', aggregate: 'count' } as const;
const taskRule = (condition: object) => ({ validate: [{ condition, field: 'name', message: 'No.' }] }) as Parts;

/** Which of projects, tasks and notes are in a group, as the name of the group. */
function groupsOf(parts: Readonly<Partial<Record<'projects' | 'tasks' | 'notes', Parts>>>) {
  const source = (name: string, fields: Source['fields'], { fields: more, ...others }: Parts = {}) =>
    sourceOf(name, { ...fields, ...more }, { ...company, ...others });
  const registry = registryOf(
    source('projects', { name: {}, open: { type: 'boolean' } }, parts.projects),
    source('tasks', { name: {}, done: { type: 'boolean' }, project_id: relation('projects') }, parts.tasks),
    source('notes', { name: {}, task_id: relation('tasks') }, parts.notes),
  );
  return Object.fromEntries(
    [...registry.definitions.keys()].flatMap((name) => {
      const group = ruleGroupOf(registry, name);
      return group ? [[name, group.isAcrossCompanies ? `${group.name}, all companies` : group.name]] : [];
    }),
  );
}

const tasksAlone = { tasks: 'tasks' };
const both = { projects: 'projects', tasks: 'projects' };

test.each<[what: string, parts: Parameters<typeof groupsOf>[0], groups: object]>([
  ['rules over the record itself', { tasks: taskRule({ done: false }) }, {}],
  ['a path to a parent without rules', { tasks: taskRule({ 'project_id.open': true }) }, {}],
  ['a rollup of the own records alone', { projects: { fields: { count }, ...taskRule({ count: 0 }) } }, {}],
  [
    'a rollup of the parent',
    { projects: { fields: { count } }, tasks: taskRule({ 'project_id.count': 1 }) },
    tasksAlone,
  ],
  [
    'a lookup of a value that is computed from it',
    {
      projects: { fields: { count, left: { type: 'number', computed: { $subtract: [5, '$record.count'] } } } },
      tasks: {
        fields: { left: { type: 'lookup', source: 'project_id.left' } },
        ...taskRule({ '$form.left': { $gt: 0 } }),
      },
    },
    tasksAlone,
  ],
  [
    'records that point to the parent',
    {
      projects: { fields: { tasks: { type: 'inverse', source: 'tasks.project_id' } } },
      tasks: taskRule({ project_id: { $some: { tasks: { $some: { done: true } } } } }),
    },
    tasksAlone,
  ],
  [
    'what can be chosen',
    {
      projects: { fields: { count } },
      tasks: { fields: { project_id: relation('projects', { choices: { count: 0 } }) } },
    },
    tasksAlone,
  ],
  [
    'a place in a tree',
    { tasks: { fields: { parent_id: relation('tasks', { choices: { project_id: '$form.project_id' } }) } } },
    {},
  ],
  [
    'who may create',
    {
      projects: { fields: { count } },
      tasks: { rules: [{ levels: [2], action: ['create'], where: { 'project_id.count': 1 }, reason: 'one' }] },
    },
    tasksAlone,
  ],
  [
    'who may read',
    {
      projects: { fields: { count } },
      tasks: { rules: [{ levels: [2], action: ['list', 'view'], where: { 'project_id.count': 1 }, reason: 'one' }] },
    },
    {},
  ],
  [
    'rules of parent and child over each other',
    {
      projects: { fields: { count }, ...taskRule({ count: 0 }) },
      tasks: taskRule({ 'project_id.open': true }),
    },
    both,
  ],
  [
    'a request that adds what its condition counts',
    {
      projects: {
        fields: { count },
        requests: {
          add: {
            label: 'Add',
            path: 'add/{id}',
            where: { count: 0 },
            adds: { resource: 'tasks', relation: 'project_id', fields: ['name'] },
          },
        },
      },
    },
    both,
  ],
  [
    'a request that adds to a record without rules over it',
    {
      tasks: {
        requests: {
          add: { label: 'Add', path: 'add/{id}', adds: { resource: 'notes', relation: 'task_id', fields: ['name'] } },
        },
      },
      notes: taskRule({ 'task_id.done': false }),
    },
    {},
  ],
  [
    'a sum at records that companies share',
    { projects: { scope: 'both', fields: { count } }, tasks: taskRule({ 'project_id.count': 1 }) },
    { tasks: 'tasks, all companies' },
  ],
])('%s', (_, parts, groups) => {
  expect(groupsOf(parts)).toEqual(groups);
});

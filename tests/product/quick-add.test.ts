import { describe, expect, it } from 'vitest';
import { ancestorFieldsOf } from '../../src/engine/forms/ancestor-fields';
import { fieldOf } from '../../src/engine/definitions/accessors';
import { quickAddValues, type ListBranch } from '../../src/engine/lists/quick-add';
import { requireValue } from '../../src/engine/values/lookups';
import { shippedDefinitions } from '../support/definitions';

const definitions = shippedDefinitions();
const definitionOf = (name: string) =>
  requireValue(
    definitions.find((definition) => definition.name === name),
    name,
  );
const testCases = definitionOf('test-cases');

const node = (id: number, parent: number | null) => ({
  ...{ id, parent, title: `Module ${id}`, count: 0, own: 0, of: null },
  values: { project_id: 7 },
});
const branch = (id: number): ListBranch => ({
  ...{ target: definitionOf('project-modules'), nodes: [node(3, null), node(12, 3)], id },
});

describe('a record that is added by its title has', () => {
  it.each<[name: string, filters: object, branch: ListBranch | undefined, kept: object, values: object | undefined]>([
    ['the project of the filters', { project_id: 7 }, undefined, {}, { project_id: 7 }],
    ['the only one of several values of a filter', { project_id: [7] }, undefined, {}, { project_id: 7 }],
    ['no value of a filter with several', { project_id: [7], priority_id: [1, 2] }, undefined, {}, { project_id: 7 }],
    [
      'no ends of days, and no condition',
      { project_id: 7, created_at_from: '2026-01-01', where: '{}' },
      undefined,
      {},
      { project_id: 7 },
    ],
    ['the module of a branch at the top, and its project', {}, branch(3), {}, { project_id: 7, project_module: 3 }],
    [
      'both modules of a branch below',
      {},
      branch(12),
      {},
      { project_id: 7, project_module: 3, project_sub_module: 12 },
    ],
    [
      'kept values that depend on no other field',
      { project_id: 7 },
      undefined,
      { priority_id: 2, project_module: 9 },
      { project_id: 7, priority_id: 2 },
    ],
    ['nothing where its project is not known', {}, undefined, { priority_id: 2 }, undefined],
  ])('%s', (_name, filters, ofBranch, kept, values) =>
    expect(quickAddValues(testCases, { ...filters }, ofBranch, { ...kept })).toEqual(values),
  );
});

it('a field depends on those of its choices, and on all that they depend on', () => {
  const ancestors = ancestorFieldsOf(testCases.fields, fieldOf(testCases, 'project_sub_module'));
  expect(ancestors).toEqual(['project_module', 'project_id']);
});

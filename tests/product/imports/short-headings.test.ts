import { expect, test } from 'vitest';
import { importTargets, matchColumns } from '../../../src/engine/imports/headings';
import { importOf } from '../../../src/engine/definitions/accessors';
import { requireValue } from '../../../src/engine/values/lookups';
import { shippedDefinitions } from '../../support/definitions';

const definitions = shippedDefinitions();

/** The fields that the columns of a file fill, by itself and without a mapping by hand. */
function fieldsOf(resource: string, headings: readonly string[]): (string | null)[] {
  const definition = requireValue(
    definitions.find(({ name }) => name === resource),
    resource,
  );
  const allowedFields = new Set(importOf(definition).columns.map(({ field }) => field));
  const targets = importTargets(definition, allowedFields);
  return matchColumns(definition, headings, targets, { byHand: {}, remembered: {} }).map(({ field }) => field);
}

test.each<[resource: string, heading: string, field: string | null]>([
  ['test-cases', 'Prio', 'priority_id'],
  ['test-cases', 'PRIO.', 'priority_id'],
  ['test-cases', 'Area', 'project_module'],
  ['test-cases', 'Precond', 'pre_conditions'],
  ['test-cases', 'Pre-Cond.', 'pre_conditions'],
  ['test-cases', 'Exp. Result', 'expected_result'],
  ['test-cases', 'Act. Res.', 'actual_result'],
  ['test-cases', 'Desc', 'description'],
  ['test-cases', 'Sub Mod', 'project_sub_module'],
  ['tasks', 'Prio', 'priority_id'],
  ['tasks', 'Desc.', 'description'],
  ['tasks', 'Est. Hours', 'estimated_hours'],
  // Too short, the beginning of headings of several fields, or no beginning of a word.
  ['test-cases', 'De', null],
  ['test-cases', 'Test', null],
  ['test-cases', 'Riority', null],
  ['test-cases', 'Exp. Prio', null],
])('of %s, a column “%s” fills %s', (resource, heading, field) =>
  expect(fieldsOf(resource, [heading])).toEqual([field]),
);

test('a shortened heading leaves a field to the column that names it', () =>
  expect(fieldsOf('test-cases', ['Prio', 'Priority', 'Description', 'Desc'])).toEqual([
    null,
    'priority_id',
    'description',
    null,
  ]));

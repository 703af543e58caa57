import { Type } from 'typebox';
import {
  closedObject,
  dataOf,
  defineCall,
  form,
  id,
  idParams,
  nullable,
  recordOf,
} from '../../server/routing/define-call';
import { entries, personResults, runs } from './definitions';
import { maxTests } from './add-tests';

const tag = 'Test runs';
const record = (name: string) => dataOf(Type.Ref(`#/components/schemas/${name}`));
const personResult = Type.Enum([...personResults], { title: 'Result' });
const comment = Type.Optional(nullable(Type.String({ title: 'Comment', maxLength: 10_000 })));
const ids = (title: string, maxItems: number) => Type.Array(id, { title, maxItems });
const results = ['passed', 'failed', 'broken', 'blocked', 'skipped', 'flaky', 'not_run'] as const;

/** Parts of a run whose results are not stored entirely. */
export const loadingParts = Type.Array(
  Type.Object({
    part: nullable(Type.String()),
    tests: Type.Integer(),
    stored: Type.Integer(),
    is_interrupted: Type.Boolean({ description: 'Nobody stores the rest: the part has to be sent again.' }),
  }),
  { description: 'Parts of which results are still being stored.' },
);

/** The result that a tester found. */
export const foundResult = Type.Object(
  {
    result: personResult,
    comment,
    elapsed_seconds: Type.Optional(nullable(Type.Number({ title: 'Seconds', minimum: 0, maximum: 1_000_000 }))),
    steps: Type.Optional(
      Type.Array(
        Type.Object(
          {
            index: Type.Integer({ minimum: 1, maximum: 1000, description: 'The first step is 1.' }),
            result: personResult,
            comment: Type.Optional(nullable(Type.String({ title: 'Comment', maxLength: 5000 }))),
            evidence: Type.Optional(
              Type.Array(Type.Integer({ minimum: 1, maximum: 1000 }), {
                title: 'Evidence',
                maxItems: 100,
                description: 'Which files of the form were seen at this step; the first is 1.',
              }),
            ),
          },
          closedObject,
        ),
        { title: 'Steps', maxItems: 1000 },
      ),
    ),
  },
  form,
);

/** Which test cases come into a run, and on what they are run. */
const selection = {
  test_cases: Type.Optional(
    Type.Union([ids('Test cases', maxTests), Type.Literal('all')], {
      title: 'Test cases',
      description: 'Ids, or "all" of the project.',
      errorMessage: 'Test cases must be ids in a list, or all.',
    }),
  ),
  filter: Type.Optional(
    recordOf(Type.Unknown(), {
      title: 'Filter',
      description:
        'A query as lists of test cases take it: {"status": "open"}. The run keeps it, so that what matches later can be added.',
    }),
  ),
  configurations: Type.Optional(ids('Configurations', 200)),
  combine: Type.Optional(
    Type.Enum(['all', 'pairwise'], {
      title: 'Combine',
      description: 'pairwise: each pair of browser, system and device once.',
    }),
  ),
  assigned_to: Type.Optional(nullable(id)),
};

const assignment = {
  by: Type.Enum(['round_robin', 'module'], {
    title: 'By',
    description: 'module: the tests of a module go to the same person.',
  }),
  users: Type.Array(id, { title: 'Users', minItems: 1, maxItems: 200 }),
};

/** The calls of test runs that no definition says. */
export const runCalls = {
  addTests: defineCall({
    id: 'add-run-tests',
    tag,
    summary: 'Add test cases to a test run, once for each configuration; those that are in it stay as they are',
    grant: { resource: entries, action: 'create' },
    atomic: true,
    params: idParams,
    body: Type.Object(selection, closedObject),
    answer: dataOf(Type.Object({ added: Type.Integer() })),
  }),
  start: defineCall({
    id: 'start-test-run',
    tag,
    summary: 'Start a test run with test cases; if any of them is refused, there is no run',
    grant: { resource: runs, action: 'create' },
    atomic: true,
    body: Type.Object(
      {
        project_id: Type.Integer({ ...id, title: 'Project' }),
        name: Type.String({ title: 'Name', minLength: 1, maxLength: 200, pattern: '\\S' }),
        milestone_id: Type.Optional(nullable(id)),
        due_on: Type.Optional(nullable(Type.String({ title: 'Due Date', format: 'date' }))),
        description: Type.Optional(nullable(Type.String({ title: 'Description', maxLength: 100_000 }))),
        state: Type.Optional(
          Type.Enum(['planned', 'open'], { title: 'State', description: 'planned: a draft. Default: open.' }),
        ),
        assign: Type.Optional(
          Type.Object(assignment, { ...closedObject, description: 'Who runs the tests, in turn.' }),
        ),
        ...selection,
      },
      closedObject,
    ),
    answer: record('TestRun'),
  }),
  times: defineCall({
    id: 'test-times',
    tag,
    summary: 'The test cases of a project with their latest results and the mean of the times that they took',
    grant: { resource: entries, action: 'list' },
    params: idParams,
    answer: dataOf(
      Type.Object({
        mean_seconds: nullable(Type.Number({ description: 'Of all its test cases whose times are known.' })),
        cases: Type.Array(
          Type.Object({
            id,
            result: nullable(Type.Enum([...results])),
            seconds: nullable(Type.Number()),
            is_changed: Type.Boolean({ description: 'It was changed since it came into the run of this result.' }),
          }),
        ),
      }),
    ),
  }),
  matching: defineCall({
    id: 'count-matching-tests',
    tag,
    summary: 'How many test cases the filters match now with which tests were added, and the run does not have',
    grant: { resource: entries, action: 'create' },
    params: idParams,
    answer: dataOf(Type.Object({ filters: Type.Integer(), tests: Type.Integer() })),
  }),
  addMatching: defineCall({
    id: 'add-matching-tests',
    tag,
    summary: 'Add the test cases that the filters match now with which tests were added; none is removed',
    grant: { resource: entries, action: 'create' },
    atomic: true,
    params: idParams,
    answer: dataOf(Type.Object({ added: Type.Integer() })),
  }),
  assign: defineCall({
    id: 'assign-run-tests',
    tag,
    summary: 'Assign tests of a test run to people in turn',
    atomic: true,
    grant: { resource: entries, action: 'edit' },
    params: idParams,
    body: Type.Object(
      {
        ...assignment,
        entries: Type.Optional(ids('Tests', maxTests)),
      },
      closedObject,
    ),
    answer: dataOf(Type.Object({ changed: Type.Integer() })),
  }),
  copy: defineCall({
    id: 'copy-test-run',
    tag,
    summary: 'Start a new test run with the tests of this one, or with those that have one of these results',
    grant: { resource: runs, action: 'create' },
    atomic: true,
    params: idParams,
    body: Type.Object(
      {
        name: Type.Optional(Type.String({ title: 'Name', minLength: 1, maxLength: 200, pattern: '\\S' })),
        results: Type.Optional(Type.Array(Type.Enum([...results]), { title: 'Results', minItems: 1, maxItems: 7 })),
      },
      closedObject,
    ),
    answer: record('TestRun'),
  }),
  retest: defineCall({
    id: 'retest',
    tag,
    summary: 'Start a new test run with the test cases of these tests, as they are now',
    grant: { resource: runs, action: 'create' },
    atomic: true,
    body: Type.Object({ entries: Type.Array(id, { title: 'Tests', minItems: 1, maxItems: maxTests }) }, closedObject),
    answer: record('TestRun'),
  }),
  endRetest: defineCall({
    id: 'end-retest',
    tag,
    summary: 'Let tests wait no more to be run again, in closed runs too; their results stay',
    grant: { resource: entries, action: 'edit' },
    atomic: true,
    body: Type.Object({ entries: Type.Array(id, { title: 'Tests', minItems: 1, maxItems: maxTests }) }, closedObject),
    answer: dataOf(Type.Object({ ended: Type.Integer() })),
  }),
  gate: defineCall({
    id: 'test-run-gate',
    tag,
    summary: 'Whether a test run keeps to a condition, such as no new failures',
    grant: { resource: runs, action: 'view' },
    params: idParams,
    querystring: Type.Object(
      {
        condition: Type.String({
          description:
            'JSON: the most tests that may have failed, failed_new, broken, blocked, skipped, flaky or not_run, and the least pass_rate in per cent.',
        }),
      },
      closedObject,
    ),
    answer: dataOf(
      Type.Object({
        ok: Type.Boolean(),
        failed: Type.Array(Type.Object({ name: Type.String(), limit: Type.Number(), actual: Type.Number() })),
        problems: Type.Array(Type.String()),
        loading: Type.Optional(loadingParts),
      }),
    ),
  }),
  result: defineCall({
    id: 'record-test-result',
    tag,
    summary:
      'Record an attempt of a test; it becomes the result of the test, and earlier attempts are kept. As multipart/form-data with evidence, its files, and steps as JSON',
    grant: { resource: entries, action: 'edit' },
    atomic: true,
    params: idParams,
    answer: record('RunEntry'),
  }),
  takeVersion: defineCall({
    id: 'take-test-case-version',
    tag,
    summary: 'Let a test take its test case as it is now',
    atomic: true,
    grant: { resource: entries, action: 'edit' },
    params: idParams,
    answer: record('RunEntry'),
  }),
  compareVersion: defineCall({
    id: 'compare-test-case-version',
    tag,
    summary: 'How a test case changed since it came into the run',
    grant: { resource: entries, action: 'view' },
    params: idParams,
    answer: dataOf(
      Type.Object({
        pinned: recordOf(Type.Unknown()),
        current: nullable(recordOf(Type.Unknown())),
        changed: Type.Array(Type.String()),
      }),
    ),
  }),
};
// With files it is a form, which the handler reads, so its schema documents it only.
Object.assign(runCalls.result.config.described, { body: foundResult });

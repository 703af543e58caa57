import { Type } from 'typebox';
import {
  closedObject,
  dataOf,
  defineCall,
  id,
  idParameter,
  idParams,
  nullable,
} from '../../server/routing/define-call';
import { loadingParts } from '../test-runs/calls';
import { runs } from '../test-runs/definitions';

const count = Type.Integer();
const instant = Type.String({ format: 'date-time' });
const counts = { passed: count, failed: count, blocked: count, skipped: count, flaky: count, not_run: count };
const text = nullable(Type.String());
const seconds = Type.Number({ description: 'Seconds.' });

const figures = {
  total: count,
  counts: Type.Object(counts),
  pass_rate: nullable(Type.Number({ description: 'Per cent of the tests that were run.' })),
  modules: Type.Array(Type.Object({ module: text, total: count, ...counts })),
  new_failures: count,
  elapsed_seconds: seconds,
  remaining_seconds: nullable(seconds),
  first_at: nullable(instant),
  last_at: nullable(instant),
};

const fingerprint = Type.String({ description: 'SHA-256 of the figures and attempts of the run, in hexadecimal.' });

const report = Type.Object({
  ...figures,
  key: text,
  name: Type.String(),
  state: Type.String(),
  project: text,
  milestone: text,
  configurations: Type.Array(Type.String()),
  branch: text,
  commit: text,
  closed_at: nullable(instant),
  people: Type.Array(Type.String()),
  failed: Type.Array(
    Type.Object({
      key: text,
      name: Type.String(),
      message: text,
      defect: text,
      is_new: Type.Boolean(),
      evidence: Type.Array(Type.Object({ name: Type.String(), step: nullable(count) })),
    }),
  ),
  failed_total: count,
  made_at: instant,
  fingerprint,
  stamps: Type.Array(
    Type.Object({
      name: text,
      at: instant,
      fingerprint,
      comment: text,
      is_current: Type.Boolean({ description: 'The run is still as it was signed off.' }),
    }),
  ),
});

const comparedResult = nullable(
  Type.Object({
    id,
    result: Type.String(),
    seconds: nullable(Type.Number()),
    run_at: nullable(instant),
    person: text,
    comment: text,
  }),
);

/** The calls that show where runs and milestones are. */
export const runOverviewCalls = {
  overview: defineCall({
    id: 'test-run-overview',
    tag: 'Test runs',
    summary: 'The figures of a test run, recounted from attempts: results, new failures by message, burndown, forecast',
    grant: { resource: runs, action: 'view' },
    params: idParams,
    answer: dataOf(
      Type.Object({
        ...figures,
        failures: Type.Array(
          Type.Object({ message: Type.String(), entries: Type.Array(id), new: Type.Array(id) }),
          { description: 'Failed tests by message, the most frequent first.' }, // oxfmt-ignore
        ),
        timed: Type.Integer({ description: 'Tests that were not run and have an earlier time of their own.' }),
        burndown: Type.Array(Type.Object({ at: instant, left: count })),
        forecast_at: nullable(instant),
        earlier: nullable(Type.Object({ id, key: text, name: Type.String() })),
        loading: loadingParts,
      }),
    ),
  }),
  compare: defineCall({
    id: 'compare-test-runs',
    tag: 'Test runs',
    summary:
      'The tests of two runs of a project beside each other, with the age of failures and the causes carried on to them',
    grant: { resource: runs, action: 'view' },
    params: Type.Object({ id, other: id }),
    querystring: Type.Object(
      { base: idParameter('base', 'Which of both is compared with. Default: the earlier one.') },
      closedObject,
    ),
    answer: dataOf(
      Type.Object({
        runs: Type.Array(
          Type.Object({
            id,
            key: text,
            name: Type.String(),
            created_at: instant,
            counts: Type.Object(counts),
            seconds,
          }),
          { description: 'The base first.' },
        ),
        tests: Type.Array(
          Type.Object({
            key: text,
            test_case_id: nullable(id),
            automated_test_id: nullable(id),
            name: Type.String(),
            configuration_id: nullable(id),
            configuration: text,
            first: comparedResult,
            second: comparedResult,
            change: Type.Enum([
              'new_failure',
              'still_failing',
              'fixed',
              'other',
              'duration',
              'added',
              'removed',
              'same',
            ]),
            age: nullable(Type.Object({ runs: count, days: count, since: text })),
            cause: text,
            carried_from: nullable(
              Type.String({ description: 'The run whose cause was carried on; null: it is its own.' }),
            ),
            note: nullable(Type.Object({ text: Type.String(), carried_from: text })),
            defect: nullable(Type.Object({ id, name: Type.String(), carried_from: text })),
          }),
        ),
      }),
    ),
  }),
  report: defineCall({
    id: 'test-run-report',
    tag: 'Test runs',
    summary: 'The report of a test run, with names only',
    grant: { resource: runs, action: 'view' },
    params: idParams,
    answer: dataOf(report),
  }),
  sharedReport: defineCall({
    id: 'shared-run-report',
    tag: 'Test runs',
    summary: 'The report behind a public link, with names only; null if there is none',
    scope: 'public',
    body: Type.Object({ link: Type.String() }),
    answer: dataOf(nullable(report)),
  }),
  sharedState: defineCall({
    id: 'shared-run-state',
    tag: 'Test runs',
    summary:
      'The figures and attempts of a run behind a public link as text, whose SHA-256 in UTF-8 is the fingerprint of its report; null if there is none',
    scope: 'public',
    body: Type.Object({ link: Type.String() }),
    answer: dataOf(nullable(Type.Object({ text: Type.String() }))),
  }),
  stamp: defineCall({
    id: 'sign-off-test-run',
    tag: 'Test runs',
    summary: 'Sign off a test run as it is now; an earlier stamp of the caller is replaced',
    grant: { resource: runs, action: 'edit' },
    atomic: true,
    params: idParams,
    body: Type.Object(
      { comment: Type.Optional(nullable(Type.String({ title: 'Comment', maxLength: 1000 }))) },
      closedObject,
    ),
    answer: dataOf(Type.Object({ fingerprint, at: instant })),
  }),
  removeStamp: defineCall({
    id: 'remove-stamp-of-test-run',
    tag: 'Test runs',
    summary: 'Take back the own stamp of a test run',
    grant: { resource: runs, action: 'edit' },
    atomic: true,
    params: idParams,
    answer: dataOf(Type.Object({ removed: Type.Boolean() })),
  }),
  trend: defineCall({
    id: 'milestone-trend',
    tag: 'Test runs',
    summary: 'The results of all tests of a milestone on each day on which they changed, recounted from attempts',
    grant: { resource: 'milestones', action: 'view' },
    params: idParams,
    answer: dataOf(Type.Array(Type.Object({ day: Type.String({ format: 'date' }), ...counts }))),
  }),
};

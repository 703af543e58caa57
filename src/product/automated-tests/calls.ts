import { Type } from 'typebox';
import { closedObject, dataOf, defineCall, id, idParams, nullable } from '../../server/routing/define-call';
import { runs, testCases } from '../test-runs/definitions';
import { proposals, tests } from './definitions';

const tag = 'Automated tests';
const decision = dataOf(
  Type.Object({
    id,
    state: Type.Enum(['open', 'merged', 'kept_apart']),
    earlier_id: id,
    test_id: nullable(id),
    moved: Type.Integer(),
    results: Type.Integer(),
  }),
);
const text = nullable(Type.String());
const count = Type.Integer();
const similarCase = Type.Object({ id, key: text, name: Type.String(), similarity: count });

const decisionOf = (name: string, summary: string) =>
  defineCall({
    id: name,
    tag,
    summary,
    grant: { resource: proposals, action: 'edit' },
    atomic: true,
    params: idParams,
    answer: decision,
  });

/** The calls of automated tests that no definition says. */
export const automatedTestCalls = {
  merge: decisionOf(
    'merge-automated-tests',
    'Merge a renamed automated test with its earlier name; results move to it',
  ),
  keepApart: decisionOf('keep-automated-tests-apart', 'Keep two automated tests apart; they are not proposed again'),
  ciResults: defineCall({
    id: 'ci-results',
    tag,
    summary: 'What failed in a run of automated tests, with causes, and what is new since the last run of the branch',
    grant: { resource: runs, action: 'view' },
    params: idParams,
    answer: dataOf(
      Type.Object({
        previous: nullable(Type.Object({ id, key: Type.String() })),
        counts: Type.Object({
          passed: count,
          failed: count,
          broken: count,
          blocked: count,
          skipped: count,
          flaky: count,
          not_run: count,
        }),
        seconds: Type.Number(),
        results: Type.Array(
          Type.Object({
            id,
            name: Type.String(),
            result: Type.String(),
            configuration: text,
            seconds: nullable(Type.Number()),
            test: nullable(Type.Object({ id, file: text, suite: text, parameters: text, quarantined_until: text })),
            test_case: nullable(Type.Object({ id, key: text, name: Type.String() })),
            is_new: Type.Boolean(),
            message: text,
            cause: Type.String(),
          }),
        ),
      }),
    ),
  }),
  similarCases: defineCall({
    id: 'similar-cases-of-automated-test',
    tag,
    summary: 'Test cases that an automated test may be, the most similar first; with q those whose key or title has it',
    grant: { resource: tests, action: 'view' },
    params: idParams,
    querystring: Type.Object({ q: Type.Optional(Type.String({ maxLength: 200 })) }, closedObject),
    answer: dataOf(Type.Array(similarCase)),
  }),
  makeCases: defineCall({
    id: 'make-test-cases',
    tag,
    summary: 'Make a test case of each automated test that has none, and link them; nothing is overwritten',
    grant: { resource: testCases, action: 'create' },
    atomic: true,
    body: Type.Object({ tests: Type.Array(id, { title: 'Tests', minItems: 1, maxItems: 1000 }) }, closedObject),
    answer: dataOf(
      Type.Object({
        created: Type.Array(Type.Object({ automated_test_id: id, test_case_id: id })),
        kept: Type.Array(id),
      }),
    ),
  }),
  undo: decisionOf('undo-match-decision', 'Undo a merge or a decision to keep apart, within 30 days'),
};

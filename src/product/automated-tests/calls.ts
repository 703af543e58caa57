import { Type } from 'typebox';
import { dataOf, defineCall, id, idParams, nullable } from '../../server/routing/define-call';
import { proposals } from './definitions';

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
  undo: decisionOf('undo-match-decision', 'Undo a merge or a decision to keep apart, within 30 days'),
};

import type { RequestContext } from '../../access/request-context';
import { chartOf } from '../../aggregates/chart';
import { figuresOf, summed } from '../../aggregates/figures';
import { optionsOf } from '../../aggregates/options';
import { readListQuery, type Query } from '../../records/query/list-query';
import { recently } from './days';
import { figureOf, partsOf } from './divided';
import { result, testCaseStatus } from './states';
import type { Tile } from './tile';

/**
 * `GET test-case-analytics`: tiles and charts of the test cases that a list's query finds. Throws Refused without the
 * grant, BadRequest for a query that the list would not take.
 */
export async function testCaseAnalytics(context: RequestContext, query: Query) {
  const { registry, actor } = context;
  const testCases = registry.need('test-cases');
  const { where } = readListQuery(context, testCases, query);
  const [groups, states, priorities] = await Promise.all([
    figuresOf(context, testCases, {
      by: ['status_id', 'priority_id'],
      where,
      figures: {
        total: {},
        open: { when: { status_id: { $ne: testCaseStatus.closed } } },
        closed: { when: { status_id: testCaseStatus.closed } },
        passed: { when: { result_id: result.passed } },
        failed: { when: { result_id: result.failed } },
        updated: { when: { updated_at: { $gte: recently(context) } } },
        mine: { when: { assigned_to: '$actor.id' } },
      },
    }),
    optionsOf(context, registry.need('status')),
    optionsOf(context, registry.need('priorities')),
  ]);
  const tile = (key: string, label: string, figure: keyof (typeof groups)[number]['figures']): Tile => ({
    key,
    label,
    count: summed(groups, figure),
  });
  return {
    tiles: [
      tile('total', 'Total', 'total'),
      tile('open', 'Open', 'open'),
      tile('closed', 'Closed', 'closed'),
      tile('passed', 'Passed', 'passed'),
      tile('failed', 'Failed', 'failed'),
      tile('recently_updated', 'Recently Updated', 'updated'),
      ...(actor.level > 3 ? [tile('assigned_to_me', 'Assigned to me', 'mine')] : []),
    ],
    charts: {
      test_cases: chartOf(
        { passed: 'Passed', failed: 'Failed' },
        partsOf(priorities, groups, 1).map(({ id, title }) => [
          title,
          figureOf(groups, 'passed', undefined, id),
          figureOf(groups, 'failed', undefined, id),
        ]),
      ),
      test_case_distribution: chartOf(
        { test_cases: 'Test Cases' },
        partsOf(states, groups).map(({ id, title }) => [title, figureOf(groups, 'total', id)]),
      ),
    },
  };
}

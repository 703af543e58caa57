import { Level } from '../../engine/definitions/level';
import type { RequestContext } from '../../server/access/request-context';
import { buildChart } from '../../server/aggregates/chart';
import { loadMeasures, sumMeasure } from '../../server/aggregates/measures';
import { loadGroupOptions } from '../../server/aggregates/group-options';
import { parseListQuery, type Query } from '../../server/records/read/query/list-query';
import { recentSince } from './days';
import { sumFor, chartParts } from './chart-parts';
import { result, testCaseStatus } from './status-ids';
import type { Tile } from './tile';

/**
 * `GET test-case-analytics`: tiles and charts of the test cases that a list's query finds. Throws Forbidden without the
 * grant, BadRequest for a query that the list would not take.
 */
export async function loadTestCaseAnalytics(context: RequestContext, query: Query) {
  const { registry, actor } = context;
  const testCases = registry.getOrThrow('test-cases');
  const { where: condition } = parseListQuery(context, testCases, query);
  const [groups, states, priorities] = await Promise.all([
    loadMeasures(context, testCases, {
      groupBy: ['status_id', 'priority_id'],
      condition,
      figures: {
        total: {},
        open: { when: { status_id: { $ne: testCaseStatus.closed } } },
        closed: { when: { status_id: testCaseStatus.closed } },
        passed: { when: { result_id: result.passed } },
        failed: { when: { result_id: result.failed } },
        updated: { when: { updated_at: { $gte: recentSince(context) } } },
        mine: { when: { assigned_to: '$actor.id' } },
      },
    }),
    loadGroupOptions(context, registry.getOrThrow('status')),
    loadGroupOptions(context, registry.getOrThrow('priorities')),
  ]);
  const tile = (key: string, label: string, figure: keyof (typeof groups)[number]['figures']): Tile => ({
    key,
    label,
    count: sumMeasure(groups, figure),
  });
  return {
    tiles: [
      tile('total', 'Total', 'total'),
      tile('open', 'Open', 'open'),
      tile('closed', 'Closed', 'closed'),
      tile('passed', 'Passed', 'passed'),
      tile('failed', 'Failed', 'failed'),
      tile('recently_updated', 'Recently Updated', 'updated'),
      ...(actor.level > Level.Manager ? [tile('assigned_to_me', 'Assigned to me', 'mine')] : []),
    ],
    charts: {
      test_cases: buildChart(
        { passed: 'Passed', failed: 'Failed' },
        chartParts(priorities, groups, 1).map(({ id, title }) => [
          title,
          sumFor(groups, 'passed', undefined, id),
          sumFor(groups, 'failed', undefined, id),
        ]),
      ),
      test_case_distribution: buildChart(
        { test_cases: 'Test Cases' },
        chartParts(states, groups).map(({ id, title }) => [title, sumFor(groups, 'total', id)]),
      ),
    },
  };
}

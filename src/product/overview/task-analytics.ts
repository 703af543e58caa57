import { Level } from '../../engine/definitions/level';
import { isGranted } from '../../engine/access/access-decision';
import type { Predicate } from '../../engine/conditions/grammar';
import type { RequestContext } from '../../server/access/request-context';
import { buildChart, type Chart } from '../../server/aggregates/chart';
import { loadMeasures, sumMeasure, type Measure } from '../../server/aggregates/measures';
import { loadGroupOptions } from '../../server/aggregates/group-options';
import { parseListQuery, type Query } from '../../server/records/read/query/list-query';
import { weekAhead } from './days';
import { sumFor, chartParts } from './chart-parts';
import { taskStatus } from './status-ids';
import type { Tile } from './tile';

const open = { status_id: { $in: taskStatus.open } };

/** Open tasks of assignees of a level. */
const withLevel = (level: number): Measure => ({
  when: { ...open, assigned_to: { $some: { role_id: { $some: { level } } } } },
});

/**
 * `GET task-analytics`: tiles and charts of the tasks that a list's query finds. Throws Forbidden without the grant,
 * BadRequest for a query that the list would not take.
 */
export async function loadTaskAnalytics(context: RequestContext, query: Query) {
  const { registry, actor, today } = context;
  const tasks = registry.getOrThrow('tasks');
  const { where: condition } = parseListQuery(context, tasks, query);
  const isLead = actor.level <= Level.Manager;
  const [groups, hours, states, priorities] = await Promise.all([
    loadMeasures(context, tasks, {
      groupBy: ['status_id', 'priority_id'],
      condition,
      figures: {
        total: {},
        open: { when: open },
        completed: { when: { status_id: taskStatus.completed } },
        late: { when: { ...open, end_date: { $lt: today } } },
        upcoming: { when: { ...open, end_date: { $gte: today, $lte: weekAhead(context) } } },
        linked: { when: { testcases: { $some: {} } } },
        developers: withLevel(4),
        qa: withLevel(5),
        external: withLevel(6),
        mine: { when: { assigned_to: '$actor.id' } },
      },
    }),
    hoursLogged(context, condition),
    loadGroupOptions(context, registry.getOrThrow('project-status')),
    loadGroupOptions(context, registry.getOrThrow('priorities')),
  ]);
  const tile = (key: string, label: string, figure: keyof (typeof groups)[number]['figures']): Tile => ({
    key,
    label,
    count: sumMeasure(groups, figure),
  });
  const byStatus = chartParts(states, groups);
  const linkedOf = (id: number | null) => sumFor(groups, 'linked', id);
  return {
    tiles: [
      tile('total', 'Total', 'total'),
      tile('open', 'Open', 'open'),
      tile('completed', 'Completed', 'completed'),
      tile('late', 'Late', 'late'),
      tile('upcoming', 'Upcoming', 'upcoming'),
      ...(isLead
        ? [
            tile('with_developers', 'With Developers', 'developers'),
            tile('with_qa', 'With QA', 'qa'),
            tile('with_external_users', 'With External Users', 'external'),
          ]
        : [tile('assigned_to_me', 'Assigned to me', 'mine')]),
    ],
    charts: {
      late_tasks: buildChart(
        { late: 'Late' },
        chartParts(priorities, groups, 1).map(({ id, title }) => [title, sumFor(groups, 'late', undefined, id)]),
      ),
      linked_test_cases: buildChart(
        { with: 'With test cases', without: 'Without' },
        byStatus.map(({ id, title }) => [title, linkedOf(id), sumFor(groups, 'total', id) - linkedOf(id)]),
      ),
      hours_logged: hours,
      task_distribution: buildChart(
        { tasks: 'Tasks' },
        byStatus.map(({ id, title }) => [title, sumFor(groups, 'total', id)]),
      ),
    },
  };
}

/** Hours per project, the most logged first: logged on these tasks, as far as the caller can see, and planned. */
async function hoursLogged(context: RequestContext, tasks: Predicate): Promise<Chart> {
  const { registry, actor } = context;
  const noGroups: readonly { keys: readonly unknown[]; figures: { minutes: number } }[] = [];
  const [plannedGroups, loggedGroups] = await Promise.all([
    loadMeasures(context, registry.getOrThrow('tasks'), {
      groupBy: ['project_id'],
      condition: tasks,
      figures: { hours: { sum: 'estimated_hours' } },
    }),
    isGranted(actor, 'time-logs', 'list')
      ? loadMeasures(context, registry.getOrThrow('time-logs'), {
          groupBy: ['task_id.project_id'],
          condition: { kind: 'some', field: 'task_id', of: tasks },
          figures: { minutes: { sum: 'total_duration' } },
        })
      : noGroups,
  ]);
  const hours = new Map<number, { logged: number; estimated: number }>();
  for (const { keys, figures } of plannedGroups) {
    hours.set(keys[0] as number, { logged: 0, estimated: roundHours(figures.hours) });
  }
  for (const { keys, figures } of loggedGroups) {
    const id = keys[0] as number;
    hours.set(id, { estimated: hours.get(id)?.estimated ?? 0, logged: roundHours(figures.minutes / 60) });
  }
  const projectHours = [...hours].filter(([, hoursEntry]) => hoursEntry.logged > 0 || hoursEntry.estimated > 0);
  const projects = await loadGroupOptions(
    context,
    registry.getOrThrow('projects'),
    projectHours.map(([id]) => id),
  );
  const titles = new Map(projects.map(({ id, title }) => [id, title]));
  projectHours.sort(([, left], [, right]) => right.logged - left.logged || right.estimated - left.estimated);
  return buildChart(
    { logged: 'Logged', estimated: 'Estimated' },
    projectHours.map(([id, hoursEntry]) => [titles.get(id) ?? 'None', hoursEntry.logged, hoursEntry.estimated]),
  );
}

const roundHours = (hours: number) => Math.round(hours * 100) / 100;

import { Level } from '../../engine/definitions/level';
import { isGranted } from '../../engine/access/access-decision';
import { loadMeasures, sumMeasure, type Measure } from '../../server/aggregates/measures';
import { loadGroupOptions } from '../../server/aggregates/group-options';
import type { RequestContext } from '../../server/access/request-context';
import { recentSince, weekAhead } from './days';
import { sumFor, chartParts } from './chart-parts';
import { activeProject, result, taskStatus, testCaseStatus } from './status-ids';

type Block = Readonly<Record<string, unknown>>;

/**
 * Blocks that depend on the level: project deadlines for 2 and 3; own work for all but level 1; created and completed
 * work for levels below the owner.
 */
const visibleBlocks = {
  projectDeadlines: (level: number) => level === Level.Owner || level === Level.Manager,
  own: (level: number) => level > Level.Installation,
  made: (level: number) => level > Level.Owner,
};

/**
 * `GET dashboard`: counts of the last seven days, each block for users who can list its records. One statement per
 * block.
 */
export async function loadDashboard(context: RequestContext): Promise<Block> {
  const canList = (name: string) => isGranted(context.actor, name, 'list');
  const [projects, testCases, tasks, tests] = await Promise.all([
    canList('projects') ? projectBlock(context) : undefined,
    canList('test-cases') ? testCaseBlock(context) : undefined,
    canList('tasks') ? taskBlock(context) : undefined,
    canList('run-entries') ? ownTests(context) : undefined,
  ]);
  const workload = {
    ...(tasks && { open_tasks: tasks.open }),
    ...(testCases && { open_test_cases: testCases.open }),
  };
  return {
    ...(projects && { projects }),
    ...(testCases && { test_cases: testCases.block }),
    ...(tasks && { tasks: tasks.block }),
    ...(Object.keys(workload).length > 0 && { workload }),
    ...(tests && { tests }),
  };
}

async function projectBlock(context: RequestContext): Promise<Block> {
  const { registry, actor } = context;
  const active = { project_status_id: { $in: activeProject } };
  const [groups, states] = await Promise.all([
    loadMeasures(context, registry.getOrThrow('projects'), {
      groupBy: ['project_status_id'],
      figures: {
        count: {},
        active: { when: active },
        updated: { when: { updated_at: { $gte: recentSince(context) } } },
        upcoming: { when: { ...active, end_date: { $gte: context.today, $lte: weekAhead(context) } } },
      },
    }),
    loadGroupOptions(context, registry.getOrThrow('project-status')),
  ]);
  return {
    active: sumMeasure(groups, 'active'),
    recently_updated: sumMeasure(groups, 'updated'),
    ...(visibleBlocks.projectDeadlines(actor.level) && { upcoming_deadlines: sumMeasure(groups, 'upcoming') }),
    by_status: chartParts(states, groups).map(({ id, title }) => ({
      id,
      option_name: title,
      count: sumFor(groups, 'count', id),
    })),
  };
}

async function testCaseBlock(context: RequestContext): Promise<{ block: Block; open: number }> {
  const { registry, actor } = context;
  const recentStart = recentSince(context);
  const { closed: closedStatus } = testCaseStatus;
  const figures = {
    count: {},
    open: { when: { status_id: { $ne: closedStatus } } },
    passed: { when: { result_id: result.passed } },
    failed: { when: { result_id: result.failed } },
    ...workFigures(recentStart, closedStatus),
  };
  const [groups, priorities] = await Promise.all([
    loadMeasures(context, registry.getOrThrow('test-cases'), { groupBy: ['priority_id'], figures }),
    loadGroupOptions(context, registry.getOrThrow('priorities')),
  ]);
  const block = {
    total: sumMeasure(groups, 'count'),
    passed: sumMeasure(groups, 'passed'),
    failed: sumMeasure(groups, 'failed'),
    recently_updated: sumMeasure(groups, 'updated'),
    ...(visibleBlocks.own(actor.level) && { assigned_to_me: sumMeasure(groups, 'mine') }),
    ...(visibleBlocks.made(actor.level) && {
      recently_created: sumMeasure(groups, 'created'),
      recently_completed: sumMeasure(groups, 'completed'),
    }),
    by_priority: chartParts(priorities, groups).map(({ id, title }) => ({
      id,
      option_name: title,
      passed: sumFor(groups, 'passed', id),
      failed: sumFor(groups, 'failed', id),
    })),
  };
  return { block, open: sumMeasure(groups, 'open') };
}

async function taskBlock(context: RequestContext): Promise<{ block: Block; open: number }> {
  const { registry, actor, today } = context;
  const open = { status_id: { $in: taskStatus.open } };
  const figures = {
    count: {},
    open: { when: open },
    done: { when: { status_id: taskStatus.completed } },
    upcoming: { when: { ...open, end_date: { $gte: today } } },
    ...workFigures(recentSince(context), taskStatus.completed),
  };
  const [groups, states, priorities] = await Promise.all([
    loadMeasures(context, registry.getOrThrow('tasks'), { groupBy: ['status_id', 'priority_id'], figures }),
    loadGroupOptions(context, registry.getOrThrow('project-status')),
    loadGroupOptions(context, registry.getOrThrow('priorities')),
  ]);
  const visibleParts = chartParts(priorities, groups, 1);
  const block = {
    open: sumMeasure(groups, 'open'),
    completed: sumMeasure(groups, 'done'),
    recently_updated: sumMeasure(groups, 'updated'),
    upcoming_deadlines: sumMeasure(groups, 'upcoming'),
    ...(visibleBlocks.own(actor.level) && { assigned_to_me: sumMeasure(groups, 'mine') }),
    ...(visibleBlocks.made(actor.level) && {
      recently_created: sumMeasure(groups, 'created'),
      recently_completed: sumMeasure(groups, 'completed'),
    }),
    by_status: chartParts(states, groups).map((status) => ({
      id: status.id,
      option_name: status.title,
      priorities: visibleParts.map(({ id, title }) => ({
        id,
        option_name: title,
        count: sumFor(groups, 'count', status.id, id),
      })),
    })),
  };
  return { block, open: sumMeasure(groups, 'open') };
}

/** The tests of open runs that are assigned to the caller. */
async function ownTests(context: RequestContext): Promise<Block> {
  const { registry, today } = context;
  const ownEntries = { assigned_to: '$actor.id', run_id: { $some: { state: ['planned', 'open'] } } };
  const groups = await loadMeasures(context, registry.getOrThrow('run-entries'), {
    figures: {
      open: { when: { ...ownEntries, result: 'not_run' } },
      due: {
        when: {
          ...ownEntries,
          result: 'not_run',
          run_id: { $some: { state: ['planned', 'open'], due_on: { $lte: today } } },
        },
      },
      failed: { when: { ...ownEntries, result: { $in: ['failed', 'broken'] } } },
    },
  });
  return {
    open: sumMeasure(groups, 'open'),
    due: sumMeasure(groups, 'due'),
    failed: sumMeasure(groups, 'failed'),
  };
}

/** Figures common to tasks and test cases. */
function workFigures(recentStart: string, doneStatus: number) {
  return {
    updated: { when: { updated_at: { $gte: recentStart } } },
    mine: { when: { assigned_to: '$actor.id' } },
    created: { when: { created_at: { $gte: recentStart } } },
    completed: {
      when: { status_id: doneStatus },
      changedTo: { field: 'status_id', value: doneStatus, since: recentStart },
    },
  } satisfies Record<string, Measure>;
}

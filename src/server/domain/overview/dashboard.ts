import { isGranted } from '../../../engine/access/decide';
import { figuresOf, summed, type Figure } from '../../aggregates/figures';
import { optionsOf } from '../../aggregates/options';
import type { RequestContext } from '../../access/request-context';
import { recently, weekAhead } from './days';
import { figureOf, partsOf } from './divided';
import { activeProject, result, taskStatus, testCaseStatus } from './states';

type Block = Readonly<Record<string, unknown>>;

/**
 * Blocks that depend on the level: project deadlines for 2 and 3; own work for all but level 1; created and completed
 * work for levels below the owner.
 */
const sees = {
  projectDeadlines: (level: number) => level === 2 || level === 3,
  own: (level: number) => level > 1,
  made: (level: number) => level > 2,
};

/**
 * `GET dashboard`: counts of the last seven days, each block for users who can list its records. One statement per
 * block.
 */
export async function dashboardOf(context: RequestContext): Promise<Block> {
  const may = (name: string) => isGranted(context.actor, name, 'list');
  const [projects, testCases, tasks] = await Promise.all([
    may('projects') ? projectsOf(context) : undefined,
    may('test-cases') ? testCasesOf(context) : undefined,
    may('tasks') ? tasksOf(context) : undefined,
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
  };
}

async function projectsOf(context: RequestContext): Promise<Block> {
  const { registry, actor } = context;
  const active = { project_status_id: { $in: activeProject } };
  const [groups, states] = await Promise.all([
    figuresOf(context, registry.need('projects'), {
      by: ['project_status_id'],
      figures: {
        count: {},
        active: { when: active },
        updated: { when: { updated_at: { $gte: recently(context) } } },
        upcoming: { when: { ...active, end_date: { $gte: context.today, $lte: weekAhead(context) } } },
      },
    }),
    optionsOf(context, registry.need('project-status')),
  ]);
  return {
    active: summed(groups, 'active'),
    recently_updated: summed(groups, 'updated'),
    ...(sees.projectDeadlines(actor.level) && { upcoming_deadlines: summed(groups, 'upcoming') }),
    by_status: partsOf(states, groups).map(({ id, title }) => ({
      id,
      option_name: title,
      count: figureOf(groups, 'count', id),
    })),
  };
}

async function testCasesOf(context: RequestContext): Promise<{ block: Block; open: number }> {
  const { registry, actor } = context;
  const since = recently(context);
  const { closed } = testCaseStatus;
  const figures = {
    count: {},
    open: { when: { status_id: { $ne: closed } } },
    passed: { when: { result_id: result.passed } },
    failed: { when: { result_id: result.failed } },
    ...workFigures(since, closed),
  };
  const [groups, priorities] = await Promise.all([
    figuresOf(context, registry.need('test-cases'), { by: ['priority_id'], figures }),
    optionsOf(context, registry.need('priorities')),
  ]);
  const block = {
    total: summed(groups, 'count'),
    passed: summed(groups, 'passed'),
    failed: summed(groups, 'failed'),
    recently_updated: summed(groups, 'updated'),
    ...(sees.own(actor.level) && { assigned_to_me: summed(groups, 'mine') }),
    ...(sees.made(actor.level) && {
      recently_created: summed(groups, 'created'),
      recently_completed: summed(groups, 'completed'),
    }),
    by_priority: partsOf(priorities, groups).map(({ id, title }) => ({
      id,
      option_name: title,
      passed: figureOf(groups, 'passed', id),
      failed: figureOf(groups, 'failed', id),
    })),
  };
  return { block, open: summed(groups, 'open') };
}

async function tasksOf(context: RequestContext): Promise<{ block: Block; open: number }> {
  const { registry, actor, today } = context;
  const open = { status_id: { $in: taskStatus.open } };
  const figures = {
    count: {},
    open: { when: open },
    done: { when: { status_id: taskStatus.completed } },
    upcoming: { when: { ...open, end_date: { $gte: today } } },
    ...workFigures(recently(context), taskStatus.completed),
  };
  const [groups, states, priorities] = await Promise.all([
    figuresOf(context, registry.need('tasks'), { by: ['status_id', 'priority_id'], figures }),
    optionsOf(context, registry.need('project-status')),
    optionsOf(context, registry.need('priorities')),
  ]);
  const shown = partsOf(priorities, groups, 1);
  const block = {
    open: summed(groups, 'open'),
    completed: summed(groups, 'done'),
    recently_updated: summed(groups, 'updated'),
    upcoming_deadlines: summed(groups, 'upcoming'),
    ...(sees.own(actor.level) && { assigned_to_me: summed(groups, 'mine') }),
    ...(sees.made(actor.level) && {
      recently_created: summed(groups, 'created'),
      recently_completed: summed(groups, 'completed'),
    }),
    by_status: partsOf(states, groups).map((status) => ({
      id: status.id,
      option_name: status.title,
      priorities: shown.map(({ id, title }) => ({
        id,
        option_name: title,
        count: figureOf(groups, 'count', status.id, id),
      })),
    })),
  };
  return { block, open: summed(groups, 'open') };
}

/** Figures common to tasks and test cases. */
function workFigures(since: string, done: number) {
  return {
    updated: { when: { updated_at: { $gte: since } } },
    mine: { when: { assigned_to: '$actor.id' } },
    created: { when: { created_at: { $gte: since } } },
    completed: { when: { status_id: done }, became: { field: 'status_id', value: done, since } },
  } satisfies Record<string, Figure>;
}

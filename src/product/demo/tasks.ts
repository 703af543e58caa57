import type { ResourceRecord } from '../../engine/definitions/definition';
import { insertRows, nextIds } from '../../server/accounts/insert-rows';
import { clients, harbourClients } from './clients';
import { stamps, type DemoCompany } from './people';
import { taskQuestions, taskComments } from './comments';
import { finalState, storeTimelines, type RecordStep, type RecordTimeline } from './timelines';
import { taskTemplates, type TaskTemplate } from './task-templates';
import type { DemoLoader, StoredModule, StoredProject } from './loader';
import { firstOf, itemAt, propertyOf, requireValue } from '../../engine/values/lookups';

/** How many tasks a project has, by its code. */
const taskCounts: Readonly<Record<string, number>> = {
  STP: 18,
  DRV: 14,
  CDA: 6,
  PAT: 18,
  WTB: 7,
  OAO: 16,
  BTD: 7,
  DWM: 5,
  SMG: 12,
  TRF: 6,
  SQU: 4,
  CSS: 7,
  FBK: 3,
  BPS: 1,
};

/** When open tasks of a project in progress end, in days from today: some are late, some due this week. */
const endOffsets = [-6, 3, 12, -2, 0, 19, 5, 9, 1, 27, 6] as const;
/** The statuses of tasks of a project in progress, in turns. */
const statusCycle = [2, 3, 1, 3, 2, 1, 3, 2, 3, 1, 4, 2, 3] as const;
const priorities = [3, 2, 3, 4, 1, 3, 2, 3, 4, 2] as const;
const milestones = ['Release 2.4', 'Sprint 18', null, 'Release 2.5', 'Sprint 19', null] as const;

/** A stored task, with what test cases and time logs need. */
export interface StoredTask {
  readonly id: number;
  readonly project: StoredProject;
  readonly module: number;
  readonly assignee: number;
  /** Days from today when it starts. */
  readonly start: number;
  readonly status: number;
}

interface PlannedTask {
  readonly project: StoredProject;
  readonly story: TaskTemplate;
  readonly module: StoredModule;
  readonly sub: StoredModule | undefined;
  readonly status: number;
  readonly start: number;
  readonly end: number;
}

/** Stores a company's tasks with their comments and the history of their statuses. */
export async function storeTasks(
  loading: DemoLoader,
  company: DemoCompany,
  projects: readonly StoredProject[],
  modules: readonly StoredModule[],
): Promise<StoredTask[]> {
  const { trx, registry, calendar, chance } = loading;
  const definition = registry.getOrThrow('tasks');
  const plans = projects.flatMap((project, index) => planTasks(loading, project, modules, index));
  const ids = await nextIds(trx, definition, plans.length);
  const timelines: RecordTimeline[] = [];
  const storedTasks: StoredTask[] = [];
  const rows = plans.map((plan, index): ResourceRecord => {
    const { project, story, module, sub, start, end } = plan;
    const id = itemAt(ids, index);
    const assignee = memberFor(company, project, story.who);
    const maker = chance.whole(1, 4) === 1 ? assignee : (company.people.manager ?? company.owner);
    const created = { at: calendar.at(Math.min(start - 3, -1), 8 + (index % 8), (index * 17) % 60), by: maker };
    const steps = taskSteps(loading, plan, assignee, maker);
    const timeline: RecordTimeline = { id, site_id: company.site, status: 1, assignee, steps };
    const last = finalState(loading, timeline, created);
    timelines.push(timeline);
    storedTasks.push({ id, project, module: module.id, assignee, start, status: last.status });
    return {
      id,
      name: fillPlaceholders(story.name, plan),
      description: `<p>${fillPlaceholders(story.why, plan)}</p><ul>${story.steps.map((step) => `<li><p>${fillPlaceholders(step, plan)}</p></li>`).join('')}</ul>`,
      project_id: project.id,
      project_module_id: module.id,
      project_sub_module_id: sub?.id ?? null,
      milestone: milestones[index % milestones.length],
      start_date: calendar.day(start),
      end_date: calendar.day(end),
      estimated_hours: chance.whole(2, 32) / 2,
      status_id: last.status,
      assigned_to: last.assignee,
      priority_id: priorities[index % priorities.length],
      site_id: company.site,
      ...stamps(created.at, created.by),
      updated_at: last.at,
      updated_by: last.by,
    };
  });
  await insertRows(trx, definition, rows);
  await storeTimelines(loading, timelines, {
    resource: definition.name,
    comments: 'task-comments',
    relation: 'task_id',
  });
  return storedTasks;
}

/** The tasks of a project: no task of a module twice, and at least two for an external user if the project has one. */
function planTasks(
  { chance }: DemoLoader,
  project: StoredProject,
  modules: readonly StoredModule[],
  turn: number,
): PlannedTask[] {
  const { told: projectFacts } = project;
  const ownModules = modules.filter((module) => module.project === project.id);
  const tops = ownModules.filter(({ parent }) => parent === null);
  const hasOutsider = projectFacts.members.includes('external');
  const stories = taskTemplates.filter(({ who: role }) => role !== 'external' || hasOutsider);
  return Array.from({ length: taskCounts[projectFacts.code] ?? 0 }, (_, index) => {
    const story = itemAt(stories, (index + turn * 5) % stories.length);
    const module = itemAt(tops, (index + Math.floor(index / stories.length)) % tops.length);
    const childModules = ownModules.filter(({ parent }) => parent === module.id);
    const sub = story.name.includes('{sub}') ? childModules[index % childModules.length] : undefined;
    const status =
      projectFacts.status === 2
        ? itemAt(statusCycle, (index + turn) % statusCycle.length)
        : finalStatus(projectFacts.status, index);
    return { project, story, module, sub, status, ...taskDays(chance, project, status, index + turn) };
  });
}

function finalStatus(projectStatus: number, index: number): number {
  if (projectStatus === 1) return 1;
  return index % (projectStatus === 4 ? 2 : 6) === 1 ? 4 : 3;
}

function taskDays(chance: DemoLoader['chance'], { told: projectFacts }: StoredProject, status: number, index: number) {
  const length = chance.whole(2, 9);
  if (projectFacts.status === 1) {
    const start = Math.max(projectFacts.start, 1) + chance.whole(0, 20);
    return { start, end: start + length };
  }
  if (status <= 2) {
    const end = itemAt(endOffsets, index % endOffsets.length);
    const start = Math.min(end - length, status === 2 ? -1 : end - 2);
    return { start, end };
  }
  const last = Math.min(projectFacts.end ?? -2, -2);
  const first = Math.max(projectFacts.start + 10, projectFacts.status === 2 ? -85 : projectFacts.start);
  const end = chance.whole(Math.min(first, last), last);
  return { start: end - length, end };
}

function taskSteps({ chance }: DemoLoader, plan: PlannedTask, assignee: number, maker: number): RecordStep[] {
  const { status, start, end } = plan;
  if (status === 1) return chance.whole(1, 3) === 1 && start < 0 ? [commentStep(chance, maker, -1)] : [];
  const startStep: RecordStep = {
    by: assignee,
    day: Math.min(start, -1),
    hour: 8,
    minute: chance.whole(5, 55),
    status: 2,
    comment: chance.one(propertyOf(taskComments, '2')),
  };
  const middleDay = Math.min(-1, Math.floor((start + Math.min(end, 0)) / 2));
  const talk = chance.whole(1, 2) === 1 ? [commentStep(chance, chance.one([assignee, maker]), middleDay)] : [];
  if (status === 2) return [startStep, ...talk];
  const comment = chance.one(propertyOf(taskComments, String(status)));
  const doneStep: RecordStep = {
    by: status === 4 ? maker : assignee,
    day: end,
    hour: 15,
    minute: chance.whole(5, 55),
    status,
    comment,
  };
  return [startStep, ...talk, doneStep];
}

function commentStep(chance: DemoLoader['chance'], author: number, day: number): RecordStep {
  return { by: author, day, hour: 11, minute: chance.whole(0, 59), comment: chance.one(taskQuestions) };
}

/** A project member for this kind of work. */
function memberFor(company: DemoCompany, { told: { members } }: StoredProject, role: TaskTemplate['who']): number {
  const name = members.includes(role) ? role : members.includes('manager') ? 'manager' : firstOf(members);
  return propertyOf(company.people, name);
}

function fillPlaceholders(text: string, { project, module, sub }: PlannedTask): string {
  const client = requireValue(
    [...clients, ...harbourClients].find(({ code }) => code === project.told.client),
    `the client ${project.told.client}`,
  );
  const part = (sub ?? module).name;
  return text.replaceAll('{sub}', part).replaceAll('{module}', module.name).replaceAll('{client}', client.name);
}

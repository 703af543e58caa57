import type { ResourceRecord } from '../../engine/definitions/definition';
import { insertRows, nextIds } from '../../server/accounts/insert-rows';
import { deviceTestCases } from './device-test-cases';
import { stamps, type DemoCompany } from './people';
import { testCaseQuestions, testCaseComments } from './comments';
import { storeSharedSteps, structuredSteps } from './shared-steps';
import { serviceTestCases } from './service-test-cases';
import { finalState, storeTimelines, type RecordStep, type RecordTimeline } from './timelines';
import type { TestCaseTemplates, TestCaseTemplate } from './test-case-template';
import type { StoredTask } from './tasks';
import { webTestCases } from './web-test-cases';
import type { DemoLoader, StoredModule, StoredProject } from './loader';
import { firstOf, itemAt, propertyOf, requireValue } from '../../engine/values/lookups';

/** How many test cases a project has, by its code. */
const testCaseCounts: Readonly<Record<string, number>> = {
  STP: 24,
  DRV: 16,
  CDA: 6,
  PAT: 24,
  WTB: 9,
  OAO: 22,
  BTD: 8,
  DWM: 4,
  SMG: 12,
  TRF: 7,
  SQU: 4,
  CSS: 14,
  FBK: 5,
  BPS: 1,
};

/** The subject and the users of web projects, by code. */
const subjects: Readonly<Record<string, readonly [thing: string, person: string]>> = {
  STP: ['shipment', 'dispatcher'],
  PAT: ['appointment', 'patient'],
  OAO: ['application', 'applicant'],
  CSS: ['claim', 'policyholder'],
  FBK: ['booking', 'passenger'],
};

/** The sequences of statuses that test cases go through, in turns. */
const statusSequences: readonly (readonly number[])[] = [
  [2, 3, 5],
  [2],
  [2, 3, 4],
  [3, 5],
  [],
  [2, 3],
  [2, 3, 4, 5],
  [2],
  [2, 6],
  [2, 3, 5],
  [3],
  [2, 3, 2],
  [2, 3, 4, 5],
  [],
  [2, 3],
  [2, 3, 2, 3, 5],
  [2],
  [3, 4, 5],
  [2, 3, 4],
];
const priorities = [2, 3, 3, 1, 4, 3, 2, 3, 4, 2, 3, 1] as const;
const types = [1, 1, 2, 1, 3, 5, 1, 4, 6, 2] as const;
const testCaseTemplates: TestCaseTemplates = { ...webTestCases, ...deviceTestCases, ...serviceTestCases };

/** Stores a company's test cases with their comments and the history of their statuses. */
export async function storeTestCases(
  loading: DemoLoader,
  company: DemoCompany,
  projects: readonly StoredProject[],
  modules: readonly StoredModule[],
  tasks: readonly StoredTask[],
): Promise<void> {
  const { trx, registry, calendar, chance } = loading;
  const definition = registry.getOrThrow('test-cases');
  const plans = projects.flatMap((project) => planTestCases(project, modules));
  const ids = await nextIds(trx, definition, plans.length);
  const sharedSteps = await storeSharedSteps(loading, company);
  const timelines: RecordTimeline[] = [];
  const rows = plans.map(({ project, module, sub, story }, index): ResourceRecord => {
    const id = itemAt(ids, index);
    const [title, steps, expectedResult, failing] = story.map((text) =>
      fillPlaceholders(text, project.told.code),
    ) as unknown as TestCaseTemplate;
    const team = teamOf(company, project);
    const author = chance.one([team.qa, team.qa, team.qa, team.manager, team.developer, team.external ?? team.qa]);
    const day =
      project.told.status === 3 || project.told.status === 4
        ? (project.told.end ?? -20) - chance.whole(5, 40)
        : -chance.whole(3, 70);
    const created = { at: calendar.at(day, chance.whole(7, 15), chance.whole(0, 59)), by: author };
    const isOver = project.told.status >= 3;
    const path = isOver ? [2, 3, 5] : itemAt(statusSequences, index % statusSequences.length);
    const timeline: RecordTimeline = {
      id,
      site_id: company.site,
      status: 1,
      assignee: null,
      steps: testCaseSteps(loading, team, path, day),
    };
    const last = finalState(loading, timeline, created);
    timelines.push(timeline);
    const linked = tasks.filter((task) => task.module === module.id);
    const result = resultOf(last.status);
    return {
      id,
      name: title,
      description: `<p>${expectedResult}</p>`,
      project_id: project.id,
      project_module: module.id,
      project_sub_module: sub.id,
      type_id: types[index % types.length],
      task_id: linked.length > 0 && index % 5 < 3 ? chance.one(linked).id : null,
      test_data: index % 3 === 0 ? `Account tester${1 + (index % 10)} of the staging system` : null,
      pre_conditions: `The latest build of ${project.told.name} is on the staging system.`,
      steps_to_reproduce: steps
        .split(';')
        .map((step, position) => `${position + 1}. ${step}`)
        .join('\n'),
      steps: structuredSteps(sharedSteps, project.told.code, index, steps, expectedResult),
      expected_result: expectedResult,
      actual_result: result === 2 ? failing : result === 1 ? 'As expected.' : null,
      action_performed: chance.whole(1, 8),
      device_type: chance.one([1, 2, 2, 3, 4, 4]),
      result_id: result,
      priority_id: priorities[index % priorities.length],
      status_id: last.status,
      assigned_to: last.assignee,
      video_url:
        result === 2 && index % 2 === 0 ? `https://video.demo.test/${project.told.code.toLowerCase()}/${id}` : null,
      site_id: company.site,
      ...stamps(created.at, created.by),
      updated_at: last.at,
      updated_by: last.by,
    };
  });
  await insertRows(trx, definition, rows);
  const names = { resource: definition.name, comments: 'test-case-comments', relation: 'test_case_id' };
  await storeTimelines(loading, timelines, names);
}

/** The stories of a project's parts, the first of each part before the second. */
function planTestCases(project: StoredProject, modules: readonly StoredModule[]) {
  const ownModules = modules.filter((module) => module.project === project.id);
  const parts = ownModules.filter(({ parent }) => parent !== null);
  const placements = [0, 1, 2].flatMap((turn) =>
    parts.flatMap((sub) => {
      const story = testCaseTemplates[sub.name]?.[turn];
      return story
        ? [
            {
              project,
              module: requireValue(
                ownModules.find(({ id }) => id === sub.parent),
                'the module above another',
              ),
              sub,
              story,
            },
          ]
        : [];
    }),
  );
  return placements.slice(0, testCaseCounts[project.told.code] ?? 0);
}

interface Team {
  readonly manager: number;
  readonly developer: number;
  readonly qa: number;
  readonly external?: number;
}

/** The members of a project by role; the manager if a role is missing. */
function teamOf({ people, owner }: DemoCompany, { told: { members } }: StoredProject): Team {
  const manager = people.manager ?? owner;
  const member = (name: string) => (members.includes(name) ? people[name] : undefined);
  const [developer, qa, external] = [member('developer') ?? manager, member('qa') ?? manager, member('external')];
  return { manager, developer, qa, ...(external !== undefined && { external }) };
}

function testCaseSteps({ chance }: DemoLoader, team: Team, path: readonly number[], created: number): RecordStep[] {
  const wait = Math.max(1, Math.floor(-created / (path.length + 1)));
  let previousAuthor = team.qa;
  return path.flatMap((status, index) => {
    const day = Math.min(0, created + 1 + Math.floor(index * Math.min(wait, 6)));
    const assignee = assigneeOf(team, status, chance.whole(1, 4) === 1);
    const step: RecordStep = {
      by: previousAuthor,
      day,
      hour: 8 + 2 * Math.min(index, 3),
      minute: chance.whole(0, 29),
      status,
      assignee,
      comment: chance.one(propertyOf(testCaseComments, String(status))),
    };
    previousAuthor = status === 5 ? team.qa : assignee;
    if (chance.whole(1, 5) > 1) return [step];
    return [
      step,
      { by: previousAuthor, day, hour: step.hour, minute: step.minute + 30, comment: chance.one(testCaseQuestions) },
    ];
  });
}

/** The next assignee of a test case with a status; sometimes an external user accepts it. */
function assigneeOf(team: Team, status: number, accepts: boolean): number {
  if (status === 2) return team.developer;
  if (status === 3 || status === 4) return accepts && team.external !== undefined ? team.external : team.qa;
  return status === 6 ? team.developer : team.qa;
}

function resultOf(status: number): number | null {
  if (status === 2) return 2;
  return status === 4 || status === 5 ? 1 : null;
}

function fillPlaceholders(text: string, code: string): string {
  const [subjectNoun, person] = subjects[code] ?? ['record', 'user'];
  const capital = firstOf(subjectNoun).toUpperCase() + subjectNoun.slice(1);
  return text
    .replaceAll('{things}', `${subjectNoun}s`)
    .replaceAll('{Things}', `${capital}s`)
    .replaceAll('{thing}', subjectNoun)
    .replaceAll('{person}', person);
}

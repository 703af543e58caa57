import { sql } from 'kysely';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { insertRows, nextIds } from '../../server/accounts/insert-rows';
import { identityOf } from '../test-results/reading/parsed-test';
import { pinCases } from '../test-runs/pinned-case';
import { automatedTests, earlierAutomatedTests, type DemoAutomatedTest } from './automated-tests';
import type { DemoLoader, StoredProject } from './loader';
import { stamps, type DemoCompany } from './people';
import { createRandom, type Random } from './random';
import { firstOf, itemAt, propertyOf, requireValue } from '../../engine/values/lookups';

/** Another sequence than that of the other data, which so stays as it is. */
const seed = 20_261_124;
/** The projects whose test cases are run, by code; the tests of the first are automated, too. */
const projectCodes = ['STP', 'PAT', 'OAO'] as const;
/** A project that is finished: its runs and builds are older. */
const finishedProject = 'WTB';
const olderRuns = [-178, -150, -122, -94, -66, -40] as const;
/** The days of the finished runs and of the one in progress. */
const finishedRuns = [-52, -38, -24, -10] as const;
const openRun = -2;

const failures = [
  'The message stays after the problem is solved.',
  'Nothing happens for ten seconds, then an empty page.',
  'The second line is cut on a narrow window.',
  'Shows the value of the record opened before.',
] as const;
const obstacles = ['The staging system is down.', 'Waits for the new certificate.'] as const;

type Result = 'passed' | 'failed' | 'blocked' | 'skipped' | 'flaky' | 'not_run';

interface Loading extends DemoLoader {
  readonly company: DemoCompany;
}

/** Stores what a company plans, runs and requires, and what its builds sent. */
export async function storeTestRuns(
  loader: DemoLoader,
  company: DemoCompany,
  projects: readonly StoredProject[],
): Promise<void> {
  if (company.people.qa === undefined) return;
  const loading: Loading = { ...loader, company, chance: createRandom(seed) };
  const runProjects = projectCodes.flatMap((code) =>
    projects.filter(({ told: projectFacts }) => projectFacts.code === code),
  );
  const configurations = await storeConfigurations(loading);
  for (const project of runProjects) {
    const milestones = await storeMilestones(loading, project);
    await storeManualRuns(loading, project, milestones, configurations);
  }
  const finishedRunProject = projects.find(({ told: projectFacts }) => projectFacts.code === finishedProject);
  if (finishedRunProject) {
    await storeManualRuns(loading, finishedRunProject, [], configurations, olderRuns);
    await storeBuilds(loading, finishedRunProject, earlierAutomatedTests, weeksBetween(-180, -32));
  }
  if (!runProjects[0]) return;
  await storeRequirements(loading, runProjects[0]);
  const { calendar } = loader;
  const { start } = runProjects[0].told;
  const daily = Array.from({ length: 10 }, (_, count) => calendar.workday(10 - count));
  await storeBuilds(loading, runProjects[0], automatedTests, [...weeksBetween(start + 1, -15), ...daily]);
}

/** Stores rows of a resource with the stamps of a day; returns their ids. */
async function store(
  { trx, registry, company }: Loading,
  resource: string,
  rows: readonly (ResourceRecord & { at: string; by?: number | null })[],
): Promise<number[]> {
  const definition = registry.getOrThrow(resource);
  const ids = await nextIds(trx, definition, rows.length);
  const completeRows = rows.map(({ at: time, by: creator = propertyOf(company.people, 'manager'), ...row }, index) => ({
    id: ids[index],
    site_id: company.site,
    ...stamps(time, creator),
    ...row,
  }));
  await insertRows(trx, definition, completeRows);
  return ids;
}

function storeConfigurations(loading: Loading): Promise<number[]> {
  const time = loading.calendar.at(-180, 9, 0);
  return store(loading, 'configurations', [
    { name: 'Chrome, Windows 11', browser: 'Chrome', system: 'Windows 11', at: time },
    { name: 'Safari, iOS 18', browser: 'Safari', system: 'iOS 18', device: 'iPhone', at: time },
    { name: 'Firefox, macOS', browser: 'Firefox', system: 'macOS', at: time },
  ]);
}

/** The milestones of a project: one that is done, the current one, and the next. */
function storeMilestones(loading: Loading, { id, told: projectFacts }: StoredProject): Promise<number[]> {
  const { calendar } = loading;
  const months: readonly (readonly [state: string, start: number, due: number])[] = [
    ['done', -60, -21],
    ['active', -20, 12],
    ['planned', 13, 44],
  ];
  return store(
    loading,
    'milestones',
    months.map(([state, start, dueDay]) => ({
      name: `${projectFacts.code} ${calendar.day(dueDay).slice(0, 7).replace('-', '.')}`,
      project_id: id,
      state,
      starts_on: calendar.day(start),
      due_on: calendar.day(dueDay),
      at: calendar.at(start - 5, 10, 0),
    })),
  );
}

/** Every seventh day from the first to the last one. */
const weeksBetween = (first: number, last: number): number[] =>
  Array.from({ length: Math.floor((last - first) / 7) + 1 }, (_, week) => first + week * 7);

interface StoredCase {
  readonly id: number;
  readonly created_at: string;
}

async function storeManualRuns(
  loading: Loading,
  { id: project_id, told: projectFacts }: StoredProject,
  [doneMilestone, active]: readonly number[],
  configurations: readonly number[],
  days: readonly number[] = [...finishedRuns, openRun],
): Promise<void> {
  const { trx, calendar, company, chance, registry } = loading;
  const { rows: cases } = await sql<StoredCase>`select t.id, t.created_at from public.test_cases t
    where t.project_id = ${project_id} order by t.id`.execute(trx);
  const testers = [
    propertyOf(company.people, 'qa'),
    propertyOf(company.people, 'developer'),
    propertyOf(company.people, 'qa'),
    propertyOf(company.people, 'manager'),
  ];
  for (const [index, day] of days.entries()) {
    const startTime = calendar.at(day, 8, 30);
    const existingCases = cases.filter(({ created_at }) => new Date(created_at).toISOString() < startTime);
    if (existingCases.length < 3) continue;
    const isOpen = day === openRun;
    const closingTime = isOpen ? null : calendar.at(day + 4, 15, 0);
    const [run] = await store(loading, 'test-runs', [
      {
        name: isOpen ? `${projectFacts.name}: release check` : `${projectFacts.name}: regression ${index + 1}`,
        project_id,
        milestone_id: day < -20 ? doneMilestone : active,
        state: isOpen ? 'open' : 'closed',
        owner_id: company.people.qa,
        starts_on: calendar.day(day),
        due_on: calendar.day(day + 5),
        source: 'people',
        closed_at: closingTime,
        at: startTime,
        ...(closingTime !== null && { updated_at: closingTime }),
      },
    ]);
    const pinnedCases = await pinCases(
      registry,
      existingCases.map((testCase) => testCase.id),
      trx,
    );
    const results = pinnedCases.map((_, position): Result => {
      if (isOpen && position % 9 > 3) return 'not_run';
      return chance.one<Result>([...Array<Result>(15).fill('passed'), 'failed', 'failed', 'blocked', 'skipped']);
    });
    const rows = pinnedCases.map((pinnedCase, position) => {
      const tester = itemAt(testers, position % testers.length);
      const result = itemAt(results, position);
      const run_at = calendar.at(day + (isOpen ? 1 : position % 4), 9 + (position % 6), (position * 7) % 60);
      return {
        run_id: run,
        name: pinnedCase.name,
        test_case_id: pinnedCase.id,
        configuration_id: configurations[index % configurations.length],
        assigned_to: tester,
        position: position + 1,
        pinned: pinnedCase.content,
        pinned_at: startTime,
        result,
        ...(result !== 'not_run' && {
          run_at,
          run_by: tester,
          elapsed_seconds: chance.whole(20, 400),
          comment: commentOn(result, chance),
          updated_at: run_at,
        }),
        at: startTime,
      };
    });
    const entries = await store(loading, 'run-entries', rows);
    const attempts = rows.flatMap(({ result, comment, elapsed_seconds, run_at, run_by }, position) =>
      result === 'not_run' || run_at === undefined
        ? []
        : [
            {
              entry_id: entries[position],
              result,
              source: 'people',
              comment,
              elapsed_seconds,
              started_at: null,
              at: run_at,
              by: run_by,
            },
          ],
    );
    await store(loading, 'attempts', attempts);
  }
}

function commentOn(result: Result, chance: Random): string | null {
  if (result === 'failed') return chance.one(failures);
  return result === 'blocked' ? chance.one(obstacles) : null;
}

/** Requirements of a project; the last two have no test case yet. */
async function storeRequirements(loading: Loading, { id: project_id }: StoredProject): Promise<void> {
  const { trx, calendar, chance } = loading;
  const { rows: cases } = await sql<{ id: number }>`select t.id from public.test_cases t
    where t.project_id = ${project_id} order by t.id`.execute(trx);
  const names = [
    'Whoever signs in is who they say',
    'A shipment is found by any of its numbers',
    'The position of a shipment is at most a minute old',
    'Labels can be printed in every depot',
    'Invoices can be corrected',
    'Works without a mouse',
  ];
  await store(
    loading,
    'requirements',
    names.map((name, index) => ({
      name,
      project_id,
      priority_id: (index % 3) + 1,
      test_case_ids:
        index < 4
          ? chance.some(
              cases.map(({ id }) => id),
              3 + index,
            )
          : [],
      at: calendar.at(-110 + index, 11, 0),
    })),
  );
}

/** The builds of a project on these days, and what became of its tests. */
async function storeBuilds(
  loading: Loading,
  { id: project_id, told: projectFacts }: StoredProject,
  demoTests: readonly DemoAutomatedTest[],
  days: readonly number[],
): Promise<void> {
  const { calendar, company, trx } = loading;
  const developer = propertyOf(company.people, 'developer');
  const { rows: cases } = await sql<{ id: number }>`select t.id from public.test_cases t
    where t.project_id = ${project_id} order by t.id limit 4`.execute(trx);
  const tests = await store(
    loading,
    'automated-tests',
    demoTests.map((test, index) => ({
      name: test.name,
      project_id,
      file: test.file,
      suite: test.suite,
      identity: identityOf({ ...test, path: null, parameters: null, explicit_id: null }),
      owner_id: developer,
      // The first tests cover the first test cases.
      test_case_id: cases[index]?.id ?? null,
      quarantined_until: test.quarantined ? calendar.day(test.quarantined.days) : null,
      quarantine_reason: test.quarantined?.reason ?? null,
      at: calendar.at(Math.max(firstOf(days), -(test.from ?? Infinity)), 6, 0),
      by: developer,
    })),
  );
  for (const [index, day] of days.entries()) {
    await storeBuild(loading, { project_id, code: projectFacts.code.toLowerCase(), demoTests, tests }, day, index);
  }
  await sql`update public.automated_tests a set last_result = e.result, last_run_at = e.run_at
    from (select distinct on (automated_test_id) automated_test_id as id, result, run_at from public.run_entries
      where automated_test_id = any(${tests}::bigint[]) order by automated_test_id, run_at desc) e
    where e.id = a.id`.execute(trx);
  await storeProposals(loading, project_id, demoTests, tests);
}

/** The proposals to merge the tests that were renamed. */
async function storeProposals(
  loading: Loading,
  project_id: number,
  demoTests: readonly DemoAutomatedTest[],
  tests: readonly number[],
): Promise<void> {
  const rows = demoTests.flatMap((test, position) => {
    const earlierIndex = demoTests.findIndex(({ name }) => name === test.renamed?.name);
    if (!test.renamed || earlierIndex < 0) return [];
    return [
      {
        project_id,
        earlier_id: tests[earlierIndex],
        test_id: tests[position],
        earlier_name: test.renamed.name,
        earlier_suite: itemAt(demoTests, earlierIndex).suite,
        earlier_file: itemAt(demoTests, earlierIndex).file,
        name: test.name,
        suite: test.suite,
        file: test.file,
        similarity: test.renamed.similarity,
        state: 'open',
        at: loading.calendar.at(-requireValue(test.from, `the first day of ${test.name}`), 6, 0),
        by: propertyOf(loading.company.people, 'developer'),
      },
    ];
  });
  if (rows.length > 0) await store(loading, 'match-proposals', rows);
}

interface BuiltProject {
  readonly project_id: number;
  readonly code: string;
  readonly demoTests: readonly DemoAutomatedTest[];
  /** The ids of the tests, in the order of what is told of them. */
  readonly tests: readonly number[];
}

async function storeBuild(
  loading: Loading,
  { project_id, code, demoTests, tests }: BuiltProject,
  day: number,
  index: number,
): Promise<void> {
  const { calendar, chance, company } = loading;
  const developer = propertyOf(company.people, 'developer');
  const time = calendar.at(day, 5, 12);
  const build = 1140 + index * 3;
  const activeTests = demoTests.flatMap((test, position) => {
    const age = -day;
    return age <= (test.from ?? Infinity) && age > (test.until ?? -1) ? [{ test, id: itemAt(tests, position) }] : [];
  });
  const [run] = await store(loading, 'test-runs', [
    {
      name: 'Automated tests on main',
      project_id,
      state: 'closed',
      source: 'machines',
      branch: 'main',
      commit: Array.from({ length: 10 }, () => chance.whole(0, 15).toString(16)).join(''),
      build_url: `https://ci.demo.test/${code}/builds/${build}`,
      run_key: `build-${build}`,
      closed_at: time,
      owner_id: null,
      at: time,
      by: developer,
    },
  ]);
  const rows = activeTests.map(({ test, id }, position) => ({
    run_id: run,
    name: test.name,
    automated_test_id: id,
    position: position + 1,
    result: resultOfBuild(test, day, chance),
    elapsed_seconds: Math.round(test.seconds * chance.whole(85, 130)) / 100,
    run_at: time,
    at: time,
    by: developer,
  }));
  const entries = await store(loading, 'run-entries', rows);
  const attempts = rows.flatMap(({ result, elapsed_seconds }, position) => {
    const attempt = {
      entry_id: entries[position],
      source: 'machines',
      elapsed_seconds,
      started_at: time,
      at: time,
      by: developer,
    };
    const { broken: breakage } = itemAt(activeTests, position).test;
    if (result === 'failed') return [{ ...attempt, result, message: breakage?.message }];
    if (result === 'passed') return [{ ...attempt, result }];
    const message = 'Timed out 5000ms waiting for expect(locator).toBeVisible()';
    return [
      { ...attempt, result: 'failed', message },
      { ...attempt, result: 'passed' },
    ];
  });
  await store(loading, 'attempts', attempts);
}

function resultOfBuild({ flaky = 0, broken: breakage }: DemoAutomatedTest, day: number, chance: Random): Result {
  const lot = chance.whole(1, 100);
  if (breakage && -day <= breakage.since) return 'failed';
  return lot <= flaky ? 'flaky' : 'passed';
}

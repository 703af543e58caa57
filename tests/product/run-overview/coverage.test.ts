import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWork, type Account, type Row, type Work } from '../work';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

interface Requirement {
  id: number;
  name: string;
  cases: number;
  counts: Record<string, number>;
  is_gap: boolean;
  cells: Record<string, Record<string, number>>;
}
interface Coverage {
  day: string;
  columns: { id: number; label: string }[];
  requirements: Requirement[];
}
type One<T> = { data: T; message?: string };

let made = 0;
const makeCase = () => work.make('owner', 'test-cases', { name: `Covering ${++made}`, project_id: work.open });
const makeRequirement = (cases: readonly Row[]) =>
  work.make('owner', 'requirements', {
    name: `Requirement ${++made}`,
    project_id: work.open,
    test_case_ids: cases.map(({ id }) => id),
  });
const coverageOf = async (query: string, by: Account = 'qa') =>
  work.as[by]<One<Coverage>>('GET', `/requirement-coverage?project_id=${work.open}${query}`);
const found = async (id: number, query = '') =>
  (await coverageOf(query)).body.data.requirements.find((one) => one.id === id)!;

async function runOf(cases: readonly Row[], configurations: readonly Row[] = []): Promise<Row[]> {
  const run = await work.make('qa', 'test-runs', { name: `Covering run ${++made}`, project_id: work.open });
  const body = { test_cases: cases.map(({ id }) => id), configurations: configurations.map(({ id }) => id) };
  expect((await work.as.qa('POST', `/test-runs/${run.id}/tests`, body)).status).toBe(200);
  const path = `/run-entries?run_id=${run.id}&sort_by=position&range=[0,99]`;
  return (await work.as.qa<{ data: Row[] }>('GET', path)).body.data;
}
const record = (entry: Row, result: string) =>
  work.as.qa('PUT', `/run-entries/${entry.id}/result`, { result, comment: `It ${result}` });

test('gaps come first: what no test case shows, and what was never run', async () => {
  const cases = [await makeCase(), await makeCase()];
  const bare = await makeRequirement([]);
  const untested = await makeRequirement(cases);
  await runOf(cases);
  const tested = await makeRequirement([cases[0]!]);
  expect(await found(untested.id)).toMatchObject({ cases: 2, is_gap: true, counts: { not_run: 2 } });
  const [entry] = await runOf([cases[0]!]);
  await record(entry!, 'passed');
  const { body } = await coverageOf('');
  const gaps = body.data.requirements.map(({ is_gap }) => is_gap);
  expect(gaps).toEqual([...gaps].sort((one, other) => Number(other) - Number(one)));
  expect(await found(bare.id)).toMatchObject({ cases: 0, is_gap: true, cells: {} });
  expect(await found(untested.id)).toMatchObject({ is_gap: false, counts: { passed: 1, not_run: 1 } });
  expect(await found(tested.id)).toMatchObject({ is_gap: false, counts: { passed: 1, not_run: 0 } });
});

test('by run, by configuration, and the worst of several configurations', async () => {
  const configurations = [
    await work.make('qa', 'configurations', { name: `Wide ${++made}` }),
    await work.make('qa', 'configurations', { name: `Small ${++made}` }),
  ];
  const cases = [await makeCase(), await makeCase()];
  const { id } = await makeRequirement(cases);
  const first = await runOf(cases);
  await record(first[0]!, 'failed');
  const entries = await runOf(cases, configurations);
  await record(entries[0]!, 'passed');
  await record(entries[1]!, 'failed');
  await record(entries[2]!, 'passed');
  const [firstRun, secondRun] = [first[0]!.run.id as number, entries[0]!.run.id as number];
  const byRun = await found(id, '&by=run');
  expect(byRun.cells).toMatchObject({
    [firstRun]: { failed: 1, not_run: 1, passed: 0 },
    // Of a case on two configurations the worst result counts; not run is worse than passed.
    [secondRun]: { failed: 1, not_run: 1, passed: 0 },
  });
  const byConfiguration = await found(id, '&by=configuration');
  expect(byConfiguration.cells).toMatchObject({
    [configurations[0]!.id]: { passed: 2 },
    [configurations[1]!.id]: { failed: 1, passed: 0 },
    0: { failed: 1 },
  });
  expect(await found(id, '&by=state')).toMatchObject({ cells: {}, counts: { failed: 1, passed: 1 } });
  const cell = await work.as.qa<One<Row[]>>('GET', `/requirement-coverage/${id}?run_id=${secondRun}`);
  expect(cell.body.data, JSON.stringify(cell.body)).toMatchObject([
    { test_case_id: cases[0]!.id, result: 'failed', run_id: secondRun, entry_id: entries[1]!.id },
    { test_case_id: cases[1]!.id, result: 'not_run' },
  ]);
  const small = await work.as.qa<One<Row[]>>(
    'GET',
    `/requirement-coverage/${id}?configuration_id=${configurations[0]!.id}`,
  );
  expect(small.body.data).toMatchObject([{ result: 'passed' }, { result: 'passed' }]);
});

test('a requirement that fails has its failure among the columns, however many runs came after it', async () => {
  const [failing, other] = [await makeCase(), await makeCase()];
  const { id } = await makeRequirement([failing]);
  await makeRequirement([other]);
  const [entry] = await runOf([failing]);
  await record(entry!, 'failed');
  for (let index = 0; index < 6; index++) await record((await runOf([other]))[0]!, 'passed');
  const { columns } = (await coverageOf('&by=run')).body.data;
  expect(columns.map((column) => column.id)).toContain(entry!.run.id);
  expect(columns.map((column) => column.id)).toEqual(columns.map((column) => column.id).toSorted((a, b) => a - b));
  expect(columns.length).toBeLessThanOrEqual(10);
  expect((await found(id)).cells).toMatchObject({ [entry!.run.id as number]: { failed: 1 } });
});

test('as of a day: the results of then, recounted from attempts', async () => {
  const { kysely } = work.program.program.database;
  const requirements = (await coverageOf('&by=state')).body.data.requirements.filter(({ is_gap }) => !is_gap);
  expect(requirements.length).toBeGreaterThan(3);
  const pairs = (await kysely.selectFrom('requirements__test_case_ids').selectAll().execute()) as unknown as {
    record_id: number;
    target_id: number;
  }[];
  const entries = await work.rows('run_entries');
  const tests = await work.rows('automated_tests');
  const attempts = await work.rows('public.attempts');
  for (const ago of [0, 5, 9, 20, 37, 60, 300]) {
    const day = new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const until = new Date(Date.parse(day) + 86_400_000).toISOString();
    const { body } = await coverageOf(`&by=state&day=${day}`);
    expect(body.data.day).toBe(day);
    for (const { id, counts } of body.data.requirements) {
      const cases = pairs.filter(({ record_id }) => record_id === id).map(({ target_id }) => target_id);
      const results = cases.flatMap((one) => {
        // An automated test shows the case that it covers.
        const covering = tests.filter(({ test_case_id }) => test_case_id === one).map(({ id: test }) => test);
        const own = entries.filter(
          ({ test_case_id, automated_test_id }) =>
            test_case_id === one || covering.includes(automated_test_id as number),
        );
        const tries = attempts
          .filter(({ entry_id, created_at }) => own.some((entry) => entry.id === entry_id) && created_at < until)
          .map((attempt) => ({ ...attempt, entry: own.find((entry) => entry.id === attempt.entry_id)! }));
        const order = ['failed', 'blocked', 'flaky', 'skipped', 'passed'];
        const latest = new Map<unknown, Row>();
        const timeOf = (row: unknown) => String((row as Row).created_at);
        const inOrder = (a: (typeof tries)[number], b: (typeof tries)[number]) =>
          timeOf(a).localeCompare(timeOf(b)) || a.entry.id - b.entry.id || a.id - b.id;
        for (const one of tries.sort(inOrder)) {
          latest.set(one.entry.configuration_id, one as unknown as Row);
        }
        const worst = [...latest.values()].map(({ result }) => (result === 'broken' ? 'failed' : (result as string)));
        return worst.sort((a, b) => order.indexOf(a) - order.indexOf(b)).slice(0, 1);
      });
      for (const name of ['passed', 'failed', 'blocked', 'skipped', 'flaky']) {
        expect(counts[name], `${day} ${id} ${name}`).toBe(results.filter((one) => one === name).length);
      }
    }
  }
});

test.each([
  ['', 'project_id'],
  ['project_id=x', 'project_id'],
  ['project_id=1&day=2026-13-45', 'day'],
  ['project_id=1&by=colour', 'by'],
  ['project_id=1&unknown=1', 'unknown'],
])('?%s is refused', async (query, at) => {
  const answer = await work.as.qa<{ message: string }>('GET', `/requirement-coverage?${query}`);
  expect([400, 422]).toContain(answer.status);
  expect(JSON.stringify(answer.body)).toContain(at);
});

test('of a milestone: requirements with a test case in one of its runs, failing in whichever run was the latest', async () => {
  const milestone = await work.make('owner', 'milestones', { name: 'Covered milestone', project_id: work.open });
  const cases = [await makeCase(), await makeCase(), await makeCase()] as const;
  const requirement = await makeRequirement([cases[0]]);
  await makeRequirement([cases[1]]);
  await makeRequirement([]);
  const ofMilestone = async () => (await coverageOf(`&milestone_id=${milestone.id}`)).body.data.requirements;
  expect(await ofMilestone()).toEqual([]);
  const [entry, other] = await runOf([cases[0], cases[2]]);
  await runOf([cases[1]]);
  const run = { milestone_id: milestone.id };
  expect((await work.as.qa('PUT', `/test-runs/${entry!.run.id}`, run)).status).toBe(200);
  expect(await ofMilestone()).toMatchObject([{ id: requirement.id, is_gap: true }]);
  await record(entry!, 'failed');
  await record(other!, 'failed');
  expect(await ofMilestone()).toMatchObject([{ id: requirement.id, is_gap: false, counts: { failed: 1 } }]);
});

test('each role and another company, for every call', async () => {
  const { id } = await makeRequirement([]);
  const statuses: Record<string, number[]> = {};
  for (const by of ['owner', 'manager', 'developer', 'qa', 'external', 'harbour'] as const) {
    statuses[by] = [
      (await coverageOf('', by)).status,
      (await work.as[by]('GET', `/requirement-coverage/${id}`)).status,
    ];
  }
  for (const by of ['owner', 'manager', 'developer', 'qa']) expect(statuses[by], by).toEqual([200, 200]);
  expect(statuses.external).toEqual([403, 403]);
  expect(statuses.harbour).toEqual([404, 404]);
});

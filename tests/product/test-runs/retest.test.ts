import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { startWork, type Account, type Row, type Work } from '../work';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

type Many<T = Row> = { data: T[] };

let made = 0;
/** A run of the tester with test cases of their own, all of which fail. */
async function failedRun(count: number, project = work.open) {
  const test_cases: number[] = [];
  for (let index = 0; index < count; index++)
    test_cases.push((await work.make('owner', 'test-cases', { name: `Retested ${++made}`, project_id: project })).id);
  const body = { name: `Retested run ${made}`, project_id: project, test_cases };
  const run = (await work.as.qa<{ data: Row }>('POST', '/test-runs/start', body)).body.data;
  const tests = await testsOf(run.id);
  for (const entry of tests) await record(entry, 'failed');
  return { run, tests };
}
const testsOf = async (run: number): Promise<Row[]> =>
  (await work.as.qa<Many>('GET', `/run-entries?run_id=${run}&sort_by=position&range=[0,99]`)).body.data;
const record = async (entry: Row | undefined, result: string) =>
  expect((await work.as.qa('PUT', `/run-entries/${entry!.id}/result`, { result })).status).toBe(200);
const change = async (by: Account, path: string, values: object) => {
  const { status, body } = await work.as[by]('PUT', path, values);
  expect(status, JSON.stringify(body)).toBe(200);
};
const makeTask = async () =>
  work.make('owner', 'tasks', {
    ...{ name: 'The receipt is empty', project_id: work.open, project_module_id: await work.moduleOf(work.open) },
    ...{ description: 'Now', status_id: 1, priority_id: 1 },
  });
const toRetest = async (by: Account = 'qa') =>
  (await work.as[by]<Many>('GET', '/run-entries?mine=retest&range=[0,99]')).body.data.map(({ id }) => id);
/** The titles and links of what the tester is told meanwhile, sorted. */
async function noticesDuring(act: () => Promise<unknown>) {
  const all = async () => (await work.as.qa<Many>('GET', '/notifications')).body.data;
  const knownIds = new Set((await all()).map(({ id }) => id));
  await act();
  const newNotices = (await all()).filter(({ id }) => !knownIds.has(id));
  return newNotices.map(({ title, link }) => ({ title, link })).toSorted((a, b) => a.title.localeCompare(b.title));
}

describe('when a defect is completed', () => {
  test('its test is to be run again by who ran it, and they are told; until it passes', async () => {
    const { run, tests } = await failedRun(2);
    const task = await makeTask();
    await change('qa', `/run-entries/${tests[0]!.id}`, { defect_id: task.id, retest: true });
    await change('qa', `/run-entries/${tests[1]!.id}`, { defect_id: task.id });
    expect(await toRetest()).toEqual([]);
    const notices = await noticesDuring(() => change('developer', `/tasks/${task.id}`, { status_id: 3 }));
    const key = tests[0]!.test_case.key as string;
    expect(notices).toEqual([
      { title: `Run ${key} in ${run.key} again`, link: `/test-runs/${run.id}/run?entry=${tests[0]!.id}` },
    ]);
    expect(await toRetest()).toEqual([tests[0]!.id]);
    expect(await toRetest('manager')).toEqual([]);

    // It still fails: the task goes back, and the test with it.
    await record(tests[0], 'failed');
    expect(await toRetest()).toEqual([tests[0]!.id]);
    await change('developer', `/tasks/${task.id}`, { status_id: 2 });
    expect(await toRetest()).toEqual([]);
    await change('developer', `/tasks/${task.id}`, { status_id: 3 });
    await record(tests[0], 'passed');
    expect(await toRetest()).toEqual([]);
  });

  test('a test of a closed run is run again in a new one, and waits no longer once it passes there', async () => {
    const { run, tests } = await failedRun(1);
    const task = await makeTask();
    await change('qa', `/run-entries/${tests[0]!.id}`, { defect_id: task.id, retest: true });
    await change('qa', `/test-runs/${run.id}`, { state: 'closed' });
    // Many tasks at once are changed with the same statements.
    const notices = await noticesDuring(() =>
      work.as.owner('POST', '/tasks/bulk', { update: [{ id: task.id, status_id: 3 }] }),
    );
    expect(notices).toMatchObject([{ link: '/run-entries?tab=retest' }]);
    expect(await toRetest()).toEqual([tests[0]!.id]);
    const started = await work.as.qa<{ data: Row }>('POST', '/test-runs/retest', { entries: [tests[0]!.id] });
    expect(started.status, JSON.stringify(started.body)).toBe(201);
    const newRun = started.body.data;
    expect(newRun).toMatchObject({ name: `Retest of ${run.key}`, state: 'open', project_id: work.open });
    const [entry] = await testsOf(newRun.id);
    expect(entry!.test_case).toEqual(tests[0]!.test_case);
    await record(entry, 'passed');
    expect(await toRetest()).toEqual([]);
  });

  test('who ran several of its tests is told once', async () => {
    const { run, tests } = await failedRun(3);
    const task = await makeTask();
    for (const { id } of tests) await change('qa', `/run-entries/${id}`, { defect_id: task.id, retest: true });
    const notices = await noticesDuring(() => change('developer', `/tasks/${task.id}`, { status_id: 3 }));
    const key = tests[0]!.test_case.key as string;
    expect(notices).toEqual([
      { title: `Run ${key} in ${run.key} and 2 others again`, link: '/run-entries?tab=retest' },
    ]);
  });
});

/** A test that waits to be run again, since its defect is completed. */
async function waitingTest() {
  const { run, tests } = await failedRun(1);
  const task = await makeTask();
  await change('qa', `/run-entries/${tests[0]!.id}`, { defect_id: task.id, retest: true });
  await change('developer', `/tasks/${task.id}`, { status_id: 3 });
  expect(await toRetest()).toContain(tests[0]!.id);
  return { run, entry: tests[0]! };
}

describe('a test waits no more to be run again', () => {
  const results = [
    ['passed', false],
    ['failed', false],
    ['blocked', true],
    ['skipped', true],
  ] as const;
  test.each(results)('when it is %s in another run: still waits %s', async (result, isWaiting) => {
    const { run, entry } = await waitingTest();
    await change('qa', `/test-runs/${run.id}`, { state: 'closed' });
    const again = await work.as.qa<{ data: Row }>('POST', '/test-runs/retest', { entries: [entry.id] });
    const [repeated] = await testsOf(again.body.data.id);
    await record(repeated, result);
    expect((await toRetest()).includes(entry.id)).toBe(isWaiting);
    const { kysely } = work.program.program.database;
    const history = await kysely
      .withSchema('assay')
      .selectFrom('history')
      .select(['user_id', 'old_values'])
      .where('resource', '=', 'run-entries')
      .where('record_id', '=', entry.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const ended = { user_id: work.ids.qa, old_values: { retest: true } };
    expect(history).toEqual(isWaiting ? expect.not.objectContaining(ended) : ended);
  });

  test('when its test case is deleted', async () => {
    const { entry } = await waitingTest();
    expect((await work.as.owner('DELETE', `/test-cases/${entry.test_case_id}`)).status).toBeLessThan(300);
    expect(await toRetest()).not.toContain(entry.id);
  });
});

describe('a test of a closed run that nobody runs again', () => {
  test('is taken off the list by those who may change tests, with its results as they are', async () => {
    const { run, entry } = await waitingTest();
    await change('qa', `/test-runs/${run.id}`, { state: 'closed' });
    expect((await work.as.qa('PUT', `/run-entries/${entry.id}`, { retest: false })).status).toBe(403);
    const end = (by: Account) => work.as[by]('POST', '/run-entries/end-retest', { entries: [entry.id] });
    expect((await end('external')).status).toBe(403);
    expect(await end('harbour')).toMatchObject({ status: 200, body: { data: { ended: 0 } } });
    expect(await toRetest()).toContain(entry.id);
    expect(await end('qa')).toMatchObject({ status: 200, body: { data: { ended: 1 } } });
    expect(await toRetest()).not.toContain(entry.id);
    const [stored] = await testsOf(run.id);
    expect(stored).toMatchObject({ id: entry.id, result: 'failed', retest: false });
    expect(await end('qa')).toMatchObject({ status: 200, body: { data: { ended: 0 } } });
  });
});

describe('tests of several companies', () => {
  test('are taken off by the administrator, each with its change in the history of its company', async () => {
    const [testCase] = (await work.as.harbour<Many>('GET', '/test-cases?range=[0,0]')).body.data;
    const started = await work.as.harbour('POST', '/test-runs/start', {
      ...{ name: 'Of the harbour', project_id: testCase!.project_id, test_cases: [testCase!.id] },
    });
    expect(started.status, JSON.stringify(started.body)).toBe(201);
    const { kysely } = work.program.program.database;
    const { rows } = await sql<{ id: number }>`update public.run_entries set retest = true
      where id in (select distinct on (site_id) id from public.run_entries order by site_id, id) returning id`.execute(
      kysely,
    );
    expect(rows).toHaveLength(2);
    const ids = rows.map(({ id }) => id);
    expect(await work.as.admin('POST', '/run-entries/end-retest', { entries: ids })).toMatchObject({
      status: 200,
      body: { data: { ended: 2 } },
    });
    for (const id of ids) {
      const { body } = await work.as.admin<Many>('GET', `/run-entries/${id}/history`);
      expect(body.data[0]).toMatchObject({ old_values: { retest: true }, new_values: { retest: false } });
    }
  });
});

describe('tests that are run again', () => {
  test('come once from several runs, and are of one project', async () => {
    const { run, tests } = await failedRun(2);
    const again = await work.as.qa<{ data: Row }>('POST', '/test-runs/retest', { entries: [tests[0]!.id] });
    const [repeated] = await testsOf(again.body.data.id);
    const body = { entries: [tests[0]!.id, tests[1]!.id, repeated!.id] };
    const newRun = (await work.as.qa<{ data: Row }>('POST', '/test-runs/retest', body)).body.data;
    expect(newRun.name).toBe(`Retest of ${again.body.data.key}, ${run.key}`);
    expect((await testsOf(newRun.id)).map(({ name }) => name)).toEqual(tests.map(({ name }) => name));
    // A test is not left out in silence.
    expect(await work.as.qa('POST', '/test-runs/retest', { entries: [tests[0]!.id, 999_999] })).toMatchObject({
      status: 422,
      body: { errors: { entries: 'One of these 2 tests has no test case that you can see. Choose the others.' } },
    });
    const swapped = await failedRun(2);
    await change('qa', `/run-entries/${swapped.tests[0]!.id}`, { position: 9 });
    const ids = swapped.tests.map(({ id }) => id);
    const reordered = (await work.as.qa<{ data: Row }>('POST', '/test-runs/retest', { entries: ids })).body.data;
    const names = (await testsOf(reordered.id)).map(({ name }) => name);
    expect(names).toEqual(swapped.tests.map(({ name }) => name).toReversed());
    const elsewhere = await failedRun(1, work.closed);
    const mixed = { entries: [tests[0]!.id, elsewhere.tests[0]!.id] };
    expect(await work.as.qa('POST', '/test-runs/retest', mixed)).toMatchObject({
      status: 422,
      body: { errors: { entries: 'These tests are of several projects. Choose those of one project.' } },
    });
  });

  test('are refused to those who may not see them', async () => {
    const { tests } = await failedRun(1);
    const statuses: Record<string, number> = {};
    for (const by of ['owner', 'manager', 'developer', 'qa', 'external', 'harbour'] as const)
      statuses[by] = (await work.as[by]('POST', '/test-runs/retest', { entries: [tests[0]!.id] })).status;
    expect(statuses).toEqual({ owner: 201, manager: 201, developer: 201, qa: 201, external: 403, harbour: 422 });
  });
});

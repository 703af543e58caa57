import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { studioOf } from '../../server/modules/studio';
import { startWork, type Row, type Work } from '../work';
import type { ComparedTest, RunComparison } from '../../../src/product/answers/run-comparison';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

type One<T = Row> = { data: T };

let made = 0;
const makeCase = () => work.make('owner', 'test-cases', { name: `Compared case ${++made}`, project_id: work.open });
const testsOf = async (run: number): Promise<Row[]> =>
  (await work.as.qa<{ data: Row[] }>('GET', `/run-entries?run_id=${run}&sort_by=position&range=[0,199]`)).body.data;
const record = async (entry: Row | undefined, result: string, elapsed_seconds?: number) => {
  const { status, body } = await work.as.qa('PUT', `/run-entries/${entry!.id}/result`, { result, elapsed_seconds });
  expect(status, JSON.stringify(body)).toBe(200);
};
const compare = async (run: Row, other: Row) => {
  const { status, body } = await work.as.qa<One<RunComparison>>('GET', `/test-runs/${run.id}/compare/${other.id}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
const byName = (comparison: RunComparison, { name }: Row): ComparedTest =>
  comparison.tests.find((compared) => compared.name === name)!;

describe('the comparison of two runs', () => {
  test('tells new failures, fixed ones, those that go on with their age, and tests that take much longer', async () => {
    const cases = [];
    for (let index = 0; index < 6; index++) cases.push(await makeCase());
    const [fixed, going, fresh, slower, same, removed] = cases as [Row, Row, Row, Row, Row, Row];
    const start = async (name: string, chosen: readonly Row[]) => {
      const body = { name, project_id: work.open, test_cases: chosen.map(({ id }) => id) };
      return (await work.as.qa<One>('POST', '/test-runs/start', body)).body.data;
    };
    const first = await start('The first', cases);
    const firstTests = await testsOf(first.id);
    for (const [index, result] of ['failed', 'failed', 'passed', 'passed', 'passed', 'passed'].entries())
      await record(firstTests[index], result, 60);
    const between = await start('Between', [going]);
    await record((await testsOf(between.id))[0], 'failed');
    const second = await start('The second', [fixed, going, fresh, slower, same]);
    const secondTests = await testsOf(second.id);
    for (const [index, result] of ['passed', 'failed', 'failed', 'passed', 'passed'].entries())
      await record(secondTests[index], result, index === 3 ? 120 : 62);

    // With the later one as the base, what was mended there is what fails now.
    const path = `/test-runs/${second.id}/compare/${first.id}?base=`;
    const { data: swapped } = (await work.as.qa<One<RunComparison>>('GET', `${path}${second.id}`)).body;
    expect(swapped.runs.map(({ id }) => id)).toEqual([second.id, first.id]);
    const swappedChanges = [fixed, going, fresh, removed].map((one) => byName(swapped, one).change);
    expect(swappedChanges).toEqual(['new_failure', 'still_failing', 'fixed', 'added']);
    expect(byName(swapped, going)).toMatchObject({ age: { runs: 1 }, test_case_id: going.id, automated_test_id: null });
    expect((await work.as.qa('GET', `${path}${between.id}`)).status).toBe(422);

    // In any order the earlier one comes first.
    const comparison = await compare(second, first);
    expect(comparison.runs.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(comparison.runs[1]).toMatchObject({ counts: { passed: 3, failed: 2, not_run: 0 }, seconds: 368 });
    const changes = [fixed, going, fresh, slower, same, removed].map((one) => byName(comparison, one).change);
    expect(changes).toEqual(['fixed', 'still_failing', 'new_failure', 'duration', 'same', 'removed']);
    expect(byName(comparison, going)).toMatchObject({ age: { runs: 3, days: 0, since: first.key }, cause: null });
    expect(byName(comparison, fresh).age).toMatchObject({ runs: 1 });
    expect(byName(comparison, fixed)).toMatchObject({
      age: null,
      first: { result: 'failed', person: expect.any(String) },
      second: { result: 'passed' },
    });
  });

  test('carries a cause and a defect on to the same failure, until the test passes or the defect is completed', async () => {
    const testCase = await makeCase();
    const runOnce = async (result: string) => {
      const body = { name: `Carried ${++made}`, project_id: work.open, test_cases: [testCase.id] };
      const run = (await work.as.qa<One>('POST', '/test-runs/start', body)).body.data;
      const [entry] = await testsOf(run.id);
      await record(entry, result);
      return { run, entry: entry! };
    };
    const first = await runOnce('failed');
    const makeTask = async (name: string) =>
      work.make('owner', 'tasks', {
        name,
        project_id: work.open,
        project_module_id: await work.moduleOf(work.open),
        description: 'Now',
        status_id: 1,
        priority_id: 1,
      });
    const task = await makeTask('It breaks');
    const assigned = await work.as.qa('PUT', `/run-entries/${first.entry.id}`, {
      cause: 'product',
      cause_note: 'The receipt is made twice.',
      defect_id: task.id,
    });
    expect(assigned.status, JSON.stringify(assigned.body)).toBe(200);
    const second = await runOnce('failed');
    const carriedDefect = { id: task.id, name: 'It breaks', carried_from: first.run.key };
    const carriedNote = { text: 'The receipt is made twice.', carried_from: first.run.key };
    const carried = { cause: 'product', note: carriedNote, defect: carriedDefect, carried_from: first.run.key };
    expect((await compare(first.run, second.run)).tests[0]).toMatchObject(carried);

    // Its own cause counts before a carried one, without the carried note, and leaves the carried defect.
    expect((await work.as.qa('PUT', `/run-entries/${second.entry.id}`, { cause: 'test' })).status).toBe(200);
    expect((await compare(first.run, second.run)).tests[0]).toMatchObject({
      cause: 'test',
      note: null,
      carried_from: null,
      defect: carriedDefect,
    });
    expect((await work.as.qa('PUT', `/run-entries/${second.entry.id}`, { cause: null })).status).toBe(200);

    expect((await work.as.owner('PUT', `/tasks/${task.id}`, { status_id: 3 })).status).toBe(200);
    const none = { cause: null, note: null, defect: null, carried_from: null };
    expect((await compare(first.run, second.run)).tests[0]).toMatchObject(none);

    // A completed defect ends what is carried on: an older one that is still open does not come back.
    const completed = await makeTask('It broke again');
    expect((await work.as.owner('PUT', `/tasks/${task.id}`, { status_id: 1 })).status).toBe(200);
    expect((await work.as.qa('PUT', `/run-entries/${second.entry.id}`, { defect_id: completed.id })).status).toBe(200);
    const third = await runOnce('failed');
    const its = { defect: { id: completed.id, carried_from: second.run.key }, cause: 'product', note: carriedNote };
    expect((await compare(first.run, third.run)).tests[0]).toMatchObject(its);
    expect((await work.as.owner('PUT', `/tasks/${completed.id}`, { status_id: 3 })).status).toBe(200);
    expect((await compare(first.run, third.run)).tests[0]).toMatchObject({ ...none, age: { runs: 3 } });

    await runOnce('passed');
    const later = await runOnce('failed');
    expect((await compare(first.run, later.run)).tests[0]).toMatchObject({ ...none, age: { runs: 1 } });
  });

  test('is refused for a run with itself, for runs of two projects and to those who may not see them', async () => {
    const run = await work.make('qa', 'test-runs', { name: 'Here', project_id: work.open });
    const other = await work.make('qa', 'test-runs', { name: 'Here too', project_id: work.open });
    const path = `/test-runs/${run.id}/compare/${other.id}`;
    const statuses = [];
    for (const by of ['qa', 'external', 'harbour'] as const) statuses.push((await work.as[by]('GET', path)).status);
    expect(statuses).toEqual([200, 403, 404]);
  });
});

describe('a run that is planned in one screen', () => {
  test('is a draft with its due date whose tests are shared out, and the times of its test cases are known', async () => {
    const cases = [await makeCase(), await makeCase(), await makeCase()];
    const ids = cases.map(({ id }) => id);
    const first = { name: 'For its times', project_id: work.open, test_cases: ids.slice(0, 2) };
    const run = (await work.as.qa<One>('POST', '/test-runs/start', first)).body.data;
    const [entry] = await testsOf(run.id);
    await record(entry, 'failed', 90);
    const { body } = await work.as.qa<One<{ mean_seconds: number; cases: Row[] }>>(
      'GET',
      `/projects/${work.open}/test-times`,
    );
    const timeOf = (id: number | undefined) => body.data.cases.find((one) => one.id === id);
    expect(timeOf(ids[0])).toEqual({ id: ids[0], result: 'failed', seconds: 90, is_changed: false });
    expect(timeOf(ids[1])).toEqual({ id: ids[1], result: null, seconds: null, is_changed: false });
    expect(body.data.mean_seconds).toBeGreaterThan(0);
    expect((await work.as.owner('PUT', `/test-cases/${ids[0]}`, { name: 'Changed since' })).status).toBe(200);
    const times = await work.as.qa<typeof body>('GET', `/projects/${work.open}/test-times`);
    expect(times.body.data.cases.find((one) => one.id === ids[0])).toMatchObject({ is_changed: true });

    // Of several tests of a case in its latest run, the one that failed counts.
    const [one, two] = await work.rows('configurations');
    const twice = { ...first, test_cases: [ids[2]], configurations: [one!.id, two!.id] };
    const again = (await work.as.qa<One>('POST', '/test-runs/start', twice)).body.data;
    for (const [index, result] of ['failed', 'passed'].entries())
      await record((await testsOf(again.id))[index], result);
    const latest = await work.as.qa<typeof body>('GET', `/projects/${work.open}/test-times`);
    expect(latest.body.data.cases.find(({ id }) => id === ids[2])).toMatchObject({ result: 'failed' });

    const people = [work.ids.qa, work.ids.manager];
    const draft = {
      name: 'Planned',
      project_id: work.open,
      due_on: '2027-01-04',
      state: 'planned',
      test_cases: ids,
      assign: { by: 'round_robin', users: people },
    };
    const planned = await work.as.qa<One>('POST', '/test-runs/start', draft);
    expect(planned.status, JSON.stringify(planned.body)).toBe(201);
    expect(planned.body.data).toMatchObject({ state: 'planned', due_on: '2027-01-04' });
    const tests = await testsOf(planned.body.data.id);
    expect(tests.map(({ assigned }) => (assigned as Row).id)).toEqual([people[0], people[1], people[0]]);
    expect((await work.as.external('GET', `/projects/${work.open}/test-times`)).status).toBe(403);
    expect((await work.as.harbour('GET', `/projects/${work.open}/test-times`)).status).toBe(404);
  });

  test('has no times for a role that does not see the results of tests', async () => {
    await studioOf(work.as.admin).publish('run-entries', (source) => {
      source.rules = [...(source.rules ?? []), { levels: [4], action: ['list', 'view'], exceptFields: ['result'] }];
    });
    const statuses = [];
    for (const by of ['qa', 'developer'] as const)
      statuses.push((await work.as[by]('GET', `/projects/${work.open}/test-times`)).status);
    expect(statuses).toEqual([200, 403]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiResponse } from '../../support/program';
import { accounts } from '../../support/accounts';
import testRuns from '../../../resources/test-runs.json';
import { upload } from '../test-results/upload';
import { startWork, type Account, type Row, type Work } from '../work';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

type One = { data: Row; message?: string; code?: string; errors?: Record<string, string> };
type Many = { data: Row[] };

let made = 0;
const makeRun = (change: object = {}, by: Account = 'qa') =>
  work.make(by, 'test-runs', { name: `Run ${++made}`, project_id: work.open, ...change });
const makeCase = (change: object = {}) =>
  work.make('owner', 'test-cases', { name: `Case ${++made}`, project_id: work.open, ...change });
const testsOf = async (run: number): Promise<Row[]> =>
  (await work.as.qa<Many>('GET', `/run-entries?run_id=${run}&sort_by=position&range=[0,99]`)).body.data;
const add = (run: number, body: object, by: Account = 'qa') =>
  work.as[by]<{ data: { added: number } } & One>('POST', `/test-runs/${run}/tests`, body);

/** A run with so many new test cases. */
async function runWith(count: number, change: object = {}): Promise<{ run: Row; tests: Row[] }> {
  const cases = [];
  for (let index = 0; index < count; index++) cases.push((await makeCase(change)).id);
  const run = await makeRun();
  const added = await add(run.id, { test_cases: cases });
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  return { run, tests: await testsOf(run.id) };
}

const steps = [
  { action: 'Open the page', expected: 'It is there' },
  { action: 'Press Save', data: 'Ada', expected: 'Saved' },
];

test('test cases have keys, which find them', async () => {
  const { key, id } = await makeCase({ steps });
  expect(key).toMatch(/^TC-\d+$/);
  const { body } = await work.as.qa<Many>('GET', `/search?q=${key}`);
  expect(body.data[0]).toMatchObject({ resource: 'test-cases', id, matched: 'key' });
});

describe('adding tests', () => {
  test('some, all and those of a filter; what is there stays, and comes once', async () => {
    const run = await makeRun();
    const [one, other] = [await makeCase({ steps }), await makeCase()];
    expect((await add(run.id, { test_cases: [one.id, other.id, one.id] })).body.data).toEqual({ added: 2 });
    expect((await add(run.id, { test_cases: [other.id] })).body.data).toEqual({ added: 0 });
    const { tests } = { tests: await testsOf(run.id) };
    expect(tests).toMatchObject([
      { name: one.name, result: 'not_run', position: 1, test_case: { id: one.id, key: one.key } },
      { name: other.name, result: 'not_run', position: 2 },
    ]);
    const filtered = await makeRun();
    const filter = { priority_id: 2, status: 'open' };
    const listed = await work.as.qa<Many>(
      'GET',
      `/test-cases?project_id=${work.open}&priority_id=2&status=open&range=[0,0]`,
    );
    const total = Number(/\/(\d+)/.exec(String(listed.headers['content-range']))![1]);
    expect((await add(filtered.id, { filter })).body.data).toEqual({ added: total });
    const all = await work.as.qa<Many>('GET', `/test-cases?project_id=${work.open}&range=[0,0]`);
    const everything = Number(/\/(\d+)/.exec(String(all.headers['content-range']))![1]);
    expect((await add(filtered.id, { test_cases: 'all' })).body.data).toEqual({ added: everything - total });
    const { body } = await work.as.qa<One>('GET', `/test-runs/${filtered.id}`);
    expect(body.data).toMatchObject({ tests: everything, not_run: everything, passed: 0 });
  });

  test('once for each configuration, or for each pair of what they consist of', async () => {
    const ids: number[] = [];
    for (const browser of ['Chrome', 'Firefox', 'Safari']) {
      for (const system of ['Windows', 'macOS', 'Linux']) {
        for (const device of ['Desk', 'Lap', 'Tablet']) {
          const name = `${browser} ${system} ${device} ${++made}`;
          ids.push((await work.make('qa', 'configurations', { name, browser, system, device })).id);
        }
      }
    }
    const testCase = await makeCase();
    const run = await makeRun();
    expect((await add(run.id, { test_cases: [testCase.id], configurations: ids })).body.data).toEqual({ added: 27 });
    const paired = await makeRun();
    const { body } = await add(paired.id, { test_cases: [testCase.id], configurations: ids, combine: 'pairwise' });
    expect(body.data.added).toBeGreaterThanOrEqual(9);
    expect(body.data.added).toBeLessThan(14);
    const covered = new Set<string>();
    for (const entry of await testsOf(paired.id)) {
      const [browser, system, device] = String(entry.configuration.name).split(' ');
      covered.add(`${browser}${system}`).add(`${browser}${device}`).add(`${system}${device}`);
    }
    expect(covered.size).toBe(27);
  });

  test('a run begins with its tests in one call, and keeps the filter; if anything is refused there is none', async () => {
    const start = (body: object, by: Account = 'qa') =>
      work.as[by]<One>('POST', '/test-runs/start', { project_id: work.open, name: `Started ${++made}`, ...body });
    const runsNow = async () => (await work.rows('test_runs')).length;
    const [one, other] = [await makeCase(), await makeCase()];
    const { status, body } = await start({ test_cases: [one.id, other.id] });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.data).toMatchObject({ tests: 2, not_run: 2, key: expect.stringMatching(/^R-\d+$/) });
    expect(await testsOf(body.data.id)).toMatchObject([{ name: one.name }, { name: other.name }]);
    const filtered = await start({ filter: { priority_id: 2, status: 'open' } });
    expect(filtered.status).toBe(201);
    const { body: matching } = await work.as.qa<One>('GET', `/test-runs/${filtered.body.data.id}/matching`);
    expect(matching.data).toEqual({ filters: 1, tests: 0 });

    const before = await runsNow();
    for (const [refused, at, by] of [
      [{ test_cases: [one.id, 999_999] }, 'The test case 999999 is not in the project'],
      [{ test_cases: [] }, 'No test case is chosen'],
      [{ test_cases: [one.id], configurations: [999_999] }, 'no configuration 999999'],
      [{ test_cases: [one.id], milestone_id: 999_999 }, 'milestone_id'],
      [{ test_cases: [one.id], name: ' ' }, 'name'],
      [{ test_cases: [one.id], owner: 1 }, 'owner'],
      [{ test_cases: [one.id] }, 'permission', 'external'],
      [{ test_cases: [one.id] }, 'project_id', 'harbour'],
    ] as [object, string, Account?][]) {
      const answer = await start(refused, by);
      expect(answer.status, JSON.stringify(answer.body)).toBe(by === 'external' ? 403 : 422);
      expect(JSON.stringify(answer.body)).toContain(at);
    }
    expect(await runsNow()).toBe(before);
  });

  test('sixteen at once add each test case once', async () => {
    const run = await makeRun();
    const cases = [(await makeCase()).id, (await makeCase()).id, (await makeCase()).id];
    const answers = await Promise.all(Array.from({ length: 16 }, () => add(run.id, { test_cases: cases })));
    expect(answers.reduce((sum, { body }) => sum + body.data.added, 0)).toBe(3);
    expect(await testsOf(run.id)).toHaveLength(3);
  });

  test.each<[string, object, number, RegExp]>([
    ['an unknown test case', { test_cases: [999_999] }, 422, /The test case 999999 is not in the project/],
    ['a wrong list', { test_cases: 'none' }, 422, /Test cases must be ids in a list, or all/],
    ['an unknown configuration', { test_cases: 'all', configurations: [999_999] }, 422, /no configuration 999999/],
    ['an unknown filter', { filter: { nonsense: 1 } }, 400, /nonsense/],
    ['a search', { filter: { q: 'login' } }, 422, /cannot search/],
    ['an unknown property', { everything: true }, 422, /everything/],
    ['nobody', { test_cases: 'all', assigned_to: 999_999 }, 422, /Assigned To/i],
  ])('%s is refused, and nothing is added', async (_what, body, status, message) => {
    const run = await makeRun();
    const answer = await add(run.id, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(JSON.stringify(answer.body)).toMatch(message);
    expect(await testsOf(run.id)).toEqual([]);
  });

  test('a test case of another project is refused, in the call and as a record', async () => {
    const run = await makeRun();
    const elsewhere = await makeCase({ project_id: work.closed });
    expect((await add(run.id, { test_cases: [elsewhere.id] })).status).toBe(422);
    const alone = await work.as.qa<One>('POST', '/run-entries', { run_id: run.id, test_case_id: elsewhere.id });
    expect(alone.status, JSON.stringify(alone.body)).toBe(422);
    expect(alone.body.errors).toHaveProperty('test_case_id');
  });

  test('a test is a record too: it takes the test case as it is, and comes once', async () => {
    const run = await makeRun();
    const testCase = await makeCase({ steps, pre_conditions: 'Signed in' });
    const first = await work.as.qa<One>('POST', '/run-entries', { run_id: run.id, test_case_id: testCase.id });
    expect(first.status, JSON.stringify(first.body)).toBe(201);
    expect(first.body.data).toMatchObject({
      name: testCase.name,
      pinned: { name: testCase.name, pre_conditions: 'Signed in', steps },
    });
    const again = await work.as.qa<One>('POST', '/run-entries', { run_id: run.id, test_case_id: testCase.id });
    expect(again.status).toBe(422);
    expect(JSON.stringify(again.body.errors)).toContain('This test case is already in the run');
    const empty = await work.as.qa<One>('POST', '/run-entries', { run_id: run.id });
    expect(empty.status).toBe(422);
    expect(empty.body.errors).toEqual({ test_case_id: 'Choose the test case to run.' });
  });
});

describe('results', () => {
  const record = (id: number, body: object, by: Account = 'qa', headers?: Record<string, string>) =>
    work.as[by]<One>('PUT', `/run-entries/${id}/result`, body, headers);
  const attemptsOf = async (entry: number): Promise<Row[]> =>
    (await work.as.qa<Many>('GET', `/attempts?entry_id=${entry}&sort_by=id&range=[0,99]`)).body.data;

  test('every attempt is kept, and the latest is the result; figures of the run follow', async () => {
    const { run, tests } = await runWith(2, { steps });
    const [entry] = tests as [Row, Row];
    const first = await record(entry.id, {
      result: 'failed',
      comment: 'No answer',
      elapsed_seconds: 12.5,
      steps: [
        { index: 1, result: 'passed' },
        { index: 2, result: 'failed', comment: 'Nothing is saved' },
      ],
    });
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(first.body.data).toMatchObject({
      result: 'failed',
      comment: 'No answer',
      elapsed_seconds: 12.5,
      run_by: work.ids.qa,
    });
    const second = await record(entry.id, { result: 'passed' }, 'developer');
    expect(second.body.data).toMatchObject({ result: 'passed', comment: null, run_by: work.ids.developer });
    const kept = await attemptsOf(entry.id);
    expect(kept).toMatchObject([
      { result: 'failed', comment: 'No answer', created_by: { id: work.ids.qa } },
      { result: 'passed', created_by: { id: work.ids.developer } },
    ]);
    const { body } = await work.as.qa<One>('GET', `/attempts/${kept[0]!.id}`);
    expect(body.data.steps).toMatchObject([
      { index: 1, result: 'passed' },
      { index: 2, result: 'failed', comment: 'Nothing is saved' },
    ]);
    const counted = await work.as.qa<One>('GET', `/test-runs/${run.id}`);
    expect(counted.body.data).toMatchObject({ tests: 2, passed: 1, failed: 0, not_run: 1 });
  });

  test('the same request twice is one attempt', async () => {
    const { tests } = await runWith(1);
    const headers = { 'idempotency-key': `twice-${++made}-0123456789` };
    const answers = [await record(tests[0]!.id, { result: 'passed' }, 'qa', headers)];
    answers.push(await record(tests[0]!.id, { result: 'passed' }, 'qa', headers));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await attemptsOf(tests[0]!.id)).toHaveLength(1);
  });

  test('eight people at once: eight attempts, none lost', async () => {
    const { tests } = await runWith(1);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        record(tests[0]!.id, { result: index % 2 ? 'passed' : 'failed', comment: `By ${index}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const kept = await attemptsOf(tests[0]!.id);
    expect(new Set(kept.map(({ comment }) => comment as string)).size).toBe(8);
    const [entry] = await testsOf(kept[0]!.entry.run_id ?? tests[0]!.run.id);
    expect(entry).toMatchObject({ comment: kept.at(-1)!.comment as string, result: kept.at(-1)!.result as string });
  });

  test.each<[string, object, string]>([
    ['no result', {}, 'result'],
    ['an unknown one', { result: 'maybe' }, 'result'],
    ['one of machines', { result: 'flaky' }, 'result'],
    ['not run', { result: 'not_run' }, 'result'],
    ['a negative time', { result: 'passed', elapsed_seconds: -1 }, 'elapsed_seconds'],
    ['a step that is not there', { result: 'passed', steps: [{ index: 3, result: 'passed' }] }, 'steps'],
    [
      'a step twice',
      { result: 'passed', steps: [{ index: 1, result: 'passed' }, { index: 1, result: 'failed' }] }, // oxfmt-ignore
      'steps',
    ],
    ['a long comment', { result: 'passed', comment: 'x'.repeat(10_001) }, 'comment'],
    ['an unknown property', { result: 'passed', verdict: 1 }, 'verdict'],
  ])('%s is refused, and nothing is stored', async (_what, body, at) => {
    const { tests } = await runWith(1, { steps });
    const answer = await record(tests[0]!.id, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(422);
    expect(Object.keys(answer.body.errors!).join()).toContain(at);
    expect(await attemptsOf(tests[0]!.id)).toEqual([]);
  });

  // The engine has a table of the same name.
  test('why somebody sees an attempt is explained', async () => {
    const { tests } = await runWith(1);
    await work.as.qa('PUT', `/run-entries/${tests[0]!.id}/result`, { result: 'passed' });
    const [attempt] = await attemptsOf(tests[0]!.id);
    const query = `user_id=${work.ids.qa}&module=attempts&action=view&id=${attempt!.id}`;
    const why = await work.as.owner<One>('GET', `/permissions/why?${query}`);
    expect(why, JSON.stringify(why.body)).toMatchObject({ status: 200, body: { data: { allowed: true } } });
  });

  test('nobody writes results or attempts past the call', async () => {
    const { tests } = await runWith(1);
    const [entry] = tests as [Row];
    const changed = await work.as.owner<One>('PUT', `/run-entries/${entry.id}`, { result: 'passed', name: 'Else' });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({ result: 'not_run', name: entry.name as string });
    const added = await work.as.admin<One>('POST', '/attempts', { entry_id: entry.id, result: 'passed' });
    expect([403, 422]).toContain(added.status);
    expect((await work.as.owner<One>('POST', '/attempts', { entry_id: entry.id, result: 'passed' })).status).toBe(403);
  });
});

describe('closed runs', () => {
  test('nothing of them changes until they are reopened', async () => {
    const { run, tests } = await runWith(1);
    const closed = await work.as.qa<One>('PATCH', `/test-runs-state-closed/${run.id}`);
    expect(closed.status, JSON.stringify(closed.body)).toBe(200);
    expect(closed.body.data).toMatchObject({ state: 'closed' });
    expect(closed.body.data.closed_at).toMatch(/^\d{4}-/);
    const refusals: ApiResponse<One>[] = [
      await work.as.owner('PUT', `/run-entries/${tests[0]!.id}/result`, { result: 'passed' }),
      await work.as.owner('PUT', `/run-entries/${tests[0]!.id}`, { assigned_to: work.ids.qa }),
      await work.as.owner('DELETE', `/run-entries/${tests[0]!.id}`),
      await work.as.owner('POST', `/run-entries/${tests[0]!.id}/version`),
      await add(run.id, { test_cases: 'all' }, 'owner'),
      await work.as.owner('POST', `/test-runs/${run.id}/assign`, { by: 'module', users: [work.ids.qa] }),
    ];
    for (const { status, body } of refusals) expect([403, 409], JSON.stringify(body)).toContain(status);
    expect(refusals[0]!.body.message).toMatch(/closed|open runs/);
    const reopened = await work.as.qa<One>('PATCH', `/test-runs-state-open/${run.id}`);
    expect(reopened.body.data).toMatchObject({ state: 'open', closed_at: null });
    expect((await work.as.qa('PUT', `/run-entries/${tests[0]!.id}/result`, { result: 'passed' })).status).toBe(200);
  });
});

describe('versions', () => {
  test('a run keeps the test case as it was, says what changed, and takes the new version', async () => {
    const { run, tests } = await runWith(1, { steps, expected_result: 'Saved' });
    const [entry] = tests as [Row];
    const id = entry.test_case.id as number;
    await work.as.owner('PUT', `/test-cases/${id}`, {
      name: 'New title',
      steps: [...steps, { action: 'Sign out' }],
    });
    const same = await work.as.qa<One>('GET', `/run-entries/${entry.id}`);
    expect(same.body.data).toMatchObject({ name: entry.name as string, pinned: { expected_result: 'Saved', steps } });
    const { body } = await work.as.qa<One>('GET', `/run-entries/${entry.id}/version`);
    expect(body.data).toMatchObject({ changed: ['name', 'steps'], current: { name: 'New title' } });
    await work.as.qa('PUT', `/run-entries/${entry.id}/result`, { result: 'failed' });
    const taken = await work.as.qa<One>('POST', `/run-entries/${entry.id}/version`);
    expect(taken.body.data).toMatchObject({ name: 'New title', result: 'failed' });
    expect(taken.body.data.pinned.steps).toHaveLength(3);
    const none = await work.as.qa<One>('GET', `/run-entries/${entry.id}/version`);
    expect(none.body.data.changed).toEqual([]);
    // A deleted test case stays in the run, as it was.
    expect((await work.as.owner('DELETE', `/test-cases/${id}`)).status).toBe(200);
    expect((await testsOf(run.id))[0]).toMatchObject({ name: 'New title', result: 'failed', test_case: null });
    expect((await work.as.qa('POST', `/run-entries/${entry.id}/version`)).status).toBe(409);
  });
});

describe('assigning and copying', () => {
  test('in turn, or by module; only what nobody has', async () => {
    const { run, tests } = await runWith(5);
    const users = [work.ids.qa, work.ids.developer];
    await work.as.qa('PUT', `/run-entries/${tests[0]!.id}`, { assigned_to: work.ids.manager });
    const answer = await work.as.manager<{ data: { changed: number } }>('POST', `/test-runs/${run.id}/assign`, {
      by: 'round_robin',
      users,
    });
    expect(answer.body.data, JSON.stringify(answer.body)).toEqual({ changed: 4 });
    const assigned = (await testsOf(run.id)).map(({ assigned: one }) => (one as Row).id);
    expect(assigned).toEqual([work.ids.manager, ...users, ...users]);
    const module = await work.moduleOf(work.open);
    const inModule = [await makeCase({ project_module: module }), await makeCase({ project_module: module })];
    const other = await makeCase();
    const second = await makeRun();
    await add(second.id, { test_cases: [inModule[0]!.id, other.id, inModule[1]!.id] });
    await work.as.manager('POST', `/test-runs/${second.id}/assign`, { by: 'module', users });
    const byModule = (await testsOf(second.id)).map(({ assigned: one }) => (one as Row).id);
    expect(byModule).toEqual([users[0], users[1], users[0]]);
    const refused = await work.as.manager<One>('POST', `/test-runs/${second.id}/assign`, {
      by: 'round_robin',
      users: [999_999],
      entries: [(await testsOf(second.id))[0]!.id],
    });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toHaveProperty('users');
  });

  test('the failed ones go into a new run, as the test cases are now', async () => {
    const { run, tests } = await runWith(3);
    await work.as.qa('PUT', `/run-entries/${tests[0]!.id}/result`, { result: 'failed' });
    await work.as.qa('PUT', `/run-entries/${tests[1]!.id}/result`, { result: 'passed' });
    await work.as.owner('PUT', `/test-cases/${tests[0]!.test_case.id}`, { name: 'Clearer' });
    await work.as.qa('PATCH', `/test-runs-state-closed/${run.id}`);
    const copied = await work.as.qa<One>('POST', `/test-runs/${run.id}/copy`, { results: ['failed', 'broken'] });
    expect(copied.status, JSON.stringify(copied.body)).toBe(201);
    expect(copied.body.data).toMatchObject({
      state: 'open',
      name: `${run.name as string} - Copy`,
      tests: 1,
      not_run: 1,
    });
    expect(await testsOf(copied.body.data.id)).toMatchObject([{ name: 'Clearer', result: 'not_run' }]);
    const none = await work.as.qa<One>('POST', `/test-runs/${run.id}/copy`, { results: ['blocked'] });
    expect(none.status).toBe(422);
    expect(none.body.errors!.results).toMatch(/has one of these results/);
  });

  test('a run whose test cases were deleted says so', async () => {
    const { run, tests } = await runWith(2);
    const remove = async (entry: Row) => {
      const { status, body } = await work.as.owner('DELETE', `/test-cases/${entry.test_case.id}`);
      expect(status, JSON.stringify(body)).toBeLessThan(300);
    };
    await remove(tests[0]!);
    const some = await work.as.qa<One>('POST', `/test-runs/${run.id}/copy`, {});
    expect(some.body.data, JSON.stringify(some.body)).toMatchObject({ tests: 1 });
    await remove(tests[1]!);
    const none = await work.as.qa<One>('POST', `/test-runs/${run.id}/copy`, {});
    expect(none.status).toBe(422);
    expect(none.body.errors!.results).toMatch(/were deleted/);
  });
});

describe('the gate', () => {
  const gate = (run: number, condition: unknown, by: Account = 'qa') =>
    work.as[by]<{ data: { ok: boolean; failed: object[] }; message?: string }>(
      'GET',
      `/test-runs/${run}/gate?condition=${encodeURIComponent(typeof condition === 'string' ? condition : JSON.stringify(condition))}`,
    );

  test('counts what a run has, and what is new since the run before', async () => {
    const { run, tests } = await runWith(4);
    const set = (entry: Row, result: string) => work.as.qa('PUT', `/run-entries/${entry.id}/result`, { result });
    await set(tests[0]!, 'failed');
    await set(tests[1]!, 'passed');
    await set(tests[2]!, 'failed');
    const cases = tests.map(({ test_case: one }) => (one as Row).id);
    const next = await makeRun();
    await add(next.id, { test_cases: cases });
    const later = await testsOf(next.id);
    await set(later[0]!, 'failed');
    await set(later[1]!, 'failed');
    await set(later[2]!, 'passed');
    await set(later[3]!, 'blocked');
    expect(
      (await gate(next.id, { failed_new: 1, failed: 2, blocked: 1, pass_rate: 25, not_run: 0 })).body.data,
    ).toEqual({
      ok: true,
      failed: [],
      problems: [],
    });
    const refused = await gate(next.id, { failed_new: 0, pass_rate: 90 });
    expect(refused.body.data).toMatchObject({
      ok: false,
      failed: [
        { name: 'failed_new', limit: 0, actual: 1 },
        { name: 'pass_rate', limit: 90, actual: 25 },
      ],
    });
    expect((await gate(run.id, { failed_new: 1 })).body.data.ok).toBe(false);
  });

  test.each([
    '',
    'no',
    '[]',
    '{}',
    '{"fail":0}',
    '{"failed":-1}',
    '{"failed":"0"}',
    '{"failed":1.5}',
    '{"pass_rate":101}',
  ])('condition=%s is refused', async (condition) => {
    const run = await makeRun();
    const answer = await gate(run.id, condition);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/condition/);
  });
});

describe('access to test runs', () => {
  const calls = (run: number, entry: number): [string, string, unknown?][] => [
    ['GET', `/test-runs/${run}`],
    ['GET', `/run-entries?run_id=${run}`],
    ['GET', `/test-runs/${run}/gate?condition={"failed":0}`],
    ['GET', `/run-entries/${entry}/version`],
    ['POST', `/run-entries/${entry}/version`],
    ['PUT', `/run-entries/${entry}/result`, { result: 'passed' }],
    ['POST', `/test-runs/${run}/tests`, { test_cases: [] }],
    ['POST', `/test-runs/${run}/assign`, { by: 'module', users: [1] }],
    ['POST', `/test-runs/${run}/copy`, {}],
  ];

  test('each role and another company, for every call', async () => {
    const { run, tests } = await runWith(1);
    const statuses: Record<string, number[]> = {};
    for (const by of ['owner', 'manager', 'developer', 'qa', 'external', 'harbour'] as const) {
      statuses[by] = [];
      for (const [method, path, body] of calls(run.id, tests[0]!.id)) {
        const sent = path.endsWith('/assign') ? { by: 'module', users: [work.ids.qa] } : body;
        const answer = await work.as[by](method, path, sent);
        statuses[by].push(answer.status);
      }
    }
    const may = [200, 200, 200, 200, 200, 200, 200, 200, 201];
    for (const by of ['owner', 'manager', 'developer', 'qa']) expect(statuses[by], by).toEqual(may);
    expect(statuses.external).toEqual(Array(9).fill(403));
    expect(statuses.harbour).toEqual([404, 200, 404, 404, 404, 404, 404, 404, 404]);
    const { body } = await work.as.harbour<Many>('GET', `/run-entries?run_id=${run.id}`);
    expect(body.data).toEqual([]);
  });
});

describe('evidence', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  );
  async function sendForm(
    entry: number,
    parts: [string, string | { bytes: Uint8Array; name: string }][],
    key?: string,
  ) {
    const form = new FormData();
    for (const [name, part] of parts) {
      if (typeof part === 'string') form.append(name, part);
      else form.append(name, new Blob([part.bytes as never]), part.name);
    }
    const body = new Response(form);
    const login = await work.program.call<{ token: string }>('POST', '/login', {
      email: accounts.qa,
      password: 'Demo@1234',
    });
    const answer = await work.program.app.inject({
      method: 'PUT',
      url: `/api/run-entries/${entry}/result`,
      headers: {
        authorization: `Bearer ${login.body.token}`,
        'content-type': body.headers.get('content-type')!,
        ...(key && { 'idempotency-key': key }),
      },
      payload: Buffer.from(await body.arrayBuffer()),
    });
    return { status: answer.statusCode, body: answer.json<One>() };
  }
  const attemptsOf = async (entry: number) =>
    (await work.as.qa<Many>('GET', `/attempts?entry_id=${entry}&sort_by=id`)).body.data;
  const shot = { bytes: png, name: 'login.png' };

  test('comes with a result as a form, once however often it is sent, and stays with its attempt', async () => {
    const { tests } = await runWith(1, { steps });
    const { id } = tests[0]!;
    const sent: Parameters<typeof sendForm>[1] = [
      ['result', 'failed'],
      ['comment', 'The page stays empty.'],
      ['elapsed_seconds', '12.5'],
      ['steps', JSON.stringify([{ index: 1, result: 'failed' }])],
      ['evidence', shot],
      ['evidence', { bytes: Buffer.from('log line\n'), name: 'console.log' }],
    ];
    for (const answer of [await sendForm(id, sent, 'evidence-1'), await sendForm(id, sent, 'evidence-1')])
      expect(answer, JSON.stringify(answer.body)).toMatchObject({
        status: 200,
        body: { data: { result: 'failed', comment: 'The page stays empty.', elapsed_seconds: 12.5 } },
      });
    await work.as.qa('PUT', `/run-entries/${id}/result`, { result: 'passed' });
    const attempts = await attemptsOf(id);
    expect(attempts).toMatchObject([
      {
        result: 'failed',
        evidence: [
          { name: 'login.png', type: 'image/png' },
          { name: 'console.log', type: 'text/plain' },
        ],
      },
      { result: 'passed', evidence: null },
    ]);
    const [{ url }] = attempts[0]!.evidence as [{ url: string }];
    const file = await work.program.app.inject({ url });
    expect([file.statusCode, file.rawPayload.equals(png)]).toEqual([200, true]);
    // Another company learns of none of it.
    expect((await work.as.harbour<Many>('GET', `/attempts?entry_id=${id}`)).body.data ?? []).toEqual([]);
  });

  test('belongs to the step at which it was seen, in the attempt alone', async () => {
    const { tests } = await runWith(1, { steps });
    const { id } = tests[0]!;
    const log = { bytes: Buffer.from('log line\n'), name: 'console, of "step".log' };
    const answer = await sendForm(id, [
      ['result', 'failed'],
      [
        'steps',
        JSON.stringify([
          { index: 1, result: 'passed' },
          { index: 2, result: 'failed', evidence: [3, 1] },
        ]),
      ],
      ['evidence', shot],
      ['evidence', { ...shot, name: 'whole.png' }],
      ['evidence', log],
    ]);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const [attempt] = (await work.as.qa<Many>('GET', `/attempts?entry_id=${id}&fields=id,evidence,steps`)).body.data;
    const names = (attempt!.evidence as { name: string }[]).map(({ name }) => name);
    expect(names).toHaveLength(3);
    expect(attempt!.steps).toMatchObject([
      { index: 1, evidence: null },
      { index: 2, evidence: `${names[2]}\n${names[0]}` },
    ]);
    // Without files there is nothing that a step could name.
    expect(
      await work.as.qa('PUT', `/run-entries/${id}/result`, {
        result: 'failed',
        steps: [{ index: 1, result: 'failed', evidence: [1] }],
      }),
    ).toMatchObject({ status: 422, body: { errors: { 'steps[0].evidence[0]': 'There is no file 1 in the form.' } } });
    expect(await attemptsOf(id)).toHaveLength(1);
  });

  const atSteps = (...evidence: number[][]): [string, string] => [
    'steps',
    JSON.stringify(evidence.map((files, place) => ({ index: place + 1, result: 'failed', evidence: files }))),
  ];
  test.each<[string, Parameters<typeof sendForm>[1], number, object]>([
    [
      'a file of a step that is not there',
      [['result', 'failed'], atSteps([2]), ['evidence', shot]],
      422,
      { errors: { 'steps[0].evidence[0]': 'There is no file 2 in the form.' } },
    ],
    [
      'a file at two steps',
      [['result', 'failed'], atSteps([1], [1]), ['evidence', shot]],
      422,
      { errors: { 'steps[1].evidence[0]': '“login.png” is at a step already.' } },
    ],
    [
      'a file of a step that is called as another one',
      [['result', 'failed'], atSteps([1]), ['evidence', shot], ['evidence', shot]],
      422,
      { errors: { 'steps[0].evidence[0]': 'Several files are called “login.png”. Give each its own name.' } },
    ],
    ['a step that has names of files', [['result', 'failed'], atSteps(['../x' as never]), ['evidence', shot]], 422, {}],
    [
      'no file',
      [
        ['result', 'failed'],
        ['evidence', 'x'],
      ],
      422,
      { errors: { evidence: 'Evidence must be files.' } },
    ],
    [
      'an empty file',
      [
        ['result', 'failed'],
        ['evidence', { bytes: Buffer.alloc(0), name: 'a.png' }],
      ],
      415,
      {},
    ],
    ['no result', [['evidence', shot]], 422, { errors: { result: expect.any(String) as string } }],
    [
      'steps that are none',
      [
        ['result', 'failed'],
        ['steps', '{'],
        ['evidence', shot],
      ],
      422,
      {},
    ],
    [
      'another property',
      [
        ['result', 'failed'],
        ['run_by', '1'],
        ['evidence', shot],
      ],
      422,
      {},
    ],
  ])('%s is refused, and nothing is stored', async (_what, parts, status, body) => {
    const { tests } = await runWith(1, { steps });
    const answer = await sendForm(tests[0]!.id, parts);
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status, body });
    expect(await attemptsOf(tests[0]!.id)).toEqual([]);
  });
});
describe('the states of a run', () => {
  const setState = (run: Row, state: string, by: Account = 'qa') =>
    work.as[by]<One>('PATCH', `/test-runs-state-${state}/${run.id}`);
  const stateOf = async (run: Row) => (await work.as.qa<One>('GET', `/test-runs/${run.id}`)).body.data.state as string;
  const record = (entry: Row, by: Account = 'qa') =>
    work.as[by]<One>('PUT', `/run-entries/${entry.id}/result`, { result: 'passed' });

  test('a run that is not started begins with its first result, however many come at once', async () => {
    const { run, tests } = await runWith(6);
    expect(await stateOf(run)).toBe('open');
    const planned = await makeRun({ state: 'planned' });
    expect((await add(planned.id, { test_cases: tests.map((one) => one.test_case.id as number) })).status).toBe(200);
    expect(await stateOf(planned)).toBe('planned');
    const waiting = await testsOf(planned.id);
    const answers = await Promise.all(waiting.map((entry) => record(entry)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await stateOf(planned)).toBe('open');
    const history = await work.as.qa<Many>('GET', `/test-runs/${planned.id}/history`);
    const starts = (history.body as unknown as { data: { new_values: Row | null }[] }).data.filter(
      ({ new_values }) => new_values?.state === 'open',
    );
    expect(starts).toHaveLength(1);
  });

  test.each([
    ['paused', 'is paused, so it takes no results. Resume it first.'],
    ['review', 'is in review, so it takes no results. Set it back to In Progress first.'],
  ])('%s: no results, but tests are added and assigned', async (state, message) => {
    const { run, tests } = await runWith(2);
    expect((await setState(run, state)).status).toBe(200);
    const refused = await record(tests[0]!);
    expect([refused.status, refused.body.message]).toEqual([409, `This test run ${message}`]);
    expect((await testsOf(run.id))[0]).toMatchObject({ result: 'not_run' });
    expect((await add(run.id, { test_cases: [(await makeCase()).id] })).body.data).toEqual({ added: 1 });
    const assigned = await work.as.qa('POST', `/test-runs/${run.id}/assign`, {
      by: 'round_robin',
      users: [work.ids.qa],
    });
    expect(assigned.status).toBe(200);
    expect((await setState(run, 'open')).status).toBe(200);
    expect((await record(tests[0]!)).status).toBe(200);
  });

  test('leave only for those that follow', async () => {
    const { run } = await runWith(1);
    expect((await setState(run, 'planned')).status).toBeGreaterThanOrEqual(400);
    expect((await setState(run, 'paused')).status).toBe(200);
    expect((await setState(run, 'review')).status).toBeGreaterThanOrEqual(400);
    expect((await setState(run, 'closed')).status).toBe(200);
    expect((await setState(run, 'paused')).status).toBeGreaterThanOrEqual(400);
    expect((await setState(run, 'open', 'external')).status).toBeGreaterThanOrEqual(400);
    expect((await setState(run, 'open')).status).toBe(200);
    expect(await stateOf(run)).toBe('open');
  });
});

test('a list of runs has the people and configurations of its tests, each once, in one statement', async () => {
  const configurations = [
    (await work.make('qa', 'configurations', { name: `On ${++made}` })).id,
    (await work.make('qa', 'configurations', { name: `On ${++made}` })).id,
  ];
  const cases = [(await makeCase()).id, (await makeCase()).id, (await makeCase()).id];
  const run = await makeRun();
  await add(run.id, { test_cases: cases, configurations });
  const users = [work.ids.qa, work.ids.developer];
  await work.as.qa('POST', `/test-runs/${run.id}/assign`, { by: 'round_robin', users });
  const listed = async (by: Account) =>
    (await work.as[by]<Many>('GET', `/test-runs?id=${run.id}&fields=people,configurations`)).body.data[0]!;
  const { people, configurations: on } = await listed('qa');
  const ids = (rows: unknown) => (rows as Row[]).map(({ id }) => id);
  expect(ids(people)).toEqual(users.toSorted((one, other) => one - other));
  expect(ids(on)).toEqual(configurations);
  expect(Object.keys((people as Row[])[0]!)).not.toContain('email');
  const alone = await makeRun();
  expect((await work.as.qa<One>('GET', `/test-runs/${alone.id}`)).body.data).toMatchObject({
    people: [],
    configurations: [],
  });
  // Many runs cost as many statements as one.
  const statements = async (range: string) => {
    let count = 0;
    const { pool } = work.program.program.database;
    const before = pool.query.bind(pool);
    pool.query = ((...args: Parameters<typeof before>) => {
      count++;
      return before(...args);
    }) as typeof pool.query;
    await work.as.qa('GET', `/test-runs?range=${range}&fields=people,configurations`);
    pool.query = before;
    return count;
  };
  await statements('[0,0]');
  expect(await statements('[0,24]')).toBe(await statements('[0,0]'));
});

test('the tabs of the list: active, my, finished and automated runs', async () => {
  const [testCase] = [await makeCase()];
  const owned = await makeRun({ owner_id: work.ids.developer });
  const assigned = await makeRun({ owner_id: work.ids.qa });
  await add(assigned.id, { test_cases: [testCase.id], assigned_to: work.ids.developer });
  const foreign = await makeRun({ owner_id: work.ids.qa });
  const finished = await makeRun({ owner_id: work.ids.developer });
  expect((await work.as.qa('PATCH', `/test-runs-state-closed/${finished.id}`)).status).toBe(200);
  const file = '<testsuite name="tabs"><testcase classname="tabs" name="opens"/></testsuite>';
  const sent = await upload(work, [['junit.xml', file]], {});
  const { run_id: automated } = sent.body.data as unknown as { run_id: number };
  const own = new Map(
    Object.entries({ owned, assigned, foreign, finished, automated: { id: automated } }).map(([name, { id }]) => [
      id,
      name,
    ]),
  );
  const shown: Record<string, string[]> = {};
  for (const { name, filter } of testRuns.list.tabs) {
    const query = new URLSearchParams({ ...(filter as Record<string, string>), range: '[0,199]' });
    const { status, body } = await work.as.developer<Many>('GET', `/test-runs?${query.toString()}`);
    expect(status, name).toBe(200);
    shown[name] = body.data.flatMap(({ id }) => own.get(id) ?? []).sort();
  }
  expect(shown).toEqual({
    open: ['assigned', 'foreign', 'owned'],
    mine: ['assigned', 'owned'],
    closed: ['finished'],
    automated: ['automated'],
    all: ['assigned', 'automated', 'finished', 'foreign', 'owned'],
  });
});

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../support/program';
import { startWork, type Account, type Row, type Work } from '../work';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

type One<T = Row> = { data: T; message?: string };
type Many = { data: Row[] };
interface Figures {
  total: number;
  counts: Record<string, number>;
  pass_rate: number | null;
  modules: (Record<string, number> & { module: string | null })[];
  failures: { message: string; entries: number[]; new: number[] }[];
  new_failures: number;
  elapsed_seconds: number;
  remaining_seconds: number | null;
  timed: number;
  burndown: { at: string; left: number }[];
  forecast_at: string | null;
  first_at: string | null;
  last_at: string | null;
  earlier: { id: number } | null;
}

let made = 0;
const makeCase = (change: object = {}) =>
  work.make('owner', 'test-cases', { name: `Seen case ${++made}`, project_id: work.open, ...change });
const makeRun = (change: object = {}) =>
  work.make('qa', 'test-runs', { name: `Seen run ${++made}`, project_id: work.open, ...change });
const makeMilestone = () => work.make('owner', 'milestones', { name: `Seen ${++made}`, project_id: work.open });
const add = (run: number, body: object, by: Account = 'qa') =>
  work.as[by]<One<{ added: number }>>('POST', `/test-runs/${run}/tests`, body);
const testsOf = async (run: number): Promise<Row[]> =>
  (await work.as.qa<Many>('GET', `/run-entries?run_id=${run}&sort_by=position&range=[0,199]`)).body.data;
const overviewOf = async (run: number, by: Account = 'qa') =>
  (await work.as[by]<One<Figures>>('GET', `/test-runs/${run}/overview`)).body.data;

async function runOf(cases: readonly Row[], change: object = {}): Promise<{ run: Row; tests: Row[] }> {
  const run = await makeRun(change);
  expect((await add(run.id, { test_cases: cases.map(({ id }) => id) })).status).toBe(200);
  return { run, tests: await testsOf(run.id) };
}

const record = async (entry: Row, result: string, more: object = {}) => {
  const { status, body } = await work.as.qa('PUT', `/run-entries/${entry.id}/result`, { result, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
};

describe('the overview', () => {
  test('counts results, groups failures by message, and finds those that are new', async () => {
    const module = await work.moduleOf(work.open);
    const cases = [];
    for (let index = 0; index < 8; index++) cases.push(await makeCase(index < 5 ? { project_module: module } : {}));
    const milestone_id = (await makeMilestone()).id;
    const first = await runOf(cases, { milestone_id });
    await record(first.tests[0]!, 'failed', { comment: 'Order 17 is charged twice', elapsed_seconds: 50 });
    await record(first.tests[1]!, 'passed', { elapsed_seconds: 10 });
    await record(first.tests[6]!, 'passed', { elapsed_seconds: 300 });
    const { run, tests } = await runOf(cases, { milestone_id });
    await record(tests[0]!, 'failed', { comment: 'Order 18 is charged twice\nSeen twice', elapsed_seconds: 40 });
    await record(tests[1]!, 'blocked');
    await record(tests[1]!, 'failed', { comment: 'Order 19 is charged twice', elapsed_seconds: 20 });
    await record(tests[2]!, 'failed', { comment: 'An empty page' });
    await record(tests[3]!, 'passed', { elapsed_seconds: 30 });
    await record(tests[4]!, 'skipped');
    await record(tests[5]!, 'blocked');
    const overview = await overviewOf(run.id);
    expect(overview).toMatchObject({
      total: 8,
      counts: { passed: 1, failed: 3, blocked: 1, skipped: 1, flaky: 0, not_run: 2 },
      pass_rate: 16.7,
      new_failures: 2,
      elapsed_seconds: 90,
      earlier: { id: first.run.id },
    });
    expect(overview.modules).toMatchObject([
      { total: 5, passed: 1, failed: 3, skipped: 1, blocked: 0 },
      { module: null, total: 3, blocked: 1, not_run: 2 },
    ]);
    expect(overview.failures).toEqual([
      {
        message: 'Order 18 is charged twice',
        entries: [tests[0]!.id, tests[1]!.id],
        new: [tests[1]!.id],
      },
      { message: 'An empty page', entries: [tests[2]!.id], new: [tests[2]!.id] },
    ]);
    // The seventh took 300 s before; the eighth takes as long as those of this run did on average: (50 + 10 + 300) / 3.
    expect(overview).toMatchObject({ timed: 1, remaining_seconds: 300 + 120 });
    expect(Date.parse(overview.forecast_at!)).toBeGreaterThanOrEqual(Date.parse(overview.last_at!));
    // A failure of another milestone is new here, too.
    const other = await runOf([cases[0]!], { milestone_id: (await makeMilestone()).id });
    await record(other.tests[0]!, 'failed');
    expect(await overviewOf(other.run.id)).toMatchObject({ new_failures: 1, earlier: null });
  });

  test('an empty run, and one of which nothing was run', async () => {
    const empty = await makeRun();
    expect(await overviewOf(empty.id)).toMatchObject({
      ...{ total: 0, pass_rate: null, remaining_seconds: 0, forecast_at: null, burndown: [], failures: [] },
    });
    const { run } = await runOf([await makeCase()]);
    expect(await overviewOf(run.id)).toMatchObject({
      ...{ total: 1, pass_rate: null, remaining_seconds: null, forecast_at: null, first_at: null },
      burndown: [{ left: 1 }],
    });
  });

  test('the figures of all runs of the demo data are those of their attempts', async () => {
    const runs = (await work.rows('test_runs')).filter(({ project_id }) => project_id === work.open);
    const entries = await work.rows('run_entries');
    const attempts = await work.rows('public.attempts');
    const latest = new Map(attempts.map((attempt) => [attempt.entry_id as number, attempt]));
    const seconds = new Map<number, number>();
    for (const { entry_id, elapsed_seconds } of attempts) {
      seconds.set(entry_id as number, (seconds.get(entry_id as number) ?? 0) + ((elapsed_seconds as number) ?? 0));
    }
    expect(runs.length).toBeGreaterThan(10);
    for (const run of runs) {
      const own = entries.filter(({ run_id }) => run_id === run.id);
      const overview = await overviewOf(run.id);
      const count = (result: string) => own.filter(({ id }) => latest.get(id)?.result === result).length;
      const flaky = own.filter(({ result }) => result === 'flaky').length;
      expect(overview.counts, run.name as string).toMatchObject({
        passed: count('passed') - flaky,
        failed: count('failed'),
        blocked: count('blocked'),
        skipped: count('skipped'),
        flaky,
        not_run: own.filter(({ id }) => !latest.has(id)).length,
      });
      expect(overview.elapsed_seconds).toBe(Math.round(own.reduce((sum, { id }) => sum + (seconds.get(id) ?? 0), 0)));
      expect(overview.burndown[0]?.left ?? 0).toBeLessThanOrEqual(own.length);
      expect(overview.burndown.at(-1)?.left ?? 0).toBe(overview.counts.not_run);
    }
  });

  test('the defects of a milestone are the tasks that its runs found', async () => {
    const milestone = await makeMilestone();
    const { tests } = await runOf([await makeCase(), await makeCase()], { milestone_id: milestone.id });
    const makeTask = async (name: string) =>
      work.make('owner', 'tasks', {
        name,
        project_id: work.open,
        project_module_id: await work.moduleOf(work.open),
        description: 'Seen',
        status_id: 1,
        priority_id: 1,
      });
    const defect = await makeTask('Found by a run of the milestone');
    await makeTask('Found by nobody');
    expect((await work.as.qa('PUT', `/run-entries/${tests[0]!.id}`, { defect_id: defect.id })).status).toBe(200);
    const { body } = await work.as.qa<Many>('GET', `/tasks?milestone_id=${milestone.id}`);
    expect(body.data.map(({ id }) => id)).toEqual([defect.id]);
  });

  test('the trend of a milestone ends with the results of its runs', async () => {
    const milestones = await work.rows('milestones');
    const milestone = milestones.find((one) => one.state === 'active' && one.project_id === work.open)!;
    const { body } = await work.as.qa<One<(Record<string, number> & { day: string })[]>>(
      'GET',
      `/milestones/${milestone.id}/trend`,
    );
    const days = body.data.map(({ day }) => day);
    expect([...days].sort()).toEqual(days);
    expect(new Set(days).size).toBe(days.length);
    const runs = (await work.rows('test_runs')).filter(({ milestone_id }) => milestone_id === milestone.id);
    const own = (await work.rows('run_entries')).filter(({ run_id }) => runs.some(({ id }) => id === run_id));
    const count = (result: string) => own.filter((entry) => entry.result === result).length;
    expect(body.data.at(-1)).toMatchObject(
      Object.fromEntries(['passed', 'failed', 'blocked', 'skipped', 'not_run'].map((name) => [name, count(name)])),
    );
    for (const { day: _, ...counts } of body.data) {
      expect(Math.min(...Object.values(counts))).toBeGreaterThanOrEqual(0);
    }
  });
});

test('the dashboard counts the own open tests, as the list does', async () => {
  const { tests } = await runOf([await makeCase(), await makeCase(), await makeCase()], { due_on: '2020-01-01' });
  for (const entry of tests) await work.as.qa('PUT', `/run-entries/${entry.id}`, { assigned_to: work.ids.developer });
  await record(tests[0]!, 'failed');
  const { body } = await work.as.developer<One>('GET', '/dashboard');
  const listed = async (mine: string) => {
    const { headers } = await work.as.developer('GET', `/run-entries?mine=${mine}&range=[0,0]`);
    return Number(/\/(\d+)/.exec(String(headers['content-range']))![1]);
  };
  expect(body.data.tests).toEqual({
    open: await listed('open'),
    due: await listed('due'),
    failed: await listed('failed'),
  });
  expect(body.data.tests.due).toBeGreaterThanOrEqual(2);
  expect((await work.as.external<One>('GET', '/dashboard')).body.data).not.toHaveProperty('tests');
});

test('spreadsheets have every test of a run with its latest result, and every attempt', async () => {
  const { run, tests } = await runOf([await makeCase(), await makeCase(), await makeCase()]);
  await record(tests[0]!, 'failed', { comment: 'First it fails', elapsed_seconds: 40 });
  await record(tests[0]!, 'passed', { comment: 'Then it passes', elapsed_seconds: 30 });
  await record(tests[1]!, 'blocked', { comment: 'No account' });
  const linesOf = async (path: string, query: string) => {
    const { status, body } = await work.as.qa<string>('GET', `/${path}-export?format=csv&${query}`);
    expect(status, body).toBe(200);
    return body.trim().split('\r\n').slice(1);
  };
  const columns = 'result,name,assigned_to,run_by,elapsed_seconds,comment,defect_id,defect_status';
  const entries = await linesOf('run-entries', `run_id=${run.id}&sort_by=position&columns=${columns}`);
  expect(entries).toHaveLength(3);
  expect(entries[0]).toMatch(/^Passed,Seen case.*,30,Then it passes/);
  expect(entries[1]).toMatch(/^Blocked,.*No account/);
  expect(entries[2]).toMatch(/^Not Run,/i);
  const where = encodeURIComponent(JSON.stringify({ entry_id: { $some: { run_id: run.id } } }));
  const attempts = await linesOf(
    'attempts',
    `where=${where}&sort_by=id&columns=result,entry_id,comment,elapsed_seconds`,
  );
  expect(attempts).toHaveLength(3);
  expect(attempts[0]).toMatch(/^Failed,Seen case.*,First it fails,40/);
});

describe('the stamp of a report', () => {
  interface Report {
    fingerprint: string;
    stamps: { name: string | null; comment: string | null; fingerprint: string; is_current: boolean }[];
  }
  const reportOf = async (run: number, by: Account = 'qa') =>
    (await work.as[by]<One<Report>>('GET', `/test-runs/${run}/report`)).body.data;
  const sign = (run: number, by: Account, comment?: string) =>
    work.as[by]<One<{ fingerprint: string }>>('POST', `/test-runs/${run}/stamp`, { comment });

  test('anybody with the link can recompute its fingerprint from the figures and every attempt', async () => {
    const { run, tests } = await runOf([await makeCase(), await makeCase(), await makeCase()]);
    await record(tests[0]!, 'failed');
    await record(tests[0]!, 'passed');
    await record(tests[1]!, 'blocked');
    const { fingerprint } = await reportOf(run.id);
    const shared = await work.program.call<One<{ text: string }>>('POST', '/shared-run-state', {
      link: run.report_link,
    });
    const { text } = shared.body.data;
    expect(createHash('sha256').update(text).digest('hex')).toBe(fingerprint);
    const report = await work.program.call<One<Report>>('POST', '/shared-run-report', { link: run.report_link });
    expect(report.body.data.fingerprint).toBe(fingerprint);
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/) as string;
    const words = text.split('\n').map((line) => line.split(' '));
    expect(words).toEqual([
      [run.key, 'tests=3', 'passed=1', 'failed=0', 'blocked=1', 'skipped=0', 'flaky=0', 'not_run=1'],
      [String(tests[0]!.id), 'passed'],
      [expect.stringMatching(`^${tests[0]!.id}\\.`), 'failed', instant],
      [expect.stringMatching(`^${tests[0]!.id}\\.`), 'passed', instant],
      [String(tests[1]!.id), 'blocked'],
      [expect.stringMatching(`^${tests[1]!.id}\\.`), 'blocked', instant],
      [String(tests[2]!.id), 'not_run'],
      [''],
    ]);
    expect((await work.program.call('POST', '/shared-run-state', { link: 'x'.repeat(30) })).body).toEqual({
      data: null,
    });
    // The same result once more is another attempt, so another state.
    await record(tests[1]!, 'blocked');
    expect((await reportOf(run.id)).fingerprint).not.toBe(fingerprint);
  });

  test('says who signed off, once for each person, and whether results changed since', async () => {
    const { run, tests } = await runOf([await makeCase()]);
    await record(tests[0]!, 'passed');
    const answers = await Promise.all([
      sign(run.id, 'qa', 'Fit for release'),
      sign(run.id, 'manager'),
      sign(run.id, 'qa', ''),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const signed = await reportOf(run.id);
    expect(signed.stamps).toHaveLength(2);
    expect(signed.stamps.every(({ is_current, fingerprint }) => is_current && fingerprint === signed.fingerprint)).toBe(
      true,
    );
    await record(tests[0]!, 'failed');
    expect((await reportOf(run.id)).stamps.map(({ is_current }) => is_current)).toEqual([false, false]);
    await work.as.qa('PATCH', `/test-runs-state-closed/${run.id}`);
    expect((await sign(run.id, 'qa', 'Closed')).status).toBe(200);
    expect((await reportOf(run.id)).stamps).toMatchObject([
      { comment: 'Closed', is_current: true },
      { is_current: false },
    ]);
    expect((await work.as.qa('DELETE', `/test-runs/${run.id}/stamp`)).body).toEqual({ data: { removed: true } });
    expect((await work.as.qa('DELETE', `/test-runs/${run.id}/stamp`)).body).toEqual({ data: { removed: false } });
    expect((await reportOf(run.id)).stamps).toHaveLength(1);
    // Nobody else can write stamps, neither by the form of the run nor without the right.
    const forged = [{ user_id: work.ids.owner, at: '2026-01-01T00:00:00.000Z', fingerprint: 'x', comment: null }];
    await work.as.qa('PUT', `/test-runs/${run.id}`, { stamps: forged });
    expect((await reportOf(run.id)).stamps).toHaveLength(1);
    expect((await sign(run.id, 'external')).status).toBe(403);
    expect((await sign(2_000_000, 'qa')).status).toBe(404);
    expect((await sign(run.id, 'qa', 'x'.repeat(1001))).status).toBe(422);
  });
});

describe('kept filters', () => {
  const matching = (run: number, method: 'GET' | 'POST', by: Account = 'qa') =>
    work.as[by]<One<{ added?: number; tests?: number; filters?: number }>>(method, `/test-runs/${run}/matching`);

  test('what matches later is counted and added, once; nothing is removed', async () => {
    const module = (await work.make('owner', 'project-modules', { name: `Seen ${++made}`, project_id: work.open })).id;
    const one = await makeCase({ project_module: module });
    const run = await makeRun();
    const filter = { project_module: module };
    expect((await add(run.id, { filter })).body.data).toEqual({ added: 1 });
    expect((await add(run.id, { filter })).body.data).toEqual({ added: 0 });
    expect((await matching(run.id, 'GET')).body.data).toEqual({ filters: 1, tests: 0 });
    await makeCase({ project_module: module });
    await makeCase({ project_module: module });
    await makeCase();
    await work.as.owner('PUT', `/test-cases/${one.id}`, { project_module: await work.moduleOf(work.open) });
    expect((await matching(run.id, 'GET')).body.data).toEqual({ filters: 1, tests: 2 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => matching(run.id, 'POST')));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(answers.reduce((sum, { body }) => sum + body.data.added!, 0)).toBe(2);
    expect(await testsOf(run.id)).toHaveLength(3);
    expect((await matching(run.id, 'GET')).body.data).toEqual({ filters: 1, tests: 0 });
    await work.as.qa('PATCH', `/test-runs-state-closed/${run.id}`);
    expect((await matching(run.id, 'POST')).status).toBe(409);
  });

  test('with the configurations and the person of then; a deleted configuration is left out', async () => {
    const module = (await work.make('owner', 'project-modules', { name: `Seen ${++made}`, project_id: work.open })).id;
    const [kept, gone] = [
      await work.make('qa', 'configurations', { name: `Kept ${++made}` }),
      await work.make('qa', 'configurations', { name: `Gone ${++made}` }),
    ];
    const run = await makeRun();
    const configurations = [kept.id, gone.id];
    await add(run.id, { filter: { project_module: module }, configurations, assigned_to: work.ids.developer });
    await makeCase({ project_module: module });
    expect((await matching(run.id, 'GET')).body.data).toEqual({ filters: 1, tests: 2 });
    expect((await work.as.owner('DELETE', `/configurations/${gone.id}`)).status).toBe(200);
    expect((await matching(run.id, 'POST')).body.data).toEqual({ added: 1 });
    expect(await testsOf(run.id)).toMatchObject([
      { configuration: { id: kept.id }, assigned: { id: work.ids.developer } },
    ]);
    const filters = await work.as.qa<Many>('GET', `/run-filters?run_id=${run.id}`);
    expect(filters.body.data).toMatchObject([{ query: { project_module: module } }]);
    // Without the filter nothing matches any more.
    expect((await work.as.qa('DELETE', `/run-filters/${filters.body.data[0]!.id}`)).status).toBe(200);
    expect((await matching(run.id, 'GET')).body.data).toEqual({ filters: 0, tests: 0 });
  });

  test('all of the project is a filter too; test cases chosen one by one are none', async () => {
    const run = await makeRun();
    await add(run.id, { test_cases: [(await makeCase()).id] });
    expect((await matching(run.id, 'GET')).body.data).toEqual({ filters: 0, tests: 0 });
    await add(run.id, { test_cases: 'all' });
    await makeCase();
    expect((await matching(run.id, 'POST')).body.data).toEqual({ added: 1 });
  });
});

describe('the report', () => {
  const shared = (link: string) => work.program.call<One<Row | null>>('POST', '/shared-run-report', { link });

  test('names the files of failures, with their steps', async () => {
    const { run, tests } = await runOf([await makeCase({ steps: [{ action: 'Open' }, { action: 'Pay' }] })]);
    const form = new FormData();
    form.append('result', 'failed');
    form.append('steps', JSON.stringify([{ index: 2, result: 'failed', evidence: [1] }]));
    for (const name of ['pay.log', 'whole.log']) form.append('evidence', new Blob(['log line']), name);
    const body = new Response(form);
    const login = await work.program.call<{ token: string }>('POST', '/login', {
      email: accounts.qa,
      password: 'Demo@1234',
    });
    const sent = await work.program.app.inject({
      method: 'PUT',
      url: `/api/run-entries/${tests[0]!.id}/result`,
      headers: { authorization: `Bearer ${login.body.token}`, 'content-type': body.headers.get('content-type')! },
      payload: Buffer.from(await body.arrayBuffer()),
    });
    expect(sent.statusCode, sent.body).toBe(200);
    expect((await shared(run.report_link as string)).body.data).toMatchObject({
      failed: [
        {
          evidence: [
            { name: 'whole.log', step: null },
            { name: 'pay.log', step: 2 },
          ],
        },
      ],
    });
  });

  test('is public behind its link, until the link is renewed or revoked', async () => {
    const { run, tests } = await runOf([await makeCase(), await makeCase()]);
    await record(tests[0]!, 'failed', { comment: 'Nothing happens', elapsed_seconds: 12 });
    const link = run.report_link as string;
    expect(link).toMatch(/^[\w-]{32}$/);
    const report = (await shared(link)).body.data!;
    expect(report).toMatchObject({
      name: run.name as string,
      key: run.key as string,
      state: 'open',
      counts: { passed: 0, failed: 1, not_run: 1 },
      failed: [
        { name: tests[0]!.name as string, message: 'Nothing happens', is_new: true, defect: null, evidence: [] },
      ],
      people: [expect.stringContaining('Quentin')],
    });
    const { body } = await work.as.developer<One>('GET', `/test-runs/${run.id}/report`);
    expect({ ...body.data, made_at: '' }).toEqual({ ...report, made_at: '' });
    // Names only: no ids, and nothing of the company.
    expect(JSON.stringify(report)).not.toMatch(/"(id|site_id|run_id|email|report_link|build_url)":/);
    const renewed = await work.as.qa<One>('POST', `/test-runs/${run.id}/share`);
    expect((await shared(link)).body.data).toBeNull();
    expect((await shared(renewed.body.data.report_link as string)).body.data).not.toBeNull();
    expect((await work.as.qa('DELETE', `/test-runs/${run.id}/share`)).status).toBe(200);
    expect((await shared(renewed.body.data.report_link as string)).body.data).toBeNull();
    for (const wrong of ['', 'x', "' or 1=1 --", link.toLowerCase()]) {
      expect((await shared(wrong)).body.data, wrong).toBeNull();
    }
  });
});

describe('access to the run overview', () => {
  test('each role and another company, for every call', async () => {
    const milestone = await makeMilestone();
    const { run } = await runOf([await makeCase()], { milestone_id: milestone.id });
    const calls: [string, string][] = [
      ['GET', `/test-runs/${run.id}/overview`],
      ['GET', `/test-runs/${run.id}/report`],
      ['GET', `/test-runs/${run.id}/matching`],
      ['POST', `/test-runs/${run.id}/matching`],
      ['GET', `/milestones/${milestone.id}/trend`],
      ['GET', '/test-runs/none/overview'],
    ];
    const statuses: Record<string, number[]> = {};
    for (const by of ['owner', 'manager', 'developer', 'qa', 'external', 'harbour'] as const) {
      statuses[by] = [];
      for (const [method, path] of calls) statuses[by].push((await work.as[by](method, path)).status);
    }
    for (const by of ['owner', 'manager', 'developer', 'qa']) {
      expect(statuses[by], by).toEqual([200, 200, 200, 200, 200, 404]);
    }
    expect(statuses.external).toEqual([403, 403, 403, 403, 403, 403]);
    expect(statuses.harbour).toEqual([404, 404, 404, 404, 404, 404]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { startWork, type Row, type Work } from '../work';
import { storedTests, upload, type Answer, type ResultFile } from './upload';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

let made = 0;
const fresh = (text: string) => `${text} ${++made}`;

/** A report with so many tests of a suite, the first of which fail. */
const report = (suite: string, count: number, failed = 0): ResultFile => [
  `${suite}.xml`,
  `<testsuite name="${suite}">${Array.from(
    { length: count },
    (_, index) =>
      `<testcase classname="${suite}" name="t${index}">${index < failed ? '<failure message="boom"/>' : ''}</testcase>`,
  ).join('')}</testsuite>`,
];

interface Part {
  part: string | null;
  tests: number;
  stored: number;
  is_interrupted: boolean;
}
const runWithKey = async (key: string): Promise<Row | undefined> =>
  (await work.rows('test_runs')).find(({ run_key }) => run_key === key);
const runOf = async (id: number): Promise<Row> =>
  (await work.as.qa<{ data: Row }>('GET', `/test-runs/${id}`)).body.data;
const overviewOf = async (id: number) =>
  (await work.as.qa<{ data: { total: number; loading: Part[] } }>('GET', `/test-runs/${id}/overview`)).body.data;
const gateOf = async (id: number, condition: object) =>
  (
    await work.as.qa<{ data: { ok: boolean; problems: string[]; loading: Part[] } }>(
      'GET',
      `/test-runs/${id}/gate?condition=${encodeURIComponent(JSON.stringify(condition))}`,
    )
  ).body.data;

/** Waits until some tests of an upload are stored, and not all; answers the id of its run. Throws if it ends before. */
async function loadingRun(key: string, sent: Promise<Answer>): Promise<number> {
  let answer: Answer | undefined;
  void sent.then((arrived) => (answer = arrived));
  for (;;) {
    if (answer) throw new Error(`The upload has ended: ${answer.status} ${JSON.stringify(answer.body)}`);
    const run = await runWithKey(key);
    const uploads = (run?.uploads ?? []) as { loading?: { stored: number } }[];
    if (run && uploads.some(({ loading }) => (loading?.stored ?? 0) > 0)) return run.id;
  }
}

/** Makes a stored part look as a server leaves it that dies in the middle: half of its tests are there, and its mark. */
async function interrupt(run: number, part: string): Promise<void> {
  const { kysely } = work.program.program.database;
  const stored = await runOf(run);
  const uploads = (stored.uploads as Row[]).map(({ outcome, ...rest }) =>
    rest.part === part
      ? { ...rest, loading: { tests: 600, stored: 300, at: new Date(Date.now() - 60_000).toISOString() } }
      : { ...rest, outcome },
  );
  await sql`update public.test_runs set uploads = ${JSON.stringify(uploads)}::jsonb where id = ${run}`.execute(kysely);
  await sql`delete from public.run_entries where id in (select e.id from public.run_entries e
    where e.run_id = ${run} and exists (select from public.attempts a where a.entry_id = e.id and a.shard = ${part})
      and not exists (select from public.attempts a where a.entry_id = e.id and a.shard is distinct from ${part})
    order by e.position desc limit 300)`.execute(kysely);
}

describe('while a large part is being stored', () => {
  const large = 6_000;
  let answers: { order: string[]; large: Answer; small: Answer; run: number; started: number; milliseconds: number };
  let during: { overview: Awaited<ReturnType<typeof overviewOf>>; gate: Awaited<ReturnType<typeof gateOf>> };
  beforeAll(async () => {
    const [suite, run_key] = [fresh('Large'), fresh('Build')];
    const order: string[] = [];
    const first = upload(work, [report(suite, large)], { run_key, part: 'linux' });
    void first.then(() => order.push('large'));
    const run = await loadingRun(run_key, first);
    const began = performance.now();
    const overview = await overviewOf(run);
    const milliseconds = performance.now() - began;
    during = { overview, gate: await gateOf(run, { failed: 0 }) };
    const small = await upload(work, [report(suite, 50, 1)], { run_key, part: 'windows' });
    order.push('small');
    const { status: started } = await work.as.qa('POST', '/test-runs', { name: 'By hand', project_id: work.open });
    order.push('start');
    answers = { order, large: await first, small, run, started, milliseconds };
  });

  test('another part of the run and a new run do not wait for it, even with tests that both have', () => {
    expect(answers).toMatchObject({
      order: ['small', 'start', 'large'],
      small: { status: 201, body: { data: { run_id: answers.run, totals: { tests: 50, failed: 1 } } } },
      large: { status: 201, body: { data: { run_id: answers.run, totals: { tests: large, passed: large } } } },
      started: 201,
    });
  });

  test('the overview says how far it is, and is answered at once', () => {
    const [part] = during.overview.loading;
    expect(during.overview.loading).toMatchObject([{ part: 'linux', tests: large, is_interrupted: false }]);
    expect(part!.stored).toBeGreaterThan(0);
    expect(during.overview.total).toBeGreaterThanOrEqual(part!.stored);
    expect(answers.milliseconds).toBeLessThan(1_000);
  });

  test('no gate is open, though nothing has failed so far', () => {
    expect(during.gate).toMatchObject({
      ok: false,
      problems: [expect.stringMatching(/"linux" are being stored: .* of 6,000/)],
    });
  });

  test('afterwards every test of each part is there once, and the gate decides by all of them', async () => {
    expect(await runOf(answers.run)).toMatchObject({ tests: large + 50, passed: large + 49, failed: 1, flaky: 0 });
    expect(await overviewOf(answers.run)).toMatchObject({ loading: [] });
    expect(await gateOf(answers.run, { failed: 1 })).toMatchObject({ ok: true, problems: [] });
    expect(await gateOf(answers.run, { failed: 0 })).toMatchObject({ ok: false });
  });
});

test('the same large part twice at once is stored once', async () => {
  const values = { run_key: fresh('Build'), part: 'unit' };
  const file = report(fresh('Twice'), 1_200, 3);
  const both = await Promise.all([upload(work, [file], values), upload(work, [file], values)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 201]);
  expect(both.map(({ body }) => body.data.repeated).toSorted()).toEqual([false, true]);
  const run = both[0]!.body.data.run_id!;
  expect(await runOf(run)).toMatchObject({ tests: 1_200, failed: 3 });
  expect((await storedTests(work, run)).every(({ attempts }) => attempts.length === 1)).toBe(true);
});

test('a large part that the build repeats adds attempts to its tests', async () => {
  const values = { run_key: fresh('Build'), part: 'unit' };
  const suite = fresh('Retried');
  await upload(work, [report(suite, 700, 2)], values);
  const again = await upload(work, [report(suite, 700)], { ...values, attempt: '2' });
  const run = again.body.data.run_id!;
  expect(await runOf(run)).toMatchObject({ tests: 700, failed: 0, flaky: 2, passed: 698 });
  expect((await storedTests(work, run)).every(({ attempts }) => attempts.length === 2)).toBe(true);
});

test('a large part of a run that is closed meanwhile is refused, and leaves the run as it was', async () => {
  const run_key = fresh('Build');
  const suite = fresh('Closed');
  const { body } = await upload(work, [report(suite, 2, 1)], { run_key, part: 'first' });
  const run = body.data.run_id!;
  const second = upload(work, [report(suite, 6_000)], { run_key, part: 'second' });
  await loadingRun(run_key, second);
  await work.as.qa('PATCH', `/test-runs/${run}`, { state: 'closed' });
  expect(await second).toMatchObject({ status: 409, body: { message: expect.stringContaining('closed') as unknown } });
  expect(await runOf(run)).toMatchObject({ tests: 2, passed: 1, failed: 1, uploads: [{ part: 'first' }] });
  expect((await storedTests(work, run)).map(({ attempts }) => attempts.length)).toEqual([1, 1]);
  expect((await storedTests(work, run)).map(({ test: { last_result } }) => last_result)).toEqual(['failed', 'passed']);
});

test('a run that only a refused upload has made is not left behind', async () => {
  const run_key = fresh('Build');
  const sent = upload(work, [report(fresh('Gone'), 6_000)], { run_key });
  const run = await loadingRun(run_key, sent);
  await work.as.qa('PATCH', `/test-runs/${run}`, { state: 'paused' });
  expect(await sent).toMatchObject({ status: 409 });
  expect(await runWithKey(run_key)).toBeUndefined();
});

describe('a part whose server died in the middle', () => {
  const build = async () => {
    const values = { run_key: fresh('Build'), part: 'unit' };
    const suite = fresh('Interrupted');
    const file = report(suite, 600, 1);
    const { body } = await upload(work, [report(suite, 5)], { ...values, part: 'other' });
    await upload(work, [file], values);
    const run = body.data.run_id!;
    await interrupt(run, 'unit');
    return { values, suite, file, run };
  };

  test('keeps the gate shut, and the overview says so', async () => {
    const { run } = await build();
    expect(await gateOf(run, { failed: 5 })).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('interrupted after 300 of 600 tests. Send them again.')],
    });
    expect(await overviewOf(run)).toMatchObject({ loading: [{ part: 'unit', is_interrupted: true }] });
  });

  test.each([
    ['with the same content', 1, undefined],
    ['with other content', 0, undefined],
    ['as a further attempt', 0, '2'],
  ])('is stored entirely when it is sent again %s', async (_, failed, attempt) => {
    const { values, suite, run } = await build();
    const again = await upload(work, [report(suite, 600, failed)], { ...values, ...(attempt && { attempt }) });
    expect(again).toMatchObject({
      status: 201,
      body: { data: { run_id: run, repeated: false, totals: { tests: 600 } } },
    });
    expect(await runOf(run)).toMatchObject({ tests: 605, failed, flaky: 0, passed: 605 - failed });
    expect((await storedTests(work, run)).every(({ attempts }) => attempts.length === 1)).toBe(true);
    expect(await gateOf(run, { failed: 1 })).toMatchObject({ ok: true, problems: [] });
  });
});

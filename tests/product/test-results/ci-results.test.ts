import { afterAll, beforeAll, expect, test } from 'vitest';
import { causeOf } from '../../../src/product/automated-tests/cause';
import { startWork, type Row, type Work } from '../work';
import { storedTests, upload, type Outcome, type ResultFile } from './upload';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

type One = { data: Row; message?: string };
type Many = { data: Row[] };

let made = 0;
const fresh = (text: string) => `${text} ${++made}`;
const failed = (message: string) => `<failure message="${message}">${message}</failure>`;

function junit(suite: string, tests: Readonly<Record<string, string>>): ResultFile {
  const cases = Object.entries(tests).map(
    ([name, content]) => `<testcase classname="${suite}" name="${name}" time="0.5">${content}</testcase>`,
  );
  return ['junit.xml', `<testsuite name="${suite}">${cases.join('\n')}</testsuite>`];
}
async function send(file: ResultFile, values: Record<string, string> = {}): Promise<Outcome & { run_id: number }> {
  const { status, body } = await upload(work, [file], values);
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body.data as Outcome & { run_id: number };
}
const resultsOf = async (run: number) => (await work.as.qa<One>('GET', `/test-runs/${run}/ci-results`)).body.data;

test.each([
  ['Timeout 30000ms waiting for #pay-status', 'timeout 5000ms waiting for #pay-status'],
  ['GET http://localhost:4711/api/7 failed: 500', 'GET https://ci.example.com/api/19 failed: 502'],
  ['No user 3f2b8c1e-0000-4000-8000-1234567890ab', 'No user aaaaaaaa-1111-4111-8111-bbbbbbbbbbbb'],
  ['at 0x7ffee3 after 1.5 s', 'at 0x00ab after 12.25 s\n  in line 7'],
])('%j and %j are one cause', (one, other) => {
  expect(causeOf(one)).toBe(causeOf(other));
});
test('other words are another cause', () => {
  expect(causeOf('expected "Settled", received "Pending"')).not.toBe(causeOf('expected "Settled", received "Failed"'));
  expect(causeOf(null)).toBe('');
});

test('what failed in a build, and what is new since the last run of the branch; quarantine hides nothing', async () => {
  const [suite, branch] = [fresh('suite'), fresh('branch')];
  await send(junit(suite, { pays: failed('Timeout 100ms'), ships: '', counts: '' }), { branch });
  // A run of another branch is not the one before.
  await send(junit(suite, { pays: '', ships: failed('Timeout 100ms'), counts: '' }), { branch: fresh('other') });
  const { run_id } = await send(
    junit(suite, {
      pays: failed('Timeout 200ms'),
      ships: failed('Timeout 300ms'),
      counts: '',
      opens: failed('No page'),
    }),
    { branch },
  );
  const [, ships] = await storedTests(work, run_id);
  const until = { quarantined_until: '2090-01-01', quarantine_reason: 'Slow' };
  expect((await work.as.qa('PUT', `/automated-tests/${ships!.test.id}`, until)).status).toBe(200);
  const { previous, counts, results } = await resultsOf(run_id);
  expect(previous).toMatchObject({ key: expect.stringMatching(/^R-\d+$/) as string });
  expect(counts).toMatchObject({ passed: 1, failed: 3, flaky: 0 });
  expect(results).toMatchObject([
    {
      name: 'pays',
      is_new: false,
      cause: 'timeout <n>ms',
      message: 'Timeout 200ms',
      test: { suite, quarantined_until: null },
    },
    { name: 'ships', is_new: true, cause: 'timeout <n>ms', test: { quarantined_until: '2090-01-01' } },
    { name: 'opens', is_new: true, cause: 'no page', test_case: null },
  ]);
  const gate = await work.as.qa<One>('GET', `/test-runs/${run_id}/gate?condition={"failed_new":1}`);
  expect(gate.body.data).toEqual({ ok: true, failed: [], problems: [] });
  // A quarantine that ended counts again.
  const { kysely } = work.program.program.database;
  await kysely
    .withSchema('public')
    .updateTable('automated_tests')
    .set({ quarantined_until: '2020-01-01' })
    .where('id', '=', ships!.test.id)
    .execute();
  const later = await work.as.qa<One>('GET', `/test-runs/${run_id}/gate?condition={"failed_new":1}`);
  expect(later.body.data).toMatchObject({ ok: false, failed: [{ name: 'failed_new', limit: 1, actual: 2 }] });
  expect((await resultsOf(run_id)).results[1].test.quarantined_until).toBeNull();
});

test('tests have their last runs and how flaky they are; test cases have those of their tests beside their own', async () => {
  const suite = fresh('suite');
  const testCase = await work.make('owner', 'test-cases', { name: fresh('Case'), project_id: work.open });
  const key = fresh('build');
  const content = { [`pays ${testCase.key as string}`]: '' };
  await send(junit(suite, content));
  await send(junit(suite, { [`pays ${testCase.key as string}`]: failed('x') }), { run_key: key, shard: '1' });
  const { run_id } = await send(junit(suite, content), { run_key: key, shard: '1', attempt: '2' });
  const [stored] = await storedTests(work, run_id);
  const own = (await work.as.qa<One>('GET', `/automated-tests/${stored!.test.id}`)).body.data;
  expect(own).toMatchObject({
    recent: [{ result: 'passed' }, { result: 'flaky' }],
    runs: 2,
    flakiness: 50,
    is_unstable: true,
  });
  const listed = await work.as.qa<Many>('GET', `/automated-tests?is_unstable=1&q=${testCase.key as string}`);
  expect(listed.body.data).toMatchObject([
    { id: stored!.test.id, recent: [{ result: 'passed' }, { result: 'flaky' }] },
  ]);
  const run = await work.make('qa', 'test-runs', { name: fresh('Run'), project_id: work.open });
  await work.as.qa('POST', `/test-runs/${run.id}/tests`, { test_cases: [testCase.id] });
  const [entry] = (await work.as.qa<Many>('GET', `/run-entries?run_id=${run.id}`)).body.data;
  await work.as.qa('PUT', `/run-entries/${entry!.id}/result`, { result: 'blocked' });
  const results = [{ result: 'passed' }, { result: 'flaky' }, { result: 'blocked' }];
  const inList = await work.as.qa<Many>('GET', `/test-cases?q=${testCase.key as string}&fields=key,recent_results`);
  expect(inList.body.data.find(({ id }) => id === testCase.id)).toMatchObject({ recent_results: results });
  expect((await work.as.qa<One>('GET', `/test-cases/${testCase.id}`)).body.data.recent_results).toMatchObject(results);
  // Clients see test cases of their projects, and no results.
  const external = await work.as.external<One>('GET', `/test-cases/${testCase.id}`);
  expect(external.status).toBe(200);
  expect(external.body.data.recent_results).toBeUndefined();
});

test('a case from a test in one click, several at once; a case that is there stays', async () => {
  const suite = fresh('suite');
  const { run_id } = await send(junit(suite, { 'pays by card': '', 'ships abroad': '', 'counts stock': '' }));
  const [one, two, three] = (await storedTests(work, run_id)).map((stored) => stored.test.id);
  const own = await work.make('owner', 'test-cases', {
    name: fresh('Own'),
    project_id: work.open,
    expected_result: 'Mine',
  });
  await work.as.qa('PUT', `/automated-tests/${one}`, { test_case_id: own.id });
  const make = (tests: unknown) =>
    work.as.qa<{ data: { created: Row[]; kept: number[] } }>('POST', '/automated-tests/test-cases', { tests });
  const twice = await Promise.all([make([one, two, three]), make([three, two])]);
  expect(twice.map(({ status }) => status)).toEqual([200, 200]);
  expect(
    twice
      .flatMap(({ body }) => body.data.created)
      .map(({ automated_test_id }) => automated_test_id as number)
      .toSorted(),
  ).toEqual([two, three].toSorted());
  const made = (await work.as.qa<One>('GET', `/automated-tests/${two}`)).body.data;
  const created = (await work.as.qa<One>('GET', `/test-cases/${made.test_case_id}`)).body.data;
  expect(created).toMatchObject({ name: 'ships abroad', project_id: work.open });
  expect((await work.as.qa<One>('GET', `/automated-tests/${one}`)).body.data.test_case_id).toBe(own.id);
  expect((await work.as.qa<One>('GET', `/test-cases/${own.id}`)).body.data.expected_result).toBe('Mine');
  expect((await make([two, 999_999])).status).toBe(422);
  expect((await make([])).status).toBe(422);
  const alike = await work.as.qa<{ data: Row[] }>('GET', `/automated-tests/${two}/similar-cases`);
  expect(alike.body.data[0]).toMatchObject({ id: created.id, similarity: 100 });
  const found = await work.as.qa<{ data: Row[] }>(
    'GET',
    `/automated-tests/${two}/similar-cases?q=${own.key as string}`,
  );
  expect(found.body.data.map(({ id }) => id)).toContain(own.id);
});

test('each role and another company, for every call', async () => {
  const statuses: Record<string, number[]> = {};
  for (const by of ['owner', 'manager', 'developer', 'qa', 'external', 'harbour'] as const) {
    const { run_id } = await send(junit(fresh('suite'), { 'is secret': failed('x') }));
    const [stored] = await storedTests(work, run_id);
    statuses[by] = [
      (await work.as[by]('GET', `/test-runs/${run_id}/ci-results`)).status,
      (await work.as[by]('GET', `/automated-tests/${stored!.test.id}/similar-cases`)).status,
      (await work.as[by]('POST', '/automated-tests/test-cases', { tests: [stored!.test.id] })).status,
    ];
  }
  for (const by of ['owner', 'manager', 'developer', 'qa']) expect(statuses[by], by).toEqual([200, 200, 200]);
  expect(statuses).toMatchObject({ external: [403, 403, 403], harbour: [404, 404, 422] });
});

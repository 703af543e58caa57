import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWork, type Row, type Work } from './work';

// The smallest picture.
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

type One = { data: Row; message?: string; code?: string };

let made = 0;
const signIn = [
  { action: 'Open the sign-in page', expected: 'It asks for the email' },
  { action: 'Enter the account', data: 'ada@example.com', expected: 'The dashboard opens' },
];
const makeShared = (change: object = {}) =>
  work.make('qa', 'shared-steps', { name: `Sign in ${++made}`, steps: signIn, ...change });
const makeCase = (steps: object[], change: object = {}) =>
  work.make('owner', 'test-cases', { name: `Case ${++made}`, project_id: work.open, steps, ...change });
const pay = { action: 'Press Pay', expected: 'One charge' };

/** A run with one test of a case. */
async function runOf(testCase: Row): Promise<Row> {
  const run = await work.make('qa', 'test-runs', { name: `Run ${++made}`, project_id: work.open });
  await work.as.qa('POST', `/test-runs/${run.id}/tests`, { test_cases: [testCase.id] });
  return (await work.as.qa<{ data: Row[] }>('GET', `/run-entries?run_id=${run.id}`)).body.data[0]!;
}

test('shared steps have keys, are found by their words, and say where they are used', async () => {
  const shared = await makeShared({ steps: [{ action: 'Unlock the quokka drawer' }] });
  expect(shared.key).toMatch(/^SS-\d+$/);
  const used = await makeCase([{ shared_id: shared.id }, pay]);
  const { body } = await work.as.qa<{ data: Row[] }>('GET', '/shared-steps?q=quokka');
  expect(body.data).toMatchObject([{ id: shared.id, steps_count: 1, used_in_count: 1 }]);
  const one = await work.as.qa<One>('GET', `/shared-steps/${shared.id}`);
  expect(one.body.data.used_in).toMatchObject([{ id: used.id, key: used.key, name: used.name }]);
  const listed = await work.as.qa<{ data: Row[] }>('GET', `/test-cases?shared_steps=${shared.id}`);
  expect(listed.body.data.map(({ id }) => id)).toEqual([used.id]);
});

test('the search finds test cases by the words of the shared steps that they use, of one company alone', async () => {
  const steps = [{ action: 'Feed the axolotl', expected: 'It waves' }];
  const [everywhere, hidden] = [await makeShared({ steps }), await makeShared({ steps, project_id: work.closed })];
  const seen = await makeCase([{ shared_id: everywhere.id }, pay]);
  const unseen = await makeCase([{ shared_id: hidden.id }], { project_id: work.closed });
  const found = async (account: 'qa' | 'external' | 'harbour') => {
    const path = '/search?q=axolotl&resources=test-cases';
    const { body } = await work.as[account]<{ data: Row[] }>('GET', path);
    return body.data.map(({ id, matched }) => [id, matched]).toSorted();
  };
  const [one, other] = [seen, unseen].map(({ id }) => [id, 'text']);
  expect(await found('qa')).toEqual([one, other].toSorted());
  expect(await found('external')).toEqual([one]);
  expect(await found('harbour')).toEqual([]);
});

test('a run keeps shared steps as they were, says that they changed, and takes the new ones', async () => {
  const shared = await makeShared();
  const entry = await runOf(await makeCase([{ shared_id: shared.id }, pay]));
  const { body: before } = await work.as.qa<One>('GET', `/run-entries/${entry.id}`);
  expect(before.data.pinned.steps).toEqual([...signIn, pay]);
  const same = await work.as.qa<One>('GET', `/run-entries/${entry.id}/version`);
  expect(same.body.data.changed).toEqual([]);

  const other = [{ action: 'Use the passkey', expected: 'The dashboard opens' }];
  expect((await work.as.qa('PUT', `/shared-steps/${shared.id}`, { steps: other })).status).toBe(200);
  const { body: kept } = await work.as.qa<One>('GET', `/run-entries/${entry.id}`);
  expect(kept.data.pinned.steps).toEqual([...signIn, pay]);
  const { body: version } = await work.as.qa<One>('GET', `/run-entries/${entry.id}/version`);
  expect(version.data).toMatchObject({ changed: ['steps'], current: { steps: [...other, pay] } });
  const taken = await work.as.qa<One>('POST', `/run-entries/${entry.id}/version`);
  expect(taken.body.data.pinned.steps).toEqual([...other, pay]);
});

test('a title alone and detached steps are no change of what is tested', async () => {
  const shared = await makeShared();
  const testCase = await makeCase([{ shared_id: shared.id }, pay]);
  const entry = await runOf(testCase);
  await work.as.qa('PUT', `/shared-steps/${shared.id}`, { name: 'Sign in, renamed' });
  const detached = await work.as.owner<One>('PUT', `/test-cases/${testCase.id}`, { steps: [...signIn, pay] });
  expect(detached.status).toBe(200);
  const { body } = await work.as.qa<One>('GET', `/run-entries/${entry.id}/version`);
  expect(body.data.changed).toEqual([]);
  expect((await work.as.qa('DELETE', `/shared-steps/${shared.id}`)).status).toBeLessThan(300);
});

test('visitors of a public link read the steps themselves', async () => {
  const shared = await makeShared();
  const testCase = await makeCase([pay, { shared_id: shared.id }]);
  const { body } = await work.as.owner<One>('POST', `/test-cases/${testCase.id}/share`);
  const link = { sharable_link: body.data.sharable_link };
  const seen = await work.program.call<One>('POST', '/sharable-test-case', link);
  expect(seen.body.data.steps).toEqual([pay, ...signIn]);
  expect(JSON.stringify(seen.body)).not.toContain(shared.name);
});

test('those who are not on the project of shared steps neither see nor insert them', async () => {
  const [ours, theirs, everywhere] = [
    await makeShared({ project_id: work.open }),
    await makeShared({ project_id: work.closed }),
    await makeShared(),
  ];
  const status = async (id: number) => (await work.as.external('GET', `/shared-steps/${id}`)).status;
  expect([await status(ours.id), await status(theirs.id), await status(everywhere.id)]).toEqual([200, 404, 200]);
  const insert = (shared: Row) =>
    work.as.external('POST', '/test-cases', {
      name: `Case ${++made}`,
      project_id: work.open,
      steps: [{ shared_id: shared.id }],
    });
  expect((await insert(theirs)).status).toBe(422);
  expect((await insert(ours)).status).toBe(201);
  expect((await work.as.external('PUT', `/shared-steps/${ours.id}`, { name: 'Mine' })).status).toBe(403);
  expect((await work.as.developer('PUT', `/shared-steps/${ours.id}`, { name: 'Mine' })).status).toBe(403);
  expect((await work.as.harbour('GET', `/shared-steps/${ours.id}`)).status).toBe(404);
});

test('shared steps that are used are not deleted', async () => {
  const shared = await makeShared();
  const testCase = await makeCase([{ shared_id: shared.id }]);
  const refused = await work.as.qa<One>('DELETE', `/shared-steps/${shared.id}`);
  expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT_REFERENCED' } });
  expect(refused.body.message).toBe('Shared Steps is used by 1 test case.');
  expect((await work.as.owner<One>('GET', `/test-cases/${testCase.id}`)).body.data.steps).toHaveLength(1);
});

test.each(['testrail', 'qase', 'xray'])('files for other programs have the steps themselves: %s', async (format) => {
  const shared = await makeShared();
  const testCase = await makeCase([{ shared_id: shared.id }, pay]);
  const { body } = await work.as.owner<string>('GET', `/test-cases-export?format=${format}&id=${testCase.id}`);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  for (const { action } of [...signIn, pay]) expect(text).toContain(action);
});

test('text with marks, and hostile text, is stored, kept by runs and shared as it was typed', async () => {
  const marked = {
    action: 'Press **Pay** on [the page](https://example.com/a?b=1&c=<2>), not _Back_\nand `a*b` \\ ![shot](shot.png)',
    data: '<img src=x onerror=alert(1)> &lt; **** **** 1234 *.txt [x](javascript:alert(1))',
    expected: '**<script>alert(1)</script>**',
  };
  const testCase = await makeCase([marked]);
  expect((await work.as.owner<One>('GET', `/test-cases/${testCase.id}`)).body.data.steps).toMatchObject([marked]);
  const entry = await runOf(testCase);
  expect((await work.as.qa<One>('GET', `/run-entries/${entry.id}`)).body.data.pinned.steps).toEqual([marked]);
  const { body } = await work.as.owner<One>('POST', `/test-cases/${testCase.id}/share`);
  const link = { sharable_link: body.data.sharable_link };
  expect((await work.program.call<One>('POST', '/sharable-test-case', link)).body.data.steps).toEqual([marked]);
  // Stored again it is no change.
  expect((await work.as.owner('PUT', `/test-cases/${testCase.id}`, { steps: [marked] })).status).toBe(200);
  const { body: version } = await work.as.qa<One>('GET', `/run-entries/${entry.id}/version`);
  expect(version.data.changed).toEqual([]);
});

test('visitors see the pictures that steps show, and no other attachment', async () => {
  const testCase = await makeCase([{ action: 'Compare with ![the sheet](sheet.png)' }]);
  const form = new FormData();
  for (const name of ['sheet.png', 'secret.png']) form.append('attachments', new Blob([new Uint8Array(png)]), name);
  const message = new Response(form);
  const sent = await work.as.owner('PUT', `/test-cases/${testCase.id}`, Buffer.from(await message.arrayBuffer()), {
    'content-type': message.headers.get('content-type')!,
  });
  expect(sent.status).toBe(200);
  const { body } = await work.as.owner<One>('POST', `/test-cases/${testCase.id}/share`);
  const link = { sharable_link: body.data.sharable_link };
  const seen = (await work.program.call<One>('POST', '/sharable-test-case', link)).body.data;
  expect(seen.pictures).toEqual([{ name: 'sheet.png', url: expect.stringMatching(/^\/api\/files\//) as string }]);
  expect(JSON.stringify(seen)).not.toContain('secret.png');
  expect((await work.program.app.inject({ url: seen.pictures[0].url })).rawPayload).toEqual(Buffer.from(png));
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWork, type Row, type Work } from '../work';
import { storedTests, upload, type ResultFile } from './upload';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

let made = 0;
const fresh = (text: string) => `${text} ${++made}`;
const failure = '<failure message="boom">x</failure>';

/** A report of one suite with a test that passes, or has this content. */
const report = (suite: string, name: string, content = ''): ResultFile => [
  `${suite}.xml`,
  `<testsuite name="${suite}"><testcase classname="${suite}" name="${name}">${content}</testcase></testsuite>`,
];
const runOf = async (id: number): Promise<Row> =>
  (await work.as.qa<{ data: Row }>('GET', `/test-runs/${id}`)).body.data;
const gateOf = async (id: number, condition: object) =>
  (
    await work.as.qa<{ data: { ok: boolean; problems: string[] } }>(
      'GET',
      `/test-runs/${id}/gate?condition=${encodeURIComponent(JSON.stringify(condition))}`,
    )
  ).body.data;
/** Sends files that are accepted; answers the id of their run. */
async function send(files: readonly ResultFile[], values: Record<string, string> = {}): Promise<number> {
  const { status, body } = await upload(work, files, values);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.run_id!;
}

describe('a part of a run', () => {
  test('with other content is refused, and stored under a name of its own', async () => {
    const run_key = fresh('Build');
    const run = await send([report('unit', 'a')], { run_key });
    const second = await upload(work, [report('e2e', 'checkout', failure)], { run_key });
    expect(second).toMatchObject({ status: 409, body: { code: 'PART_EXISTS' } });
    expect(second.body.message).toMatch(/"part".*"attempt" 2/);
    expect(await gateOf(run, { failed: 0 })).toMatchObject({ ok: true });
    await send([report('e2e', 'checkout', failure)], { run_key, part: 'e2e' });
    expect(await gateOf(run, { failed: 0 })).toMatchObject({ ok: false });
  });

  test('with the same content is a repetition, in whichever order its files are sent', async () => {
    const values = { run_key: fresh('Build'), part: 'unit' };
    const files = [report('one', 'a'), report('two', 'b')];
    const run = await send(files, values);
    const again = await upload(work, files.toReversed(), values);
    expect(again).toMatchObject({ status: 200, body: { data: { run_id: run, repeated: true } } });
  });

  test('that the build repeats adds attempts; an earlier attempt does not come back', async () => {
    const values = { run_key: fresh('Build'), part: 'job' };
    const run = await send([report('J', 't', '<failure message="infra"/>')], { ...values, attempt: '7' });
    await send([report('J', 't')], { ...values, attempt: '9' });
    expect(await runOf(run)).toMatchObject({ tests: 1, failed: 0, flaky: 1 });
    expect(await gateOf(run, { failed: 0 })).toMatchObject({ ok: true });
    const late = await upload(work, [report('J', 'other')], { ...values, attempt: '8' });
    expect(late).toMatchObject({ status: 409, body: { code: 'PART_EXISTS' } });
    const invalid = await upload(work, [report('J', 'other')], { ...values, attempt: '0' });
    expect(invalid).toMatchObject({
      status: 422,
      body: { errors: { attempt: expect.stringContaining('from 1 on') as unknown } },
    });
  });
});

describe('the same test twice in one run', () => {
  const failed = report('Shop', 'pays', failure);
  const passed = report('Shop', 'pays');

  test.each<[string, (values: Record<string, string>) => Promise<number>]>([
    [
      'in two parts, the failed one first',
      async (values) => {
        await send([failed], { ...values, part: 'linux' });
        return send([passed], { ...values, part: 'windows' });
      },
    ],
    [
      'in two parts, the passed one first',
      async (values) => {
        await send([passed], { ...values, part: 'windows' });
        return send([failed], { ...values, part: 'linux' });
      },
    ],
    ['in one upload', (values) => send([failed, passed], values)],
  ])('is two executions: %s', async (_, store) => {
    const run = await store({ run_key: fresh('Build') });
    expect(await runOf(run)).toMatchObject({ tests: 2, failed: 1, passed: 1, flaky: 0 });
    expect(await gateOf(run, { failed: 0 })).toMatchObject({ ok: false });
  });

  test('a part is its configuration, in every run and whichever came first', async () => {
    const branch = fresh('branch');
    const runs = [];
    for (const parts of [
      ['linux', 'windows'],
      ['windows', 'linux'],
    ]) {
      const run_key = fresh('Build');
      for (const part of parts) runs.push(await send([part === 'linux' ? failed : passed], { run_key, part, branch }));
    }
    const stored = await storedTests(work, runs.at(-1)!);
    const configurations = await work.rows('configurations');
    const shown = stored.map(({ entry }) => [
      configurations.find(({ id }) => id === entry.configuration_id)?.name,
      entry.result,
    ]);
    expect(shown.toSorted()).toEqual([
      ['linux', 'failed'],
      ['windows', 'passed'],
    ]);
    expect(new Set(stored.map(({ test: { id } }) => id)).size).toBe(1);
    expect(stored[0]!.test.last_result).toBe('failed');
    // It had failed on the same configuration before.
    expect(await gateOf(runs.at(-1)!, { failed_new: 0 })).toMatchObject({ ok: true });
  });

  test('on one configuration of two parts the worse one counts, and a repetition is that of its part', async () => {
    const values = { run_key: fresh('Build'), configuration: 'Chrome' };
    const run = await send([failed], { ...values, part: 'a' });
    await send([passed], { ...values, part: 'b' });
    expect(await runOf(run)).toMatchObject({ tests: 1, failed: 1, flaky: 0 });
    await send([passed], { ...values, part: 'a', attempt: '2' });
    expect(await runOf(run)).toMatchObject({ tests: 1, failed: 0, flaky: 1 });
  });

  test('parts without a common test need no configuration', async () => {
    const run_key = fresh('Build');
    await send([report('A', 'one')], { run_key, part: '1/2 of nothing common' });
    const run = await send([report('A', 'two')], { run_key, part: '2/2 of nothing common' });
    expect((await storedTests(work, run)).map(({ entry }) => entry.configuration_id)).toEqual([null, null]);
  });
});

describe('a test is found again', () => {
  const suites = (order: readonly string[], classname: string): ResultFile => [
    'jest.xml',
    `<testsuites>${order
      .map((name) => {
        const content = name.endsWith('b.test.js') ? failure : '';
        return `<testsuite name="${name}"><testcase${classname} name="renders">${content}</testcase></testsuite>`;
      })
      .join('')}</testsuites>`,
  ];

  test.each([
    ['an empty class', ' classname=""'],
    ['no class', ''],
    ['the same class', ' classname="App"'],
  ])('in its suite, whichever order the suites have: %s', async (_, classname) => {
    const branch = fresh('branch');
    const names = [`tests/${branch}/a.test.js`, `tests/${branch}/b.test.js`];
    const first = await storedTests(work, await send([suites(names, classname)], { branch }));
    const run = await send([suites(names.toReversed(), classname)], { branch });
    const second = await storedTests(work, run);
    expect(second.map(({ test: { id } }) => id)).toEqual(first.map(({ test: { id } }) => id).toReversed());
    expect(second.map(({ entry: { name } }) => name)).toEqual(['renders', 'renders']);
    expect(await gateOf(run, { failed_new: 0 })).toMatchObject({ ok: true });
    if (classname !== ' classname="App"') expect(first.map(({ test: { suite } }) => suite)).toEqual(names);
  });

  test('under the identity that an earlier version gave it', async () => {
    const name = fresh('known');
    const [before] = await storedTests(work, await send([report('Old', name)]));
    const { createHash } = await import('node:crypto');
    const former = createHash('sha256')
      .update(JSON.stringify([null, 'Old', name, null]))
      .digest('hex');
    const { kysely } = work.program.program.database;
    await kysely
      .withSchema('public')
      .updateTable('automated_tests')
      .set({ identity: former })
      .where('id', '=', before!.test.id)
      .execute();
    const [after] = await storedTests(work, await send([report('Old', name)]));
    expect(after!.test.id).toBe(before!.test.id);
    expect(after!.test.identity).toBe(before!.test.identity);
  });
});

test('uploads that bring the same configuration at once are all stored', async () => {
  const configuration = fresh('Opera');
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => upload(work, [report('Six', `test ${index}`)], { configuration })),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
  const named = (await work.rows('configurations')).filter(({ name }) => name === configuration);
  expect(named).toHaveLength(1);
});

test('an upload of the same tests does not wait until a large one is stored', async () => {
  const suite = fresh('Large');
  const large: ResultFile = [
    'large.xml',
    `<testsuite name="${suite}">${Array.from(
      { length: 6_000 },
      (_, index) => `<testcase classname="${suite}" name="t${index}"/>`,
    ).join('')}</testsuite>`,
  ];
  const order: string[] = [];
  const first = upload(work, [large]).then(({ status }) => order.push(`large ${status}`));
  const { kysely } = work.program.program.database;
  for (let count = 0; count === 0;) {
    const from = kysely.withSchema('public').selectFrom('automated_tests').where('suite', '=', suite);
    count = Number((await from.select((eb) => eb.fn.countAll<string>().as('count')).executeTakeFirstOrThrow()).count);
  }
  const second = upload(work, [report(suite, 't7', failure)]).then(({ status }) => order.push(`small ${status}`));
  await Promise.all([first, second]);
  expect(order).toEqual(['small 201', 'large 201']);
});

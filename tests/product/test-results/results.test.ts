import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWork, type Account, type Row, type Work } from '../work';
import { archiveOf, storedTests, upload, type Outcome, type ResultFile } from './upload';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

type One = { data: Row };
type Many = { data: Row[] };

let made = 0;
/** A name that no other test uses. */
const fresh = (text: string) => `${text} ${++made}`;

/** A JUnit file of one suite; a test is passed unless it says what is in it. */
function junit(suite: string, tests: readonly (string | [name: string, content: string])[]): ResultFile {
  const cases = tests.map((one) => {
    const [name, content] = typeof one === 'string' ? [one, ''] : one;
    return `<testcase classname="${suite}" name="${name}" time="0.5">${content}</testcase>`;
  });
  return ['junit.xml', `<testsuite name="${suite}">${cases.join('\n')}</testsuite>`];
}
const failure = '<failure message="wrong">wrong</failure>';

/** Uploads and answers what was stored; fails otherwise. */
async function send(
  files: readonly ResultFile[],
  values: Record<string, string> = {},
): Promise<Outcome & { run_id: number }> {
  const { status, body } = await upload(work, files, values);
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body.data as Outcome & { run_id: number };
}
const runOf = async (id: number): Promise<Row> => (await work.as.qa<One>('GET', `/test-runs/${id}`)).body.data;
/** The first of a list that is not empty. */
const required = <T>(list: readonly T[]): [T] => {
  expect(list).not.toEqual([]);
  return [list[0]!];
};
/** How many rows the tables of results have. */
async function counts(): Promise<Record<string, number>> {
  const { kysely } = work.program.program.database;
  const found: Record<string, number> = {};
  for (const table of ['test_runs', 'run_entries', 'attempts', 'automated_tests', 'configurations', 'history']) {
    const from = kysely.withSchema(table === 'history' ? 'assay' : 'public').selectFrom(table);
    const { count } = await from.select((eb) => eb.fn.countAll<string>().as('count')).executeTakeFirstOrThrow();
    found[table] = Number(count);
  }
  return found;
}

describe('targets of an upload', () => {
  test('a run with what the upload says; project, configuration and milestone by id or name', async () => {
    const milestone = await work.make('owner', 'milestones', { name: fresh('Release'), project_id: work.open });
    const configuration = fresh('Firefox');
    const run = await runOf(
      (
        await send([junit('a', ['one'])], {
          project: 'stp',
          name: 'Nightly',
          branch: 'main',
          commit: 'abc123',
          build_url: 'https://ci.example.com/7',
          milestone: milestone.name.toLowerCase(),
          configuration,
        })
      ).run_id,
    );
    expect(run).toMatchObject({
      name: 'Nightly',
      project_id: work.open,
      milestone_id: milestone.id,
      branch: 'main',
      commit: 'abc123',
      build_url: 'https://ci.example.com/7',
      source: 'machines',
      state: 'open',
      tests: 1,
      passed: 1,
    });
    const again = await send([junit('a', ['one'])], { configuration: configuration.toUpperCase() });
    const [{ entry }] = required(await storedTests(work, again.run_id));
    const byId = await send([junit('a', ['one'])], { configuration: String(entry.configuration_id) });
    const [other] = await storedTests(work, byId.run_id);
    expect(other!.entry.configuration_id).toBe(entry.configuration_id);
    expect((await runOf(byId.run_id)).name).toBe('Automated tests');
  });

  test('tests are found again by where they are in the code, and keep their record', async () => {
    const suite = fresh('suite');
    const first = await send([junit(suite, ['one', 'two'])]);
    const second = await send([junit(suite, ['two', ['one', failure], 'three'])]);
    const [before, after] = [await storedTests(work, first.run_id), await storedTests(work, second.run_id)];
    expect(after.map(({ test }) => test.id).slice(0, 2)).toEqual([before[1]!.test.id, before[0]!.test.id]);
    expect(after.map(({ entry }) => entry.result)).toEqual(['passed', 'failed', 'passed']);
    expect(second.totals).toMatchObject({ tests: 3, passed: 2, failed: 1 });
  });

  test('an id in the code outlives a new name, class and file; the record follows', async () => {
    const id = `ID-${++made}`;
    const withId = (suite: string, name: string): ResultFile =>
      junit(suite, [[name, `<properties><property name="test_id" value="${id}"/></properties>`]]);
    const first = await send([withId('old.Suite', 'old name')]);
    const second = await send([withId('new.Suite', 'new name')]);
    const [[before], [after]] = [await storedTests(work, first.run_id), await storedTests(work, second.run_id)];
    expect(after!.test).toMatchObject({ id: before!.test.id, name: 'new name', suite: 'new.Suite' });
    expect(second.proposals).toBe(0);
  });

  test('the key of a test case links it, once: who links it to another case is not overruled', async () => {
    const [one, other] = [
      await work.make('owner', 'test-cases', { name: fresh('Case'), project_id: work.open }),
      await work.make('owner', 'test-cases', { name: fresh('Case'), project_id: work.open }),
    ];
    const elsewhere = await work.make('owner', 'test-cases', { name: fresh('Case'), project_id: work.closed });
    const file = junit(fresh('linked'), [`pays ${one.key.toLowerCase()}`, `ships (${elsewhere.key})`, 'plain']);
    const first = await send([file]);
    expect(first).toMatchObject({ linked: 1, unlinked: 2 });
    const [{ test: found }] = required(await storedTests(work, first.run_id));
    expect(found.test_case_id).toBe(one.id);
    expect((await work.as.qa('PUT', `/automated-tests/${found.id}`, { test_case_id: other.id })).status).toBe(200);
    expect(await send([file])).toMatchObject({ linked: 1, unlinked: 2 });
    const { body } = await work.as.qa<One>('GET', `/automated-tests/${found.id}`);
    expect(body.data.test_case_id).toBe(other.id);
  });

  test('new tests that are called like ones that are missing are counted as proposals', async () => {
    const suite = fresh('renamed');
    const branch = fresh('branch');
    await send([junit(suite, ['pays with a credit card', 'ships abroad'])], { branch });
    const { proposals } = await send([junit(suite, ['pays with credit cards', 'ships abroad', 'something else'])], {
      branch,
    });
    expect(proposals).toBe(1);
  });
});

describe('parts of one run', () => {
  test('the same part again stores nothing, also of a closed run; other parts add to it', async () => {
    const suite = fresh('shards');
    const values = { run_key: fresh('Build'), shard: '1/2' };
    const first = await send([junit(suite, ['one', ['two', failure]])], values);
    const stored = await counts();
    const repeated = await upload(work, [junit(suite, ['one', ['two', failure]])], values);
    expect(repeated.status).toBe(200);
    expect(repeated.body.data).toEqual({ ...first, repeated: true });
    expect(await counts()).toEqual(stored);
    const second = await send([junit(suite, ['three'])], {
      ...values,
      shard: '2/2',
      run_key: values.run_key.toUpperCase(),
    });
    expect(second).toMatchObject({ run_id: first.run_id, repeated: false, totals: { tests: 1, passed: 1 } });
    expect(await runOf(first.run_id)).toMatchObject({ tests: 3, passed: 2, failed: 1 });
    const closing = await work.as.manager('PATCH', `/test-runs-state-closed/${first.run_id}`);
    expect(closing.status, JSON.stringify(closing.body)).toBe(200);
    const afterwards = await upload(work, [junit(suite, ['one', ['two', failure]])], values);
    expect(afterwards.body.data).toMatchObject({ repeated: true });
    const late = await upload(work, [junit(suite, ['four'])], { ...values, shard: '3' });
    expect(late.status).toBe(409);
    expect(late.body.message).toMatch(/closed/);
  });

  test('without a shard the run key alone is the part; without a run key every upload is a run', async () => {
    const file = junit(fresh('plain'), ['one']);
    const run_key = fresh('Build');
    const first = await send([file], { run_key });
    expect(await send([file], { run_key })).toMatchObject({ run_id: first.run_id, repeated: true });
    const [one, other] = [await send([file], { shard: '1' }), await send([file], { shard: '1' })];
    expect(one.run_id).not.toBe(other.run_id);
    expect(other.repeated).toBe(false);
  });

  test('the same key in another project is another run', async () => {
    const file = junit(fresh('plain'), ['one']);
    const run_key = fresh('Build');
    const one = await send([file], { run_key });
    const other = await send([file], { run_key, project: String(work.closed) });
    expect(other).toMatchObject({ repeated: false });
    expect(other.run_id).not.toBe(one.run_id);
  });

  test('parts that arrive at once, some twice, and with the same tests: one run, and nothing doubled', async () => {
    const suite = fresh('parallel');
    const run_key = fresh('Build');
    const names = Array.from({ length: 60 }, (_, index) => `test ${index}`);
    const parts = [0, 1, 2, 3].flatMap((part) => [part, part]);
    const answers = await Promise.all(
      parts.map((part) => {
        const own = names.slice(part * 15, part * 15 + 15);
        const order = part % 2 === 0 ? ['shared', ...own] : [...own.toReversed(), 'shared'];
        return upload(work, [junit(suite, order)], { run_key, shard: String(part) });
      }),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 201, 201, 201, 201]);
    const runs = new Set(answers.map(({ body }) => body.data.run_id));
    expect(runs.size).toBe(1);
    const stored = await storedTests(work, [...runs][0]!);
    const shared = ['shared', 'shared', 'shared', 'shared'];
    expect(stored.map(({ entry }) => entry.name).toSorted()).toEqual([...shared, ...names].toSorted());
    const ofShared = stored.filter(({ entry }) => entry.name === 'shared');
    expect(ofShared.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1]);
    expect(new Set(ofShared.map(({ entry }) => entry.configuration_id)).size).toBe(4);
    expect(stored.flatMap(({ attempts }) => attempts)).toHaveLength(64);
    expect(new Set(stored.map(({ entry }) => entry.position)).size).toBe(64);
  });

  test('the same tests at once in runs of their own are one record each', async () => {
    const suite = fresh('at once');
    const names = Array.from({ length: 40 }, (_, index) => `test ${index}`);
    const outcomes = await Promise.all([names, names.toReversed()].map((order) => send([junit(suite, order)])));
    const ids = await Promise.all(
      outcomes.map(async ({ run_id }) => (await storedTests(work, run_id)).map(({ test: { id } }) => id).toSorted()),
    );
    expect(ids[0]).toEqual(ids[1]);
  });

  test('a failure and a success of a repeated part is flaky; every attempt is kept', async () => {
    const suite = fresh('again');
    const values = { run_key: fresh('Build'), part: 'unit' };
    const { run_id } = await send([junit(suite, [['one', failure], 'two'])], values);
    const next = await send([junit(suite, ['one'])], { ...values, attempt: '2' });
    // The answer tells of its own part; the run, of all.
    expect(next.totals).toMatchObject({ tests: 1, passed: 1, flaky: 0 });
    expect(await runOf(run_id)).toMatchObject({ tests: 2, passed: 1, flaky: 1, failed: 0 });
    const [one] = await storedTests(work, run_id);
    expect(one!.attempts.map(({ result, shard }) => [result, shard])).toEqual([
      ['failed', 'unit'],
      ['passed', 'unit'],
    ]);
  });

  test('files of several formats in one upload', async () => {
    const answer = await send(['junit-pytest.xml', 'tap-perl.tap', 'ctrf-jest.json']);
    expect(answer.files.map(({ format }) => format)).toEqual(['JUnit XML', 'TAP', 'CTRF']);
    expect(answer.totals.tests).toBe(14);
  });

  test('the same file twice in one upload is two tests of each name', async () => {
    const suite = fresh('twice');
    const file = junit(suite, ['one']);
    const { run_id, totals } = await send([file, file]);
    expect(totals.tests).toBe(2);
    expect((await storedTests(work, run_id)).map(({ entry }) => entry.name)).toEqual(['one', 'one (2)']);
    // And each is found again.
    const again = await send([file, file]);
    const ids = async (run: number) => (await storedTests(work, run)).map(({ test: { id } }) => id);
    expect(await ids(again.run_id)).toEqual(await ids(run_id));
  });
});

test('a request that is sent again with its key is answered with what the first one stored', async () => {
  const file = junit(fresh('key'), ['one']);
  const headers = { 'idempotency-key': `upload-${++made}` };
  const first = await upload(work, [file], {}, 'qa', headers);
  const stored = await counts();
  const second = await upload(work, [file], {}, 'qa', headers);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.data.run_id).toBe(first.body.data.run_id);
  expect(await counts()).toEqual(stored);
});

test('a dry run answers what would be stored, and stores nothing', async () => {
  const suite = fresh('dry');
  const values = { run_key: fresh('Build'), configuration: fresh('Chrome'), dry_run: '1' };
  const before = await counts();
  const { status, body } = await upload(work, [junit(suite, ['one', ['two', failure]])], values);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    run_id: null,
    dry_run: true,
    repeated: false,
    totals: { tests: 2, passed: 1, failed: 1 },
    linked: 0,
    unlinked: 2,
  });
  expect(await counts()).toEqual(before);
  expect(await send([junit(suite, ['one', ['two', failure]])], { ...values, dry_run: '0' })).toMatchObject({
    dry_run: false,
    repeated: false,
  });
});

test('what a person says of a test stays; the attempt of the machine is kept beside it', async () => {
  const suite = fresh('people');
  const run_key = fresh('Build');
  const { run_id } = await send([junit(suite, [['one', failure]])], { run_key, shard: '1' });
  const [{ entry }] = required(await storedTests(work, run_id));
  const said = await work.as.qa('PUT', `/run-entries/${entry.id}/result`, { result: 'blocked', comment: 'No server' });
  expect(said.status, JSON.stringify(said.body)).toBe(200);
  await send([junit(suite, ['one'])], { run_key, shard: '1', attempt: '2' });
  const [after] = await storedTests(work, run_id);
  expect(after!.entry).toMatchObject({ result: 'blocked', comment: 'No server' });
  expect(after!.attempts.map(({ result, source }) => `${source}: ${result}`)).toEqual([
    'machines: failed',
    'people: blocked',
    'machines: passed',
  ]);
});

test('the results that people set are listed without those of machines', async () => {
  const build = await send([junit(fresh('suite'), ['one'])]);
  const testCase = await work.make('owner', 'test-cases', { name: 'Run by hand', project_id: work.open });
  const body = { name: 'By hand', project_id: work.open, test_cases: [testCase.id] };
  const run = (await work.as.qa<{ data: Row }>('POST', '/test-runs/start', body)).body.data;
  const [{ entry }] = required(await storedTests(work, run.id));
  expect((await work.as.qa('PUT', `/run-entries/${entry.id}/result`, { result: 'passed' })).status).toBe(200);
  const path = `/run-entries?results=people&project_id=${work.open}&sort=["run_at","DESC"]&range=[0,9999]`;
  const { data } = (await work.as.qa<{ data: Row[] }>('GET', path)).body;
  expect(data[0]).toMatchObject({ id: entry.id });
  expect(data.filter((listedEntry) => listedEntry.run_id === build.run_id)).toEqual([]);
});

test('the figures of runs are those of their attempts', async () => {
  const { kysely } = work.program.program.database;
  const runs = (await kysely
    .withSchema('public')
    .selectFrom('test_runs')
    .selectAll()
    .where('site_id', '=', 1)
    .execute()) as Row[];
  const machines = runs.filter(({ source }) => source === 'machines');
  expect(machines.length).toBeGreaterThan(5);
  for (const { id } of machines) {
    const stored = await storedTests(work, id);
    const results = stored.map(({ attempts }) => {
      if (attempts.length === 0) return 'not_run';
      const person = attempts.findLast(({ source }) => source === 'people');
      if (person) return person.result as string;
      const last = attempts.at(-1)!.result as string;
      const wrong = attempts.some(({ result }) => result === 'failed' || result === 'broken');
      return last === 'passed' && wrong ? 'flaky' : last;
    });
    const count = (one: string) => results.filter((result) => result === one).length;
    // Among people, whatever did not work has failed.
    const { tests, passed, failed, skipped, flaky, blocked } = await runOf(id);
    expect({ tests, passed, failed, skipped, flaky, blocked }).toEqual({
      tests: stored.length,
      passed: count('passed'),
      failed: count('failed') + count('broken'),
      skipped: count('skipped'),
      flaky: count('flaky'),
      blocked: count('blocked'),
    });
  }
});

test('new runs, tests and places in a run have their history', async () => {
  const suite = fresh('history');
  const { run_id } = await send([junit(suite, ['one'])]);
  const [{ entry, test: found }] = required(await storedTests(work, run_id));
  for (const path of [`test-runs/${run_id}`, `run-entries/${entry.id}`, `automated-tests/${found.id}`]) {
    const { body } = await work.as.qa<Many>('GET', `/${path}/history`);
    expect(body.data.at(-1), path).toMatchObject({ event: 'created', user: { id: work.ids.qa } });
  }
});

describe('what is refused changes nothing', () => {
  const entities = `<?xml version="1.0"?>\n<!DOCTYPE t [\n<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>\n<testsuite><testcase name="&b;"/></testsuite>`;
  const outside = `<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&x;"/></testsuite>`;
  const deep = `<testsuite>${'<properties>'.repeat(5000)}`;
  const zip = (files: Record<string, Uint8Array>): Uint8Array => zipSync(files, { level: 9 });
  const passed = JSON.stringify({ name: 'one', status: 'passed' });

  test.each<[string, ResultFile, RegExp]>([
    ['an empty file', ['a.xml', ''], /a\.xml, line 1: The file is empty\. Expected JUnit XML, TRX/],
    ['prose', ['a.txt', 'Everything is fine.'], /a\.txt, line 1: This is no report of tests\. Expected/],
    ['a picture', ['a.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')], /no report of tests/],
    [
      'another XML',
      ['pom.xml', '<?xml version="1.0"?>\n<!-- <testsuite> -->\n<project/>'],
      /pom\.xml, line 3: The element <project> begins no report/,
    ],
    [
      'XML that ends early',
      ['a.xml', '<testsuite>\n<testcase name="a">\n'],
      /a\.xml, line 3: This is not well-formed XML/,
    ],
    ['XML with a fault', ['a.xml', '<testsuite>\n<testcase name="a" name="b"/>\n</testsuite>'], /line 2/],
    ['XML of nothing', ['a.xml', '<testsuite/>'], /a\.xml: The file has no test/],
    ['entities', ['a.xml', entities], /declares entities/],
    ['an entity outside the file', ['a.xml', outside], /declares entities/],
    ['a deep document', ['a.xml', deep], /deeper than 200 levels/],
    ['an unknown encoding', ['a.xml', '<?xml version="1.0" encoding="x-klingon"?><testsuite/>'], /encoding x-klingon/],
    [
      'JSON that ends early',
      ['a.json', '{\n"results": {\n"tests": [\n'],
      /a\.json, line \d: This is not complete JSON/,
    ],
    ['another JSON', ['a.json', '{"name": "assay"}'], /no report of tests/],
    ['JSON that is deep', ['a.json', '['.repeat(3_000_000)], /a\.json, line 1: The report is nested too deeply/],
    [
      'a test without a name',
      ['a.json', '{"results":{"tests":[{"status":"passed"}]}}'],
      /results\.tests\[0\] has no name/,
    ],
    ['TAP that is deep', ['a.tap', `1..1\n${' '.repeat(4000)}ok 1 - deep\n`], /line 2: Subtests are nested deeper/],
    [
      'TAP of one line',
      ['a.tap', `1..1\n${'ok '.repeat(1_000_000)}`],
      /a\.tap: A line has more than 1,000,000 characters/,
    ],
    [
      'an archive of something else',
      ['a.zip', archiveOf({ 'readme.json': {} })],
      /a\.zip\/readme\.json, line 1: This JSON is no report/,
    ],
    ['an archive that ends early', ['a.zip', archiveOf({ 'a-result.json': {} }).slice(0, 40)], /not complete/],
    [
      'an archive with no JSON',
      ['a.zip', zip({ 'a-result.json': Buffer.from('{') })],
      /a-result\.json in the archive cannot be read/,
    ],
    [
      'an archive that is far larger inside',
      [
        'a.zip',
        zip({
          'a-result.json': Buffer.concat([
            Buffer.from(passed.slice(0, -1)),
            Buffer.alloc(40_000_000, ' '),
            Buffer.from('}'),
          ]),
        }),
      ],
      /far larger unpacked/,
    ],
  ])('%s', async (_name, file, message) => {
    const before = await counts();
    const { status, body } = await upload(work, [file], { configuration: fresh('New') });
    expect(status, JSON.stringify(body)).toBe(422);
    expect(body.errors.file).toMatch(message);
    expect(await counts()).toEqual(before);
    // Beside a good file it is named, and the good one is stored.
    const good = await upload(work, [file, junit(fresh('good'), ['one'])]);
    expect(good.status, JSON.stringify(good.body)).toBe(201);
    expect(good.body.data.totals.tests).toBe(1);
  });

  test.each<[string, Record<string, string>, string, RegExp]>([
    ['no project', { project: '' }, 'project', /which project/],
    ['an unknown project', { project: 'Atlantis' }, 'project', /There is no project "Atlantis"/],
    ['an unknown milestone', { milestone: 'Never' }, 'milestone', /no milestone "Never"/],
    ['an unknown field', { projct: 'x' }, 'projct', /There is no "projct" here/],
    ['an address that is none', { build_url: 'javascript:alert(1)' }, 'build_url', /must be an address/],
    ['a name that is too long', { name: 'x'.repeat(201) }, 'name', /at most 200/],
  ])('%s', async (_name, values, field, message) => {
    const before = await counts();
    const { status, body } = await upload(work, [junit('a', ['one'])], values);
    expect(status).toBe(422);
    expect(body.errors[field]).toMatch(message);
    expect(await counts()).toEqual(before);
  });

  test('no file, and too many', async () => {
    expect((await upload(work, [])).body.errors.file).toMatch(/Send the file/);
    const many = Array.from({ length: 2301 }, () => junit('a', ['one']));
    const answer = await upload(work, many);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });

  test('texts that no database takes, and long ones, are stored as far as they can be', async () => {
    const name = `bell and ${'😀'.repeat(700)}`;
    const { run_id } = await send([
      [
        'ctrf.json',
        JSON.stringify({
          results: {
            tests: [
              {
                name,
                status: 'failed',
                duration: -5,
                message: 'x'.repeat(5000),
                trace: `y\u0000${'z'.repeat(50_000)}`,
              },
            ],
          },
        }),
      ],
    ]);
    const [{ test: found, attempts }] = required(await storedTests(work, run_id));
    expect(found.name).toHaveLength(1000);
    expect(attempts[0]).toMatchObject({ elapsed_seconds: null });
    expect(attempts[0]!.message).toHaveLength(2000);
    expect(attempts[0]!.details).toHaveLength(20_000);
  });
});

describe('access to uploads of results', () => {
  test('each role and another company', async () => {
    const statuses: Record<string, number> = {};
    for (const by of ['owner', 'manager', 'developer', 'qa', 'external', 'harbour'] as const) {
      statuses[by] = (await upload(work, [junit(fresh('who'), ['one'])], {}, by)).status;
    }
    // To another company the project is not there.
    expect(statuses).toEqual({ owner: 201, manager: 201, developer: 201, qa: 201, external: 403, harbour: 422 });
  });

  test('another company finds nothing of the upload', async () => {
    const configuration = fresh('Secret');
    const { run_id } = await send([junit(fresh('secret'), ['one'])], { configuration });
    expect((await work.as.harbour('GET', `/test-runs/${run_id}`)).status).toBe(404);
    const { body } = await work.as.harbour<Many>('GET', `/configurations?q=${configuration}`);
    expect(body.data).toEqual([]);
  });

  test('an upload without a sign-in is refused', async () => {
    const { status } = await work.program.call('POST', '/results', '', {
      'content-type': 'multipart/form-data; boundary=x',
    });
    expect(status).toBe(401);
  });

  test('a service account, with its token', async () => {
    const created = await work.as.owner<{ data: Row }>('POST', '/service-accounts', {
      name: fresh('Build'),
      role_id: 5,
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const token = await work.as.owner<{ data: Row }>('POST', `/service-accounts/${created.body.data.id}/token`);
    expect(token.status, JSON.stringify(token.body)).toBe(200);
    const call: Work['as'][Account] = (method, path, body, headers) =>
      work.program.call(method, path, body, { ...headers, authorization: `Bearer ${token.body.data.token as string}` });
    const sent = await upload({ ...work, as: { ...work.as, qa: call } }, [junit(fresh('build'), ['one'])]);
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    const limit = (scopes: readonly string[]) =>
      work.as.owner('PUT', `/service-accounts/${created.body.data.id}`, { limited: true, scopes });
    const sendAgain = () => upload({ ...work, as: { ...work.as, qa: call } }, [junit(fresh('build'), ['one'])]);
    // Its scopes narrow what its role may send.
    expect((await limit(['test-runs.create', 'projects.list'])).status).toBe(200);
    expect(await sendAgain()).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('The scopes of this service account') as unknown },
    });
    expect((await limit(['test-runs.create', 'run-entries.create', 'projects.list'])).status).toBe(200);
    expect((await sendAgain()).status).toBe(201);
  });

  test('an upload by a user who may not add tests to runs stores none', async () => {
    const { call, grant } = await work.program.restricted();
    const sendAs = (): Promise<{ status: number }> =>
      upload({ ...work, as: { ...work.as, qa: call } }, [junit(fresh('who'), ['one'])], {}, 'qa' satisfies Account);
    await grant(['test-runs.create', 'projects.list']);
    expect((await sendAs()).status).toBe(403);
  });
});

test('POST results with JSON still adds to the list of results', async () => {
  const answer = await work.as.admin('POST', '/results', { option_name: fresh('Undecided') });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
});

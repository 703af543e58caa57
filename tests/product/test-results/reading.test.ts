import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWork, type Row, type Work } from '../work';
import { archiveOf, storedTests, upload, type ResultFile } from './upload';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

interface Stored {
  name: string;
  suite: string | null;
  parameters: string | null;
  result: string;
  attempts: Row[];
  entry: Row;
}
/** Uploads files that are accepted; answers the tests of the run in their order. */
async function read(...files: readonly ResultFile[]): Promise<Stored[]> {
  const { status, body } = await upload(work, files);
  expect(status, JSON.stringify(body)).toBe(201);
  return (await storedTests(work, body.data.run_id!)).map(({ entry, test: found, attempts }) => ({
    name: entry.name as string,
    suite: found.suite as string | null,
    parameters: found.parameters as string | null,
    result: entry.result as string,
    attempts,
    entry,
  }));
}
const junit = (content: string, attributes = ''): ResultFile => [
  'junit.xml',
  `<testsuite name="s"><testcase classname="c" name="t"${attributes}>${content}</testcase></testsuite>`,
];
const lastOf = ({ attempts }: Stored): Row => attempts.at(-1)!;
const resultsOf = (tests: readonly Stored[]) => tests.map(({ name, result }) => [name, result]);

describe('the worst of a test counts', () => {
  test.each([
    ['<skipped/><failure message="boom">x</failure>', 'failed', 'boom'],
    ['<failure message="boom">x</failure><skipped/>', 'failed', 'boom'],
    ['<skipped/><error message="boom">x</error>', 'broken', 'boom'],
    [
      '<failure message="first">a</failure><failure message="second">b</failure><error message="third">c</error>',
      'failed',
      'first\nsecond\nthird',
    ],
  ])('%s', async (content, result, message) => {
    const [only] = await read(junit(content));
    expect(only!.result).toBe(result);
    expect(lastOf(only!).message).toBe(message);
    for (const word of message.split('\n').slice(1)) expect(lastOf(only!).details).toContain(word);
  });

  test('a suite that fails before its tests is broken itself', async () => {
    const tests = await read([
      'hook.xml',
      `<testsuite name="Shop"><error message="BeforeAll failed">trace</error><testcase classname="c" name="t"/></testsuite>`,
    ]);
    expect(resultsOf(tests)).toEqual([
      ['t', 'passed'],
      ['Suite Shop', 'broken'],
    ]);
    expect(lastOf(tests[1]!)).toMatchObject({ message: 'BeforeAll failed', details: 'trace' });
  });

  test('errors outside of all tests of Playwright and Jest are broken', async () => {
    const playwright = { config: {}, suites: [], errors: [{ message: 'Error: no server' }] };
    const jest = {
      numTotalTests: 0,
      testResults: [{ name: 'a.test.js', status: 'failed', message: 'Cannot find module', assertionResults: [] }],
    };
    const tests = await read(['p.json', JSON.stringify(playwright)], ['j.json', JSON.stringify(jest)]);
    expect(tests.map(({ result, attempts }) => [result, attempts[0]!.message])).toEqual([
      ['broken', 'Error: no server'],
      ['broken', 'Cannot find module'],
    ]);
  });

  test('all executions that rebot merged are attempts', async () => {
    const tests = await read('cases/robot-merged.xml');
    expect(resultsOf(tests)).toEqual([
      ['ok', 'passed'],
      ['bad', 'failed'],
      ['skip', 'skipped'],
      ['merged', 'flaky'],
    ]);
    expect(tests[3]!.attempts.map(({ result, message }) => [result, message])).toEqual([
      ['failed', 'boom'],
      ['passed', null],
    ]);
  });

  test('Allure: a status in capitals, and the mark of a flaky test', async () => {
    const result = (uuid: string, status: string, more = {}) => ({ uuid, name: uuid, status, labels: [], ...more });
    const tests = await read([
      'allure.zip',
      archiveOf({
        '1-result.json': result('capital', 'Passed'),
        '2-result.json': result('marked', 'passed', { statusDetails: { flaky: true } }),
        '3-result.json': result('wrong', 'FAILED', { statusDetails: { flaky: true } }),
      }),
    ]);
    expect(resultsOf(tests)).toEqual([
      ['capital', 'passed'],
      ['marked', 'flaky'],
      ['wrong', 'failed'],
    ]);
  });
});

describe('Playwright as JUnit', () => {
  test('projects are parameters, and tests that did not run are no skips', async () => {
    const tests = await read('cases/playwright-junit.xml');
    expect(tests).toHaveLength(22);
    expect(new Set(tests.map(({ name, parameters }) => `${name} ${parameters}`)).size).toBe(22);
    expect(new Set(tests.map(({ parameters }) => parameters))).toEqual(new Set(['p1', 'p2']));
    const first = tests.filter(({ parameters }) => parameters === 'p1');
    expect(first.filter(({ result }) => result === 'not_run').map(({ name }) => name)).toEqual([
      'hook › two',
      'serial › s2',
    ]);
    expect(first.filter(({ result }) => result === 'skipped').map(({ name }) => name)).toEqual([
      'ok › skips',
      'ok › fixme',
    ]);
  });

  test('its JSON: what is skipped without a reason did not run, all errors are kept, and what was printed', async () => {
    const spec = (title: string, of: object) => ({
      title,
      file: 'a.spec.ts',
      tests: [{ expectedStatus: 'passed', projectName: '', ...of }],
    });
    const report = {
      config: {},
      suites: [
        {
          title: 'a.spec.ts',
          specs: [
            spec('unreached', { results: [] }),
            spec('behind a hook', { results: [{ status: 'skipped', errors: [] }] }),
            spec('left out', { expectedStatus: 'skipped', results: [{ status: 'skipped', errors: [] }] }),
            spec('fails', {
              results: [
                {
                  status: 'failed',
                  errors: [{ message: 'one' }, { message: 'two' }],
                  stdout: [{ text: 'printed\n' }, { buffer: Buffer.from('as bytes').toString('base64') }],
                },
              ],
            }),
          ],
        },
      ],
    };
    const tests = await read(['p.json', JSON.stringify(report)]);
    expect(resultsOf(tests)).toEqual([
      ['unreached', 'not_run'],
      ['behind a hook', 'not_run'],
      ['left out', 'skipped'],
      ['fails', 'failed'],
    ]);
    expect(lastOf(tests[3]!)).toMatchObject({ message: 'one\ntwo', output: 'printed\nas bytes' });
  });

  test('the machine that other runners name as host is no parameter', async () => {
    const report = `<testsuites name="vitest tests"><testsuite name="a.test.ts" hostname="runner-7"><testcase classname="a.test.ts" name="t"/></testsuite></testsuites>`;
    expect((await read(['vitest.xml', report]))[0]!.parameters).toBeNull();
  });
});

describe('what a test printed', () => {
  test('is kept of failed tests, both streams', async () => {
    const output = '<system-out>printed while failing</system-out><system-err>stack of the server</system-err>';
    const [failed] = await read(junit(`<failure message="m">d</failure>${output}`));
    expect(lastOf(failed!).output).toBe('printed while failing\n\nstack of the server');
    const [passed] = await read(junit(output));
    expect(lastOf(passed!).output).toBeNull();
    const answer = await work.as.qa<{ data: Row[] }>('GET', `/attempts?entry_id=${failed!.entry.id}`);
    expect(answer.body.data[0]!.output).toContain('stack of the server');
  });

  test('by a suite belongs to its failed tests', async () => {
    const [failed, passed] = await read([
      'suite.xml',
      '<testsuite name="s"><testcase name="bad"><failure/></testcase><testcase name="good"/><system-out>suite out</system-out></testsuite>',
    ]);
    expect([lastOf(failed!).output, lastOf(passed!).output]).toEqual(['Output of the suite:\nsuite out', null]);
  });

  test('keeps its end, with a mark where it was cut, as every text that is cut', async () => {
    const long = `begin${'x'.repeat(900_000)}end`;
    const [only] = await read(
      junit(`<failure message="${'m'.repeat(5000)}">${long}</failure><system-out>${long}</system-out>`),
    );
    const { output, details, message } = lastOf(only!) as Record<string, string>;
    expect(output).toMatch(/^\[… [\d,]+ characters were left out here …\]\nx+end$/);
    expect(output!.replace(/^.*\n/, '')).toHaveLength(20_000);
    expect(details).toMatch(/^beginx+\n\[… [\d,]+ characters were left out here …\]$/);
    expect(message).toMatch(/^m+\n\[… [\d,]+ characters were left out here …\]$/);
  });

  test('TRX: StdOut and StdErr', async () => {
    const [only] = await read([
      'a.trx',
      `<TestRun><Results><UnitTestResult testId="1" testName="t" outcome="Failed"><Output><StdOut>out</StdOut><StdErr>err</StdErr><ErrorInfo><Message>m</Message></ErrorInfo></Output></UnitTestResult></Results></TestRun>`,
    ]);
    expect(lastOf(only!).output).toBe('out\n\nerr');
  });
});

describe('characters', () => {
  test.each<[string, ResultFile]>([
    ['raw in XML', 'cases/junit-ansi-raw.xml'],
    [
      'as references in XML',
      junit('<failure message="&#x1B;[31mtext raw&#x1B;[39m">text &#27;[1;31mraw&#x1b;[0m</failure>'),
    ],
    ['NUL as a reference', junit('<failure message="a&#0;b">text raw&#x0;&#xFFFF;</failure>')],
    ['as Surefire and pytest write them', junit('<failure message="m">text &amp;#27;[31mraw#x1B[0m</failure>')],
    [
      'in JSON',
      [
        'c.json',
        JSON.stringify({
          results: {
            tests: [
              {
                name: 'a',
                status: 'failed',
                message: '\u001b[31mtext\u001b[39m',
                trace: '\u001b[2mtext raw\u001b[22m',
              },
            ],
          },
        }),
      ],
    ],
  ])('colours and control characters are dropped: %s', async (_, file) => {
    const [only] = await read(file);
    expect(lastOf(only!).details).toBe('text raw');
    expect(lastOf(only!).message).not.toMatch(/\[3/);
  });

  test('a reference that two pieces of a file share', async () => {
    const text = `${'x'.repeat(65_536 - 100)}${'&#x1B;[31mred&#x1B;[39m'.repeat(20)}`;
    const [only] = await read(junit(`<failure message="m">short</failure><system-out>${text}</system-out>`));
    expect(lastOf(only!).output).toMatch(/x(red){20}$/);
  });

  test('Latin-1 without a word is read, and never stored as a replacement character', async () => {
    const [only] = await read('cases/d-latin1-undeclared.xml');
    expect([only!.suite, only!.name]).toEqual(['Prüfung', 'größer als é']);
    expect(lastOf(only!)).toMatchObject({ message: 'naïve', details: 'ÄÖÜ' });
  });
});

describe('facts of a test', () => {
  test.each([
    ['0,123', 0.123],
    ['1,5', 1.5],
    ['1,002.5', 1002.5],
    ['1.002,5', 1002.5],
    ['1,234,567', 1_000_000],
    ['12', 12],
  ])('time="%s" is %f seconds', async (time, seconds) => {
    const [only] = await read(junit('', ` time="${time}"`));
    expect(lastOf(only!).elapsed_seconds).toBe(seconds);
  });

  test.each(['[C1050397]', '[SHOP-12]', '[#77]'])('an id in a name is no parameter: %s', async (id) => {
    const [only] = await read([
      'id.xml',
      `<testsuite name="s"><testcase classname="c" name="pays ${id}"/></testsuite>`,
    ]);
    expect(only).toMatchObject({ name: `pays ${id}`, parameters: null });
  });

  test('a test with reruns keeps its time', async () => {
    const [only] = await read(
      junit('<failure message="1">1</failure><rerunFailure message="2">2</rerunFailure>', ' time="0.9"'),
    );
    expect(only!.entry).toMatchObject({ result: 'failed', elapsed_seconds: 0.9 });
  });
});

describe('what fails behind the last test', () => {
  const failed = { title: 'pays', fullName: 'pays', status: 'failed', failureMessages: ['no'] };
  test.each<[string, ResultFile[], [string, string][]]>([
    [
      'loose results of Allure with a container',
      [
        ['1-result.json', JSON.stringify({ uuid: '1', name: 'pays', fullName: 'shop.pays', status: 'passed' })],
        [
          '2-container.json',
          JSON.stringify({
            ...{ uuid: '2', name: 'shop', children: ['1', '7'] },
            afters: [{ name: 'close', status: 'failed', statusDetails: { message: 'left open' } }],
          }),
        ],
        ['3-container.json', JSON.stringify({ uuid: '3', children: ['1'], afters: [{ name: 'x', status: 'passed' }] })],
      ],
      [
        ['pays', 'passed'],
        ['Teardown close of pays', 'broken'],
      ],
    ],
    [
      'Mocha: "after all"',
      [
        [
          'mocha.json',
          JSON.stringify({
            ...{ stats: {}, pending: [], passes: [], tests: [{ title: 'pays', fullTitle: 'pays', err: {} }] },
            failures: [{ title: '"after all" hook for "pays"', fullTitle: '"after all" hook for "pays"', err: {} }],
          }),
        ],
      ],
      [
        ['pays', 'passed'],
        ['"after all" hook for "pays"', 'broken'],
      ],
    ],
    [
      'Jest: testExecError beside a failed test',
      [
        [
          'jest.json',
          JSON.stringify({
            numTotalTests: 1,
            testResults: [
              {
                ...{ name: 'a.test.js', status: 'failed', message: '● pays\n\nno', assertionResults: [failed] },
                testExecError: { message: 'afterAll: left open' },
              },
            ],
          }),
        ],
      ],
      [
        ['pays', 'failed'],
        ['Errors outside of tests', 'broken'],
      ],
    ],
    [
      'Vitest: afterAll beside a failed test',
      [
        [
          'vitest.json',
          JSON.stringify({
            numTotalTests: 1,
            testResults: [{ name: 'a.test.ts', status: 'failed', message: 'left open', assertionResults: [failed] }],
          }),
        ],
      ],
      [
        ['pays', 'failed'],
        ['Errors outside of tests', 'broken'],
      ],
    ],
    [
      'Playwright: the global teardown',
      [
        [
          'playwright.json',
          JSON.stringify({
            config: {},
            suites: [
              {
                ...{ title: 'a.spec.ts', file: 'a.spec.ts' },
                specs: [{ title: 'pays', file: 'a.spec.ts', tests: [{ results: [{ status: 'passed' }] }] }],
              },
            ],
            errors: [{ message: 'left open' }],
          }),
        ],
      ],
      [
        ['pays', 'passed'],
        ['Errors outside of tests', 'broken'],
      ],
    ],
    [
      'pytest: a fixture of a test',
      [
        [
          'pytest.xml',
          `<testsuites><testsuite name="pytest" errors="1" tests="1"><testcase classname="t" name="test_pays">
            <error message="failed on teardown with &quot;left open&quot;">trace</error></testcase></testsuite></testsuites>`,
        ],
      ],
      [['test_pays', 'broken']],
    ],
    [
      'TestNG: a configuration method in JUnit XML',
      [
        [
          'testng.xml',
          `<testsuite name="shop.Pay"><testcase classname="shop.Pay" name="pays"/><testcase classname="shop.Pay" name="closeShop">
            <failure message="left open">trace</failure></testcase></testsuite>`,
        ],
      ],
      [
        ['pays', 'passed'],
        ['closeShop', 'failed'],
      ],
    ],
    [
      'NUnit: OneTimeTearDown',
      [
        [
          'nunit.xml',
          `<test-run id="1"><test-suite type="TestFixture" name="Pay" fullname="Shop.Pay" result="Failed" label="Error" site="TearDown">
            <failure><message>TearDown : left open</message></failure>
            <test-case name="Pays" fullname="Shop.Pay.Pays" classname="Shop.Pay" result="Passed"/></test-suite></test-run>`,
        ],
      ],
      [
        ['Pays', 'passed'],
        ['Suite Pay', 'broken'],
      ],
    ],
    [
      'xUnit.net: the cleanup of a class',
      [
        [
          'xunit.xml',
          `<assemblies><assembly name="Shop.dll"><errors><error type="test-class-cleanup" name="Shop.Pay">
            <failure><message>left open</message></failure></error></errors>
            <collection><test name="Shop.Pay.Pays" type="Shop.Pay" method="Pays" result="Pass"/></collection></assembly></assemblies>`,
        ],
      ],
      [
        ['Error in test-class-cleanup Shop.Pay', 'broken'],
        ['Pays', 'passed'],
      ],
    ],
    [
      'TRX: the cleanup of a class beside a failed test',
      [
        [
          'mstest.trx',
          `<TestRun id="1"><Results><UnitTestResult testId="1" testName="Pays" outcome="Failed"/></Results><ResultSummary outcome="Failed">
            <RunInfos><RunInfo outcome="Error"><Text>[xUnit.net 00:00:00.50]     Pays [FAIL]</Text></RunInfo>
            <RunInfo outcome="Error"><Text>Class Cleanup method Pay.Close failed. left open</Text></RunInfo></RunInfos></ResultSummary></TestRun>`,
        ],
      ],
      [
        ['Errors of the run', 'broken'],
        ['Pays', 'failed'],
      ],
    ],
  ])('is a broken test of its own: %s', async (_, files, expected) => {
    const { status, body } = await upload(work, files);
    expect(status, JSON.stringify(body)).toBe(201);
    const stored = await storedTests(work, body.data.run_id!);
    expect(stored.map(({ entry }) => [entry.name, entry.result])).toEqual(expected);
    expect(body.data.files.reduce((sum, { tests }) => sum + tests, 0)).toBe(expected.length);
  });

  test('containers of Allure without their results are refused with what to send', async () => {
    const { status, body } = await upload(work, [['1-container.json', JSON.stringify({ uuid: '1', children: ['2'] })]]);
    expect(status).toBe(422);
    expect(body.errors.file).toMatch(/container of Allure\. Send the files \*-result\.json/);
  });
});

describe('other formats', () => {
  const lines = (...events: object[]) => events.map((event) => JSON.stringify(event)).join('\n');
  const go = (Action: string, Test: string | undefined, more = {}) => ({
    Time: '2024-05-01T10:00:00Z',
    Action,
    Package: 'p',
    Test,
    ...more,
  });

  test.each<[string, ResultFile, string, [string, string][]]>([
    [
      'go test, with subtests, a package that is not built, and a test that never ends',
      [
        'go.json',
        `# p\n${lines(
          go('run', 'TestA'),
          go('run', 'TestA/one'),
          go('output', 'TestA/one', { Output: '    a_test.go:7: wrong\n' }),
          go('fail', 'TestA/one', { Elapsed: 0.5 }),
          go('fail', 'TestA', { Elapsed: 0.5 }),
          go('run', 'TestB'),
          go('pass', 'TestB', { Elapsed: 1 }),
          go('run', 'TestC'),
          { Action: 'build-output', ImportPath: 'q', Output: 'undefined: x\n' },
          { Action: 'fail', Package: 'q' },
        )}`,
      ],
      'go test JSON',
      [
        ['TestA/one', 'failed'],
        ['TestB', 'passed'],
        ['Errors outside of tests', 'broken'],
        ['TestC', 'broken'],
      ],
    ],
    [
      'Dart',
      [
        'dart.json',
        lines(
          { protocolVersion: '0.1.1', type: 'start', time: 0 },
          { type: 'suite', suite: { id: 0, platform: 'vm', path: 'test/a_test.dart' } },
          { type: 'testStart', time: 1, test: { id: 1, name: 'loading test/a_test.dart', suiteID: 0, groupIDs: [] } },
          { type: 'testDone', testID: 1, result: 'success', hidden: true, skipped: false, time: 2 },
          { type: 'group', group: { id: 2, name: 'Cart' } },
          { type: 'testStart', time: 3, test: { id: 3, name: 'Cart adds', suiteID: 0, groupIDs: [2] } },
          { type: 'print', testID: 3, message: 'printed' },
          { type: 'error', testID: 3, error: 'Expected: 1', stackTrace: 'a_test.dart 5', isFailure: true },
          { type: 'testDone', testID: 3, result: 'failure', hidden: false, skipped: false, time: 503 },
          { type: 'done', success: false },
        ),
      ],
      'Dart JSON',
      [['adds', 'failed']],
    ],
    [
      'Mocha, with a failed hook and a pending test',
      [
        'mocha.json',
        JSON.stringify({
          stats: {},
          tests: [
            { title: 'adds', fullTitle: 'Cart adds', file: 'a.js', duration: 5, err: {} },
            { title: 'pays', fullTitle: 'Cart pays', file: 'a.js', duration: 5, err: { message: 'no', stack: 'at' } },
            { title: 'later', fullTitle: 'Cart later', file: 'a.js', err: {} },
          ],
          pending: [{ title: 'later', fullTitle: 'Cart later', file: 'a.js', err: {} }],
          passes: [],
          failures: [{ title: '"before all" hook', fullTitle: 'Cart "before all" hook', err: { message: 'hook' } }],
        }),
      ],
      'Mocha JSON',
      [
        ['adds', 'passed'],
        ['pays', 'failed'],
        ['later', 'skipped'],
        ['"before all" hook', 'broken'],
      ],
    ],
    [
      'Jest',
      [
        'jest.json',
        JSON.stringify({
          numTotalTests: 2,
          testResults: [
            {
              name: '/app/a.test.js',
              status: 'failed',
              assertionResults: [
                {
                  ancestorTitles: ['Cart'],
                  title: 'adds',
                  fullName: 'Cart adds',
                  status: 'passed',
                  duration: 3,
                  failureMessages: [],
                },
                {
                  ancestorTitles: ['Cart', 'card'],
                  title: 'adds',
                  fullName: 'x',
                  status: 'failed',
                  failureMessages: ['no'],
                },
              ],
            },
          ],
        }),
      ],
      'Jest JSON',
      [
        ['adds', 'passed'],
        ['adds', 'failed'],
      ],
    ],
    [
      'Xray',
      [
        'xray.json',
        JSON.stringify({
          tests: [
            { testKey: 'SHOP-1', status: 'PASSED', start: '2024-05-01T10:00:00Z', finish: '2024-05-01T10:00:03Z' },
            { testKey: 'SHOP-2', status: 'FAIL', comment: 'wrong total' },
            { testKey: 'SHOP-3', status: 'TODO' },
          ],
        }),
      ],
      'Xray JSON',
      [
        ['SHOP-1', 'passed'],
        ['SHOP-2', 'failed'],
        ['SHOP-3', 'not_run'],
      ],
    ],
    [
      'version 3',
      [
        'nunit3.xml',
        `<test-run id="0"><test-suite type="Assembly" name="Shop.dll"><test-suite type="TestFixture" name="Cart" fullname="Shop.Cart" classname="Shop.Cart" result="Failed" site="Child">
          <test-case name="Adds(1,2)" fullname="Shop.Cart.Adds(1,2)" classname="Shop.Cart" result="Passed" duration="0.25"/>
          <test-case name="Pays" fullname="Shop.Cart.Pays" classname="Shop.Cart" result="Failed" label="Error"><failure><message>no</message><stack-trace>at</stack-trace></failure><output>printed</output></test-case>
          <test-case name="Later" classname="Shop.Cart" result="Skipped" label="Ignored"><reason><message>soon</message></reason></test-case></test-suite>
          <test-suite type="TestFixture" name="Mail" fullname="Shop.Mail" result="Failed" site="SetUp"><failure><message>no server</message></failure></test-suite></test-suite></test-run>`,
      ],
      'NUnit',
      [
        ['Adds', 'passed'],
        ['Pays', 'broken'],
        ['Later', 'skipped'],
        ['Suite Mail', 'broken'],
      ],
    ],
    [
      'version 2',
      [
        'nunit2.xml',
        `<test-results name="Shop.dll"><test-suite type="Assembly" name="Shop.dll"><results><test-suite type="TestFixture" name="Cart"><results>
          <test-case name="Shop.Cart.Adds" executed="True" result="Success" success="True" time="0.1"/>
          <test-case name="Shop.Cart.Pays" executed="True" result="Failure" success="False"><failure><message>no</message></failure></test-case>
          <test-case name="Shop.Cart.Later" executed="False" result="Ignored"/></results></test-suite></results></test-suite></test-results>`,
      ],
      'NUnit',
      [
        ['Adds', 'passed'],
        ['Pays', 'failed'],
        ['Later', 'skipped'],
      ],
    ],
    [
      'the tests of an assembly',
      [
        'xunit.xml',
        `<assemblies><assembly name="/app/Shop.dll"><errors><error type="assembly-cleanup" name="Shop"><failure><message>cleanup</message></failure></error></errors><collection name="c">
          <test name="Shop.Cart.Adds(a: 1)" type="Shop.Cart" method="Adds" result="Pass" time="0.2"/>
          <test name="Shop.Cart.Pays" type="Shop.Cart" method="Pays" result="Fail"><failure><message>no</message><stack-trace>at</stack-trace></failure></test>
          <test name="Shop.Cart.Later" type="Shop.Cart" method="Later" result="Skip"><reason>soon</reason></test></collection></assembly></assemblies>`,
      ],
      'xUnit.net',
      [
        ['Error in assembly-cleanup Shop', 'broken'],
        ['Adds', 'passed'],
        ['Pays', 'failed'],
        ['Later', 'skipped'],
      ],
    ],
  ])('%s', async (_, file, format, expected) => {
    const { status, body } = await upload(work, [file]);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.data.files).toMatchObject([{ format, tests: expected.length }]);
    const stored = await storedTests(work, body.data.run_id!);
    expect(stored.map(({ entry }) => [entry.name, entry.result])).toEqual(expected);
  });

  test('loose results of Allure, whose executions belong together', async () => {
    const result = (uuid: string, status: string, start: number) =>
      JSON.stringify({ uuid, historyId: 'h', name: 'pays', fullName: 'a#pays', status, start, stop: start + 5 });
    const { status, body } = await upload(work, [
      ['1-result.json', result('1', 'passed', 1_795_000_005_000)],
      ['2-result.json', result('2', 'failed', 1_795_000_000_000)],
    ]);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.data.totals).toMatchObject({ tests: 1, attempts: 2, flaky: 1 });
    expect(body.data.files.map(({ format }) => format)).toEqual(['Allure results', 'Allure results']);
  });

  test('gzip as a file and as the encoding of the body, and a zip of reports', async () => {
    const report = (name: string) =>
      Buffer.from(`<testsuite name="s"><testcase classname="c" name="${name}"/></testsuite>`);
    const archive = zipSync({
      'target/TEST-a.xml': report('a'),
      'target/b.xml.gz': gzipSync(report('b')),
      'index.html': Buffer.from('<html>'),
    });
    const { body } = await upload(work, [
      ['reports.zip', archive],
      ['c.xml.gz', gzipSync(report('c'))],
    ]);
    expect(body.data.files.map(({ name, tests }) => [name, tests])).toEqual([
      ['reports.zip/target/TEST-a.xml', 1],
      ['reports.zip/target/b.xml', 1],
      ['c.xml', 1],
    ]);
    const form = new FormData();
    form.append('project', String(work.open));
    form.append('file', new Blob([new Uint8Array(report('d'))]), 'd.xml');
    const message = new Response(form);
    const packed = gzipSync(Buffer.from(await message.arrayBuffer()));
    const headers = { 'content-type': message.headers.get('content-type')!, 'content-encoding': 'gzip' };
    const sent = await work.as.qa<{ data: { totals: Row } }>('POST', '/results', packed, headers);
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    expect(sent.body.data.totals.tests).toBe(1);
    const broken = await work.as.qa('POST', '/results', packed.subarray(0, packed.length - 20), headers);
    expect(broken.status).toBe(400);
  });

  test.each<[string, string, RegExp]>([
    ['a page', '<!DOCTYPE html><html></html>', /HTML page/],
    ['the coverage of lines', '<coverage line-rate="1"/>', /coverage of lines/],
    ['what go test prints', '=== RUN   TestA\n--- PASS: TestA', /go test -json/],
    ["TestNG's own report", '<testng-results/>', /junitreports/],
    ['Mochawesome', '{"stats":{},"results":[]}', /Mochawesome.*--reporter json/],
  ])('%s is named, with the way out', async (_, content, message) => {
    const { status, body } = await upload(work, [['file', content]]);
    expect(status).toBe(422);
    expect(body.errors.file).toMatch(message);
  });
});

test('of a file that cannot be read to its end nothing is stored, and the others are', async () => {
  const tests = Array.from(
    { length: 1500 },
    (_, index) =>
      `<testcase classname="cut" name="t${index}"><failure/><system-out>[[ATTACHMENT|a.png]]</system-out></testcase>`,
  );
  const { status, body } = await upload(
    work,
    [
      ['cut.xml', `<testsuite name="cut">${tests.join('\n')}`],
      ['good.xml', '<testsuite name="cut"><testcase classname="cut" name="t0"/></testsuite>'],
    ],
    {},
    'qa',
    {},
    { 'a.png': Buffer.from('picture') },
  );
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body.data).toMatchObject({ totals: { tests: 1, passed: 1 }, attachments: 0 });
  expect(body.data.files).toMatchObject([
    { name: 'cut.xml', tests: 0, problem: expect.stringContaining('Line 1500: ') as unknown },
    { name: 'good.xml', tests: 1 },
  ]);
  const stored = await storedTests(work, body.data.run_id!);
  expect(stored.map(({ entry }) => entry.name)).toEqual(['t0']);
});

describe('the gate', () => {
  const gateOf = async (id: number, condition: object) =>
    (
      await work.as.qa<{ data: { ok: boolean; failed: Row[]; problems: string[] } }>(
        'GET',
        `/test-runs/${id}/gate?condition=${encodeURIComponent(JSON.stringify(condition))}`,
      )
    ).body.data;

  test('compares shares as they are, and shows none as reached that is not', async () => {
    const cases = Array.from(
      { length: 20_001 },
      (_, index) => `<testcase classname="c" name="t${index}">${index === 7 ? '<failure/>' : ''}</testcase>`,
    );
    const { body } = await upload(work, [['many.xml', `<testsuite name="s">${cases.join('\n')}</testsuite>`]]);
    const run = body.data.run_id!;
    const gate = await gateOf(run, { pass_rate: 100 });
    expect(gate).toMatchObject({ ok: false, failed: [{ name: 'pass_rate', limit: 100, actual: 99.99 }] });
    expect(gate.problems).toEqual(['pass_rate: 99.99 % of the tests passed, at least 100 % must.']);
    expect(await gateOf(run, { pass_rate: 99.99 })).toMatchObject({ ok: true });
    const overview = await work.as.qa<{ data: Row }>('GET', `/test-runs/${run}/overview`);
    expect(overview.body.data.pass_rate).toBe(99.9);
  });

  test('an empty run reaches no minimum', async () => {
    const run = await work.make('owner', 'test-runs', { name: 'Empty', project_id: work.open });
    expect(await gateOf(run.id, { failed: 0, pass_rate: 95 })).toMatchObject({ ok: false, failed: [{ actual: 0 }] });
    expect(await gateOf(run.id, { failed: 0 })).toMatchObject({ ok: true });
  });
});

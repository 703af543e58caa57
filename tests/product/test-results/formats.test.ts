import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWork, type Work } from '../work';
import { archiveOf, storedTests, upload, type ResultFile } from './upload';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

/** A test as a table says it; what is left out is not checked. */
interface Expected {
  name: string;
  suite?: string | null;
  file?: string | null;
  parameters?: string | null;
  explicit_id?: string | null;
  result: string;
  /** The results of its attempts, and how long they took. */
  attempts?: [result: string, seconds: number | null][];
  message?: string | null;
  details?: RegExp;
  started_at?: string;
}

interface Producer {
  producer: string;
  file: ResultFile;
  format: string;
  tests: Expected[];
}

const junit: Producer[] = [
  {
    producer: 'pytest',
    file: 'junit-pytest.xml',
    format: 'JUnit XML',
    tests: [
      {
        name: 'test_signs_in',
        suite: 'tests.test_login.TestLogin',
        explicit_id: 'LOGIN-1',
        result: 'passed',
        attempts: [['passed', 1.204]],
        started_at: '2026-11-20T07:15:30.123Z',
      },
      {
        name: 'test_refuses',
        parameters: 'wrong password',
        result: 'failed',
        message: 'AssertionError: assert 200 == 401\n +  where 200 = <Response>.status',
        details: /tests\/test_login\.py:31/,
      },
      { name: 'test_refuses', parameters: 'unknown account', result: 'passed' },
      { name: 'test_export', result: 'skipped', message: 'needs a bucket' },
      { name: 'test_totals', result: 'broken', message: 'failed on setup with "ConnectionError: database"' },
    ],
  },
  {
    producer: 'Surefire, with reruns',
    file: 'junit-surefire.xml',
    format: 'JUnit XML',
    tests: [
      { name: 'addsItem', suite: 'com.example.CartTest', explicit_id: null, result: 'passed' },
      {
        name: 'removesItem',
        result: 'flaky',
        attempts: [
          ['failed', null],
          ['broken', null],
          ['passed', 0.42],
        ],
      },
      {
        name: 'paysWithCard',
        result: 'broken',
        attempts: [
          ['failed', 0.9],
          ['failed', 0.8],
          ['broken', 0.1],
        ],
        message: 'Connection refused',
        details: /third/,
      },
      { name: 'shipsAbroad', result: 'skipped', message: 'Not yet' },
    ],
  },
  {
    producer: 'jest-junit, with the same name twice',
    file: 'junit-jest.xml',
    format: 'JUnit XML',
    tests: [
      { name: 'Price rounds', file: 'src/price/price.test.ts', result: 'passed', attempts: [['passed', 0.004]] },
      { name: 'Price rounds (2)', file: 'src/price/price.test.ts', result: 'failed', attempts: [['failed', 0.006]] },
      { name: 'Price with tax TC-1', explicit_id: 'TC-1', result: 'passed', started_at: '2026-11-20T09:00:00.000Z' },
      {
        name: 'constructor',
        suite: 'Names with "quotes" and umlauts äöü',
        file: 'src/names/names.test.ts',
        result: 'passed',
        attempts: [['passed', 1002.5]],
      },
    ],
  },
  {
    producer: 'PHPUnit, with suites in suites and an empty line first',
    file: 'junit-phpunit.xml',
    format: 'JUnit XML',
    tests: [
      { name: 'testSends', suite: 'App.Tests.MailTest', file: '/app/tests/MailTest.php', result: 'passed' },
      { name: 'testSubject with data set "empty"', result: 'passed' },
      { name: 'testSubject with data set "long"', result: 'broken', message: 'TypeError' },
    ],
  },
  {
    producer: 'GoogleTest',
    file: 'junit-googletest.xml',
    format: 'JUnit XML',
    tests: [
      { name: 'IsEmptyAtFirst', suite: 'QueueTest', file: 'queue_test.cc', result: 'passed' },
      { name: 'Grows', result: 'failed', message: 'queue_test.cc:13\nExpected equality of these values' },
      { name: 'DISABLED_Shrinks', result: 'skipped' },
    ],
  },
  {
    producer: 'one that writes ISO 8859-1',
    file: 'junit-latin1.xml',
    format: 'JUnit XML',
    tests: [{ name: 'fügt hinzu', suite: 'Zubehör', result: 'passed' }],
  },
];

const ctrf: Producer[] = [
  {
    producer: 'jest',
    file: 'ctrf-jest.json',
    format: 'CTRF',
    tests: [
      {
        name: 'adds',
        suite: 'sum',
        file: 'src/sum.test.js',
        explicit_id: 'TC-2',
        result: 'passed',
        attempts: [['passed', 0.012]],
      },
      { name: 'subtracts', result: 'failed', message: 'expected 1', details: /sum\.test\.js:9/ },
      { name: 'divides', result: 'skipped' },
      { name: 'overflows', result: 'broken' },
    ],
  },
  {
    producer: 'Playwright, which counts retries',
    file: 'ctrf-playwright.json',
    format: 'CTRF',
    tests: [
      {
        name: 'signs in',
        suite: 'chromium > login.spec.ts',
        parameters: 'chromium',
        result: 'flaky',
        attempts: [
          ['failed', null],
          ['failed', null],
          ['passed', 0.812],
        ],
        started_at: '2026-11-18T11:06:40.000Z',
      },
      { name: 'signs in', suite: 'firefox > login.spec.ts', parameters: 'firefox', result: 'passed' },
      {
        name: 'signs out',
        result: 'failed',
        attempts: [
          ['failed', null],
          ['failed', 0.9],
        ],
        message: 'Timed out',
      },
    ],
  },
  {
    producer: 'pytest, which tells each retry',
    file: 'ctrf-pytest.json',
    format: 'CTRF',
    tests: [
      {
        name: 'test_orders[eu]',
        suite: 'tests > test_orders',
        parameters: '{"region":"eu"}',
        result: 'flaky',
        attempts: [
          ['failed', 0.09],
          ['passed', 0.1],
        ],
      },
      { name: 'test_orders[us]', explicit_id: 'ORD-2', result: 'passed' },
    ],
  },
];

const playwright: Producer[] = [
  {
    producer: 'a project with two browsers',
    file: 'playwright.json',
    format: 'Playwright JSON',
    tests: [
      {
        name: 'pays by card',
        suite: 'Checkout',
        file: 'checkout.spec.ts',
        parameters: 'chromium',
        explicit_id: 'TC-3',
        result: 'flaky',
        attempts: [
          ['failed', 5.012],
          ['passed', 2.011],
        ],
      },
      {
        name: 'pays by card',
        parameters: 'webkit',
        result: 'broken',
        message: 'Test timeout of 30000ms exceeded.',
        started_at: '2026-11-20T08:00:00.000Z',
      },
      {
        name: 'refuses an empty basket',
        parameters: 'chromium',
        explicit_id: 'CHK-9',
        result: 'passed',
        message: null,
      },
      { name: 'refuses an empty basket', parameters: 'webkit', result: 'skipped' },
    ],
  },
  {
    producer: 'an old version without projects',
    file: 'playwright-old.json',
    format: 'Playwright JSON',
    tests: [
      { name: 'adds', suite: null, file: 'math.spec.js', parameters: null, result: 'passed' },
      { name: 'never ends', result: 'broken' },
    ],
  },
  {
    producer: 'a shard from Windows, with a test that failed three times',
    file: 'playwright-blobs.json',
    format: 'Playwright JSON',
    tests: [
      {
        name: 'onto a list',
        suite: 'Files > are dropped',
        file: 'e2e/windows.spec.ts',
        parameters: 'edge',
        result: 'failed',
        attempts: [
          ['failed', 0.01],
          ['failed', 0.011],
          ['failed', 0.012],
        ],
        message: 'and again',
      },
    ],
  },
];

const cucumber: Producer[] = [
  {
    producer: 'cucumber-js',
    file: 'cucumber-js.json',
    format: 'Cucumber JSON',
    tests: [
      {
        name: 'Adding',
        suite: 'Basket',
        file: 'features/basket.feature',
        explicit_id: 'TC-4',
        result: 'passed',
        attempts: [['passed', 0.503]],
      },
      {
        name: 'Removing',
        result: 'failed',
        message: 'AssertionError: 1 == 0\n    at steps.js:4',
        details: /^Then it is empty\n/,
      },
      { name: 'Paying', result: 'broken', message: 'When I pay somehow: undefined' },
    ],
  },
  {
    producer: 'cucumber-jvm, with a background, an outline and a scenario that ran again',
    file: 'cucumber-jvm.json',
    format: 'Cucumber JSON',
    tests: [
      {
        name: 'Rounding',
        file: 'src/test/resources/prices.feature',
        parameters: 'Example 1',
        result: 'flaky',
        attempts: [
          ['failed', 0.004],
          ['passed', 0.001],
        ],
      },
      { name: 'Rounding', parameters: 'Example 2', result: 'broken', message: 'No browser' },
    ],
  },
  {
    producer: 'behave',
    file: 'cucumber-behave.json',
    format: 'Cucumber JSON',
    tests: [
      {
        name: 'Finds words',
        suite: 'Search',
        file: 'features/search.feature',
        explicit_id: 'TC-5',
        result: 'passed',
        attempts: [['passed', 0.25]],
      },
      { name: 'Finds nothing', result: 'failed', message: 'Assertion Failed: 3 != 0\nFile steps/search.py, line 10' },
    ],
  },
];

const trx: Producer[] = [
  {
    producer: 'MSTest, with rows of data',
    file: 'trx-mstest.trx',
    format: 'TRX',
    tests: [
      {
        name: 'Adds',
        suite: 'Shop.Tests.MathTests',
        result: 'passed',
        attempts: [['passed', 0.123]],
        started_at: '2026-11-20T08:00:01.000Z',
      },
      {
        name: 'Divides',
        suite: 'Shop.Tests.MathTests',
        explicit_id: 'MATH-2',
        result: 'failed',
        message: 'Assert.AreEqual failed. Expected:<2>. Actual:<3>.',
        details: /MathTests\.cs:line 20/,
      },
      { name: 'Rounds', parameters: '1.5,2', result: 'passed' },
      { name: 'Rounds', parameters: '2.5,3', result: 'failed' },
      { name: 'Later', result: 'skipped' },
    ],
  },
  {
    producer: 'xUnit',
    file: 'trx-xunit.trx',
    format: 'TRX',
    tests: [
      { name: 'Holds', suite: 'Shop.Tests.CartTests', parameters: 'count: 1', result: 'passed' },
      { name: 'Holds', suite: 'Shop.Tests.CartTests', parameters: 'count: 2', result: 'broken' },
    ],
  },
  {
    producer: 'NUnit, in UTF-16',
    file: 'trx-nunit-utf16.trx',
    format: 'TRX',
    tests: [
      {
        name: 'Sends',
        suite: 'Mail.Tests.SendTests',
        parameters: '"äöü"',
        result: 'broken',
        attempts: [['broken', 62.5]],
      },
    ],
  },
];

const robot: Producer[] = [
  {
    producer: 'Robot Framework 7',
    file: 'robot-7.xml',
    format: 'Robot Framework',
    tests: [
      {
        name: 'Valid Login',
        suite: 'Shop.Login',
        file: '/work/shop/login.robot',
        explicit_id: 'TC-6',
        result: 'passed',
        attempts: [['passed', 1.234]],
        started_at: '2026-11-20T08:00:00.000Z',
      },
      { name: 'Invalid Login', result: 'failed', message: 'a != b' },
      { name: 'Two Factors', result: 'skipped', message: 'Needs a phone' },
    ],
  },
  {
    producer: 'Robot Framework 3 on Windows',
    file: 'robot-3.xml',
    format: 'Robot Framework',
    tests: [
      { name: 'Get Order', suite: 'Api', file: 'C:/work/api.robot', result: 'passed', attempts: [['passed', 2.5]] },
    ],
  },
  {
    producer: 'Rebot, which joins outputs',
    file: 'robot-rebot.xml',
    format: 'Robot Framework',
    tests: [
      { name: 'Same Name', suite: 'One & Two.One', result: 'passed' },
      { name: 'Same Name', suite: 'One & Two.Two', result: 'failed', message: 'Setup failed:\nno server' },
    ],
  },
];

const tap: Producer[] = [
  {
    producer: 'node --test, with subtests and diagnostics',
    file: 'tap-node.tap',
    format: 'TAP',
    tests: [
      { name: 'reads numbers', suite: 'parser', result: 'passed', attempts: [['passed', 0.001]] },
      {
        name: 'reads dates TC-7',
        suite: 'parser',
        explicit_id: 'TC-7',
        result: 'failed',
        message: 'Expected values to be strictly equal:\n\n1 !== 2',
        details: /ERR_ASSERTION/,
      },
      { name: 'writes', suite: null, result: 'skipped', message: 'not on Windows' },
    ],
  },
  {
    producer: 'Perl',
    file: 'tap-perl.tap',
    format: 'TAP',
    tests: [
      { name: 'use_ok', result: 'passed' },
      { name: 'sorts', result: 'failed' },
      { name: 'Test 3', result: 'passed' },
      { name: 'not written yet', result: 'skipped', message: 'later' },
      { name: 'windows', result: 'skipped', message: 'only there' },
    ],
  },
  {
    producer: 'bats, which gave up',
    file: 'tap-bats.tap',
    format: 'TAP',
    tests: [
      { name: 'installs in 12ms', result: 'passed' },
      { name: 'removes', result: 'failed' },
      { name: 'Bail out', result: 'broken', message: 'disk full' },
    ],
  },
  {
    producer: 'a program that ended early',
    file: ['early.tap', '1..3\nok 1 - starts\n'],
    format: 'TAP',
    tests: [
      { name: 'starts', result: 'passed' },
      { name: 'Missing tests', result: 'broken', message: 'The plan announces 3 tests; 1 are reported.' },
    ],
  },
];

const label = (name: string, value: string) => ({ name, value });
const allure: Producer[] = [
  {
    producer: 'allure-pytest, with a test that ran again',
    file: [
      'allure-pytest.zip',
      archiveOf({
        'allure-results/1-result.json': {
          uuid: '1',
          historyId: 'a',
          name: 'test_pay[visa]',
          fullName: 'tests.test_pay#test_pay',
          status: 'passed',
          start: 1_795_000_005_000,
          stop: 1_795_000_006_500,
          parameters: [{ name: 'card', value: "'visa'" }],
          labels: [label('suite', 'test_pay'), label('as_id', '42')],
        },
        'allure-results/2-result.json': {
          uuid: '2',
          historyId: 'a',
          name: 'test_pay[visa]',
          fullName: 'tests.test_pay#test_pay',
          status: 'failed',
          statusDetails: { message: 'AssertionError: declined', trace: 'tests/test_pay.py:7' },
          start: 1_795_000_000_000,
          stop: 1_795_000_001_000,
          parameters: [{ name: 'card', value: "'visa'" }],
          labels: [label('suite', 'test_pay'), label('as_id', '42')],
        },
        'allure-results/3-container.json': { uuid: '3', children: ['1', '2'] },
      }),
    ],
    format: 'Allure results',
    tests: [
      {
        name: 'test_pay',
        suite: 'test_pay',
        parameters: "card='visa'",
        explicit_id: '42',
        result: 'flaky',
        attempts: [
          ['failed', 1],
          ['passed', 1.5],
        ],
      },
    ],
  },
  {
    producer: 'allure-junit5',
    file: [
      'allure-junit5.zip',
      archiveOf({
        'b1-result.json': {
          uuid: 'b1',
          historyId: 'h1',
          testCaseId: 't1',
          name: 'pays()',
          fullName: 'com.example.PayTest.pays',
          status: 'broken',
          statusDetails: { message: 'java.net.ConnectException', trace: 'java.net.ConnectException\n\tat …' },
          stage: 'finished',
          start: 1_795_000_000_000,
          stop: 1_795_000_000_020,
          labels: [label('testClass', 'com.example.PayTest'), label('framework', 'junit-platform')],
          parameters: [],
          links: [{ name: 'TC-8', type: 'tms', url: 'https://example.com/TC-8' }],
        },
      }),
    ],
    format: 'Allure results',
    tests: [
      {
        name: 'pays()',
        suite: 'com.example.PayTest',
        file: 'com.example.PayTest.pays',
        explicit_id: 'TC-8',
        result: 'broken',
        message: 'java.net.ConnectException',
        attempts: [['broken', 0.02]],
      },
    ],
  },
  {
    producer: 'allure-testng, whose setups and teardowns fail',
    file: [
      'allure-fixtures.zip',
      archiveOf({
        'd1-result.json': {
          ...{ uuid: 'd1', historyId: 'd1', name: 'pays', fullName: 'shop.Pay.pays', status: 'passed' },
          labels: [label('testClass', 'shop.Pay')],
        },
        'd2-result.json': {
          ...{ uuid: 'd2', historyId: 'd2', name: 'refunds', fullName: 'shop.Pay.refunds', status: 'broken' },
          ...{ labels: [label('testClass', 'shop.Pay')], statusDetails: { message: 'no connection' } },
        },
        'd3-container.json': {
          ...{ uuid: 'd3', name: 'shop.Pay', children: ['d1', 'd2'] },
          befores: [{ name: 'startShop', status: 'passed' }],
          afters: [
            {
              ...{ name: 'stopShop', status: 'failed', start: 1_795_000_000_000, stop: 1_795_000_002_000 },
              statusDetails: { message: 'still orders open', trace: 'Shop.java:12' },
            },
          ],
        },
        'd4-container.json': {
          ...{ uuid: 'd4', name: 'fixture', children: ['d2'] },
          befores: [{ name: 'connect', status: 'broken', statusDetails: { message: 'no connection' } }],
        },
        'd5-container.json': {
          ...{ uuid: 'd5', children: ['d1'], afters: [{ name: 'disconnect', status: 'broken' }] },
        },
      }),
    ],
    format: 'Allure results',
    tests: [
      { name: 'pays', suite: 'shop.Pay', result: 'passed' },
      { name: 'refunds', suite: 'shop.Pay', result: 'broken', message: 'no connection' },
      {
        name: 'Teardown stopShop',
        suite: 'shop.Pay',
        result: 'broken',
        message: 'still orders open',
        details: /Shop\.java:12/,
        attempts: [['broken', 2]],
      },
      {
        name: 'Teardown disconnect of pays',
        suite: 'shop.Pay',
        file: 'shop.Pay.pays',
        result: 'broken',
        message: 'Teardown disconnect failed.',
      },
    ],
  },
  {
    producer: 'allure-playwright, without history and with hidden parameters',
    file: [
      'allure-js.zip',
      archiveOf({
        'c1-result.json': {
          uuid: 'c1',
          name: 'opens',
          fullName: 'e2e/open.spec.ts:3:1',
          status: 'skipped',
          parameters: [
            { name: 'Project', value: 'chromium' },
            { name: 'time', value: '12:00', excluded: true },
            { name: 'token', value: 'secret', mode: 'masked' },
          ],
          labels: [],
        },
        'c2-result.json': { uuid: 'c2', name: 'closes', status: 'unknown', labels: [], parameters: [] },
        'attachment.png': 'not read',
      }),
    ],
    format: 'Allure results',
    tests: [
      { name: 'opens', parameters: 'Project=chromium', result: 'skipped', attempts: [['skipped', null]] },
      { name: 'closes', result: 'broken' },
    ],
  },
];

describe.each([...junit, ...ctrf, ...playwright, ...cucumber, ...trx, ...robot, ...tap, ...allure])(
  '$format of $producer',
  ({ file, format, tests }) => {
    test('is recognised by its content and stored as it says', async () => {
      const { status, body } = await upload(work, [file]);
      expect(status, JSON.stringify(body)).toBe(201);
      const count = (result: string) => tests.filter((one) => one.result === result).length;
      const stored = await storedTests(work, body.data.run_id!);
      const attempts = stored.reduce((sum, one) => sum + one.attempts.length, 0);
      expect(body.data).toMatchObject({
        dry_run: false,
        repeated: false,
        files: [{ name: typeof file === 'string' ? file : file[0], format, tests: tests.length, attempts }],
        totals: {
          tests: tests.length,
          attempts,
          passed: count('passed'),
          failed: count('failed'),
          broken: count('broken'),
          skipped: count('skipped'),
          flaky: count('flaky'),
        },
      });
      expect(stored).toHaveLength(tests.length);
      for (const [index, expected] of tests.entries()) {
        const { attempts: told, message, details, started_at: startedAt, result, ...facts } = expected;
        const { test: found, entry, attempts: made } = stored[index]!;
        expect(found).toMatchObject({ ...facts, last_result: result, project_id: work.open });
        expect(entry).toMatchObject({ name: expected.name, result });
        if (told) expect(made.map((one) => [one.result, one.elapsed_seconds])).toEqual(told);
        expect(made.every(({ source }) => source === 'machines')).toBe(true);
        const last = made.at(-1)!;
        if (message !== undefined) expect(last.message).toBe(message);
        if (details) expect(last.details).toMatch(details);
        if (startedAt) expect(new Date(last.started_at as string).toISOString()).toBe(startedAt);
      }
    });
  },
);

import { zipSync } from 'fflate';
import { passUndoHour } from '../../support/deletions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWork, type Row, type Work } from '../work';
import { storedTests, upload, type Outcome, type ResultFile } from './upload';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const base64 = png.toString('base64');
const log = Buffer.from('the log\n');

async function send(
  files: readonly ResultFile[],
  values: Record<string, string> = {},
  attachments: Record<string, Uint8Array> = {},
): Promise<Outcome & { run_id: number }> {
  const { status, body } = await upload(work, files, values, 'qa', {}, attachments);
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body.data as Outcome & { run_id: number };
}
const json = (value: unknown, name = 'report.json'): ResultFile => [name, JSON.stringify(value)];
const zip = (files: Record<string, Uint8Array | object>): ResultFile => [
  'allure.zip',
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, one]) => [
        name,
        one instanceof Uint8Array ? new Uint8Array(one) : new Uint8Array(Buffer.from(JSON.stringify(one))),
      ]),
    ),
  ),
];

interface Attempt extends Row {
  evidence: { name: string; type: string; size: number; url: string }[] | null;
  steps: { index: number; result: string; comment: string | null; evidence: string | null }[];
}
/** The attempts of a run in their order, as people read them. */
async function attemptsOf(run: number): Promise<Attempt[]> {
  const entries = await work.as.qa<{ data: Row[] }>('GET', `/run-entries?run_id=${run}&fields=id&range=[0,99]`);
  const ids = entries.body.data.map(({ id }) => id).join();
  const path = `/attempts?entry_id=${ids}&sort=["id","ASC"]&range=[0,199]&fields=id,result,evidence,steps,details`;
  return (await work.as.qa<{ data: Attempt[] }>('GET', path)).body.data;
}
const namesOf = (attempts: readonly Attempt[]) =>
  attempts.map(({ evidence }) => (evidence ?? []).map(({ name }) => name));
const contentOf = async (file: { url: string }) => (await work.program.app.inject({ url: file.url })).rawPayload;
/** How many files of attempts are stored. */
async function storedFiles(): Promise<number> {
  const { rows } = await work.program.program.database.kysely
    .withSchema('assay')
    .selectFrom('files')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('resource', '=', 'attempts')
    .execute()
    .then((found) => ({ rows: found }));
  return Number(rows[0]!.count);
}

const playwright = (attachments: object[], more: object[] = []) =>
  json({
    config: {},
    suites: [
      {
        title: 'pay.spec.ts',
        file: 'pay.spec.ts',
        specs: [
          {
            title: 'pays',
            file: 'pay.spec.ts',
            tests: [
              {
                projectName: 'chromium',
                results: [
                  { status: 'failed', duration: 10, error: { message: 'wrong' }, attachments },
                  ...more.map((one) => ({ status: 'passed', duration: 5, ...one })),
                ],
              },
            ],
          },
        ],
      },
    ],
  });

describe('files of each format', () => {
  test('Playwright JSON: bytes in the report, and paths of files that were sent', async () => {
    const outcome = await send(
      [
        playwright(
          [
            {
              name: 'screenshot',
              contentType: 'image/png',
              path: '/home/runner/work/test-results/pay/test-failed-1.png',
            },
            { name: 'log', contentType: 'text/plain', body: log.toString('base64') },
            { name: '_error-context', contentType: 'text/plain', body: log.toString('base64') },
            { name: 'trace', contentType: 'application/zip', path: '/home/runner/work/test-results/pay/trace.zip' },
          ],
          [{ attachments: [{ name: 'screenshot', contentType: 'image/png', body: base64 }] }],
        ),
      ],
      {},
      { 'test-results/other/test-failed-1.png': log, 'test-results/pay/test-failed-1.png': png },
    );
    expect(outcome).toMatchObject({ attachments: 3, left_out: 0 });
    const attempts = await attemptsOf(outcome.run_id);
    expect(namesOf(attempts)).toEqual([['screenshot.png', 'log.txt'], ['screenshot.png']]);
    expect(attempts[0]!.evidence).toMatchObject([{ type: 'image/png', size: png.length }, { type: 'text/plain' }]);
    expect((await contentOf(attempts[0]!.evidence![0]!)).equals(png)).toBe(true);
    expect((await contentOf(attempts[0]!.evidence![1]!)).equals(log)).toBe(true);
    // A path that leads to nothing stays as text.
    expect(attempts[0]!.details).toContain('Attachment: /home/runner/work/test-results/pay/trace.zip');
  });

  test('Allure results: of the test, of its steps and of steps within, by their source', async () => {
    const outcome = await send([
      zip({
        'results/1-result.json': {
          uuid: '1',
          historyId: 'pays',
          name: 'pays',
          status: 'failed',
          attachments: [{ name: 'Whole page', source: 'a-attachment.png', type: 'image/png' }],
          steps: [
            { name: 'Open', status: 'passed' },
            {
              name: 'Press Pay',
              status: 'broken',
              attachments: [{ name: 'Before', source: 'b-attachment.txt', type: 'text/plain' }],
              steps: [
                { name: 'Wait', attachments: [{ name: 'Before', source: 'c-attachment.txt', type: 'text/plain' }] },
              ],
            },
          ],
        },
        'results/a-attachment.png': png,
        'results/b-attachment.txt': log,
        'results/c-attachment.txt': log,
        'results/never-named.bin': png,
      }),
    ]);
    expect(outcome).toMatchObject({ attachments: 3, left_out: 0 });
    expect(await attemptsOf(outcome.run_id)).toMatchObject([
      {
        evidence: [{ name: 'Whole page.png', type: 'image/png' }, { name: 'Before.txt' }, { name: 'Before-2.txt' }],
        steps: [{ index: 2, result: 'failed', comment: 'Press Pay', evidence: 'Before.txt\nBefore-2.txt' }],
      },
    ]);
  });

  test('Cucumber JSON: embeddings of steps and hooks', async () => {
    const step = (name: string, status: string, more: object = {}) => ({
      keyword: 'When ',
      name,
      result: { status, ...(status === 'failed' && { error_message: 'wrong' }) },
      ...more,
    });
    const { run_id } = await send([
      json([
        {
          uri: 'pay.feature',
          keyword: 'Feature',
          name: 'Paying',
          elements: [
            {
              id: 'paying;pays',
              keyword: 'Scenario',
              type: 'scenario',
              name: 'pays',
              line: 3,
              steps: [
                step('I open the page', 'passed'),
                step('I pay', 'failed', { embeddings: [{ data: base64, mime_type: 'image/png', name: 'Paying' }] }),
              ],
              after: [
                {
                  result: { status: 'passed' },
                  embeddings: [{ data: log.toString('base64'), media: { type: 'text/plain' } }],
                },
              ],
            },
          ],
        },
      ]),
    ]);
    expect(await attemptsOf(run_id)).toMatchObject([
      {
        evidence: [{ name: 'attachment.txt' }, { name: 'Paying.png', type: 'image/png' }],
        steps: [{ index: 2, result: 'failed', comment: 'When I pay', evidence: 'Paying.png' }],
      },
    ]);
  });

  test('JUnit XML, CTRF and TRX: paths of files that were sent, whichever system they are of', async () => {
    const junit: ResultFile = [
      'junit.xml',
      `<testsuite name="s"><testcase classname="s" name="a" time="1"><failure message="wrong">wrong</failure>
        <system-out><![CDATA[before [[ATTACHMENT|shots/a.png]] after]]></system-out>
        <system-err>[[ATTACHMENT|../../etc/passwd]]</system-err></testcase></testsuite>`,
    ];
    const ctrf = json({
      results: {
        tool: { name: 'x' },
        tests: [
          {
            name: 'b',
            status: 'failed',
            duration: 5,
            attachments: [{ name: 'Page', contentType: 'image/png', path: 'out/b.png' }],
            screenshot: `data:image/png;base64,${base64}`,
          },
        ],
      },
    });
    const trx: ResultFile = [
      'results.trx',
      `<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>
        <UnitTestResult testId="1" testName="c" outcome="Failed"><Output><ErrorInfo><Message>wrong</Message></ErrorInfo></Output>
        <ResultFiles><ResultFile path="BUILD-7\\c.png" /></ResultFiles></UnitTestResult></Results></TestRun>`,
    ];
    const { run_id, attachments } = await send(
      [junit, ctrf, trx],
      {},
      {
        'build/shots/a.png': png,
        'out/b.png': png,
        'TestResults/x/In/BUILD-7/c.png': png,
        passwd: log,
      },
    );
    expect(attachments).toBe(5);
    const attempts = await attemptsOf(run_id);
    expect(namesOf(attempts)).toEqual([['a.png', 'passwd'], ['Page.png', 'screenshot.png'], ['c.png']]);
    // A path is compared with what was sent, and never followed.
    expect((await contentOf(attempts[0]!.evidence![1]!)).equals(log)).toBe(true);
    const alone = await send([junit]);
    const [attempt] = await attemptsOf(alone.run_id);
    expect(attempt).toMatchObject({ evidence: null, steps: [] });
    expect(attempt!.details).toMatch(/wrong\nAttachment: shots\/a\.png\nAttachment: \.\.\/\.\.\/etc\/passwd$/);
  });
});

test('Robot Framework: pictures that libraries log as HTML, beside the output or within it, at their keywords', async () => {
  const msg = (html: string, mark = 'true') =>
    `<msg time="2026-11-20T08:00:02" level="INFO" html="${mark}">${html.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</msg>`;
  const status = (result: string) => `<status status="${result}" start="2026-11-20T08:00:02.000000" elapsed="0.001"/>`;
  const linked = (path: string) => `<a href="${path}"><img src="${path}" width="800px"></a>`;
  const robot: ResultFile = [
    'output.xml',
    `<robot generator="Robot 7.1"><suite id="s1" name="Shop" source="/work/shop.robot">
      <kw name="Open Browser" type="SETUP">${msg(linked('suite.png'))}${status('PASS')}</kw>
      <test id="s1-t1" name="Pays" line="3">
        <kw name="Open Page" owner="Web"><msg level="INFO">&lt;img src="plain.png"&gt;</msg>${status('PASS')}</kw>
        <kw name="Press Pay" owner="Web"><kw name="Click" owner="Web">${msg(`</td></tr>${linked('browser/shot%201.png')}`)}
          ${status('FAIL')}</kw>${msg(`<img class="shot" src="data:image/png;base64,${base64}">`, 'yes')}
          ${msg('<a href="https://shop.test/a.png">shop</a> <a href="#log">log</a> <a href="javascript:alert(1)">x</a>')}
          ${status('FAIL')}</kw>
        <kw name="Close" type="TEARDOWN">${msg(linked('../../etc/passwd'))}${status('PASS')}</kw>
        ${status('FAIL')}
      </test>${status('FAIL')}</suite></robot>`,
  ];
  const sent = { 'results/browser/shot 1.png': png, 'results/suite.png': log, 'results/plain.png': log };
  const { run_id, attachments, left_out } = await send([robot], {}, sent);
  expect([attachments, left_out]).toEqual([2, 0]);
  const [attempt, ...others] = await attemptsOf(run_id);
  expect(others).toEqual([]);
  expect(attempt).toMatchObject({
    evidence: [
      { name: 'shot 1.png', type: 'image/png' },
      { name: 'screenshot.png', type: 'image/png' },
    ],
    steps: [{ index: 2, result: 'failed', comment: 'Press Pay', evidence: 'shot 1.png\nscreenshot.png' }],
  });
  expect(attempt!.details).toBe('Attachment: ../../etc/passwd');
  for (const file of attempt!.evidence!) expect((await contentOf(file)).equals(png)).toBe(true);
});

describe('nothing is doubled, and nothing is left behind', () => {
  const report = playwright([{ name: 'shot', contentType: 'image/png', body: base64 }]);

  test('the same part again, also at once, and a dry run store no file', async () => {
    const before = await storedFiles();
    const values = { run_key: 'evidence-1', shard: '1' };
    expect(await send([report], { ...values, dry_run: '1' })).toMatchObject({ attachments: 1, run_id: null });
    expect(await storedFiles()).toBe(before);
    const outcomes = await Promise.all([1, 2, 3].map(() => send([report], values)));
    expect(outcomes.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(outcomes.map(({ attachments }) => attachments)).toEqual([1, 1, 1]);
    expect(await storedFiles()).toBe(before + 1);
    const request = await upload(work, [report], { run_key: 'evidence-2' }, 'qa', { 'idempotency-key': 'evidence-2' });
    const again = await upload(work, [report], { run_key: 'evidence-2' }, 'qa', { 'idempotency-key': 'evidence-2' });
    expect(again.body).toEqual(request.body);
    expect(await storedFiles()).toBe(before + 2);
  });

  test('an upload that is refused in the end leaves no file', async () => {
    const before = await storedFiles();
    const broken: ResultFile = ['broken.xml', '<testsuite><testcase name="a">'];
    expect((await upload(work, [broken])).status).toBe(422);
    expect((await upload(work, [report], { milestone: 'Never' })).status).toBe(422);
    const { run_id } = await send([report], { run_key: 'evidence-closed' });
    await work.as.qa('PUT', `/test-runs/${run_id}`, { state: 'closed' });
    expect((await upload(work, [report], { run_key: 'evidence-closed', shard: '2' })).status).toBe(409);
    expect(await storedFiles()).toBe(before + 1);
  });

  test('files are deleted with their run', async () => {
    const before = await storedFiles();
    const { run_id } = await send([report]);
    const [attempt] = await attemptsOf(run_id);
    const { url } = attempt!.evidence![0]!;
    expect((await work.as.owner('DELETE', `/test-runs/${run_id}`)).status).toBe(200);
    expect((await work.program.app.inject({ url })).statusCode).toBe(404);
    await passUndoHour(work.program.program);
    await expect.poll(storedFiles).toBe(before);
  });
});

describe('hostile files', () => {
  test('names and paths are only names; pages and scripts are never shown', async () => {
    const html = Buffer.from('<!doctype html><script>alert(1)</script>');
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    const { run_id } = await send([
      playwright([
        { name: '../../../evil.html', contentType: 'image/png', body: html.toString('base64') },
        { name: 'picture.png', contentType: 'image/png', body: svg.toString('base64') },
        { name: 'a\nb.txt', contentType: 'text/plain', body: log.toString('base64') },
      ]),
    ]);
    const [attempt] = await attemptsOf(run_id);
    expect(attempt!.evidence).toMatchObject([
      { name: 'evil.html', type: 'text/html' },
      { name: 'picture.png', type: 'image/svg+xml' },
      { name: 'ab.txt', type: 'text/plain' },
    ]);
    for (const { url } of attempt!.evidence!.slice(0, 2)) {
      const { headers } = await work.program.app.inject({ url });
      expect(headers['content-disposition']).toMatch(/^attachment/);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test('too many, too large, empty and missing ones are left out with the reason, and the results are stored', async () => {
    const many = Array.from({ length: 23 }, (_, n) => ({
      name: `shot ${n}.png`,
      contentType: 'image/png',
      body: base64,
    }));
    const outcome = await send([playwright(many)]);
    expect(outcome).toMatchObject({ attachments: 20, left_out: 3 });
    expect(outcome.left_out_reasons[0]).toBe('“shot 20.png” of “pays”: an attempt keeps 20 files.');
    const large = await send([
      zip({
        '1-result.json': {
          name: 'large',
          status: 'failed',
          attachments: [
            { name: 'bomb', source: 'bomb.bin', type: 'text/plain' },
            { name: 'gone', source: '../../../etc/passwd', type: 'text/plain' },
            { name: 'empty', source: 'empty.txt', type: 'text/plain' },
            { name: 'good', source: 'good.txt', type: 'text/plain' },
          ],
        },
        'bomb.bin': new Uint8Array(26 * 1024 * 1024),
        'empty.txt': new Uint8Array(0),
        'good.txt': log,
      }),
    ]);
    expect(large).toMatchObject({
      attachments: 1,
      left_out: 3,
      left_out_reasons: [
        '“bomb.txt” of “large”: it is larger than 25 MB.',
        '“gone” of “large” is not in the upload.',
        '“empty.txt” of “large”: it is empty.',
      ],
    });
    expect(namesOf(await attemptsOf(large.run_id))).toEqual([['good.txt']]);
  });

  test('what is no base64 is stored as far as it is some, and steps within steps without end are cut', async () => {
    let step: object = { name: 'deepest', attachments: [{ name: 'x', source: 'x.txt' }] };
    for (let depth = 0; depth < 500; depth++) step = { name: 'deep', steps: [step] };
    const outcome = await send([
      zip({ '1-result.json': { name: 'deep', status: 'failed', steps: [step] }, 'x.txt': log }),
      playwright([{ name: 'none', contentType: 'image/png', body: '%%%%' }]),
    ]);
    expect(outcome).toMatchObject({ attachments: 0, left_out: 1 });
    expect(outcome.left_out_reasons[0]).toMatch(/“none\.png” of “pays”: it is empty\./);
    expect(await storedTests(work, outcome.run_id)).toHaveLength(2);
  });

  test('another company, and parts of the form that are called otherwise', async () => {
    const { run_id } = await send([playwright([{ name: 'shot', contentType: 'image/png', body: base64 }])]);
    const entries = await work.as.qa<{ data: Row[] }>('GET', `/run-entries?run_id=${run_id}`);
    const path = `/attempts?entry_id=${entries.body.data[0]!.id}`;
    expect((await work.as.harbour<{ data?: Row[] }>('GET', path)).body.data ?? []).toEqual([]);
    expect((await work.as.external<{ data?: Row[] }>('GET', path)).body.data ?? []).toEqual([]);
    const form = new FormData();
    form.append('project', String(work.open));
    form.append('file', new Blob(['<testsuite><testcase name="a"/></testsuite>']), 'a.xml');
    form.append('shot', new Blob([new Uint8Array(png)]), 'shot.png');
    const message = new Response(form);
    const answer = await work.as.qa<{ errors: Record<string, string> }>(
      'POST',
      '/results',
      Buffer.from(await message.arrayBuffer()),
      { 'content-type': message.headers.get('content-type')! },
    );
    expect(answer.status).toBe(422);
    expect(answer.body.errors.shot).toMatch(/"attachment:PATH"/);
  });
});

import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWork, type Row, type Work } from '../work';

const script = fileURLToPath(new URL('../../../scripts/upload-results.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'uploader-'));

let work: Work;
let url: string;
let token: string;
beforeAll(async () => {
  work = await startWork();
  url = await work.program.app.listen({ port: 0, host: '127.0.0.1' });
  const { body } = await work.as.owner<{ data: Row }>('POST', '/service-accounts', { name: 'Build', role_id: 5 });
  token = (await work.as.owner<{ data: { token: string } }>('POST', `/service-accounts/${body.data.id}/token`)).body
    .data.token;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await work.program.close();
});

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the script as a build does: with an environment of its own. */
const run = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((done) => {
    const whole = { PATH: process.env.PATH ?? '', ASSAY_URL: url, ASSAY_TOKEN: token, ...env };
    execFile(process.execPath, [script, ...args], { env: whole }, (error, out, err) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });

let written = 0;
/** A JUnit report with so many passed and failed tests. */
function report(passed: number, failed: number): string {
  const suite = `s${++written}`;
  const cases = [
    ...Array.from({ length: passed }, (_, n) => `<testcase classname="${suite}" name="passes ${n}"/>`),
    ...Array.from(
      { length: failed },
      (_, n) => `<testcase classname="${suite}" name="fails ${n}"><failure/></testcase>`,
    ),
  ];
  const path = join(folder, `${suite}.xml`);
  writeFileSync(path, `<testsuite name="${suite}">${cases.join('')}</testsuite>`);
  return path;
}

const stored = async (id: number): Promise<Row> =>
  (await work.as.qa<{ data: Row }>('GET', `/test-runs/${id}`)).body.data;

describe('the uploader', () => {
  test('sends files of a build, says what was stored, and takes the facts of the build', async () => {
    const build = {
      GITHUB_ACTIONS: 'true',
      GITHUB_RUN_ID: '900',
      GITHUB_RUN_ATTEMPT: '2',
      GITHUB_JOB: 'unit',
      GITHUB_REF_NAME: 'main',
      GITHUB_SHA: 'abc123',
      GITHUB_SERVER_URL: 'https://git.test',
      GITHUB_REPOSITORY: 'shop/web',
    };
    const sent = await run(['--project', 'STP', '--json', report(3, 1), report(1, 0)], build);
    expect(sent).toMatchObject({ code: 0, err: expect.stringContaining('Stored 5 tests (4 passed, 1 failed') });
    const { run_id } = JSON.parse(sent.out) as { run_id: number };
    expect(await stored(run_id)).toMatchObject({
      run_key: '900',
      branch: 'main',
      commit: 'abc123',
      build_url: 'https://git.test/shop/web/actions/runs/900',
    });
  });

  test('sends the files of a folder that a report names, and no others', async () => {
    const shots = mkdtempSync(join(folder, 'shots-'));
    for (const name of ['failed.png', 'other.png']) writeFileSync(join(shots, name), 'a picture');
    const path = join(folder, 'with-shot.xml');
    writeFileSync(
      path,
      `<testsuite name="shots"><testcase classname="shots" name="fails"><failure/>
        <system-out>[[ATTACHMENT|${shots}/failed.png]] [[ATTACHMENT|gone.png]]</system-out></testcase></testsuite>`,
    );
    const sent = await run(['--project', 'STP', '--json', '--attach', folder, path]);
    expect(sent).toMatchObject({ code: 0, err: expect.stringContaining('1 files of tests.') });
    const { run_id } = JSON.parse(sent.out) as { run_id: number };
    const { body } = await work.as.qa<{ data: Row[] }>('GET', `/run-entries?run_id=${run_id}`);
    const attempts = await work.as.qa<{ data: Row[] }>('GET', `/attempts?entry_id=${body.data[0]!.id}`);
    expect(attempts.body.data[0]!.evidence).toMatchObject([{ name: 'failed.png', type: 'text/plain' }]);
  });

  test.each([
    [{ GITLAB_CI: 'true', CI_PIPELINE_ID: '77', CI_COMMIT_REF_NAME: 'topic', CI_COMMIT_SHA: 'def' }, '77', 'topic'],
    [{ JENKINS_URL: 'https://j.test/', BUILD_TAG: 'jenkins-shop-5', GIT_BRANCH: 'next' }, 'jenkins-shop-5', 'next'],
  ])('other builds say their own: %j', async (build, key, branch) => {
    const sent = await run(['--project', 'STP', '--json', report(1, 0)], build as unknown as Record<string, string>);
    expect(sent.code, sent.err).toBe(0);
    const { run_id } = JSON.parse(sent.out) as { run_id: number };
    expect(await stored(run_id)).toMatchObject({ run_key: key, branch });
  });

  test.each<[string, Record<string, string>, Record<string, string>, string[]]>([
    [
      'jobs of GitHub Actions',
      { GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: 'parts-1', GITHUB_JOB: 'unit' },
      { GITHUB_JOB: 'e2e', ASSAY_MATRIX: '{"os":"windows","node":22}' },
      ['e2e / windows, 22', 'unit'],
    ],
    [
      'jobs of GitLab',
      { GITLAB_CI: 'true', CI_PIPELINE_ID: 'parts-2', CI_JOB_NAME: 'unit 1/2', CI_NODE_INDEX: '1', CI_JOB_ID: '7' },
      { CI_JOB_NAME: 'e2e', CI_NODE_INDEX: '2', CI_JOB_ID: '8' },
      ['e2e / 2', 'unit 1/2'],
    ],
    [
      'stages of Jenkins',
      { JENKINS_URL: 'https://j.test/', BUILD_TAG: 'parts-3', JOB_NAME: 'shop', STAGE_NAME: 'Unit' },
      { STAGE_NAME: 'E2E' },
      ['shop / E2E', 'shop / Unit'],
    ],
    [
      'jobs of Azure',
      { TF_BUILD: 'True', BUILD_BUILDID: 'parts-4', SYSTEM_STAGENAME: '__default', SYSTEM_JOBNAME: 'unit' },
      { SYSTEM_JOBNAME: 'e2e', SYSTEM_JOBATTEMPT: '2' },
      ['e2e', 'unit'],
    ],
    [
      'steps of Buildkite',
      { BUILDKITE: 'true', BUILDKITE_BUILD_ID: 'parts-5', BUILDKITE_LABEL: 'unit' },
      { BUILDKITE_LABEL: 'e2e', BUILDKITE_PARALLEL_JOB: '0' },
      ['e2e / 0', 'unit'],
    ],
  ])('%s are parts of one run, whose gate counts both', async (_, first, changes, parts) => {
    const one = await run(['--project', 'STP', '--json', '--gate', 'failed=0', report(2, 0)], first);
    expect(one.code, one.err).toBe(0);
    const other = await run(['--project', 'STP', '--json', '--gate', 'failed=0', report(0, 1)], {
      ...first,
      ...changes,
    });
    expect(other.code, other.err).toBe(1);
    const runs = [one, other].map(({ out }) => (JSON.parse(out) as { run_id: number }).run_id);
    expect(runs[1]).toBe(runs[0]);
    const { uploads } = await stored(runs[0]!);
    expect((uploads as Row[]).map(({ part }) => part as string).toSorted()).toEqual(parts);
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    [
      'GitHub Actions',
      { GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: 'retry-1', GITHUB_JOB: 'unit', GITHUB_RUN_ATTEMPT: '1' },
      { GITHUB_RUN_ATTEMPT: '2' },
    ],
    [
      'GitLab',
      { GITLAB_CI: 'true', CI_PIPELINE_ID: 'retry-2', CI_JOB_NAME: 'unit', CI_JOB_ID: '5100000001' },
      { CI_JOB_ID: '5100000009' },
    ],
    ['Azure', { TF_BUILD: 'True', BUILD_BUILDID: 'retry-3', SYSTEM_JOBNAME: 'unit' }, { SYSTEM_JOBATTEMPT: '2' }],
    [
      'Buildkite',
      { BUILDKITE: 'true', BUILDKITE_BUILD_ID: 'retry-4', BUILDKITE_LABEL: 'unit' },
      { BUILDKITE_RETRY_COUNT: '1' },
    ],
  ])('a job that %s retries is an attempt of its part, and makes the gate green', async (_, build, retry) => {
    const path = report(0, 1);
    const words = ['--project', 'STP', '--gate', 'failed=0', path];
    expect((await run(words, build)).code).toBe(1);
    writeFileSync(path, readFileSync(path, 'utf8').replace('<failure/>', ''));
    // The same job again, without a retry of the build, is refused in words.
    expect(await run(words, build)).toMatchObject({ code: 2, err: expect.stringContaining('"part"') as unknown });
    expect((await run(words, { ...build, ...retry })).code).toBe(0);
  });

  test('sends the reports of folders and patterns; a file that cannot be read does not hold the others up', async () => {
    const root = mkdtempSync(join(folder, 'reports-'));
    mkdirSync(join(root, 'a/target'), { recursive: true });
    for (const name of ['TEST-one.xml', 'TEST-two.xml'])
      writeFileSync(join(root, 'a/target', name), `<testsuite name="${name}"><testcase name="${root}"/></testsuite>`);
    writeFileSync(join(root, 'a/notes.txt'), 'no report');
    const all = await run(['--project', 'STP', '--json', root]);
    expect(all.code, all.err).toBe(0);
    expect((JSON.parse(all.out) as { totals: Row }).totals.tests).toBe(2);
    const some = await run(['--project', 'STP', '--json', `${root}/**/TEST-t*.xml`]);
    expect(some.code, some.err).toBe(0);
    expect((JSON.parse(some.out) as { totals: Row }).totals.tests).toBe(1);
    writeFileSync(join(root, 'a/broken.xml'), '<testsuite>');
    const partial = await run(['--project', 'STP', root]);
    expect(partial).toMatchObject({ code: 2, err: expect.stringContaining('Stored 2 tests') as unknown });
    expect(partial.err).toContain('broken.xml cannot be read: Line 1: This is not well-formed XML');
  });

  test('sends more files than an upload takes in batches of one part', async () => {
    const root = mkdtempSync(join(folder, 'many-'));
    for (let index = 0; index < 2_010; index++)
      writeFileSync(join(root, `${index}.xml`), `<testsuite name="m${index}"><testcase name="t"/></testsuite>`);
    const sent = await run(['--project', 'STP', '--json', '--part', 'unit', root]);
    expect(sent.code, sent.err).toBe(0);
    const { run_id, totals } = JSON.parse(sent.out) as { run_id: number; totals: Row };
    expect(totals.tests).toBe(2_010);
    expect(await stored(run_id)).toMatchObject({ tests: 2_010, passed: 2_010 });
  });

  test('the same test in two batches of one part is two tests, as in one upload', async () => {
    const root = mkdtempSync(join(folder, 'twice-'));
    const name = (index: number) => join(root, `${String(index).padStart(4, '0')}.xml`);
    const write = (index: number, content: string) =>
      writeFileSync(
        name(index),
        `<testsuite name="same"><testcase classname="same" name="pays">${content}</testcase></testsuite>`,
      );
    for (let index = 2; index < 2_002; index++)
      writeFileSync(name(index), `<testsuite name="u${index}"><testcase name="t"/></testsuite>`);
    write(0, '');
    write(1, '');
    write(2_002, '<failure message="boom"/>');
    write(2_003, '');
    const runs = [];
    for (const build of ['1', '2']) {
      const sent = await run(['--project', 'STP', '--json', '--part', 'unit', '--run-key', `twice-${build}`, root]);
      expect(sent.code, sent.err).toBe(0);
      runs.push((JSON.parse(sent.out) as { run_id: number }).run_id);
    }
    for (const id of runs) {
      expect(await stored(id)).toMatchObject({ tests: 2_004, passed: 2_003, failed: 1, flaky: 0 });
      const { body } = await work.as.qa<{ data: Row[] }>('GET', `/run-entries?run_id=${id}&q=pays&range=[0,9]`);
      const found = body.data.map(({ name: title, result }) => [title as string, result as string]);
      expect(Object.fromEntries(found)).toEqual({
        pays: 'passed',
        'pays (2)': 'passed',
        'pays (3)': 'failed',
        'pays (4)': 'passed',
      });
    }
    // The batches of a retry follow each other, too, and not those of the first attempt.
    writeFileSync(name(2_002), readFileSync(name(2_002), 'utf8').replace('<failure message="boom"/>', ''));
    const again = await run(['--project', 'STP', '--part', 'unit', '--run-key', 'twice-2', '--attempt', '2', root]);
    expect(again.code, again.err).toBe(0);
    expect(await stored(runs[1]!)).toMatchObject({ tests: 2_004, passed: 2_003, failed: 0, flaky: 1 });
  });

  test('the executions of one test in the results of Allure stay together when they are sent in batches', async () => {
    const root = mkdtempSync(join(folder, 'allure-'));
    const write = (index: number, historyId: string, status: string) =>
      writeFileSync(
        join(root, `${String(index).padStart(4, '0')}-result.json`),
        JSON.stringify({
          uuid: `u${index}`,
          historyId,
          name: historyId,
          fullName: historyId,
          status,
          start: 1_700_000_000_000 + index,
        }),
      );
    for (let index = 1; index < 2_001; index++) write(index, `test ${index}`, 'passed');
    write(0, 'retried', 'failed');
    write(2_001, 'retried', 'passed');
    const sent = await run(['--project', 'STP', '--json', '--part', 'unit', root]);
    expect(sent.code, sent.err).toBe(0);
    const { run_id } = JSON.parse(sent.out) as { run_id: number };
    expect(await stored(run_id)).toMatchObject({ tests: 2_001, passed: 2_000, flaky: 1, failed: 0 });
  });

  test('the gate decides by the exit code, with an upload or after all parts', async () => {
    const sent = await run(['--project', 'STP', '--json', '--gate', 'failed=0,pass_rate=90', report(1, 1)]);
    expect(sent).toMatchObject({ code: 1, err: expect.stringContaining('failed: 1, the limit is 0') });
    expect(sent.err).toContain('pass_rate: 50, the limit is 90');
    const { run_id } = JSON.parse(sent.out) as { run_id: number };
    expect(await run(['--run', String(run_id), '--gate', 'failed=1'])).toMatchObject({ code: 0 });
    expect(await run(['--run', String(run_id), '--gate', 'failed=0'])).toMatchObject({ code: 1 });
  });

  test('a dry run stores nothing', async () => {
    const before = (await work.rows('test_runs')).length;
    const sent = await run(['--project', 'STP', '--dry-run', report(2, 0)]);
    expect(sent).toMatchObject({ code: 0, err: expect.stringContaining('Would store 2 tests') });
    expect(await work.rows('test_runs')).toHaveLength(before);
  });

  test.each<[string, readonly string[], Record<string, string>, string]>([
    ['no project', ['FILE'], {}, 'Set --project'],
    ['no file', ['--project', 'STP'], {}, 'Which files?'],
    ['a file that is not there', ['--project', 'STP', '/nowhere.xml'], {}, '/nowhere.xml cannot be read'],
    ['an unknown project', ['--project', 'NONE', 'FILE'], {}, 'project'],
    ['an unknown option', ['--projekt', 'STP', 'FILE'], {}, 'projekt'],
    ['a gate without a limit', ['--project', 'STP', '--gate', 'failed', 'FILE'], {}, 'failed_new=0'],
    ['an unknown figure', ['--project', 'STP', '--gate', 'wrong=1', 'FILE'], {}, 'wrong'],
    ['no token', ['--project', 'STP', 'FILE'], { ASSAY_TOKEN: '' }, 'ASSAY_TOKEN'],
    ['a wrong token', ['--project', 'STP', 'FILE'], { ASSAY_TOKEN: 'assay_wrong' }, 'status 401'],
    ['no address', ['--project', 'STP', 'FILE'], { ASSAY_URL: '' }, 'ASSAY_URL'],
  ])('%s: exit code 2 and what to do', async (_, args, env, words) => {
    const file = report(1, 0);
    const ended = await run(
      args.map((one) => (one === 'FILE' ? file : one)),
      env,
    );
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(words) });
    expect(ended.err).not.toContain(token);
  });

  test('a server that answers late is asked again, with the same key', async () => {
    const keys: unknown[] = [];
    const front: Server = createServer((request, response) => {
      keys.push(request.headers['idempotency-key']);
      request.resume().on('end', () => {
        if (keys.length < 3) return response.writeHead(503, { 'retry-after': '0.01' }).end();
        response.writeHead(201, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ data: { run_id: 1, totals: { tests: 1 }, dry_run: false, repeated: false, proposals: 0 } }),
        );
      });
    });
    await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
    const { port } = front.address() as AddressInfo;
    const sent = await run(['--project', 'STP', report(1, 0)], { ASSAY_URL: `http://127.0.0.1:${port}` });
    front.close();
    expect(sent.code, sent.err).toBe(0);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });
});

import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
      GITHUB_REF_NAME: 'main',
      GITHUB_SHA: 'abc123',
      GITHUB_SERVER_URL: 'https://git.test',
      GITHUB_REPOSITORY: 'shop/web',
    };
    const sent = await run(['--project', 'STP', '--json', report(3, 1), report(1, 0)], build);
    expect(sent).toMatchObject({ code: 0, err: expect.stringContaining('Stored 5 tests (4 passed, 1 failed') });
    const { run_id } = JSON.parse(sent.out) as { run_id: number };
    expect(await stored(run_id)).toMatchObject({
      run_key: '900-2',
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

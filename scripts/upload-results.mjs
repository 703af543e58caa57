#!/usr/bin/env node
// Sends reports of automated tests to Assay, and checks the gate: `node upload-results.mjs --project STP reports/*.xml`.
// One file without dependencies, so that a build can copy it. Node 20 or newer.
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join as joinPath } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const usage = `Sends reports of automated tests to Assay, and checks the gate.

  node upload-results.mjs --project STP [options] FILE...
  node upload-results.mjs --run 71 --gate failed_new=0

The address is --url or ASSAY_URL; the token of a service account is ASSAY_TOKEN.

  --project        id, name or code of the project
  --run-key        what the parts of one run have in common     (of the build, if it is known)
  --shard          which part of the run this is                (of the build, if it is known)
  --branch  --commit  --build-url                               (of the build, if they are known)
  --name  --configuration  --milestone
  --attach         a folder whose files are sent if a report names them, such as pictures of failures; several times
  --dry-run        says what would be stored, and stores nothing
  --gate           limits of the run: failed=0,failed_new=0,broken=0,blocked=0,skipped=5,flaky=3,not_run=0,pass_rate=95
  --run            checks the gate of this run, and sends nothing
  --json           prints the answer of the server

Exit codes: 0 stored and within the limits · 1 beyond a limit · 2 refused, or called in a wrong way · 3 not reached`;

const exitCodes = { beyondLimit: 1, refused: 2, notReached: 3 };
const attempts = 5;
/** How many files beside its reports an upload may have. */
const maxAttachments = 300;

class Failure extends Error {
  constructor(message, exitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What the build says of itself, by the part of the form. */
function buildFacts(env) {
  if (env.GITHUB_ACTIONS) {
    return {
      run_key: join('-', env.GITHUB_RUN_ID, env.GITHUB_RUN_ATTEMPT),
      branch: env.GITHUB_HEAD_REF || env.GITHUB_REF_NAME,
      commit: env.GITHUB_SHA,
      build_url: join('/', env.GITHUB_SERVER_URL, env.GITHUB_REPOSITORY, 'actions/runs', env.GITHUB_RUN_ID),
    };
  }
  if (env.GITLAB_CI) {
    return {
      run_key: env.CI_PIPELINE_ID,
      shard: env.CI_NODE_INDEX,
      branch: env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME || env.CI_COMMIT_REF_NAME,
      commit: env.CI_COMMIT_SHA,
      build_url: env.CI_PIPELINE_URL,
    };
  }
  if (env.JENKINS_URL) {
    return {
      run_key: env.BUILD_TAG,
      branch: env.CHANGE_BRANCH || env.BRANCH_NAME || env.GIT_BRANCH,
      commit: env.GIT_COMMIT,
      build_url: env.BUILD_URL,
    };
  }
  return {};
}

const join = (separator, ...parts) => (parts.every(Boolean) ? parts.join(separator) : undefined);

function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        ...Object.fromEntries(
          ['url', 'project', 'run-key', 'shard', 'name', 'branch', 'commit', 'build-url', 'configuration', 'milestone']
            .concat('gate', 'run')
            .map((name) => [name, { type: 'string' }]),
        ),
        attach: { type: 'string', multiple: true },
        'dry-run': { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new Failure(`${error.message}\n\n${usage}`, exitCodes.refused);
  }
}

/** The server's address, with a warning where the token could be read on its way. */
function serverOf(options) {
  const text = options.url ?? process.env.ASSAY_URL;
  if (!text) throw new Failure('Where is Assay? Set --url or ASSAY_URL.', exitCodes.refused);
  if (!URL.canParse(text)) throw new Failure(`"${text}" is no address. Begin it with https://.`, exitCodes.refused);
  const { protocol, hostname } = new URL(text);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol !== 'https:' && !isLocal) console.error('Warning: the token is sent without encryption. Use https.');
  return text.replace(/\/+$/, '');
}

/**
 * Sends a request until the server answers. The same key each time: what was stored although its answer was lost is not
 * stored twice.
 */
async function send(url, path, init = {}) {
  const token = process.env.ASSAY_TOKEN;
  if (!token) throw new Failure('Set ASSAY_TOKEN to the token of a service account.', exitCodes.refused);
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'idempotency-key': randomUUID() };
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${url}/api${path}`, { ...init, headers, redirect: 'manual' }).catch((error) => error);
    const isAnswer = answer instanceof Response;
    const isOver = isAnswer && answer.status < 500 && ![408, 429].includes(answer.status) && !isInProgress(answer);
    if (isOver) return readAnswer(answer);
    const reason = isAnswer ? `status ${answer.status}` : (answer.cause?.message ?? answer.message);
    if (attempt === attempts) throw new Failure(`${url} cannot be reached: ${reason}`, exitCodes.notReached);
    const seconds = Number(isAnswer && answer.headers.get('retry-after')) || 2 ** attempt;
    console.error(`${url}: ${reason}. Again in ${seconds} s.`);
    await wait(seconds * 1000);
  }
}

/** An earlier attempt of the same request is still being stored. */
const isInProgress = (answer) => answer.status === 409 && answer.headers.has('retry-after');

async function readAnswer(answer) {
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text);
  let message = text.slice(0, 500);
  try {
    const { message: said, errors = {} } = JSON.parse(text);
    const faults = Object.entries(errors).map(([name, fault]) => `  ${name}: ${fault}`);
    message = [said, ...faults].join('\n');
  } catch {
    // A proxy answers with a page.
  }
  throw new Failure(`Refused with status ${answer.status}: ${message}`, exitCodes.refused);
}

async function uploadFiles(url, options, files) {
  if (!options.project) throw new Failure('Which project? Set --project.', exitCodes.refused);
  const build = buildFacts(process.env);
  const form = new FormData();
  const values = {
    ...build,
    ...Object.fromEntries(Object.entries(options).map(([name, value]) => [name.replaceAll('-', '_'), value])),
    dry_run: options['dry-run'] ? '1' : undefined,
  };
  for (const name of ['url', 'gate', 'run', 'json', 'attach']) delete values[name];
  for (const [name, value] of Object.entries(values)) if (value) form.append(name, value);
  const reports = [];
  for (const path of files) {
    const content = await readFile(path).catch((error) => {
      throw new Failure(`${path} cannot be read: ${error.message}`, exitCodes.refused);
    });
    reports.push(content);
    form.append('file', new Blob([content]), basename(path));
  }
  for (const path of await findAttachments(options.attach ?? [], reports))
    form.append(`attachment:${path.replaceAll('\\', '/')}`, new Blob([await readFile(path)]), basename(path));
  const { data } = await send(url, '/results', { method: 'POST', body: form });
  return data;
}

/** The files in these folders whose names the reports have. Others are never read. */
async function findAttachments(folders, reports) {
  const found = [];
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
      throw new Failure(`--attach ${folder}: ${error.message}`, exitCodes.refused);
    });
    for (const entry of entries) {
      if (entry.isFile() && reports.some((report) => report.includes(entry.name)))
        found.push(joinPath(entry.parentPath ?? entry.path, entry.name));
    }
  }
  if (found.length > maxAttachments)
    console.error(`The reports name ${found.length} files. ${maxAttachments} are sent.`);
  return found.slice(0, maxAttachments);
}

function describe({ totals, run_id, dry_run, repeated, proposals, attachments, left_out, left_out_reasons }, url) {
  const figures = ['passed', 'failed', 'broken', 'flaky', 'skipped'].map((name) => `${totals[name]} ${name}`);
  const where = run_id === null ? '' : ` ${url}/test-runs/${run_id}`;
  const what = dry_run ? 'Would store' : repeated ? 'Was stored before:' : 'Stored';
  const renamed = proposals > 0 ? ` ${proposals} may be renamed tests.` : '';
  const files = attachments > 0 ? ` ${attachments} files of tests.` : '';
  const missing = left_out > 0 ? ` ${left_out} files were left out: ${left_out_reasons.join(' ')}` : '';
  return `${what} ${totals.tests} tests (${figures.join(', ')}).${files}${renamed}${where}${missing}`;
}

/** `failed_new=0,pass_rate=95` as an object. */
function parseGate(text) {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name, limit] = part.split('=').map((one) => one.trim());
      if (!name || !limit || Number.isNaN(Number(limit)))
        throw new Failure(`--gate: "${part}" must be a figure and its limit, such as failed_new=0.`, exitCodes.refused);
      return [name, Number(limit)];
    }),
  );
}

async function checkGate(url, run, condition) {
  const query = new URLSearchParams({ condition: JSON.stringify(condition) });
  const { data } = await send(url, `/test-runs/${encodeURIComponent(run)}/gate?${query}`);
  if (data.ok) return console.error('The run is within its limits.');
  const lines = data.failed.map(({ name, limit, actual }) => `  ${name}: ${actual}, the limit is ${limit}`);
  throw new Failure(['The run is beyond its limits:', ...lines].join('\n'), exitCodes.beyondLimit);
}

async function main() {
  const { values: options, positionals: files } = readOptions();
  if (options.help) return console.log(usage);
  // Limits that cannot be read are refused before anything is stored.
  const condition = options.gate === undefined ? undefined : parseGate(options.gate);
  const url = serverOf(options);
  if (options.run !== undefined) {
    if (condition === undefined || files.length > 0)
      throw new Failure('--run goes with --gate, and without files.', exitCodes.refused);
    return checkGate(url, options.run, condition);
  }
  if (files.length === 0) throw new Failure(`Which files? Name them last.\n\n${usage}`, exitCodes.refused);
  const outcome = await uploadFiles(url, options, files);
  console.error(describe(outcome, url));
  if (options.json) console.log(JSON.stringify(outcome));
  if (condition !== undefined && outcome.run_id !== null) await checkGate(url, outcome.run_id, condition);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}

#!/usr/bin/env node
// Sends reports of automated tests to Assay, and checks the gate: `node upload-results.mjs --project STP reports/*.xml`.
// One file without dependencies, so that a build can copy it. Node 20 or newer.
import { createHash, randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join as joinPath } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const usage = `Sends reports of automated tests to Assay, and checks the gate.

  node upload-results.mjs --project STP [options] FILE|FOLDER|PATTERN...
  node upload-results.mjs --run 71 --gate failed_new=0

The address is --url or ASSAY_URL; the token of a service account is ASSAY_TOKEN.

  --project        id, name or code of the project
  --run-key        what the parts of one run have in common     (of the build, if it is known)
  --part           which part of the run this is, such as a job (of the build, if it is known)
  --matrix         what tells the jobs of a matrix apart, as JSON or text: in GitHub Actions \${{ toJSON(matrix) }},
                   which can also be the variable ASSAY_MATRIX
  --attempt        how often the build has repeated the part    (of the build, if it is known)
  --branch  --commit  --build-url                               (of the build, if they are known)
  --name  --configuration  --milestone
  --attach         a folder whose files are sent if a report names them, such as pictures of failures; several times
  --dry-run        says what would be stored, and stores nothing
  --gate           limits of the run: failed=0,failed_new=0,broken=0,blocked=0,skipped=5,flaky=3,not_run=0,pass_rate=95
  --run            checks the gate of this run, and sends nothing
  --json           prints the answer of the server

A file is a report, a .zip of reports or a .gz; of a folder, all reports in it are sent. Patterns such as
"**/build/test-results/**/*.xml" are read here if the shell has not.

Exit codes: 0 stored and within the limits · 1 beyond a limit · 2 refused, called in a wrong way, or a file that cannot be
read (the others are stored) · 3 not reached`;

const exitCodes = { beyondLimit: 1, refused: 2, notReached: 3 };
const attempts = 5;
/** How many files beside its reports an upload may have. */
const maxAttachments = 300;
/** How many reports one upload has, and their bytes; more are sent in batches of one part. */
const maxReports = 2000;
const maxReportBytes = 1024 * 1024 * 1024;
/** Files of a folder that are reports, by their names. */
const reportName = /\.(?:xml|json|jsonl|ndjson|trx|tap|zip)(?:\.gz)?$/i;

/** Files of Allure beside its results, which are no reports. */
const besideReports = /^(?:categories|executor)\.json$|-attachment\./i;

class Failure extends Error {
  constructor(message, exitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The facts that the build states about itself, by the part of the form. */
function buildFacts(env) {
  if (env.GITHUB_ACTIONS) {
    return {
      run_key: env.GITHUB_RUN_ID,
      part: partName(env.GITHUB_JOB, env.ASSAY_MATRIX || partName(env.RUNNER_OS, env.RUNNER_ARCH)),
      attempt: env.GITHUB_RUN_ATTEMPT,
      branch: env.GITHUB_HEAD_REF || env.GITHUB_REF_NAME,
      commit: env.GITHUB_SHA,
      build_url: join('/', env.GITHUB_SERVER_URL, env.GITHUB_REPOSITORY, 'actions/runs', env.GITHUB_RUN_ID),
    };
  }
  if (env.GITLAB_CI) {
    const index = env.CI_NODE_INDEX;
    const name = env.CI_JOB_NAME;
    return {
      run_key: env.CI_PIPELINE_ID,
      // The name of one of several equal jobs ends with its number: `test 1/3`.
      part: name && index && name.includes(` ${index}/`) ? name : partName(name, index),
      // There is no number of the retry; a job that is retried has a higher id.
      attempt: env.CI_JOB_ID,
      branch: env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME || env.CI_COMMIT_REF_NAME,
      commit: env.CI_COMMIT_SHA,
      build_url: env.CI_PIPELINE_URL,
    };
  }
  if (env.JENKINS_URL) {
    return {
      run_key: env.BUILD_TAG,
      part: partName(env.JOB_NAME, env.STAGE_NAME),
      branch: env.CHANGE_BRANCH || env.BRANCH_NAME || env.GIT_BRANCH,
      commit: env.GIT_COMMIT,
      build_url: env.BUILD_URL,
    };
  }
  if (env.TF_BUILD) {
    const attempts = [env.SYSTEM_STAGEATTEMPT, env.SYSTEM_PHASEATTEMPT, env.SYSTEM_JOBATTEMPT].map(
      (text) => Number(text) || 1,
    );
    const names = [env.SYSTEM_STAGENAME, env.SYSTEM_PHASENAME, env.SYSTEM_JOBNAME || env.AGENT_JOBNAME];
    const position = Number(env.SYSTEM_TOTALJOBSINPHASE) > 1 ? env.SYSTEM_JOBPOSITIONINPHASE : undefined;
    const base = env.SYSTEM_COLLECTIONURI || env.SYSTEM_TEAMFOUNDATIONCOLLECTIONURI;
    return {
      run_key: env.BUILD_BUILDID,
      part: partName(...new Set(names.filter((name) => name && name !== '__default')), position),
      attempt: String(Math.max(...attempts)),
      branch: env.SYSTEM_PULLREQUEST_SOURCEBRANCH || env.BUILD_SOURCEBRANCHNAME,
      commit: env.BUILD_SOURCEVERSION,
      build_url: join('', base, env.SYSTEM_TEAMPROJECT, '/_build/results?buildId=', env.BUILD_BUILDID),
    };
  }
  if (env.BUILDKITE) {
    return {
      run_key: env.BUILDKITE_BUILD_ID,
      part: partName(
        env.BUILDKITE_STEP_KEY || env.BUILDKITE_LABEL || env.BUILDKITE_STEP_ID,
        env.BUILDKITE_PARALLEL_JOB,
      ),
      attempt: String((Number(env.BUILDKITE_RETRY_COUNT) || 0) + 1),
      branch: env.BUILDKITE_BRANCH,
      commit: env.BUILDKITE_COMMIT,
      build_url: env.BUILDKITE_BUILD_URL,
    };
  }
  return {};
}

/** The name of a part, of what tells it from others; a matrix as JSON is told by its values. */
function partName(...names) {
  const texts = names.filter(Boolean).map((name) => {
    try {
      const value = JSON.parse(name);
      if (typeof value === 'object' && value !== null)
        return Object.values(value)
          .map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)))
          .join(', ');
    } catch {
      // A plain name.
    }
    return name;
  });
  return texts.filter(Boolean).join(' / ') || undefined;
}

/** The longest name of a part; of a longer one its hash stays. */
const maxPart = 150;
const shortPart = (part) =>
  part !== undefined && part.length > maxPart
    ? `${part.slice(0, maxPart - 10)}… ${createHash('sha256').update(part).digest('hex').slice(0, 8)}`
    : part;

const join = (separator, ...parts) => (parts.every(Boolean) ? parts.join(separator) : undefined);

function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        ...Object.fromEntries(
          ['url', 'project', 'run-key', 'part', 'shard', 'matrix', 'attempt', 'name', 'branch', 'commit', 'build-url']
            .concat('configuration', 'milestone', 'gate', 'run')
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
    const { message: serverMessage, errors = {} } = JSON.parse(text);
    const faults = Object.entries(errors).map(([name, fault]) => `  ${name}: ${fault}`);
    message = [serverMessage, ...faults].join('\n');
  } catch {
    // A proxy answers with a page.
  }
  throw new Failure(`Refused with status ${answer.status}: ${message}`, exitCodes.refused);
}

/** Sends the reports, in as many batches as they need; answers what all of them stored together. */
async function uploadFiles(url, options, paths) {
  if (!options.project) throw new Failure('Which project? Set --project.', exitCodes.refused);
  const build = buildFacts(options.matrix ? { ...process.env, ASSAY_MATRIX: options.matrix } : process.env);
  const inputValues = Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name.replaceAll('-', '_'), value]),
  );
  const values = { ...build, ...inputValues, dry_run: options['dry-run'] ? '1' : undefined };
  values.part = shortPart(inputValues.part ?? inputValues.shard ?? build.part);
  const files = await findReports(paths);
  const batches = batchesOf(await groupReports(files));
  // Several batches without a key would be several runs.
  if (batches.length > 1) values.run_key ??= randomUUID();
  let total;
  for (const [index, batch] of batches.entries()) {
    const batchValues = batches.length > 1 ? { ...values, batch: `${index + 1}/${batches.length}` } : values;
    const outcome = await uploadBatch(url, batchValues, options.attach ?? [], batch);
    total = total ? addOutcomes(total, outcome) : outcome;
  }
  return total;
}

async function uploadBatch(url, values, folders, files) {
  const form = new FormData();
  for (const name of ['url', 'gate', 'run', 'json', 'attach', 'shard', 'matrix']) delete values[name];
  for (const [name, value] of Object.entries(values)) if (value) form.append(name, value);
  for (const { path, name } of files) form.append('file', await openAsBlob(path), name);
  for (const path of await findAttachments(folders, files))
    form.append(`attachment:${path.replaceAll('\\', '/')}`, await openAsBlob(path), basename(path));
  const { data } = await send(url, '/results', { method: 'POST', body: form });
  return data;
}

/** Reports in batches that one upload takes each; the reports of a group stay together as far as one takes them. */
function batchesOf(groups) {
  const batches = [[]];
  let bytes = 0;
  for (const group of groups) {
    const size = group.reduce((sum, file) => sum + file.size, 0);
    const isTooMuch = batches.at(-1).length + group.length > maxReports || bytes + size > maxReportBytes;
    if (isTooMuch && batches.at(-1).length > 0) {
      batches.push([]);
      bytes = 0;
    }
    for (const file of group) {
      if (batches.at(-1).length >= maxReports) batches.push([]);
      batches.at(-1).push(file);
    }
    bytes += size;
  }
  return batches;
}

/**
 * Groups of reports, in their order: the results of Allure that are executions of one test, which only one upload can
 * put together, and every other report alone.
 */
async function groupReports(files) {
  // One upload takes them all.
  if (batchesOf(files.map((file) => [file])).length === 1) return [files];
  const groups = new Map();
  for (const file of files) {
    const key = (file.name.endsWith('-result.json') && (await allureTestOf(file.path))) || file.path;
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups.values()];
}

/** The text that all executions of one test have in the results of Allure; undefined if the file does not say. */
async function allureTestOf(path) {
  try {
    const { historyId } = JSON.parse(await readFile(path, 'utf8'));
    return typeof historyId === 'string' ? `history ${historyId}` : undefined;
  } catch {
    // The server says what is wrong with the file.
    return undefined;
  }
}

/** The outcome of two batches together. */
function addOutcomes(first, second) {
  const sum = (name) => (first[name] ?? 0) + (second[name] ?? 0);
  const totals = Object.fromEntries(
    Object.keys(first.totals).map((name) => [name, first.totals[name] + second.totals[name]]),
  );
  const counts = ['linked', 'unlinked', 'proposals', 'attachments', 'left_out'].map((name) => [name, sum(name)]);
  return {
    ...first,
    ...Object.fromEntries(counts),
    files: [...(first.files ?? []), ...(second.files ?? [])],
    totals,
    left_out_reasons: [...(first.left_out_reasons ?? []), ...(second.left_out_reasons ?? [])],
    repeated: first.repeated && second.repeated,
  };
}

/** The reports that these paths name: files, those in folders, and those of patterns; each once, in their order. */
async function findReports(paths) {
  const filesByPath = new Map();
  for (const path of paths) {
    const info = await stat(path).catch((error) => error);
    const matches = info.isFile?.()
      ? [path]
      : info.isDirectory?.()
        ? (await filesIn(path)).filter(
            (filePath) => reportName.test(filePath) && !besideReports.test(basename(filePath)),
          )
        : /[*?{[]/.test(path)
          ? await filesOf(path)
          : undefined;
    if (matches === undefined) throw new Failure(`${path} cannot be read: ${info.message}`, exitCodes.refused);
    if (matches.length === 0) throw new Failure(`${path}: there is no report.`, exitCodes.refused);
    for (const match of matches.toSorted()) filesByPath.set(match, { path: match, name: basename(match) });
  }
  return Promise.all([...filesByPath.values()].map(async (file) => ({ ...file, size: (await stat(file.path)).size })));
}

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => joinPath(entry.parentPath ?? entry.path, entry.name));
}

/** The files that a pattern names, such as `**\/*.xml`. Folders of installed packages are left out. */
async function filesOf(pattern) {
  const posixPattern = pattern.replaceAll('\\', '/');
  const parts = posixPattern.split('/');
  const start = parts
    .slice(
      0,
      parts.findIndex((part) => /[*?{[]/.test(part)),
    )
    .join('/');
  const isWanted = globExpression(posixPattern);
  const folder = start || (posixPattern.startsWith('/') ? '/' : '.');
  const files = await filesIn(folder).catch(() => []);
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.includes('node_modules/') && isWanted.test(file.replace(/^\.\//, '')));
}

/** A pattern as an expression: `*` within a folder, `**` through folders, `?`, `[ab]` and `{a,b}`. */
function globExpression(pattern) {
  const source = pattern
    .replace(/^\.\//, '')
    .replaceAll(/[.+^$()|\\]/g, '\\$&')
    .replaceAll('**/', '\u0001')
    .replaceAll('**', '\u0002')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll(/\{([^{}]*)\}/g, (_, list) => `(?:${list.replaceAll(',', '|')})`)
    .replaceAll('\u0001', '(?:.*/)?')
    .replaceAll('\u0002', '.*');
  return new RegExp(`^${source}$`);
}

/** The files in these folders whose names the reports have. Others are never read. */
async function findAttachments(folders, files) {
  const foundFiles = [];
  if (folders.length === 0) return foundFiles;
  const reports = await Promise.all(files.map(({ path }) => readFile(path)));
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
      throw new Failure(`--attach ${folder}: ${error.message}`, exitCodes.refused);
    });
    for (const entry of entries) {
      if (entry.isFile() && reports.some((report) => report.includes(entry.name)))
        foundFiles.push(joinPath(entry.parentPath ?? entry.path, entry.name));
    }
  }
  if (foundFiles.length > maxAttachments)
    console.error(`The reports name ${foundFiles.length} files. ${maxAttachments} are sent.`);
  return foundFiles.slice(0, maxAttachments);
}

function describe(
  { totals, run_id, dry_run, repeated: isRepeated, proposals, attachments, left_out, left_out_reasons },
  url,
) {
  const figures = ['passed', 'failed', 'broken', 'flaky', 'skipped'].map((name) => `${totals[name]} ${name}`);
  const address = run_id === null ? '' : ` ${url}/test-runs/${run_id}`;
  const verb = dry_run ? 'Would store' : isRepeated ? 'Was stored before:' : 'Stored';
  const renamedNote = proposals > 0 ? ` ${proposals} may be renamed tests.` : '';
  const files = attachments > 0 ? ` ${attachments} files of tests.` : '';
  const missingNote = left_out > 0 ? ` ${left_out} files were left out: ${left_out_reasons.join(' ')}` : '';
  return `${verb} ${totals.tests} tests (${figures.join(', ')}).${files}${renamedNote}${address}${missingNote}`;
}

/** `failed_new=0,pass_rate=95` as an object. */
function parseGate(text) {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name, limit] = part.split('=').map((part) => part.trim());
      if (!name || !limit || Number.isNaN(Number(limit)))
        throw new Failure(`--gate: "${part}" must be a figure and its limit, such as failed_new=0.`, exitCodes.refused);
      return [name, Number(limit)];
    }),
  );
}

/** How often the gate is asked while another job still stores results of the run, and after how many milliseconds. */
const gateAttempts = 300;
const gatePause = 2_000;

/** Asks the gate, and again until all results of the run are stored. */
async function askGate(url, path) {
  for (let attempt = 1; ; attempt++) {
    const { data } = await send(url, path);
    const isLoading = (data.loading ?? []).some((part) => !part.is_interrupted);
    if (!isLoading || attempt === gateAttempts) return data;
    if (attempt === 1) console.error(`${data.problems[0]} Waiting for them.`);
    await wait(gatePause);
  }
}

async function checkGate(url, run, condition) {
  const query = new URLSearchParams({ condition: JSON.stringify(condition) });
  const data = await askGate(url, `/test-runs/${encodeURIComponent(run)}/gate?${query}`);
  if (data.ok) return console.error('The run is within its limits.');
  const lines = data.failed.map(({ name, limit, actual }) => `  ${name}: ${actual}, the limit is ${limit}`);
  if (data.loading?.length > 0) lines.unshift(`  ${data.problems[0]}`);
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
  const unreadable = (outcome.files ?? []).filter(({ problem }) => problem);
  for (const { name, problem } of unreadable) console.error(`${name} cannot be read: ${problem}`);
  // The others are stored, and no gate makes good for what is missing.
  if (unreadable.length > 0) process.exitCode = exitCodes.refused;
  if (condition !== undefined && outcome.run_id !== null) await checkGate(url, outcome.run_id, condition);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode ||= error.exitCode;
}

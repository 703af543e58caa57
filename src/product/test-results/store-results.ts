import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { assertGranted } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import { allowLongStatements } from '../../server/database/timeouts';
import type { Transaction } from '../../server/database/database';
import { Conflict, NotFound, Unavailable } from '../../server/errors/errors';
import type { Upload } from '../../server/files/upload';
import { insertRecord } from '../../server/records/write/create';
import { publishRecordChange } from '../../server/records/write/row-writes';
import { lockRow } from '../../server/records/write/stored-row';
import { storeChanges } from '../../server/records/write/update';
import { proposals, tests } from '../automated-tests/definitions';
import { attempts, entries, resultsRefusal, runs } from '../test-runs/definitions';
import { fixedInput } from '../test-runs/fixed-input';
import { discardUpload } from './discard-upload';
import { findProject, findTargets, type Targets, type WantedTargets } from './find-targets';
import { numberBehind } from './number-batches';
import { prepareResults, type PreparedResults } from './prepare-results';
import type { SentFile } from './reading/take-files';
import { ResultStore } from './result-store';
import {
  databaseMoment,
  distinctMoment,
  findLoading,
  partOf,
  uploadsOf,
  writeUploads,
  type StoredUpload,
  type UploadFigures,
  type UploadOutcome,
  type UploadTotals,
} from './stored-uploads';
import { requireValue } from '../../engine/values/lookups';

/** The properties of an upload beside its files. */
export interface UploadFacts extends WantedTargets {
  readonly run_key?: string;
  /** Which delivery of the run this is; those of one name are one, or repetitions. */
  readonly part?: string;
  /** How often the build has repeated the part, from 1. */
  readonly attempt: number;
  /** Which of several uploads of one part, such as `2/3`. */
  readonly batch?: string;
  readonly name?: string;
  readonly branch?: string;
  readonly commit?: string;
  readonly build_url?: string;
  readonly dry_run: boolean;
}

/** Ends the transaction of a dry run: nothing is stored. */
export class DryRun extends Error {
  constructor(readonly outcome: UploadOutcome) {
    super('Nothing is stored.');
  }
}

/** An upload that was read: its content, and what is stored of it already. */
export interface ReadUpload {
  /** The hash of its files. */
  readonly hash: string;
  /** Undefined if it is stored entirely. */
  readonly prepared: PreparedResults | undefined;
  /** Of a large upload: all its tests are stored, and it has to be finished. */
  readonly load: Load | undefined;
  /** Keeps its files, or deletes them and takes back what is stored of it. */
  close(isKept: boolean): Promise<void>;
}

/** A large upload, the tests of which are stored. */
interface Load {
  readonly run: number;
  /** When it was sent, by which the run knows it. */
  readonly at: string;
  readonly figures: UploadFigures;
  readonly newTests: readonly number[];
}

/**
 * Reads the files of an upload before they are stored; not those of a part of a run that is stored already. The tests of
 * a large upload are stored here, in a transaction for each batch, so that nothing else of the company waits for more
 * than that. Throws Forbidden, Invalid with file and line, Conflict if the run takes no results or has other results of
 * the part, and Unavailable.
 */
export async function readUpload(
  context: RequestContext,
  facts: UploadFacts,
  uploads: readonly Upload[],
  attachments: readonly SentFile[],
): Promise<ReadUpload> {
  for (const resource of [runs, entries]) assertGranted(context, context.registry.getOrThrow(resource), 'create');
  const hash = await hashOf(uploads);
  const project = await context.program.database.transaction((trx) => findProject(context, facts.project, trx));
  const repetition: ReadUpload = { hash, prepared: undefined, load: undefined, close: async () => undefined };
  if (await isStored(context, facts, hash, project.id)) return repetition;
  const prepared = await prepareResults(context, uploads, attachments, {
    company: project.site_id,
    isDry: facts.dry_run,
  });
  let startedLoad: Pick<Load, 'run' | 'at'> | undefined;
  const close: ReadUpload['close'] = async (isKept) => {
    try {
      if (startedLoad && !isKept) await discardUpload(context, startedLoad.run, startedLoad);
    } finally {
      await prepared.close(isKept);
    }
  };
  try {
    if (facts.dry_run || countTests(prepared) <= largeUpload) return { hash, prepared, load: undefined, close };
    for (;;) {
      const load = await beginLoad(context, facts, hash, prepared);
      if (load) {
        startedLoad = { run: load.run, at: load.at };
        return { hash, prepared, load: await loadTests(context, facts, load.targets, startedLoad, prepared), close };
      }
      // The same part was sent twice at once, and the other one was faster.
      if (!(await isStored(context, facts, hash, project.id))) continue;
      await close(false);
      return repetition;
    }
  } catch (error) {
    await close(false);
    throw error;
  }
}

/** An upload with more tests is stored batch by batch. */
const largeUpload = 500;

const countTests = ({ facts }: PreparedResults): number => facts.reduce((sum, { tests: count }) => sum + count, 0);

/** Opens the run of a large upload and marks that it is being stored; undefined if the same part is, or was. */
async function beginLoad(
  context: RequestContext,
  facts: UploadFacts,
  hash: string,
  prepared: PreparedResults,
): Promise<{ targets: Targets; run: number; at: string } | undefined> {
  const { part = null, attempt, batch = null } = facts;
  return context.program.database.transaction(async (trx) => {
    const targets = await findTargets(context, facts, trx);
    const run = await openRun(context, facts, targets, trx);
    const uploads = uploadsOf(run);
    if (findStored(run, facts, hash) || hasRival(uploads, facts)) return undefined;
    assertOpenFor(run);
    const uploadTime = distinctMoment(uploads, context.now);
    const loading = { tests: countTests(prepared), stored: 0, at: await databaseMoment(trx) };
    await writeUploads(run.id, [...uploads, { part, attempt, batch, hash, at: uploadTime, loading }], trx);
    return { targets, run: run.id, at: uploadTime };
  });
}

/** Stores the tests of a large upload in a transaction for each batch. */
async function loadTests(
  context: RequestContext,
  facts: UploadFacts,
  targets: Targets,
  { run, at: uploadTime }: Pick<Load, 'run' | 'at'>,
  prepared: PreparedResults,
): Promise<Load> {
  let figures: UploadFigures | undefined;
  const newTests: number[] = [];
  for await (const batch of prepared.batches()) {
    const storedLoad = await context.program.database.transaction(async (trx) => {
      await allowLongStatements(trx);
      const values = await lockLoadingRun(context, run, uploadTime, trx);
      const store = new ResultStore(context, targets, run, uploadTime, trx);
      const runOfBatches = { project: targets.project.id, run, queries: trx };
      const rows = numberBehind([batch], momentsOfOthers(uploadsOf(values), facts), runOfBatches);
      const outcome = await store.storeTests(rows, prepared, facts.part ?? null);
      const moment = await databaseMoment(trx);
      const uploads = uploadsOf(values).map((upload): StoredUpload => {
        if (upload.at !== uploadTime || !upload.loading) return upload;
        const count = upload.loading.stored + outcome.figures.totals.tests;
        return { ...upload, loading: { ...upload.loading, stored: count, at: moment } };
      });
      await writeUploads(run, uploads, trx);
      publishResults(context, targets, [entries, attempts], trx);
      return outcome;
    });
    figures = figures ? addFigures(figures, storedLoad.figures) : storedLoad.figures;
    newTests.push(...storedLoad.newTests);
  }
  return { run, at: uploadTime, figures: figures ?? noFigures, newTests };
}

const noFigures: UploadFigures = {
  totals: { tests: 0, attempts: 0, passed: 0, failed: 0, broken: 0, skipped: 0, flaky: 0 },
  linked: 0,
  unlinked: 0,
};

function addFigures(left: UploadFigures, right: UploadFigures): UploadFigures {
  const names = Object.keys(left.totals) as (keyof UploadTotals)[];
  return {
    totals: Object.fromEntries(
      names.map((name) => [name, left.totals[name] + right.totals[name]]),
    ) as unknown as UploadTotals,
    linked: left.linked + right.linked,
    unlinked: left.unlinked + right.unlinked,
  };
}

/**
 * Locks the run of a large upload that is being stored. Throws Conflict if the run takes no results any more, and
 * Unavailable if it was deleted, or the upload was taken back because somebody repeats it.
 */
async function lockLoadingRun(
  context: RequestContext,
  id: number,
  uploadTime: string,
  trx: Transaction,
): Promise<ResourceRecord> {
  const { values } = await lockRow({ context, definition: context.registry.getOrThrow(runs), trx }, id).catch(
    (error: Error) => {
      throw error instanceof NotFound ? new Unavailable(deletedRunMessage) : error;
    },
  );
  const mark = uploadsOf(values).find((upload) => upload.at === uploadTime && upload.loading !== undefined);
  if (!mark || mark.loading?.discarded)
    throw new Unavailable('This upload took too long and is being repeated. Please send the results again.');
  assertOpenFor(values);
  return values;
}

const deletedRunMessage = 'The run was deleted in this moment. Please send the results again.';
const sameUploadMessage = 'This part of the run is being stored. Please try again in a moment.';

/** The hash of some files, in whichever order they are sent. */
async function hashOf(uploads: readonly Upload[]): Promise<string> {
  const hashes: string[] = [];
  for (const upload of uploads) {
    const hash = createHash('sha256');
    await pipeline(upload.open(), hash);
    hashes.push(hash.digest('hex'));
  }
  return createHash('sha256').update(hashes.toSorted().join()).digest('hex');
}

/** Milliseconds for which an upload waits until the same part is stored, and between two looks at it. */
const patience = 20_000;
const pause = 200;

/**
 * Whether this part of a run is stored; while somebody stores it, this waits. The remains of an interrupted upload are
 * taken back. Throws Conflict for other results of it and if the run takes none, and Unavailable if it waits too long.
 */
async function isStored(context: RequestContext, facts: UploadFacts, hash: string, project: number): Promise<boolean> {
  const { kysely } = context.program.database;
  for (const end = Date.now() + patience; ;) {
    const { rows } = await (
      facts.run_key === undefined
        ? sql<ResourceRecord & { id: number }>`select r.id, r.uploads, r.state from public.test_runs r
          where r.project_id = ${project} and r.run_key is null and r.source = 'machines'
            and r.created_at > now() - interval '1 day' and r.uploads @> ${JSON.stringify([{ hash, loading: {} }])}::jsonb`
        : sql<ResourceRecord & { id: number }>`select r.id, r.uploads, r.state from public.test_runs r
          where r.project_id = ${project} and lower(r.run_key) = lower(${facts.run_key})`
    ).execute(kysely);
    const [run] = rows;
    if (!run) return false;
    if (facts.run_key !== undefined) {
      if (findStored(run, facts, hash)) return true;
      assertOpenFor(run);
    }
    const rivals = (await findLoading(kysely, run.id)).filter((upload) => isSamePart(upload, facts));
    const interrupted = rivals.filter((upload) => upload.is_interrupted);
    for (const upload of interrupted) await discardUpload(context, run.id, upload);
    // Without a key, each upload is a run of its own.
    if (interrupted.length === rivals.length || facts.run_key === undefined) return false;
    if (Date.now() > end) throw new Unavailable(sameUploadMessage);
    await wait(pause);
  }
}

/** Throws Conflict if a run takes no results. */
function assertOpenFor(run: ResourceRecord): void {
  const refusal = resultsRefusal(String(run.state));
  if (refusal !== undefined) throw new Conflict(refusal);
}

/** Whether the same part is being stored: of its attempts, the later one has to come later. */
const hasRival = (uploads: readonly StoredUpload[], facts: UploadFacts): boolean =>
  uploads.some((upload) => upload.loading !== undefined && isSamePart(upload, facts));

const isSamePart = (upload: StoredUpload, facts: UploadFacts): boolean =>
  partOf(upload) === (facts.part ?? null) && (upload.batch ?? null) === (facts.batch ?? null);

/** When the other batches of the same attempt of a part were sent. */
const momentsOfOthers = (uploads: readonly StoredUpload[], { part, batch, attempt }: UploadFacts): string[] =>
  batch === undefined
    ? []
    : uploads
        .filter(
          (upload) =>
            partOf(upload) === (part ?? null) && (upload.attempt ?? 1) === attempt && (upload.batch ?? batch) !== batch,
        )
        .map(({ at: uploadTime }) => uploadTime);

/**
 * The stored upload that this one repeats: of the same part, attempt and content. Throws Conflict if the run has the part
 * with other content, and this is no further attempt.
 */
function findStored(run: ResourceRecord, facts: UploadFacts, hash: string): StoredUpload | undefined {
  const { attempt } = facts;
  const ofPart = uploadsOf(run).filter((upload) => upload.outcome !== undefined && isSamePart(upload, facts));
  // Those of earlier versions have no hash.
  const sameUpload = ofPart.find((upload) => (upload.attempt ?? 1) === attempt && (upload.hash ?? hash) === hash);
  if (sameUpload) return sameUpload;
  const latest = Math.max(0, ...ofPart.map((upload) => upload.attempt ?? 1));
  if (attempt > latest) return undefined;
  const partText = facts.part === undefined ? 'results without a part' : `the part "${facts.part}"`;
  throw new Conflict(
    `This run has ${partText} already, with other content. Give each report of a build its own "part", and a repetition of a part the "attempt" ${latest + 1}.`,
    'PART_EXISTS',
  );
}

/**
 * `POST results`: stores results of automated tests in one transaction, as a run or as a part of one; of a large upload,
 * the end of it. The same part of a run again stores nothing. Results of people stay. Throws Forbidden, Invalid, Conflict
 * if the run is closed, and DryRun with what would be stored.
 */
export async function storeResults(
  context: RequestContext,
  facts: UploadFacts,
  upload: ReadUpload,
): Promise<UploadOutcome> {
  return context.program.database.transaction(async (trx) => {
    await allowLongStatements(trx);
    const outcome = await storeUpload(context, facts, upload, trx);
    if (facts.dry_run) throw new DryRun({ ...outcome, run_id: null, dry_run: true });
    return outcome;
  });
}

/** An upload with more tests changes how PostgreSQL has to plan: its own statistics follow minutes later. */
const analyzedTests = 5_000;

/** Renews the statistics of the tables of results behind a large upload, whose run is looked at first of all. */
export async function analyzeResults({ program, registry }: RequestContext, { totals }: UploadOutcome): Promise<void> {
  if (totals.tests < analyzedTests) return;
  for (const resource of [entries, attempts, tests]) {
    const table = sql.id('public', registry.getOrThrow(resource).table);
    await sql`analyze ${table}`.execute(program.database.kysely).catch((error: Error) => {
      program.log.warn(`${resource} could not be analyzed: ${error.message}`);
    });
  }
}

/** The most reasons why files were left out that an answer has. */
const maxReasons = 20;

async function storeUpload(
  context: RequestContext,
  facts: UploadFacts,
  { hash, prepared, load }: ReadUpload,
  trx: Transaction,
): Promise<UploadOutcome> {
  const { part = null, attempt, batch = null } = facts;
  const targets = await findTargets(context, facts, trx);
  const run = load
    ? { ...(await lockLoadingRun(context, load.run, load.at, trx)), id: load.run }
    : await openRun(context, facts, targets, trx);
  const earlierUpload = load ? undefined : findStored(run, facts, hash);
  if (earlierUpload)
    return {
      ...noEvidence,
      ...requireValue(earlierUpload.outcome, 'the outcome of a stored upload'),
      run_id: run.id,
      repeated: true,
    };
  assertOpenFor(run);
  // It was stored a moment ago, and its run was deleted since.
  if (!prepared) throw new Unavailable(deletedRunMessage);
  const otherUploads = uploadsOf(run).filter(({ at: time }) => time !== load?.at);
  if (facts.run_key !== undefined && hasRival(otherUploads, facts)) throw new Unavailable(sameUploadMessage);
  const uploadTime = load?.at ?? distinctMoment(otherUploads, context.now);
  const store = new ResultStore(context, targets, run.id, uploadTime, trx);
  const runOfBatches = { project: targets.project.id, run: run.id, queries: trx };
  const rows = numberBehind(prepared.batches(), momentsOfOthers(otherUploads, facts), runOfBatches);
  const { figures, newTests } = load ?? (await store.storeTests(rows, prepared, part));
  const { leftOut } = prepared;
  const outcome: UploadOutcome = {
    run_id: run.id,
    dry_run: false,
    files: prepared.facts,
    ...figures,
    proposals: await store.proposeMatches(facts.branch ?? null, newTests),
    attachments: prepared.files.length,
    left_out: leftOut.length,
    left_out_reasons: leftOut.slice(0, maxReasons),
    repeated: false,
  };
  const uploads: StoredUpload[] = [...otherUploads, { part, attempt, batch, hash, at: uploadTime, outcome }];
  const definition = context.registry.getOrThrow(runs);
  await storeChanges({ context, definition, trx }, run.id, fixedInput({ uploads }));
  publishResults(context, targets, [entries, attempts, tests, proposals], trx);
  return outcome;
}

/** One event tells every list: nobody follows each of thousands of records. */
function publishResults(
  { program, registry }: RequestContext,
  { project }: Targets,
  resources: readonly string[],
  trx: Transaction,
): void {
  const record = { id: 0, site_id: project.site_id };
  for (const resource of resources) publishRecordChange(program, registry.getOrThrow(resource), record, 'changed', trx);
}

/** Of uploads before files were stored. */
const noEvidence = { attachments: 0, left_out: 0, left_out_reasons: [] };

/** The run of an upload, locked: the one with its key, or a new one. */
async function openRun(
  context: RequestContext,
  facts: UploadFacts,
  { project, milestone }: Targets,
  trx: Transaction,
): Promise<ResourceRecord & { id: number }> {
  const definition = context.registry.getOrThrow(runs);
  const { run_key: key } = facts;
  if (key !== undefined) {
    // Several parts of a run may arrive at once: one makes the run, the others wait for it.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`upload ${project.id} ${key.toLowerCase()}`}, 0))`.execute(
      trx,
    );
    const { rows } = await sql<{ id: number }>`select r.id from public.test_runs r
      where r.project_id = ${project.id} and lower(r.run_key) = lower(${key})`.execute(trx);
    if (rows[0]) {
      const { values } = await lockRow({ context, definition, trx }, rows[0].id);
      return values as ResourceRecord & { id: number };
    }
  }
  const values = {
    name: facts.name ?? `Automated tests${facts.branch === undefined ? '' : ` on ${facts.branch}`}`.slice(0, 200),
    project_id: project.id,
    milestone_id: milestone,
    site_id: project.site_id,
    owner_id: null,
    source: 'machines',
    branch: facts.branch ?? null,
    commit: facts.commit ?? null,
    build_url: facts.build_url ?? null,
    run_key: key ?? null,
  };
  const id = await insertRecord({ context, definition, trx }, fixedInput(values));
  return { ...values, id };
}

import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { assertGranted } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import { allowLongStatements } from '../../server/database/timeouts';
import type { Transaction } from '../../server/database/database';
import { Conflict, Unavailable } from '../../server/errors/errors';
import type { Upload } from '../../server/files/upload';
import { insertRecord } from '../../server/records/create';
import { publishRecordChange } from '../../server/records/row-writes';
import { lockRow } from '../../server/records/stored-row';
import { storeChanges } from '../../server/records/update';
import { proposals, tests } from '../automated-tests/definitions';
import { attempts, entries, resultsRefusal, runs } from '../test-runs/definitions';
import { fixedInput } from '../test-runs/fixed-input';
import { findProject, findTargets, type Targets, type WantedTargets } from './find-targets';
import { prepareResults, type PreparedResults } from './prepare-results';
import type { SentFile } from './reading/take-files';
import type { FileFacts } from './reading/worker';

/** What an upload says beside its files. */
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

/** What became of an upload. */
export interface UploadOutcome {
  readonly run_id: number | null;
  readonly dry_run: boolean;
  readonly files: readonly FileFacts[];
  readonly totals: UploadTotals;
  /** Tests that belong to a test case, and others. */
  readonly linked: number;
  readonly unlinked: number;
  /** New tests that may be earlier ones under another name. */
  readonly proposals: number;
  /** Files of attempts that were stored; those that were left out, and why, in some sentences. */
  readonly attachments: number;
  readonly left_out: number;
  readonly left_out_reasons: readonly string[];
  readonly repeated: boolean;
}

/** Tests by their result in this upload, and all their executions. */
interface UploadTotals {
  readonly tests: number;
  readonly attempts: number;
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  readonly skipped: number;
  readonly flaky: number;
}

/** Ends the transaction of a dry run: nothing is stored. */
export class DryRun extends Error {
  constructor(readonly outcome: UploadOutcome) {
    super('Nothing is stored.');
  }
}

/** How many new and how many missing tests are compared with each other. */
const maxCompared = 500;
/** How many of the missing tests are considered for a new one. */
const maxAlike = 5;

/** A new test, a missing one, and how similar they are in per cent. */
interface Match {
  readonly test_id: number;
  readonly earlier_id: number;
  readonly similarity: number;
}

/** Of pairs in the order of their similarity, those of tests that are in none before. */
function chooseMatches(alike: readonly Match[]): Match[] {
  const [taken, earlier] = [new Set<number>(), new Set<number>()];
  return alike.filter(({ test_id, earlier_id }) => {
    if (taken.has(test_id) || earlier.has(earlier_id)) return false;
    taken.add(test_id);
    earlier.add(earlier_id);
    return true;
  });
}

/** An upload that was read: its content, and what is stored of it unless it is stored already. */
export interface ReadUpload {
  /** The hash of its files. */
  readonly hash: string;
  readonly prepared: PreparedResults | undefined;
  /** The tests that this upload brought and that are stored already. */
  readonly newTests: readonly number[];
}

/**
 * Reads the files of an upload before they are stored; not those of a part of a run that is stored already. Throws
 * Forbidden, Invalid with file and line, Conflict if the run takes no results or has other results of the part, and
 * Unavailable.
 */
export async function readUpload(
  context: RequestContext,
  facts: UploadFacts,
  uploads: readonly Upload[],
  attachments: readonly SentFile[],
): Promise<ReadUpload> {
  for (const resource of [runs, entries]) assertGranted(context, context.registry.getOrThrow(resource), 'create');
  const hash = await hashOf(uploads);
  const { database } = context.program;
  const { project, isKnown } = await database.transaction(async (trx) => {
    const found = await findProject(context, facts.project, trx);
    return { project: found, isKnown: await isStored(facts, hash, found.id, trx) };
  });
  if (isKnown) return { hash, prepared: undefined, newTests: [] };
  const prepared = await prepareResults(context, uploads, attachments, {
    company: project.site_id,
    isDry: facts.dry_run,
  });
  try {
    if (facts.dry_run) return { hash, prepared, newTests: [] };
    // In transactions of their own: other uploads that bring the same wait for these alone.
    const targets = await database.transaction((trx) => findTargets(context, facts, trx));
    const isLarge = prepared.facts.reduce((sum, { tests: count }) => sum + count, 0) > manyTests;
    return { hash, prepared, newTests: isLarge ? await addTestsFirst(context, targets, prepared) : [] };
  } catch (error) {
    await prepared.close(false);
    throw error;
  }
}

/** An upload with more tests stores them before their results, batch by batch. */
const manyTests = 500;

/**
 * Stores the tests of a large upload in a transaction for each batch: no other upload of the same tests waits for more
 * than that. Returns the ids of those that are new.
 */
async function addTestsFirst(context: RequestContext, targets: Targets, prepared: PreparedResults): Promise<number[]> {
  const added: number[] = [];
  for await (const batch of prepared.batches()) {
    const ids = await context.program.database.transaction(async (trx) => {
      await allowLongStatements(trx);
      await receiveBatches(() => [batch], prepared.dropped, trx);
      await new ResultStore(context, targets, 0, trx).findOrAddTests([]);
      const { rows } = await sql<{ id: number }>`select u.test_id as id from uploaded u where u.is_new`.execute(trx);
      return rows.map(({ id }) => id);
    });
    added.push(...ids);
  }
  return added;
}

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

/** Whether this part of a run is stored. Throws Conflict for other results of it, and if the run takes none. */
async function isStored(facts: UploadFacts, hash: string, project: number, trx: Transaction): Promise<boolean> {
  if (facts.run_key === undefined) return false;
  const { rows } = await sql<ResourceRecord>`select r.uploads, r.state from public.test_runs r
    where r.project_id = ${project} and lower(r.run_key) = lower(${facts.run_key})`.execute(trx);
  const [run] = rows;
  if (!run) return false;
  if (findStored(run, facts, hash)) return true;
  assertOpenFor(run);
  return false;
}

/** Throws Conflict if a run takes no results. */
function assertOpenFor(run: ResourceRecord): void {
  const refusal = resultsRefusal(String(run.state));
  if (refusal !== undefined) throw new Conflict(refusal);
}

/**
 * The stored upload that this one repeats: of the same part, attempt and content. Throws Conflict if the run has the part
 * with other content, and this is no further attempt.
 */
function findStored(run: ResourceRecord, facts: UploadFacts, hash: string): StoredUpload | undefined {
  const { attempt } = facts;
  const [part, batch] = [facts.part ?? null, facts.batch ?? null];
  const ofPart = uploadsOf(run).filter((one) => partOf(one) === part && (one.batch ?? null) === batch);
  // Those of earlier versions have no hash.
  const same = ofPart.find((one) => (one.attempt ?? 1) === attempt && (one.hash ?? hash) === hash);
  if (same) return same;
  const latest = Math.max(0, ...ofPart.map((one) => one.attempt ?? 1));
  if (attempt > latest) return undefined;
  const named = part === null ? 'results without a part' : `the part "${part}"`;
  throw new Conflict(
    `This run has ${named} already, with other content. Give each report of a build its own "part", and a repetition of a part the "attempt" ${latest + 1}.`,
    'PART_EXISTS',
  );
}

/**
 * `POST results`: stores results of automated tests in one transaction, as a run or as a part of one. The same part of a
 * run again stores nothing. Results of people stay. Throws Forbidden, Invalid, Conflict if the run is closed, and DryRun
 * with what would be stored.
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
  { hash, prepared, newTests }: ReadUpload,
  trx: Transaction,
): Promise<UploadOutcome> {
  const targets = await findTargets(context, facts, trx);
  const run = await openRun(context, facts, targets, trx);
  const earlier = findStored(run, facts, hash);
  if (earlier) return { ...noEvidence, ...earlier.outcome, run_id: run.id, repeated: true };
  assertOpenFor(run);
  // It was stored a moment ago, and its run was deleted since.
  if (!prepared) throw new Unavailable('The run was deleted in this moment. Please send the results again.');
  await receiveTests(prepared, trx);
  const store = new ResultStore(context, targets, run.id, trx);
  await store.findOrAddTests(newTests);
  await store.findOrAddEntries(facts.part ?? null);
  await store.addAttempts(facts.part ?? null);
  await store.addSteps();
  const { leftOut } = prepared;
  const outcome: UploadOutcome = {
    run_id: run.id,
    dry_run: false,
    files: prepared.facts,
    ...(await store.countOutcome()),
    proposals: await store.proposeMatches(facts.branch ?? null),
    attachments: prepared.files.length,
    left_out: leftOut.length,
    left_out_reasons: leftOut.slice(0, maxReasons),
    repeated: false,
  };
  const { part = null, attempt, batch = null } = facts;
  const upload: StoredUpload = { part, attempt, batch, hash, at: context.now, outcome };
  const definition = context.registry.getOrThrow(runs);
  const uploads = fixedInput({ uploads: [...uploadsOf(run), upload] });
  await storeChanges(context, definition, run.id, uploads, trx);
  await store.refreshTests();
  for (const resource of [entries, attempts, tests, proposals]) {
    // One event tells every list: nobody follows each of thousands of records.
    const record = { id: 0, site_id: targets.project.site_id };
    publishRecordChange(context.program, context.registry.getOrThrow(resource), record, 'changed', trx);
  }
  return outcome;
}

/** Of uploads before files were stored. */
const noEvidence = { attachments: 0, left_out: 0, left_out_reasons: [] };

/** What a run keeps of an upload; earlier versions called the part a shard, and kept neither attempt nor hash. */
interface StoredUpload {
  readonly part?: string | null;
  readonly shard?: string | null;
  readonly attempt?: number;
  readonly batch?: string | null;
  readonly hash?: string;
  readonly at: string;
  readonly outcome: UploadOutcome;
}

const uploadsOf = (run: ResourceRecord): StoredUpload[] => (run.uploads as StoredUpload[] | null) ?? [];

const partOf = ({ part, shard }: StoredUpload): string | null => part ?? shard ?? null;

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
    await sql`select pg_advisory_xact_lock(${project.id}::integer, hashtext(lower(${key})))`.execute(trx);
    const { rows } = await sql<{ id: number }>`select r.id from public.test_runs r
      where r.project_id = ${project.id} and lower(r.run_key) = lower(${key})`.execute(trx);
    if (rows[0]) {
      const { values } = await lockRow(context, definition, rows[0].id, trx);
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
  const id = await insertRecord(context, definition, fixedInput(values), trx);
  return { ...values, id };
}

/** Puts the tests, their files and steps into tables of this transaction: `uploaded`, `uploaded_files`, `uploaded_steps`. */
async function receiveTests({ batches, dropped, files, steps }: PreparedResults, trx: Transaction): Promise<void> {
  await receiveBatches(batches, dropped, trx);
  await sql`create temp table uploaded_files on commit drop as
    select u.test, u.attempt, jsonb_agg(u.file order by u.place) as evidence from jsonb_to_recordset(${JSON.stringify(
      files.map((file, place) => ({ ...file, place })),
    )}::jsonb) u (test integer, attempt integer, place integer, file jsonb) group by u.test, u.attempt`.execute(trx);
  const named = steps.map(({ test, attempt, index, name, result }) => {
    const own = files.filter((one) => one.test === test && one.attempt === attempt && one.step === index);
    const evidence = own.map(({ file }) => file.name).join('\n');
    return { test, attempt, index, result, comment: name.slice(0, 5000) || null, evidence };
  });
  await sql`create temp table uploaded_steps on commit drop as
    select u.* from jsonb_to_recordset(${JSON.stringify(named.filter(({ evidence }) => evidence !== ''))}::jsonb)
      u (test integer, attempt integer, index integer, result text, comment text, evidence text)`.execute(trx);
}

/** Puts the tests of some batches into the table `uploaded` of this transaction, without those that do not count. */
async function receiveBatches(
  batches: () => AsyncIterable<string> | Iterable<string>,
  dropped: PreparedResults['dropped'],
  trx: Transaction,
): Promise<void> {
  await sql`create temp table uploaded (
    ordinal integer not null, identity text not null, former text not null, name text not null, suite text, file text, parameters text, explicit_id text,
    result text not null, attempts jsonb not null, test_id integer, is_new boolean not null default false,
    entry_id integer, configuration_id integer
  ) on commit drop`.execute(trx);
  for await (const batch of batches())
    await sql`insert into uploaded (ordinal, identity, former, name, suite, file, parameters, explicit_id, result, attempts)
      select * from jsonb_to_recordset(${batch}::jsonb) u (ordinal integer, identity text, former text, name text, suite text, file text,
        parameters text, explicit_id text, result text, attempts jsonb)`.execute(trx);
  for (const [first, last] of dropped)
    await sql`delete from uploaded u where u.ordinal between ${first} and ${last}`.execute(trx);
  await sql`create index on uploaded (identity)`.execute(trx);
  await sql`analyze uploaded`.execute(trx);
}

/** The place of a row's result among all, the worst first. */
const severityOf = (alias: string) =>
  sql`array_position(array['failed', 'broken', 'blocked', 'flaky', 'skipped', 'passed'], ${sql.id(alias, 'result')}::text)`;

/** The statements that store the uploaded tests: as many for fifty thousand as for one. */
class ResultStore {
  constructor(
    private readonly context: RequestContext,
    private readonly targets: Targets,
    private readonly run: number,
    private readonly trx: Transaction,
  ) {}

  /** The stamps of new rows, as columns and as values. */
  private readonly stampColumns = sql.raw('site_id, created_by, updated_by, created_at, updated_at');
  private get stamps() {
    const { actor, now } = this.context;
    return sql`${this.targets.project.site_id}::integer, ${actor.id}::integer, ${actor.id}::integer, ${now}::timestamptz, ${now}::timestamptz`;
  }

  /**
   * Finds the tests by their identity or an earlier one, adds those that are new, and holds all of them: nobody merges or
   * deletes them until the transaction ends, and other uploads of them do not wait. Whoever merged or separated tests in
   * the meantime has decided which of them these results belong to, so they are looked for again. `newTests` are those
   * that this upload has stored before.
   */
  async findOrAddTests(newTests: readonly number[]): Promise<void> {
    const { project } = this.targets;
    await this.renewIdentities();
    for (let isSettled = false; !isSettled;) {
      await sql`update uploaded u set test_id = a.id from public.automated_tests a
        where u.test_id is null and a.project_id = ${project.id} and a.identity = u.identity`.execute(this.trx);
      await sql`update uploaded u set test_id = a.id
        from public.automated_tests__aliases x join public.automated_tests a on a.id = x.parent_id
        where u.test_id is null and a.project_id = ${project.id} and x.identity in (u.identity, u.former)`.execute(
        this.trx,
      );
      await this.addTests();
      await sql`select from public.automated_tests a join uploaded u on u.test_id = a.id order by a.id
        for key share of a`.execute(this.trx);
      await sql`update uploaded u set test_id = null where not u.is_new and not exists (
        select from public.automated_tests a where a.id = u.test_id and (a.identity = u.identity
          or exists (select from public.automated_tests__aliases x where x.parent_id = a.id
            and x.identity in (u.identity, u.former))))`.execute(this.trx);
      const { rows } = await sql`select from uploaded u where u.test_id is null limit 1`.execute(this.trx);
      isSettled = rows.length === 0;
    }
    await this.linkCases();
    await this.recordCreated(
      tests,
      sql`select a.id, jsonb_strip_nulls(jsonb_build_object('name', a.name, 'suite', a.suite, 'file', a.file,
      'parameters', a.parameters, 'explicit_id', a.explicit_id, 'test_case_id', a.test_case_id, 'project_id', a.project_id)) as new_values
      from public.automated_tests a join uploaded u on u.test_id = a.id and u.is_new`,
    );
    if (newTests.length > 0)
      await sql`update uploaded u set is_new = true where u.test_id = any(${newTests}::integer[])`.execute(this.trx);
  }

  /** Tests whose identity an earlier version computed keep their record under the one of now. */
  private async renewIdentities(): Promise<void> {
    const { project } = this.targets;
    await sql`with known as (
        select a.id, u.identity from public.automated_tests a join uploaded u on u.former = a.identity
        where a.project_id = ${project.id} and not exists (select from public.automated_tests n
          where n.project_id = a.project_id and n.identity = u.identity)
        order by a.id for no key update of a)
      update public.automated_tests a set identity = k.identity from known k where a.id = k.id`.execute(this.trx);
  }

  /** Adds the tests that are not there. One that another upload adds at the same time is found afterwards. */
  private async addTests(): Promise<void> {
    const { project } = this.targets;
    // In one order, so that two uploads that add the same tests wait for each other instead of in a circle.
    await sql`with added as (
        insert into public.automated_tests (name, project_id, file, suite, parameters, explicit_id, identity, ${this.stampColumns})
        select u.name, ${project.id}, u.file, u.suite, u.parameters, u.explicit_id, u.identity, ${this.stamps}
        from uploaded u where u.test_id is null order by u.identity on conflict do nothing returning id, identity)
      update uploaded u set test_id = added.id, is_new = true from added where added.identity = u.identity`.execute(
      this.trx,
    );
  }

  /** Tests whose id is the key of a test case belong to it, unless somebody decided otherwise; names follow the code. */
  private async linkCases(): Promise<void> {
    const { project } = this.targets;
    const { now } = this.context;
    await sql`update public.automated_tests a set name = u.name, suite = u.suite, file = u.file, updated_at = ${now}::timestamptz
      from uploaded u where u.test_id = a.id and u.explicit_id is not null
        and (a.name, a.suite, a.file) is distinct from (u.name, u.suite, u.file)`.execute(this.trx);
    await sql`update public.automated_tests a set test_case_id = c.id
      from uploaded u join public.test_cases c on upper(c.key) = upper(u.explicit_id) and c.project_id = ${project.id}
      where u.test_id = a.id and u.is_new and a.test_case_id is null`.execute(this.trx);
  }

  /**
   * The tests' places in the run: those that are there, and new ones at its end. The same test in another part of the run
   * is another place.
   */
  async findOrAddEntries(part: string | null): Promise<void> {
    const { configuration } = this.targets;
    if (configuration === null) await this.separateParts(part);
    else await sql`update uploaded set configuration_id = ${configuration}::integer`.execute(this.trx);
    const find = () =>
      sql`update uploaded u set entry_id = e.id from public.run_entries e where u.entry_id is null
        and e.run_id = ${this.run} and e.automated_test_id = u.test_id
        and e.configuration_id is not distinct from u.configuration_id`.execute(this.trx);
    await find();
    await sql`insert into public.run_entries (run_id, name, automated_test_id, configuration_id, result, position, ${this.stampColumns})
      select ${this.run}, u.name, u.test_id, u.configuration_id, 'not_run',
        (select coalesce(max(p.position), 0) from public.run_entries p where p.run_id = ${this.run}) + u.ordinal, ${this.stamps}
      -- Two names of one test are one test of the run, with the attempts of both.
      from (select distinct on (test_id) * from uploaded where entry_id is null order by test_id, ordinal) u
      order by u.ordinal`.execute(this.trx);
    await sql`create temp table added_entries on commit drop as
      select distinct e.id, e.name, e.automated_test_id from public.run_entries e
      join uploaded u on u.entry_id is null and u.test_id = e.automated_test_id
      where e.run_id = ${this.run} and e.configuration_id is not distinct from u.configuration_id`.execute(this.trx);
    await find();
    await this.recordCreated(
      entries,
      sql`select e.id, jsonb_build_object('name', e.name, 'run_id', ${this.run}::integer,
      'automated_test_id', e.automated_test_id) as new_values from added_entries e`,
    );
  }

  /**
   * Where a test is in several parts of the run, each part is a configuration: its results there neither replace nor
   * repeat those of the others. Parts that have no test in common need none.
   */
  private async separateParts(part: string | null): Promise<void> {
    const { rows: others } = await sql`select from public.run_entries e
      where e.run_id = ${this.run} and e.automated_test_id is not null limit 1`.execute(this.trx);
    if (others.length === 0) return;
    await sql`analyze uploaded (test_id)`.execute(this.trx);
    await sql`create temp table known_entries on commit drop as
      select e.id, e.automated_test_id, e.configuration_id, min(a.shard) as part,
        bool_or(a.shard is not distinct from ${part}::text) as is_own, bool_or(lower(k.name) = lower(a.shard)) as is_named
      from (select n.* from public.run_entries n where n.run_id = ${this.run}
        and n.automated_test_id in (select u.test_id from uploaded u) offset 0) e
      join public.attempts a on a.entry_id = e.id and a.source = 'machines'
      left join public.configurations k on k.id = e.configuration_id
      group by e.id, e.automated_test_id, e.configuration_id`.execute(this.trx);
    await sql`analyze known_entries`.execute(this.trx);
    const own = part === null ? null : await this.findPartConfiguration(part);
    await sql`update uploaded u set entry_id = e.id, configuration_id = e.configuration_id from known_entries e
      where e.automated_test_id = u.test_id and e.is_own
        and (e.configuration_id is null or e.configuration_id = ${own}::integer)`.execute(this.trx);
    const { rows } = await sql<{ id: number; configuration_id: number | null; part: string | null }>`
      select distinct e.id, e.configuration_id, e.part from known_entries e
      join uploaded u on u.test_id = e.automated_test_id and u.entry_id is null
      where e.configuration_id is null or e.is_named order by e.id`.execute(this.trx);
    if (rows.length === 0) return;
    const open = rows.filter((row) => row.configuration_id === null && row.part !== null);
    for (const name of new Set(open.map((row) => row.part!))) {
      const ids = open.filter((row) => row.part === name).map(({ id }) => id);
      await this.moveEntries(ids, await this.addPartConfiguration(name));
    }
    if (part === null) return;
    await sql`update uploaded u set configuration_id = ${await this.addPartConfiguration(part)}::integer
      from public.run_entries e where u.entry_id is null and e.automated_test_id = u.test_id
        and e.id = any(${rows.map(({ id }) => id)}::integer[])`.execute(this.trx);
  }

  private async findPartConfiguration(part: string): Promise<number | null> {
    const { rows } = await sql<{ id: number }>`select k.id from public.configurations k
      where k.site_id = ${this.targets.project.site_id} and lower(k.name) = lower(${part})
      order by k.id limit 1`.execute(this.trx);
    return rows[0]?.id ?? null;
  }

  /** The configuration that is called like a part: a consequence of the results, as their tests are. */
  private async addPartConfiguration(part: string): Promise<number> {
    const known = await this.findPartConfiguration(part);
    if (known !== null) return known;
    const { rows } = await sql<{ id: number }>`insert into public.configurations (name, ${this.stampColumns})
      values (${part}, ${this.stamps}) on conflict do nothing returning id`.execute(this.trx);
    if (!rows[0]) return (await this.findPartConfiguration(part))!;
    await this.recordCreated(
      'configurations',
      sql`select ${rows[0].id}::integer as id, jsonb_build_object('name', ${part}::text) as new_values`,
    );
    return rows[0].id;
  }

  /** Puts places in the run onto a configuration, where the test is not on it already. */
  private async moveEntries(ids: readonly number[], configuration: number): Promise<void> {
    const { actor, now } = this.context;
    await sql`with moved as (
        update public.run_entries e set configuration_id = ${configuration}, updated_at = ${now}::timestamptz, updated_by = ${actor.id}
        where e.id = any(${ids}::integer[]) and not exists (select from public.run_entries o where o.run_id = e.run_id
          and o.automated_test_id = e.automated_test_id and o.configuration_id = ${configuration}) returning e.id)
      insert into assay.history (resource, record_id, event, old_values, new_values, user_id, created_at)
      select ${entries}, m.id, 'updated', '{"configuration_id": null}',
        jsonb_build_object('configuration_id', ${configuration}::integer), ${actor.id}::integer, ${now}::timestamptz from moved m`.execute(
      this.trx,
    );
  }

  /**
   * Every execution as an attempt. Of each part the last one counts, which is flaky if it passed after a failure; of
   * several parts, the worst. What a person says stays.
   */
  async addAttempts(part: string | null): Promise<void> {
    const { now, actor } = this.context;
    await sql`insert into public.attempts (entry_id, result, source, elapsed_seconds, message, details, output, started_at, shard, evidence, ${this.stampColumns})
      select u.entry_id, a.value ->> 'result', 'machines', (a.value ->> 'seconds')::float8, a.value ->> 'message',
        a.value ->> 'details', a.value ->> 'output', (a.value ->> 'started_at')::timestamptz, ${part}::text, f.evidence, ${this.stamps}
      from uploaded u cross join lateral jsonb_array_elements(u.attempts) with ordinality a
      left join uploaded_files f on f.test = u.ordinal and f.attempt = a.ordinality
      order by u.ordinal, a.ordinality`.execute(this.trx);
    await sql`with of_part as (
        select a.entry_id, max(a.id) as latest,
          case when (array_agg(a.result order by a.id desc))[1] = 'passed' and bool_or(a.result in ('failed', 'broken'))
            then 'flaky' else (array_agg(a.result order by a.id desc))[1] end as result,
          (array_agg(a.elapsed_seconds order by a.id desc) filter (where a.elapsed_seconds is not null))[1] as seconds,
          (array_agg(a.message order by a.id desc))[1] as message
        from public.attempts a where a.entry_id in (select u.entry_id from uploaded u)
        group by a.entry_id, a.shard),
      worst as (select distinct on (p.entry_id) p.* from of_part p order by p.entry_id, ${severityOf('p')}, p.latest desc)
      update public.run_entries e set result = x.result, elapsed_seconds = x.seconds, comment = x.message,
        run_by = ${actor.id}, run_at = ${now}::timestamptz, updated_at = ${now}::timestamptz, updated_by = ${actor.id}
      from worst x where e.id = x.entry_id
        and not exists (select from public.attempts a where a.entry_id = e.id and a.source = 'people')`.execute(
      this.trx,
    );
  }

  /** Says in the tests what became of them. The last thing: whoever has results for the same tests waits from here on. */
  async refreshTests(): Promise<void> {
    const { now } = this.context;
    await sql`select from public.automated_tests a where a.id in (select u.test_id from uploaded u) order by a.id
      for no key update of a`.execute(this.trx);
    await sql`update public.automated_tests a set last_result = x.result, last_run_at = ${now}::timestamptz
      from (select distinct on (e.automated_test_id) e.automated_test_id, e.result from public.run_entries e
        where e.run_id = ${this.run} and e.result <> 'not_run' and e.automated_test_id in (select u.test_id from uploaded u)
        order by e.automated_test_id, ${severityOf('e')}) x
      where a.id = x.automated_test_id`.execute(this.trx);
  }

  /** The steps of the new attempts that have files. An attempt is known by the key of its first file. */
  async addSteps(): Promise<void> {
    await sql`insert into public.attempts__steps (parent_id, position, index, result, comment, evidence)
      select t.id, row_number() over (partition by t.id order by s.index) - 1, s.index, s.result, s.comment, s.evidence
      from uploaded_steps s join uploaded_files f on f.test = s.test and f.attempt = s.attempt
      join uploaded u on u.ordinal = s.test
      join public.attempts t on t.entry_id = u.entry_id and t.evidence -> 0 ->> 'key' = f.evidence -> 0 ->> 'key'`.execute(
      this.trx,
    );
  }

  /** The figures of the answer. */
  async countOutcome(): Promise<Pick<UploadOutcome, 'totals' | 'linked' | 'unlinked'>> {
    const { rows } = await sql<UploadTotals & { linked: number; unlinked: number }>`
      select count(*)::integer as tests, coalesce(sum(jsonb_array_length(u.attempts)), 0)::integer as attempts,
        count(*) filter (where u.result = 'passed')::integer as passed, count(*) filter (where u.result = 'failed')::integer as failed,
        count(*) filter (where u.result = 'broken')::integer as broken, count(*) filter (where u.result = 'skipped')::integer as skipped,
        count(*) filter (where u.result = 'flaky')::integer as flaky,
        count(*) filter (where a.test_case_id is not null)::integer as linked,
        count(*) filter (where a.test_case_id is null)::integer as unlinked
      from uploaded u join public.automated_tests a on a.id = u.test_id`.execute(this.trx);
    const { linked, unlinked, ...totals } = rows[0]!;
    return { totals, linked, unlinked };
  }

  /**
   * Proposes new tests as earlier ones under another name; returns how many. In the run before (of the same branch, else
   * of any) there was a test that this run does not have, of the same parameters and either in the same place with a
   * similar name, or with the same name in another place. Each test is in one proposal, the most similar first.
   */
  async proposeMatches(branch: string | null): Promise<number> {
    const { project } = this.targets;
    const { rows: before } = await sql<{ id: number }>`select r.id from public.test_runs r
      where r.project_id = ${project.id} and r.source = 'machines' and r.id < ${this.run}
      order by (r.branch is not distinct from ${branch}::text) desc, r.id desc limit 1`.execute(this.trx);
    if (!before[0]) return 0;
    await this.withdrawMatches();
    // It was analyzed before its tests were known, as if none had one.
    await sql`analyze uploaded (test_id, is_new)`.execute(this.trx);
    await sql`create temp table fresh on commit drop as
      select u.test_id, u.name, u.suite, u.file, u.parameters from uploaded u where u.is_new and u.explicit_id is null
      order by u.ordinal limit ${maxCompared}`.execute(this.trx);
    await sql`create temp table missing on commit drop as
      select distinct a.id, a.name, a.suite, a.file, a.parameters from public.run_entries e
      join public.automated_tests a on a.id = e.automated_test_id
      where e.run_id = ${before[0].id} and a.explicit_id is null and not exists (select from public.run_entries own
        where own.run_id = ${this.run} and own.automated_test_id = a.id)
      order by a.id limit ${maxCompared}`.execute(this.trx);
    const place = (alias: string) => sql`concat_ws(' ', ${sql.id(alias, 'file')}, ${sql.id(alias, 'suite')})`;
    const { rows: alike } = await sql<Match>`
      select x.* from (select p.*, row_number() over (partition by p.test_id order by p.similarity desc, p.earlier_id) as place from (
        select f.test_id, m.id as earlier_id,
          least(99, round(100 * (0.8 * similarity(m.name, f.name) + 0.2 * case
            when m.file is not distinct from f.file and m.suite is not distinct from f.suite then 1
            else similarity(${place('m')}, ${place('f')}) end)))::integer as similarity
        from fresh f join missing m on m.parameters is not distinct from f.parameters
          and (m.suite is not distinct from f.suite or m.file is not distinct from f.file) and similarity(m.name, f.name) > 0.4
        union
        select f.test_id, m.id, least(99, round(80 + 20 * similarity(${place('m')}, ${place('f')})))::integer
        from fresh f join missing m on m.name = f.name and m.parameters is not distinct from f.parameters) p) x
      where x.place <= ${maxAlike} order by x.similarity desc, x.test_id, x.earlier_id`.execute(this.trx);
    const matches = chooseMatches(alike);
    const { rows } = await sql<{ id: number }>`insert into public.match_proposals
        (project_id, earlier_id, test_id, run_id, earlier_name, earlier_suite, earlier_file, name, suite, file, similarity, state, ${this.stampColumns})
      select ${project.id}, a.earlier_id, a.test_id, ${this.run}, m.name, m.suite, m.file, f.name, f.suite, f.file, a.similarity, 'open', ${this.stamps}
      from jsonb_to_recordset(${JSON.stringify(matches)}::jsonb) a (test_id integer, earlier_id integer, similarity integer)
      join fresh f on f.test_id = a.test_id join missing m on m.id = a.earlier_id
      order by a.similarity desc, a.test_id on conflict do nothing returning id`.execute(this.trx);
    await this.recordCreated(
      proposals,
      sql`select p.id, jsonb_build_object('earlier_id', p.earlier_id, 'test_id', p.test_id, 'similarity', p.similarity,
        'project_id', p.project_id) as new_values
      from public.match_proposals p where p.id = any(${rows.map(({ id }) => id)}::integer[])`,
    );
    return rows.length;
  }

  /** Two tests that are both in one run are not one under two names. */
  private async withdrawMatches(): Promise<void> {
    const { now, actor } = this.context;
    const isHere = (column: string) => sql`exists (select from public.run_entries e
      where e.run_id = ${this.run} and e.automated_test_id = ${sql.id('p', column)})`;
    await sql`with withdrawn as (
        update public.match_proposals p set state = 'withdrawn', updated_at = ${now}::timestamptz, updated_by = ${actor.id}
        where p.project_id = ${this.targets.project.id} and p.state = 'open' and ${isHere('test_id')} and ${isHere('earlier_id')}
        returning p.id)
      insert into assay.history (resource, record_id, event, old_values, new_values, user_id, created_at)
      select ${proposals}, w.id, 'updated', '{"state": "open"}', '{"state": "withdrawn"}', ${actor.id}::integer, ${now}::timestamptz
      from withdrawn w`.execute(this.trx);
  }

  /** Writes the history of new records. */
  private async recordCreated(resource: string, created: ReturnType<typeof sql>): Promise<void> {
    const { actor, now } = this.context;
    await sql`insert into assay.history (resource, record_id, event, new_values, user_id, created_at)
      select ${resource}, c.id, 'created', c.new_values, ${actor.id}::integer, ${now}::timestamptz from (${created}) c`.execute(
      this.trx,
    );
  }
}

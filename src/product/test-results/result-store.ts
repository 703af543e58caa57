import { sql } from 'kysely';
import type { RequestContext } from '../../server/access/request-context';
import type { Transaction } from '../../server/database/database';
import { proposals, tests } from '../automated-tests/definitions';
import { entries } from '../test-runs/definitions';
import type { Targets } from './find-targets';
import type { PreparedResults } from './prepare-results';
import { renewResults, severityOf } from './renew-results';
import type { UploadFigures, UploadTotals } from './stored-uploads';
import { oneRow } from '../../server/database/one-row';
import { requireValue } from '../../engine/values/lookups';
import { historyOfChanges } from '../../server/records/history/changes-sql';

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
function chooseMatches(similarMatches: readonly Match[]): Match[] {
  const [takenEntries, earlierEntries] = [new Set<number>(), new Set<number>()];
  return similarMatches.filter(({ test_id, earlier_id }) => {
    if (takenEntries.has(test_id) || earlierEntries.has(earlier_id)) return false;
    takenEntries.add(test_id);
    earlierEntries.add(earlier_id);
    return true;
  });
}

/**
 * Puts tests, their files and steps into tables of this transaction: `uploaded`, `uploaded_files`, `uploaded_steps`.
 * Tests that do not count are left out.
 */
async function receiveTests(
  batches: AsyncIterable<string> | Iterable<string>,
  { dropped: droppedRanges, files, steps }: PreparedResults,
  trx: Transaction,
): Promise<void> {
  await sql`create temp table uploaded (
    ordinal integer not null, identity text not null, former text not null, name text not null, suite text, file text, parameters text, explicit_id text,
    result text not null, attempts jsonb not null, test_id bigint, is_new boolean not null default false,
    entry_id bigint, configuration_id bigint
  ) on commit drop`.execute(trx);
  for await (const batch of batches)
    await sql`insert into uploaded (ordinal, identity, former, name, suite, file, parameters, explicit_id, result, attempts)
      select * from jsonb_to_recordset(${batch}::jsonb) u (ordinal integer, identity text, former text, name text, suite text, file text,
        parameters text, explicit_id text, result text, attempts jsonb)`.execute(trx);
  for (const [first, last] of droppedRanges)
    await sql`delete from uploaded u where u.ordinal between ${first} and ${last}`.execute(trx);
  await sql`create index on uploaded (identity)`.execute(trx);
  await sql`analyze uploaded`.execute(trx);
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(u.ordinal) as first, max(u.ordinal) as last from uploaded u`.execute(trx);
  const [first, last] = [rows[0]?.first ?? 0, rows[0]?.last ?? 0];
  const isReceived = ({ test }: { readonly test: number }) => test >= first && test <= last;
  const ownFiles = files.filter(isReceived);
  await sql`create temp table uploaded_files on commit drop as
    select u.test, u.attempt, jsonb_agg(u.file order by u.place) as evidence from jsonb_to_recordset(${JSON.stringify(
      ownFiles.map((file, position) => ({ ...file, place: position })),
    )}::jsonb) u (test integer, attempt integer, place integer, file jsonb) group by u.test, u.attempt`.execute(trx);
  const rowsOfSteps = steps.filter(isReceived).map(({ test, attempt, index, name, result }) => {
    const ofStep = ownFiles.filter(
      (attemptFile) => attemptFile.test === test && attemptFile.attempt === attempt && attemptFile.step === index,
    );
    const evidence = ofStep.map(({ file }) => file.name).join('\n');
    return { test, attempt, index, result, comment: name.slice(0, 5000) || null, evidence };
  });
  await sql`create temp table uploaded_steps on commit drop as
    select u.* from jsonb_to_recordset(${JSON.stringify(rowsOfSteps.filter(({ evidence }) => evidence !== ''))}::jsonb)
      u (test integer, attempt integer, index integer, result text, comment text, evidence text)`.execute(trx);
}

/** Stores uploaded tests in a run within a transaction: with as many statements for thousands as for one. */
export class ResultStore {
  /** @param sentAt when they were sent, by which their attempts are known among all of the run. */
  constructor(
    private readonly context: RequestContext,
    private readonly targets: Targets,
    private readonly run: number,
    private readonly sentAt: string,
    private readonly trx: Transaction,
  ) {}

  /** Stores tests with all their attempts. Returns their figures, and the ids of those that are new. */
  async storeTests(
    batches: AsyncIterable<string> | Iterable<string>,
    prepared: PreparedResults,
    part: string | null,
  ): Promise<{ readonly figures: UploadFigures; readonly newTests: readonly number[] }> {
    await receiveTests(batches, prepared, this.trx);
    await this.findOrAddTests();
    await this.findOrAddEntries(part);
    await this.addAttempts(part);
    await this.addSteps();
    await this.refreshTests();
    const { rows } = await sql<{ id: number }>`select u.test_id as id from uploaded u where u.is_new
      order by u.ordinal`.execute(this.trx);
    return { figures: await this.countFigures(), newTests: rows.map(({ id }) => id) };
  }

  /** The stamps of new rows, as columns and as values. */
  private readonly stampColumns = sql.raw('site_id, created_by, updated_by, created_at, updated_at');
  private get stamps() {
    const { actor } = this.context;
    return sql`${this.targets.project.site_id}::bigint, ${actor.id}::bigint, ${actor.id}::bigint, ${this.sentAt}::timestamptz, ${this.sentAt}::timestamptz`;
  }

  /**
   * Finds the tests by their identity or an earlier one, adds those that are new, and holds all of them: nobody merges or
   * deletes them until the transaction ends, and other uploads of them do not wait. A merge or separation of tests in
   * the meantime has decided which of them these results belong to, so they are looked for again.
   */
  private async findOrAddTests(): Promise<void> {
    const { project } = this.targets;
    await this.renewIdentities();
    for (let isSettled = false; !isSettled;) {
      await sql`update uploaded u set test_id = a.id from public.automated_tests a
        where u.test_id is null and a.project_id = ${project.id} and a.identity = u.identity`.execute(this.trx);
      await sql`update uploaded u set test_id = a.id
        from public.automated_tests__aliases x join public.automated_tests a on a.id = x.parent_id and a.site_id = x.site_id
        where u.test_id is null and a.project_id = ${project.id} and x.identity in (u.identity, u.former)`.execute(
        this.trx,
      );
      await this.addTests();
      await sql`select from public.automated_tests a join uploaded u on u.test_id = a.id order by a.id
        for key share of a`.execute(this.trx);
      await sql`update uploaded u set test_id = null where not u.is_new and not exists (
        select from public.automated_tests a where a.id = u.test_id and (a.identity = u.identity
          or exists (select from public.automated_tests__aliases x where x.parent_id = a.id and x.site_id = a.site_id
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
  private async findOrAddEntries(part: string | null): Promise<void> {
    const { configuration } = this.targets;
    if (configuration === null) await this.separateParts(part);
    else await sql`update uploaded set configuration_id = ${configuration}::bigint`.execute(this.trx);
    const find = () =>
      sql`update uploaded u set entry_id = e.id from public.run_entries e where u.entry_id is null
        and e.run_id = ${this.run} and e.automated_test_id = u.test_id
        and e.configuration_id is not distinct from u.configuration_id`.execute(this.trx);
    await find();
    await sql`insert into public.run_entries (run_id, name, automated_test_id, configuration_id, result, position, ${this.stampColumns})
      select ${this.run}, u.name, u.test_id, u.configuration_id, 'not_run',
        (select coalesce(max(p.position), 0) from public.run_entries p where p.run_id = ${this.run})
          + (row_number() over (order by u.ordinal))::integer, ${this.stamps}
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
      sql`select e.id, jsonb_build_object('name', e.name, 'run_id', ${this.run}::bigint,
      'automated_test_id', e.automated_test_id) as new_values from added_entries e`,
    );
  }

  /**
   * Where a test is in several parts of the run, each part is a configuration: its results there neither replace nor
   * repeat those of the others. Parts that have no test in common need none.
   */
  private async separateParts(part: string | null): Promise<void> {
    const { rows: otherEntries } = await sql`select from public.run_entries e
      where e.run_id = ${this.run} and e.automated_test_id is not null limit 1`.execute(this.trx);
    if (otherEntries.length === 0) return;
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
    const partConfiguration = part === null ? null : await this.findPartConfiguration(part);
    await sql`update uploaded u set entry_id = e.id, configuration_id = e.configuration_id from known_entries e
      where e.automated_test_id = u.test_id and e.is_own
        and (e.configuration_id is null or e.configuration_id = ${partConfiguration}::bigint)`.execute(this.trx);
    const { rows } = await sql<{ id: number; configuration_id: number | null; part: string | null }>`
      select distinct e.id, e.configuration_id, e.part from known_entries e
      join uploaded u on u.test_id = e.automated_test_id and u.entry_id is null
      where e.configuration_id is null or e.is_named order by e.id`.execute(this.trx);
    if (rows.length === 0) return;
    const open = rows.filter((row) => row.configuration_id === null);
    for (const name of new Set(open.flatMap(({ part }) => part ?? []))) {
      const ids = open.filter((row) => row.part === name).map(({ id }) => id);
      await this.moveEntries(ids, await this.addPartConfiguration(name));
    }
    if (part === null) return;
    await sql`update uploaded u set configuration_id = ${await this.addPartConfiguration(part)}::bigint
      from public.run_entries e where u.entry_id is null and e.automated_test_id = u.test_id
        and e.id = any(${rows.map(({ id }) => id)}::bigint[])`.execute(this.trx);
  }

  private async findPartConfiguration(part: string): Promise<number | null> {
    const { rows } = await sql<{ id: number }>`select k.id from public.configurations k
      where k.site_id = ${this.targets.project.site_id} and lower(k.name) = lower(${part})
      order by k.id limit 1`.execute(this.trx);
    return rows[0]?.id ?? null;
  }

  /** The configuration that is called like a part: a consequence of the results, as their tests are. */
  private async addPartConfiguration(part: string): Promise<number> {
    const existingConfiguration = await this.findPartConfiguration(part);
    if (existingConfiguration !== null) return existingConfiguration;
    const { rows } = await sql<{ id: number }>`insert into public.configurations (name, ${this.stampColumns})
      values (${part}, ${this.stamps}) on conflict do nothing returning id`.execute(this.trx);
    if (!rows[0]) return requireValue(await this.findPartConfiguration(part), `the configuration ${part}`);
    await this.recordCreated(
      'configurations',
      sql`select ${rows[0].id}::bigint as id, jsonb_build_object('name', ${part}::text) as new_values`,
    );
    return rows[0].id;
  }

  /** Puts places in the run onto a configuration, where the test is not on it already. */
  private async moveEntries(ids: readonly number[], configuration: number): Promise<void> {
    const { actor, now } = this.context;
    await sql`with moved as (
        update public.run_entries e set configuration_id = ${configuration}, updated_at = ${now}::timestamptz, updated_by = ${actor.id}
        where e.id = any(${ids}::bigint[]) and not exists (select from public.run_entries o where o.run_id = e.run_id
          and o.automated_test_id = e.automated_test_id and o.configuration_id = ${configuration}) returning e.id, e.site_id),
      ${historyOfChanges(sql`select m.site_id, ${entries}::text, m.id, 'updated', '{"configuration_id": null}'::jsonb,
        jsonb_build_object('configuration_id', ${configuration}::bigint), ${actor.id}::bigint, ${now}::timestamptz, null::integer
        from moved m`)} select`.execute(this.trx);
  }

  /**
   * Every execution as an attempt. Of each part the last one counts, which is flaky if it passed after a failure; of
   * several parts, the worst. A result that a person set stays.
   */
  private async addAttempts(part: string | null): Promise<void> {
    await sql`insert into public.attempts (entry_id, result, source, elapsed_seconds, message, details, output, started_at, shard, evidence, ${this.stampColumns})
      select u.entry_id, a.value ->> 'result', 'machines', (a.value ->> 'seconds')::float8, a.value ->> 'message',
        a.value ->> 'details', a.value ->> 'output', (a.value ->> 'started_at')::timestamptz, ${part}::text, f.evidence, ${this.stamps}
      from uploaded u cross join lateral jsonb_array_elements(u.attempts) with ordinality a
      left join uploaded_files f on f.test = u.ordinal and f.attempt = a.ordinality
      order by u.ordinal, a.ordinality`.execute(this.trx);
    await renewResults(this.context, sql`select u.entry_id from uploaded u`, this.trx);
  }

  /** Says in the tests what became of them. The last thing: whoever has results for the same tests waits from here on. */
  private async refreshTests(): Promise<void> {
    await sql`select from public.automated_tests a where a.id in (select u.test_id from uploaded u) order by a.id
      for no key update of a`.execute(this.trx);
    await sql`update public.automated_tests a set last_result = x.result, last_run_at = ${this.sentAt}::timestamptz
      from (select distinct on (e.automated_test_id) e.automated_test_id, e.result from public.run_entries e
        where e.run_id = ${this.run} and e.result <> 'not_run' and e.automated_test_id in (select u.test_id from uploaded u)
        order by e.automated_test_id, ${severityOf('e')}) x
      where a.id = x.automated_test_id`.execute(this.trx);
  }

  /** The steps of the new attempts that have files. An attempt is known by the key of its first file. */
  private async addSteps(): Promise<void> {
    await sql`insert into public.attempts__steps (site_id, parent_id, position, index, result, comment, evidence)
      select t.site_id, t.id, row_number() over (partition by t.id order by s.index) - 1, s.index, s.result, s.comment, s.evidence
      from uploaded_steps s join uploaded_files f on f.test = s.test and f.attempt = s.attempt
      join uploaded u on u.ordinal = s.test
      join public.attempts t on t.entry_id = u.entry_id and t.evidence -> 0 ->> 'key' = f.evidence -> 0 ->> 'key'`.execute(
      this.trx,
    );
  }

  private async countFigures(): Promise<UploadFigures> {
    const { linked, unlinked, ...totals } = oneRow(
      await sql<UploadTotals & { linked: number; unlinked: number }>`
      select count(*)::integer as tests, coalesce(sum(jsonb_array_length(u.attempts)), 0)::integer as attempts,
        count(*) filter (where u.result = 'passed')::integer as passed, count(*) filter (where u.result = 'failed')::integer as failed,
        count(*) filter (where u.result = 'broken')::integer as broken, count(*) filter (where u.result = 'skipped')::integer as skipped,
        count(*) filter (where u.result = 'flaky')::integer as flaky,
        count(*) filter (where a.test_case_id is not null)::integer as linked,
        count(*) filter (where a.test_case_id is null)::integer as unlinked
      from uploaded u join public.automated_tests a on a.id = u.test_id`.execute(this.trx),
    );
    return { totals, linked, unlinked };
  }

  /**
   * Proposes new tests as earlier ones under another name; returns how many. In the run before (of the same branch, else
   * of any) there was a test that this run does not have, of the same parameters and either in the same place with a
   * similar name, or with the same name in another place. Each test is in one proposal, the most similar first.
   */
  async proposeMatches(branch: string | null, newTests: readonly number[]): Promise<number> {
    const { project } = this.targets;
    const { rows: previousRuns } = await sql<{ id: number }>`select r.id from public.test_runs r
      where r.project_id = ${project.id} and r.source = 'machines' and r.id < ${this.run}
      order by (r.branch is not distinct from ${branch}::text) desc, r.id desc limit 1`.execute(this.trx);
    if (!previousRuns[0]) return 0;
    await this.withdrawMatches();
    await sql`create temp table fresh on commit drop as
      select a.id as test_id, a.name, a.suite, a.file, a.parameters
      from unnest(${newTests}::bigint[]) with ordinality n (id, place) join public.automated_tests a on a.id = n.id
      where a.explicit_id is null order by n.place limit ${maxCompared}`.execute(this.trx);
    await sql`create temp table missing on commit drop as
      select distinct a.id, a.name, a.suite, a.file, a.parameters from public.run_entries e
      join public.automated_tests a on a.id = e.automated_test_id
      where e.run_id = ${previousRuns[0].id} and a.explicit_id is null and not exists (select from public.run_entries own
        where own.run_id = ${this.run} and own.automated_test_id = a.id)
      order by a.id limit ${maxCompared}`.execute(this.trx);
    const textKey = (alias: string) => sql`concat_ws(' ', ${sql.id(alias, 'file')}, ${sql.id(alias, 'suite')})`;
    const { rows: similarMatches } = await sql<Match>`
      select x.* from (select p.*, row_number() over (partition by p.test_id order by p.similarity desc, p.earlier_id) as place from (
        select f.test_id, m.id as earlier_id,
          least(99, round(100 * (0.8 * similarity(m.name, f.name) + 0.2 * case
            when m.file is not distinct from f.file and m.suite is not distinct from f.suite then 1
            else similarity(${textKey('m')}, ${textKey('f')}) end)))::integer as similarity
        from fresh f join missing m on m.parameters is not distinct from f.parameters
          and (m.suite is not distinct from f.suite or m.file is not distinct from f.file) and similarity(m.name, f.name) > 0.4
        union
        select f.test_id, m.id, least(99, round(80 + 20 * similarity(${textKey('m')}, ${textKey('f')})))::integer
        from fresh f join missing m on m.name = f.name and m.parameters is not distinct from f.parameters) p) x
      where x.place <= ${maxAlike} order by x.similarity desc, x.test_id, x.earlier_id`.execute(this.trx);
    const matches = chooseMatches(similarMatches);
    const { rows } = await sql<{ id: number }>`insert into public.match_proposals
        (project_id, earlier_id, test_id, run_id, earlier_name, earlier_suite, earlier_file, name, suite, file, similarity, state, ${this.stampColumns})
      select ${project.id}, a.earlier_id, a.test_id, ${this.run}, m.name, m.suite, m.file, f.name, f.suite, f.file, a.similarity, 'open', ${this.stamps}
      from jsonb_to_recordset(${JSON.stringify(matches)}::jsonb) a (test_id bigint, earlier_id bigint, similarity integer)
      join fresh f on f.test_id = a.test_id join missing m on m.id = a.earlier_id
      order by a.similarity desc, a.test_id on conflict do nothing returning id`.execute(this.trx);
    await this.recordCreated(
      proposals,
      sql`select p.id, jsonb_build_object('earlier_id', p.earlier_id, 'test_id', p.test_id, 'similarity', p.similarity,
        'project_id', p.project_id) as new_values
      from public.match_proposals p where p.id = any(${rows.map(({ id }) => id)}::bigint[])`,
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
        returning p.id, p.site_id),
      ${historyOfChanges(sql`select w.site_id, ${proposals}::text, w.id, 'updated', '{"state": "open"}'::jsonb,
        '{"state": "withdrawn"}'::jsonb, ${actor.id}::bigint, ${now}::timestamptz, null::integer from withdrawn w`)} select`.execute(
      this.trx,
    );
  }

  /** Writes the history of new records. */
  private async recordCreated(resource: string, created: ReturnType<typeof sql>): Promise<void> {
    const { actor, now } = this.context;
    await sql`insert into assay.history (site_id, resource, record_id, event, new_values, user_id, created_at)
      select ${this.targets.project.site_id}::bigint, ${resource}, c.id, 'created', c.new_values, ${actor.id}::bigint, ${now}::timestamptz from (${created}) c`.execute(
      this.trx,
    );
  }
}

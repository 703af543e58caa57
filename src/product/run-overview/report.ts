import { sql } from 'kysely';
import type { ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { archiveFilter, assertGranted, visibleFields } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import type { Queries } from '../../server/database/database';
import { Forbidden } from '../../server/errors/errors';
import type { Program } from '../../server/program';
import { readRecord } from '../../server/records/read/read';
import { visitor } from '../../server/records/write/share-link';
import { visibleTitleSql } from '../../server/sql/operands';
import { predicateToSql } from '../../server/sql/predicate-to-sql';
import type { FailedTest, RunReport } from '../answers/run-report';
import { attempts, entries, runs } from '../test-runs/definitions';
import { listedEntries, sharedEntries, type CountedRows, type CountedRun } from './results';
import { showStamps, stampsOf } from './stamps';
import { describeState } from './state-of-run';
import { loadRunFigures } from './run-figures';
import { oneRow } from '../../server/database/one-row';

/** The most failures that a report lists. */
const maxFailures = 500;

interface ReportRun extends CountedRun, ResourceRecord {
  readonly id: number;
  readonly site_id: number | null;
  readonly key: string | null;
  readonly name: string;
  readonly state: string;
  readonly commit: string | null;
  readonly closed_at: string | null;
}

const runColumns = sql`t.id, t.site_id, t.project_id, t.milestone_id, t.branch, t.key, t.name, t.state, t.commit, t.closed_at, t.stamps`;

/** Whose report it is. Of related records it has the titles, as the tests of the run have for whoever sees them. */
type Reader = Parameters<typeof visibleFields>[0];

/** `GET test-runs/{id}/report`. Throws Forbidden and NotFound. */
export async function loadRunReport(context: RequestContext, id: number): Promise<RunReport> {
  const { registry, actor, program } = context;
  const run = (await readRecord({ context, definition: registry.getOrThrow(runs) }, id)) as unknown as ReportRun;
  assertReadable(context);
  const rows: CountedRows = {
    entries: (alias) => listedEntries(context, alias),
    timeZone: context.timeZone,
    now: context.now,
  };
  return composeReport(program.database.kysely, registry, run, rows, actor);
}

/** Figures are of results and comments: whoever may not list tests, or read those of all, gets none. Throws Forbidden. */
export function assertReadable(context: RequestContext): void {
  const definition = context.registry.getOrThrow(entries);
  assertGranted(context, definition, 'list');
  const readable = visibleFields(context.actor, definition);
  const hidden = ['result', 'comment', 'name'].find((name) => !readable.has(name));
  if (hidden !== undefined) throw new Forbidden('Your role does not see all results of test runs.');
}

/** The report behind a public link; null if the link is not valid (any more). */
export async function loadSharedReport(program: Program, link: string): Promise<RunReport | null> {
  const registry = program.definitions.registry();
  const run = await findShared(program, registry, link);
  if (!run) return null;
  const countedRows: CountedRows = {
    entries: (alias) => sharedEntries(registry, alias),
    timeZone: 'UTC',
    now: new Date().toISOString(),
  };
  return composeReport(program.database.kysely, registry, run, countedRows, visitor);
}

/**
 * The text of which the fingerprint of a report behind a public link is the SHA-256; null if the link is not valid (any
 * more).
 */
export async function loadSharedState(program: Program, link: string): Promise<{ text: string } | null> {
  const registry = program.definitions.registry();
  const run = await findShared(program, registry, link);
  if (!run) return null;
  const { text } = await describeState(program.database.kysely, registry, run);
  return { text };
}

async function findShared(program: Program, registry: Registry, link: string): Promise<ReportRun | null> {
  if (!/^[\w-]{20,100}$/.test(link)) return null;
  const definition = registry.getOrThrow(runs);
  const visibleRows = predicateToSql(archiveFilter(registry, definition), definition, 't', registry, null);
  const { rows } = await sql<ReportRun>`select ${runColumns} from public.test_runs t
    where t.report_link collate "und-x-icu" = ${link} and ${visibleRows}`.execute(program.database.kysely);
  return rows[0] ?? null;
}

async function composeReport(
  queries: Queries,
  registry: Registry,
  run: ReportRun,
  rows: CountedRows,
  reader: Reader,
): Promise<RunReport> {
  const figures = await loadRunFigures(queries, run, rows);
  const ids = figures.failures.flatMap((group) => group.entries);
  const isNew = new Set(figures.failures.flatMap((group) => group.new));
  const [facts, failed, { fingerprint }] = await Promise.all([
    loadFacts(queries, registry, run, rows, reader),
    loadFailed(queries, registry, ids, reader),
    describeState(queries, registry, run),
  ]);
  const { counts, total, pass_rate, modules, new_failures, elapsed_seconds, remaining_seconds } = figures;
  const { first_at, last_at } = figures;
  const { key, name, state, branch, commit, closed_at } = run;
  return {
    ...{ key, name, state, branch, commit, closed_at, ...facts },
    ...{ counts, total, pass_rate, modules, new_failures, elapsed_seconds, remaining_seconds, first_at, last_at },
    failed: failed.map(({ id, ...test }) => ({ ...test, is_new: isNew.has(id) })),
    failed_total: ids.length,
    made_at: rows.now,
    fingerprint,
    stamps: await showStamps(queries, registry, stampsOf(run), fingerprint, reader),
  };
}

type Facts = Pick<RunReport, 'project' | 'milestone' | 'configurations' | 'people'>;

async function loadFacts(
  queries: Queries,
  registry: Registry,
  run: ReportRun,
  rows: CountedRows,
  reader: Reader,
): Promise<Facts> {
  const title = (resource: string, id: number | null) => {
    const target = registry.getOrThrow(resource);
    return sql`(select ${visibleTitleSql(reader, target, 'o', registry)} from ${sql.id('public', target.table)} o
      where o.id = ${id}::bigint)`;
  };
  const titles = (resource: string, column: string) => {
    const target = registry.getOrThrow(resource);
    return sql`(select coalesce(json_agg(x.title order by x.title), '[]') from (
      select distinct ${visibleTitleSql(reader, target, 'o', registry)} as title
      from ${sql.id('public', target.table)} o where o.id in (
        select ${sql.id('e', column)} from public.run_entries e where e.run_id = ${run.id} and ${rows.entries('e')})
    ) x)`;
  };

  return oneRow(
    await sql<Facts>`select ${title('projects', run.project_id)} as project,
    ${title('milestones', run.milestone_id)} as milestone,
    ${titles('configurations', 'configuration_id')} as configurations, ${titles('users', 'run_by')} as people`.execute(
      queries,
    ),
  );
}

async function loadFailed(
  queries: Queries,
  registry: Registry,
  ids: readonly number[],
  reader: Reader,
): Promise<(Omit<FailedTest, 'is_new'> & { id: number })[]> {
  const tasks = registry.getOrThrow('tasks');
  const areFilesShown = visibleFields(reader, registry.getOrThrow(attempts)).has('evidence');
  const { rows } = await sql<Omit<FailedTest, 'is_new'> & { id: number }>`
    select e.id, c.key, e.name, left(coalesce(a.message, e.comment), 300) as message,
      (select ${visibleTitleSql(reader, tasks, 'o', registry)} from public.tasks o where o.id = e.defect_id) as defect,
      coalesce(a.evidence, '[]') as evidence
    from public.run_entries e left join public.test_cases c on c.id = e.test_case_id
      left join lateral (select l.message, (
          select jsonb_agg(jsonb_build_object('name', f.value ->> 'name', 'step', s.index) order by s.index nulls first, f.ordinality)
          from jsonb_array_elements(l.evidence) with ordinality f left join public.attempts__steps s
            on s.parent_id = l.id and s.site_id = l.site_id and f.value ->> 'name' = any(string_to_array(s.evidence, chr(10)))
          where ${areFilesShown}) as evidence
        from public.attempts l where l.entry_id = e.id order by l.id desc limit 1) a on true
    where e.id = any(${ids.slice(0, maxFailures)}::bigint[]) order by e.position, e.id`.execute(queries);
  return rows;
}

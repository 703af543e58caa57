import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import { accessFilter, accessFilterIfGranted, allOf } from '../../server/access/access-filter';
import { endOfDay } from '../../server/access/days';
import type { RequestContext } from '../../server/access/request-context';
import { readRecord } from '../../server/records/read/read';
import { predicateToSql } from '../../server/sql/predicate-to-sql';
import { assertReadable } from '../run-overview/report';
import type { Coverage, CoverageColumn, CoveredRequirement, CoveringTest } from '../answers/coverage';
import { resultNames, type ResultCounts } from '../answers/results';
import { listedEntries, noResults, resultSql } from '../run-overview/results';
import { testCases } from '../test-runs/definitions';
import type { CellQuery, CoverageQuery } from './calls';
import { getOrThrow, requireValue } from '../../engine/values/lookups';

/** The most requirements of one answer, and the most columns. */
const maxRequirements = 2_000;
const maxColumns = { run: 5, configuration: 12 } as const;
/** The most runs in which requirements fail, if those are more, and the latest ones beside them. */
const [maxFailingRuns, latestRuns] = [8, 2];

/**
 * `GET requirement-coverage`: what the test cases of the requirements of a project showed at the end of a day. Gaps come
 * first. Throws Forbidden and NotFound.
 */
export async function loadCoverage(context: RequestContext, query: CoverageQuery): Promise<Coverage> {
  const { registry, program } = context;
  assertReadable(context);
  const { day = context.today, by: columnKind = 'run', project_id } = query;
  await readRecord({ context, definition: registry.getOrThrow('projects') }, project_id, new Set(['id']));
  const queries = program.database.kysely;
  const endTime = endOfDay(day, context.timeZone);
  const { rows: requirements } = await sql<RequirementRow>`
    select t.id, t.key, t.name, p.id as priority_id, p.option_name as priority, count(c.id)::integer as cases
    from public.requirements t
      left join public.priorities p on p.id = t.priority_id
      left join public.requirements__test_case_ids l on l.record_id = t.id and l.site_id = t.site_id
      left join public.test_cases c on c.id = l.target_id and c.site_id = l.site_id and ${listedCases(context, 'c')}
    where t.project_id = ${project_id} and t.created_at < ${endTime}::timestamptz and ${listedRequirements(context, query)}
    group by t.id, t.key, t.name, p.id, p.option_name order by p.id nulls last, t.id limit ${maxRequirements}`.execute(
    queries,
  );
  const ids = requirements.map(({ id }) => id);
  const [latest, cells] = await Promise.all([
    sql<CountedRow>`${resultsUntil(context, ids, endTime)}
      select w.requirement_id, w.run_id as column_id, w.result, count(*)::integer as count from (
        select distinct on (l.requirement_id, l.test_case_id) l.requirement_id, l.test_case_id, l.result, l.run_id
        from latest l order by l.requirement_id, l.test_case_id, ${severitySql(sql`l.result`)}, l.run_id desc
      ) w group by 1, 2, 3`.execute(queries),
    columnKind === 'state' ? undefined : countCells(context, ids, endTime, columnKind),
  ]);
  const columns =
    columnKind === 'state' || !cells
      ? []
      : await loadColumns(context, columnKind, cells.rows, runsThatFail(latest.rows));
  const knownColumns = new Set(columns.map(({ id }) => id));
  const countsByRequirement = new Map(
    ids.map((id) => [id, { counts: { ...noResults }, cells: {} as Record<number, ResultCounts> }]),
  );
  for (const { requirement_id, result, count } of latest.rows) {
    const requirement = getOrThrow(countsByRequirement, requirement_id);
    requirement.counts = { ...requirement.counts, [result]: requirement.counts[result] + count };
  }
  for (const { requirement_id, column_id, result, count } of cells?.rows ?? []) {
    if (!knownColumns.has(column_id)) continue;
    const ownCells = getOrThrow(countsByRequirement, requirement_id).cells;
    ownCells[column_id] = { ...(ownCells[column_id] ?? noResults), [result]: count };
  }
  const coveredRequirements = requirements.map(
    ({ id, key, name, cases, priority_id, priority }): CoveredRequirement => {
      const { counts: ownCounts, cells: ownCells } = getOrThrow(countsByRequirement, id);
      const ran = resultNames.reduce(
        (sum, resultName) => sum + (resultName === 'not_run' ? 0 : ownCounts[resultName]),
        0,
      );
      // Test cases that are in no run are not run, too.
      const counts = { ...ownCounts, not_run: Math.max(0, cases - ran) };
      return {
        ...{ id, key, name, cases, counts, cells: ownCells },
        priority:
          priority_id === null ? null : { id: priority_id, title: requireValue(priority, 'the title of a priority') },
        is_gap: ran === 0,
      };
    },
  );
  return {
    day,
    columns,
    requirements: [
      ...coveredRequirements.filter((requirement) => requirement.is_gap),
      ...coveredRequirements.filter((requirement) => !requirement.is_gap),
    ],
  };
}

interface RequirementRow {
  readonly id: number;
  readonly key: string | null;
  readonly name: string;
  readonly priority_id: number | null;
  readonly priority: string | null;
  readonly cases: number;
}

interface CountedRow {
  readonly requirement_id: number;
  readonly column_id: number;
  readonly result: keyof ResultCounts;
  readonly count: number;
}

/**
 * `GET requirement-coverage/{id}`: the test cases of a requirement with their latest results until the end of a day, in
 * one run or on one configuration. Throws Forbidden and NotFound.
 */
export async function loadCoverageCell(
  context: RequestContext,
  id: number,
  query: CellQuery,
): Promise<readonly CoveringTest[]> {
  const { registry, program } = context;
  assertReadable(context);
  await readRecord({ context, definition: registry.getOrThrow('requirements') }, id, new Set(['id']));
  const endTime = endOfDay(query.day ?? context.today, context.timeZone);
  const { run_id = null, configuration_id = null } = query;
  const { rows } = await sql<CoveringTest>`${resultsUntil(context, [id], endTime)},
    found as (
      select distinct on (l.test_case_id) l.* from ${run_id === null ? sql`latest` : sql`per_run`} l
      where (${run_id}::bigint is null or l.run_id = ${run_id}::bigint)
        and (${configuration_id}::bigint is null or coalesce(l.configuration_id, 0) = ${configuration_id}::bigint)
      order by l.test_case_id, ${severitySql(sql`l.result`)}
    )
    select c.id as test_case_id, c.key, c.name, coalesce(f.result, 'not_run') as result, f.run_id, r.key as run_key,
      f.entry_id, f.at, (select d.name from public.tasks d where d.id = f.defect_id) as defect
    from public.requirements t join public.requirements__test_case_ids l on l.record_id = t.id and l.site_id = t.site_id
      join public.test_cases c on c.id = l.target_id and c.site_id = l.site_id
      left join found f on f.test_case_id = c.id left join public.test_runs r on r.id = f.run_id
    where t.id = ${id} and ${listedCases(context, 'c')}
      and (f.test_case_id is not null or (${run_id}::bigint is null and ${configuration_id}::bigint is null))
    order by ${severitySql(sql`coalesce(f.result, 'not_run')`)}, c.id limit 200`.execute(program.database.kysely);
  return rows;
}

/**
 * The common table `latest`: for each requirement, test case, and configuration the latest result until an instant in
 * each run (`per_run`) and over all runs. A test of a run is that of its test case, or of the test case that its
 * automated test covers.
 */
function resultsUntil(context: RequestContext, requirements: readonly number[], endTime: string): RawBuilder<unknown> {
  return sql`with covered as (
      select l.record_id as requirement_id, l.target_id as test_case_id
      from public.requirements t join public.requirements__test_case_ids l on l.record_id = t.id and l.site_id = t.site_id
        join public.test_cases c on c.id = l.target_id and c.site_id = l.site_id
      where t.id = any(${requirements}::bigint[]) and ${listedCases(context, 'c')}
    ),
    tests as (
      select v.requirement_id, v.test_case_id, e.id from covered v
        join public.run_entries e on e.test_case_id = v.test_case_id
      union
      select v.requirement_id, v.test_case_id, e.id from covered v
        join public.automated_tests m on m.test_case_id = v.test_case_id
        join public.run_entries e on e.automated_test_id = m.id
    ),
    per_run as (
      select t.requirement_id, t.test_case_id, e.id as entry_id, e.run_id, e.configuration_id, e.defect_id,
        case when e.run_at < ${endTime}::timestamptz then ${resultSql(sql`e.result`)}
          else coalesce(a.result, 'not_run') end as result,
        case when e.run_at < ${endTime}::timestamptz then e.run_at else a.at end as at
      from tests t join public.run_entries e on e.id = t.id
        left join lateral (
          select ${resultSql(sql`o.result`)} as result, o.created_at as at from public.attempts o
          where e.run_at >= ${endTime}::timestamptz and o.entry_id = e.id and o.created_at < ${endTime}::timestamptz
          order by o.id desc limit 1
        ) a on true
      where e.created_at < ${endTime}::timestamptz and ${listedEntries(context, 'e')}
    ),
    latest as (
      select distinct on (p.requirement_id, p.test_case_id, p.configuration_id) p.* from per_run p
      where p.result <> 'not_run'
      order by p.requirement_id, p.test_case_id, p.configuration_id, p.at desc, p.entry_id desc
    )`;
}

/** Sorts the worst result first. */
function severitySql(result: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array_position(array['failed', 'blocked', 'flaky', 'not_run', 'skipped', 'passed'], ${result}::text)`;
}

async function countCells(
  context: RequestContext,
  ids: readonly number[],
  endTime: string,
  columnKind: 'run' | 'configuration',
): Promise<{ rows: CountedRow[] }> {
  const sourceTable = columnKind === 'run' ? sql`per_run` : sql`latest`;
  const column = columnKind === 'run' ? sql`l.run_id` : sql`coalesce(l.configuration_id, 0)`;
  return sql<CountedRow>`${resultsUntil(context, ids, endTime)}
    select w.requirement_id, w.column_id, w.result, count(*)::integer as count from (
      select distinct on (l.requirement_id, l.test_case_id, ${column}) l.requirement_id, ${column} as column_id, l.result
      from ${sourceTable} l order by l.requirement_id, l.test_case_id, ${column}, ${severitySql(sql`l.result`)}
    ) w group by 1, 2, 3`.execute(context.program.database.kysely);
}

/**
 * Runs in which every requirement that fails now has a failure, as few as possible, at most `maxFailingRuns`: those of most
 * requirements first, of as many the latest.
 */
function runsThatFail(latest: readonly CountedRow[]): number[] {
  const failures = latest.filter(({ result }) => result === 'failed' || result === 'blocked');
  const uncovered = new Set(failures.map(({ requirement_id }) => requirement_id));
  const runs: number[] = [];
  while (uncovered.size > 0 && runs.length < maxFailingRuns) {
    const requirements = new Map<number, Set<number>>();
    for (const { requirement_id, column_id } of failures) {
      if (!uncovered.has(requirement_id)) continue;
      requirements.set(column_id, (requirements.get(column_id) ?? new Set()).add(requirement_id));
    }
    const [run, ownRequirements] = requireValue(
      [...requirements].sort(([runA, a], [runB, b]) => b.size - a.size || runB - runA)[0],
      'a run of a failing requirement',
    );
    runs.push(run);
    for (const requirement of ownRequirements) uncovered.delete(requirement);
  }
  return runs;
}

/**
 * The runs that matter, oldest first: those that fail, and the latest; or the configurations by name. Only those that have
 * results.
 */
async function loadColumns(
  context: RequestContext,
  columnKind: 'run' | 'configuration',
  cells: readonly CountedRow[],
  failingRuns: readonly number[],
): Promise<CoverageColumn[]> {
  const { registry, evaluationContext, program } = context;
  const ids = [...new Set(cells.map(({ column_id }) => column_id))];
  const definition = registry.getOrThrow(columnKind === 'run' ? 'test-runs' : 'configurations');
  const filter = accessFilterIfGranted(context, definition, 'list', { archived: 'any' });
  if (!filter || ids.length === 0) return [];
  const visible = predicateToSql(filter, definition, 't', registry, evaluationContext);
  const queries = program.database.kysely;
  if (columnKind === 'run') {
    const { rows } = await sql<CoverageColumn>`
      select t.id, coalesce(t.key, t.name) as label, m.name as note, t.created_at as at
      from public.test_runs t left join public.milestones m on m.id = t.milestone_id
      where t.id = any(${ids}::bigint[]) and ${visible}
      order by t.id = any(${failingRuns}::bigint[]) desc, t.id desc
      limit ${Math.max(maxColumns.run, failingRuns.length + latestRuns)}`.execute(queries);
    return rows.toSorted((first, second) => first.id - second.id);
  }
  const { rows } = await sql<CoverageColumn>`
    select t.id, t.name as label, null as note, null as at from public.configurations t
    where t.id = any(${ids}::bigint[]) and ${visible} order by t.name limit ${maxColumns.configuration}`.execute(
    queries,
  );
  const noConfiguration = { id: 0, label: 'Without a configuration', note: null, at: null };
  return ids.includes(0) ? [...rows, noConfiguration] : rows;
}

function listedRequirements(
  context: RequestContext,
  { q, priority_id, milestone_id }: CoverageQuery,
): RawBuilder<unknown> {
  const definition = context.registry.getOrThrow('requirements');
  const filters: Predicate[] = [accessFilter(context, definition, 'list')];
  if (priority_id !== undefined) {
    filters.push({ kind: 'compare', left: 'priority_id', operator: '$eq', right: priority_id });
  }
  const conditions = [
    predicateToSql(allOf(filters), definition, 't', context.registry, context.evaluationContext),
    ...(milestone_id === undefined ? [] : [isInMilestone(context, milestone_id)]),
  ];
  if (q !== undefined && q.trim() !== '') {
    const pattern = `%${q.trim().replace(/[\\%_]/g, '\\$&')}%`;
    conditions.push(sql`(t.name ilike ${pattern} or t.key ilike ${pattern})`);
  }
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** A test of a run of the milestone is that of a test case of the requirement `t`, or of an automated test that covers one. */
function isInMilestone(context: RequestContext, milestone: number): RawBuilder<unknown> {
  return sql`(t.site_id, t.id) in (
    select l.site_id, l.record_id from public.test_runs r join public.run_entries e on e.run_id = r.id
      left join public.automated_tests m on m.id = e.automated_test_id
      join public.requirements__test_case_ids l on l.site_id = r.site_id and l.target_id = coalesce(e.test_case_id, m.test_case_id)
    where r.milestone_id = ${milestone} and ${listedEntries(context, 'e')})`;
}

function listedCases(context: RequestContext, alias: string): RawBuilder<unknown> {
  const definition = context.registry.getOrThrow(testCases);
  const visibleRecords = accessFilter(context, definition, 'list');
  return predicateToSql(visibleRecords, definition, alias, context.registry, context.evaluationContext);
}

import { sql, type RawBuilder } from 'kysely';
import { isGranted } from '../../engine/access/access-decision';
import { addDays } from '../../engine/formats/dates';
import { loadMeasures, sumMeasure } from '../../server/aggregates/measures';
import { startOfDay } from '../../server/access/days';
import type { RequestContext } from '../../server/access/request-context';
import type { BuildNow, DashboardNow, DueNow, FailingNow, RunsNow } from '../answers/dashboard-now';
import { resultNames } from '../answers/results';
import { resultSql } from '../run-overview/results';
import { listCondition } from '../test-runs/list-condition';
import { entries, runs } from '../test-runs/definitions';
import { weekAhead } from './days';
import { taskStatus } from './status-ids';

/** The runs, projects and builds that are answered. */
const [mostRuns, mostProjects, mostBuilds] = [3, 3, 12];

/** `GET dashboard/now?project_id`: the work that waits today, each part for users who can list its records. Five statements. */
export async function loadNow(context: RequestContext, project?: number): Promise<DashboardNow> {
  const canList = (...names: string[]) => names.every((name) => isGranted(context.actor, name, 'list'));
  const [activeRuns, failing, build, dueTasks] = await Promise.all([
    canList(runs, entries) ? loadRuns(context, project) : undefined,
    canList(runs, entries) ? loadFailing(context, project) : undefined,
    canList(runs, entries) ? loadBuild(context, project) : undefined,
    canList('tasks') ? loadDue(context, project) : undefined,
  ]);
  return {
    ...(activeRuns && { runs: activeRuns }),
    ...(failing && { failing }),
    ...(build && { build }),
    ...(dueTasks && { due: dueTasks }),
  };
}

/** Runs of people that are not closed, as the tab of active runs has them. */
const isActive = sql`r.source = 'people' and r.state <> 'closed'`;

/** The condition that the row is of the project, if one is asked for. */
const inProject = (project: number | undefined, alias: string): RawBuilder<unknown> =>
  project === undefined ? sql`true` : sql`${sql.id(alias, 'project_id')} = ${project}`;

/** The name of the project of the row `r`, if the caller may list it. */
const projectOf = (context: RequestContext): RawBuilder<string | null> =>
  sql`(select p.name from public.projects p where p.id = r.project_id and ${listCondition(context, 'projects', 'p')})`;

async function loadRuns(context: RequestContext, project: number | undefined): Promise<RunsNow> {
  const counts = sql.join(
    resultNames.map(
      (name) =>
        sql`(count(*) filter (where ${resultSql(sql`e.result`)} = ${sql.lit(name)}))::integer as ${sql.id(name)}`,
    ),
  );
  const { rows } = await sql<RunsNow['rows'][number] & { total: number }>`
    with active as (select r.id, r.key, r.name, ${projectOf(context)} as project, (count(*) over ())::integer as total, r.updated_at
      from public.test_runs r where ${isActive} and ${inProject(project, 'r')} and ${listCondition(context, runs, 'r')} order by r.updated_at desc, r.id desc limit ${mostRuns})
    select a.id, a.key, a.name, a.project, a.total, to_json(c) as counts from active a,
      lateral (select ${counts} from public.run_entries e where e.run_id = a.id and ${listCondition(context, entries, 'e')}) c
    order by a.updated_at desc, a.id desc`.execute(context.program.database.kysely);
  return { count: rows[0]?.total ?? 0, rows: rows.map(({ total: _, ...run }) => run) };
}

async function loadFailing(context: RequestContext, project: number | undefined): Promise<FailingNow> {
  const yesterday = startOfDay(addDays(context.today, -1), context.timeZone);
  const { rows } = await sql<FailingNow>`
    with failing as (select e.id, e.name, e.run_at, ${projectOf(context)} as project
      from public.run_entries e join public.test_runs r on r.id = e.run_id
      where e.result in ('failed', 'broken') and ${isActive} and ${inProject(project, 'r')} and ${listCondition(context, runs, 'r')} and ${listCondition(context, entries, 'e')})
    select (select count(*)::integer from failing) as count,
      (select count(*)::integer from failing where run_at >= ${yesterday}) as new,
      coalesce((select json_agg(g) from (select project, count(*)::integer as count from failing where project is not null
        group by project order by count(*) desc, project limit ${mostProjects}) g), '[]') as projects,
      (select row_to_json(o) from (select name, run_at from failing where run_at is not null order by run_at, id limit 1) o) as oldest`.execute(
    context.program.database.kysely,
  );
  return rows[0] ?? { count: 0, new: 0, projects: [], oldest: null };
}

async function loadBuild(context: RequestContext, project: number | undefined): Promise<BuildNow | undefined> {
  const visibleRuns = sql`${inProject(project, 'r')} and ${listCondition(context, runs, 'r')}`;
  const { rows } = await sql<BuildNow['history'][number]>`
    with latest as (select r.project_id, r.branch from public.test_runs r where r.source = 'machines' and ${visibleRuns}
        order by r.id desc limit 1),
      builds as (select r.id, r.key, r.created_at from public.test_runs r join latest l on l.project_id = r.project_id
        and l.branch is not distinct from r.branch where r.source = 'machines' and ${visibleRuns} order by r.id desc limit ${mostBuilds})
    select b.id, b.key, b.created_at, count(e.id)::integer as total,
      (count(e.id) filter (where e.result in ('passed', 'flaky')))::integer as passed,
      (count(e.id) filter (where e.result in ('failed', 'broken')))::integer as failed,
      (count(e.id) filter (where e.result = 'flaky'))::integer as flaky
    from builds b left join public.run_entries e on e.run_id = b.id and ${listCondition(context, entries, 'e')}
    group by b.id, b.key, b.created_at order by b.id`.execute(context.program.database.kysely);
  return rows.length === 0 ? undefined : { history: rows };
}

async function loadDue(context: RequestContext, project: number | undefined): Promise<DueNow> {
  const { registry, today } = context;
  const open = { status_id: { $in: taskStatus.open }, ...(project !== undefined && { project_id: project }) };
  const tomorrow = addDays(today, 1);
  const [groups, milestones] = await Promise.all([
    loadMeasures(context, registry.getOrThrow('tasks'), {
      figures: {
        week: { when: { ...open, end_date: { $gte: today, $lte: weekAhead(context) } } },
        late: { when: { ...open, end_date: { $lt: today } } },
        today: { when: { ...open, end_date: today } },
        tomorrow: { when: { ...open, end_date: tomorrow } },
      },
    }),
    sql<NonNullable<DueNow['milestone']>>`select m.name, m.due_on::text as due_on from public.milestones m
      where m.state <> 'done' and m.due_on >= ${today}::date and ${inProject(project, 'm')} and ${listCondition(context, 'milestones', 'm')}
      order by m.due_on, m.id limit 1`.execute(context.program.database.kysely),
  ]);
  return {
    week: sumMeasure(groups, 'week'),
    late: sumMeasure(groups, 'late'),
    today: sumMeasure(groups, 'today'),
    tomorrow: sumMeasure(groups, 'tomorrow'),
    milestone: milestones.rows[0] ?? null,
  };
}

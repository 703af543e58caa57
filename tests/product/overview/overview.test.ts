// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';
import {
  addDays,
  dayAt,
  everyRow,
  minutesOf,
  recounted,
  recountedTasks,
  round,
  type Recorded,
  type Row,
} from './recount';

const roles = ['admin', 'owner', 'manager', 'developer', 'qa', 'external'] as const;
/** The first and the last that a day comes to, and one between. */
const zones = ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];

let started: DemoProgram;
/** The history of what was finished: resource and id → instants by status. */
const given = new Map<string, { status: number; at: string }[]>();

beforeAll(async () => {
  started = await startDemoProgram();
  await aroundMidnight();
  const { rows } = await started.program.database.pool.query<{
    resource: string;
    record_id: number;
    status: number;
    at: Date;
  }>(
    `select resource, record_id, (new_values ->> 'status_id')::integer as status, created_at as at from assay.history
     where resource in ('tasks', 'test-cases') and new_values ? 'status_id'`,
  );
  for (const { resource, record_id, status, at } of rows) {
    const key = `${resource} ${record_id}`;
    given.set(key, [...(given.get(key) ?? []), { status, at: new Date(at).toISOString() }]);
  }
});
afterAll(() => started.close());

/** Moves stamps and deadlines to both sides of where a day, a week and a week ahead begin in each zone. */
async function aroundMidnight(): Promise<void> {
  const { pool } = started.program.database;
  let [task, testCase] = [1, 1];
  for (const zone of zones) {
    const today = dayAt(zone, Date.now());
    for (const [days, ahead] of [-1, 0, 1].flatMap(
      (by) =>
        [
          [-6 + by, by],
          [-6 + by, 7 + by],
        ] as const,
    )) {
      // Noon of the day in the zone, then to the last and the first minute of the days around.
      const start = await pool.query<{ at: Date }>('select ($1::timestamp at time zone $2) as at', [
        addDays(today, days),
        zone,
      ]);
      for (const shift of [-1000, 1000]) {
        const at = new Date(new Date(start.rows[0]!.at).getTime() + shift);
        await pool.query(
          'update tasks set created_at = $2, updated_at = $2, end_date = $3 where id = (select id from tasks order by id offset $1 limit 1)',
          [task++, at, addDays(today, ahead)],
        );
        await pool.query(
          'update test_cases set created_at = $2, updated_at = $2 where id = (select id from test_cases order by id offset $1 limit 1)',
          [testCase++, at],
        );
      }
    }
  }
  await pool.query(
    `update assay.history h set created_at = t.updated_at from tasks t where h.resource = 'tasks' and h.record_id = t.id`,
  );
  await pool.query(
    `update assay.history h set created_at = t.updated_at from test_cases t where h.resource = 'test-cases' and h.record_id = t.id`,
  );
  await pool.query(`update projects p set end_date = current_date + (p.id % 12)::integer - 2 where p.id % 2 = 0`);
}

async function recordedBy(call: Client, zone: string): Promise<Recorded> {
  const inZone: Client = (method, path, body, headers) => call(method, path, body, { 'x-timezone': zone, ...headers });
  const [projects, testCases, tasks, timeLogs] = await Promise.all(
    ['projects', 'test-cases', 'tasks', 'time-logs'].map((name) => everyRow(inZone, name)),
  );
  const asked = await started.signIn(accounts.admin);
  const named = async (resource: string) =>
    (await everyRow(asked, resource, '&sort_by=id'))
      .filter(({ site_id }) => site_id === undefined || site_id === null)
      .map((row) => [row.id, row.option_name] as const);
  return {
    projects: projects!,
    testCases: testCases!,
    tasks: tasks!,
    timeLogs: timeLogs!,
    states: await named('project-status'),
    priorities: await named('priorities'),
    testStates: await named('status'),
    levels: new Map((await everyRow(asked, 'users')).map((user) => [user.id, user.role.level])),
    finished: (row, status, when) => {
      const resource = status === 5 ? 'test-cases' : 'tasks';
      return (given.get(`${resource} ${row.id}`) ?? []).some((one) => one.status === status && when(one.at));
    },
  };
}

/** Somebody with a clock of their own. */
async function readerAt(role: (typeof roles)[number], zone: string) {
  const signedIn = await started.signIn(accounts[role]);
  const call: Client = (method, path, body, headers) =>
    signedIn(method, path, body, { 'x-timezone': zone, ...headers });
  const { body } = await call<{ data: { user: { id: number }; role: { level: number } } }>('GET', '/me');
  return { call, reader: { id: body.data.user.id, level: body.data.role.level, zone } };
}

const tilesOf = (tiles: Row[]) => Object.fromEntries(tiles.map(({ key, count }) => [key, count]));
const valuesOf = (chart: Row, key: string) => chart.series.find((one: Row) => one.key === key).values;

describe.each(roles)('the figures of the %s', (role) => {
  describe.each(zones)('by the clock of %s', (zone) => {
    let rows: Recorded;
    let call: Client;
    let reader: { id: number; level: number; zone: string };
    beforeAll(async () => {
      ({ call, reader } = await readerAt(role, zone));
      rows = await recordedBy(call, zone);
    });

    test('on the dashboard are those of the lists', async () => {
      const { status, body } = await call<{ data: Row }>('GET', '/dashboard');
      expect(status).toBe(200);
      const { tests: _tests, ...figures } = body.data;
      expect(figures).toEqual(recounted(reader, rows));
      expect(rows.tasks.length).toBeGreaterThan(0);
    });

    test('of tasks are those of the lists', async () => {
      const { status, body } = await call<{ data: Row }>('GET', '/task-analytics');
      expect(status).toBe(200);
      const { tiles, charts } = body.data;
      const expected = recountedTasks(reader, rows);
      expect(tilesOf(tiles)).toEqual(expected.tiles);
      expect(charts.late_tasks.labels).toEqual(rows.priorities.map(([, name]) => name));
      expect(valuesOf(charts.late_tasks, 'late')).toEqual(expected.late);
      expect(charts.linked_test_cases.labels).toEqual(rows.states.map(([, name]) => name));
      expect(valuesOf(charts.linked_test_cases, 'with')).toEqual(expected.linked);
      expect(valuesOf(charts.linked_test_cases, 'without')).toEqual(
        expected.byStatus.map((count, index) => count - expected.linked[index]!),
      );
      expect(valuesOf(charts.task_distribution, 'tasks')).toEqual(expected.byStatus);
      const [logged, estimated] = [valuesOf(charts.hours_logged, 'logged'), valuesOf(charts.hours_logged, 'estimated')];
      expect(
        Object.fromEntries(
          charts.hours_logged.labels.map((label: string, index: number) => [label, [logged[index], estimated[index]]]),
        ),
      ).toEqual(expected.hours);
    });

    test('of test cases are those of the lists', async () => {
      const { status, body } = await call<{ data: Row }>('GET', '/test-case-analytics');
      expect(status).toBe(200);
      const { tiles, charts } = body.data;
      const count = (test: (row: Row) => boolean) => rows.testCases.filter(test).length;
      const since = addDays(dayAt(zone, Date.now()), -6);
      expect(tilesOf(tiles)).toEqual({
        total: rows.testCases.length,
        open: count((row) => row.status_id !== 5),
        closed: count((row) => row.status_id === 5),
        passed: count((row) => row.result_id === 1),
        failed: count((row) => row.result_id === 2),
        recently_updated: count((row) => dayAt(zone, row.updated_at) >= since),
        ...(reader.level > 3 && { assigned_to_me: count((row) => row.assigned_to === reader.id) }),
      });
      for (const [key, result] of [
        ['passed', 1],
        ['failed', 2],
      ] as const) {
        expect(valuesOf(charts.test_cases, key)).toEqual(
          rows.priorities.map(([id]) => count((row) => row.priority_id === id && row.result_id === result)),
        );
      }
      expect(charts.test_case_distribution.labels).toEqual(rows.testStates.map(([, name]) => name));
      expect(valuesOf(charts.test_case_distribution, 'test_cases')).toEqual(
        rows.testStates.map(([id]) => count((row) => row.status_id === id)),
      );
    });

    test('of deadlines are those of the lists', async () => {
      const today = dayAt(zone, Date.now());
      const [from, to] = [addDays(today, -10), addDays(today, 20)];
      const { body } = await call<{ data: Row[] }>('GET', `/dashboard/deadlines?from=${from}&to=${to}`);
      const open = rows.tasks.filter(
        (row) => [1, 2].includes(row.status_id) && row.end_date >= from && row.end_date <= to,
      );
      // What ended before today is late, and counts no more; a day that is past still names it.
      const coming = open.filter((row) => row.end_date >= today);
      const days = [...new Set(coming.map((row) => row.end_date as string))].sort();
      expect(body.data).toEqual(
        days.map((date) => ({ date, count: open.filter((row) => row.end_date === date).length })),
      );
      if (role !== 'external') expect(days.length).toBeGreaterThan(0);
      for (const date of [
        ...days.slice(0, 2),
        ...new Set(open.map((row) => row.end_date as string).filter((day) => day < today)),
      ]) {
        const named = await call<{ data: Row[] }>('GET', `/dashboard/deadlines?date=${date}`);
        const expected = open
          .filter((row) => row.end_date === date)
          .map((row) => ({ id: row.id, name: row.name, status: row.taskstatus.option_name }));
        expect(named.body.data.toSorted((one, other) => one.id - other.id)).toEqual(
          expected.toSorted((one, other) => one.id - other.id),
        );
      }
    });

    test('of the timesheet are those of the lists', async () => {
      const month = dayAt(zone, Date.now()).slice(0, 7);
      const { status, body } = await call<{ data: Row }>('GET', `/timesheet?month=${month}`);
      if (role === 'external') return void expect(status).toBe(403);
      const own = rows.timeLogs.filter((row) => row.user_id === reader.id && row.date.startsWith(month));
      const minutes = (of: Row[]) => of.reduce((sum, row) => sum + minutesOf(row.total_duration), 0);
      const days = [...new Set(own.map((row) => row.date as string))].sort();
      expect(body.data).toMatchObject({
        month,
        total: round(minutes(own) / 60),
        days: days.map((date) => ({ date, total: round(minutes(own.filter((row) => row.date === date)) / 60) })),
      });
      expect(body.data.logs.map(({ id }: Row) => id).sort()).toEqual(own.map(({ id }) => id).sort());
    });
  });
});

describe('figures', () => {
  test('are narrowed by the filters of the list', async () => {
    const { call } = await readerAt('owner', 'UTC');
    const tasks = await everyRow(call, 'tasks', '&project_id=1&priority_id=1,2');
    const { body } = await call<{ data: Row }>('GET', '/task-analytics?project_id=1&priority_id=1,2');
    expect(tilesOf(body.data.tiles).total).toBe(tasks.length);
    expect(body.data.charts.hours_logged.labels).toHaveLength(1);
    const cases = await everyRow(call, 'test-cases', '&project_id=2&status=open');
    const found = await call<{ data: Row }>('GET', '/test-case-analytics?project_id=2&status=open');
    expect(tilesOf(found.body.data.tiles)).toMatchObject({ total: cases.length, closed: 0 });
  });

  test('are counted anew after a write, also after one of somebody else', async () => {
    const { call } = await readerAt('owner', 'UTC');
    const manager = await started.signIn(accounts.manager);
    const read = async () => (await call<{ data: Row }>('GET', '/dashboard')).body.data;
    const before = await read();
    const [task] = await everyRow(call, 'tasks', '&status_id=1');
    expect((await manager('PATCH', `/task/${task!.id}`, { status_id: 3, comments: 'Done' })).status).toBe(200);
    const after = await read();
    expect(after.tasks.open).toBe(before.tasks.open - 1);
    expect(after.tasks.completed).toBe(before.tasks.completed + 1);
    expect(after.workload.open_tasks).toBe(before.workload.open_tasks - 1);
  });

  test('of today are those of the lists that they lead to', async () => {
    const { call } = await readerAt('owner', 'UTC');
    const { status, body } = await call<{ data: Row }>('GET', '/dashboard/now');
    expect(status).toBe(200);
    const { runs, failing, build, due } = body.data;
    const active = await everyRow(call, 'test-runs', '&active=all');
    expect(runs.count).toBe(active.length);
    expect(runs.rows.length).toBe(Math.min(3, active.length));
    for (const { id, counts } of runs.rows) {
      const entries = await everyRow(call, 'run-entries', `&run_id=${id}`);
      const failed = entries.filter(({ result }) => result === 'failed' || result === 'broken').length;
      const sum = Object.values(counts as Record<string, number>).reduce((total, one) => total + one, 0);
      expect([counts.failed, sum]).toEqual([failed, entries.length]);
    }
    const failures = await everyRow(call, 'run-entries', '&now=failing');
    expect(failing.count).toBe(failures.length);
    expect(failing.count).toBeGreaterThan(0);
    expect(failing.new).toBeLessThanOrEqual(failing.count);

    const [latest] = (await everyRow(call, 'test-runs', '&source=machines')).toSorted(
      (one, other) => other.id - one.id,
    );
    expect(build.history.at(-1)).toMatchObject({ id: latest!.id, key: latest!.key });
    expect(build.history.length).toBeLessThanOrEqual(12);
    const latestEntries = await everyRow(call, 'run-entries', `&run_id=${latest!.id}`);
    expect(build.history.at(-1).passed).toBe(
      latestEntries.filter(({ result }) => result === 'passed' || result === 'flaky').length,
    );

    const today = new Date().toISOString().slice(0, 10);
    const open = await everyRow(call, 'tasks', '&status_id=1,2');
    const ends = open.flatMap(({ end_date }) => (typeof end_date === 'string' ? [end_date] : []));
    expect(due).toMatchObject({
      week: ends.filter((day) => today <= day && day <= addDays(today, 7)).length,
      late: ends.filter((day) => day < today).length,
      today: ends.filter((day) => day === today).length,
      tomorrow: ends.filter((day) => day === addDays(today, 1)).length,
    });
  });

  test('of today are those of one project where the switcher has chosen it', async () => {
    const { call } = await readerAt('owner', 'UTC');
    const [run] = await everyRow(call, 'test-runs', '&active=all');
    const project = run!.project_id as number;
    const { status, body } = await call<{ data: Row }>('GET', `/dashboard/now?project_id=${project}`);
    expect(status).toBe(200);
    const { runs, failing, build, due } = body.data;
    const ofProject = async (list: string, query: string) =>
      (await everyRow(call, list, query)).filter(({ project_id }) => project_id === project);
    expect(runs.count).toBe((await ofProject('test-runs', '&active=all')).length);
    expect(failing.count).toBe((await everyRow(call, 'run-entries', `&now=failing&project_id=${project}`)).length);
    const [latest] = (await ofProject('test-runs', '&source=machines')).toSorted((one, other) => other.id - one.id);
    expect(build?.history.at(-1).id).toBe(latest?.id);
    const today = new Date().toISOString().slice(0, 10);
    const late = (await ofProject('tasks', '&status_id=1,2')).filter(({ end_date }) => end_date && end_date < today);
    expect(due.late).toBe(late.length);
    expect((await call('GET', '/dashboard/now?project_id=one')).status).toBe(400);
  });

  test('of today are those of one’s company, and of what one may list', async () => {
    const owner = await started.signIn(accounts.owner);
    const harbour = await started.signIn(accounts.harbour);
    const ids = ({ data }: { data: Row }) => (data.runs?.rows ?? []).map(({ id }: Row) => id as number);
    const ownIds = ids((await owner<{ data: Row }>('GET', '/dashboard/now')).body);
    const otherNow = (await harbour<{ data: Row }>('GET', '/dashboard/now')).body;
    expect(ids(otherNow).filter((id: number) => ownIds.includes(id))).toEqual([]);
    expect(otherNow.data.failing.count).toBe((await everyRow(harbour, 'run-entries', '&now=failing')).length);

    // External users may list no runs, and the tasks of their projects alone.
    const external = await started.signIn(accounts.external);
    const { body } = await external<{ data: Row }>('GET', '/dashboard/now');
    expect(Object.keys(body.data)).toEqual(['due']);
    const today = new Date().toISOString().slice(0, 10);
    const late = (await everyRow(external, 'tasks', '&status_id=1,2')).filter(
      ({ end_date }) => end_date && end_date < today,
    );
    expect(body.data.due.late).toBe(late.length);
  });

  test('of another company are never among them', async () => {
    const harbour = await started.signIn(accounts.harbour);
    const { body } = await harbour<{ data: Row }>('GET', '/dashboard');
    const tasks = await everyRow(harbour, 'tasks');
    expect(body.data.tasks.open).toBe(tasks.filter((row) => row.status_id < 3).length);
  });

  test('are absent without the grant', async () => {
    const { call, grant } = await started.restricted();
    await grant(['projects.list']);
    const { body } = await call<{ data: Row }>('GET', '/dashboard');
    expect(Object.keys(body.data)).toEqual(['projects']);
    expect((await call<{ data: Row }>('GET', '/dashboard/now')).body.data).toEqual({});
    for (const path of [
      '/task-analytics',
      '/test-case-analytics',
      '/timesheet?month=2026-11',
      '/dashboard/deadlines?date=2026-11-21',
    ]) {
      expect((await call('GET', path)).status).toBe(403);
    }
    await grant(['tasks.list']);
    expect(Object.keys((await call<{ data: Row }>('GET', '/dashboard/now')).body.data)).toEqual(['due']);
    await grant([]);
    expect((await call<{ data: Row }>('GET', '/dashboard')).body.data).toEqual({});
  });

  test.each([
    ['/timesheet', 'month is required'],
    ['/timesheet?month=2026-13', 'month must be'],
    ['/timesheet?month=2026-11&user_id=x', 'user_id must be'],
    ['/timesheet?month=2026-11&other=1', 'Unknown filter other'],
    ['/dashboard/deadlines', 'from must be a day'],
    ['/dashboard/deadlines?from=2026-11-01&to=2026-02-30', 'to must be a day'],
    ['/dashboard/deadlines?from=2020-01-01&to=2026-01-01', 'within one year'],
    ['/dashboard/deadlines?date=today', 'date must be a day'],
    ['/task-analytics?nothing=1', 'Unknown filter nothing'],
    ['/test-case-analytics?start_date=x', 'start_date'],
  ])('%s is told what is wrong', async (path, message) => {
    const { call } = await readerAt('owner', 'UTC');
    const { status, body } = await call<{ message: string }>('GET', path);
    expect(status).toBe(400);
    expect(body.message).toContain(message);
  });

  test('somebody else’s timesheet is read by who may list their logs', async () => {
    const { call } = await readerAt('manager', 'UTC');
    const { call: developer, reader } = await readerAt('developer', 'UTC');
    const { call: qa } = await readerAt('qa', 'UTC');
    const month = dayAt('UTC', Date.now()).slice(0, 7);
    const path = `/timesheet?month=${month}&user_id=${reader.id}`;
    const own = (await developer<{ data: Row }>('GET', path)).body.data;
    expect((await call<{ data: Row }>('GET', path)).body.data).toEqual(own);
    expect((await qa<{ data: Row }>('GET', path)).body.data).toMatchObject({
      total: 0,
      logs: [],
    });
    // Everybody's are those that the caller may list: for levels 4 and 5 still their own.
    const everybody = `/timesheet?month=${month}&user_id=all`;
    const all = (await call<{ data: Row }>('GET', everybody)).body.data;
    const listed = (await call<{ data: Row[] }>('GET', `/time-logs?start=${month}`)).body.data;
    expect(all.logs.map((log: Row) => log.id).sort()).toEqual(listed.map(({ id }) => id).sort());
    expect(new Set(all.logs.map((log: Row) => log.user.id)).size).toBeGreaterThan(1);
    expect((await developer<{ data: Row }>('GET', everybody)).body.data).toEqual(own);
  });
});

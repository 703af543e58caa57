import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';
import { addDays, dayAt, everyRow, recounted, type Recorded, type Row } from './recount';

const roles = ['admin', 'owner', 'manager', 'developer', 'qa', 'external'] as const;
/** The first and the last that a day comes to, and one between. */
const zones = ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];

let started: DemoProgram;
/** The history of what was finished: resource and id → instants by status. */
const given = new Map<string, { status: number; at: string }[]>();

beforeAll(async () => {
  started = await startDemoProgram();
  await aroundMidnight();
  const { rows } = await started.program.database.pool.query<{ resource: string; record_id: number; status: number; at: Date }>(
    `select resource, record_id, (new_values ->> 'status_id')::integer as status, created_at as at from assay.history
     where resource in ('tasks', 'test-cases') and new_values ? 'status_id'`,
  ); // prettier-ignore
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
          [-7 + by, by],
          [-7 + by, 7 + by],
        ] as const,
    )) {
      // Noon of the day in the zone, then to the last and the first minute of the days around.
      const start = await pool.query<{ at: Date }>('select ($1::timestamp at time zone $2) as at', [addDays(today, days), zone]); // prettier-ignore
      for (const shift of [-1000, 1000]) {
        const at = new Date(new Date(start.rows[0]!.at).getTime() + shift);
        await pool.query('update tasks set created_at = $2, updated_at = $2, end_date = $3 where id = (select id from tasks order by id offset $1 limit 1)', [task++, at, addDays(today, ahead)]); // prettier-ignore
        await pool.query('update test_cases set created_at = $2, updated_at = $2 where id = (select id from test_cases order by id offset $1 limit 1)', [testCase++, at]); // prettier-ignore
      }
    }
  }
  await pool.query(`update assay.history h set created_at = t.updated_at from tasks t where h.resource = 'tasks' and h.record_id = t.id`); // prettier-ignore
  await pool.query(`update assay.history h set created_at = t.updated_at from test_cases t where h.resource = 'test-cases' and h.record_id = t.id`); // prettier-ignore
  await pool.query(`update projects p set end_date = current_date + (p.id % 12) - 2 where p.id % 2 = 0`);
}

async function recordedBy(call: Client, zone: string): Promise<Recorded> {
  const inZone: Client = (method, path, body, headers) => call(method, path, body, { 'x-timezone': zone, ...headers });
  const [projects, testCases, tasks, timeLogs] = await Promise.all(
    ['projects', 'test-cases', 'tasks', 'time-logs'].map((name) => everyRow(inZone, name)),
  );
  const asked = await started.signIn(accounts.admin);
  const named = async (resource: string) => (await everyRow(asked, resource, '&sort_by=id')).filter(({ site_id }) => site_id === undefined || site_id === null).map((row) => [row.id, row.option_name] as const); // prettier-ignore
  return {
    projects: projects!,
    testCases: testCases!,
    tasks: tasks!,
    timeLogs: timeLogs!,
    states: await named('project-status'),
    priorities: await named('priorities'),
    finished: (row, status, when) => {
      const resource = status === 5 ? 'test-cases' : 'tasks';
      return (given.get(`${resource} ${row.id}`) ?? []).some((one) => one.status === status && when(one.at));
    },
  };
}

describe.each(roles)('the figures of the %s', (role) => {
  test.each(zones)('are those of the lists, by the clock of %s', async (zone) => {
    const call = await started.signIn(accounts[role]);
    const { body: me } = await call<{ data: { user: { id: number }; role: { level: number } } }>('GET', '/me');
    const rows = await recordedBy(call, zone);
    const reader = { id: me.data.user.id, level: me.data.role.level, zone };
    const { status, body } = await call<{ data: Row }>('GET', '/dashboard', undefined, { 'x-timezone': zone });
    expect(status).toBe(200);
    expect(body.data).toEqual(recounted(reader, rows));
    expect(rows.tasks.length).toBeGreaterThan(0);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWork, type Account, type Row, type Work } from './work';

let work: Work;
let module: number;
beforeAll(async () => {
  work = await startWork();
  module = await work.moduleOf(work.open);
});
afterAll(() => work?.program.close());

type One = { data: Row; message?: string; errors?: Record<string, string> };
type Many = { data: Row[] };
let made = 0;
const body = (change: object = {}) => ({
  name: `Made ${++made}`,
  project_id: work.open,
  project_module_id: module,
  ...change,
});
const make = (by: Account, change: object = {}) => work.make(by, 'tasks', body(change));
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

describe('permissions on tasks', () => {
  test.each<[Account, number]>([
    ['owner', 201],
    ['manager', 201],
    ['developer', 201],
    ['qa', 201],
    ['external', 201],
    ['harbour', 422],
  ])('%s makes one: %i', async (by, status) => {
    const answer = await work.as[by]<One>('POST', '/tasks', body());
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    if (status === 201) {
      expect(answer.body.data).toMatchObject({
        status_id: 1,
        created_by: work.ids[by],
        created_by_user: { id: work.ids[by] },
      });
    }
  });

  test.each<[Account, Account, object, number]>([
    ['manager', 'qa', { name: 'X', status_id: 2 }, 200],
    ['developer', 'qa', { name: 'X', status_id: 2 }, 200],
    ['qa', 'developer', { name: 'X', status_id: 3 }, 200],
    ['external', 'qa', { name: 'X' }, 200],
    ['external', 'external', { description: '<p>x</p>' }, 200],
    ['external', 'external', { status_id: 2 }, 403],
    ['external', 'external', { board_order: 5 }, 403],
    ['external', 'qa', { status_id: 4, name: 'X' }, 403],
  ])('%s changes one of %s with %j: %i', async (by, whose, change, status) => {
    const { id } = await make(whose);
    const answer = await work.as[by]<One>('PUT', `/tasks/${id}`, change);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    if (status === 403) expect(answer.body.message).toContain('neither status, assignee nor place on the board');
  });

  test('an external user never assigns', async () => {
    const { id } = await make('external');
    const change = { assigned_to: work.ids.external };
    expect((await work.as.external('PUT', `/tasks/${id}`, change)).status).toBe(403);
    expect((await work.as.external('POST', '/tasks', body(change))).status).toBe(403);
  });

  test.each<[Account, Account, number]>([
    ['owner', 'qa', 200],
    ['manager', 'developer', 200],
    ['developer', 'developer', 200],
    ['developer', 'qa', 403],
    ['qa', 'developer', 403],
    ['external', 'external', 200],
    ['external', 'developer', 403],
  ])('%s deletes one of %s: %i', async (by, whose, status) => {
    const { id } = await make(whose);
    const answer = await work.as[by]<One>('DELETE', `/tasks/${id}`);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.message).toContain('only tasks that you created');
  });

  test('outside the projects of an external user there is nothing', async () => {
    const { id } = await make('qa', { project_id: work.closed, project_module_id: await work.moduleOf(work.closed) });
    const calls: [string, string, object?][] = [
      ['GET', `/tasks/${id}`],
      ['PUT', `/tasks/${id}`, { name: 'X' }],
      ['PATCH', `/task/${id}`, { comments: 'X' }],
      ['DELETE', `/tasks/${id}`],
    ];
    for (const [method, path, sent] of calls) {
      expect((await work.as.external(method, path, sent)).status, `${method} ${path}`).toBe(404);
      expect((await work.as.harbour(method, path, sent)).status, `${method} ${path}`).toBe(404);
    }
    const moved = await make('external');
    expect((await work.as.external('PUT', `/tasks/${moved.id}`, { project_id: work.closed })).status).toBe(422);
  });

  test('required and accepted values of a task', async () => {
    const empty = await work.as.qa<One>('POST', '/tasks', {});
    expect(Object.keys(empty.body.errors!).sort()).toEqual(['name', 'project_id', 'project_module_id']);
    const wrong = body({
      project_module_id: await work.moduleOf(work.closed),
      assigned_to: work.ids.harbour,
      start_date: day(3),
      end_date: day(2),
      estimated_hours: -1,
    });
    const { status, body: answer } = await work.as.qa<One>('POST', '/tasks', wrong);
    expect(status).toBe(422);
    expect(Object.keys(answer.errors!).sort()).toEqual([
      'assigned_to',
      'end_date',
      'estimated_hours',
      'project_module_id',
    ]);
    const parts = await work.as.qa<Many>('GET', `/project-modules?parent_module=${module}`);
    const sub = parts.body.data[0]!.id;
    expect((await work.as.qa('POST', '/tasks', body({ project_module_id: sub }))).status).toBe(422);
    expect((await make('qa', { project_sub_module_id: sub })).project_sub_module).toMatchObject({ id: sub });
  });
});

describe('PATCH task/{id}', () => {
  test.each<[Account]>([['owner'], ['manager'], ['developer'], ['qa']])(
    '%s moves a task with a comment',
    async (by) => {
      const { id } = await make('external');
      const sent = { status_id: 2, comments: 'Started', role_id: 3 };
      const answer = await work.as[by]<One>('PATCH', `/task/${id}`, sent);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(answer.body.data).toMatchObject({
        taskstatus: { id: 2, option_name: 'In Progress' },
        updated_by: work.ids[by],
        comments_history: [{ comments: 'Started', user: { id: work.ids[by] } }],
      });
    },
  );

  test('status and comment are required, and nothing else is accepted', async () => {
    const { id } = await make('qa');
    const missing = await work.as.qa<One>('PATCH', `/task/${id}`, {});
    expect(Object.keys(missing.body.errors!).sort()).toEqual(['comments', 'status_id']);
    const more = await work.as.qa<One>('PATCH', `/task/${id}`, { status_id: 2, comments: 'X', name: 'X' });
    expect([more.status, Object.keys(more.body.errors!)]).toEqual([422, ['name']]);
    const { body: history } = await work.as.qa<{ data: Row[] }>('GET', `/tasks/${id}/history`);
    expect(history.data).toHaveLength(1);
  });

  test('an external user comments without a status, and never with another one', async () => {
    const { id } = await make('qa');
    expect((await work.as.external('PATCH', `/task/${id}`, { comments: 'Thank you' })).status).toBe(200);
    expect((await work.as.external('PATCH', `/task/${id}`, { comments: 'X', status_id: 3 })).status).toBe(403);
    const { body: task } = await work.as.qa<One>('GET', `/tasks/${id}`);
    expect(task.data.comments_history).toHaveLength(1);
    expect(task.data.status_id).toBe(1);
  });
});

describe('related data of a task', () => {
  test.each([
    [-1, 1, true],
    [-1, 2, true],
    [-1, 3, false],
    [-1, 4, false],
    [0, 1, false],
    [5, 2, false],
  ])('ends in %i days, status %i: late is %s', async (offset, status_id, late) => {
    const { id } = await make('qa', { status_id, end_date: day(offset) });
    const { body: task } = await work.as.qa<One>('GET', `/tasks/${id}`);
    expect(task.data.is_delayed).toBe(late);
    const { body: list } = await work.as.qa<Many>('GET', `/tasks?is_delayed=true&id=${id}`);
    expect(list.data.length).toBe(late ? 1 : 0);
  });

  test('counts in lists, records in single tasks; no time for an external user', async () => {
    const [log] = await work.rows('time_logs');
    const { id } = await make('qa');
    await work.make('qa', 'time-logs', { task_id: id, date: day(0), start: '08:00', end: '09:30' });
    await work.make('qa', 'test-cases', { name: 'X', project_id: work.open, task_id: id });
    await work.make('developer', 'time-logs', { task_id: id, date: day(0), start: '10:00', end: '10:45' });
    // Hours are summed of what the caller may list, and cannot be written.
    for (const [role, timelogs_count, timelogs_sum] of [
      ['manager', 2, '2.15'],
      ['developer', 1, '0.45'],
      ['external', undefined, undefined],
    ] as const) {
      const { body } = await work.as[role]<Many>('GET', `/tasks?id=${id}&fields=timelogs_count,timelogs_sum`);
      expect([role, body.data[0]]).toEqual([role, JSON.parse(JSON.stringify({ id, timelogs_count, timelogs_sum }))]);
    }
    const { body: list } = await work.as.manager<Many>('GET', `/tasks?id=${id}`);
    expect(list.data[0]).toMatchObject({
      testcases_count: 1,
      timelogs_count: 2,
      timelogs_sum: '2.15',
      comments_history_count: 0,
    });
    const { body: one } = await work.as.manager<One>('GET', `/tasks/${id}`);
    expect(one.data.timelogs).toMatchObject([
      { user: { id: work.ids.qa }, total_duration: '1.30', start: `${day(0)} 08:00` },
      {},
    ]);
    expect(one.data.testcases).toMatchObject([{ name: 'X', status: { option_name: 'Unassigned' } }]);
    const { body: outside } = await work.as.external<One>('GET', `/tasks/${id}`);
    expect(outside.data).not.toHaveProperty('timelogs');
    expect(outside.data.testcases).toHaveLength(1);
    const { body: colleague } = await work.as.developer<One>('GET', `/tasks/${id}`);
    expect(colleague.data.timelogs).toHaveLength(1);
    expect(log).toBeDefined();
  });

  test('a task with time logs or test cases cannot be deleted', async () => {
    const { id } = await make('qa');
    await work.make('qa', 'time-logs', { task_id: id, date: day(0), start: '08:00', end: '09:30' });
    await work.make('qa', 'test-cases', { name: 'X', project_id: work.open, task_id: id });
    const { status, body: answer } = await work.as.qa<One>('DELETE', `/tasks/${id}`);
    expect([status, answer.message]).toEqual([409, 'Task is used by 1 test case and 1 time log.']);
  });

  test('comments are deleted with their task', async () => {
    const { id } = await make('qa');
    await work.as.qa('PATCH', `/task/${id}`, { status_id: 2, comments: 'X' });
    expect((await work.as.qa('DELETE', `/tasks/${id}`)).status).toBe(200);
    expect((await work.rows('task_comments')).filter(({ task_id }) => task_id === id)).toEqual([]);
  });

  test('sorted by assignee, what is nobody’s comes last, and first the other way round', async () => {
    await make('owner');
    const names = async (sort: string) =>
      (
        await work.as.owner<{ data: { assign: { name: string } | null }[] }>('GET', `/tasks?sort_by=${sort}`)
      ).body.data.map(({ assign }) => assign?.name ?? null);
    const up = await names('assigned_to');
    const named = up.filter((name) => name !== null);
    expect(named).toEqual([...named].sort((one, other) => one.localeCompare(other)));
    expect(up.indexOf(null)).toBe(named.length);
    expect((await names('-assigned_to')).indexOf(null)).toBe(0);
  });

  test('getAll, several statuses and ranges', async () => {
    const { body: all } = await work.as.owner<Many>('GET', '/tasks?getAll=1');
    expect(all.data.length).toBeGreaterThanOrEqual(120);
    const { body: some } = await work.as.owner<Many>(
      'GET',
      `/tasks?status_id=1,2&end_date_from=${day(0)}&end_date_to=${day(6)}`,
    );
    expect(some.data.length).toBeGreaterThan(5);
    expect(some.data.every(({ end_date }) => end_date >= day(0) && end_date <= day(6))).toBe(true);
    const { body: mine } = await work.as.owner<Many>(
      'GET',
      `/tasks?user_id=${work.ids.developer}&created_at_to=${day(0)}`,
    );
    expect(new Set(mine.data.map(({ assigned_to }) => assigned_to))).toEqual(new Set([work.ids.developer]));
  });

  test('a priority in use reports what uses it', async () => {
    const { id } = await work.make('owner', 'priorities', { option_name: 'Whenever' });
    await make('qa', { priority_id: id });
    await work.make('qa', 'test-cases', { name: 'X', project_id: work.open, priority_id: id });
    const { status, body: answer } = await work.as.owner<One>('DELETE', `/priorities/${id}`);
    expect([status, answer.message]).toEqual([409, 'Priority is used by 1 task and 1 test case.']);
  });

  test('a project counts its tasks and test cases, and hides them with itself', async () => {
    const project = await work.make('owner', 'projects', { name: 'Short', user_ids: [work.ids.qa] });
    const part = await work.make('owner', 'project-modules', { name: 'Part', project_id: project.id });
    const task = await make('qa', { project_id: project.id, project_module_id: part.id });
    await work.make('qa', 'test-cases', { name: 'X', project_id: project.id, task_id: task.id });
    await work.make('qa', 'time-logs', { task_id: task.id, date: day(0), start: '18:00', end: '18:30' });
    const { body: list } = await work.as.qa<Row[]>('GET', `/projects?id=${project.id}`);
    expect(list[0]).toMatchObject({ tasks_count: 1, testcases_count: 1 });
    const { body: one } = await work.as.qa<Row>('GET', `/projects/${project.id}`);
    expect(one.tasks).toMatchObject([{ id: task.id, taskstatus: { option_name: 'Not Started' } }]);
    await work.as.owner('DELETE', `/projects/${project.id}`);
    expect((await work.as.qa<Many>('GET', `/tasks?id=${task.id}`)).body.data).toEqual([]);
    expect((await work.as.qa<Many>('GET', `/time-logs?task_id=${task.id}`)).body.data).toEqual([]);
    await work.as.owner('PATCH', `/projects/restore/${project.id}`);
    expect((await work.as.qa<Many>('GET', `/tasks?id=${task.id}`)).body.data).toHaveLength(1);
    expect((await work.as.qa<Many>('GET', `/time-logs?task_id=${task.id}`)).body.data).toHaveLength(1);
  });
});

describe('the hours of a task', () => {
  test('are those of the time logs that its reader lists, and nobody else knows of any', async () => {
    const { id } = await make('qa', { estimated_hours: 6 });
    const log = (by: Account, start: string, end: string) =>
      work.make(by, 'time-logs', { task_id: id, date: day(-300), start, end });
    await log('qa', '09:00', '11:00');
    await log('developer', '09:00', '11:30');
    const spent = async (by: Account) => {
      const { body: one } = await work.as[by]<One>('GET', `/tasks/${id}`);
      const { body: listed } = await work.as[by]<Many>('GET', `/tasks?filter=${encodeURIComponent(`{"id":${id}}`)}`);
      expect([by, listed.data[0]!.spent]).toEqual([by, one.data.spent]);
      return one.data.spent;
    };
    expect(await spent('manager')).toBe(270);
    const csv = await work.as.manager<string>('GET', `/tasks-export?format=csv&id=${id}&columns=spent`);
    expect([csv.status, csv.body]).toEqual([200, expect.stringMatching(/\n"?4\.5"?\s*$/)]);
    expect(await spent('qa')).toBe(120);
    expect(await spent('developer')).toBe(150);
    expect((await work.as.external<One>('GET', `/tasks/${id}`)).body.data).not.toHaveProperty('spent');
  });
});

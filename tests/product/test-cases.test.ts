import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWork, type Account, type Row, type Work } from './work';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

type One = { data: Row; message?: string; errors?: Record<string, string> };
type Many = { data: Row[] };
let made = 0;
const make = (by: Account, change: object = {}) =>
  work.make(by, 'test-cases', { name: `Made ${++made}`, project_id: work.open, ...change });

describe('permissions on test cases', () => {
  test.each<[Account, 'open' | 'closed', number]>([
    ['owner', 'closed', 201],
    ['manager', 'closed', 201],
    ['developer', 'closed', 201],
    ['qa', 'closed', 201],
    ['external', 'open', 201],
    ['external', 'closed', 422],
  ])('%s makes one in a project that is %s: %i', async (by, project, status) => {
    const answer = await work.as[by]<One>('POST', '/test-cases', { name: 'New', project_id: work[project] });
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    if (status === 201) expect(answer.body.data).toMatchObject({ status_id: 1, created_by: { id: work.ids[by] } });
  });

  test.each<[Account, Account, object, number]>([
    ['owner', 'qa', { name: 'X' }, 200],
    ['manager', 'qa', { name: 'X' }, 200],
    ['developer', 'developer', { name: 'X', description: '<p>x</p>' }, 200],
    ['developer', 'qa', { name: 'X' }, 403],
    ['developer', 'qa', { status_id: 2 }, 200],
    ['developer', 'qa', { status_id: 2, priority_id: 1 }, 403],
    ['qa', 'qa', { name: 'X', description: '<p>x</p>' }, 200],
    ['qa', 'developer', { actual_result: 'X' }, 403],
    ['qa', 'developer', { status_id: 3 }, 200],
    ['qa', 'external', { video_url: 'https://video.test/1' }, 403],
    ['external', 'qa', { name: 'X' }, 200],
    ['external', 'external', { name: 'X' }, 200],
    ['external', 'external', { status_id: 2 }, 403],
    ['external', 'qa', { status_id: 5 }, 403],
  ])('%s changes one of %s with %j: %i', async (by, whose, change, status) => {
    const { id, name } = await make(whose);
    const answer = await work.as[by]<One>('PUT', `/test-cases/${id}`, change);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    if (status === 403) {
      expect(answer.body.message).toMatch(/^You don.t have permission to change /);
      const { body } = await work.as.owner<One>('GET', `/test-cases/${id}`);
      expect(body.data).toMatchObject({ name, status_id: 1 });
    }
  });

  test('others\u2019 test cases: assignee too, and the refusal names the rule', async () => {
    const { id } = await make('qa');
    const assigned = await work.as.developer<One>('PUT', `/test-cases/${id}`, { assigned_to: work.ids.developer });
    expect(assigned.status).toBe(200);
    expect(assigned.body.data.assign).toEqual({ id: work.ids.developer, name: 'Dina Haddad', role_id: 4 });
    const { body } = await work.as.developer<One>('PUT', `/test-cases/${id}`, { name: 'Mine' });
    expect(body.message).toContain('only status, assignee and comments of test cases that others created');
  });

  test('an external user never assigns, not even a new one', async () => {
    const body = { name: 'New', project_id: work.open };
    for (const more of [{ assigned_to: work.ids.developer }, { status_id: 2 }]) {
      expect((await work.as.external('POST', '/test-cases', { ...body, ...more })).status).toBe(403);
    }
    expect((await work.as.external('POST', '/test-cases', { ...body, status_id: 1 })).status).toBe(201);
  });

  test.each<[Account, Account, number]>([
    ['owner', 'qa', 200],
    ['manager', 'qa', 200],
    ['developer', 'developer', 200],
    ['developer', 'qa', 403],
    ['qa', 'developer', 403],
    ['qa', 'qa', 200],
    ['external', 'external', 200],
    ['external', 'qa', 403],
  ])('%s deletes one of %s: %i', async (by, whose, status) => {
    const { id } = await make(whose);
    const answer = await work.as[by]<One>('DELETE', `/test-cases/${id}`);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.message).toContain('only test cases that you created');
  });

  test('outside the projects of an external user there is nothing', async () => {
    const { id } = await make('qa', { project_id: work.closed });
    const calls: [string, string, object?][] = [
      ['GET', `/test-cases/${id}`],
      ['GET', `/test-cases/${id}/history`],
      ['GET', `/test-case-history/${id}`],
      ['PUT', `/test-cases/${id}`, { name: 'X' }],
      ['PATCH', `/test-case/${id}`, { comments: 'X' }],
      ['DELETE', `/test-cases/${id}`],
      ['POST', `/test-cases/${id}/share`],
    ];
    for (const [method, path, body] of calls) {
      expect((await work.as.external(method, path, body)).status, `${method} ${path}`).toBe(404);
      expect((await work.as.harbour(method, path, body)).status, `${method} ${path}`).toBe(404);
    }
    const { body } = await work.as.external<Many>('GET', '/test-cases');
    expect(body.data.some((one) => one.id === id)).toBe(false);
    expect((await work.as.external<Row[]>('GET', `/test-case-comments?test_case_id=${id}`)).body).toEqual([]);
  });
});

describe('PATCH test-case/{id}', () => {
  test.each<[Account]>([['owner'], ['manager'], ['developer'], ['qa']])('%s comments on one of others', async (by) => {
    const { id } = await make('external');
    const sent = { status_id: 2, assigned_to: work.ids.developer, comments: 'Please have a look', role_id: 4 };
    const answer = await work.as[by]<One>('PATCH', `/test-case/${id}`, sent);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.data).toMatchObject({
      status: { id: 2, option_name: 'Assign To Developer' },
      assign: { id: work.ids.developer },
      comments_history: [{ comments: 'Please have a look', user: { id: work.ids[by] } }],
    });
    const { body } = await work.as.qa<{ data: Row[] }>('GET', `/test-case-history/${id}`);
    expect(body.data[0]).toMatchObject({
      event: 'updated',
      old_values: { status_id: 1, assigned_to: null },
      new_values: { status_id: 2, assigned_to: work.ids.developer },
      user: { id: work.ids[by] },
    });
  });

  test('all missing values are reported at once', async () => {
    const { id } = await make('qa');
    const { status, body } = await work.as.qa<One>('PATCH', `/test-case/${id}`, {});
    expect([status, Object.keys(body.errors!).sort()]).toEqual([422, ['assigned_to', 'comments', 'status_id']]);
  });

  test('an external user comments, and no more', async () => {
    const { id } = await make('qa');
    const answer = await work.as.external<One>('PATCH', `/test-case/${id}`, { comments: 'Seen on the train too' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.data.comments_history).toHaveLength(1);
    for (const change of [{ status_id: 5 }, { assigned_to: work.ids.qa }]) {
      expect((await work.as.external('PATCH', `/test-case/${id}`, { comments: 'X', ...change })).status).toBe(403);
    }
    const { body } = await work.as.external<One>('GET', `/test-cases/${id}`);
    expect(body.data.comments_history).toHaveLength(1);
  });

  test('nobody is assigned who is not on the project', async () => {
    const { id } = await make('qa', { project_id: work.closed });
    const sent = { status_id: 2, assigned_to: work.ids.external, comments: 'X' };
    const { status, body } = await work.as.qa<One>('PATCH', `/test-case/${id}`, sent);
    expect([status, Object.keys(body.errors!)]).toEqual([422, ['assigned_to']]);
    expect((await work.as.qa<Row[]>('GET', `/test-case-comments?test_case_id=${id}`)).body).toEqual([]);
  });
});

describe('lists', () => {
  test('open and closed make up all', async () => {
    const total = async (query: string) => {
      const { headers } = await work.as.owner('GET', `/test-cases?range=[0,0]${query}`);
      return Number(String(headers['content-range']).split('/')[1]);
    };
    const [all, open, closed] = [await total(''), await total('&status=open'), await total('&status=close')];
    expect(open + closed).toBe(all);
    expect(closed).toBe(await total('&status_id=5'));
    expect((await work.as.owner('GET', '/test-cases?status=half')).status).toBe(400);
  });

  test('a list is filtered by the parameters user_id, start_date and end_date, which are no fields', async () => {
    const get = async (query: string) => (await work.as.qa<Many>('GET', `/test-cases?${query}`)).body.data;
    const mine = await get(`user_id=${work.ids.qa}`);
    expect(mine.length).toBeGreaterThan(5);
    expect(mine.every(({ assigned_to }) => assigned_to === work.ids.qa)).toBe(true);
    const [some] = mine
      .map(({ created_at }) => (created_at as string).slice(0, 10))
      .sort()
      .slice(2);
    const day = await get(`start_date=${some}&end_date=${some}`);
    expect(day.length).toBeGreaterThan(0);
    expect(day.every(({ created_at }) => (created_at as string).startsWith(some!))).toBe(true);
    expect((await get(`end_date=2020-01-01`)).length).toBe(0);
    expect((await work.as.qa('GET', '/test-cases?start_date=soon')).status).toBe(400);
  });

  test('embeds carry names, and nothing of colleagues\u2019 addresses', async () => {
    const { body } = await work.as.external<Many>('GET', '/test-cases?range=[0,99]');
    const one = body.data.find(({ assign, task }) => assign && task)!;
    expect(Object.keys(one.assign).sort()).toEqual(['id', 'name', 'role_id']);
    expect(Object.keys(one.created_by).sort()).toEqual(['id', 'name']);
    expect(one.project).toEqual({ id: one.project_id, name: expect.any(String) });
    expect(one.module).toEqual({ id: one.project_module, name: expect.any(String) });
    expect(one.sub_module).toEqual({ id: one.project_sub_module, name: expect.any(String) });
    expect(one.device).toEqual({ id: one.device_type, option_name: expect.any(String) });
    expect(one.action).toEqual({ id: one.action_performed, option_name: expect.any(String) });
    expect(one.comments_history_count).toEqual(expect.any(Number));
    expect(JSON.stringify(body)).not.toMatch(/@demo\.test|\+49/);
  });

  test('modules and users depend on the project', async () => {
    const foreign = await work.moduleOf(work.closed);
    const wrong = { name: 'X', project_id: work.open, project_module: foreign, assigned_to: work.ids.owner };
    const { status, body } = await work.as.owner<One>('POST', '/test-cases', wrong);
    expect([status, Object.keys(body.errors!).sort()]).toEqual([422, ['assigned_to', 'project_module']]);
    const { body: choices } = await work.as.external<Many>(
      'GET',
      `/test-cases/choices/project_module?project_id=${work.open}`,
    );
    expect(choices.data.length).toBeGreaterThan(2);
    const subs = await work.as.qa<Many>(
      'GET',
      `/test-cases/choices/project_sub_module?project_module=${choices.data[0]!.id}`,
    );
    expect(subs.body.data.length).toBeGreaterThan(0);
  });

  test('a copy refers to its original', async () => {
    const original = await make('qa');
    const copy = await make('external', { name: `${original.name as string} - Copy`, copyOf: original.id });
    expect(copy).toMatchObject({ copyOf: original.id, created_by: { id: work.ids.external } });
    expect((await work.as.qa('DELETE', `/test-cases/${original.id}`)).status).toBe(200);
    const { body } = await work.as.external<One>('GET', `/test-cases/${copy.id}`);
    expect(body.data.copyOf).toBeNull();
  });
});

describe('the public test case', () => {
  const open = (link: unknown) =>
    work.program.call<{ data: Row | null }>('POST', '/sharable-test-case', { sharable_link: link, authenticateUrl: 1 });

  test('shows names, and no ids or addresses', async () => {
    const { id, sharable_link } = await make('qa', { assigned_to: work.ids.developer, priority_id: 1 });
    const { status, body } = await open(sharable_link);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      assign: { name: 'Dina Haddad' },
      created_by: { name: 'Quentin Marsh' },
      priority: { option_name: 'Urgent' },
      status: { option_name: 'Unassigned' },
    });
    expect(JSON.stringify(body)).not.toMatch(/"id"|_id"|@|project"/);
    // Who administers the installation is nothing that its companies know, or their visitors.
    const { kysely } = work.program.program.database;
    await kysely
      .updateTable('test_cases')
      .set({ created_by: work.ids.admin, assigned_to: work.ids.admin })
      .where('id', '=', id)
      .execute();
    const outside = (await open(sharable_link)).body.data;
    expect(outside).toMatchObject({ assign: { name: 'Administrator' }, created_by: { name: 'Administrator' } });
    await work.as.owner('DELETE', `/test-cases/${id}`);
    expect((await open(sharable_link)).body).toEqual({ data: null });
  });

  test.each([['x'], ['unknown-but-long-enough-to-be-one'], [''], [{}], [null]])('%j opens nothing', async (link) => {
    const { status, body } = await open(link);
    expect(typeof link === 'string' ? body : status).toEqual(typeof link === 'string' ? { data: null } : 422);
  });

  test('shows the picture at an address of its own, without its key as a name', async () => {
    const { id, sharable_link } = await make('qa');
    const screenshot = { name: 'a.png', size: 9, type: 'image/png', key: '0b6f3c1e-0000-4000-8000-000000000001.png' };
    const { kysely } = work.program.program.database;
    await kysely
      .updateTable('test_cases')
      .set({ screenshot: JSON.stringify(screenshot) })
      .where('id', '=', id)
      .execute();
    const shown = (await open(sharable_link)).body.data!.screenshot;
    expect(shown).toEqual({ name: 'a.png', size: 9, type: 'image/png', url: expect.stringContaining('signature=') });
  });

  test('a renewed link ends the older one, a revoked one ends for good', async () => {
    const { id, sharable_link: first } = await make('qa');
    const { body } = await work.as.qa<One>('POST', `/test-cases/${id}/share`);
    const second = body.data.sharable_link as string;
    expect(second).not.toBe(first);
    expect((await open(first)).body.data).toBeNull();
    expect((await open(second)).body.data).not.toBeNull();
    expect((await work.as.developer('POST', `/test-cases/${id}/share`)).status).toBe(403);
    expect((await work.as.qa('DELETE', `/test-cases/${id}/share`)).status).toBe(200);
    expect((await open(second)).body.data).toBeNull();
  });

  test('a test case of an archived project is not shown', async () => {
    const project = await work.make('owner', 'projects', { name: 'Short' });
    const { sharable_link, id } = await make('owner', { project_id: project.id });
    expect((await open(sharable_link)).body.data).not.toBeNull();
    await work.as.owner('DELETE', `/projects/${project.id}`);
    expect((await open(sharable_link)).body.data).toBeNull();
    expect((await work.as.owner<Many>('GET', `/test-cases?id=${id}`)).body.data).toEqual([]);
  });
});

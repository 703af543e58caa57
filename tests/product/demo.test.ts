import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { product } from '../../src/product';
import { createCalendar } from '../../src/product/demo/calendar';
import { demoData } from '../../src/product/demo/load';
import { createRandom } from '../../src/product/demo/random';
import { startProgram, type TestProgram } from '../server/accounts/session/program';

let started: TestProgram;
beforeAll(async () => {
  started = await startProgram({ DEMO: '0' }, inject('bare'), product);
});
afterAll(() => started.close());

const rows = (table: string) => started.test.database.kysely.selectFrom(table).selectAll().orderBy('id').execute();
const ofDemo = async (table: string) => (await rows(table)).filter((row) => row.site_id === 1);
const span = (start: string, end: string) => {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  return minutes(end) - minutes(start);
};
const statusesOf = (all: Record<string, unknown>[], first: number) =>
  new Map(
    all.filter(({ status_id }) => status_id !== first).map(({ id, status_id }) => [id as number, status_id as number]),
  );
/** The status in which the history of each record ends, where it tells of one. */
const lastStatuses = async (resource: string) => {
  const history = await started.test.database.kysely
    .withSchema('assay')
    .selectFrom('history')
    .selectAll()
    .where('resource', '=', resource)
    .where('event', '=', 'updated')
    .orderBy('id')
    .execute();
  const own = new Set((await ofDemo(resource.replaceAll('-', '_'))).map(({ id }) => id));
  const told = history.filter(({ record_id, new_values }) => own.has(record_id) && 'status_id' in new_values);
  return new Map(told.map(({ record_id, new_values }) => [record_id as number, new_values.status_id as number]));
};
const accounts = () => started.call('GET', '/demo-accounts');

describe('demo data', () => {
  test('are absent unless they are loaded', async () => {
    expect(await rows('users')).toEqual([]);
    expect((await accounts()).body).toEqual({ data: [] });
  });

  test('load once, however many servers start', async () => {
    const loaded = await Promise.all([demoData.load(started.program), demoData.load(started.program)]);
    expect(loaded.sort()).toEqual([false, true]);
    expect(await demoData.load(started.program)).toBe(false);
  });

  test('people have asked for support, and some were answered', async () => {
    const tickets = await rows('support_tickets');
    expect(new Set(tickets.map(({ status }) => status))).toEqual(new Set(['open', 'answered', 'closed']));
    expect(tickets.every(({ status, answer }) => (status === 'open') === (answer === null))).toBe(true);
    expect(new Set(tickets.map(({ site_id }) => site_id))).toEqual(new Set([1]));
  });

  test('test cases have keys at once, in their order, also in their history', async () => {
    const cases = await ofDemo('test_cases');
    expect(cases.map(({ key }) => key)).toEqual(cases.map((_, index) => `TC-${index + 1}`));
    const history = await started.test.database.kysely
      .withSchema('assay')
      .selectFrom('history')
      .select(['record_id', 'new_values'])
      .where('resource', '=', 'test-cases')
      .where('event', '=', 'created')
      .orderBy('record_id')
      .execute();
    const first = history.find(({ record_id }) => record_id === cases[0]!.id);
    expect(first?.new_values).toMatchObject({ key: 'TC-1' });
  });

  test('six accounts are offered on the sign-in page, and each signs in', async () => {
    const { body } = await accounts();
    expect(body.data).toEqual([
      { email: 'admin@demo.test', role_name: 'Administrator', password: 'Demo@1234' },
      { email: 'owner@demo.test', role_name: 'Company Owner', password: 'Demo@1234' },
      { email: 'manager@demo.test', role_name: 'Manager', password: 'Demo@1234' },
      { email: 'developer@demo.test', role_name: 'Developer', password: 'Demo@1234' },
      { email: 'qa@demo.test', role_name: 'QA', password: 'Demo@1234' },
      { email: 'external@demo.test', role_name: 'External User', password: 'Demo@1234' },
    ]);
    for (const { email } of body.data) expect(await started.signIn(email)).toHaveLength(43);
    expect(await started.signIn('owner@harbour.test')).toHaveLength(43);
  });

  test('an account with a changed password is no longer offered', async () => {
    const { kysely } = started.test.database;
    const owner = () => kysely.updateTable('users').where('email', '=', 'owner@demo.test');
    const { password } = (await rows('users')).find(({ email }) => email === 'owner@demo.test')!;
    await owner().set({ password: 'changed' }).execute();
    expect((await accounts()).body.data).toHaveLength(5);
    await owner().set({ password }).execute();
  });

  test('have six clients in four countries and one in the archive', async () => {
    const clients = await ofDemo('clients');
    const shown = clients.filter(({ archived_at }) => archived_at === null);
    expect(shown).toHaveLength(6);
    expect(new Set(shown.map(({ country_id }) => country_id)).size).toBe(4);
    expect(clients.every(({ country_id, state_id }) => country_id !== null && state_id !== null)).toBe(true);
    expect(clients).toHaveLength(7);
    expect(clients[0]!.id).toBe(1);
  });

  test('have twelve projects in every status, with members', async () => {
    const projects = await ofDemo('projects');
    const shown = projects.filter(({ archived_at }) => archived_at === null);
    expect(shown).toHaveLength(12);
    expect(new Set(shown.map(({ project_status_id }) => project_status_id))).toEqual(new Set([1, 2, 3, 4]));
    const [gone] = projects.filter(({ archived_at }) => archived_at !== null);
    const client = (await ofDemo('clients')).find(({ id }) => id === gone!.client_id);
    expect(gone).toMatchObject({ archived_at: client!.archived_at, archived_with: client!.id });

    const pairs = await started.test.database.kysely.selectFrom('projects__user_ids').selectAll().execute();
    const users = await rows('users');
    const of = (account: string) => {
      const { id } = users.find(({ email }) => email === `${account}@demo.test`)!;
      const all = pairs.filter(({ target_id }) => target_id === id).map(({ record_id }) => record_id as number);
      return new Set(all.filter((project) => shown.some((one) => one.id === project)));
    };
    const common = [...of('manager')].filter((project) => of('developer').has(project) && of('qa').has(project));
    expect(common.length).toBeGreaterThan(4);
    expect(of('external').size).toBe(2);
  });

  test('have modules with sub-modules in every project, two deep', async () => {
    const modules = await rows('project_modules');
    const byId = new Map(modules.map((module) => [module.id, module]));
    for (const { id } of await rows('projects')) {
      const own = modules.filter(({ project_id }) => project_id === id);
      expect(own.some(({ parent_module }) => parent_module === null)).toBe(true);
      expect(own.some(({ parent_module }) => parent_module !== null)).toBe(true);
    }
    for (const module of modules.filter(({ parent_module }) => parent_module !== null)) {
      const parent = byId.get(module.parent_module)!;
      expect([parent.parent_module, parent.project_id]).toEqual([null, module.project_id]);
    }
  });

  test('every reference stays within its company', async () => {
    const site = new Map((await rows('clients')).map(({ id, site_id }) => [id, site_id]));
    for (const project of await rows('projects')) expect(site.get(project.client_id)).toBe(project.site_id);
    expect(new Set((await rows('clients')).map(({ site_id }) => site_id))).toEqual(new Set([1, 2]));
  });

  test('150 test cases, open and closed, with comments and a history that ends in their status', async () => {
    const testCases = await ofDemo('test_cases');
    expect(testCases).toHaveLength(150);
    expect(new Set(testCases.map(({ status_id }) => status_id))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    expect(new Set(testCases.map(({ project_id, name }) => `${project_id} ${name}`)).size).toBe(150);
    expect(testCases.filter(({ status_id }) => status_id === 5).length).toBeGreaterThan(40);
    expect(testCases.some(({ name }) => /[{}]|lorem/i.test(name as string))).toBe(false);
    expect((await ofDemo('test_case_comments')).length).toBeGreaterThan(150);
    expect(await lastStatuses('test-cases')).toEqual(statusesOf(testCases, 1));
  });

  test('120 tasks: late, due this week and done', async () => {
    const tasks = await ofDemo('tasks');
    expect(tasks).toHaveLength(120);
    expect(new Set(tasks.map(({ project_id, name }) => `${project_id} ${name}`)).size).toBe(120);
    const today = createCalendar(new Date()).day(0);
    const week = createCalendar(new Date()).day(6);
    const open = tasks.filter(({ status_id }) => status_id < 3);
    expect(open.filter(({ end_date }) => end_date < today).length).toBeGreaterThan(5);
    expect(open.filter(({ end_date }) => end_date >= today && end_date <= week).length).toBeGreaterThan(5);
    expect(tasks.filter(({ status_id }) => status_id === 3).length).toBeGreaterThan(30);
    expect(tasks.filter(({ status_id }) => status_id === 4).length).toBeGreaterThan(2);
    expect((await ofDemo('task_comments')).length).toBeGreaterThan(60);
    expect(await lastStatuses('tasks')).toEqual(statusesOf(tasks, 1));
  });

  test('600 time logs over the last three months up to today, three of which overlap', async () => {
    const logs = await ofDemo('time_logs');
    expect(logs).toHaveLength(600);
    const { day } = createCalendar(new Date());
    const dates = logs.map(({ date }) => date as string).sort();
    expect(dates[0]! < day(-80) && dates[0]! > day(-95)).toBe(true);
    expect(dates.at(-1)).toBe(day(0));
    expect(logs.every(({ start, end, total_duration }) => start < end && total_duration === span(start, end))).toBe(
      true,
    );
    const twice = logs.filter((one) =>
      logs.some(
        (other) =>
          other.id < one.id &&
          other.user_id === one.user_id &&
          other.date === one.date &&
          other.start < one.end &&
          other.end > one.start,
      ),
    );
    expect(twice).toHaveLength(3);
  });

  test('the external user has tasks and test cases in each of two projects, and reads no others', async () => {
    const { id } = (await rows('users')).find(({ email }) => email === 'external@demo.test')!;
    for (const table of ['tasks', 'test_cases']) {
      const own = (await ofDemo(table)).filter(({ assigned_to }) => assigned_to === id);
      expect(new Set(own.map(({ project_id }) => project_id)).size).toBe(2);
    }
    const token = await started.signIn('external');
    const { body } = await started.call('GET', '/test-cases', { token });
    expect(body.data.length).toBeLessThan(150);
    expect(new Set(body.data.map(({ project }: { project: { name: string } }) => project.name))).toEqual(
      new Set(['Shipment Tracking Portal', 'Patient Appointments']),
    );
  });

  test('every level below 3 has created test cases and tasks', async () => {
    const makers = new Set((await ofDemo('test_cases')).map(({ created_by }) => created_by));
    const users = (await ofDemo('users')).filter(({ role_id }) => role_id >= 3);
    expect(users.filter(({ id }) => !makers.has(id))).toEqual([]);
  });

  test('the second company has a little, all of it its own', async () => {
    const counts = await Promise.all(
      ['test_cases', 'tasks', 'time_logs'].map(
        async (table) => (await rows(table)).filter((row) => row.site_id === 2).length,
      ),
    );
    expect(counts).toEqual([6, 4, 6]);
    const site = new Map((await rows('projects')).map(({ id, site_id }) => [id, site_id]));
    const tasks = new Map((await rows('tasks')).map(({ id, site_id }) => [id, site_id]));
    const people = new Map((await rows('users')).map(({ id, site_id }) => [id, site_id]));
    for (const row of [...(await rows('tasks')), ...(await rows('test_cases'))]) {
      expect(site.get(row.project_id)).toBe(row.site_id);
      if (row.assigned_to !== null) expect(people.get(row.assigned_to)).toBe(row.site_id);
    }
    for (const log of await rows('time_logs')) expect(tasks.get(log.task_id)).toBe(log.site_id);
  });

  test('everybody has notifications, read and unread', async () => {
    const news = await started.test.database.kysely
      .withSchema('assay')
      .selectFrom('notifications')
      .selectAll()
      .execute();
    for (const { id } of await rows('users')) {
      const own = news.filter(({ user_id }) => user_id === id);
      expect(own.some(({ read_at }) => read_at === null)).toBe(true);
      expect(own.some(({ read_at }) => read_at !== null)).toBe(true);
      expect(own.every(({ created_at }) => Date.parse(created_at) <= Date.now())).toBe(true);
    }
  });
});

test('two loads differ only in dates', async () => {
  const load = async (now: string) => {
    const other = await startProgram({ DEMO: '0' }, inject('bare'), product);
    await demoData.load(other.program, new Date(now));
    const all = await Promise.all(
      [
        'sites',
        'users',
        'clients',
        'projects',
        'project_modules',
        'tasks',
        'test_cases',
        'time_logs',
        'task_comments',
        'test_case_comments',
      ].map((table) => other.test.database.kysely.selectFrom(table).selectAll().orderBy('id').execute()),
    );
    const news = await other.test.database.kysely
      .withSchema('assay')
      .selectFrom('notifications')
      .select(['user_id', 'link'])
      .orderBy('id')
      .execute();
    await other.close();
    const dateless = /_(at|date)$|^(date|password|sharable_link)$/;
    const cut = all.map((table) =>
      table.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !dateless.test(name)))),
    );
    return { cut, news, starts: all[3]!.map(({ start_date }) => start_date as string) };
  };
  const [spring, autumn] = [await load('2026-03-29T08:00:00Z'), await load('2026-10-25T23:30:00Z')];
  expect(autumn.cut).toEqual(spring.cut);
  expect(autumn.news).toEqual(spring.news);
  expect(spring.starts[0]).toBe('2025-12-01');
  expect(autumn.starts[0]).toBe('2026-06-29');
});

describe('the random generator of the demo data', () => {
  test('is the same for the same seed', () => {
    const draw = (seed: number) => Array.from({ length: 20 }, createRandom(seed).whole.bind(null, 1, 6));
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(new Set(draw(7)).size).toBeGreaterThan(3);
    expect(draw(9).every((eyes) => eyes >= 1 && eyes <= 6)).toBe(true);
  });

  test('draws some of many, each once and in order', () => {
    const drawn = createRandom(1).some([1, 2, 3, 4, 5, 6, 7, 8], 4);
    expect(drawn).toHaveLength(4);
    expect(drawn).toEqual([...new Set(drawn)].sort());
  });
});

test('an instant of the calendar is never in the future', () => {
  const now = new Date('2026-11-21T09:15:00Z');
  const calendar = createCalendar(now);
  expect(calendar.day(-21)).toBe('2026-10-31');
  expect(calendar.day(40)).toBe('2026-12-31');
  expect(calendar.at(-1, 16, 5)).toBe('2026-11-20T16:05:00.000Z');
  expect(calendar.at(0, 16, 5)).toBe(now.toISOString());
});

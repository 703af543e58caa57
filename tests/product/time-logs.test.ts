import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWork, type Account, type Row, type Work } from './work';

let work: Work;
let task: number;
beforeAll(async () => {
  work = await startWork();
  const tasks = await work.rows('tasks');
  task = tasks.find(({ project_id }) => project_id === work.open)!.id;
});
afterAll(() => work?.program.close());

type One = { data: Row; message?: string; errors?: Record<string, string> };
type Many = { data: Row[] };
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const body = (change: object = {}) => ({ task_id: task, date: day(-200), start: '09:00', end: '10:30', ...change });
const make = (by: Account, change: object = {}) => work.make(by, 'time-logs', body(change));

describe('whose time logs', () => {
  test.each<[Account, number]>([
    ['owner', 201],
    ['manager', 201],
    ['developer', 201],
    ['qa', 201],
    ['external', 403],
    ['harbour', 422],
  ])('%s makes one: %i', async (by, status) => {
    const answer = await work.as[by]<One>('POST', '/time-logs', body({ user_id: work.ids.manager }));
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    if (status === 201) expect(answer.body.data).toMatchObject({ user_id: work.ids[by], user: { id: work.ids[by] } });
  });

  test('level 1 creates one in a named company', async () => {
    expect((await work.as.admin('POST', '/time-logs', body())).status).toBe(422);
    const { status, body: answer } = await work.as.admin<One>('POST', '/time-logs', body({ site_id: 1 }));
    expect([status, answer.data?.user_id], JSON.stringify(answer)).toEqual([201, work.ids.admin]);
  });

  test.each<[Account, Account, number]>([
    ['admin', 'qa', 403],
    ['owner', 'qa', 403],
    ['manager', 'qa', 403],
    ['developer', 'qa', 404],
    ['qa', 'qa', 200],
    ['manager', 'manager', 200],
    ['owner', 'owner', 200],
    ['external', 'qa', 403],
  ])('%s changes and deletes one of %s: %i', async (by, whose, status) => {
    const { id } = await make(whose);
    const changed = await work.as[by]<One>('PUT', `/time-logs/${id}`, { end: '11:00' });
    const deleted = await work.as[by]<One>('DELETE', `/time-logs/${id}`);
    expect([changed.status, deleted.status], JSON.stringify(changed.body)).toEqual([status, status]);
    if (status === 403 && by !== 'external') expect(changed.body.message).toContain('only your own time logs');
  });

  test.each<[Account, 'all' | 'own' | 'none']>([
    ['owner', 'all'],
    ['manager', 'all'],
    ['developer', 'own'],
    ['qa', 'own'],
    ['external', 'none'],
  ])('%s lists %s', async (by, which) => {
    const { status, body: answer } = await work.as[by]<Many>('GET', '/time-logs');
    if (which === 'none') return expect(status).toBe(403);
    const owners = new Set(answer.data.map(({ user_id }) => user_id as number));
    if (which === 'own') expect(owners).toEqual(new Set([work.ids[by]]));
    else expect(owners.size).toBeGreaterThan(2);
    const other = work.ids[by === 'qa' ? 'developer' : 'qa'];
    const { body: filtered } = await work.as[by]<Many>('GET', `/time-logs?user_id=${other}`);
    expect(filtered.data.length > 0).toBe(which === 'all');
  });
});

describe('values of a time log', () => {
  test('times in full, the duration in hours and minutes', async () => {
    const log = await make('qa', { date: day(-3), start: `${day(-3)} 08:15`, end: '10:00', total_duration: '9.00' });
    expect(log).toMatchObject({ start: `${day(-3)} 08:15`, end: `${day(-3)} 10:00`, total_duration: '1.45' });
    const { body: changed } = await work.as.qa<One>('PUT', `/time-logs/${log.id}`, { end: '10:15' });
    expect(changed.data.total_duration).toBe('2.00');
    const { body: list } = await work.as.qa<Many>('GET', `/time-logs?id=${log.id}`);
    expect(list.data[0]).toMatchObject({ start: `${day(-3)} 08:15`, total_duration: '2.00', task: { id: task } });
  });

  test('a time with its day finds logs then, before or after it', async () => {
    const times: [number, string][] = [
      [-301, '09:00'],
      [-302, '09:00'],
      [-302, '08:00'],
    ];
    const made = await Promise.all(times.map(([on, start]) => make('qa', { date: day(on), start, end: '10:00' })));
    const [later, at, earlier] = made.map(({ id }) => id);
    const found = async (query: string) => {
      const { body: list } = await work.as.qa<Many>('GET', `/time-logs?id=${made.map(({ id }) => id).join()}&${query}`);
      return list.data.map(({ id }) => id).sort();
    };
    const moment = encodeURIComponent(`${day(-302)} 09:00`);
    expect(await found(`start=${moment}`)).toEqual([at]);
    expect(await found(`start_from=${moment}`)).toEqual([later, at].sort());
    expect(await found(`start_to=${moment}`)).toEqual([at, earlier].sort());
    expect(await found('start=09:00')).toEqual([later, at].sort());
  });

  test.each<[string, object, string[]]>([
    ['nothing', { task_id: undefined, date: undefined, start: undefined, end: undefined }, ['end', 'start', 'task_id']],
    ['a day to come', { date: day(2) }, ['date']],
    ['an end before the start', { end: '08:00' }, ['end']],
    ['an end at the start', { end: '09:00' }, ['end']],
    ['no time of day', { start: '25:00' }, ['start']],
    ['a task that is not there', { task_id: 9_999_999 }, ['task_id']],
  ])('%s is refused', async (_, change, fields) => {
    const { status, body: answer } = await work.as.qa<One>('POST', '/time-logs', body(change));
    expect([status, Object.keys(answer.errors ?? {}).sort()], JSON.stringify(answer)).toEqual([422, fields]);
  });

  test('an overlap gets a warning, but is stored', async () => {
    const date = day(-201);
    const first = await make('qa', { date });
    expect(first.warning).toBeNull();
    const second = await make('qa', { date, start: '10:00', end: '11:00' });
    expect(second.warning).toBe('Overlaps with another time log of the same person: 09:00 to 10:30.');
    expect((await make('qa', { date, start: '11:00', end: '12:00' })).warning).toBeNull();
    expect((await make('developer', { date })).warning).toBeNull();
    const { body: list } = await work.as.manager<Many>('GET', `/time-logs?date=${date}&user_id=${work.ids.qa}`);
    expect(
      list.data
        .filter(({ warning }) => warning !== null)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([first.id, second.id].sort());

    // It is said of both wherever they are shown, and of neither once one of them is moved or gone.
    const marked = async () => {
      const { body: sheet } = await work.as.qa<{ data: { logs: Row[] } }>(
        'GET',
        `/timesheet?month=${date.slice(0, 7)}`,
      );
      const { body: shown } = await work.as.qa<Many>('GET', `/time-logs?date=${date}&task_id=${task}&fields=warning`);
      const ofDay = sheet.data.logs.filter((log) => log.date === date);
      const ids = (logs: readonly Row[]) =>
        logs
          .filter(({ warning }) => warning)
          .map(({ id }) => id as number)
          .sort();
      expect(ids(ofDay)).toEqual(ids(shown.data));
      return ids(ofDay);
    };
    expect(await marked()).toEqual([first.id, second.id].sort());
    expect((await work.as.qa<One>('PUT', `/time-logs/${first.id}`, { end: '10:00' })).body.data.warning).toBeNull();
    expect(await marked()).toEqual([]);
    const again = await work.as.qa<One>('PUT', `/time-logs/${first.id}`, { end: '10:01' });
    expect(again.body.data.warning).toBe('Overlaps with another time log of the same person: 10:00 to 11:00.');
    expect(await marked()).toEqual([first.id, second.id].sort());
    await work.as.qa('DELETE', `/time-logs/${second.id}`);
    expect(await marked()).toEqual([]);
  });

  test('a month is the days in it, and names the download; what is neither month nor time is refused', async () => {
    const month = day(-400).slice(0, 7);
    const inside = await make('qa', { date: `${month}-03` });
    const outside = await make('qa', { date: day(-340), start: '09:00', end: '10:00' });
    const { body: list } = await work.as.qa<Many>('GET', `/time-logs?start=${month}`);
    const found = list.data.map(({ id }) => id);
    expect([found.includes(inside.id), found.includes(outside.id)]).toEqual([true, false]);
    expect(list.data.every(({ date }) => String(date).startsWith(month))).toBe(true);
    const json = encodeURIComponent(JSON.stringify({ start: month }));
    const { body: other } = await work.as.qa<Many>('GET', `/time-logs?filter=${json}`);
    expect(other.data.map(({ id }) => id)).toEqual(found);
    const name = async (query: string) =>
      (await work.as.qa('GET', `/time-logs-export${query}`)).headers['content-disposition'];
    expect(await name(`?start=${month}`)).toBe(`attachment; filename="timesheet_${month}.xlsx"`);
    expect(await name(`?filter=${json}&format=csv`)).toBe(`attachment; filename="timesheet_${month}.csv"`);
    expect(await name('?start=09:00')).toBe('attachment; filename="time_logs.xlsx"');
    for (const wrong of ['2026-13', '2026-00', 'soon', '25:00', '']) {
      const refused = await work.as.qa<One>('GET', `/time-logs?start=${wrong}`);
      expect([wrong, refused.status], JSON.stringify(refused.body)).toEqual([wrong, 400]);
      expect(refused.body.message).toContain('start');
    }
  });

  test('through the task: project, module and client', async () => {
    const [project] = (await work.rows('projects')).filter(({ id }) => id === work.open);
    const tasks = new Map((await work.rows('tasks')).map((one) => [one.id, one]));
    const logs = async (query: string) => (await work.as.manager<Many>('GET', `/time-logs?${query}`)).body.data;
    const ofProject = await logs(`project_id=${work.open}`);
    expect(ofProject.length).toBeGreaterThan(20);
    expect(ofProject.every(({ task_id }) => tasks.get(task_id)!.project_id === work.open)).toBe(true);
    const ofClient = await logs(`client_id=${project!.client_id}`);
    expect(ofClient.length).toBeGreaterThan(ofProject.length);
    const module = tasks.get(task)!.project_module_id as number;
    const ofModule = await logs(`project_module_id=${module}`);
    expect(ofModule.every(({ task_id }) => tasks.get(task_id)!.project_module_id === module)).toBe(true);
    expect((await work.as.manager('GET', '/time-logs?client_id=x')).status).toBe(400);
  });
});

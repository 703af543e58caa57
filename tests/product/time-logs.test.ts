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

describe('permissions on time logs', () => {
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

  test('a time log is filtered by project, module and client of its task', async () => {
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

describe('midnight as the end is the end of the day', () => {
  test('in what is stored, answered, filtered, sorted, summed and said of overlaps', async () => {
    const date = '2024-06-01';
    const late = await make('qa', { date, start: '23:00', end: '00:00' });
    expect(late).toMatchObject({ date, start: `${date} 23:00`, end: '2024-06-02 00:00', total_duration: '1.00' });
    const early = await make('qa', { date, start: '20:00', end: '21:30' });
    expect(early.warning).toBeNull();
    const next = await make('qa', { date: '2024-06-02', start: '00:00', end: '01:00' });
    expect(next.warning).toBeNull();
    const inside = await make('qa', { date, start: '23:30', end: '23:45' });
    expect(inside.warning).toBe('Overlaps with another time log of the same person: 23:00 to 00:00.');
    const ids = [late, early, next, inside].map(({ id }) => id);
    const found = async (query: string) =>
      (await work.as.qa<Many>('GET', `/time-logs?id=${ids.join()}&${query}`)).body.data.map(({ id }) => id);
    expect(await found('sort_by=end')).toEqual([early.id, inside.id, late.id, next.id]);
    expect(await found(`end=${encodeURIComponent('2024-06-02 00:00')}`)).toEqual([late.id]);
    expect(await found('end=00:00')).toEqual([late.id]);
    expect(await found('end_from=23:00&sort_by=id')).toEqual([late.id, inside.id]);
    expect(await found('end_from=00:00')).toHaveLength(4);
    expect(await found(`end_to=${encodeURIComponent('2024-06-02 00:00')}&sort_by=id`)).toEqual([
      late.id,
      early.id,
      inside.id,
    ]);
    const { body: sheet } = await work.as.qa<{ data: { days: object[]; logs: Row[] } }>(
      'GET',
      '/timesheet?month=2024-06',
    );
    expect(sheet.data.days).toContainEqual({ date, total: 2.75 });
    expect(sheet.data.logs.map(({ id }) => id)).toEqual([early.id, late.id, inside.id, next.id]);
    const columns = 'start,end,total_duration';
    const csv = await work.as.qa<string>('GET', `/time-logs-export?format=csv&id=${late.id}&columns=${columns}`);
    expect(csv.body).not.toContain('24:00');
    const history = await work.as.qa<Many>('GET', `/time-logs/${late.id}/history`);
    expect(JSON.stringify(history.body)).not.toContain('24:00');
  });

  test.each<[start: string, end: string, length: string]>([
    ['00:00', '00:00', '24.00'],
    ['23:59', '00:00', '0.01'],
    ['09:00', '24:00', '15.00'],
    ['2024-06-03 22:00', '2024-06-04 00:00', '2.00'],
    ['2024-06-03 22:00', '2024-06-03 24:00', '2.00'],
  ])('from %s to %s are %s', async (start, end, length) => {
    const log = await make('qa', { date: '2024-06-03', start, end });
    expect(log).toMatchObject({ end: '2024-06-04 00:00', total_duration: length });
    // As it was answered, it is no change.
    const put = await work.as.qa<One>('PUT', `/time-logs/${log.id}`, log);
    expect(put, JSON.stringify(put.body)).toMatchObject({ status: 200, body: { data: log } });
    const { body } = await work.as.qa<Many>('GET', `/time-logs/${log.id}/history`);
    expect(body.data).toHaveLength(1);
  });

  test('midnight as the start is the start of the day, and 24:00 is refused', async () => {
    expect(await make('qa', { start: '00:00', end: '00:30' })).toMatchObject({ total_duration: '0.30' });
    const refused = await work.as.qa<One>('POST', '/time-logs', body({ start: '24:00', end: '00:00' }));
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['start']]);
  });

  test('many logs that end at midnight are created at once, and one is moved', async () => {
    const one = { task_id: task, date: '2024-06-05', start: '22:00', end: '00:00' };
    const bulk = await work.as.qa<{ data: { created: Row[] } }>('POST', '/time-logs/bulk', { create: [one, one] });
    expect(bulk.body.data.created.map(({ total_duration }) => total_duration)).toEqual(['2.00', '2.00']);
    const [{ id }] = bulk.body.data.created as [Row];
    const moved = await work.as.qa<One>('PUT', `/time-logs/${id}`, {
      date: '2024-06-06',
      start: '21:00',
      end: '23:00',
    });
    expect(moved.body.data).toMatchObject({ end: '2024-06-06 23:00', total_duration: '2.00' });
    const back = await work.as.qa<One>('PUT', `/time-logs/${id}`, { end: '00:00' });
    expect(back.body.data).toMatchObject({ end: '2024-06-07 00:00', total_duration: '3.00' });
  });
});

describe('the length of a log across a change of the clocks', () => {
  const berlin = { spring: '2025-03-30', autumn: '2025-10-26' };
  const newYork = { spring: '2025-03-09', autumn: '2025-11-02' };
  const lordHowe = { spring: '2025-10-05', autumn: '2025-04-06' };
  const inZone = (zone?: string) => (zone === undefined ? undefined : { 'x-timezone': zone });
  const create = async (change: object, zone?: string) => {
    const answer = await work.as.qa<One>('POST', '/time-logs', body(change), inZone(zone));
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data;
  };

  test.each<[zone: string | undefined, date: string, start: string, end: string, length: string]>([
    ['Europe/Berlin', berlin.spring, '01:00', '04:00', '2.00'],
    ['Europe/Berlin', berlin.autumn, '01:00', '04:00', '4.00'],
    ['Europe/Berlin', berlin.spring, '04:00', '06:00', '2.00'],
    ['Europe/Berlin', berlin.spring, '00:00', '00:00', '23.00'],
    ['Europe/Berlin', berlin.autumn, '00:00', '00:00', '25.00'],
    ['Europe/Berlin', berlin.spring, '23:00', '00:00', '1.00'],
    // The clocks skip from 02:00 to 03:00.
    ['Europe/Berlin', berlin.spring, '01:00', '02:30', '1.30'],
    ['Europe/Berlin', berlin.spring, '02:30', '03:00', '0.30'],
    ['Europe/Berlin', newYork.spring, '01:00', '04:00', '3.00'],
    ['America/New_York', newYork.spring, '01:00', '04:00', '2.00'],
    ['America/New_York', newYork.autumn, '00:30', '03:15', '3.45'],
    ['America/New_York', berlin.autumn, '01:00', '04:00', '3.00'],
    ['Asia/Kolkata', berlin.spring, '01:00', '04:00', '3.00'],
    ['Asia/Kolkata', berlin.autumn, '01:00', '04:00', '3.00'],
    ['Australia/Lord_Howe', lordHowe.spring, '01:00', '04:00', '2.30'],
    ['Australia/Lord_Howe', lordHowe.autumn, '01:00', '04:00', '3.30'],
    [undefined, berlin.spring, '01:00', '04:00', '3.00'],
    [undefined, berlin.autumn, '01:00', '04:00', '3.00'],
  ])('%s on %s from %s to %s is %s', async (zone, date, start, end, length) => {
    expect((await create({ date, start, end }, zone)).total_duration).toBe(length);
    const many = { create: [body({ date, start, end })] };
    const bulk = await work.as.qa<{ data: { created: Row[] } }>('POST', '/time-logs/bulk', many, inZone(zone));
    expect(bulk.body.data.created[0]!.total_duration).toBe(length);
  });

  test('is that of the zone that a person chose, where the request names none', async () => {
    const choose = (time_zone: string | null) => work.as.qa('PATCH', '/preferences/notifications', { time_zone });
    const log = { date: berlin.spring, start: '01:00', end: '04:00' };
    expect((await choose('Europe/Berlin')).status).toBe(200);
    expect((await create(log)).total_duration).toBe('2.00');
    const once = await work.as.qa<One>('POST', '/time-logs', body(log), { 'idempotency-key': 'clocks' });
    expect(once.body.data.total_duration).toBe('2.00');
    expect((await create(log, 'Asia/Kolkata')).total_duration).toBe('3.00');
    expect((await choose(null)).status).toBe(200);
    expect((await create(log)).total_duration).toBe('3.00');
  });

  test('stays when the log is read, and when something else of it is changed, in any zone', async () => {
    const log = await create({ date: berlin.autumn, start: '01:00', end: '04:00' }, 'Europe/Berlin');
    for (const zone of [undefined, 'America/New_York', 'Europe/Berlin']) {
      const read = await work.as.qa<One>('GET', `/time-logs/${log.id}`, undefined, inZone(zone));
      expect(read.body.data.total_duration, zone).toBe('4.00');
      const put = (change: object) => work.as.qa<One>('PUT', `/time-logs/${log.id}`, change, inZone(zone));
      const { start, end, date } = log;
      expect((await put({ start, end, date, comments: `From ${zone}` })).body.data.total_duration, zone).toBe('4.00');
      const whole = (await work.as.qa<One>('GET', `/time-logs/${log.id}`)).body.data;
      expect((await put(whole)).body.data, zone).toEqual(whole);
    }
    // New times are read in the zone of who changes them.
    const change = (values: object, zone?: string) =>
      work.as.qa<One>('PUT', `/time-logs/${log.id}`, values, inZone(zone));
    expect((await change({ end: '05:00' }, 'Europe/Berlin')).body.data.total_duration).toBe('5.00');
    expect((await change({ end: '04:30' })).body.data.total_duration).toBe('3.30');
    expect((await change({ date: '2025-10-27' }, 'Europe/Berlin')).body.data.total_duration).toBe('3.30');
  });
});

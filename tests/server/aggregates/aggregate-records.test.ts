// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Field } from '../../../src/engine/definitions/definition';
import { fieldTypeOf } from '../../../src/engine/field-types';
import { isGroupable } from '../../../src/engine/lists/groupable';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

// `GET r/aggregate`: groups of the records that a list has, counted and added up in one statement.

interface Group {
  group: Record<string, unknown>;
  titles: Record<string, string | null>;
  count?: number;
  sum?: Record<string, unknown>;
  avg?: Record<string, unknown>;
  min?: Record<string, unknown>;
  max?: Record<string, unknown>;
}
type Row = Record<string, unknown> & { id: number };

let program: DemoProgram;
const callers: Record<string, Client> = {};

beforeAll(async () => {
  program = await startFixtureProgram();
  for (const name of ['admin', 'owner', 'developer', 'external', 'harbour'] as const)
    callers[name] = await program.signIn(accounts[name]);
  const { owner } = callers as { owner: Client };
  const film = await owner<Row>('POST', '/films', { name: 'Lighthouse', studio_id: 1, kind_id: 1, stage_id: 2 });
  expect(film.status, JSON.stringify(film.body)).toBe(201);
});
afterAll(() => program?.close());

async function groupsOf(caller: string, path: string): Promise<readonly Group[]> {
  const { status, body } = await callers[caller]!<{ data: Group[] }>('GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

async function rowsOf(caller: string, path: string): Promise<readonly Row[]> {
  const { status, body } = await callers[caller]!<Row[] | { data: Row[] }>('GET', `${path}?range=[0,9999]`);
  expect(status, JSON.stringify(body)).toBe(200);
  return Array.isArray(body) ? body : body.data;
}

/** Counts rows by a key, as a plain loop does. */
function recount(rows: readonly Row[], keyOf: (row: Row) => unknown): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[String(keyOf(row))] = (counts[String(keyOf(row))] ?? 0) + 1;
  return counts;
}

const countsOf = (groups: readonly Group[], name: string) =>
  Object.fromEntries(groups.map((one) => [String(one.group[name]), one.count]));

describe.each(['admin', 'owner', 'developer', 'external', 'harbour'])('as %s', (caller) => {
  test('groups are those of the list', async () => {
    const shots = await rowsOf(caller, '/shots');
    const byStatus = await groupsOf(caller, '/shots/aggregate?group=status_id');
    expect(countsOf(byStatus, 'status_id')).toEqual(recount(shots, (row) => row.status_id));
    const byMonth = await groupsOf(caller, '/shots/aggregate?group=starts_on:month');
    const monthOf = (row: Row) => (row.starts_on ? `${String(row.starts_on).slice(0, 7)}-01` : null);
    expect(countsOf(byMonth, 'starts_on:month')).toEqual(recount(shots, monthOf));
    const late = await groupsOf(caller, '/shots/aggregate?group=is_late');
    expect(countsOf(late, 'is_late')).toEqual(recount(shots, (row) => row.is_late));
    const films = new Map((await rowsOf(caller, '/films')).map((film) => [film.id, film]));
    const byStudio = await groupsOf(caller, '/shots/aggregate?group=film_id.studio_id');
    const studioOf = (row: Row) => films.get(row.film_id as number)?.studio_id ?? null;
    expect(countsOf(byStudio, 'film_id.studio_id')).toEqual(recount(shots, studioOf));
  });

  test('sums, averages and extremes are those of the list', async () => {
    const shots = await rowsOf(caller, '/shots');
    const [all] = await groupsOf(
      caller,
      '/shots/aggregate?take=count,sum:planned_hours,avg:planned_hours,min:starts_on,max:starts_on,max:planned_hours',
    );
    const hours = shots.flatMap((row) => (row.planned_hours === null ? [] : [Number(row.planned_hours)]));
    const days = shots.flatMap((row) => (row.starts_on ? [String(row.starts_on)] : [])).sort();
    const sum = hours.reduce((one, other) => one + other, 0);
    expect(all!.count).toBe(shots.length);
    expect(all!.sum!.planned_hours ?? 0).toBeCloseTo(sum, 6);
    if (hours.length > 0) expect(all!.avg!.planned_hours).toBeCloseTo(sum / hours.length, 6);
    expect(all!.max!.planned_hours).toBe(hours.length > 0 ? Math.max(...hours) : null);
    expect([all!.min!.starts_on, all!.max!.starts_on]).toEqual([days[0] ?? null, days.at(-1) ?? null]);
  });
});

test('filters, search and conditions of the list restrict the groups', async () => {
  const rows = (await rowsOf('owner', '/shots')).filter((row) => row.status_id === 1);
  const filtered = await groupsOf('owner', '/shots/aggregate?group=film_id&status_id=1');
  expect(countsOf(filtered, 'film_id')).toEqual(recount(rows, (row) => row.film_id));
  const where = encodeURIComponent(JSON.stringify({ status_id: 1 }));
  expect(await groupsOf('owner', `/shots/aggregate?group=film_id&where=${where}`)).toEqual(filtered);
  const [named] = await groupsOf('owner', '/films/aggregate?q=Lighthouse');
  expect(named).toEqual({ group: {}, titles: {}, count: 1 });
});

test('groups of records carry their titles, and are sorted by them or by what was taken', async () => {
  const byTitle = await groupsOf('owner', '/shots/aggregate?group=status_id');
  const titles = byTitle.map(({ titles }) => titles.status_id!);
  expect(titles.length).toBeGreaterThan(1);
  expect(titles).toEqual([...titles].sort((one, other) => one.localeCompare(other)));
  const byCount = await groupsOf('owner', '/shots/aggregate?group=status_id&sort_by=-count');
  const counts = byCount.map(({ count }) => count!);
  expect(counts).toEqual([...counts].sort((one, other) => other - one));
  const page = await callers.owner!<{ data: Group[] }>('GET', '/shots/aggregate?group=status_id&range=[0,0]');
  expect(page.body.data).toEqual([byTitle[0]]);
  expect(page.headers['content-range']).toBe(`groups 0-0/${byTitle.length}`);
});

test('periods are those of the caller: the same instant is in two years', async () => {
  const zoned = async (zone: string) => {
    const { body } = await callers.owner!<{ data: Group[] }>(
      'GET',
      '/films/aggregate?group=created_at:day&q=Lighthouse',
      undefined,
      { 'X-Timezone': zone },
    );
    return body.data[0]!.group['created_at:day'];
  };
  const [film] = (await rowsOf('owner', '/films')).filter(({ name }) => name === 'Lighthouse');
  const created = new Date(film!.created_at as string);
  const dayIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(created);
  const [west, east] = ['Pacific/Niue', 'Pacific/Kiritimati'];
  expect(await zoned(west)).toBe(dayIn(west));
  expect(await zoned(east)).toBe(dayIn(east));
  expect(dayIn(west)).not.toBe(dayIn(east));
});

test.each([
  ['/shots/aggregate?group=unknown', 'group: Shots have no field "unknown".'],
  ['/shots/aggregate?group=description', 'group: Shots cannot be grouped by "description".'],
  ['/shots/aggregate?group=notes', 'group: Shots cannot be grouped by "notes".'],
  ['/shots/aggregate?group=name.film_id', 'group: "name" in "name.film_id" must be a relation to one record.'],
  [
    '/shots/aggregate?group=starts_on:month:0',
    'group: in "starts_on:month:0" only weeks have a first day, such as starts_on:week:0.',
  ],
  [
    '/shots/aggregate?group=starts_on:week:7',
    'group: in "starts_on:week:7" weeks must begin on a day from 0, Sunday, to 6, Saturday.',
  ],
  ['/shots/aggregate?group=created_at', 'group: "created_at" needs one of :day, :week, :month, :quarter, :year.'],
  [
    '/shots/aggregate?group=starts_on:moon',
    'group: "starts_on:moon" needs one of :day, :week, :month, :quarter, :year.',
  ],
  [
    '/shots/aggregate?group=status_id:day',
    'group: "status_id:day" is no date, so it has no day, week, month, quarter, year.',
  ],
  ['/shots/aggregate?group=status_id,status_id', 'group has a name twice.'],
  ['/shots/aggregate?group=status_id,film_id,scene_id,name', 'group can have at most 3 names.'],
  ['/shots/aggregate?take=sum:name', 'take: "sum:name" is not possible for a field of type text.'],
  [
    '/shots/aggregate?take=median:planned_hours',
    'take: "median:planned_hours" must be count, or a function and a field, such as sum:hours.',
  ],
  ['/shots/aggregate?sort_by=name', 'sort_by must be one of the names of group or take, such as -count.'],
  ['/shots/aggregate?sort=["id","ASC"]', 'Groups are sorted by sort_by, such as -count.'],
  ['/users/aggregate?group=password', 'group: Users have no field "password".'],
])('%s is refused', async (path, message) => {
  const { status, body } = await callers.owner!<{ message: string }>('GET', path);
  expect([status, body.message]).toEqual([400, message]);
});

test('an aggregate needs the grant to list the records and those on the path', async () => {
  const { call, grant } = await program.restricted();
  await grant(['shots.view']);
  expect((await call('GET', '/shots/aggregate')).status).toBe(403);
  await grant(['shots.list']);
  expect((await call('GET', '/shots/aggregate')).status).toBe(200);
  const refused = await call<{ message: string }>('GET', '/shots/aggregate?group=film_id.studio_id');
  expect([refused.status, refused.body.message]).toEqual([400, 'group: you may not list Films.']);
});

test('records are grouped by every field that can be grouped by, choices that are numbers too', async () => {
  const { admin } = callers as { admin: Client };
  const { body } = await admin<{ data: { name: string; fields: Record<string, Field> }[] }>('GET', '/definitions');
  const failed: string[] = [];
  let groups = 0;
  for (const { name, fields } of body.data)
    for (const field of Object.values(fields)) {
      if (!isGroupable(field)) continue;
      const unit = ['day', 'instant'].includes(fieldTypeOf(field).holds) ? ':month' : '';
      for (const query of [`group=${field.name}${unit}`, `group=${field.name}${unit}&sort_by=group`]) {
        const answer = await admin('GET', `/${name}/aggregate?${query}`);
        groups += Number(answer.status === 200);
        if (answer.status >= 500) failed.push(`${name} ${query}`);
      }
    }
  expect(failed).toEqual([]);
  expect(groups).toBeGreaterThan(100);
});

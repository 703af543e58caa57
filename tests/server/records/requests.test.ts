import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { resolveReferences } from '../../support/openapi';

interface Row {
  id: number;
  name: string;
  [name: string]: unknown;
}
interface One {
  data: Row;
  message?: string;
  errors?: Record<string, string>;
}
interface Many {
  data: Row[];
}

let program: DemoProgram;
let admin: Client;
let owner: Client;
let developer: Client;
let qa: Client;
let external: Client;
let harbour: Client;
let film: number;
let module: number;

beforeAll(async () => {
  program = await startFixtureProgram();
  [admin, owner, developer, qa, external, harbour] = (await Promise.all(
    (['admin', 'owner', 'developer', 'qa', 'external', 'harbour'] as const).map((one) => program.signIn(accounts[one])),
  )) as [Client, Client, Client, Client, Client, Client];
  const { body } = await external<Row[]>('GET', '/films');
  film = body[0]!.id;
  const modules = await owner<Row[] | Many>('GET', `/scenes?film_id=${film}&is_parent=1`);
  module = (Array.isArray(modules.body) ? modules.body : modules.body.data)[0]!.id;
});
afterAll(() => program?.close());

async function create(call: Client, path: string, body: object): Promise<Row> {
  const answer = await call<One>('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

const shot = (call: Client, more: object = {}) =>
  create(call, '/shots', { name: 'Check sign-in', film_id: film, scene_id: module, ...more });
const screening = (call: Client, more: object = {}) =>
  create(call, '/screenings', { name: 'Signs in', film_id: film, ...more });

describe('a request on a record', () => {
  test('changes its fields and adds the related record, both in the history', async () => {
    const { id } = await shot(owner, { status_id: 1 });
    const answer = await developer<One>('PATCH', `/shot/${id}`, { status_id: 2, comments: 'On it', role_id: 4 });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.data).toMatchObject({ id, status_id: 2, shotstatus: { id: 2 } });
    expect(answer.body.data.notes).toMatchObject([{ comments: 'On it' }]);
    const history = await owner<{ data: Row[] }>('GET', `/shots/${id}/history`);
    expect(history.body.data[0]).toMatchObject({
      event: 'updated',
      old_values: { status_id: 1 },
      new_values: { status_id: 2 },
    });
  });

  test('reports all errors at once, and stores nothing', async () => {
    const { id } = await shot(owner, { status_id: 1 });
    const none = await developer<One>('PATCH', `/shot/${id}`, {});
    expect(none.status).toBe(422);
    expect(none.body.errors).toEqual({ status_id: 'Status is required.', comments: 'Comments is required.' });
    const wrong = await developer<One>('PATCH', `/shot/${id}`, { status_id: 999, comments: 'x'.repeat(5001), nam: 1 });
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.body.errors!).sort()).toEqual(['comments', 'nam', 'status_id']);
    const half = await developer<One>('PATCH', `/shot/${id}`, { status_id: 3, comments: '' });
    expect(half.status).toBe(422);
    const other = await developer<One>('PATCH', `/shot/${id}`, { status_id: 3, comments: 'x', name: 'Other' });
    expect(other.body.errors).toEqual({ name: 'Unknown property name.' });
    const { body } = await owner<One>('GET', `/shots/${id}`);
    expect(body.data).toMatchObject({ status_id: 1, notes: [] });
  });

  test('never requires a hidden field, and refuses it if it differs', async () => {
    const { id } = await shot(owner, { status_id: 1 });
    const said = await external<One>('PATCH', `/shot/${id}`, { comments: 'Please hurry', role_id: 6 });
    expect(said.status, JSON.stringify(said.body)).toBe(200);
    const same = await external<One>('PATCH', `/shot/${id}`, { comments: 'Please', status_id: 1 });
    expect(same.status).toBe(200);
    const differs = await external<One>('PATCH', `/shot/${id}`, { comments: 'Done', status_id: 3 });
    expect(differs.status).toBe(403);
    const { body } = await owner<One>('GET', `/shots/${id}`);
    expect(body.data.status_id).toBe(1);
    expect(body.data.notes).toHaveLength(2);
  });

  test('follows the row and field rules of the record', async () => {
    const own = await screening(owner);
    const people = await owner<Many>('GET', `/screenings/choices/operator_id?film_id=${film}`);
    const operator_id = people.body.data[0]!.id;
    const answer = await qa<One>('PATCH', `/screening/${own.id}`, { status_id: 3, operator_id, comments: 'Look' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.data).toMatchObject({ status_id: 3, operator_id });
    expect((await qa<One>('PUT', `/screenings/${own.id}`, { name: 'Mine now' })).status).toBe(403);
  });

  test('is limited to the company', async () => {
    const { id } = await shot(owner);
    expect((await harbour('PATCH', `/shot/${id}`, { status_id: 2, comments: 'Hello' })).status).toBe(404);
    expect((await program.call('PATCH', `/shot/${id}`, { comments: 'Hello' })).status).toBe(401);
    expect((await owner('PATCH', `/nothing/${id}`, {})).status).toBe(404);
    expect((await owner('PATCH', '/shot/0', {})).status).toBe(404);
    const made = await admin<One>('PATCH', `/shot/${id}`, { status_id: 2, comments: 'From above' });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const read = await owner<One>('GET', `/shots/${id}`);
    expect(read.body.data.notes).toMatchObject([{ comments: 'From above' }]);
  });

  test('does not overwrite concurrent changes', async () => {
    const seen = await shot(owner, { status_id: 1 });
    await owner('PUT', `/shots/${seen.id}`, { name: 'Another name' });
    const late = { status_id: 2, comments: 'Late', updated_at: seen.updated_at };
    expect((await owner('PATCH', `/shot/${seen.id}`, late)).status).toBe(409);
    const { body } = await owner<One>('GET', `/shots/${seen.id}`);
    expect(body.data.notes).toEqual([]);
  });
});

describe('a parameter of named values', () => {
  test('selects its named condition, in both query formats; any other value gets 400', async () => {
    const open = await screening(owner, { name: 'Still open', status_id: 2 });
    const closed = await screening(owner, { name: 'All done', status_id: 5 });
    const ids = async (query: string) => {
      const { body, status } = await owner<Many>('GET', `/screenings?${query}`);
      expect(status).toBe(200);
      return body.data.map(({ id }) => id);
    };
    expect(await ids('status=open')).toContain(open.id);
    expect(await ids('status=open')).not.toContain(closed.id);
    expect(await ids('status=close')).toContain(closed.id);
    expect(await ids(`filter=${encodeURIComponent('{"status":"close"}')}`)).not.toContain(open.id);
    for (const query of ['status=shut', 'status=', 'status=toString', 'status=open&status=close']) {
      const answer = await owner<One>('GET', `/screenings?${query}`);
      expect(answer.status, query).toBe(400);
      expect(answer.body.message).toContain('status');
    }
  });
});

describe('a copy', () => {
  test('remembers its original, however deep, and has its own link', async () => {
    const first = await screening(owner);
    const second = await screening(owner, { name: 'Signs in - Copy', copyOf: first.id });
    const third = await screening(owner, { name: 'Signs in - Copy - Copy', copyOf: second.id });
    expect(third.copyOf).toBe(second.id);
    expect(second.public_link).not.toBe(first.public_link);
    const foreign = await harbour<One>('POST', '/screenings', {
      name: 'Stolen',
      film_id: film,
      copyOf: first.id,
    });
    expect(foreign.status).toBe(422);
    expect(foreign.body.errors).toHaveProperty('copyOf');
  });
});

describe('a share link', () => {
  test('is created with the record, and never by a client', async () => {
    const made = await screening(owner, { public_link: 'mine' });
    expect(made.public_link).toMatch(/^[\w-]{22,}$/);
    const changed = await owner<One>('PUT', `/screenings/${made.id}`, { name: 'Other', public_link: 'mine' });
    expect(changed.body.data.public_link).toBe(made.public_link);
    const history = await owner('GET', `/screenings/${made.id}/history`);
    expect(JSON.stringify(history.body)).not.toContain(made.public_link);
  });

  test('can be replaced and removed by users who may edit', async () => {
    const made = await screening(owner);
    const again = await owner<One>('POST', `/screenings/${made.id}/share`);
    expect(again.status).toBe(200);
    expect(again.body.data.public_link).toMatch(/^[\w-]{22,}$/);
    expect(again.body.data.public_link).not.toBe(made.public_link);
    const none = await owner<One>('DELETE', `/screenings/${made.id}/share`);
    expect(none.body.data.public_link).toBeNull();
    expect((await owner<One>('GET', `/screenings/${made.id}`)).body.data.public_link).toBeNull();
    expect((await harbour('POST', `/screenings/${made.id}/share`)).status).toBe(404);
    expect((await owner('POST', '/shots/1/share')).status).toBe(404);
  });

  test('neither filters nor sorts', async () => {
    expect((await owner('GET', '/screenings?public_link=x')).status).toBe(400);
    expect((await owner('GET', '/screenings?sort_by=public_link')).status).toBe(400);
  });
});

describe('times of day and durations', () => {
  const log = async (more: object) => {
    const { id } = await shot(developer);
    return developer<One>('POST', '/shifts', {
      shot_id: id,
      date: '2026-01-05',
      start: '09:00',
      end: '10:30',
      ...more,
    });
  };

  test('are accepted with or without their date, and returned with it', async () => {
    const plain = await log({});
    expect(plain.status, JSON.stringify(plain.body)).toBe(201);
    expect(plain.body.data).toMatchObject({
      date: '2026-01-05',
      start: '2026-01-05 09:00',
      end: '2026-01-05 10:30',
      worked: '1.30',
    });
    const full = await log({ start: '2026-01-05 09:00', end: '2026-01-05 09:05', worked: '9.00' });
    expect(full.body.data).toMatchObject({ start: '2026-01-05 09:00', worked: '0.05' });
    const { id } = full.body.data;
    const later = await developer<One>('PUT', `/shifts/${id}`, { ...full.body.data, end: '2026-01-05 21:00' });
    expect(later.status, JSON.stringify(later.body)).toBe(200);
    expect(later.body.data).toMatchObject({ end: '2026-01-05 21:00', worked: '12.00' });
    const history = await developer<{ data: Row[] }>('GET', `/shifts/${id}/history`);
    expect(history.body.data[0]).toMatchObject({ new_values: { end: '21:00', worked: '12.00' } });
    const found = await developer<Many>('GET', '/shifts?worked_from=12.00&sort_by=worked');
    expect(found.body.data.map((one) => one.id)).toEqual([id]);
    expect((await developer('GET', '/shifts?worked_from=1.75')).status).toBe(400);
    const within = await developer<One>('GET', `/shots/${later.body.data.shot_id as number}`);
    expect(within.body.data.shifts).toMatchObject([{ start: '2026-01-05 09:00', worked: '12.00' }]);
  });

  test.each([
    [{ end: '09:00' }, { end: 'End Time must be after Start Time (09:00).' }],
    [{ end: '2026-01-05 08:59' }, { end: 'End Time must be after Start Time (09:00).' }],
    [{ start: '9am' }, { start: 'Start Time must be a time such as 14:30.' }],
    [{ start: '2026-02-30 09:00' }, { start: 'Start Time must be a time such as 14:30.' }],
    [{ date: '2999-01-01' }, { date: 'Date cannot be in the future.' }],
  ])('%j is refused', async (more, errors) => {
    const answer = await log(more);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual(errors);
  });

  test('are sorted by their date first', async () => {
    const day = async (date: string, start: string) => (await log({ date, start, end: '23:59' })).body.data.id;
    const [third, first, second] = [
      await day('2025-03-03', '08:00'),
      await day('2025-03-02', '09:00'),
      await day('2025-03-02', '10:00'),
    ];
    const { body } = await developer<Many>('GET', '/shifts?date_from=2025-03-02&date_to=2025-03-03&sort_by=start');
    expect(body.data.map(({ id }) => id)).toEqual([first, second, third]);
  });

  test('today is the caller’s day', async () => {
    const { id } = await shot(developer);
    const day = (zone: string) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());
    const ahead = day('Pacific/Kiritimati');
    const body = { shot_id: id, date: ahead, start: '00:00', end: '00:01' };
    const there = await developer('POST', '/shifts', body, { 'x-timezone': 'Pacific/Kiritimati' });
    expect(there.status).toBe(201);
    const behind = await developer('POST', '/shifts', body, { 'x-timezone': 'Pacific/Pago_Pago' });
    expect(behind.status).toBe(422);
  });
});

type Paths = Record<string, Record<string, unknown>>;

test('the OpenAPI document contains requests, share links and named values', async () => {
  const { body: named } = await developer<{ paths: Paths; components: object }>('GET', '/openapi.json');
  const body = { paths: resolveReferences<Paths>(named, named.paths) };
  expect(body.paths['/shot/{id}']).toHaveProperty(
    'patch.requestBody.content.application/json.schema.properties.comments',
  );
  expect(body.paths['/screenings/{id}/share']).toMatchObject({ post: {}, delete: {} });
  expect(JSON.stringify(body.paths['/screenings'])).toContain('"enum":["open","close"]');
  expect(JSON.stringify(body.paths['/shifts/{id}'])).toContain('"worked":{"type":["string","null"]');
});

// @module-tag slow
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';

let program: DemoProgram;
let admin: Client;
let owner: Client;
let manager: Client;
let external: Client;
let harbour: Client;

beforeAll(async () => {
  program = await startDemoProgram();
  admin = await program.signIn(accounts.admin);
  owner = await program.signIn(accounts.owner);
  manager = await program.signIn(accounts.manager);
  external = await program.signIn(accounts.external);
  harbour = await program.signIn(accounts.harbour);
});
afterAll(() => program?.close());

interface Row {
  id: number;
  name: string;
  [name: string]: unknown;
}

const client = { name: 'Acme', code: 'AC1', address: 'Main 1', post_code: '1', email: 'a@acme.test', country_id: 4 };
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

async function create(call: Client, path: string, body: object): Promise<Row> {
  const answer = await call<Row & { data?: Row }>('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data ?? answer.body;
}

describe('lists', () => {
  test('both query formats select the same records', async () => {
    const plain = await owner<Row[]>('GET', '/clients?sort_by=-name');
    const simple = await owner<Row[]>('GET', `/clients?sort=${json(['name', 'DESC'])}&range=[0,99]&filter={}`);
    expect(plain.body.length).toBeGreaterThan(2);
    expect(simple.body).toEqual(plain.body);
    expect(plain.headers['content-range']).toBe(`clients 0-${plain.body.length - 1}/${plain.body.length}`);
    const [first, second] = plain.body;
    const two = await owner<Row[]>('GET', `/clients?id=${first!.id},${second!.id}`);
    const same = await owner<Row[]>('GET', `/clients?filter=${json({ id: [first!.id, second!.id] })}`);
    expect(two.body.map(({ id }) => id).sort()).toEqual([first!.id, second!.id].sort());
    expect(same.body).toEqual(two.body);
  });

  test('totals depend on the caller’s own day, whoever asked before', async () => {
    const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Pacific/Kiritimati'];
    const total = async (path: string, zone: string) => {
      const answer = await owner<Row[]>('GET', path, undefined, { 'x-timezone': zone });
      return Number(String(answer.headers['content-range']).split('/')[1]);
    };
    // Between the two zones lies a day of which the first says that it is over.
    const yesterday = new Date(Date.now() + 14 * 3_600_000 - 86_400_000).toISOString().slice(0, 10);
    const [sample] = (await owner<{ data: Row[] }>('GET', '/tasks?range=[0,0]')).body.data;
    const { name, project_id, project_module_id, priority_id } = sample!;
    const task = { name, project_id, project_module_id, priority_id, status_id: 1, end_date: yesterday };
    for (let count = 0; count < 2; count++) await create(owner, '/tasks', task);
    const found: Record<string, number[]> = { page: [], rows: [], not: [] };
    for (const zone of zones) {
      found.page!.push(await total('/tasks?is_delayed=true&range=[0,0]', zone));
      found.rows!.push(await total('/tasks?is_delayed=true&range=[0,999]', zone));
      found.not!.push(await total('/tasks?is_delayed=false&range=[0,0]', zone));
    }
    expect(found.page).toEqual(found.rows);
    expect(found.page![1]).toBeLessThanOrEqual(found.page![0]! - 2);
    expect(found.page![2]).toBe(found.page![0]);
    expect(found.not![1]! - found.not![0]!).toBe(found.page![0]! - found.page![1]!);
  });

  test('a page has the correct total', async () => {
    const all = await owner<Row[]>('GET', '/clients');
    const page = await owner<Row[]>('GET', '/clients?range=[1,2]');
    expect(page.headers['content-range']).toBe(`clients 1-2/${all.body.length}`);
    expect(page.body).toEqual(all.body.slice(1, 3));
    const beyond = await owner<Row[]>('GET', '/clients?range=[1000,1001]');
    expect(beyond.headers['content-range']).toBe(`clients */${all.body.length}`);
    const made = await create(owner, '/clients', client);
    const after = await owner<Row[]>('GET', '/clients?range=[1,2]');
    expect(after.headers['content-range']).toBe(`clients 1-2/${all.body.length + 1}`);
    expect((await owner('DELETE', `/clients/${made.id}`)).status).toBe(200);
    const less = await owner<Row[]>('GET', '/clients?range=[1,2]');
    expect(less.headers['content-range']).toBe(`clients 1-2/${all.body.length}`);
  });

  test.each(['UTC', 'Europe/Berlin', 'Pacific/Auckland', 'America/Los_Angeles'])(
    'days are those of %s, including the first and the last possible ones',
    async (zone) => {
      const headers = { 'x-timezone': zone };
      const total = async (query: string) => {
        const answer = await owner('GET', `/clients?${query}`, undefined, headers);
        return String(answer.headers['content-range']).split('/')[1];
      };
      const all = await total('');
      expect(await total('created_at_from=0001-01-01&created_at_to=9999-12-31')).toBe(all);
      expect(await total('created_at=9999-12-31')).toBe('0');
      expect(await total('created_at=0001-01-01')).toBe('0');
      const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());
      const made = await create(owner, '/clients', client);
      expect(await total(`created_at=${today}&id=${made.id}`)).toBe('1');
    },
  );

  test('a day whose midnight the clocks skip begins an hour later, and the day before has all of its own', async () => {
    const made = await create(owner, '/clients', client);
    // Half past eleven at night in Cairo, whose clocks go from midnight to one o'clock then.
    await sql`update public.clients set created_at = '2026-04-23T21:30:00Z' where id = ${made.id}`.execute(
      program.program.database.kysely,
    );
    const found = async (day: string) => {
      const headers = { 'x-timezone': 'Africa/Cairo' };
      return (await owner<Row[]>('GET', `/clients?created_at=${day}&id=${made.id}`, undefined, headers)).body.length;
    };
    expect([await found('2026-04-23'), await found('2026-04-24')]).toEqual([1, 0]);
  });

  test('embeds are beside their ids', async () => {
    const { body } = await owner<Row[]>('GET', '/projects?sort_by=client');
    const project = body.find(({ client_id }) => client_id !== null)!;
    expect(project.client).toEqual({ id: project.client_id, name: expect.any(String) });
    expect(project.created_by).toMatchObject({ id: expect.any(Number), name: expect.any(String) });
    expect(project.user_ids).toEqual(expect.any(Array));
    const names = body.flatMap((one) => (one.client ? [(one.client as Row).name] : []));
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
    const one = await owner<Row>('GET', `/projects/${project.id}`);
    expect(one.body.project_users).toEqual(expect.any(Array));
    expect(one.body.project_modules).toEqual(expect.any(Array));
  });

  test.each([
    ['projects', 'owner', 'client,name,tasks_count', ['id', 'name', 'client', 'tasks_count']],
    ['projects', 'owner', 'user_ids,client_id,id', ['id', 'client_id', 'user_ids']],
    [
      'tasks',
      'owner',
      'name,is_delayed,assign,created_by_user',
      ['id', 'name', 'assign', 'is_delayed', 'created_by_user'],
    ],
    // Hooks complete these, and see the whole row meanwhile.
    ['time-logs', 'owner', 'date,warning,task', ['id', 'task', 'date', 'warning']],
    ['test-cases', 'owner', 'screenshot,created_by', ['id', 'screenshot', 'created_by']],
    ['test-cases', 'external', 'sharable_link,name', ['id', 'name', 'sharable_link']],
    ['clients', 'owner', '', ['id']],
  ] as const)('%s as %s only contain the fields %s', async (path, who, names, properties) => {
    const call = { owner, external }[who];
    type Answer = Row[] | { data: Row[] };
    const rowsOf = (body: Answer) => (Array.isArray(body) ? body : body.data);
    const query = 'sort_by=-id&range=[0,4]';
    const all = await call<Answer>('GET', `/${path}?${query}`);
    const some = await call<Answer>('GET', `/${path}?${query}&fields=${names}`);
    expect(some.headers['content-range']).toBe(all.headers['content-range']);
    expect(rowsOf(all.body).length).toBeGreaterThan(0);
    const kept = (row: Row) =>
      Object.fromEntries(properties.filter((name) => name in row).map((name) => [name, row[name]]));
    expect(rowsOf(some.body)).toEqual(rowsOf(all.body).map(kept));
    expect(Object.keys(rowsOf(some.body)[0]!).sort()).toEqual([...properties].sort());
    const { id } = rowsOf(all.body)[0]!;
    const listed = names.split(',').filter((name) => !name.endsWith('_count'));
    const one = await call<Row & { data?: Row }>('GET', `/${path}/${id}?fields=${listed.join()}`);
    const whole = await call<Row & { data?: Row }>('GET', `/${path}/${id}`);
    const expected = properties.filter((name) => !name.endsWith('_count'));
    const [narrow, full] = [one.body.data ?? one.body, whole.body.data ?? whole.body];
    expect(narrow).toEqual(Object.fromEntries(expected.map((name) => [name, full[name]])));
  });

  test.each([
    ['/clients?fields=nonsense'],
    ['/clients?fields=name&fields=code'],
    ['/clients?fields=__proto__'],
    ['/users?fields=password'],
    ['/projects?fields=tasks'],
    ['/projects/1?fields=tasks_count'],
    ['/clients?nonsense=1'],
    ['/clients?sort_by=nonsense'],
    ['/clients?sort_by=projects'],
    ['/clients?range=[5,1]'],
    ['/clients?range=x'],
    [`/clients?sort=${json(['id', 'SIDEWAYS'])}`],
    ['/clients?filter={"x":'],
    ['/clients?filter=[]'],
    [`/clients?filter=${json({ name: 5 })}`],
    [`/clients?filter=${json({ name: { $regex: 'a' } })}`],
    [`/clients?filter=${json({ country_id: { a: 1 } })}`],
    ['/clients?id=abc'],
    ['/clients?id=99999999999'],
    ['/clients?country_id='],
    ['/clients?__proto__=1'],
    ['/clients?constructor=1'],
    ['/clients?toString=1'],
    ['/clients?q=a%00b'],
    ['/clients?q=a&q=b'],
    ['/clients?sort_by=name&sort_by=code'],
    ['/clients?filter=%7B%7D&filter=%7B%7D'],
    ['/clients?name=%00'],
    ['/clients?archive=maybe'],
    ['/clients?created_at_from=yesterday'],
    ['/projects?start_date=2026-13-01'],
    ['/users?password=x'],
  ])('%s is refused with 400 and a reason', async (path) => {
    const answer = await owner<{ message: string }>('GET', path);
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });

  test('filters by range, by search and by parameters', async () => {
    const all = (await owner<Row[]>('GET', '/projects')).body;
    const from = '2026-01-01';
    const span = await owner<Row[]>('GET', `/projects?start_date=${from}`);
    expect(span.body.map(({ id }) => id)).toEqual(
      all.filter((one) => String(one.start_date) >= from).map(({ id }) => id),
    );
    const found = await owner<Row[]>(
      'GET',
      `/projects?q=${encodeURIComponent(all[0]!.name.slice(1, 5).toUpperCase())}`,
    );
    expect(found.body.map(({ id }) => id)).toContain(all[0]!.id);
    const now = new Date().toISOString().slice(0, 10);
    const today = await owner<Row[]>('GET', `/clients?created_at_from=${now}&created_at_to=${now}`);
    expect(today.status).toBe(200);
    const parents = await owner<{ data: Row[] }>('GET', '/project-modules?is_parent=1');
    expect(parents.body.data.every(({ parent_module }) => parent_module === null)).toBe(true);
    const members = await owner<{ data: Row[] }>('GET', `/users?project_id=${all[0]!.id}&all=1`);
    expect(members.body.data.map(({ id }) => id).sort()).toEqual([...(all[0]!.user_ids as number[])].sort());
    const none = await owner<Row[]>('GET', `/projects?filter=${json({ end_date: null })}`);
    expect(none.body.every(({ end_date }) => end_date === null)).toBe(true);
  });
});

describe('writing', () => {
  test('keeps properties that are left out, and prevents overwriting', async () => {
    const made = await create(owner, '/clients', { ...client, city: 'Rome' });
    const changed = await owner<Row>('PUT', `/clients/${made.id}`, { name: 'Acme 2', updated_at: made.updated_at });
    expect(changed.body).toMatchObject({ name: 'Acme 2', city: 'Rome', code: 'AC1' });
    const stale = await manager<{ message: string }>('PUT', `/clients/${made.id}`, { ...made, name: 'Mine' });
    expect(stale.status).toBe(409);
    expect(stale.body.message).toMatch(/changed by .+ on \d\d-/);
    const history = await owner<{ data: Row[] }>('GET', `/clients/${made.id}/history`);
    expect(history.body.data.map(({ event }) => event)).toEqual(['updated', 'created']);
    expect(history.body.data[0]).toMatchObject({ old_values: { name: 'Acme' }, new_values: { name: 'Acme 2' } });
  });

  test('a record sent back as it came is accepted', async () => {
    const { body } = await owner<Row[]>('GET', '/projects');
    const one = await owner<Row>('GET', `/projects/${body[0]!.id}`);
    const same = await owner<Row>('PUT', `/projects/${body[0]!.id}`, one.body);
    expect(same.status, JSON.stringify(same.body)).toBe(200);
    expect(same.body).toEqual(one.body);
  });

  test.each<[string, object, string]>([
    ['an unknown property', { ...client, nmae: 'x' }, 'nmae'],
    ['a property named as those of objects', { ...client, constructor: 'x' }, 'constructor'],
    ['a missing value', { ...client, name: '' }, 'name'],
    ['a value of another type', { ...client, name: { a: 1 } }, 'name'],
    ['a text that is too long', { ...client, name: 'x'.repeat(151) }, 'name'],
    ['a broken pattern', { ...client, code: 'A-1' }, 'code'],
    ['a NUL', { ...client, name: 'a\0b' }, 'name'],
    ['half a surrogate pair', { ...client, name: 'a\ud800' }, 'name'],
    ['an id that is none', { ...client, country_id: 1e12 }, 'country_id'],
    ['a reference to nothing', { ...client, country_id: 999_999 }, 'country_id'],
    ['a bad address', { ...client, website: 'no url' }, 'website'],
    ['another company', { ...client, site_id: 2 }, 'site_id'],
  ])('refuses %s on its field', async (_, body, field) => {
    const before = await owner<Row[]>('GET', '/clients');
    const answer = await owner<{ errors: Record<string, string> }>('POST', '/clients', body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([field]);
    expect((await owner<Row[]>('GET', '/clients')).body).toEqual(before.body);
  });

  test('reports all errors at once', async () => {
    const { body } = await owner<{ errors: object }>('POST', '/clients', { email: 'x', country_id: 999_999 });
    expect(Object.keys(body.errors).sort()).toEqual(['address', 'code', 'country_id', 'email', 'name', 'post_code']);
  });

  test('references stay in the company', async () => {
    const { body } = await harbour<Row[]>('GET', '/clients');
    const theirs = body[0] ?? (await create(harbour, '/clients', client));
    const answer = await owner<{ errors: object }>('POST', '/projects', { name: 'P', client_id: theirs.id });
    expect(answer).toMatchObject({ status: 422, body: { errors: { client_id: expect.any(String) } } });
    const missing = await admin<{ errors: object }>('POST', '/clients', client);
    expect(missing).toMatchObject({ status: 422, body: { errors: { site_id: 'Company is required.' } } });
  });

  test('choices are checked again, and self relations stay flat', async () => {
    const projects = (await owner<Row[]>('GET', '/projects')).body;
    const [p, q] = projects;
    const parent = await create(owner, '/project-modules', { name: 'Parent', project_id: p!.id });
    const child = await create(owner, '/project-modules', {
      name: 'Child',
      project_id: p!.id,
      parent_module: parent.id,
    });
    for (const body of [
      { name: 'X', project_id: q!.id, parent_module: parent.id },
      { name: 'X', project_id: p!.id, parent_module: child.id },
    ]) {
      const refused = await owner<{ errors: object }>('POST', '/project-modules', body);
      expect(refused).toMatchObject({ status: 422, body: { errors: { parent_module: expect.any(String) } } });
    }
    const moved = await owner('PUT', `/project-modules/${child.id}`, { project_id: q!.id });
    expect(moved.status).toBe(422);
    const leaving = await owner('PUT', `/project-modules/${parent.id}`, { project_id: q!.id });
    const reason =
      'Project cannot change: this project module is used by 1 project module there. Move or delete those first.';
    expect(leaving).toMatchObject({ status: 422, body: { errors: { project_id: reason } } });
    const offered = await owner<{ data: Row[] }>(
      'GET',
      `/project-modules/choices/parent_module?project_id=${p!.id}&record=${parent.id}`,
    );
    expect(offered.body.data.map(({ id }) => id)).not.toContain(parent.id);
    expect((await owner('GET', '/project-modules/choices/parent_module?record=x')).status).toBe(400);
    const below = await owner('PUT', `/project-modules/${parent.id}`, { parent_module: child.id });
    expect(below.status).toBe(422);
    const used = await owner<{ message: string }>('DELETE', `/project-modules/${parent.id}`);
    expect(used).toMatchObject({ status: 409, body: { message: 'Project Module is used by 1 project module.' } });
    const choices = await owner<{ data: { id: number; title: string }[] }>(
      'GET',
      `/project-modules/choices/parent_module?project_id=${p!.id}&q=paren`,
    );
    expect(choices.body.data).toContainEqual({ id: parent.id, title: 'Parent' });
    expect((await owner<{ data: [] }>('GET', '/project-modules/choices/parent_module')).body.data).toEqual([]);
  });

  test('accepts a form with values as text', async () => {
    const boundary = 'x';
    const ticket = { type: 'issue', description: 'Sent as a form', priority_id: 1 };
    const parts = Object.entries(ticket).map(
      ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const send = (path: string) =>
      owner<Row>('POST', path, `${parts.join('')}--x--\r\n`, {
        'content-type': `multipart/form-data; boundary=${boundary}`,
      });
    expect(await send('/support-tickets')).toMatchObject({ status: 201, body: ticket });
    // Nothing else takes forms: they could carry files.
    expect(await send('/clients')).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_TYPE' } });
  });
});

describe('the response of a write', () => {
  test('is identical to that of reading the record, also with an idempotency key', async () => {
    const [project] = (await owner<Row[]>('GET', '/projects')).body;
    const [task] = (await owner<{ data: Row[] }>('GET', '/tasks')).body.data;
    const { project_id, project_module_id, priority_id } = task!;
    const bodies: [string, object][] = [
      ['/clients', client],
      ['/projects', { name: 'Written', client_id: project!.client_id, type_id: project!.type_id }],
      ['/projects', { name: 'With people', client_id: project!.client_id, user_ids: [2] }],
      ['/project-modules', { name: 'Written', project_id }],
      ['/tasks', { name: 'Written', project_id, project_module_id, priority_id, status_id: 1 }],
      ['/priorities', { option_name: 'Written' }],
    ];
    for (const [index, [path, body]] of bodies.entries()) {
      for (const key of [undefined, { 'idempotency-key': `as-read-${index}` }]) {
        const name = 'option_name' in body ? 'option_name' : 'name';
        const made = await owner<Row & { data?: Row }>('POST', path, { ...body, [name]: `Made ${key ? 1 : 2}` }, key);
        expect([path, made.status, made.headers['content-type']]).toEqual([
          path,
          201,
          'application/json; charset=utf-8',
        ]);
        const at = `${path}/${(made.body.data ?? made.body).id}`;
        const read = async () => JSON.stringify((await owner('GET', at)).body);
        expect([path, JSON.stringify(made.body)]).toEqual([path, await read()]);
        const changed = await owner(
          'PUT',
          at,
          { [name]: `Changed ${key ? 1 : 2}` },
          key && { 'idempotency-key': `${at}-${path}` },
        );
        expect([changed.status, JSON.stringify(changed.body)]).toEqual([200, await read()]);
      }
    }
  });
});

describe('access', () => {
  test('records of other companies do not exist', async () => {
    const mine = await create(owner, '/clients', client);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '', { name: 'x' }],
      ['DELETE', '', undefined],
      ['GET', '/history', undefined],
    ] as const) {
      const answer = await harbour(method, `/clients/${mine.id}${path}`, body);
      expect(answer, method).toMatchObject({ status: 404, body: { message: 'Not found.' } });
    }
    expect((await harbour<Row[]>('GET', `/clients?id=${mine.id}`)).body).toEqual([]);
    expect((await admin<Row>('GET', `/clients/${mine.id}`)).status).toBe(200);
  });

  test('row rules hide, grants refuse', async () => {
    const all = (await owner<Row[]>('GET', '/projects')).body;
    const seen = (await external<Row[]>('GET', '/projects')).body;
    expect(seen.length).toBe(2);
    const hidden = all.find(({ id }) => !seen.some((one) => one.id === id))!;
    expect((await external('GET', `/projects/${hidden.id}`)).status).toBe(404);
    expect((await external('PUT', `/projects/${seen[0]!.id}`, { name: 'x' })).status).toBe(403);
    expect((await external('GET', '/clients')).status).toBe(403);
    expect((await manager('POST', '/countries', { name: 'x' })).status).toBe(403);
  });

  test('shipped rows belong to the installation and stay', async () => {
    expect((await owner('PUT', '/priorities/1', { option_name: 'x' })).status).toBe(403);
    expect((await owner('DELETE', '/priorities/1')).status).toBe(403);
    const renamed = await admin<{ data: Row }>('PUT', '/priorities/1', { option_name: 'Now' });
    expect(renamed.body.data.option_name).toBe('Now');
    expect((await admin('DELETE', '/priorities/1')).status).toBe(409);
    expect((await admin('PUT', '/priorities/1', { option_name: 'Urgent' })).status).toBe(200);
  });

  test('requests without a token get 401, unknown paths 404', async () => {
    expect(await program.call('GET', '/clients')).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' } });
    for (const path of [
      '/clients/0',
      '/clients/99999999999',
      '/clients/x',
      '/nonsense',
      '/clients/1/nonsense',
      '/__proto__',
    ]) {
      expect((await owner('GET', path)).status, path).toBe(404);
    }
  });
});

describe('the archive', () => {
  test('archives followers and restores exactly those', async () => {
    const top = await create(owner, '/clients', client);
    const [one, two] = [
      await create(owner, '/projects', { name: 'One', client_id: top.id }),
      await create(owner, '/projects', { name: 'Two', client_id: top.id }),
    ];
    const part = await create(owner, '/project-modules', { name: 'Part', project_id: two.id });
    expect((await owner('DELETE', `/projects/${one.id}`)).status).toBe(200);
    expect((await owner<Row>('DELETE', `/clients/${top.id}`)).body).toMatchObject({ id: top.id, archive: false });
    const listed = async (query: string) =>
      (await owner<Row[]>('GET', `/projects?client_id=${top.id}${query}`)).body.map(({ name }) => name).sort();
    expect(await listed('')).toEqual([]);
    expect(await listed('&archive=1')).toEqual(['One', 'Two']);
    const parts = async () => (await owner<{ data: Row[] }>('GET', `/project-modules?id=${part.id}`)).body.data.length;
    expect(await parts()).toBe(0);
    expect((await owner('PUT', `/clients/${top.id}`, { name: 'x' })).status).toBe(409);
    expect((await owner('PUT', `/project-modules/${part.id}`, { name: 'x' })).status).toBe(409);
    expect((await owner('PATCH', `/projects/restore/${two.id}`, {})).status).toBe(409);
    expect((await owner('PATCH', `/clients/restore/${top.id}`, {})).status).toBe(200);
    expect(await listed('')).toEqual(['Two']);
    expect(await parts()).toBe(1);
    expect((await owner('PATCH', `/projects/restore/${one.id}`, {})).status).toBe(200);
    expect((await owner('PATCH', `/projects/restore/${one.id}`, {})).status).toBe(409);
  });
});

describe('invalid bodies', () => {
  const type = { 'content-type': 'application/json' };
  test.each<[string, string, Record<string, string>, number]>([
    ['broken JSON', '{"name":', type, 400],
    ['a list', '[1]', type, 400],
    ['a text', '"x"', type, 400],
    ['a prototype', '{"__proto__":{"a":1}}', type, 400],
    ['deep JSON', `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, type, 422],
    ['too much', `{"name":"${'x'.repeat(6 * 1024 * 1024)}"}`, type, 413],
    [
      'a broken form',
      '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nA',
      { 'content-type': 'multipart/form-data; boundary=x' },
      400,
    ],
    ['another type', '<a/>', { 'content-type': 'application/xml' }, 415],
  ])('%s', async (name, body, headers, status) => {
    const path = name === 'a broken form' ? '/support-tickets' : '/clients';
    const answer = await owner<{ message: string }>('POST', path, body, headers);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(answer.body.message).toMatch(/\S/);
  });
});

describe('information about the program', () => {
  test('health, definitions with an ETag, and OpenAPI', async () => {
    expect(await program.call('GET', '/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
    const first = await owner<{ data: Row[] }>('GET', '/definitions');
    expect(first.body.data.map(({ name }) => name)).toContain('clients');
    const tag = String(first.headers.etag);
    expect((await owner('GET', '/definitions', undefined, { 'if-none-match': tag })).status).toBe(304);
    const openapi = await owner<{ openapi: string; paths: object }>('GET', '/openapi.json');
    expect(openapi.body.openapi).toMatch(/^3\.1/);
    expect(Object.keys(openapi.body.paths)).toEqual(expect.arrayContaining(['/clients', '/clients-export']));
    const theirs = await external<{ paths: object }>('GET', '/openapi.json');
    expect(Object.keys(theirs.body.paths).some((path) => path.startsWith('/clients'))).toBe(false);
    expect((await program.call('GET', '/openapi.json')).status).toBe(401);
  });
});

// @module-tag slow
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

let program: DemoProgram;
let admin: Client;
let owner: Client;
let manager: Client;
let external: Client;
let harbour: Client;

beforeAll(async () => {
  program = await startFixtureProgram();
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

const client = { name: 'Acme', code: 'AC1', address: 'Main 1', post_code: '1', email: 'a@acme.test', territory_id: 4 };
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

async function create(call: Client, path: string, body: object): Promise<Row> {
  const answer = await call<Row & { data?: Row }>('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data ?? answer.body;
}

describe('lists', () => {
  test('both query formats select the same records', async () => {
    const plain = await owner<Row[]>('GET', '/studios?sort_by=-name');
    const simple = await owner<Row[]>('GET', `/studios?sort=${json(['name', 'DESC'])}&range=[0,99]&filter={}`);
    expect(plain.body.length).toBeGreaterThan(2);
    expect(simple.body).toEqual(plain.body);
    expect(plain.headers['content-range']).toBe(`studios 0-${plain.body.length - 1}/${plain.body.length}`);
    const [first, second] = plain.body;
    const two = await owner<Row[]>('GET', `/studios?id=${first!.id},${second!.id}`);
    const same = await owner<Row[]>('GET', `/studios?filter=${json({ id: [first!.id, second!.id] })}`);
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
    const [sample] = (await owner<{ data: Row[] }>('GET', '/shots?range=[0,0]')).body.data;
    const { name, film_id, scene_id, urgency_id } = sample!;
    const shot = { name, film_id, scene_id, urgency_id, status_id: 1, ends_on: yesterday };
    for (let count = 0; count < 2; count++) await create(owner, '/shots', shot);
    const found: Record<string, number[]> = { page: [], rows: [], not: [] };
    for (const zone of zones) {
      found.page!.push(await total('/shots?is_late=true&range=[0,0]', zone));
      found.rows!.push(await total('/shots?is_late=true&range=[0,999]', zone));
      found.not!.push(await total('/shots?is_late=false&range=[0,0]', zone));
    }
    expect(found.page).toEqual(found.rows);
    expect(found.page![1]).toBeLessThanOrEqual(found.page![0]! - 2);
    expect(found.page![2]).toBe(found.page![0]);
    expect(found.not![1]! - found.not![0]!).toBe(found.page![0]! - found.page![1]!);
  });

  test('a page has the correct total', async () => {
    const all = await owner<Row[]>('GET', '/studios');
    const page = await owner<Row[]>('GET', '/studios?range=[1,2]');
    expect(page.headers['content-range']).toBe(`studios 1-2/${all.body.length}`);
    expect(page.body).toEqual(all.body.slice(1, 3));
    const beyond = await owner<Row[]>('GET', '/studios?range=[1000,1001]');
    expect(beyond.headers['content-range']).toBe(`studios */${all.body.length}`);
    const made = await create(owner, '/studios', client);
    const after = await owner<Row[]>('GET', '/studios?range=[1,2]');
    expect(after.headers['content-range']).toBe(`studios 1-2/${all.body.length + 1}`);
    expect((await owner('DELETE', `/studios/${made.id}`)).status).toBe(200);
    const less = await owner<Row[]>('GET', '/studios?range=[1,2]');
    expect(less.headers['content-range']).toBe(`studios 1-2/${all.body.length}`);
  });

  test.each(['UTC', 'Europe/Berlin', 'Pacific/Auckland', 'America/Los_Angeles'])(
    'days are those of %s, including the first and the last possible ones',
    async (zone) => {
      const headers = { 'x-timezone': zone };
      const total = async (query: string) => {
        const answer = await owner('GET', `/studios?${query}`, undefined, headers);
        return String(answer.headers['content-range']).split('/')[1];
      };
      const all = await total('');
      expect(await total('created_at_from=0001-01-01&created_at_to=9999-12-31')).toBe(all);
      expect(await total('created_at=9999-12-31')).toBe('0');
      expect(await total('created_at=0001-01-01')).toBe('0');
      const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());
      const made = await create(owner, '/studios', client);
      expect(await total(`created_at=${today}&id=${made.id}`)).toBe('1');
    },
  );

  test('a day whose midnight the clocks skip begins an hour later, and the day before has all of its own', async () => {
    const made = await create(owner, '/studios', client);
    // Half past eleven at night in Cairo, whose clocks go from midnight to one o'clock then.
    await sql`update public.studios set created_at = '2026-04-23T21:30:00Z' where id = ${made.id}`.execute(
      program.program.database.kysely,
    );
    const found = async (day: string) => {
      const headers = { 'x-timezone': 'Africa/Cairo' };
      return (await owner<Row[]>('GET', `/studios?created_at=${day}&id=${made.id}`, undefined, headers)).body.length;
    };
    expect([await found('2026-04-23'), await found('2026-04-24')]).toEqual([1, 0]);
  });

  test('a list is sorted by what it shows of related records, each page too', async () => {
    for (const index of [0, 1, 2, 3]) await owner('POST', '/genres', { option_name: `Sorted ${index}` });
    await sql`update public.genres set created_by = (select id from public.users where email = ${accounts.qa})
      where option_name in ('Sorted 1', 'Sorted 3')`.execute(program.program.database.kysely);
    const emails = async (query: string) =>
      (await owner<{ data: Row[] }>('GET', `/genres?${query}`)).body.data.flatMap((one) =>
        one.user ? [(one.user as Row).email as string] : [],
      );
    const all = await emails('sort_by=user.email');
    expect(new Set(all).size).toBeGreaterThan(1);
    expect(all).toEqual([...all].sort((a, b) => a.localeCompare(b, 'en')));
    expect(await emails(`sort=${json(['user.email', 'DESC'])}`)).toEqual([...all].reverse());
    const [first] = await emails('sort_by=-user.email&range=[0,0]&q=Sorted');
    expect(first).toBe(all.at(-1));
  });

  test('embeds are beside their ids', async () => {
    const { body } = await owner<Row[]>('GET', '/films?sort_by=studio');
    const film = body.find(({ studio_id }) => studio_id !== null)!;
    expect(film.studio).toEqual({ id: film.studio_id, name: expect.any(String) });
    expect(film.created_by).toMatchObject({ id: expect.any(Number), name: expect.any(String) });
    expect(film.user_ids).toEqual(expect.any(Array));
    const names = body.flatMap((one) => (one.studio ? [(one.studio as Row).name] : []));
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
    const one = await owner<Row>('GET', `/films/${film.id}`);
    expect(one.body.film_users).toEqual(expect.any(Array));
    expect(one.body.scenes).toEqual(expect.any(Array));
  });

  test.each([
    ['films', 'owner', 'studio,name,shots_count', ['id', 'name', 'studio', 'shots_count']],
    ['films', 'owner', 'user_ids,studio_id,id', ['id', 'studio_id', 'user_ids']],
    [
      'shots',
      'owner',
      'name,is_late,operator,created_by_user',
      ['id', 'name', 'operator', 'is_late', 'created_by_user'],
    ],
    // Hooks complete these, and see the whole row meanwhile.
    ['shifts', 'owner', 'date,warning,shot', ['id', 'shot', 'date', 'warning']],
    ['screenings', 'owner', 'screenshot,created_by', ['id', 'screenshot', 'created_by']],
    ['screenings', 'external', 'public_link,name', ['id', 'name', 'public_link']],
    ['studios', 'owner', '', ['id']],
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
    ['/studios?fields=nonsense'],
    ['/studios?fields=name&fields=code'],
    ['/studios?fields=__proto__'],
    ['/users?fields=password'],
    ['/films?fields=shots'],
    ['/films/1?fields=shots_count'],
    ['/studios?nonsense=1'],
    ['/studios?sort_by=nonsense'],
    ['/studios?sort_by=films'],
    ['/genres?sort_by=user.password'],
    ['/genres?sort_by=user.phone_number'],
    ['/genres?sort_by=user.email.x'],
    ['/films?sort_by=user_ids.email'],
    ['/studios?range=[5,1]'],
    ['/studios?range=x'],
    [`/studios?sort=${json(['id', 'SIDEWAYS'])}`],
    ['/studios?filter={"x":'],
    ['/studios?filter=[]'],
    [`/studios?filter=${json({ name: 5 })}`],
    [`/studios?filter=${json({ name: { $regex: 'a' } })}`],
    [`/studios?filter=${json({ territory_id: { a: 1 } })}`],
    ['/studios?id=abc'],
    ['/studios?id=9007199254740992'],
    ['/studios?territory_id='],
    ['/studios?__proto__=1'],
    ['/studios?constructor=1'],
    ['/studios?toString=1'],
    ['/studios?q=a%00b'],
    ['/studios?q=a&q=b'],
    ['/studios?sort_by=name&sort_by=code'],
    ['/studios?filter=%7B%7D&filter=%7B%7D'],
    ['/studios?name=%00'],
    ['/studios?archive=maybe'],
    ['/studios?created_at_from=yesterday'],
    ['/films?starts_on=2026-13-01'],
    ['/users?password=x'],
  ])('%s is refused with 400 and a reason', async (path) => {
    const answer = await owner<{ message: string }>('GET', path);
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });

  test('filters by range, by search and by parameters', async () => {
    const all = (await owner<Row[]>('GET', '/films')).body;
    const from = '2026-01-01';
    const span = await owner<Row[]>('GET', `/films?starts_on=${from}`);
    expect(span.body.map(({ id }) => id)).toEqual(
      all.filter((one) => String(one.starts_on) >= from).map(({ id }) => id),
    );
    const found = await owner<Row[]>('GET', `/films?q=${encodeURIComponent(all[0]!.name.slice(1, 5).toUpperCase())}`);
    expect(found.body.map(({ id }) => id)).toContain(all[0]!.id);
    const now = new Date().toISOString().slice(0, 10);
    const today = await owner<Row[]>('GET', `/studios?created_at_from=${now}&created_at_to=${now}`);
    expect(today.status).toBe(200);
    const parents = await owner<{ data: Row[] }>('GET', '/scenes?is_parent=1');
    expect(parents.body.data.every(({ parent_scene }) => parent_scene === null)).toBe(true);
    const members = await owner<{ data: Row[] }>('GET', `/users?film_id=${all[0]!.id}&all=1`);
    expect(members.body.data.map(({ id }) => id).sort()).toEqual([...(all[0]!.user_ids as number[])].sort());
    const none = await owner<Row[]>('GET', `/films?filter=${json({ ends_on: null })}`);
    expect(none.body.every(({ ends_on }) => ends_on === null)).toBe(true);
  });
});

describe('writing', () => {
  test('keeps properties that are left out, and prevents overwriting', async () => {
    const made = await create(owner, '/studios', { ...client, city: 'Rome' });
    const changed = await owner<Row>('PUT', `/studios/${made.id}`, { name: 'Acme 2', updated_at: made.updated_at });
    expect(changed.body).toMatchObject({ name: 'Acme 2', city: 'Rome', code: 'AC1' });
    const stale = await manager<{ message: string }>('PUT', `/studios/${made.id}`, { ...made, name: 'Mine' });
    expect(stale.status).toBe(409);
    expect(stale.body.message).toMatch(/changed by .+ on \d\d-/);
    const history = await owner<{ data: Row[] }>('GET', `/studios/${made.id}/history`);
    expect(history.body.data.map(({ event }) => event)).toEqual(['updated', 'created']);
    expect(history.body.data[0]).toMatchObject({ old_values: { name: 'Acme' }, new_values: { name: 'Acme 2' } });
  });

  test('a record sent back as it came is accepted', async () => {
    const { body } = await owner<Row[]>('GET', '/films');
    const one = await owner<Row>('GET', `/films/${body[0]!.id}`);
    const same = await owner<Row>('PUT', `/films/${body[0]!.id}`, one.body);
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
    ['an id that is none', { ...client, territory_id: 1e12 }, 'territory_id'],
    ['a reference to nothing', { ...client, territory_id: 999_999 }, 'territory_id'],
    ['a bad address', { ...client, website: 'no url' }, 'website'],
    ['another company', { ...client, site_id: 2 }, 'site_id'],
  ])('refuses %s on its field', async (_, body, field) => {
    const before = await owner<Row[]>('GET', '/studios');
    const answer = await owner<{ errors: Record<string, string> }>('POST', '/studios', body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([field]);
    expect((await owner<Row[]>('GET', '/studios')).body).toEqual(before.body);
  });

  test('reports all errors at once', async () => {
    const { body } = await owner<{ errors: object }>('POST', '/studios', { email: 'x', territory_id: 999_999 });
    expect(Object.keys(body.errors).sort()).toEqual(['address', 'code', 'email', 'name', 'post_code', 'territory_id']);
  });

  test('references stay in the company', async () => {
    const { body } = await harbour<Row[]>('GET', '/studios');
    const theirs = body[0] ?? (await create(harbour, '/studios', client));
    const answer = await owner<{ errors: object }>('POST', '/films', { name: 'P', studio_id: theirs.id });
    expect(answer).toMatchObject({ status: 422, body: { errors: { studio_id: expect.any(String) } } });
    const missing = await admin<{ errors: object }>('POST', '/studios', client);
    expect(missing).toMatchObject({ status: 422, body: { errors: { site_id: 'Company is required.' } } });
  });

  test('choices are checked again, and self relations stay flat', async () => {
    const films = (await owner<Row[]>('GET', '/films')).body;
    const [p, q] = films;
    const parent = await create(owner, '/scenes', { name: 'Parent', film_id: p!.id });
    const child = await create(owner, '/scenes', {
      name: 'Child',
      film_id: p!.id,
      parent_scene: parent.id,
    });
    for (const body of [
      { name: 'X', film_id: q!.id, parent_scene: parent.id },
      { name: 'X', film_id: p!.id, parent_scene: child.id },
    ]) {
      const refused = await owner<{ errors: object }>('POST', '/scenes', body);
      expect(refused).toMatchObject({ status: 422, body: { errors: { parent_scene: expect.any(String) } } });
    }
    const moved = await owner('PUT', `/scenes/${child.id}`, { film_id: q!.id });
    expect(moved.status).toBe(422);
    const leaving = await owner('PUT', `/scenes/${parent.id}`, { film_id: q!.id });
    const reason = 'Film cannot change: this scene is used by 1 scene there. Move or delete those first.';
    expect(leaving).toMatchObject({ status: 422, body: { errors: { film_id: reason } } });
    const offered = await owner<{ data: Row[] }>(
      'GET',
      `/scenes/choices/parent_scene?film_id=${p!.id}&record=${parent.id}`,
    );
    expect(offered.body.data.map(({ id }) => id)).not.toContain(parent.id);
    expect((await owner('GET', '/scenes/choices/parent_scene?record=x')).status).toBe(400);
    const below = await owner('PUT', `/scenes/${parent.id}`, { parent_scene: child.id });
    expect(below.status).toBe(422);
    const used = await owner<{ message: string }>('DELETE', `/scenes/${parent.id}`);
    expect(used).toMatchObject({ status: 409, body: { message: 'Scene is used by 1 scene.' } });
    const choices = await owner<{ data: { id: number; title: string }[] }>(
      'GET',
      `/scenes/choices/parent_scene?film_id=${p!.id}&q=paren`,
    );
    expect(choices.body.data).toContainEqual({ id: parent.id, title: 'Parent' });
    expect((await owner<{ data: [] }>('GET', '/scenes/choices/parent_scene')).body.data).toEqual([]);
  });

  test('accepts a form with values as text', async () => {
    const boundary = 'x';
    const ticket = { type: 'issue', description: 'Sent as a form', urgency_id: 1 };
    const parts = Object.entries(ticket).map(
      ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const send = (path: string) =>
      owner<Row>('POST', path, `${parts.join('')}--x--\r\n`, {
        'content-type': `multipart/form-data; boundary=${boundary}`,
      });
    expect(await send('/complaints')).toMatchObject({ status: 201, body: ticket });
    // Nothing else takes forms: they could carry files.
    expect(await send('/studios')).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_TYPE' } });
  });
});

describe('the response of a write', () => {
  test('is identical to that of reading the record, also with an idempotency key', async () => {
    const [film] = (await owner<Row[]>('GET', '/films')).body;
    const [shot] = (await owner<{ data: Row[] }>('GET', '/shots')).body.data;
    const { film_id, scene_id, urgency_id } = shot!;
    const bodies: [string, object][] = [
      ['/studios', client],
      ['/films', { name: 'Written', studio_id: film!.studio_id, kind_id: film!.kind_id }],
      ['/films', { name: 'With people', studio_id: film!.studio_id, user_ids: [2] }],
      ['/scenes', { name: 'Written', film_id }],
      ['/shots', { name: 'Written', film_id, scene_id, urgency_id, status_id: 1 }],
      ['/urgencies', { option_name: 'Written' }],
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
    const mine = await create(owner, '/studios', client);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '', { name: 'x' }],
      ['DELETE', '', undefined],
      ['GET', '/history', undefined],
    ] as const) {
      const answer = await harbour(method, `/studios/${mine.id}${path}`, body);
      expect(answer, method).toMatchObject({ status: 404, body: { message: 'Not found.' } });
    }
    expect((await harbour<Row[]>('GET', `/studios?id=${mine.id}`)).body).toEqual([]);
    expect((await admin<Row>('GET', `/studios/${mine.id}`)).status).toBe(200);
  });

  test('row rules hide, grants refuse', async () => {
    const all = (await owner<Row[]>('GET', '/films')).body;
    const seen = (await external<Row[]>('GET', '/films')).body;
    expect(seen.length).toBe(2);
    const hidden = all.find(({ id }) => !seen.some((one) => one.id === id))!;
    expect((await external('GET', `/films/${hidden.id}`)).status).toBe(404);
    expect((await external('PUT', `/films/${seen[0]!.id}`, { name: 'x' })).status).toBe(403);
    expect((await external('GET', '/studios')).status).toBe(403);
    expect((await manager('POST', '/territories', { name: 'x' })).status).toBe(403);
  });

  test('shipped rows belong to the installation and stay', async () => {
    expect((await owner('PUT', '/urgencies/1', { option_name: 'x' })).status).toBe(403);
    expect((await owner('DELETE', '/urgencies/1')).status).toBe(403);
    const renamed = await admin<{ data: Row }>('PUT', '/urgencies/1', { option_name: 'Now' });
    expect(renamed.body.data.option_name).toBe('Now');
    expect((await admin('DELETE', '/urgencies/1')).status).toBe(409);
    expect((await admin('PUT', '/urgencies/1', { option_name: 'Urgent' })).status).toBe(200);
  });

  test('requests without a token get 401, unknown paths 404', async () => {
    expect(await program.call('GET', '/studios')).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' } });
    for (const path of [
      '/studios/0',
      '/studios/9007199254740992',
      '/studios/x',
      '/nonsense',
      '/studios/1/nonsense',
      '/__proto__',
    ]) {
      expect((await owner('GET', path)).status, path).toBe(404);
    }
  });
});

describe('the archive', () => {
  test('archives followers and restores exactly those', async () => {
    const top = await create(owner, '/studios', client);
    const [one, two] = [
      await create(owner, '/films', { name: 'One', studio_id: top.id }),
      await create(owner, '/films', { name: 'Two', studio_id: top.id }),
    ];
    const part = await create(owner, '/scenes', { name: 'Part', film_id: two.id });
    expect((await owner('DELETE', `/films/${one.id}`)).status).toBe(200);
    expect((await owner<Row>('DELETE', `/studios/${top.id}`)).body).toMatchObject({ id: top.id, archive: false });
    const listed = async (query: string) =>
      (await owner<Row[]>('GET', `/films?studio_id=${top.id}${query}`)).body.map(({ name }) => name).sort();
    expect(await listed('')).toEqual([]);
    expect(await listed('&archive=1')).toEqual(['One', 'Two']);
    const parts = async () => (await owner<{ data: Row[] }>('GET', `/scenes?id=${part.id}`)).body.data.length;
    expect(await parts()).toBe(0);
    expect((await owner('PUT', `/studios/${top.id}`, { name: 'x' })).status).toBe(409);
    expect((await owner('PUT', `/scenes/${part.id}`, { name: 'x' })).status).toBe(409);
    expect((await owner('PATCH', `/films/restore/${two.id}`, {})).status).toBe(409);
    expect((await owner('PATCH', `/studios/restore/${top.id}`, {})).status).toBe(200);
    expect(await listed('')).toEqual(['Two']);
    expect(await parts()).toBe(1);
    expect((await owner('PATCH', `/films/restore/${one.id}`, {})).status).toBe(200);
    expect((await owner('PATCH', `/films/restore/${one.id}`, {})).status).toBe(409);
  });
});

describe('invalid bodies', () => {
  const type = { 'content-type': 'application/json' };
  test.each<[string, string, Record<string, string>, number]>([
    ['broken JSON', '{"name":', type, 400],
    ['a list', '[1]', type, 400],
    ['a text', '"x"', type, 400],
    ['a prototype', '{"__proto__":{"a":1}}', type, 400],
    ['deep JSON', `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, type, 413],
    ['too much', `{"name":"${'x'.repeat(6 * 1024 * 1024)}"}`, type, 413],
    [
      'a broken form',
      '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nA',
      { 'content-type': 'multipart/form-data; boundary=x' },
      400,
    ],
    ['another type', '<a/>', { 'content-type': 'application/xml' }, 415],
  ])('%s', async (name, body, headers, status) => {
    const path = name === 'a broken form' ? '/complaints' : '/studios';
    const answer = await owner<{ message: string }>('POST', path, body, headers);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(answer.body.message).toMatch(/\S/);
  });
});

describe('information about the program', () => {
  test('health, definitions with an ETag, and OpenAPI', async () => {
    expect(await program.call('GET', '/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
    const first = await owner<{ data: Row[] }>('GET', '/definitions');
    expect(first.body.data.map(({ name }) => name)).toContain('studios');
    const tag = String(first.headers.etag);
    expect((await owner('GET', '/definitions', undefined, { 'if-none-match': tag })).status).toBe(304);
    const openapi = await owner<{ openapi: string; paths: object }>('GET', '/openapi.json');
    expect(openapi.body.openapi).toMatch(/^3\.1/);
    expect(Object.keys(openapi.body.paths)).toEqual(expect.arrayContaining(['/studios', '/studios-export']));
    const theirs = await external<{ paths: object }>('GET', '/openapi.json');
    expect(Object.keys(theirs.body.paths).some((path) => path.startsWith('/studios'))).toBe(false);
    expect((await program.call('GET', '/openapi.json')).status).toBe(401);
  });
});

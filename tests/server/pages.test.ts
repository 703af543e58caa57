import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram, type RestrictedUser } from '../support/program';
import { password } from '../support/accounts';

// Pages that people put together from tiles: who sees and changes which, what a tile may show, and what is said of tiles
// of modules that somebody may not list.

interface Page {
  readonly id: number;
  readonly name: string;
  readonly tiles: readonly Record<string, unknown>[];
  readonly [field: string]: unknown;
}

let program: DemoProgram;
/** By company and level: `1.4` is the developer of the first. Level 1 belongs to none. */
const people = new Map<string, Client>();
const roleIds = { owner: 2, manager: 3, developer: 4, qa: 5, external: 6 } as const;
type Role = keyof typeof roleIds;
const everyone = Object.keys(roleIds).flatMap((role) => [`1.${role}`, `2.${role}`]);
/** Somebody of the first company whose grants a test chooses. */
let restricted: RestrictedUser;
let made = 0;

beforeAll(async () => {
  program = await startFixtureProgram();
  const admin = await program.signIn(accounts.admin);
  people.set('admin', admin);
  restricted = await program.restricted();
  for (const role of Object.keys(roleIds) as Role[]) {
    people.set(`1.${role}`, await program.signIn(accounts[role]));
    const email = `${role}.two@demo.test`;
    const { status, body } = await admin('POST', '/users', {
      ...{ first_name: 'Second', last_name: role, email, password, status_id: 1 },
      ...{ role_id: roleIds[role], site_id: 2 },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    people.set(`2.${role}`, await program.signIn(email));
  }
});
afterAll(() => program?.close());

const person = (name: string) => people.get(name)!;
const late = { id: 'late', kind: 'list', module: 'shots', where: { is_late: true }, columns: ['name'], limit: 5 };
const films = { id: 'films', kind: 'number', module: 'films', wide: true };

async function save(by: string, values: object = {}): Promise<Page> {
  const page = { name: `Page ${++made}`, tiles: [late], ...values };
  const { status, body } = await person(by)<Page>('POST', '/pages', page);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

const stored = async () => (await program.program.database.pool.query('select * from public.pages order by id')).rows;

/** Whether somebody finds a page by its id and in the list: always both or neither. */
async function sees(who: string, id: number): Promise<boolean> {
  const one = await person(who)('GET', `/pages/${id}`);
  const { body } = await person(who)<readonly Page[]>('GET', '/pages?range=[0,999]');
  expect(body.some((page) => page.id === id)).toBe(one.status === 200);
  return one.status === 200;
}

describe('tiles are checked against what their author may list', () => {
  test.each<[string, unknown, string]>([
    ['no list', { a: 1 }, 'a list of objects'],
    ['no object', [1], 'must be an object'],
    ['an id with markup', [{ ...late, id: '<b>' }], 'id of a tile'],
    ['one twice', [late, late], 'there twice'],
    ['too many', Array.from({ length: 25 }, (_, at) => ({ id: `t${at}`, kind: 'mentions' })), 'at most 24'],
    ['too long', [{ ...late, where: { name: 'x'.repeat(50_000) } }], 'too long'],
    ['no kind', [{ id: 'a', module: 'shots' }], 'kind must be'],
    ['a hidden one that there is not', [{ id: 'a', kind: 'hidden' }], 'kind must be'],
    ['a key of another kind', [{ id: 'a', kind: 'chart', module: 'shots', chart: 'late', where: {} }], 'has no'],
    ['script', [{ ...late, script: 'alert(1)' }], 'has no'],
    ['no such module', [{ ...late, module: 'shotz' }], 'no list named'],
    ['a name of the language', [{ ...late, module: '__proto__' }], 'no list named'],
    ['no such chart', [{ id: 'a', kind: 'chart', module: 'shots', chart: 'x' }], 'no chart'],
    ['no such column', [{ ...late, columns: ['password'] }], 'no column'],
    ['a column twice', [{ ...late, columns: ['name', 'name'] }], 'one twice'],
    ['too many rows', [{ ...late, limit: 1e9 }], '1 to 20'],
    ['no such order', [{ ...late, sort: '-nam' }], 'no order by'],
    ['no condition', [{ ...late, where: { is_late: { $regex: 'x' } } }], 'where'],
    ['a field that there is not', [{ ...late, where: { nam: 'x' } }], 'no field'],
    ['a view that is none', [{ ...late, view: 'x' }], 'id of a saved view'],
    ['a wide title', [{ ...late, title: 'x'.repeat(61) }], 'at most 60'],
  ])('%s', async (_title, tiles, message) => {
    const before = await stored();
    const { status, body } = await person('1.owner')<{ code: string }>('POST', '/pages', { name: 'Wrong', tiles });
    expect([status, body.code], JSON.stringify(body)).toEqual([422, 'VALIDATION_FAILED']);
    expect(JSON.stringify(body)).toContain(message);
    expect(await stored()).toEqual(before);
  });

  test('a module that the author may not list reads like one that there is not', async () => {
    const { call, grant } = restricted;
    await grant(['pages.create', 'pages.list', 'pages.view', 'studios.list']);
    const answer = async (module: string) => {
      const tiles = [{ id: 'a', kind: 'number', module }];
      const { status, body } = await call('POST', '/pages', { name: `Of ${module}`, tiles });
      return { status, text: JSON.stringify(body).replaceAll(module, '…') };
    };
    expect(await answer('films')).toEqual(await answer('fillms'));
    expect((await answer('films')).status).toBe(422);
    expect((await answer('studios')).status).toBe(201);
  });
});

describe('visibility of a page', () => {
  test('a personal page is visible to its owner alone, also for level 1', async () => {
    const { id } = await save('1.qa');
    for (const who of ['admin', ...everyone]) expect([who, await sees(who, id)]).toEqual([who, who === '1.qa']);
  });

  test('a page for everyone is visible to the company, one of a role to that role in the company', async () => {
    const all = await save('1.manager', { audience: 'everyone' });
    const testers = await save('1.manager', { audience: 'role', role_id: roleIds.qa });
    for (const who of everyone) {
      expect([who, await sees(who, all.id)]).toEqual([who, who.startsWith('1.')]);
      expect([who, await sees(who, testers.id)]).toEqual([who, who === '1.qa' || who === '1.manager']);
    }
  });

  test.each(['1.developer', '1.qa', '1.external'])('%s shares none, and changes only their own', async (by) => {
    const refused = await person(by)('POST', '/pages', { name: 'Shared', audience: 'everyone', tiles: [] });
    expect(refused.status).toBe(403);
    const own = await save(by, { name: `Of ${by}` });
    expect((await person(by)('PUT', `/pages/${own.id}`, { audience: 'everyone' })).status).toBe(403);
    const shared = await save('1.owner', { audience: 'everyone' });
    expect((await person(by)('PUT', `/pages/${shared.id}`, { tiles: [] })).status).toBe(403);
    expect((await person(by)('DELETE', `/pages/${shared.id}`)).status).toBe(403);
    expect((await person(by)('DELETE', `/pages/${own.id}`)).status).toBe(200);
  });

  test('the home page of a role is that of its company', async () => {
    const { id } = await save('1.owner', { audience: 'role', role_id: roleIds.developer, is_home: true });
    for (const who of everyone) {
      const { body } = await person(who)<readonly Page[]>('GET', '/pages?is_home=true');
      expect([who, body.map((page) => page.id)]).toEqual([who, who === '1.developer' || who === '1.owner' ? [id] : []]);
    }
    await person('1.owner')('DELETE', `/pages/${id}`);
  });
});

describe('a tile of a module that the reader may not list', () => {
  test('says nothing else in any answer, and stays as it was when others change the page', async () => {
    const { call, grant } = restricted;
    await grant(['pages.list', 'pages.view', 'pages.edit', 'films.list']);
    const secret = { ...late, id: 'x', title: 'Late in the dark' };
    const { id } = await save('1.owner', { audience: 'everyone', tiles: [secret, films] });
    const hidden = { id: 'x', kind: 'hidden' };
    const answers = [
      await call<Page>('GET', `/pages/${id}`),
      await call<readonly Page[]>('GET', '/pages?range=[0,999]'),
      await call('GET', '/pages?fields=tiles'),
      await call<Page>('PUT', `/pages/${id}`, { tiles: [films, hidden] }),
    ];
    for (const { status, body } of answers) {
      expect(status, JSON.stringify(body)).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(/dark|is_late|"shots"/);
    }
    expect((answers[0]!.body as Page).tiles).toEqual([hidden, films]);
    // Its author sees it in its new place.
    expect((await person('1.owner')<Page>('GET', `/pages/${id}`)).body.tiles).toEqual([films, secret]);
    // As wide as the other wants it, and no other change.
    await call('PUT', `/pages/${id}`, { tiles: [{ ...hidden, wide: true }, films] });
    expect((await person('1.owner')<Page>('GET', `/pages/${id}`)).body.tiles).toEqual([
      { ...secret, wide: true },
      films,
    ]);
    const copied = await call('PUT', `/pages/${id}`, { tiles: [{ ...secret, id: 'y' }, hidden] });
    expect(copied.status).toBe(422);
  });
});

test('whoever changes a page that another changed since is told so, and nothing is lost', async () => {
  const page = await save('1.owner', { audience: 'everyone' });
  const first = await person('1.owner')<Page>('PUT', `/pages/${page.id}`, {
    tiles: [late, films],
    updated_at: page.updated_at,
  });
  expect(first.status).toBe(200);
  const second = await person('1.manager')<{ code: string }>('PUT', `/pages/${page.id}`, {
    tiles: [],
    updated_at: page.updated_at,
  });
  expect([second.status, second.body.code]).toEqual([409, 'CONFLICT_STALE']);
  expect((await person('1.manager')<Page>('GET', `/pages/${page.id}`)).body.tiles).toEqual([late, films]);
});

test('a renamed module is renamed in tiles', async () => {
  const { renameResourceStatements } = await import('../../src/server/sync/stored-names');
  const { id } = await save('1.owner', { tiles: [films, late] });
  const { pool } = program.program.database;
  for (const statement of renameResourceStatements('films', 'movies')) await pool.query(statement);
  const { rows } = await pool.query('select tiles from public.pages where id = $1', [id]);
  expect((rows[0] as Page).tiles).toEqual([{ ...films, module: 'movies' }, late]);
  for (const statement of renameResourceStatements('movies', 'films')) await pool.query(statement);
});

test('notifications of one kind are found by it: one’s own alone', async () => {
  const { pool } = program.program.database;
  await pool.query(`insert into assay.notifications (site_id, user_id, title, occasion, link)
    select u.site_id, u.id, 'For ' || u.email, occasion, '/films/1' from public.users u, unnest(array['record_mentioned', 'other']) occasion
    where u.email in ('${accounts.qa}', '${accounts.manager}')`);
  const titles = async (query: string) => {
    const { status, body } = await person('1.qa')<{ data: { title: string }[] }>('GET', `/notifications?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data.map(({ title }) => title);
  };
  expect(await titles('occasion=record_mentioned')).toEqual([`For ${accounts.qa}`]);
  expect(await titles(`filter=${encodeURIComponent('{"occasion":"record_mentioned"}')}`)).toEqual([
    `For ${accounts.qa}`,
  ]);
  expect(await titles('occasion=nothing')).toEqual([]);
  const wrong = await person('1.qa')('GET', `/notifications?filter=${encodeURIComponent('{"occasion":{"$ne":1}}')}`);
  expect(wrong.status).toBe(400);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram, type RestrictedUser } from '../support/program';
import { password } from '../support/accounts';
import { studioOf } from './modules/studio';

interface View {
  readonly id: number;
  readonly name: string;
  readonly [field: string]: unknown;
}
type Refusal = { readonly code?: string; readonly errors?: Record<string, string[]>; readonly message?: string };

let program: DemoProgram;
/** By company and level: `1.4` is the developer of the first. Level 1 belongs to none. */
const people = new Map<string, Client>();
const roleIds = { owner: 2, manager: 3, developer: 4, qa: 5, external: 6 } as const;
/** Somebody of the first company whose grants a test chooses. */
let restricted: RestrictedUser;
let made = 0;

beforeAll(async () => {
  program = await startFixtureProgram();
  const admin = await program.signIn(accounts.admin);
  people.set('admin', admin);
  restricted = await program.restricted();
  for (const role of Object.keys(roleIds) as (keyof typeof roleIds)[]) {
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
const viewOf = (values: object = {}) => ({
  name: `View ${++made}`,
  module: 'films',
  settings: {
    filters: { stage_id: [1, 2] },
    sort: '-name',
    columns: [{ field: 'name', width: 240 }, { field: 'code' }],
  },
  ...values,
});

async function save(by: string, values: object = {}): Promise<View> {
  const { status, body } = await person(by)<View>('POST', '/views', viewOf(values));
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** Sends a view and returns why it was refused. */
async function refusal(by: string, values: object, status = 422) {
  const answer = await person(by)<Refusal>('POST', '/views', viewOf(values));
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  expect(answer.body.code).toBeTypeOf('string');
  return JSON.stringify(answer.body);
}

const query = async (text: string) => (await program.program.database.pool.query(text)).rows as View[];

test('a view keeps filters, columns with their order and widths, sorting and layout', async () => {
  const settings = {
    filters: { stage_id: 1, starts_on_from: '2026-01-01', name: { $contains: 'night' } },
    sort: '-starts_on',
    columns: [{ field: 'code', width: 120 }, { field: 'name' }],
    view: 'cards',
    group: 'starts_on:month',
    closed: ['2026-01-01', ''],
  };
  const { id } = await save('1.qa', { name: 'Night films', settings });
  const { body } = await person('1.qa')<View>('GET', `/views/${id}`);
  expect(body).toMatchObject({ name: 'Night films', audience: 'me', pinned: true, opens_first: false, settings });
});

describe('settings are checked against the definition of the module', () => {
  test.each<[string, object, string]>([
    ['no such module', { module: 'fims' }, 'no list named fims'],
    ['a filter that there is not', { settings: { filters: { stage: 1 } } }, 'no filter'],
    ['a name of the language', { settings: { filters: { __proto__x: 1, constructor: 1 } } }, 'no filter'],
    ['a value that no filter has', { settings: { filters: { stage_id: { $gt: 1 } } } }, 'cannot have this value'],
    ['a column that there is not', { settings: { columns: [{ field: 'nam' }] } }, 'no column'],
    ['a column twice', { settings: { columns: [{ field: 'name' }, { field: 'name' }] } }, 'listed twice'],
    ['no column', { settings: { columns: [] } }, 'at least one'],
    ['a wild width', { settings: { columns: [{ field: 'name', width: 1e9 }] } }, '40 to 1,000'],
    ['an order that there is not', { settings: { sort: 'password' } }, 'no order by'],
    ['a grouping that there is not', { settings: { group: 'stage' } }, 'no grouping'],
    ['a grouping by a text', { settings: { group: 'name' } }, 'no grouping'],
    ['closed groups that are none', { settings: { closed: [3] } }, 'Closed groups'],
    ['too many closed groups', { settings: { closed: Array.from({ length: 501 }, String) } }, 'at most 500'],
    ['a total that there is not', { settings: { totals: { name: 'sum' } } }, 'no total'],
    ['totals that are none', { settings: { totals: ['budget'] } }, 'Totals must be'],
    ['a layout that there is not', { settings: { view: 'globe' } }, 'no layout'],
    ['a tab that there is not', { settings: { tab: 'closed' } }, 'no tab'],
    ['rows a page that no list has', { settings: { rows: 16 } }, 'must be 15, 30, 50 or 100'],
    ['a setting that there is not', { settings: { script: 'alert(1)' } }, 'have no'],
    ['settings that are none', { settings: [1] }, 'must be an object'],
    ['too long settings', { settings: { filters: { name: { $contains: 'x'.repeat(17_000) } } } }, 'too long'],
    ['a role without its name', { audience: 'role', settings: {} }, 'role_id'],
  ])('%s', async (_title, values, message) => {
    const before = await query('select id from public.views');
    expect(await refusal('1.owner', values)).toMatch(message);
    expect(await query('select id from public.views')).toEqual(before);
  });

  test('a module that the author may not list reads like one that there is not', async () => {
    const { call, grant } = restricted;
    await grant(['views.create', 'views.list', 'views.view', 'studios.list']);
    const answer = async (module: string) => {
      const { status, body } = await call('POST', '/views', viewOf({ module, settings: {} }));
      return { status, text: JSON.stringify(body).replaceAll(module, '…') };
    };
    expect(await answer('films')).toEqual(await answer('fillms'));
    expect((await answer('films')).status).toBe(422);
    expect((await answer('studios')).status).toBe(201);
  });

  test('a view whose list has changed since can be renamed, but not filled with what there is not', async () => {
    const { id } = await save('1.qa');
    await query(`update public.views set settings = '{"filters":{"gone":1}}' where id = ${id}`);
    const renamed = await person('1.qa')<View>('PUT', `/views/${id}`, { name: 'Renamed' });
    expect(renamed.status, JSON.stringify(renamed.body)).toBe(200);
    const changed = await person('1.qa')('PUT', `/views/${id}`, { settings: { filters: { also_gone: 1 } } });
    expect(changed.status).toBe(422);
  });
});

test('names are unique for a person and a module, in any case of letters', async () => {
  await save('1.manager', { name: 'Mine' });
  expect(await refusal('1.manager', { name: 'mine' })).toContain('of this name already');
  await save('1.manager', { name: 'Mine', module: 'studios', settings: {} });
  await save('1.qa', { name: 'Mine' });
});

test('somebody has at most 50 views of a list, also when they are sent at once', async () => {
  await query(`insert into public.views (name, module, audience, pinned, opens_first, settings, site_id, created_by)
    select 'Filler ' || n, 'films', 'me', false, false, '{}', 1, u.id
    from generate_series(1, 48) n, public.users u where u.email = '${accounts.external}'
    and n <= 48 - (select count(*) from public.views v where v.created_by = u.id and v.module = 'films')`);
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => person('1.external')('POST', '/views', viewOf({ settings: {} }))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422, 422]);
  await query(`delete from public.views where name like 'Filler %'`);
});

describe('sharing needs its own right', () => {
  test.each(['1.developer', '1.qa', '1.external'])('%s saves views for themselves alone', async (by) => {
    await save(by);
    for (const values of [{ audience: 'everyone' }, { audience: 'role', role_id: 5 }])
      expect(await refusal(by, values, 403)).toMatch(/levels 1 to 3|permission/);
    const { id } = await save(by);
    for (const values of [{ audience: 'everyone' }, { audience: 'role', role_id: 5 }]) {
      const { status } = await person(by)('PUT', `/views/${id}`, values);
      expect(status).toBe(403);
    }
    expect(await query(`select audience, role_id from public.views where id = ${id}`)).toEqual([
      { audience: 'me', role_id: null },
    ]);
  });

  test('levels 1 to 3 share, and change what is shared; others only read it', async () => {
    const { id } = await save('1.manager', { audience: 'everyone' });
    expect((await person('1.owner')('PUT', `/views/${id}`, { name: `Shared ${id}` })).status).toBe(200);
    for (const by of ['1.developer', '1.qa', '1.external']) {
      expect((await person(by)('PUT', `/views/${id}`, { name: 'Taken over' })).status, by).toBe(403);
      expect((await person(by)('DELETE', `/views/${id}`)).status, by).toBe(403);
      expect((await person(by)<View>('GET', `/views/${id}`)).body.name, by).toBe(`Shared ${id}`);
    }
    expect((await person('1.owner')('DELETE', `/views/${id}`)).status).toBeLessThan(300);
  });

  test('a view that is shared no longer belongs to no role', async () => {
    const { id } = await save('1.owner', { audience: 'role', role_id: 5 });
    const { body } = await person('1.owner')<View>('PUT', `/views/${id}`, { audience: 'me' });
    expect(body).toMatchObject({ audience: 'me', role_id: null });
  });
});

describe('views of two companies and six roles do not leak', () => {
  /** What was saved, and who sees it. */
  const cases: [string, string, object, string[]][] = [
    ['a private view', '1.qa', {}, ['1.qa']],
    ['a private view of the owner', '1.owner', {}, ['1.owner']],
    ['a private view of the administrator', 'admin', {}, ['admin']],
    ['a view for a role', '1.owner', { audience: 'role', role_id: 5 }, ['1.owner', '1.qa']],
    ['the role of another company', '2.owner', { audience: 'role', role_id: 5 }, ['2.owner', '2.qa']],
    [
      'a view for everyone',
      '1.manager',
      { audience: 'everyone' },
      ['1.owner', '1.manager', '1.developer', '1.qa', '1.external'],
    ],
    [
      'everyone of another company',
      '2.manager',
      { audience: 'everyone' },
      ['2.owner', '2.manager', '2.developer', '2.qa', '2.external'],
    ],
  ];

  test.each(cases)('%s', async (_title, by, values, readers) => {
    const secret = `Secret${++made}x`;
    const { id } = await save(by, { ...values, name: secret });
    const seen: string[] = [];
    const look = async ([name, call]: [string, Client]) => {
      const one = await call('GET', `/views/${id}`);
      const listed = await call('GET', `/views?filter=${encodeURIComponent(JSON.stringify({ module: 'films' }))}`);
      const searched = await call('GET', `/views?filter=${encodeURIComponent(JSON.stringify({ q: secret }))}`);
      const counted = await call('GET', '/views/aggregate?group=module&take=count');
      const total = await call<unknown[]>('GET', '/views?range=[0,999]');
      const history = await call('GET', `/views/${id}/history`);
      const found = await call('GET', `/search?q=${secret}`);
      const exported = await call('GET', `/views/export?filter=${encodeURIComponent(JSON.stringify({ id }))}`);
      const choices = await call('GET', `/views/choices?q=${secret}`);
      const answers = { one, listed, searched, history, found, exported, choices };
      const naming = Object.entries(answers).filter(([, { body }]) => JSON.stringify(body ?? '').includes(secret));
      const sum = (counted.body as { data: { count: number }[] }).data.reduce((all, { count }) => all + count, 0);
      expect(sum, `counts of ${name}`).toBe(total.body.length);
      if (readers.includes(name)) {
        expect(one.status, name).toBe(200);
        expect(JSON.stringify(listed.body), name).toContain(secret);
        seen.push(name);
      } else {
        expect(one.status, name).toBe(404);
        expect(history.status, name).toBe(404);
        expect(naming, name).toEqual([]);
        expect((await call('PUT', `/views/${id}`, { name: 'Taken' })).status, name).toBe(404);
        expect((await call('DELETE', `/views/${id}`)).status, name).toBe(404);
      }
    };
    await Promise.all([...people].map(look));
    expect(seen.sort()).toEqual([...readers].sort());
    await person(by)('DELETE', `/views/${id}`);
  });

  test('nobody saves views for another company, or in the name of another', async () => {
    const { body } = await person('1.owner')<View>(
      'POST',
      '/views',
      viewOf({ site_id: 2, created_by: 1, audience: 'everyone' }),
    );
    if (body.id !== undefined)
      expect(await query(`select site_id from public.views where id = ${body.id}`)).toEqual([{ site_id: 1 }]);
    const { status } = await person('2.owner')('GET', `/views/${body.id}`);
    expect(status).toBe(404);
  });
});

test('whoever views as another sees what both may see, and saves nothing', async () => {
  const { id } = await save('1.qa', { name: 'Of QA alone' });
  const [{ id: qa }] = (await query(`select id from public.users where email = '${accounts.qa}'`)) as [View];
  const asQa: Client = (method, path, body) => person('1.owner')(method, path, body, { 'x-view-as': `user ${qa}` });
  expect((await asQa('GET', '/films')).status).toBe(200);
  expect((await asQa('GET', `/views/${id}`)).status).toBe(404);
  expect((await asQa('POST', '/views', viewOf())).status).toBe(403);
});

describe('the view that a list opens with for one person', () => {
  const choose = (by: string, view: unknown, name = 'films') =>
    person(by)<{ data?: unknown; errors?: unknown; message?: string }>('PUT', '/first-view', { name, view });
  const chosen = async (by: string, name = 'films') =>
    (await person(by)<{ data: { view: string | null } }>('GET', `/first-view?name=${name}`)).body.data.view;

  test('is also that of another person who shares it, until they choose none', async () => {
    const { id } = await save('1.manager', { audience: 'everyone' });
    expect(await chosen('1.qa')).toBeNull();
    expect((await choose('1.qa', String(id))).status).toBe(200);
    expect([await chosen('1.qa'), await chosen('1.developer'), await chosen('1.qa', 'studios')]).toEqual([
      String(id),
      null,
      null,
    ]);
    // The columns that they chose stay, and the other way round.
    await person('1.qa')('POST', '/grid-configurations', {
      name: 'films',
      configuration: [{ field: 'name', visibility: true, filter: true }],
    });
    expect(await chosen('1.qa')).toBe(String(id));
    expect((await choose('1.qa', null)).status).toBe(200);
    expect(await chosen('1.qa')).toBeNull();
    const { body } = await person('1.qa')<{ data: { configuration: unknown[] } }>(
      'GET',
      '/grid-configurations?name=films',
    );
    expect(body.data.configuration).toHaveLength(1);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['that another keeps private', async () => String((await save('1.manager')).id)],
    ['of another company', async () => String((await save('2.manager', { audience: 'everyone' })).id)],
    [
      'of another role',
      async () => String((await save('1.manager', { audience: 'role', role_id: roleIds.developer })).id),
    ],
    [
      'of another list',
      async () => String((await save('1.manager', { audience: 'everyone', module: 'studios', settings: {} })).id),
    ],
    ['that there is not', () => Promise.resolve('999999')],
    ['that is none', () => Promise.resolve('1 or 1=1')],
  ])('is not one %s: all are refused alike', async (_title, view) => {
    const wanted = await view();
    const { status, body } = await choose('1.qa', wanted);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain(
      `There is no view ${String(wanted)} of this list, or it is not shared with you.`,
    );
    expect(await chosen('1.qa')).toBeNull();
  });

  test('is of a list that one may open', async () => {
    const { call, grant } = restricted;
    await grant(['views.list', 'views.view', 'studios.list']);
    for (const name of ['films', 'no-such-list']) {
      expect((await call('GET', `/first-view?name=${name}`)).status).toBe(400);
      expect((await call('PUT', '/first-view', { name, view: null })).status).toBe(400);
    }
    expect((await call('GET', '/first-view?name=studios')).status).toBe(200);
  });
});

test('a field that is renamed in the studio is renamed in what views keep of it', async () => {
  const studio = studioOf(person('admin'));
  await studio.make(
    'tracks',
    {
      name: {},
      length: { type: 'number', filterable: true, sortable: true },
      lengths: { type: 'text' },
      recorded_on: { type: 'date' },
    },
    { grants: { '2': 'all', '5': 'read' }, list: { columns: ['name', 'length', 'lengths'], filters: { length: {} } } },
  );
  const settings = {
    filters: { length_from: 3 },
    sort: '-length',
    columns: [{ field: 'length', width: 90 }, { field: 'name' }, { field: 'lengths' }],
    group: 'recorded_on:month',
    totals: { length: 'sum' },
  };
  const view = await save('1.owner', { module: 'tracks', settings, audience: 'everyone' });
  const empty = await save('1.qa', { module: 'tracks', settings: {} });
  await studio.publish('tracks', (source) => {
    const { length, recorded_on, ...fields } = source.fields;
    source.fields = {
      ...fields,
      seconds: { ...length, formerName: 'length' },
      day: { ...recorded_on, formerName: 'recorded_on' },
    };
    source.list = { columns: ['name', 'seconds', 'lengths'], filters: { seconds: {} } };
  });
  expect((await person('1.owner')<View>('GET', `/views/${view.id}`)).body.settings).toEqual({
    filters: { seconds_from: 3 },
    sort: '-seconds',
    columns: [{ field: 'seconds', width: 90 }, { field: 'name' }, { field: 'lengths' }],
    group: 'day:month',
    totals: { seconds: 'sum' },
  });
  expect((await person('1.qa')<View>('GET', `/views/${empty.id}`)).body.settings).toEqual({});
});

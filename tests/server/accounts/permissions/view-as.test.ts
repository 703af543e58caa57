// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { visibleEvents } from '../../../../src/server/events/visible-events';
import { authenticate } from '../../../../src/server/accounts/session/authenticate';
import { password } from '../../../support/accounts';
import { startWork, type Account, type Work } from '../../../product/work';
import type { ApiResponse, Client } from '../../../support/program';
import { beyond } from './within';

let work: Work;
beforeAll(async () => {
  work = await startWork();
  for (const account of ['owner', 'developer', 'qa'] as const) {
    await work.make(account, 'support-tickets', { type: 'issue', priority_id: 2, description: `Of ${account}` });
  }
});
afterAll(() => work?.program.close());

// oxlint-disable-next-line typescript/no-explicit-any
type Any = any;
/** A client that sends everything as the one whom it views as. */
const viewing =
  (viewer: Account, as: string): Client =>
  (method, path, body, headers) =>
    work.as[viewer](method, path, body, { 'x-view-as': as, ...headers });
const userOf = (account: Account) => `user ${work.ids[account]}`;
const levels = { admin: 1, owner: 2, manager: 3, developer: 4, qa: 5, external: 6 } as const;
type Levelled = keyof typeof levels;
const six = Object.keys(levels) as Levelled[];

describe('who can view as another user', () => {
  const table: [Account, Account, number][] = [
    ...six.map((account): [Account, Account, number] => ['admin', account, 200]),
    ['admin', 'harbour', 200],
    ...six.map((account): [Account, Account, number] => ['owner', account, account === 'admin' ? 404 : 200]),
    ['owner', 'harbour', 404],
    ['harbour', 'owner', 404],
    ['harbour', 'developer', 404],
    ...(['manager', 'developer', 'qa', 'external'] as const).flatMap((viewer) =>
      [...six, 'harbour' as const].map((account): [Account, Account, number] => [viewer, account, 403]),
    ),
  ];
  test.each(table)('%s as %s: %i', async (viewer, account, status) => {
    const answer = await viewing(viewer, userOf(account))<Any>('GET', '/view-as');
    expect(answer.status).toBe(status);
    if (status !== 200) return;
    expect(answer.body.data.user.id).toBe(work.ids[account]);
    const writes = Object.values<string[]>(answer.body.data.permissions).flat();
    expect(writes.filter((action) => action !== 'list' && action !== 'view')).toEqual([]);
  });

  test.each<[Account, string, number]>([
    ['admin', 'role 4 site 1', 200],
    ['admin', 'role 4', 400],
    ['admin', 'role 1', 200],
    ['admin', 'role 1 site 1', 404],
    ['admin', 'role 4 site 99', 404],
    ['owner', 'role 1', 403],
    ['owner', 'role 2', 200],
    ['owner', 'role 6', 200],
    ['owner', 'role 4 site 1', 200],
    ['owner', 'role 4 site 2', 404],
    ['owner', 'role 99', 404],
    ['owner', 'user 99999', 404],
    ['owner', 'user 99999999999', 404],
    ['owner', 'user x', 404],
    ['owner', 'user', 400],
    ['owner', '', 400],
    ['owner', 'user 1 site 1', 400],
    ['owner', 'somebody', 400],
    ['manager', 'role 4', 403],
  ])('%s as %j: %i', async (viewer, as, status) => {
    for (const path of ['/view-as', '/projects', '/dashboard', '/definitions']) {
      expect((await viewing(viewer, as)('GET', path)).status, path).toBe(status);
    }
  });

  test('requires the header and a sign-in', async () => {
    expect((await work.as.owner('GET', '/view-as')).status).toBe(400);
    expect((await work.program.call('GET', '/projects', undefined, { 'x-view-as': 'role 4' })).status).toBe(401);
    expect((await work.program.call('POST', '/projects', {}, { 'x-view-as': 'role 4' })).status).toBe(401);
  });

  test('users and roles are listed: active, not more powerful, of the company', async () => {
    type Choices = { data: { as: string; name: string; level: number; company: string | null }[] };
    const people = (await work.as.owner<Choices>('GET', '/view-as/choices/person')).body.data;
    expect(people.map(({ as }) => as)).toContain(userOf('developer'));
    for (const account of ['owner', 'admin', 'harbour'] as const) {
      expect(people.map(({ as }) => as)).not.toContain(userOf(account));
    }
    for (const { as } of people) expect((await viewing('owner', as)('GET', '/view-as')).status, as).toBe(200);
    const roles = (await work.as.owner<Choices>('GET', '/view-as/choices/role')).body.data;
    expect(roles.map(({ as }) => as)).toEqual(['role 2', 'role 3', 'role 4', 'role 5', 'role 6']);
    const all = (await work.as.admin<Choices>('GET', '/view-as/choices/role')).body.data;
    expect(all.map(({ as }) => as)).toEqual(expect.arrayContaining(['role 1', 'role 4 site 1', 'role 4 site 2']));
    for (const { as } of all) expect((await viewing('admin', as)('GET', '/view-as')).status, as).toBe(200);
    const some = (await work.as.admin<Choices>('GET', '/view-as/choices/person?q=HARBOUR')).body.data;
    expect(some.length).toBeGreaterThan(0);
    const found = (await work.as.admin<{ data: { name: string }[] }>('GET', '/view-as/choices/person?q=m')).body.data;
    const begins = found.map(({ name }) => name.toLowerCase().startsWith('m'));
    expect(begins.slice(0, begins.lastIndexOf(true) + 1)).not.toContain(false);
    expect(begins).toContain(false);
    expect((await work.as.manager('GET', '/view-as/choices/person')).status).toBe(403);
  });
});

/** A time zone in which it is about noon: what is late today is so until the last answer is compared. */
const noon = (() => {
  const ahead = 12 - new Date().getUTCHours();
  // The names of these zones count what UTC is ahead of them.
  return { 'x-timezone': `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}` };
})();

/** What the API reads, for anybody: answers by path; with `files`, what it sends to be kept as well. */
async function surface(call: Client, files = false): Promise<Map<string, ApiResponse<Any>>> {
  const registry = work.program.program.definitions.registry();
  const found = new Map<string, ApiResponse<Any>>();
  const ask = async (path: string) => found.set(path, await call<Any>('GET', path, undefined, noon)).get(path)!;
  for (const definition of registry.definitions.values()) {
    const { name } = definition;
    // What belongs to the installation is the same for everybody, and thousands of rows of it.
    const last = definition.scope === 'installation' ? 99 : 9999;
    const list = await ask(`/${name}?range=[0,${last}]`);
    const records: { id: number }[] = list.status === 200 ? (list.body.data ?? list.body) : [];
    for (const { id } of [records[0], records.at(-1)].filter((one) => one !== undefined)) {
      await ask(`/${name}/${id}`);
      await ask(`/${name}/${id}/history`);
    }
    // Each is a thread of its own: those whose rows differ from one to another will do.
    if (files && definition.export && definition.rules.length > 0) {
      const columns = [
        'id',
        ...definition.list.columns.map(({ field }) => field).filter((field) => field !== 'site_id'),
      ];
      await ask(`/${definition.export.path}?format=csv&columns=${[...new Set(columns)].join()}`);
    }
    const related = Object.values(definition.fields).find((field) => field.type === 'relation' && !field.system);
    if (related) await ask(`/${name}/choices/${related.name}?near=0`);
  }
  for (const path of ['/dashboard', '/task-analytics', '/test-case-analytics', '/definitions', '/permissions']) {
    await ask(path);
  }
  await ask(`/timesheet?month=${new Date().toISOString().slice(0, 7)}`);
  return found;
}

/**
 * Definitions go by their names, lines of a file by their first cell, with the lines below it that have none (the rows of a
 * record), and their cells that are not empty by themselves.
 */
const comparable = (path: string, { body }: ApiResponse<Any>): unknown => {
  if (typeof body === 'string') {
    const cellsOf = (line: string) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) => cell!);
    // Numbers may be counts, or sums over records that one of them does not see: they go by their columns.
    const comparableCell = (cell: string, column: number) =>
      /^\d+(\.\d+)?$/.test(cell) ? { id: column, count: Number(cell) } : { id: `${column}: ${cell}` };
    const records: { id: string; cells: object[] }[] = [];
    for (const line of body.split('\r\n').slice(1)) {
      const cells = cellsOf(line);
      if (cells[0] !== undefined && cells[0] !== '') records.push({ id: cells[0], cells: [] });
      records.at(-1)?.cells.push(...cells.flatMap((cell, at) => (cell === '' ? [] : [comparableCell(cell, at)])));
    }
    return records;
  }
  if (path === '/definitions') return body.data.map(({ name }: { name: string }) => ({ id: name }));
  return body;
};

describe('shows only what both users can see', () => {
  const owns = new Map<Account, Map<string, ApiResponse<Any>>>();
  beforeAll(async () => {
    for (const account of [...six, 'harbour'] as const) owns.set(account, await surface(work.as[account]));
  });
  const figures = ['/dashboard', '/task-analytics', '/test-case-analytics'];

  const pairs: [Account, Account, string?][] = [
    ['admin', 'owner'],
    ['admin', 'developer'],
    ['admin', 'external'],
    ['admin', 'harbour'],
    ...six.filter((account) => account !== 'admin').map((account): [Account, Account] => ['owner', account]),
    ['admin', 'developer', 'role 4 site 1'],
    ['owner', 'external', 'role 6'],
  ];
  test.each(pairs)(
    '%s as %s %s',
    async (viewer, account, role) => {
      const call = viewing(viewer, role ?? userOf(account));
      const [shown, viewers, vieweds] = [
        await surface(call, viewer === 'owner' && !role && (account === 'developer' || account === 'external')),
        owns.get(viewer)!,
        owns.get(account)!,
      ];
      const ask = async (whole: Map<string, ApiResponse<Any>>, who: Account, path: string) => {
        // The log has more lines with every call.
        const known = path.startsWith('/security-log') ? undefined : whole.get(path);
        const answer = known ?? (await work.as[who]<Any>('GET', path, undefined, noon));
        whole.set(path, answer);
        return answer;
      };
      let seen = 0;
      for (const [path, { status }] of vieweds) {
        // Records are asked for by those that each one lists.
        if (/\/\d+(\/|$)|choices|format=/.test(path)) continue;
        const both = status === 200 && viewers.get(path)?.status === 200;
        expect(shown.get(path)?.status === 200, path).toBe(both);
      }
      for (const [path, answer] of shown) {
        if (answer.status !== 200) continue;
        const part = comparable(path, answer);
        const theirs = await ask(vieweds, account, path);
        expect(theirs.status, path).toBe(200);
        // Their own figures are theirs alone: which blocks there are goes by the level that is viewed as.
        const isFigures = figures.includes(path);
        if (!role || !path.startsWith('/timesheet')) {
          expect(beyond(part, comparable(path, theirs)), `${path}: what ${account} sees`).toEqual([]);
        }
        const mine = await ask(viewers, viewer, path);
        expect(mine.status, path).toBe(200);
        if (!isFigures && !path.startsWith('/timesheet')) {
          expect(beyond(part, comparable(path, mine)), `${path}: what ${viewer} sees`).toEqual([]);
        }
        seen++;
      }
      expect(seen).toBeGreaterThan(10);
      const may = (whole: Map<string, ApiResponse<Any>>, path: string) => whole.get(path)?.status === 200;
      for (const path of shown.keys())
        if (path.includes('/choices/')) expect(may(shown, path), path).toBe(may(vieweds, path) && may(viewers, path));
    },
    60_000,
  );

  test('an administrator sees exactly what the viewed user sees', async () => {
    for (const account of ['manager', 'developer', 'external'] as const) {
      for (const path of ['/test-cases', '/tasks', '/projects', '/dashboard', '/task-analytics', '/clients']) {
        const [shown, theirs] = [
          await viewing('owner', userOf(account))<Any>('GET', path),
          await work.as[account]<Any>('GET', path),
        ];
        expect(shown.status, path).toBe(theirs.status);
        const ids = ({ body }: ApiResponse<Any>) =>
          Array.isArray(body.data) ? body.data.map(({ id }: { id: number }) => id) : body;
        if (shown.status === 200) expect(ids(shown), path).toEqual(ids(theirs));
      }
    }
  });

  test('records that a row rule reserves for the viewed user stay hidden', async () => {
    const count = async (call: Client) => (await call<Any[]>('GET', '/support-tickets')).body.length;
    expect(await count(work.as.developer)).toBeGreaterThan(0);
    expect(await count(viewing('owner', userOf('developer')))).toBe(0);
    expect(await count(viewing('admin', userOf('developer')))).toBe(await count(work.as.developer));
  });

  test('a grant that the viewer lacks has no effect', async () => {
    const { body } = await work.as.admin<Any>('GET', '/permissions');
    const ids: string[] = body.data.find(({ role_id }: { role_id: number }) => role_id === 2).modulePermission;
    const grant = (modulePermission: string[]) => work.as.admin('PUT', '/permissions/2', { modulePermission });
    expect((await viewing('owner', userOf('manager'))('GET', '/clients')).status).toBe(200);
    expect((await grant(ids.filter((id) => !id.startsWith('clients.')))).status).toBe(200);
    const call = viewing('owner', userOf('manager'));
    expect((await call('GET', '/clients')).status).toBe(403);
    const { data } = (await call<Any>('GET', '/view-as')).body;
    expect(data.permissions.clients).toBeUndefined();
    expect(data.totalClients).toBe(0);
    expect((await grant(ids.filter((id) => id !== 'roles.view'))).status).toBe(200);
    expect((await call('GET', '/projects')).status).toBe(403);
    expect((await grant(ids)).status).toBe(200);
    expect((await call('GET', '/clients')).status).toBe(200);
  });
});

describe('nothing is written', () => {
  /**
   * What every table holds, but for when sign-ins were used, for the log that notes what is refused, and for when
   * periodic work ran, which goes on meanwhile.
   */
  async function stored(): Promise<Record<string, unknown>> {
    const { kysely } = work.program.program.database;
    const { rows } = await sql<{ schema: string; name: string }>`select table_schema as schema, table_name as name
      from information_schema.tables where table_schema in ('public', 'assay') and table_type = 'BASE TABLE'`.execute(
      kysely,
    );
    const all: Record<string, unknown> = {};
    for (const { schema, name } of rows) {
      if (name === 'security_log' || name === 'periodic_work') continue;
      const text = name === 'tokens' ? sql`t.id || ' ' || t.user_id` : sql`t::text`;
      const { rows: found } = await sql<{
        hash: string;
      }>`select md5(coalesce(string_agg(${text}, '|' order by ${text}), '')) as hash
        from ${sql.id(schema, name)} t`.execute(kysely);
      all[`${schema}.${name}`] = found[0]!.hash;
    }
    return all;
  }

  test.each<[Account, string]>([
    ['admin', 'role 1'],
    ['admin', 'user'],
    ['owner', 'user'],
    ['owner', 'role 2'],
  ])('%s as %s: every call that is not GET is refused and changes nothing', async (viewer, as) => {
    const { body } = await work.as.admin<{ paths: Record<string, Record<string, unknown>> }>('GET', '/openapi.json');
    const before = await stored();
    const call = viewing(viewer, as === 'user' ? userOf('developer') : as);
    const { name } = (await call<Any>('GET', '/view-as')).body.data.user;
    let calls = 0;
    for (const [path, methods] of Object.entries(body.paths)) {
      for (const method of ['post', 'put', 'patch', 'delete'].filter((one) => one in methods)) {
        if (path === '/logout') continue;
        const real = path
          .replace('{id}', String(path.startsWith('/profile') ? work.ids[viewer] : 1))
          .replace(/\{\w+\}/g, '1');
        const { status, body: told } = await call<Any>(method.toUpperCase(), real, {
          email: 'owner@demo.test',
          password,
        });
        expect(status, `${method} ${path}`).toBe(403);
        expect(told.message).toBe(`You are viewing as ${name}, so nothing can be saved. Stop viewing first.`);
        calls++;
      }
    }
    expect(calls).toBeGreaterThan(100);
    expect((await call('POST', '/no-such-thing', {})).status).toBe(403);
    expect(await stored()).toEqual(before);
  });

  test('a body is not even read, and signing out is always possible', async () => {
    const call = await work.program.signIn('owner@demo.test');
    const headers = { 'x-view-as': userOf('developer'), 'content-type': 'application/json' };
    expect((await call('POST', '/clients', '{broken' as never, headers)).status).toBe(403);
    expect((await call('POST', '/logout', undefined, { 'x-view-as': 'user 99999' })).status).toBe(200);
    expect((await call('GET', '/me')).status).toBe(401);
  });
});

describe('personal data stays the viewer’s', () => {
  test('profile, sign-ins, notifications and identity', async () => {
    const call = viewing('owner', userOf('developer'));
    expect((await call<Any>('GET', '/me')).body.data.user.id).toBe(work.ids.owner);
    expect((await call('GET', `/profile/${work.ids.developer}`)).status).toBe(404);
    expect((await call('GET', `/profile/${work.ids.owner}`)).status).toBe(200);
    for (const path of ['/notifications', '/sign-ins', '/grid-configurations?name=clients']) {
      const ids = ({ body }: ApiResponse<Any>) =>
        JSON.stringify(body.data.map?.(({ id }: { id: number }) => id) ?? body);
      expect(ids(await call<Any>('GET', path)), path).toBe(ids(await work.as.owner<Any>('GET', path)));
    }
  });

  test('no sign-in of the viewed user is used', async () => {
    const { kysely } = work.program.program.database;
    const used = () =>
      kysely
        .withSchema('assay')
        .selectFrom('tokens')
        .select(['id', 'last_used_at'])
        .where('user_id', '=', work.ids.external)
        .execute();
    await kysely
      .withSchema('assay')
      .updateTable('tokens')
      .set({ last_used_at: new Date(Date.now() - 3_600_000) })
      .where('user_id', '=', work.ids.external)
      .execute();
    const before = await used();
    expect((await viewing('owner', userOf('external'))('GET', '/projects')).status).toBe(200);
    expect(await used()).toEqual(before);
  });

  test('events are those that both users can see', async () => {
    const { program } = work.program;
    const token = (await work.program.call<Any>('POST', '/login', { email: 'owner@demo.test', password })).body.token;
    const actor = await authenticate(program, {
      headers: { authorization: `Bearer ${token}`, 'x-view-as': userOf('developer') },
    });
    const hears = (resource: string, id: number, more = {}) =>
      visibleEvents(program, actor, [{ resource, id, event: 'updated', site_id: 1, ...more }]).then(
        ({ length }) => length > 0,
      );
    expect(await hears('projects', work.open)).toBe(true);
    expect(await hears('email-templates', 1)).toBe(false);
    const [ticket] = (await work.as.developer<Any>('GET', '/support-tickets')).body;
    expect(await hears('support-tickets', ticket.id)).toBe(false);
    expect(await hears('notifications', 1, { user_id: work.ids.developer })).toBe(false);
    expect(await hears('notifications', 1, { user_id: work.ids.owner })).toBe(true);
  });
});

test('changes of the viewed user’s access apply at once', async () => {
  const call = viewing('owner', userOf('qa'));
  expect((await call('GET', '/projects')).status).toBe(200);
  const set = (status_id: number) => work.as.owner('PUT', `/users/${work.ids.qa}`, { status_id });
  expect((await set(3)).status).toBe(200);
  const refused = await call<Any>('GET', '/projects');
  expect(refused.status).toBe(403);
  expect(refused.body.message).toContain('no active account');
  expect((await set(1)).status).toBe(200);
  expect((await call('GET', '/projects')).status).toBe(200);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram, type TestProgram } from '../session/program';

interface Role {
  readonly role_id: number;
  readonly role_name: string;
  readonly level: number;
  readonly modulePermission: string[];
  readonly users: number;
  readonly fixed: string | null;
}

let started: TestProgram;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  started = await startProgram();
  for (const account of ['admin', 'owner', 'manager', 'developer', 'owner@harbour.test']) {
    tokens[account] = await started.signIn(account);
  }
});
afterAll(() => started.close());

const call = (method: string, path: string, as: string, body?: unknown) =>
  started.call(method, path, { token: tokens[as], body });
const listed = async (as = 'admin'): Promise<Role[]> => (await call('GET', '/permissions', as)).body.data;
const role = async (id: number, as = 'admin') => (await listed(as)).find(({ role_id }) => role_id === id)!;
const save = (roles: object[], as = 'admin') => call('PUT', '/permissions', as, { roles });
const changed = ({ role_id, modulePermission: before }: Role, more: string[], less: string[] = []) => ({
  role_id,
  before,
  modulePermission: [...before.filter((id) => !less.includes(id)), ...more],
});
const made = async (name: string, as = 'owner') => {
  const { body } = await call('POST', '/roles', as, { role_name: name, level: 4, modulePermission: ['studios.list'] });
  return role(body.data.id, as);
};

describe('GET permissions', () => {
  test('counts the users of each role, without those of other companies', async () => {
    const all = await listed('admin');
    const own = await listed('owner');
    const { rows } = await started.test.database.pool.query(
      'select count(*)::int as count from users where role_id = 4 and deleted_at is null and site_id = 1',
    );
    expect(own.find(({ level }) => level === 4)!.users).toBe(rows[0].count);
    const owners = (roles: Role[]) => roles.find(({ level }) => level === 2)!.users;
    expect([owners(all) > owners(own), owners(own)]).toEqual([true, 1]);
  });

  test('reports which roles the caller cannot change, and why', async () => {
    const own = await made('Tester');
    const fixed = async (as: string) => Object.fromEntries((await listed(as)).map((one) => [one.role_id, one.fixed]));
    expect(await fixed('admin')).toMatchObject({
      1: 'Administrators of the installation always have every permission.',
      2: null,
      6: null,
    });
    const owner = await fixed('owner');
    expect(owner[4]).toContain('belongs to the installation');
    expect(owner[own.role_id]).toBeNull();
    const manager = await fixed('manager');
    expect(manager[own.role_id]).toContain("You don't have permission to");
    for (const [id, reason] of Object.entries(owner)) {
      const { status } = await call('PUT', `/permissions/${id}`, 'owner', {
        modulePermission: (await role(Number(id), 'owner')).modulePermission,
      });
      expect([id, status === 200]).toEqual([id, reason === null]);
    }
  });
});

describe('PUT permissions of several roles', () => {
  test('saves all of them at once and returns them', async () => {
    const [developer, qa] = [await role(4), await role(5)];
    const { status, body } = await save([
      changed(qa, ['imports.list']),
      changed(developer, ['films.edit', 'imports.list']),
    ]);
    expect(status).toBe(200);
    expect(body.data.map((one: Role) => one.role_id)).toEqual([4, 5]);
    expect((await role(4)).modulePermission).toEqual(expect.arrayContaining(['films.edit', 'imports.list']));
    expect((await role(5)).modulePermission).toContain('imports.list');
    expect((await call('GET', '/imports', 'developer')).status).toBe(200);
  });

  test('saves none of them if one is rejected, and reports which', async () => {
    const [one, other] = [await made('First'), await made('Second')];
    const { status, body } = await save(
      [changed(one, ['shots.list']), changed(other, ['territories.create'])],
      'owner',
    );
    expect([status, body.message]).toEqual([
      403,
      "Second: You cannot grant territories.create: you don't have it yourself.",
    ]);
    expect((await role(one.role_id)).modulePermission).toEqual(['studios.list']);
    const shipped = await save([changed(one, ['shots.list']), changed(await role(6), ['shots.list'])], 'owner');
    expect([shipped.status, shipped.body.message]).toEqual([403, expect.stringContaining('External User: ')]);
    expect((await role(one.role_id)).modulePermission).toEqual(['studios.list']);
  });

  test('keeps concurrent changes of other users', async () => {
    const [one, other] = [await made('Third'), await made('Fourth')];
    await call('PUT', `/permissions/${other.role_id}`, 'admin', { modulePermission: ['studios.list', 'shots.view'] });
    const late = await save([changed(one, ['films.list']), changed(other, ['films.list'])], 'owner');
    expect(late.status).toBe(409);
    expect(late.body.message).toMatch(/^Fourth was changed by Administrator on .+ Nothing was saved\.$/);
    expect((await role(other.role_id)).modulePermission).toEqual(['shots.view', 'studios.list']);
    expect((await role(one.role_id)).modulePermission).toEqual(['studios.list']);
    const again = await save([changed(await role(other.role_id), ['films.list'])], 'owner');
    expect([again.status, again.body.data[0].modulePermission]).toEqual([
      200,
      ['films.list', 'shots.view', 'studios.list'],
    ]);
  });

  test('of two concurrent changes, one gets a conflict', async () => {
    const [one, other] = [await made('Fifth'), await made('Sixth')];
    const answers = await Promise.all([
      save([changed(one, ['shots.list']), changed(other, ['shots.list'])], 'owner'),
      save([changed(other, ['shots.view']), changed(one, ['shots.view'])], 'admin'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('notifies only the users with the role, at once', async () => {
    const heard: unknown[] = [];
    const stop = started.program.live.subscribe((event) => event.resource === 'permissions' && heard.push(event));
    const qa = await role(5);
    await save([changed(qa, ['sites.list'])]);
    stop();
    expect(heard).toEqual([{ resource: 'permissions', id: 5, event: 'changed', role_id: 5 }]);
  });

  test('requires the grant and the same company', async () => {
    const own = await made('Seventh');
    expect((await save([changed(own, ['shots.list'])], 'owner@harbour.test')).status).toBe(404);
    expect((await save([changed(own, ['shots.list'])], 'manager')).status).toBe(403);
  });

  test.each<[unknown, number]>([
    [[], 400],
    [{}, 422],
    [{ roles: [] }, 422],
    [{ roles: {} }, 422],
    [{ roles: [7] }, 422],
    [{ roles: [{ role_id: '4', modulePermission: [], before: [] }] }, 422],
    [{ roles: [{ role_id: 4, modulePermission: 'all', before: [] }] }, 422],
    [{ roles: [{ role_id: 4, modulePermission: [] }] }, 422],
    [{ roles: [{ role_id: 4, modulePermission: [], before: [7] }] }, 422],
    [{ roles: [{ role_id: 4, modulePermission: [], before: [], level: 1 }] }, 422],
    [
      {
        roles: [
          { role_id: 4, modulePermission: [], before: [] },
          { role_id: 4, modulePermission: [], before: [] },
        ],
      },
      422,
    ],
    [{ roles: [{ role_id: 2_000_000, modulePermission: [], before: [] }] }, 404],
  ])('%j: %i', async (body, status) => {
    expect((await call('PUT', '/permissions', 'admin', body)).status).toBe(status);
  });

  test('rejects unknown permissions', async () => {
    const qa = await role(5);
    const { status, body } = await save([changed(qa, ['studios.burn'])]);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['modulePermission']]);
    expect(body.message).toContain('QA: ');
  });
});

describe('GET permissions/why', () => {
  const why = async (query: Record<string, string | number>, as = 'admin') =>
    (await call('GET', `/permissions/why?${new URLSearchParams(query as Record<string, string>)}`, as)).body.data;
  const rows = async (text: string) => (await started.test.database.pool.query(text)).rows;

  test('evaluates step by step, and the first failed step decides', async () => {
    const [shot] = await rows(
      'select t.id, u.first_name, u.last_name from shots t join users u on u.id = t.created_by join roles r on r.id = u.role_id where t.site_id = 1 and r.level = 3 order by t.id limit 1',
    );
    const creator = `${shot.first_name} ${shot.last_name}`;
    const [developer] = await rows("select id from users where email = 'developer@demo.test'");
    const answer = await why({ user_id: developer.id, module: 'shots', action: 'delete', id: shot.id });
    expect(answer).toMatchObject({ allowed: false, grant: 'shots.delete', rule: 'only shots that you created' });
    expect(answer.steps).toEqual([
      { kind: 'grant', outcome: 'passed', text: 'Role Developer' },
      { kind: 'company', outcome: 'passed', text: 'The record is of their company.' },
      {
        kind: 'row',
        outcome: 'failed',
        text: `Developer deletes only shots that they created. Shot ${shot.id} was created by ${creator}.`,
        condition: 'created_by = me',
      },
      { kind: 'field', outcome: 'notReached', text: 'Not reached' },
    ]);
    const roles = 'Allowed for anyone with the role Administrator, Company Owner or Manager.';
    expect(answer.allowedFor).toBe(roles);
  });

  test('an owner whom the company denies is told of those of that company', async () => {
    const [shot] = await rows('select id from shots where site_id = 1 order by id limit 1');
    const [owner] = await rows(
      'select u.id from users u join roles r on r.id = u.role_id where r.level = 2 and u.site_id <> 1 and u.status_id = 1 order by u.id limit 1',
    );
    const answer = await why({ user_id: owner.id, module: 'shots', action: 'delete', id: shot.id });
    expect(answer.steps).toContainEqual(expect.objectContaining({ kind: 'company', outcome: 'failed' }));
    expect(answer.allowedFor).toBe(
      'Allowed for anyone with the role Administrator and anyone of its company with the role Company Owner or Manager.',
    );
  });

  test('without a record explains which rules apply', async () => {
    const [developer] = await rows("select id from users where email = 'developer@demo.test'");
    const others = async (module: string, action: string) =>
      (await why({ user_id: developer.id, module, action })).allowedFor;
    // Of level 4 there may be roles of other tests.
    const byRules =
      /^Allowed for anyone with the role Administrator, Company Owner or Manager and by row rules for anyone with the role .*External User/;
    expect(await others('shots', 'delete')).toMatch(byRules);
    expect(await others('studios', 'delete')).toBe(
      'Allowed for anyone with the role Administrator, Company Owner or Manager.',
    );
  });

  test('names the users that a rule allows', async () => {
    const [shot] = await rows(
      'select t.id, u.id as user_id, u.first_name, u.last_name from shots t join users u on u.id = t.created_by join roles r on r.id = u.role_id where t.site_id = 1 and r.level = 5 and u.status_id = 1 order by t.id limit 1',
    );
    const answer = await why({ user_id: 1, module: 'shots', action: 'delete', id: shot.id });
    expect(answer.allowedFor).toBe(
      `Allowed for ${shot.first_name} ${shot.last_name} and anyone with the role Administrator, Company Owner or Manager.`,
    );
    const own = await why({ user_id: shot.user_id, module: 'shots', action: 'delete', id: shot.id });
    expect([own.allowed, own.steps.map(({ outcome }: { outcome: string }) => outcome)]).toEqual([
      true,
      ['passed', 'passed', 'passed', 'passed'],
    ]);
  });

  test('a record that is not visible cannot be deleted, not even by its creator', async () => {
    const [external] = await rows("select id from users where email = 'external@demo.test'");
    const [shot] = await rows(
      `select t.id from shots t where t.site_id = 1 and not exists (select from films__user_ids p where p.record_id = t.film_id and p.target_id = ${external.id}) order by t.id limit 1`,
    );
    await rows(`update shots set created_by = ${external.id} where id = ${shot.id}`);
    const answer = await why({ user_id: external.id, module: 'shots', action: 'delete', id: shot.id });
    expect(answer).toMatchObject({ allowed: false, rule: 'only in your films' });
    const token = await started.signIn('external');
    expect((await started.call('DELETE', `/shots/${shot.id}`, { token })).status).toBe(404);
  });

  test('reports which field a rule excludes', async () => {
    const [external] = await rows("select id from users where email = 'external@demo.test'");
    const answer = await why({ user_id: external.id, module: 'shots', action: 'edit', field: 'status_id' });
    expect(answer.steps.at(-1)).toEqual({
      kind: 'field',
      outcome: 'failed',
      text: 'Never sets Status or Operator.',
    });
    expect((await why({ user_id: external.id, module: 'shots', action: 'edit', field: 'name' })).allowed).toBe(true);
  });

  test('reports checks of the program itself', async () => {
    const [owner] = await rows("select id, role_id from users where email = 'owner@demo.test'");
    const own = await why({ user_id: 1, module: 'roles', action: 'edit', id: 1 });
    expect([own.allowed, own.steps.at(-1)]).toEqual([
      false,
      { kind: 'guard', outcome: 'failed', text: 'This is your own role: somebody else has to change it.' },
    ]);
    const last = await why({ user_id: owner.id, module: 'users', action: 'delete', id: owner.id });
    expect([last.allowed, last.reason]).toEqual([false, 'A company needs at least one owner.']);
    expect(await rows(`select 1 from users where id = ${owner.id} and deleted_at is null`)).toHaveLength(1);
  });

  test('reveals no users that the caller cannot see', async () => {
    expect((await why({ module: 'shots', action: 'delete' }, 'developer')).allowedFor).toBeNull();
  });
});

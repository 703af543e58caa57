// @module-tag slow
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accounts, password } from '../../support/accounts';
import type { Client } from '../../support/program';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

let server: StudioProgram;
let admin: Client;
let owner: Client;
/** Users of the first company: a stock keeper and a driver, both of roles of level 4. */
let keeper: Client;
let driver: Client;
let keeperRole: number;
let keeperId: number;
let driverId: number;

const states = ['packed', 'sent', 'lost'].map((value) => ({ value, label: value }));

interface Role {
  readonly id: number;
  readonly key: string;
  readonly role_name: string;
}
const addRole = async (as: Client, values: object) => (await as<{ data: Role }>('POST', '/roles', values)).body.data;

async function addUser(role: number, name: string): Promise<number> {
  const email = `${name.toLowerCase()}@demo.test`;
  const values = { first_name: name, last_name: 'Test', email, password, role_id: role, status_id: 1, site_id: 1 };
  const made = await admin<{ data: { id: number } }>('POST', '/users', values);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data.id;
}

beforeAll(async () => {
  server = await startStudio();
  ({ admin, owner } = server);
  const stock = await addRole(owner, { role_name: 'Stock keeper', level: 4 });
  const drivers = await addRole(owner, { role_name: 'Driver', level: 4 });
  keeperRole = stock.id;
  await server.studio.make(
    'crates',
    {
      name: { required: true },
      value: { type: 'number' },
      state: {
        type: 'select',
        options: states,
        initial: 'packed',
        transitions: [
          { from: 'packed', to: 'sent', roles: ['driver'] },
          { from: ['packed', 'sent'], to: 'lost', levels: [2], roles: ['stock-keeper'] },
        ],
      },
      note: { readOnly: { '$actor.role': { $ne: 'stock-keeper' } } },
    },
    {
      grants: { 4: 'all' },
      rules: [
        { roles: ['driver'], action: ['list', 'view'], exceptFields: ['value'], reason: 'without their value' },
        {
          levels: [2],
          roles: ['driver'],
          action: 'edit',
          where: { state: { $ne: 'lost' } },
          reason: 'crates that are not lost',
        },
        {
          roles: ['stock-keeper'],
          action: 'delete',
          where: { created_by: '$actor.id' },
          reason: 'only crates that you packed',
        },
      ],
      requests: {
        count: { label: 'Count', sets: { value: 1 }, roles: ['stock-keeper'] },
        weigh: { label: 'Weigh', sets: { value: 7 } },
      },
      list: {
        actions: [
          'edit',
          'count',
          { name: 'weigh', roles: ['stock-keeper'] },
          { name: 'more', goTo: { resource: 'crates' }, roles: ['stock-keeper'] },
        ],
      },
    },
  );
  keeperId = await addUser(stock.id, 'Kira');
  driverId = await addUser(drivers.id, 'Dirk');
  keeper = await server.program.signIn('kira@demo.test');
  driver = await server.program.signIn('dirk@demo.test');
});
afterAll(() => server?.program.close());

interface Crate {
  readonly id: number;
  readonly state: string;
  readonly value?: number;
}
const pack = async (as: Client, values: object = {}) =>
  (await as<Crate>('POST', '/crates', { name: 'crate', value: 5, ...values })).body.id;

describe('the key of a role', () => {
  test('is made from the name, stays when it is renamed, and cannot be changed', async () => {
    const role = await addRole(owner, { role_name: 'Night Shift (A)', level: 5 });
    expect(role.key).toBe('night-shift-a');
    expect(await owner('PUT', `/roles/${role.id}`, { role_name: 'Day shift' })).toMatchObject({ status: 200 });
    await owner('PUT', `/roles/${role.id}`, { key: 'driver' });
    expect(await owner('GET', `/roles/${role.id}`)).toMatchObject({
      body: { data: { role_name: 'Day shift', key: 'night-shift-a' } },
    });
  });

  test('is one of its own among the roles that the users of a company can have', async () => {
    expect((await addRole(owner, { role_name: 'driver', level: 5 })).key).toBe('driver-2');
    expect((await addRole(admin, { role_name: 'Driver', level: 5, site_id: 1 })).key).toBe('driver-3');
    expect((await addRole(owner, { role_name: 'Q. A.', level: 5 })).key).toBe('q-a');
    for (const [key, message] of [
      ['driver', 'Another role has the key driver.'],
      ['qa', 'Another role has the key qa.'],
      ['Not A Key', 'Key must consist of small letters, digits and single hyphens.'],
    ])
      expect(await owner('POST', '/roles', { role_name: 'X', level: 5, key })).toMatchObject({
        status: 422,
        body: { errors: { key: message } },
      });
    // Another company's role may have the same one: it is about the records of that company.
    const harbour = await server.program.signIn('owner@harbour.test');
    expect((await addRole(harbour, { role_name: 'Driver', level: 5 })).key).toBe('driver');
  });

  test('is made once if many are added at once', async () => {
    const roles = await Promise.all(Array.from({ length: 8 }, () => addRole(owner, { role_name: 'Twin', level: 6 })));
    expect(new Set(roles.map(({ key }) => key)).size).toBe(8);
  });
});

describe('rules by role', () => {
  test('hide fields from one role of a level, and not from another', async () => {
    const id = await pack(owner);
    for (let round = 0; round < 2; round++) {
      expect((await keeper<Crate>('GET', `/crates/${id}`)).body.value).toBe(5);
      expect((await driver<Crate>('GET', `/crates/${id}`)).body).not.toHaveProperty('value');
      const listed = async (as: Client) =>
        (await as<Crate[]>('GET', `/crates?filter=${encodeURIComponent(JSON.stringify({ id }))}`)).body[0]!;
      expect(await listed(keeper)).toHaveProperty('value', 5);
      expect(await listed(driver)).not.toHaveProperty('value');
    }
    const where = encodeURIComponent(JSON.stringify({ value: { $gt: 1 } }));
    expect((await driver('GET', `/crates?where=${where}`)).status).toBe(422);
    expect((await keeper('GET', `/crates?where=${where}`)).status).toBe(200);
  });

  test('narrow what it may change, for each kind of call', async () => {
    const id = await pack(keeper);
    expect(await owner('PUT', `/crates/${id}`, { state: 'lost' })).toMatchObject({ status: 200 });
    expect(await driver<Refusal>('PUT', `/crates/${id}`, { name: 'x' })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('crates that are not lost') as string },
    });
    expect(await driver('PUT', `/crates`, { ids: [id], name: 'x' })).not.toMatchObject({ status: 200 });
    expect(await keeper('PUT', `/crates/${id}`, { name: 'y' })).toMatchObject({ status: 200 });
    const others = await pack(owner);
    expect(await keeper('DELETE', `/crates/${others}`)).toMatchObject({ status: 403 });
    expect(await driver('DELETE', `/crates/${others}`)).toMatchObject({ status: 200 });
    expect(await keeper('DELETE', `/crates/${id}`)).toMatchObject({ status: 200 });
  });

  test('are for transitions and requests too, whose refusals name the roles', async () => {
    const id = await pack(owner);
    expect(await keeper('PUT', `/crates/${id}`, { state: 'sent' })).toMatchObject({
      status: 422,
      body: { errors: { state: 'You may not change State from packed to sent: this is for Driver.' } },
    });
    expect(await keeper('PATCH', `/crates-state-sent/${id}`)).toMatchObject({
      status: 403,
      body: { message: 'You don’t have'.replace('’', "'") + ` permission for "sent" of cratess: it is for Driver.` },
    });
    expect(await driver('PATCH', `/crates-state-sent/${id}`)).toMatchObject({ status: 200, body: { state: 'sent' } });
    expect(await driver('PATCH', `/crates-count/${id}`)).toMatchObject({ status: 403 });
    expect(await keeper('PATCH', `/crates-count/${id}`)).toMatchObject({ status: 200, body: { value: 1 } });
    expect(await driver('PUT', `/crates/${id}`, { state: 'lost' })).toMatchObject({
      status: 422,
      body: {
        errors: { state: 'You may not change State from sent to lost: this is for Company Owner and Stock keeper.' },
      },
    });
    expect(await keeper('PUT', `/crates/${id}`, { state: 'lost' })).toMatchObject({ status: 200 });
  });

  test('of a row action are those of its request, over the API too', async () => {
    const id = await pack(owner);
    for (const other of [driver, owner])
      expect(await other('PATCH', `/crates-weigh/${id}`)).toMatchObject({
        status: 403,
        body: { message: `You don't have permission for "Weigh" of cratess: it is for Stock keeper.` },
      });
    expect((await owner<Crate>('GET', `/crates/${id}`)).body.value).toBe(5);
    expect(await keeper('PATCH', `/crates-weigh/${id}`)).toMatchObject({ status: 200, body: { value: 7 } });
  });

  test('may be asked for in a condition', async () => {
    const id = await pack(owner);
    expect(await keeper('PUT', `/crates/${id}`, { note: 'Heavy' })).toMatchObject({ body: { note: 'Heavy' } });
    await driver('PUT', `/crates/${id}`, { note: 'Light' });
    expect(await owner('GET', `/crates/${id}`)).toMatchObject({ body: { note: 'Heavy' } });
    const where = encodeURIComponent(JSON.stringify({ '$actor.role': 'driver' }));
    expect((await driver<Crate[]>('GET', `/crates?where=${where}`)).body.length).toBeGreaterThan(0);
    expect((await keeper<Crate[]>('GET', `/crates?where=${where}`)).body).toEqual([]);
  });

  test('hold while somebody views as the role, or as one who has it', async () => {
    const id = await pack(owner);
    const { rows } = await server.program.program.database.pool.query(
      "select id from roles where key = 'driver' and site_id = 1",
    );
    for (const as of [`user ${driverId}`, `role ${rows[0].id}`])
      expect((await owner('GET', `/crates/${id}`, undefined, { 'x-view-as': as })).body).not.toHaveProperty('value');
    const me = await owner('GET', '/view-as', undefined, { 'x-view-as': `user ${keeperId}` });
    expect(me.body).toMatchObject({ data: { role: { key: 'stock-keeper' } } });
    expect((await owner('GET', `/crates/${id}`, undefined, { 'x-view-as': `user ${keeperId}` })).body).toHaveProperty(
      'value',
    );
  });

  test('are explained by the name of the role', async () => {
    const id = await pack(owner);
    await owner('PUT', `/crates/${id}`, { state: 'lost' });
    const why = async (user: number, query: string) =>
      (await owner<{ data: object }>('GET', `/permissions/why?user_id=${user}&module=crates&id=${id}&${query}`)).body
        .data;
    expect(await why(driverId, 'action=edit')).toMatchObject({
      allowed: false,
      steps: expect.arrayContaining([
        { kind: 'grant', outcome: 'passed', text: 'Role Driver' },
        expect.objectContaining({
          kind: 'row',
          outcome: 'failed',
          text: expect.stringContaining('Driver edits crates that are not lost.') as string,
        }),
      ]) as unknown,
    });
    expect(await why(keeperId, 'action=edit')).toMatchObject({
      allowed: true,
      steps: expect.arrayContaining([
        expect.objectContaining({ kind: 'row', outcome: 'passed', text: 'No row rule for Stock keeper.' }),
      ]) as unknown,
    });
    const packed = await pack(owner);
    const whyState = async (user: number, record: number) =>
      (
        await owner<{ data: object }>(
          'GET',
          `/permissions/why?user_id=${user}&module=crates&id=${record}&action=edit&field=state`,
        )
      ).body.data;
    expect(await whyState(driverId, packed)).toMatchObject({
      allowed: true,
      steps: expect.arrayContaining([
        {
          kind: 'transition',
          outcome: 'passed',
          text: 'From packed it can change to sent. You may not change State from packed to lost: this is for Company Owner and Stock keeper.',
        },
      ]) as unknown,
    });
    expect(await whyState(keeperId, id)).toMatchObject({
      allowed: false,
      reason: 'lost is final.',
      steps: expect.arrayContaining([{ kind: 'transition', outcome: 'failed', text: 'lost is final.' }]) as unknown,
    });
    expect(await why(driverId, 'action=view&field=value')).toMatchObject({ allowed: false });
    expect(await why(keeperId, 'action=view&field=value')).toMatchObject({ allowed: true });
  });

  test('stay with a role that is renamed', async () => {
    const id = await pack(owner);
    expect(await owner('PUT', `/roles/${keeperRole}`, { role_name: 'Warehouse' })).toMatchObject({ status: 200 });
    expect(await keeper('PATCH', `/crates-count/${id}`)).toMatchObject({ status: 200 });
    expect(await driver('PATCH', `/crates-count/${id}`)).toMatchObject({
      status: 403,
      body: { message: `You don't have permission for "Count" of cratess: it is for Warehouse.` },
    });
  });

  test('are in the definitions and the answer of me, so that the browser decides the same', async () => {
    const { body } = await keeper<{ data: { name: string; rules: object[] }[] }>('GET', '/definitions');
    const crates = body.data.find(({ name }) => name === 'crates')!;
    expect(crates.rules).toContainEqual(expect.objectContaining({ roles: ['driver'] }));
    expect((await keeper('GET', '/me')).body).toMatchObject({
      data: {
        role: { id: keeperRole, key: 'stock-keeper' },
        roles: expect.arrayContaining([{ key: 'driver', name: 'Driver', level: 4 }]) as unknown,
      },
    });
  });

  test('show in the API document of a role what it can read', async () => {
    interface ApiDocument {
      components: { schemas: Record<string, { properties?: object }> };
    }
    const schema = async (as: Client) =>
      (await as<ApiDocument>('GET', '/openapi.json?resources=crates')).body.components.schemas;
    const [own, others] = [JSON.stringify(await schema(keeper)), JSON.stringify(await schema(driver))];
    expect(own).toContain('"value"');
    expect(own).not.toBe(others);
  });
});

test('an automation notifies those who have the role in the company of the record, and may see it', async () => {
  const harbour = await server.program.signIn('owner@harbour.test');
  const [site] = await server.query("select site_id from users where email = 'owner@harbour.test'");
  const runner = async (as: Client, name: string, site_id: unknown): Promise<Client> => {
    const found = (await as<{ data: Role[] }>('GET', `/roles?sort_by=id&range=[0,99]`)).body.data ?? [];
    const role = found.find(({ key }) => key === 'runner') ?? (await addRole(as, { role_name: 'Runner', level: 5 }));
    const email = `${name}@runners.test`;
    const values = { first_name: name, last_name: 'R', email, password, role_id: role.id, status_id: 1, site_id };
    const made = await admin('POST', '/users', values);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return server.program.signIn(email);
  };
  const ada = await runner(owner, 'ada', 1);
  await runner(owner, 'ben', 1);
  const cleo = await runner(harbour, 'cleo', site!.site_id);
  await server.query("update users set status_id = 2 where email = 'ben@runners.test'");
  await server.studio.make(
    'letters',
    { name: { required: true }, sealed: { type: 'boolean' } },
    {
      labels: { one: 'Letter', many: 'Letters' },
      grants: { 2: 'all', 4: 'all', 5: 'read' },
      rules: [
        { roles: ['runner'], action: ['list', 'view'], where: { sealed: { $ne: true } }, reason: 'no sealed ones' },
      ],
      automations: [
        { name: 'post', events: ['create'], steps: [{ notify: { roles: ['runner'] }, text: 'Letter {name}' }] },
      ],
    },
  );
  const sends = async (as: Client, name: string, sealed = false) =>
    (await as<{ id: number }>('POST', '/letters', { name, sealed })).body.id;
  const ids = [await sends(owner, 'one'), await sends(owner, 'two', true), await sends(harbour, 'three')];
  await vi.waitFor(async () =>
    expect(
      await server.query(
        `select record_id, state from assay.automation_runs where resource = 'letters' order by record_id`,
      ),
    ).toEqual(ids.map((record_id) => ({ record_id, state: 'done' }))),
  );
  const told = async (as: Client) =>
    (await as<{ data: { title: string }[] }>('GET', '/notifications')).body.data
      .map(({ title }) => title)
      .filter((title) => title.startsWith('Letter'));
  expect([await told(ada), await told(cleo)]).toEqual([['Letter one'], ['Letter three']]);
  for (const other of [keeper, driver, owner, harbour]) expect(await told(other)).toEqual([]);
  expect(
    await server.query(
      `select n.title from notifications n join users u on u.id = n.user_id
        where u.email = 'ben@runners.test' and n.title like 'Letter%'`,
    ),
  ).toEqual([]);
});

describe('a definition that names a role', () => {
  test('is published only if there is such a role', async () => {
    const broken = (source: { rules?: object[] }) => {
      source.rules = [{ roles: ['drivr'], action: 'edit' }];
    };
    expect(await server.studio.tryPublish('crates', broken)).toMatchObject({
      status: 422,
      body: {
        errors: {
          '/rules/0/roles/0': expect.stringMatching(
            /^No role has the key "drivr"\. Did you mean "driver"\? There are .*Create the role first/,
          ) as string,
        },
      },
    });
    const { definition } = await server.studio.module('crates');
    const draft = structuredClone(definition) as typeof definition & {
      fields: Record<string, Record<string, unknown>>;
    };
    draft.fields.note = { readOnly: { '$actor.role': { $in: ['stock-keeper', 'nobody'] } } };
    expect(await server.studio.plan('crates', draft)).toMatchObject({
      valid: false,
      errors: [{ path: '/fields/note/readOnly/$actor.role/$in/1' }],
    });
    expect(
      await server.studio.tryPublish('crates', (source) => {
        source.rules = [{ action: 'edit' }];
      }),
    ).toMatchObject({
      status: 422,
      body: { errors: { '/rules/0': 'A rule names whom it applies to: add "levels" or "roles".' } },
    });
  });

  test('stays editable when one of its roles is deleted', async () => {
    const role = await addRole(admin, { role_name: 'Guard', level: 6 });
    await server.studio.publish('crates', (source) => {
      source.rules = [...source.rules!, { roles: ['guard'], action: 'edit', where: { state: 'packed' } }];
    });
    expect(await admin('DELETE', `/roles/${role.id}`)).toMatchObject({ status: 200 });
    await server.studio.publish('crates', (source) => {
      source.description = 'Boxes.';
    });
    await server.studio.publish('crates', (source) => {
      source.rules = source.rules!.slice(0, -1);
    });
  });
});

test('roles without a key get one at the start', async () => {
  const { fillRoleKeys } = await import('../../../src/server/accounts/permissions/roles');
  const { program } = server.program;
  await program.database.pool.query(
    "insert into roles (role_name, level, site_id) values ('Old hand', 5, 1), ('Old hand', 5, 1), ('QA', 5, 1)",
  );
  await fillRoleKeys(program);
  const { rows } = await program.database.pool.query(
    "select key from roles where role_name = 'Old hand' or (role_name = 'QA' and site_id = 1) order by id",
  );
  expect(rows.map(({ key }: { key: string }) => key)).toEqual(['old-hand', 'old-hand-2', 'qa-2']);
  expect(accounts.owner).toBeDefined();
});

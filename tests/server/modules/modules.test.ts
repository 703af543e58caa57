import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/definitions/source';
import type { Module } from '../../../src/engine/studio/module';
import type { LiveEvent } from '../../../src/server/program';
import { sourceOf } from '../../support/definitions';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf, type Refusal, type Studio } from './studio';

let program: DemoProgram;
let admin: Client;
let owner: Client;
let studio: Studio;

beforeAll(async () => {
  program = await startDemoProgram();
  admin = await program.signIn(accounts.admin);
  owner = await program.signIn(accounts.owner);
  studio = studioOf(admin);
});
afterAll(() => program?.close());

const query = async (text: string) =>
  (await program.program.database.pool.query(text)).rows as Record<string, unknown>[];
const number = { type: 'number', integer: true } as const;

describe('who may', () => {
  test.each([
    ['GET', '/modules'], ['GET', '/modules/tasks'], ['POST', '/modules/tasks/plan'], ['POST', '/modules'], ['PUT', '/modules/tasks'],
    ['GET', '/modules/tasks/versions'], ['POST', '/modules/tasks/restore'], ['DELETE', '/modules/tasks'], ['GET', '/modules/tasks/columns/name'],
  ])('%s %s is level 1 alone', async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    expect((await program.call(method, path, body)).status).toBe(401);
    const refused = await owner<Refusal>(method, path, body);
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('administrator') } });
  }); // prettier-ignore

  test('nobody changed anything', async () => expect(await studio.versions('tasks')).toHaveLength(1));
});

describe('reading', () => {
  test('the list holds everything that ships, as it is written', async () => {
    const modules = await studio.modules();
    const { definitions } = program.program;
    expect(modules.map(({ name }) => name)).toEqual([...definitions.registry().definitions.keys()].sort());
    const tasks = modules.find(({ name }) => name === 'tasks')!;
    const plain = { origin: 'shipped', version: 1, customised: false, retired: false, shipped: null, upgrade: null };
    expect(tasks).toMatchObject({ ...plain, hidden: [], faults: [], labels: { one: 'Task', many: 'Tasks' } });
    expect(JSON.stringify(tasks.definition)).toBe(JSON.stringify(definitions.sources().get('tasks')));
    expect(await studio.module('tasks')).toEqual(tasks);
    expect(await studio.versions('tasks')).toMatchObject([
      { version: 1, user: null, event: 'shipped', definition: tasks.definition },
    ]);
  });

  test('what is not there is not found', async () => {
    for (const path of ['/modules/nothing', '/modules/nothing/versions', '/modules/__proto__', '/modules/nothing/columns/id'])
      expect((await admin('GET', path)).status, path).toBe(404);
    expect((await admin('GET', '/modules/tasks/columns/nothing')).status).toBe(404);
    expect((await admin('DELETE', '/modules/nothing')).status).toBe(404);
    expect((await admin('PUT', '/modules/nothing', { definition: sourceOf('nothing', { name: {} }), version: 1 })).status).toBe(404);
    expect((await admin('POST', '/modules/tasks/restore', { version: 99 })).status).toBe(404);
  }); // prettier-ignore

  test.each<[string, string, unknown, number, string?]>([
    ['POST', '/modules', undefined, 400],
    ['POST', '/modules', [], 400],
    ['POST', '/modules', {}, 422, 'definition'],
    ['POST', '/modules', { definition: 7 }, 422, 'definition'],
    ['POST', '/modules', { definition: {} }, 422, '/name'],
    ['POST', '/modules', { definition: { name: 7 } }, 422, '/name'],
    ['POST', '/modules', { definition: {}, version: 1 }, 422, 'version'],
    ['PUT', '/modules/tasks', { definition: {} }, 422, 'version'],
    ['PUT', '/modules/tasks', { definition: {}, version: '1' }, 422, 'version'],
    ['PUT', '/modules/tasks', { definition: {}, version: 1, confirm: 1 }, 422, 'confirm'],
    ['PUT', '/modules/tasks', { definition: {}, version: 1, purge: ['a', 1] }, 422, 'purge'],
    ['PUT', '/modules/tasks', { definition: {}, version: 1, shipped: 'yes' }, 422, 'shipped'],
    ['PUT', '/modules/tasks', { definition: { name: 'jobs' }, version: 1 }, 422, '/name'],
    ['POST', '/modules/tasks/restore', {}, 422, 'version'],
    ['POST', '/modules/tasks/restore', { version: 1, purge: [] }, 422, 'purge'],
    ['POST', '/modules/tasks/plan', { definition: {}, confirm: true }, 422, 'confirm'],
    ['DELETE', '/modules/tasks?yes=1', undefined, 400],
    ['DELETE', '/modules/tasks?confirm=true', undefined, 400],
  ])('%s %s %j is refused with %i', async (method, path, body, status, place) => {
    const answer = await admin<Refusal>(method, path, body);
    expect(answer).toMatchObject({ status, body: { message: expect.any(String) } });
    if (place) expect(Object.keys(answer.body.errors!)).toContain(place);
  });

  test('a definition deeper than anybody writes one is refused', async () => {
    const deep = JSON.parse(`${'['.repeat(3000)}${']'.repeat(3000)}`) as unknown;
    expect((await admin('POST', '/modules', { definition: { name: 'deep', labels: deep } })).status).toBe(422);
    expect(await studio.plan('deep', { name: 'deep', labels: deep })).toMatchObject({ valid: false, errors: [{ path: '' }] });
  }); // prettier-ignore
});

describe('planning', () => {
  test('says what would be done, and does nothing', async () => {
    const { definition } = await studio.module('priorities');
    const draft = { ...definition, fields: { ...definition.fields, points: number } };
    const plan = await studio.plan('priorities', draft);
    expect(plan).toMatchObject({ valid: true, errors: [] });
    expect(plan.steps).toContainEqual(
      expect.objectContaining({ kind: 'addColumn', destructive: false, sql: expect.stringContaining('"points"') }),
    );
    expect(await query(`select from information_schema.columns where table_name = 'priorities' and column_name = 'points'`)).toEqual([]); // prettier-ignore
    expect((await studio.module('priorities')).version).toBe(1);
  });

  test('works for a module that does not exist yet', async () => {
    const plan = await studio.plan('boats', sourceOf('boats', { name: {} }));
    expect(plan.steps).toContainEqual(expect.objectContaining({ kind: 'createTable' }));
    expect((await admin('GET', '/modules/boats')).status).toBe(404);
  });

  test('names every fault with its place, those of other definitions with their module', async () => {
    const { definition } = await studio.module('tasks');
    const wrong = { ...definition, fields: { ...definition.fields, x: { type: 'txet' as 'text' } } };
    expect(await studio.plan('tasks', wrong)).toMatchObject({
      valid: false,
      steps: [],
      errors: [{ path: '/fields/x/type', message: expect.stringContaining('Did you mean "text"?') }],
    });
    const fields = Object.fromEntries(Object.entries(definition.fields).filter(([name]) => name !== 'project_id'));
    const { errors } = await studio.plan('tasks', { ...definition, fields });
    expect(errors.some(({ module }) => module === 'projects' || module === 'clients')).toBe(true);
  });
});

describe('publishing', () => {
  test('brings a definition into force at once: column, API, version, live event', async () => {
    const events: LiveEvent[] = [];
    const stop = program.program.live.subscribe((event) => events.push(event));
    const module = await studio.publish('clients', ({ fields }) => void (fields.vat_number = { label: 'VAT' }));
    stop();
    expect(module).toMatchObject({ version: 2, origin: 'shipped', customised: true, upgrade: null });
    expect(module.shipped!.fields.vat_number).toBeUndefined();
    expect(module.definition.fields.vat_number).toEqual({ label: 'VAT' });
    const [client] = (await owner<{ id: number }[]>('GET', '/clients')).body;
    expect(client).toMatchObject({ vat_number: null });
    expect((await owner('PUT', `/clients/${client!.id}`, { vat_number: 'DE 1' })).status).toBe(200);
    expect(await studio.versions('clients')).toMatchObject([
      {
        version: 2,
        user: { id: 1, name: 'Amara Okafor' },
        event: 'published',
        created_at: expect.stringMatching(/Z$/),
      },
      { version: 1, user: null, event: 'shipped' },
    ]);
    expect(events).toContainEqual({ resource: 'modules', id: 'clients', event: 'changed' });
  });

  test('keys keep their order', async () => {
    const { definition } = await studio.module('actions');
    const turned = Object.fromEntries(Object.entries(definition).reverse()) as unknown as Source;
    await studio.publish('actions', (source) => {
      for (const key of Object.keys(source)) delete source[key as 'menu'];
      Object.assign(source, turned);
    });
    expect(Object.keys((await studio.module('actions')).definition)).toEqual(Object.keys(turned));
    expect(Object.keys((await studio.versions('actions'))[0]!.definition)).toEqual(Object.keys(turned));
  });

  test('what is not valid is 422 with every place, and changes nothing', async () => {
    const refused = await studio.tryPublish('results', (source) => {
      source.fields.a = { type: 'nmuber' as 'number' };
      source.fields.b = { to: 'nowhere', type: 'relation' };
      source.list = { columns: ['c'] };
    });
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors!)).toEqual(['/fields/a/type']);
    const second = await studio.tryPublish('results', (source) => {
      source.fields.b = { to: 'nowhere', type: 'relation' };
      source.list = { ...source.list, columns: ['c'] };
    });
    expect(Object.keys(second.body.errors!).sort()).toEqual(['/fields/b/to', '/list/columns/0']);
    expect((await studio.module('results')).version).toBe(1);
  });

  test('a change that breaks another definition says which', async () => {
    const refused = await studio.tryPublish('tasks', ({ fields }) => void delete fields.project_id);
    expect(refused.status).toBe(422);
    expect(refused.body.errors!['']).toMatch(/(projects|clients) would no longer fit \(\/.+\): /);
  });

  test('a hook that nobody wrote, and rows that do not exist, are faults', async () => {
    const hook = await studio.tryPublish('results', (source) => void (source.hooks = { beforeSave: ['stampUser'] }));
    expect(hook.body.errors).toHaveProperty(['/hooks/beforeSave']);
    const rows = await studio.tryPublish('results', (source) => void (source.rows = 'nothing.json'));
    expect(rows).toMatchObject({ status: 422, body: { errors: { '/rows': expect.any(String) } } });
  });

  test('publishing what is in force already makes no version', async () => {
    expect((await studio.publish('status', () => undefined)).version).toBe(1);
  });

  test('an earlier version is refused, saying who published what when', async () => {
    const { definition } = await studio.module('device-types');
    await studio.publish('device-types', (source) => void (source.description = 'What things run on.'));
    const late = await admin<Refusal>('PUT', '/modules/device-types', { definition, version: 1 }, { 'x-timezone': 'Europe/Berlin' }); // prettier-ignore
    expect(late.status).toBe(409);
    expect(late.body.message).toMatch(
      /^Amara Okafor published another version \(version 2\) on \d\d-\w{3}-\d{4} \d\d:\d\d\. /,
    );
  });

  test('a type that may lose values needs to be confirmed, and says so before', async () => {
    await studio.make('boxes', { name: {}, size: {} });
    for (const size of ['12', 'large']) await owner('POST', '/boxes', { name: size, size });
    const narrow = ({ fields }: Source) => void (fields.size = number);
    const refused = await studio.tryPublish('boxes', narrow);
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringMatching(/size.+2 stored rows.+confirm/) } }); // prettier-ignore
    expect(await query('select size from boxes order by id')).toEqual([{ size: '12' }, { size: 'large' }]);
    expect(await studio.publish('boxes', narrow, { confirm: true })).toMatchObject({ version: 2 });
    expect((await owner<object[]>('GET', '/boxes?sort=["id","ASC"]')).body).toMatchObject([
      { size: 12 },
      { size: null },
    ]);
  });

  test('a rule of the database that stored rows break is refused in words, whatever is confirmed', async () => {
    await studio.make('crates');
    for (const name of ['one', 'one', 'two']) await owner('POST', '/crates', { name });
    const unique = ({ fields }: Source) => void (fields.name = { unique: 'company' });
    for (const more of [{}, { confirm: true }]) {
      const refused = await studio.tryPublish('crates', unique, more);
      expect(refused).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('Nothing was changed.') },
      });
    }
    expect((await studio.module('crates')).version).toBe(1);
    expect((await owner('POST', '/crates', { name: 'one' })).status).toBe(201);
  });

  test('nobody is signed out, and forms that were open are still taken', async () => {
    const [open] = (await owner<{ id: number; name: string }[]>('GET', '/clients')).body;
    await studio.publish('users', (source) => void (source.description = 'People.'));
    await studio.publish('clients', ({ fields }) => void (fields.fax = {}));
    expect((await owner('GET', '/me')).status).toBe(200);
    expect((await owner('PUT', `/clients/${open!.id}`, { name: `${open!.name}!` })).status).toBe(200);
  });
});

describe('hidden columns', () => {
  test('a field that is taken away keeps its column, which is shown, copied and dropped when somebody says so', async () => {
    await studio.make('jars', { name: {}, note: {}, secret_word: { type: 'password' } });
    await owner('POST', '/jars', { name: 'a', note: '=1+1' });
    await owner('POST', '/jars', { name: 'b' });
    const module = await studio.publish('jars', ({ fields }) => void delete fields.note);
    expect(module.hidden).toEqual([{ column: 'note', type: 'text', values: 1 }]);
    expect((await owner<object[]>('GET', '/jars')).body[0]).not.toHaveProperty('note');
    const copy = await admin<string>('GET', '/modules/jars/columns/note');
    expect(copy.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' });
    expect(copy.body).toBe("\uFEFFid,note\r\n1,'=1+1\r\n");

    const back = await studio.publish('jars', ({ fields }) => void (fields.note = {}));
    expect(back.hidden).toEqual([]);
    expect((await owner<object[]>('GET', '/jars?sort=["id","ASC"]')).body[0]).toMatchObject({ note: '=1+1' });

    await studio.publish('jars', ({ fields }) => void delete fields.note);
    const plan = await studio.plan('jars', (await studio.module('jars')).definition, { purge: ['note'] });
    expect(plan.steps).toContainEqual(expect.objectContaining({ kind: 'dropColumn', destructive: true, rows: 1 }));
    expect((await studio.tryPublish('jars', () => undefined, { purge: ['note'] })).status).toBe(409);
    expect(await studio.tryPublish('jars', () => undefined, { purge: ['name'], confirm: true })).toMatchObject({
      status: 422,
      body: { errors: { purge: expect.any(String) } },
    });
    const purged = await studio.publish('jars', () => undefined, { purge: ['note'], confirm: true });
    expect(purged.hidden).toEqual([]);
    expect((await admin('GET', '/modules/jars/columns/note')).status).toBe(404);
  });

  test('a secret is no column to copy', async () => {
    expect((await admin('GET', '/modules/users/columns/password')).status).toBe(404);
    expect((await admin('GET', '/modules/users/columns/email')).status).toBe(200);
  });
});

describe('taking back', () => {
  test('an earlier version is published again, and what was stored since stays', async () => {
    await studio.make('logs', { name: {} });
    await studio.publish('logs', ({ fields }) => void (fields.level = {}));
    await owner('POST', '/logs', { name: 'a', level: 'high' });
    const restored = await studio.restore('logs', 1);
    expect(restored).toMatchObject({
      status: 200,
      body: { data: { version: 3, definition: { fields: { name: {} } } } },
    });
    expect(restored.body.data.hidden).toEqual([{ column: 'level', type: 'text', values: 1 }]);
    expect(await studio.restore('logs', 2)).toMatchObject({ status: 200, body: { data: { version: 4 } } });
    expect((await owner<object[]>('GET', '/logs')).body).toMatchObject([{ name: 'a', level: 'high' }]);
    expect((await studio.versions('logs')).map(({ event }) => event)).toEqual(['restored', 'restored', 'published', 'published']); // prettier-ignore
  });

  test('through the same checks: what is destructive is asked first, what does not fit any longer is refused', async () => {
    await studio.make('meters', { name: {}, value: number });
    await studio.publish('meters', ({ fields }) => void (fields.value = {}));
    await owner('POST', '/meters', { name: 'a', value: 'many' });
    expect((await studio.restore('meters', 1)).status).toBe(409);
    expect((await studio.restore('meters', 1, { confirm: true })).status).toBe(200);

    await studio.make('readings', { name: {}, meter_id: { type: 'relation', to: 'meters' } });
    await studio.publish('readings', ({ fields }) => void delete fields.meter_id);
    expect((await studio.remove('meters')).status).toBe(200);
    expect(await studio.restore('readings', 1)).toMatchObject({ status: 422, body: { errors: { '/fields/meter_id/to': expect.any(String) } } }); // prettier-ignore
  });

  test('a shipped definition returns to what was shipped', async () => {
    await studio.publish('project-types', ({ fields }) => void (fields.colour = {}));
    const returned = await studio.remove('project-types');
    expect(returned).toMatchObject({ status: 200, body: { data: { version: 3, customised: false, shipped: null, hidden: [{ column: 'colour' }] } } }); // prettier-ignore
    expect((await studio.versions('project-types')).map(({ event }) => event)).toEqual(['returned', 'published', 'shipped']); // prettier-ignore
    expect((await studio.remove('project-types')).body.data.version).toBe(3);
  });

  test('a change that comes to what is shipped is no change any longer', async () => {
    await studio.publish('test-cases-types', (source) => void (source.description = 'Kinds.'));
    const shipped = (await studio.module('test-cases-types')).shipped!;
    const same = await studio.publish('test-cases-types', (source) => {
      delete source.description;
      Object.assign(source, structuredClone(shipped));
      if (!('description' in shipped)) delete source.description;
    });
    expect(JSON.stringify(same.definition)).toBe(JSON.stringify(shipped));
    expect(same).toMatchObject({ customised: false, shipped: null, version: 3 });
    expect(await studio.versions('test-cases-types')).toHaveLength(3);
  });
});

describe('retiring', () => {
  test('a module that was made here goes out of use; table, rows and grants stay, and come back with it', async () => {
    await studio.make('plants', { name: {}, client_id: { type: 'relation', to: 'clients' } });
    const client = (await owner<{ id: number }[]>('GET', '/clients')).body[0]!.id;
    await owner('POST', '/plants', { name: 'Fern', client_id: client });
    const grants = await query(`select role_id, action from assay.grants where module = 'plants' order by 1, 2`);
    const retired = await studio.remove('plants');
    expect(retired).toMatchObject({ status: 200, body: { data: { retired: true, version: 2, origin: 'custom' } } });
    expect((await owner('GET', '/plants')).status).toBe(404);
    expect((await studio.modules()).find(({ name }) => name === 'plants')).toMatchObject({ retired: true });
    expect((await studio.tryPublish('plants', () => undefined)).status).toBe(404);
    expect((await studio.restore('plants', 1)).status).toBe(404);
    expect((await studio.remove('plants')).body.data.version).toBe(2);
    const { definition } = await studio.module('plants');
    const back = await admin<{ data: Module }>('POST', '/modules', { definition });
    expect(back).toMatchObject({ status: 201, body: { data: { retired: false, version: 3 } } });
    expect((await owner<object[]>('GET', '/plants')).body).toMatchObject([{ name: 'Fern', client_id: client }]);
    expect(await query(`select role_id, action from assay.grants where module = 'plants' order by 1, 2`)).toEqual(grants); // prettier-ignore
    expect((await studio.versions('plants')).map(({ event }) => event)).toEqual(['published', 'retired', 'published']);
  });

  test('while it is retired, nothing of it stands in the way of anything', async () => {
    await studio.make('pots', { name: {} });
    await studio.make('seeds', { name: {}, pot_id: { type: 'relation', to: 'pots' } });
    const pot = (await owner<{ id: number }>('POST', '/pots', { name: 'Pot' })).body.id;
    await owner('POST', '/seeds', { name: 'Oak', pot_id: pot });
    expect((await owner('DELETE', `/pots/${pot}`)).status).toBe(409);
    await studio.remove('seeds');
    expect((await owner('DELETE', `/pots/${pot}`)).status).toBe(200);
  });

  test('what others point at stays, and says who they are', async () => {
    await studio.make('shelves', { name: {} });
    await studio.make('items', { name: {}, shelf_id: { type: 'relation', to: 'shelves' } });
    expect(await studio.remove('shelves')).toMatchObject({ status: 409, body: { message: expect.stringContaining('items (/fields/shelf_id/to)') } }); // prettier-ignore
    expect((await owner('GET', '/shelves')).status).toBe(200);
  });

  test('a name that is in use is no name for a new module', async () => {
    for (const name of ['tasks', 'shelves']) {
      expect((await admin('POST', '/modules', { definition: sourceOf(name, { name: {} }) })).status).toBe(409);
    }
    expect((await admin('POST', '/modules', { definition: sourceOf('modules', { name: {} }) })).status).toBe(422);
  });

  test('a retired module is purged with its name as confirmation; another one of the name begins anew', async () => {
    const relations: Source['fields'] = { name: {}, tag_ids: { type: 'relations', to: 'priorities' } };
    await studio.make('toys', relations);
    await owner('POST', '/toys', { name: 'Ball' });
    expect((await studio.remove('toys', '?purge=1&confirm=toys')).status).toBe(409);
    await studio.remove('toys');
    expect((await studio.remove('toys', '?purge=1')).status).toBe(409);
    expect((await studio.remove('toys', '?purge=1&confirm=toy')).status).toBe(409);
    expect((await studio.remove('tasks', '?purge=1&confirm=tasks')).status).toBe(409);
    expect((await studio.remove('toys', '?purge=1&confirm=toys')).status).toBe(200);
    expect((await admin('GET', '/modules/toys')).status).toBe(404);
    expect(await query(`select relname from pg_class where relname like 'toys%'`)).toEqual([]);
    await studio.make('toys');
    const again = await owner<{ id: number }>('POST', '/toys', { name: 'Kite' });
    expect((await owner<{ data: object[] }>('GET', `/toys/${again.body.id}/history`)).body.data).toHaveLength(1);
  });
});

// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import type { LiveEvent } from '../../../src/server/live/live-hub';
import { type Refusal, type StudioProgram, startStudio } from './studio';

let { program, admin, owner, studio, query } = {} as StudioProgram;

beforeAll(async () => {
  ({ program, admin, owner, studio, query } = await startStudio());
});
afterAll(() => program?.close());

const number = { type: 'number', integer: true } as const;

describe('publishing', () => {
  test('activates a definition at once: column, API, version, live event', async () => {
    const events: LiveEvent[] = [];
    const stop = program.program.live.subscribe((event) => events.push(event));
    const module = await studio.publish('studios', ({ fields }) => void (fields.vat_number = { label: 'VAT' }));
    stop();
    expect(module).toMatchObject({ version: 2, origin: 'shipped', customised: true, upgrade: null });
    expect(module.shipped!.fields.vat_number).toBeUndefined();
    expect(module.definition.fields.vat_number).toEqual({ label: 'VAT' });
    const [newest] = await studio.versions('studios');
    expect(module.changed).toEqual({ user: { id: 1, name: 'Amara Okafor' }, created_at: newest!.created_at });
    expect((await studio.modules()).find(({ name }) => name === 'studios')!.changed).toEqual(module.changed);
    const [client] = (await owner<{ id: number }[]>('GET', '/studios')).body;
    expect(client).toMatchObject({ vat_number: null });
    expect((await owner('PUT', `/studios/${client!.id}`, { vat_number: 'DE 1' })).status).toBe(200);
    expect(await studio.versions('studios')).toMatchObject([
      {
        version: 2,
        user: { id: 1, name: 'Amara Okafor' },
        event: 'published',
        created_at: expect.stringMatching(/Z$/),
      },
      { version: 1, user: null, event: 'shipped' },
    ]);
    expect(events).toContainEqual({ resource: 'modules', id: 'studios', event: 'changed' });
  });

  test('takes a note, which the versions show', async () => {
    await studio.publish('studios', ({ fields }) => void (fields.tax_office = {}), {
      note: '  For the accountants \n',
    });
    await studio.publish('studios', ({ fields }) => void (fields.tax_code = {}));
    const [newest, noted] = await studio.versions('studios');
    expect([newest!.note, noted!.note]).toEqual([null, 'For the accountants']);
    const long = await studio.tryPublish('studios', ({ fields }) => void (fields.more = {}), { note: 'x'.repeat(501) });
    expect(long).toMatchObject({ status: 422, body: { errors: { note: expect.stringContaining('at most 500') } } });
  });

  test('keys keep their order', async () => {
    const { definition } = await studio.module('reels');
    const turned = Object.fromEntries(Object.entries(definition).reverse()) as unknown as Source;
    await studio.publish('reels', (source) => {
      for (const key of Object.keys(source)) delete source[key as 'menu'];
      Object.assign(source, turned);
    });
    expect(Object.keys((await studio.module('reels')).definition)).toEqual(Object.keys(turned));
    expect(Object.keys((await studio.versions('reels'))[0]!.definition)).toEqual(Object.keys(turned));
  });

  test('an invalid definition gets 422 with every path, and changes nothing', async () => {
    const refused = await studio.tryPublish('verdicts', (source) => {
      source.fields.a = { type: 'nmuber' as 'number' };
      source.fields.b = { to: 'nowhere', type: 'relation' };
      source.list = { columns: ['c'] };
    });
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors!)).toEqual(['/fields/a/type']);
    const second = await studio.tryPublish('verdicts', (source) => {
      source.fields.b = { to: 'nowhere', type: 'relation' };
      source.list = { ...source.list, columns: ['c'] };
    });
    expect(Object.keys(second.body.errors!).sort()).toEqual(['/fields/b/to', '/list/columns/0']);
    expect((await studio.module('verdicts')).version).toBe(1);
  });

  test('a change that breaks another definition says which', async () => {
    const refused = await studio.tryPublish('shots', ({ fields }) => void delete fields.film_id);
    expect(refused.status).toBe(422);
    expect(refused.body.errors!['']).toMatch(/Conflicts with (films|studios) \(\/.+\): /);
  });

  test('unknown hooks and missing shipped rows are problems', async () => {
    const hook = await studio.tryPublish('verdicts', (source) => void (source.hooks = { beforeSave: ['stampUser'] }));
    expect(hook.body.errors).toHaveProperty(['/hooks/beforeSave']);
    const rows = await studio.tryPublish('verdicts', (source) => void (source.rows = 'nothing.json'));
    expect(rows).toMatchObject({ status: 422, body: { errors: { '/rows': expect.any(String) } } });
  });

  test('publishing the active definition creates no version', async () => {
    expect((await studio.publish('screening-status', () => undefined)).version).toBe(1);
  });

  test('a draft of an outdated version is refused, naming who published what when', async () => {
    const { definition } = await studio.module('projectors');
    await studio.publish('projectors', (source) => void (source.description = 'What things run on.'));
    const late = await admin<Refusal>(
      'PUT',
      '/modules/projectors',
      { definition, version: 1 },
      { 'x-timezone': 'Europe/Berlin' },
    );
    expect(late.status).toBe(409);
    expect(late.body.message).toMatch(
      /^Amara Okafor published another version \(version 2\) on \d\d-\w{3}-\d{4} \d\d:\d\d\. /,
    );
  });

  test('a type change that may lose values has to be confirmed, and the plan says so', async () => {
    await studio.make('boxes', { name: {}, size: {} });
    for (const size of ['12', 'large']) await owner('POST', '/boxes', { name: size, size });
    const narrow = ({ fields }: Source) => void (fields.size = number);
    const refused = await studio.tryPublish('boxes', narrow);
    expect(refused).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/size.+1 stored row affected.+may change.+confirm/) },
    });
    expect(await query('select size from boxes order by id')).toEqual([{ size: '12' }, { size: 'large' }]);
    expect(await studio.publish('boxes', narrow, { confirm: true })).toMatchObject({ version: 2 });
    expect((await owner<object[]>('GET', '/boxes?sort=["id","ASC"]')).body).toMatchObject([
      { size: 12 },
      { size: null },
    ]);
  });

  test('a database rule that stored rows violate is refused with a message, even with confirmation', async () => {
    await studio.make('crates');
    for (const name of ['one', 'one', 'two']) await owner('POST', '/crates', { name });
    const unique = ({ fields }: Source) => void (fields.name = { unique: 'company' });
    const { definition } = await studio.module('crates');
    const { steps } = await studio.plan('crates', { ...definition, fields: { name: { unique: 'company' } } });
    // Both of the same name violate it; nothing would be lost.
    expect(steps.filter(({ destructive }) => destructive)).toMatchObject([
      { kind: 'createIndex', forbidden: true, rows: 2 },
    ]);
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

  test('nobody is signed out, and forms that were open are still accepted', async () => {
    const [open] = (await owner<{ id: number; name: string }[]>('GET', '/studios')).body;
    await studio.publish('users', (source) => void (source.description = 'People.'));
    await studio.publish('studios', ({ fields }) => void (fields.fax = {}));
    expect((await owner('GET', '/me')).status).toBe(200);
    expect((await owner('PUT', `/studios/${open!.id}`, { name: `${open!.name}!` })).status).toBe(200);
  });
});

describe('hidden columns', () => {
  test('a removed field keeps its column, which can be listed, copied and dropped', async () => {
    await studio.make('jars', { name: {}, note: {}, secret_word: { type: 'password' } });
    await owner('POST', '/jars', { name: 'a', note: '=1+1' });
    await owner('POST', '/jars', { name: 'b' });
    const module = await studio.publish('jars', ({ fields }) => void delete fields.note);
    expect(module.hidden).toEqual([{ column: 'note', type: 'text', values: 1 }]);
    expect((await owner<object[]>('GET', '/jars')).body[0]).not.toHaveProperty('note');
    const copy = await admin<string>('GET', '/modules/jars/columns/note');
    expect(copy.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' });
    expect(copy.body).toBe('\uFEFFid,note\r\n1,"\'=1+1"\r\n');

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

  test('pairs of a removed field stay too, block no deletion, come back, and can be dropped', async () => {
    await studio.make('lids');
    const lidsOf = { type: 'relations', to: 'lids' } as const;
    await studio.make('pots', { name: {}, lids: lidsOf });
    for (const name of ['one', 'two', 'three']) await owner('POST', '/lids', { name });
    await owner('POST', '/pots', { name: 'a', lids: [1, 2, 3] });
    await owner('POST', '/pots', { name: 'b' });
    const links = async () => (await owner<{ lids: number[] }>('GET', '/pots/1')).body.lids;
    expect((await owner('DELETE', '/lids/1')).status).toBe(409);

    const without = await studio.publish('pots', ({ fields }) => void delete fields.lids);
    expect(without.hidden).toEqual([{ column: 'lids', type: 'relations', values: 1 }]);
    expect((await admin('GET', '/modules/pots/columns/lids')).body).toBe('\uFEFFid,lids\r\n1,"1,2,3"\r\n');
    expect((await owner('DELETE', '/lids/1')).status).toBe(200);
    const back = await studio.publish('pots', ({ fields }) => void (fields.lids = lidsOf));
    expect(back.hidden).toEqual([]);
    expect(await links()).toEqual([2, 3]);
    expect((await owner('DELETE', '/lids/2')).status).toBe(409);

    expect(await studio.plan('pots', back.definition, { purge: ['lids'] })).toMatchObject({
      valid: false,
      errors: [{ message: expect.stringContaining('Remove the field first') }],
    });
    const { definition } = await studio.publish('pots', ({ fields }) => void delete fields.lids);
    const { steps } = await studio.plan('pots', definition, { purge: ['lids'] });
    expect(steps).toMatchObject([{ kind: 'dropTable', destructive: true, rows: 1, of: 2 }]);
    expect((await studio.tryPublish('pots', () => undefined, { purge: ['lids'] })).status).toBe(409);
    const purged = await studio.publish('pots', () => undefined, { purge: ['lids'], confirm: true });
    expect(purged.hidden).toEqual([]);
    expect((await admin('GET', '/modules/pots/columns/lids')).status).toBe(404);
    expect(await query("select to_regclass('public.pots__lids') as left")).toEqual([{ left: null }]);
    await studio.publish('pots', ({ fields }) => void (fields.lids = lidsOf));
    expect(await links()).toEqual([]);
  });

  test('the copy of hidden pairs and rows goes on where a batch ended, in each company', async () => {
    await studio.make('mugs', {
      name: {},
      friends: { type: 'relations', to: 'mugs' },
      marks: { type: 'rows', fields: { text: {} } },
    });
    await query(`insert into mugs (site_id, name) select 1 + n % 2, 'Mug' from generate_series(1, 12002) n;
      insert into mugs__friends (site_id, record_id, target_id) select site_id, id, id from mugs;
      insert into mugs__marks (site_id, parent_id, position, text) select site_id, id, 0, 'x' from mugs`);
    await studio.publish('mugs', ({ fields }) => {
      delete fields.friends;
      delete fields.marks;
    });
    for (const column of ['friends', 'marks']) {
      const { body } = await admin<string>('GET', `/modules/mugs/columns/${column}`);
      const ids = body
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => Number(line.split(',')[0]));
      expect([ids.length, new Set(ids).size]).toEqual([12_002, 12_002]);
    }
  });

  test('pairs of a field removed by the same draft can be dropped with it', async () => {
    await studio.make('cups', { name: {}, people: { type: 'relations', to: 'users' } });
    await owner('POST', '/cups', { name: 'a', people: [2, 3] });
    const gone = ({ fields }: Source) => void delete fields.people;
    const refused = await studio.tryPublish('cups', gone, { purge: ['people'] });
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringMatching(/people.+1 stored row/) } });
    expect((await studio.publish('cups', gone, { purge: ['people'], confirm: true })).hidden).toEqual([]);
    expect(await query("select to_regclass('public.cups__people') as left")).toEqual([{ left: null }]);
  });

  test('a secret column cannot be copied', async () => {
    expect((await admin('GET', '/modules/users/columns/password')).status).toBe(404);
    expect((await admin('GET', '/modules/users/columns/email')).status).toBe(200);
    await studio.make('safes', { name: {}, key: { type: 'password' } });
    const { hidden } = await studio.publish('safes', ({ fields }) => void delete fields.key);
    expect(hidden).toMatchObject([{ column: 'key' }]);
    expect((await admin('GET', '/modules/safes/columns/key')).status).toBe(404);
  });
});

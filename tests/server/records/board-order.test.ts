import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

const parcels: Source = sourceOf(
  'parcels',
  {
    name: { type: 'text', required: true },
    state: {
      type: 'select',
      options: [
        { value: 'open', label: 'Open' },
        { value: 'sent', label: 'Sent' },
      ],
    },
    place: { type: 'number', secret: true },
  },
  {
    scope: 'company',
    grants: { '3': 'all', '4': 'all', '5': 'read', '6': 'all' },
    list: { views: ['list', 'kanban'], kanban: { column: 'state', order: 'place' } },
    requests: {
      send: { label: 'Send', sets: ['state'], path: 'parcel/{id}' },
      finish: { label: 'Finish', sets: { state: 'sent' }, path: 'finish-parcel/{id}' },
    },
    rules: [{ levels: [6], action: 'edit', exceptFields: ['place'] }],
  },
);

interface Parcel {
  readonly id: number;
  readonly name: string;
  readonly state: string | null;
  readonly updated_at: string;
}

let demo: DemoProgram;
let owner: Client;

beforeAll(async () => {
  demo = await startFixtureProgram();
  const admin = await demo.signIn(accounts.admin);
  owner = await demo.signIn(accounts.owner);
  const { status, body } = await admin('POST', '/modules', { definition: parcels });
  expect(status, JSON.stringify(body)).toBe(201);
});
afterAll(() => demo?.close());

const add = async (name: string, state: string | null = 'open', client = owner) =>
  (await client<Parcel>('POST', '/parcels', { name, state })).body.id;
const put = (id: number, after: number, values: object = {}, client = owner) =>
  client<Parcel>('PUT', `/parcels/${id}?after=${after}&sort_by=id`, values);
/** The names of a column as the board has them, those without a place by id. */
const column = async (state: string | null, more = '', client = owner) => {
  const filter = encodeURIComponent(JSON.stringify({ state }));
  const sort = encodeURIComponent(JSON.stringify(['place', 'ASC']));
  const { body } = await client<Parcel[]>('GET', `/parcels?filter=${filter}&sort=${sort}&sort_by=id${more}`);
  return body.map(({ name }) => name);
};
const places = async () =>
  (
    await sql<{
      name: string;
      place: number | null;
    }>`select name, place from public.parcels where site_id = (select site_id from public.parcels where id = ${ownId})
      order by place, id`.execute(demo.program.database.kysely)
  ).rows;
/** A parcel of the company whose places are looked at. */
let ownId = 0;

describe('a board that is put in order by hand', () => {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  beforeEach(async () => {
    const { body } = await owner<Parcel[]>('GET', '/parcels');
    if (body.length > 0) await owner('POST', '/parcels/bulk', { delete: body.map(({ id }) => id) });
    [first, second, third, fourth] = [await add('First'), await add('Second'), await add('Third'), await add('Fourth')];
    ownId = first;
  });

  test('begins in the order of the list', async () => {
    expect(await column('open')).toEqual(['First', 'Second', 'Third', 'Fourth']);
  });

  test('puts a record first, after another one, and last', async () => {
    await put(third, 0);
    expect(await column('open')).toEqual(['Third', 'First', 'Second', 'Fourth']);
    await put(fourth, first);
    expect(await column('open')).toEqual(['Third', 'First', 'Fourth', 'Second']);
    await put(third, second);
    expect(await column('open')).toEqual(['First', 'Fourth', 'Second', 'Third']);
  });

  test('gives places to those alone that are above it', async () => {
    await put(third, first);
    const placed = (await places()).filter(({ place }) => place !== null).map(({ name }) => name);
    expect(placed).toEqual(['First', 'Third']);
    expect(await column('open')).toEqual(['First', 'Third', 'Second', 'Fourth']);
  });

  test('puts a record into another column with the same write, also by a request', async () => {
    const sentParcel = await add('Sent', 'sent');
    await put(first, sentParcel, { state: 'sent' });
    expect(await column('sent')).toEqual(['Sent', 'First']);
    const answer = await owner('PATCH', `/parcel/${second}?after=${sentParcel}&sort_by=id`, { state: 'sent' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(await column('sent')).toEqual(['Sent', 'Second', 'First']);
    expect(await column('open')).toEqual(['Third', 'Fourth']);
    await put(second, 0, { state: null });
    expect(await column(null)).toEqual(['Second']);
  });

  test('forgets the place of a record that comes to another column in another way', async () => {
    const sentParcel = await add('Sent', 'sent');
    await put(sentParcel, 0);
    await put(first, 0);
    await owner('PUT', `/parcels/${first}`, { state: 'sent' });
    expect(await column('sent')).toEqual(['Sent', 'First']);
    expect((await places()).find(({ name }) => name === 'First')!.place).toBeNull();
    await put(second, 0);
    await owner('PUT', `/parcels/${second}`, { name: 'Renamed' });
    expect(await column('open')).toEqual(['Renamed', 'Third', 'Fourth']);
  });

  test('puts a record first whose neighbour has left the column', async () => {
    await owner('PUT', `/parcels/${first}`, { state: 'sent' });
    expect((await put(third, first)).status).toBe(200);
    expect(await column('open')).toEqual(['Third', 'Second', 'Fourth']);
  });

  test('numbers a column again when no value lies in between, as often as it takes', async () => {
    await put(first, 0);
    await put(second, first);
    for (let round = 0; round < 40; round++) {
      await put(third, first);
      await put(fourth, first);
    }
    expect(await column('open')).toEqual(['First', 'Fourth', 'Third', 'Second']);
    const values = (await places()).map(({ place }) => place!);
    expect(new Set(values).size).toBe(4);
    expect(Math.min(...values.slice(1).map((value, index) => value - values[index]!))).toBeGreaterThan(0);
  });

  test('stays one order of all records when twenty are moved at once', async () => {
    const more = await Promise.all(Array.from({ length: 20 }, (_, index) => add(`More ${index}`)));
    // All between the same two, which leave no value in between after a few.
    const [low, high] = [1, 1.000_000_000_000_001];
    await sql`update public.parcels set place = case id when ${first}::integer then ${low}::float8 else ${high}::float8 end
      where id in (${first}, ${second})`.execute(demo.program.database.kysely);
    const answers = await Promise.all(
      more.map((id, index) => put(id, index % 2 === 0 ? first : (more[index - 1] ?? 0))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const order = await column('open');
    expect(order).toHaveLength(24);
    expect(new Set(order).size).toBe(24);
    const values = (await places()).flatMap(({ place }) => place ?? []);
    expect(new Set(values).size).toBe(values.length);
    // Those that were put after the first one, which nobody moved, stand between it and the second.
    for (let index = 0; index < 20; index += 2) {
      expect(order.indexOf(`More ${index}`)).toBeGreaterThan(order.indexOf('First'));
      expect(order.indexOf(`More ${index}`)).toBeLessThan(order.indexOf('Second'));
    }
  });

  test('is loaded page by page, and in the results of a search', async () => {
    await put(fourth, 0);
    await put(third, fourth);
    expect(await column('open', '&range=[0,1]')).toEqual(['Fourth', 'Third']);
    expect(await column('open', '&range=[2,3]')).toEqual(['First', 'Second']);
    expect(await column('open', '&q=ir')).toEqual(['Third', 'First']);
  });

  test('is no part of a record, its history, its lists, exports and imports', async () => {
    await put(third, first);
    const { body } = await owner<Parcel>('GET', `/parcels/${third}`);
    expect(body).not.toHaveProperty('place');
    const history = await owner<{ data: { event: string }[] }>('GET', `/parcels/${third}/history`);
    expect(history.body.data.map(({ event }) => event)).toEqual(['created']);
    expect((await owner('GET', '/parcels?sort_by=place')).status).toBe(400);
    expect((await owner('GET', '/parcels?place=0')).status).toBe(400);
  });

  test('belongs to a company, and to those who may edit', async () => {
    const harbour = await demo.signIn(accounts.harbour);
    const theirs = await add('Theirs', 'open', harbour);
    await put(theirs, 0, {}, harbour);
    expect((await put(first, theirs)).status).toBe(200);
    expect(await column('open')).toEqual(['First', 'Second', 'Third', 'Fourth']);
    expect(await column('open', '', harbour)).toEqual(['Theirs']);
    expect((await put(theirs, first)).status).toBe(404);
    expect((await put(first, second, {}, await demo.signIn(accounts.qa))).status).toBe(403);
    expect((await put(first, second, {}, await demo.signIn(accounts.external))).status).toBe(403);
  });

  test('leaves the version of a record as it is, and starts no automation, until more than its place changes', async () => {
    const notice = {
      name: 'notice',
      label: 'Notice',
      events: ['update'],
      steps: [{ create: 'parcels', values: { name: 'A' } }],
    };
    const crates = {
      ...parcels,
      name: 'crates',
      labels: { one: 'Crate', many: 'Crates' },
      requests: {},
      automations: [notice],
    };
    const published = await (await demo.signIn(accounts.admin))('POST', '/modules', { definition: crates });
    expect(published.status, JSON.stringify(published.body)).toBe(201);
    const make = async (name: string) => (await owner<Parcel>('POST', '/crates', { name, state: 'open' })).body;
    const [upper, lower] = [await make('Upper'), await make('Lower')];
    const state = async () => {
      const runs = await sql`select id from assay.automation_runs where resource = 'crates'`.execute(
        demo.program.database.kysely,
      );
      return [(await owner<Parcel>('GET', `/crates/${upper.id}`)).body.updated_at, runs.rows.length];
    };
    const change = (values: object, query = '') => owner<Parcel>('PUT', `/crates/${upper.id}${query}`, values);
    expect((await change({}, `?after=${lower.id}`)).body).toMatchObject({ updated_at: upper.updated_at });
    expect(await state()).toEqual([upper.updated_at, 0]);
    // As a move is taken back, and as a form is saved that was open meanwhile.
    expect((await change({ updated_at: upper.updated_at }, '?after=0')).status).toBe(200);
    expect(await state()).toEqual([upper.updated_at, 0]);
    expect((await change({ name: 'Renamed', updated_at: upper.updated_at })).status).toBe(200);
    expect(await state()).toEqual([expect.not.stringContaining(upper.updated_at), 1]);
  });

  test('goes on from a place beyond which no number lies', async () => {
    await owner('PUT', `/parcels/${first}`, { place: 1e15 });
    expect((await put(second, first)).status).toBe(200);
    expect(await column('open')).toEqual(['First', 'Second', 'Third', 'Fourth']);
    await owner('PUT', `/parcels/${third}`, { place: -1e15 });
    expect((await put(fourth, 0)).status).toBe(200);
    expect((await column('open'))[0]).toBe('Fourth');
  });

  test('is that within the groups of a list, too', async () => {
    await put(fourth, 0);
    expect(await column('open', '&group_by=state')).toEqual(['Fourth', 'First', 'Second', 'Third']);
  });

  test('refuses a place by a request that sets the column by itself', async () => {
    const { status, body } = await owner<{ message: string }>('PATCH', `/finish-parcel/${first}?after=0`, {});
    expect([status, body.message]).toEqual([400, expect.stringContaining('"Finish" does not ask for the column')]);
  });

  test.each(['x', '-1', '1.5'])('refuses after=%s', async (after) => {
    expect((await owner('PUT', `/parcels/${first}?after=${after}`, {})).status).toBe(400);
  });

  test('follows a definition whose order was changed by publishing', async () => {
    const admin = await demo.signIn(accounts.admin);
    await put(third, second);
    const { body } = await admin<{ data: { version: string } }>('GET', '/modules/parcels');
    const definition = { ...parcels, fields: { ...parcels.fields, spot: { type: 'number', secret: true } } } as Source;
    definition.list = { ...parcels.list, kanban: { column: 'state', order: 'spot' } };
    const answer = await admin('PUT', '/modules/parcels', { definition, version: body.data.version });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect((await put(fourth, second)).status).toBe(200);
    const { rows } = await sql<{ name: string }>`select name from public.parcels where spot is not null
      order by spot`.execute(demo.program.database.kysely);
    expect(rows.map(({ name }) => name)).toEqual(['First', 'Second', 'Fourth']);
  });

  test('refuses a place where records are not put in order', async () => {
    const { body } = await owner<{ data: { id: number }[] }>('GET', '/shots?range=[0,0]');
    expect((await owner('PUT', `/shots/${body.data[0]!.id}?after=0`, {})).status).toBe(400);
  });
});

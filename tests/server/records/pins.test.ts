// @module-tag slow
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

const terms: Source = sourceOf(
  'terms',
  { name: { type: 'text', required: true }, text: { type: 'textarea' }, open: { type: 'boolean', default: true } },
  {
    scope: 'company',
    grants: { '6': 'read', '5': 'all' },
    rules: [{ levels: [6], action: ['list', 'view'], where: { open: true } }],
  },
);
const contracts: Source = sourceOf(
  'contracts',
  {
    name: { type: 'text', required: true },
    closed: { type: 'boolean' },
    terms_id: {
      type: 'relation',
      to: 'terms',
      embed: 'terms',
      onDelete: 'clear',
      readOnly: { closed: true },
      pin: true,
    },
    fixed_id: { type: 'relation', to: 'terms', label: 'First Terms', readOnly: true, pin: true },
  },
  {
    scope: 'company',
    export: true,
    list: { filters: { terms_id_changed: {} } },
    requests: { renew: { label: 'Renew', sets: { terms_id_pin: 'current' }, where: { closed: { $ne: true } } } },
    grants: { '6': 'all', '5': 'all' },
    rules: [{ levels: [5], action: 'edit', fields: ['name'] }],
  },
);

type Row = Record<string, unknown> & { id: number; updated_at: string };

let demo: DemoProgram;
let admin: Client;
let owner: Client;
let tester: Client;
let lead: Client;

const made = async (path: string, body: object, call = owner): Promise<Row> => {
  const answer = await call<Row>('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const read = async (path: string, call = owner) => (await call<Row>('GET', path)).body;
const change = async (path: string, body: object, call = owner) => call<Row>('PUT', path, body);
const publish = async (definition: Source, version?: number) => {
  const path = version === undefined ? '/modules' : `/modules/${definition.name}`;
  const { status, body } = await admin(version === undefined ? 'POST' : 'PUT', path, { definition, version });
  expect(status, JSON.stringify(body)).toBe(version === undefined ? 201 : 200);
};
const errorsOf = ({ body }: { body: unknown }) => (body as { errors: Record<string, string> }).errors;
/** New terms and a contract on them. */
const start = async () => {
  const one = await made('/terms', { name: 'Net 30', text: 'Thirty days' });
  const contract = await made('/contracts', { name: 'Ours', terms_id: one.id });
  return { terms: `/terms/${one.id}`, version: one.updated_at, contract: `/contracts/${contract.id}`, made: contract };
};

beforeAll(async () => {
  demo = await startFixtureProgram();
  [admin, owner, lead, tester] = (await Promise.all(
    [accounts.admin, accounts.owner, accounts.qa, accounts.external].map(demo.signIn),
  )) as [Client, Client, Client, Client];
  await publish(terms);
  await publish(contracts);
});
afterAll(() => demo?.close());

describe('a relation with a pin', () => {
  test('remembers the version it was set to, and tells when that has changed since', async () => {
    const { terms: path, version, contract, made: first } = await start();
    expect(first).toMatchObject({ terms_id_pin: version, terms_id_latest: version, terms_id_changed: false });
    const { body: changed } = await change(path, { text: 'Sixty days' });
    expect(await read(contract)).toMatchObject({
      terms_id_pin: version,
      terms_id_latest: changed.updated_at,
      terms_id_changed: true,
    });
    // A change of the record itself takes no version.
    await change(contract, { name: 'Renamed' });
    expect(await read(contract)).toMatchObject({ terms_id_pin: version, terms_id_changed: true });
  });

  test('takes the present version, by the word for it or as the version that was seen', async () => {
    const { terms: path, contract } = await start();
    const second = (await change(path, { text: 'Sixty days' })).body.updated_at;
    const taken = await change(contract, { terms_id_pin: 'current' });
    expect(taken.body).toMatchObject({ terms_id_pin: second, terms_id_changed: false });
    const third = (await change(path, { text: 'Ninety days' })).body.updated_at;
    // Somebody looked at the second version, and the third came meanwhile.
    const late = await change(contract, { terms_id_pin: (await read(contract)).updated_at });
    expect(late.status).toBe(422);
    expect(errorsOf(late)).toEqual({ terms_id_pin: expect.stringContaining('changed again in the meantime') });
    expect(await read(contract)).toMatchObject({ terms_id_pin: second, terms_id_changed: true });
    expect((await change(contract, { terms_id_pin: third })).body).toMatchObject({ terms_id_changed: false });
    for (const nonsense of ['newest', 7, {}])
      expect((await change(contract, { terms_id_pin: nonsense })).status, String(nonsense)).toBe(422);
  });

  test('a record sent back as it was read changes nothing, and another target has its own version', async () => {
    const { terms: path, version, contract } = await start();
    const before = await read(contract);
    await change(path, { text: 'Sixty days' });
    expect((await change(contract, before)).body).toMatchObject({
      terms_id_pin: version,
      updated_at: before.updated_at,
    });
    const other = await made('/terms', { name: 'Prepaid' });
    // The old version that comes along is that of the former target.
    const moved = await change(contract, { ...before, terms_id: other.id });
    expect(moved.body).toMatchObject({ terms_id_pin: other.updated_at, terms_id_changed: false });
    expect((await change(contract, { terms_id: null })).body).toMatchObject({
      terms_id_pin: null,
      terms_id_latest: null,
      terms_id_changed: false,
    });
  });

  test('history names a version that was taken, with both sides, and not one that came with its target', async () => {
    const { terms: path, version, contract } = await start();
    const second = (await change(path, { text: 'Sixty days' })).body.updated_at;
    await change(contract, { terms_id_pin: 'current' });
    const { body } = await owner<{ data: Row[] }>('GET', `${contract}/history`);
    expect(body.data).toHaveLength(2);
    expect(body.data[0]).toMatchObject({
      event: 'updated',
      old_values: { terms_id_pin: version },
      new_values: { terms_id_pin: second },
    });
    expect(body.data[1]!.new_values).not.toHaveProperty('terms_id_pin');
  });

  test('lists filter, sort and download it, as data and as columns', async () => {
    const [stale, fresh] = [await start(), await start()];
    await change(stale.terms, { text: 'Sixty days' });
    const ids = [stale.made.id, fresh.made.id];
    const listed = async (query: string) =>
      (await owner<Row[]>('GET', `/contracts?id=${ids.join()}&${query}`)).body.map(({ id }) => id);
    expect(await listed('terms_id_changed=true')).toEqual([stale.made.id]);
    expect(await listed('terms_id_changed=false')).toEqual([fresh.made.id]);
    const where = encodeURIComponent(JSON.stringify({ terms_id_changed: true }));
    expect(await listed(`where=${where}`)).toEqual([stale.made.id]);
    expect(await listed('sort=["terms_id_latest","DESC"]')).toEqual([stale.made.id, fresh.made.id]);
    const narrow = await owner<Row[]>('GET', `/contracts?id=${stale.made.id}&fields=terms_id_changed`);
    expect(narrow.body).toEqual([{ id: stale.made.id, terms_id_changed: true }]);
  });

  test('tells nothing of a target that the reader may not see, and takes no version of it', async () => {
    const { terms: path, version, contract } = await start();
    await change(path, { text: 'Sixty days', open: false });
    expect(await read(contract, tester)).toMatchObject({
      terms_id_pin: version,
      terms_id_latest: null,
      terms_id_changed: false,
    });
    const refused = await change(contract, { terms_id_pin: 'current' }, tester);
    expect(refused.status).toBe(422);
    expect(errorsOf(refused)).toEqual({ terms_id_pin: expect.stringContaining('may not see it') });
    expect(await read(contract)).toMatchObject({ terms_id_pin: version });
  });

  test('who may not change the relation takes no version of its target, nor does anybody while it is read-only', async () => {
    const { terms: path, version, contract } = await start();
    await change(path, { text: 'Sixty days' });
    const refused = await change(contract, { terms_id_pin: 'current' }, lead);
    expect(refused.status).toBe(403);
    await change(contract, { closed: true });
    expect((await change(contract, { terms_id_pin: 'current' })).body).toMatchObject({ terms_id_pin: version });
    expect((await change(contract, { fixed_id_pin: 'current' })).status).toBe(200);
  });

  test('bulk changes and an action take versions too', async () => {
    const [one, two] = [await start(), await start()];
    for (const { terms: path } of [one, two]) await change(path, { text: 'Sixty days' });
    const answer = await owner('POST', '/contracts/bulk', {
      update: [{ id: one.made.id, terms_id_pin: 'current' }],
      create: [{ name: 'New', terms_id: Number(one.terms.split('/').pop()) }],
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect((answer.body as { data: { created: Row[] } }).data.created[0]).toMatchObject({ terms_id_changed: false });
    expect(await read(one.contract)).toMatchObject({ terms_id_changed: false });
    const { status } = await owner('PATCH', `/contracts-renew/${two.made.id}`, {});
    expect(status).toBe(200);
    expect(await read(two.contract)).toMatchObject({ terms_id_changed: false });
  });
});

test('an automation asks whether the target has changed since, and takes its present version', async () => {
  const definition: Source = {
    ...contracts,
    name: 'leases',
    requests: {},
    list: {},
    fields: { ...contracts.fields, note: { type: 'text', readOnly: true } },
    automations: [
      {
        name: 'renew',
        label: 'Renew',
        events: ['update'],
        changedFields: ['name'],
        where: { terms_id_changed: true },
        steps: [{ set: { terms_id_pin: 'current', note: 'Renewed' } }],
      },
      {
        name: 'seen',
        events: ['update'],
        changedFields: ['terms_id_pin'],
        steps: [{ create: 'terms', values: { name: 'Seen {name}' } }],
      },
    ],
  };
  await publish(definition);
  const one = await made('/terms', { name: 'Net 30' });
  const [moved, stays] = [
    await made('/leases', { name: 'Hall', terms_id: one.id }),
    await made('/leases', { name: 'Shed', terms_id: one.id }),
  ];
  const renamed = async (id: number, name: string) => {
    expect((await change(`/leases/${id}`, { name })).status).toBe(200);
  };
  // Nothing has changed since: the condition does not hold.
  await renamed(stays.id, 'Shed 2');
  const terms = (await change(`/terms/${one.id}`, { text: 'Sixty days' })).body;
  await renamed(moved.id, 'Hall 2');
  const database = demo.program.database;
  const runs = async () =>
    (
      await database.pool.query<Row>(
        `select automation, record_id, state from assay.automation_runs where resource = 'leases' order by id`,
      )
    ).rows;
  await vi.waitFor(async () =>
    expect(await runs()).toEqual([
      { automation: 'renew', record_id: moved.id, state: 'done' },
      { automation: 'seen', record_id: moved.id, state: 'done' },
    ]),
  );
  expect(await read(`/leases/${moved.id}`)).toMatchObject({
    note: 'Renewed',
    terms_id_pin: terms.updated_at,
    terms_id_changed: false,
  });
  expect(await read(`/leases/${stays.id}`)).toMatchObject({
    note: null,
    terms_id_pin: one.updated_at,
    terms_id_changed: true,
  });
});

test('records that exist get the present version when a relation begins to remember one', async () => {
  const { terms_id: pinned, ...fields } = contracts.fields;
  const { pin: _pin, ...plain } = pinned!;
  const bare = { ...contracts, name: 'offers', fields: { ...fields, terms_id: plain }, list: {}, requests: {} };
  await publish(bare);
  const one = await made('/terms', { name: 'Net 30' });
  const offer = await made('/offers', { name: 'Old', terms_id: one.id });
  const definition = { ...bare, fields: { ...fields, terms_id: pinned! } };
  const { body: plan } = await admin<{ data: { steps: { kind: string; text: string; rows: number }[] } }>(
    'POST',
    '/modules/offers/plan',
    { definition },
  );
  expect(plan.data.steps).toContainEqual(
    expect.objectContaining({
      kind: 'pinRows',
      rows: 1,
      text: expect.stringContaining('Remember the present version'),
    }),
  );
  await publish(definition, 1);
  expect(await read(`/offers/${offer.id}`)).toMatchObject({ terms_id_pin: one.updated_at, terms_id_changed: false });
  await change(`/terms/${one.id}`, { text: 'Sixty days' });
  expect(await read(`/offers/${offer.id}`)).toMatchObject({ terms_id_changed: true });
});

test('the API document says what can be written', async () => {
  const { body } = await owner<{ paths: Record<string, unknown> }>('GET', '/openapi.json?resources=contracts');
  expect(JSON.stringify(body)).toContain('takes the present one');
});

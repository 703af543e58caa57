import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDueAutomations } from '../../../src/server/automation/schedules';
import { readProduct } from '../../../src/server/read-product';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';

// A product of JSON alone with demo data: what its definitions promise, over HTTP.

type Row = Record<string, unknown> & { id: number };

let program: DemoProgram;
let manager: Client;
let qa: Client;
beforeAll(async () => {
  program = await startDemoProgram({ product: readProduct('examples/inventory') });
  manager = await program.signIn(accounts.manager);
  qa = await program.signIn(accounts.qa);
});
afterAll(() => program?.close());

const list = async (path: string, call = manager) => {
  const { status, body } = await call<Row[]>('GET', path);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};
const named = async (path: string, name: string) => (await list(`${path}?q=${encodeURIComponent(name)}`))[0]!;
const today = new Date().toISOString().slice(0, 10);

test('assets have photos and invoices, which lists can ask for', async () => {
  const form = new FormData();
  form.append('file', new Blob(['%PDF-1.4\n%%EOF']), 'invoice.pdf');
  const body = new Response(form);
  const sent = await program.app.inject({
    method: 'POST',
    url: '/api/assets/files?field=files',
    headers: { authorization: await bearer(), 'content-type': body.headers.get('content-type')! },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  expect(sent.statusCode, sent.body).toBe(201);
  const file = sent.json<{ data: object }>().data;
  const asset = await named('/assets', 'Reference display');
  expect(await manager('PUT', `/assets/${asset.id}`, { files: [file] })).toMatchObject({
    status: 200,
    body: { files: [{ name: 'invoice.pdf', type: 'application/pdf', size: 14 }] },
  });
  expect((await list('/assets?with_files=1')).map(({ id }) => id)).toEqual([asset.id]);
  expect((await list('/assets?with_files=0')).map(({ id }) => id)).not.toContain(asset.id);
});

async function bearer(): Promise<string> {
  const { body } = await program.call<{ token: string }>('POST', '/login', {
    email: accounts.manager,
    password: 'Demo@1234',
  });
  return `Bearer ${body.token}`;
}

describe('the demo data of a file', () => {
  test('offers its accounts to sign in with', async () => {
    const { body } = await program.call<{ data: { email: string }[] }>('GET', '/demo-accounts');
    expect(body.data.map(({ email }) => email)).toEqual([
      'admin@demo.test',
      'owner@demo.test',
      'manager@demo.test',
      'developer@demo.test',
      'qa@demo.test',
      'warehouse@demo.test',
    ]);
  });

  test('is stored as its users would have: with keys, states and history', async () => {
    const assets = await list('/assets?sort_by=id');
    expect(assets.map(({ key }) => key)).toEqual(['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6', 'A-7', 'A-8']);
    expect(assets.map(({ state }) => state)).toEqual([
      'in_use',
      'in_use',
      'repair',
      'in_use',
      'in_use',
      'retired',
      'in_use',
      'in_use',
    ]);
    const { body } = await manager<{ data: { event: string }[] }>('GET', `/assets/${assets[5]!.id}/history`);
    expect(body.data.map(({ event }) => event)).toEqual(['updated', 'created']);
  });
});

describe('assets', () => {
  test('are worth less each month, and nothing at the end', async () => {
    const camera = await named('/assets', 'NX4-0093');
    expect(camera).toMatchObject({ price: 7450, age: 14, book_value: 5711.67, under_warranty: true });
    expect(await named('/assets', 'HC-12-77120')).toMatchObject({ book_value: 0, under_warranty: false });
    const [dearest] = await list('/assets?sort_by=-book_value&range=[0,0]');
    expect(dearest!.book_value).toBe(camera.book_value);
  });

  const asset = async (values: object) => {
    const halden = await named('/makers', 'Halden');
    const whole = { name: 'Scanner', kind: 'other', maker_id: halden.id, serial: 'S-1', price: 10.5, bought_on: today };
    return manager<Row & { errors: Record<string, string> }>('POST', '/assets', { ...whole, ...values });
  };

  test('have one serial number for each maker', async () => {
    expect((await asset({})).body).toMatchObject({ key: 'A-9', state: 'in_use', months: 36 });
    const { status, body } = await asset({ name: 'Another' });
    expect([status, Object.values(body.errors)]).toEqual([
      422,
      ['An asset of this maker with this serial number exists.'],
    ]);
    const other = await asset({ maker_id: (await named('/makers', 'Mira')).id });
    expect([other.status, other.body.key]).toEqual([201, 'A-10']);
  });

  test.each<[object, string]>([
    [{ price: 10.505 }, 'price'],
    [{ price: -1 }, 'price'],
    [{ serial: 'S-9', bought_on: '2999-01-01' }, 'bought_on'],
    [{ serial: 'S-9', state: 'gone' }, 'state'],
  ])('%j is refused at %s', async (values, field) => {
    const { status, body } = await asset(values);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });

  test('go to repair and back, and are retired by managers with a reason', async () => {
    const { id } = await named('/assets', 'MP9-884201');
    const change = (body: object) => manager<{ errors: Record<string, string> }>('PUT', `/assets/${id}`, body);
    expect((await change({ state: 'repair' })).status).toBe(200);
    const refused = await change({ state: 'retired' });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['retired_because']]);
    expect((await change({ state: 'in_use' })).status).toBe(200);
  });
});

describe('locations', () => {
  test('assets are filtered by a location and all that is within it', async () => {
    const { body: locations } = await manager<{ id: number; parent_id: number | null }[]>('GET', '/locations');
    const malmo = await named('/locations', 'Malmö');
    const isWithin = (id: number | null): boolean =>
      id !== null && (id === malmo.id || isWithin(locations.find((one) => one.id === id)!.parent_id));
    const { body: assets } = await manager<{ id: number; location_id: number | null }[]>('GET', '/assets');
    const { body: found } = await manager<{ id: number }[]>('GET', `/assets?at=${malmo.id}`);
    const expected = assets.filter(({ location_id }) => isWithin(location_id)).map(({ id }) => id);
    expect(found.map(({ id }) => id).sort()).toEqual(expected.sort());
    expect(expected.length).toBeGreaterThan(0);
  });

  test('are at most four deep and make no circle', async () => {
    const shelf = await named('/locations', 'Shelf 1');
    const deeper = await manager<{ errors: object }>('POST', '/locations', { name: 'Box', parent_id: shelf.id });
    expect([deeper.status, Object.keys(deeper.body.errors)]).toEqual([422, ['parent_id']]);
    const top = await named('/locations', 'Malmö');
    const circle = await manager<{ errors: object }>('PUT', `/locations/${top.id}`, { parent_id: shelf.id });
    expect([circle.status, Object.keys(circle.body.errors)]).toEqual([422, ['parent_id']]);
  });
});

describe('check-outs', () => {
  test.each([
    ['A-7', ['A-7 Reference display']],
    ['reference dis', ['A-7 Reference display']],
    ['A-7 Reference display', ['A-7 Reference display']],
    ['7 ref', ['A-7 Reference display']],
    ['Reference A-7', []],
  ])('an asset is found by %s, a part of its title', async (text, titles) => {
    const path = `/loans/choices?field=asset_id&near=0&q=${encodeURIComponent(text)}`;
    const { status, body } = await manager<{ data: { title: string }[] }>('GET', path);
    expect([status, body.data.map(({ title }) => title)]).toEqual([200, titles]);
  });

  test('are taken back by the warehouse, which approves nothing', async () => {
    const warehouse = await program.signIn('warehouse@demo.test');
    const { id: asset } = await named('/assets', 'A-7');
    const path = `/loans/${(await ask(asset)).body.id}`;
    expect((await warehouse('PUT', path, { state: 'approved' })).status).toBe(403);
    expect((await manager('PUT', path, { state: 'approved' })).status).toBe(200);
    expect((await qa('PUT', path, { state: 'returned', returned_on: today })).status).toBe(403);
    expect((await warehouse('PUT', path, { purpose: 'Other' })).status).toBe(403);
    const taken = await warehouse('PUT', path, { state: 'returned', returned_on: today });
    expect(taken).toMatchObject({ status: 200, body: { state: 'returned' } });
    expect((await warehouse('PUT', path, { returned_on: null })).status).toBe(403);
  });

  const ask = (asset_id: number) => qa<Row & { errors: Record<string, string> }>('POST', '/loans', { asset_id });

  test('are asked for by anybody, approved by a manager, extended and given back', async () => {
    const { id: asset } = await named('/assets', 'HD-32-118');
    const { status, body: loan } = await ask(asset);
    expect([status, loan.state, loan.from_on]).toEqual([201, 'requested', today]);
    const path = `/loans/${loan.id}`;
    expect((await qa('PUT', path, { state: 'approved' })).status).toBe(422);
    expect((await manager('PUT', path, { state: 'approved' })).status).toBe(200);
    expect((await qa('PUT', path, { purpose: 'More' })).status).toBe(403);
    const again = await ask(asset);
    expect([again.status, again.body.errors]).toEqual([
      422,
      { asset_id: 'This asset is checked out or asked for already.' },
    ]);
    const extended = await manager<Row>('PATCH', `/loans-extend/${loan.id}`, {});
    expect([extended.status, String(extended.body.due_on) > today]).toEqual([200, true]);
    expect((await manager('PUT', path, { state: 'returned' })).status).toBe(422);
    expect((await manager('PUT', path, { state: 'returned', returned_on: today })).status).toBe(200);
    expect((await ask(asset)).status).toBe(201);
  });

  test('say how many working days they take, without the holidays of the calendar', async () => {
    const loan = (await list('/loans?state=approved'))[0]!;
    expect(await manager('PUT', `/loans/${loan.id}`, { from_on: '2026-06-01', due_on: '2026-06-14' })).toMatchObject({
      status: 200,
      body: { working_days: 10 },
    });
    const owner = await program.signIn(accounts.owner);
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
    const calendar = {
      name: 'Office',
      is_default: true,
      hours: days.map((weekday) => ({ weekday, begins_at: '08:00', ends_at: '16:00' })),
      holidays: [
        { day: '2026-06-06', name: 'A Saturday' },
        { day: '2026-06-05', name: 'Bridge day' },
      ],
    };
    expect(await owner('POST', '/calendars', calendar)).toMatchObject({ status: 201 });
    expect((await list('/loans?state=approved'))[0]).toMatchObject({ id: loan.id, working_days: 9 });
    const { from_on, due_on } = loan;
    expect(await manager('PUT', `/loans/${loan.id}`, { from_on, due_on })).toMatchObject({ status: 200 });
  });

  test('of what is in repair are refused', async () => {
    const { id } = await named('/assets', 'ND2-1107');
    const { status, body } = await ask(id);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['asset_id']]);
  });

  test('remind the borrower at nine the day before they end, while something is checked out', async () => {
    const loan = (await list('/loans?state=approved')).find(({ purpose }) => purpose === 'Working from home')!;
    const look = (at: string) => startDueAutomations(program.program, new Date(at));
    const runs = async () =>
      (
        await program.program.database.pool.query<Row>(
          `select automation, user_id from assay.automation_runs where record_id = ${loan.id} and automation = 'due_tomorrow'`,
        )
      ).rows;
    await look('2030-05-01T00:00:00Z');
    expect(await manager('PUT', `/loans/${loan.id}`, { due_on: '2030-05-20' })).toMatchObject({ status: 200 });
    await look('2030-05-19T06:59:00Z');
    expect(await runs()).toEqual([]);
    await look('2030-05-19T09:00:00Z');
    await look('2030-05-19T09:01:00Z');
    expect(await runs()).toHaveLength(1);
    expect(await manager('PUT', `/loans/${loan.id}`, { due_on: loan.due_on })).toMatchObject({ status: 200 });
  });

  test('that are late are found', async () => {
    const late = await list('/loans?is_late=true');
    expect(late.map(({ purpose }) => purpose)).toEqual(['Working from home']);
    const where = encodeURIComponent('{"asset_id.maker_id.name":"Nordic Optics","state":"requested"}');
    expect((await list(`/loans?where=${where}`)).map(({ purpose }) => purpose)).toEqual(['Interviews in Lund']);
  });
});

describe('the condition of an asset, which is a record,', () => {
  test('is good at first, and worsens and is repaired as its transitions say', async () => {
    const asset = await named('/assets', 'Reference display');
    expect(asset).toMatchObject({ condition: { name: 'Good' } });
    const conditions = Object.fromEntries((await list('/conditions')).map(({ id, name }) => [name, id]));
    const put = (name: string, more: object = {}) =>
      manager('PUT', `/assets/${asset.id}`, { condition_id: conditions[name], ...more });
    expect(await put('Written off')).toMatchObject({
      status: 422,
      body: {
        errors: {
          condition_id: 'Condition cannot change from Good to Written off. From Good it can become Worn or Broken.',
        },
      },
    });
    expect(await put('Broken')).toMatchObject({
      status: 422,
      body: { errors: { damage: 'Damage is required to change Condition to Broken.' } },
    });
    expect(await put('Broken', { damage: 'Dead pixels.' })).toMatchObject({ status: 200 });
    expect(await manager('PATCH', `/assets-condition-id-good/${asset.id}`)).toMatchObject({
      status: 200,
      body: { condition: { id: conditions.Good, name: 'Good' } },
    });
  });
});

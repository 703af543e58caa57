import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

const phases = sourceOf(
  'phases',
  { name: { required: true }, is_lost: { type: 'boolean' }, board_id: { type: 'relation', to: 'boards' } },
  { scope: 'company' },
);
const boards = sourceOf('boards', { name: { required: true } }, { scope: 'company' });

const deals = sourceOf(
  'deals',
  {
    name: { required: true },
    phase_id: { type: 'relation', to: 'phases', embed: 'phase', embedFields: ['is_lost'] },
    tag_ids: { type: 'relations', to: 'phases' },
    reason: { required: { 'phase_id.is_lost': true } },
    amount: { type: 'number', readOnly: { 'phase_id.is_lost': true } },
    price: { type: 'number', visible: { 'phase_id.board_id.name': 'Sales' }, required: true },
    mood: { required: { 'tag_ids.name': 'Hot' } },
  },
  {
    scope: 'company',
    rules: [
      { levels: [3], action: ['list', 'view'], where: { 'phase_id.is_lost': { $ne: true } }, reason: 'that are alive' },
      { levels: [4], action: ['list', 'view'], where: { 'phase_id.is_lost': true }, exceptFields: ['amount'] },
      { levels: [4], action: ['list', 'view'], where: { 'phase_id.is_lost': false }, exceptFields: ['reason'] },
    ],
    validate: [
      {
        where: { 'phase_id.board_id.name': 'Sales' },
        condition: { amount: { $gt: 0 } },
        field: 'amount',
        message: 'Selling needs an amount.',
      },
    ],
    parameters: { lost: { kind: 'flag', where: { 'phase_id.is_lost': true } } },
    requests: {
      close: {
        path: 'deal/{id}',
        label: 'Close',
        sets: ['reason', 'phase_id'],
        visible: { reason: { 'phase_id.is_lost': true } },
      },
    },
    import: {},
  } as Partial<Source>,
);

interface Row {
  readonly id: number;
  readonly [name: string]: unknown;
}

let demo: DemoProgram;
let owner: Client;
let manager: Client;
let developer: Client;
let sales: Row;
let open: Row;
let lost: Row;
let selling: Row;
let hot: Row;
let foreign: Row;

async function create(call: Client, path: string, body: object): Promise<Row> {
  const answer = await call<Row & { data?: Row }>('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data ?? answer.body;
}

beforeAll(async () => {
  demo = await startFixtureProgram();
  const admin = await demo.signIn(accounts.admin);
  for (const definition of [boards, phases, deals]) {
    const made = await admin('POST', '/modules', { definition });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  owner = await demo.signIn(accounts.owner);
  const { role_id: developers } = (await admin<{ data: Row[] }>('GET', `/users?q=${accounts.developer}`)).body.data[0]!;
  const modulePermission = ['deals.list', 'deals.view'];
  const granted = await admin('PUT', `/permissions/${String(developers)}`, { modulePermission });
  expect(granted.status, JSON.stringify(granted.body)).toBe(200);
  [manager, developer] = [await demo.signIn(accounts.manager), await demo.signIn(accounts.developer)];
  sales = await create(owner, '/boards', { name: 'Sales' });
  open = await create(owner, '/phases', { name: 'Open', is_lost: false });
  lost = await create(owner, '/phases', { name: 'Lost', is_lost: true });
  selling = await create(owner, '/phases', { name: 'Selling', is_lost: false, board_id: sales.id });
  hot = await create(owner, '/phases', { name: 'Hot' });
  foreign = await create(await demo.signIn(accounts.harbour), '/phases', { name: 'Theirs', is_lost: true });
});
afterAll(() => demo?.close());

describe('a condition on a related record decides', () => {
  test.each<[string, () => object, object | undefined]>([
    ['nothing is required without a phase', () => ({}), undefined],
    ['or with one that does not ask for it', () => ({ phase_id: open.id }), undefined],
    ['what it asks for is', () => ({ phase_id: lost.id }), { reason: 'Reason is required.' }],
    ['unless it is there', () => ({ phase_id: lost.id, reason: 'Price' }), undefined],
    ['a hidden field is not', () => ({ phase_id: open.id }), undefined],
    ['along two relations', () => ({ phase_id: selling.id, amount: 1 }), { price: 'Price is required.' }],
    ['a rule applies', () => ({ phase_id: selling.id, price: 1 }), { amount: 'Selling needs an amount.' }],
    ['one of several', () => ({ tag_ids: [open.id, hot.id] }), { mood: 'Mood is required.' }],
    ['none of several', () => ({ tag_ids: [open.id] }), undefined],
    // Whether a record of others is lost must not show in the answer.
    ['a phase of another company', () => ({ phase_id: foreign.id }), { phase_id: expect.any(String) }],
    ['no phase at all', () => ({ phase_id: 999_999 }), { phase_id: expect.any(String) }],
  ])('%s', async (_, more, errors) => {
    const answer = await owner<{ errors?: object }>('POST', '/deals', { name: 'A', ...more() });
    expect(answer.status, JSON.stringify(answer.body)).toBe(errors ? 422 : 201);
    expect(answer.body.errors).toEqual(errors);
  });

  test('when a record changes', async () => {
    const { id } = await create(owner, '/deals', { name: 'B', phase_id: open.id, amount: 5 });
    expect(await owner('PUT', `/deals/${id}`, { phase_id: lost.id })).toMatchObject({
      status: 422,
      body: { errors: { reason: 'Reason is required.' } },
    });
    expect(await owner('PUT', `/deals/${id}`, { phase_id: lost.id, reason: 'Price' })).toMatchObject({ status: 200 });
    // The stored phase decides what is read-only.
    await owner('PUT', `/deals/${id}`, { amount: 9 });
    expect(await owner('GET', `/deals/${id}`)).toMatchObject({ body: { amount: 5, reason: 'Price' } });
  });

  test('when an action runs', async () => {
    const { id } = await create(owner, '/deals', { name: 'C', phase_id: open.id });
    expect(await owner('PATCH', `/deal/${id}`, { phase_id: open.id, reason: 'Price' })).toMatchObject({ status: 403 });
    expect(await owner('PATCH', `/deal/${id}`, { phase_id: lost.id, reason: 'Price' })).toMatchObject({ status: 200 });
  });
});

describe('a condition on records that rows refer to decides', () => {
  const idsOf = async (call: Client, path: string) => {
    const { body, status } = await call<Row[] | { data: Row[] }>('GET', path);
    expect(status, JSON.stringify(body)).toBe(200);
    return (Array.isArray(body) ? body : body.data).map(({ id }) => id);
  };

  test('which records a list contains', async () => {
    const dead = await create(owner, '/deals', { name: 'D', phase_id: lost.id, reason: 'Price', amount: 3 });
    const alive = await create(owner, '/deals', { name: 'E', phase_id: open.id, reason: 'None', amount: 4 });
    const seen = await idsOf(manager, '/deals');
    expect(seen).toContain(alive.id);
    expect(seen).not.toContain(dead.id);
    expect(await manager('GET', `/deals/${dead.id}`)).toMatchObject({ status: 404 });
    const lostOnes = await idsOf(owner, '/deals?lost=1');
    expect(lostOnes).toContain(dead.id);
    expect(lostOnes).not.toContain(alive.id);
    // Each row shows the fields of the rule that matches it.
    const one = async (id: number) => (await developer<Row>('GET', `/deals/${id}`)).body;
    expect(await one(dead.id)).toMatchObject({ reason: 'Price' });
    expect(await one(dead.id)).not.toHaveProperty('amount');
    expect(await one(alive.id)).toMatchObject({ amount: 4 });
    expect(await one(alive.id)).not.toHaveProperty('reason');
  });
});

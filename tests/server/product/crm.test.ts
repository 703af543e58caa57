import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readProduct } from '../../../src/server/read-product';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';

// A product of JSON alone: what its definitions promise, over HTTP.

type Row = Record<string, unknown> & { id: number };

let program: DemoProgram;
let seller: Client;
beforeAll(async () => {
  program = await startDemoProgram({ product: readProduct('examples/crm') });
  seller = await program.signIn(accounts.developer);
});
afterAll(() => program?.close());

const list = async (path: string) => {
  const { status, body } = await seller<Row[]>('GET', path);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};
const named = async (path: string, name: string) => (await list(`${path}?q=${encodeURIComponent(name)}`))[0]!;

test('companies know what is open and won, and are sorted by it', async () => {
  const companies = await list('/companies?sort_by=-won');
  expect(companies.map(({ name, open_deals, won }) => [name, open_deals, won])).toEqual([
    ['Adega do Vale', 0, 31000],
    ['Horno San Blas', 1, 9400],
    expect.arrayContaining([0]),
    expect.arrayContaining([0]),
  ]);
});

test('stages know their deals and sums', async () => {
  const stages = await list('/stages');
  expect(stages.map(({ name, deals, amount }) => [name, deals, amount])).toEqual([
    ['Lead', 1, 0],
    ['Offer sent', 1, 129900.5],
    ['Negotiation', 1, 48500],
    ['Won', 2, 40400],
    ['Lost', 1, 18250],
  ]);
});

describe('deals', () => {
  test('have numbers, a chance from their stage and what they are expected to bring', async () => {
    expect(await named('/deals', 'Roof of the bakery')).toMatchObject({
      key: 'D-1',
      offered: 50710,
      discount: 2210,
      chance: 70,
      expected: 33950,
      is_due: true,
      last_activity: 'Roof measured',
    });
    const due = await list('/deals?is_due=true&sort_by=next_step_on');
    expect(due.map(({ key }) => key)).toEqual(['D-3', 'D-1']);
  });

  test('need a reason where they are lost, and an amount where they are won', async () => {
    const { id } = await named('/deals', 'Paper mill');
    const stages = await list('/stages');
    const move = (stage: number, more: object = {}) =>
      seller<{ errors: Record<string, string> }>('PUT', `/deals/${id}`, { stage_id: stages[stage]!.id, ...more });
    const lost = await move(4);
    expect([lost.status, Object.keys(lost.body.errors)]).toEqual([422, ['lost_because']]);
    const won = await move(3);
    expect([won.status, won.body.errors]).toEqual([422, { amount: 'A won deal needs an amount.' }]);
    expect((await move(3, { amount: 100 })).status).toBe(200);
    expect((await list('/stages'))[3]).toMatchObject({ deals: 3, amount: 40500 });
  });
});

test('a deal remembers the terms that were offered, and tells when they have changed since', async () => {
  const deal = await named('/deals', 'Roof of the bakery');
  expect(deal).toMatchObject({ terms: { name: 'Standard' }, terms_id_changed: false });
  expect(deal.terms_id_pin).toBe(deal.terms_id_latest);
  const manager = await program.signIn(accounts.manager);
  await manager('PUT', `/terms/${deal.terms_id as number}`, { pay_within: 14 });
  expect((await list('/deals?terms_id_changed=true')).map(({ id }) => id)).toEqual([deal.id]);
  const { status, body } = await seller<Row>('PUT', `/deals/${deal.id}`, { terms_id_pin: 'current' });
  expect([status, body.terms_id_changed]).toEqual([200, false]);
});

test('contacts show the country of their company', async () => {
  const contacts = await list('/contacts?sort_by=country');
  expect(contacts.map(({ country }) => country)).toEqual(['France', 'Portugal', 'Spain', 'Spain']);
});

test('the board adds up what its columns have, within filters', async () => {
  const sums = async (filter: object) => {
    const query = new URLSearchParams({ group: 'stage_id', take: 'sum:amount', filter: JSON.stringify(filter) });
    const { body } = await seller<{ data: { titles: Row; sum: Row }[] }>('GET', `/deals/aggregate?${query}`);
    return Object.fromEntries(body.data.map(({ titles, sum }) => [titles.stage_id, sum.amount]));
  };
  const own = await named('/companies', 'Horno');
  expect(await sums({})).toMatchObject({ Lost: 18250, 'Offer sent': 129900.5 });
  expect(await sums({ company_id: own.id })).toEqual({ Negotiation: 48500, Won: 9400 });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { startDueAutomations } from '../../../src/server/automation/schedules';
import { readProduct } from '../../../src/server/read-product';
import { createTestDatabase } from '../../support/database';
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

test('sellers read the snippets that the company shares, also those for deals alone', async () => {
  expect((await list('/snippets?sort_by=title')).map(({ title, modules }) => [title, modules])).toEqual([
    ['Offer is coming', 'deals'],
    ['Thanks for the call', null],
  ]);
});

describe('deals', () => {
  test('are printed as an offer, with a line for each row', async () => {
    const { id } = await named('/deals', 'Roof of the bakery');
    const { body, headers } = await seller<string>('GET', `/deals/${id}/print`);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toContain('<h1>Offer D-1</h1>');
    expect(body).toContain('<td>Horno San Blas</td>');
    expect(body).toMatch(/Together, without tax<\/th><th><\/th><th class="right">[^<]*50,?710/);
    expect(body).not.toMatch(/[{}]\/?[#^a-z_]+\}/);
  });

  test('are downloaded as the accounting program reads them', async () => {
    const answer = await seller<string>('GET', '/deals-export/accounting?sort=["id","ASC"]');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="invoices.csv"');
    const [headings, first] = answer.body.split('\r\n');
    expect(headings).toBe('Account;Document;Date;Customer;Text;Net in EUR');
    expect(first).toMatch(/^8400;D-1;\d\d\.\d\d\.\d{4};Horno San Blas;D-1, Roof of the bakery;48500$/);
  });

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

test('an activity ends so many minutes after it began, across a change of clocks, and is found by that', async () => {
  const { id } = await named('/activities', 'Roof measured');
  const { status, body } = await seller<Row>('PUT', `/activities/${id}`, {
    started_at: '2026-03-29T00:30:00.000Z',
    minutes: 90,
  });
  expect([status, body.ended_at]).toEqual([200, '2026-03-29T02:00:00.000Z']);
  const ended = encodeURIComponent('{"ended_at":{"$gte":"2026-03-29T02:00:00.000Z"}}');
  expect((await list(`/activities?where=${ended}`)).map((row) => row.id)).toEqual([id]);
});

test('activities are listed, sorted and filtered by the country of the company of their deal', async () => {
  const country = 'deal.company.country';
  const all = await list(`/activities?sort_by=-${country}&fields=subject,${country}`);
  const places = all.map((row) => String(row[country]));
  expect(places).toEqual(places.toSorted().toReversed());
  expect(new Set(places).size).toBeGreaterThan(1);
  const spanish = await list(`/activities?${country}=Spain`);
  expect(spanish.length).toBe(places.filter((one) => one === 'Spain').length);
});

test('contacts show the country of their company', async () => {
  const contacts = await list('/contacts?sort_by=country');
  expect(contacts.map(({ country }) => country)).toEqual(['France', 'Portugal', 'Spain', 'Spain']);
});

test('a segment lists the same contacts after their fields were renamed', async () => {
  const admin = await program.signIn(accounts.admin);
  const { query } = await named('/segments', 'Managing directors');
  const ofSegment = async (filters: unknown) =>
    (await list(`/contacts?${new URLSearchParams(filters as Record<string, string>)}`)).map(({ id }) => id);
  const contacts = await ofSegment(query);
  expect(contacts).toHaveLength(1);
  const { definition, version } = (
    await admin<{ data: { definition: Source; version: number } }>('GET', '/modules/contacts')
  ).body.data;
  const { position, ...fields } = definition.fields;
  const columns = definition.list!.columns!.map((column) => (column === 'position' ? 'job' : column));
  const renamed = {
    ...definition,
    fields: { ...fields, job: { ...position!, formerName: 'position' } },
    list: { ...definition.list, columns },
  };
  expect(await admin('PUT', '/modules/contacts', { definition: renamed, version })).toMatchObject({ status: 200 });
  const after = await named('/segments', 'Managing directors');
  expect(after.query).toEqual({ job: 'Managing director' });
  expect(await ofSegment(after.query)).toEqual(contacts);
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

test('the reminder of the next step comes at eight in Spain, once a day, whatever the clock does', async () => {
  const database = await createTestDatabase();
  const product = readProduct('examples/crm');
  let started = await startDemoProgram({ product, database });
  try {
    const day = (at: string) => at.slice(0, 10);
    const look = (at: string) => startDueAutomations(started.program, new Date(at));
    const { body: deals } = await (await started.signIn(accounts.manager))<Row[]>('GET', '/deals?sort_by=id');
    const { id } = deals[0]!;
    const reminders = async () =>
      (
        await database.database.pool.query<Row>(
          `select id from assay.automation_runs where automation = 'next_step' and record_id = ${id}`,
        )
      ).rows;
    // The clock goes forward in the night to 31 March 2030, and back in the night to 27 October.
    await look('2030-03-29T12:00:00Z');
    let expected = 0;
    for (const [eve, before, due, later] of [
      ['2030-03-30T12:00:00Z', '2030-03-31T05:59:59Z', '2030-03-31T06:00:00Z', '2030-03-31T21:59:00Z'],
      ['2030-10-26T12:00:00Z', '2030-10-27T06:59:59Z', '2030-10-27T07:00:00Z', '2030-10-27T22:59:00Z'],
    ] as const) {
      await look(eve);
      const manager = await started.signIn(accounts.manager);
      const changed = await manager('PUT', `/deals/${id}`, { next_step_on: day(due) });
      expect(changed.status).toBe(200);
      await look(before);
      expect(await reminders()).toHaveLength(expected);
      await look(due);
      expect(await reminders()).toHaveLength(++expected);
      await started.close();
      started = await startDemoProgram({ product, database });
      await look(due);
      await look(later);
      expect(await reminders()).toHaveLength(expected);
    }
  } finally {
    await started.close();
    await database.close();
  }
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readProduct } from '../../../src/server/read-product';
import { startDemoProgram, type Client, type DemoProgram } from '../../support/program';

// The first steps of a company, with a product of JSON alone: what its file `start.json` promises, over HTTP.

interface Start {
  steps: { resource: string; text: string | null; done: boolean }[];
  sample: { label: string; text: string; created: boolean } | null;
  hasColleagues: boolean;
}

let program: DemoProgram;
const as: Record<string, Client> = {};
beforeAll(async () => {
  program = await startDemoProgram({ product: readProduct('examples/crm') });
  for (const who of ['admin', 'developer']) as[who] = await program.signIn(`${who}@demo.test`);
  for (const who of ['ada', 'bob'])
    await enter(who, '/register', {
      email: `${who}@start.test`,
      password: 'Quiet#Harbour8',
      first_name: who,
      last_name: 'Novak',
      site_name: `Company of ${who}`,
    });
});
afterAll(() => program?.close());

async function enter(who: string, path: string, body: object): Promise<void> {
  const { token } = (await program.call<{ token: string }>('POST', path, body)).body;
  as[who] = (method, at, sent, headers) =>
    program.call(method, at, sent, { authorization: `Bearer ${token}`, ...headers });
}

const startOf = async (who: string) => (await as[who]!<{ data: Start }>('GET', '/start')).body.data;
const doneOf = ({ steps }: Start) => steps.map(({ resource, done }) => [resource, done]);
const namesOf = async (who: string, resource: string) =>
  (await as[who]!<{ name: string }[]>('GET', `/${resource}`)).body.map(({ name }) => name).sort();
const resources = ['stages', 'companies', 'contacts', 'deals', 'activities'];
const countsOf = async (who: string) =>
  Promise.all(resources.map(async (one) => (await as[who]!<unknown[]>('GET', `/${one}`)).body.length));

describe('the first steps', () => {
  test('are those of the product, none of them done, and a sample is offered', async () => {
    const start = await startOf('ada');
    expect(doneOf(start)).toEqual([
      ['stages', false],
      ['companies', false],
      ['deals', false],
    ]);
    expect(start).toMatchObject({ sample: { label: 'Create sample deals', created: false }, hasColleagues: false });
  });

  test('tick off by what exists', async () => {
    const made = await as.bob!<{ id: number }>('POST', '/companies', { name: 'Own', country: 'Spain' });
    expect(made.status).toBe(201);
    expect(doneOf(await startOf('bob'))).toEqual([
      ['stages', false],
      ['companies', true],
      ['deals', false],
    ]);
    await as.bob!('DELETE', `/companies/${made.body.id}`);
    expect(doneOf(await startOf('bob'))[1]).toEqual(['companies', false]);
  });

  test('are not for whoever belongs to no company, and not for strangers', async () => {
    expect(await startOf('admin')).toEqual({ steps: [], sample: null, hasColleagues: true });
    expect((await as.admin!('POST', '/sample')).status).toBe(404);
    for (const [method, path] of [
      ['GET', '/start'],
      ['POST', '/sample'],
      ['DELETE', '/sample'],
    ] as const)
      expect((await program.call(method, path)).status).toBe(401);
  });
});

describe('the sample', () => {
  test('is created once, by two at once too, with history, in the own company alone', async () => {
    const answers = await Promise.all([as.ada!('POST', '/sample'), as.ada!('POST', '/sample')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await countsOf('ada')).toEqual([3, 1, 1, 2, 1]);
    expect(await countsOf('bob')).toEqual([0, 0, 0, 0, 0]);
    const start = await startOf('ada');
    expect(start.steps.every(({ done }) => done)).toBe(true);
    expect(start.sample?.created).toBe(true);
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from assay.history h
      join assay.sample_records s using (resource, record_id) where h.event = 'created'`.execute(
      program.program.database.kysely,
    );
    expect(rows[0]!.count).toBe(8);
  });

  test('is not removed while own records belong to it; then nothing is deleted', async () => {
    const [company] = (await as.ada!<{ id: number }[]>('GET', '/companies')).body;
    // Contacts would be deleted with their company.
    const own = { first_name: 'Own', last_name: 'Contact', email: 'own@own.test', company_id: company!.id };
    const contact = await as.ada!<{ id: number }>('POST', '/contacts', own);
    const refused = await as.ada!<{ code: string; message: string }>('DELETE', '/sample');
    expect(refused).toMatchObject({ status: 409, body: { message: 'Company is used by 1 contact.' } });
    expect(await countsOf('ada')).toEqual([3, 1, 2, 2, 1]);
    await as.ada!('DELETE', `/contacts/${contact.body.id}`);
  });

  test('is removed in one step, but for what was created beside it or is gone already', async () => {
    await as.ada!('POST', '/companies', { name: 'Own', country: 'Spain' });
    const [activity] = (await as.ada!<{ id: number }[]>('GET', '/activities')).body;
    await as.ada!('DELETE', `/activities/${activity!.id}`);
    const removed = await as.ada!<{ data: Start }>('DELETE', '/sample');
    expect([removed.status, removed.body.data.sample?.created]).toEqual([200, false]);
    expect(await countsOf('ada')).toEqual([0, 1, 0, 0, 0]);
    expect(await namesOf('ada', 'companies')).toEqual(['Own']);
    expect((await as.ada!('DELETE', '/sample')).status).toBe(404);
  });

  test('is all created or not at all', async () => {
    await sql`alter table public.deals add constraint no_samples check (name <> 'Charging points') not valid`.execute(
      program.program.database.kysely,
    );
    try {
      const failed = await as.bob!('POST', '/sample');
      expect(failed.status).toBeGreaterThanOrEqual(400);
      expect(await countsOf('bob')).toEqual([0, 0, 0, 0, 0]);
      expect((await startOf('bob')).sample?.created).toBe(false);
    } finally {
      await sql`alter table public.deals drop constraint no_samples`.execute(program.program.database.kysely);
    }
  });

  test('is for whoever may create all of it, and steps for whoever may create them', async () => {
    // Sellers may not create stages.
    const start = await startOf('developer');
    expect(doneOf(start)).toEqual([
      ['companies', true],
      ['deals', true],
    ]);
    expect(start).toMatchObject({ sample: null, hasColleagues: true });
    for (const method of ['POST', 'DELETE']) expect((await as.developer!(method, '/sample')).status).toBe(403);
  });
});

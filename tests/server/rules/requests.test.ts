// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../support/accounts';
import type { Client } from '../../support/program';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

let server: StudioProgram;
let owner: Client;
let member: Client;

const states = ['requested', 'approved', 'refused'].map((value) => ({ value, label: value }));

beforeAll(async () => {
  server = await startStudio();
  ({ owner } = server);
  await server.studio.make(
    'loans',
    {
      name: { required: true },
      state: { type: 'select', options: states, default: 'requested', readOnly: true },
      reason: {},
      approved_by: { type: 'number', integer: true, readOnly: true },
      approved_at: { type: 'datetime', readOnly: true },
    },
    {
      grants: { 4: 'all' },
      requests: {
        approve: {
          label: 'Approve',
          sets: { state: 'approved', approved_by: '$actor.id', approved_at: '$now' },
          where: { state: 'requested' },
          levels: [1, 2, 3],
        },
        refuse: {
          label: 'Refuse',
          path: 'refuse-loan/{id}',
          sets: { state: 'refused' },
          asks: ['reason'],
          where: { state: 'requested' },
        },
      },
    },
  );
  member = await server.program.signIn(accounts.developer);
});
afterAll(() => server?.program.close());

const requested = async () => (await owner<{ id: number }>('POST', '/loans', { name: 'drill' })).body.id;

describe('a request with fixed values', () => {
  test('sets them in one call, read-only fields too, with history', async () => {
    const id = await requested();
    const answer = await owner<Record<string, unknown>>('PATCH', `/loans-approve/${id}`);
    expect(answer).toMatchObject({ status: 200, body: { state: 'approved' } });
    expect(answer.body.approved_by).toEqual(answer.body.created_by);
    expect(Date.parse(String(answer.body.approved_at))).toBeGreaterThan(Date.now() - 60_000);
    const { body } = await owner<{ data: { changes: unknown }[] }>('GET', `/loans/${id}/history`);
    expect(JSON.stringify(body)).toContain('approved');
    expect(await owner('PUT', `/loans/${id}`, { state: 'requested' })).toMatchObject({ body: { state: 'approved' } });
  });

  test.each<[string, () => Client, (id: number) => [string, object?], number, RegExp]>([
    [
      'by another level',
      () => member,
      (id) => [`/loans-approve/${id}`],
      403,
      /"Approve" of loanss: it is for Administrator, Company Owner and Manager/,
    ],
    [
      'with a value that it does not ask for',
      () => owner,
      (id) => [`/loans-approve/${id}`, { reason: 'x' }],
      422,
      /Unknown property reason/,
    ],
    ['without what it asks for', () => owner, (id) => [`/refuse-loan/${id}`, {}], 422, /Reason is required/],
    ['on nothing', () => owner, () => ['/loans-approve/9999'], 404, /Not found/],
  ])('%s is refused', async (_, as, call, status, message) => {
    const id = await requested();
    const answer = await as()<Refusal>('PATCH', ...call(id));
    expect(answer.status).toBe(status);
    expect(answer.body.message).toMatch(message);
    expect((await owner('GET', `/loans/${id}`)).body).toMatchObject({ state: 'requested', approved_by: null });
  });

  test('is not possible where its condition does not hold', async () => {
    const id = await requested();
    expect(await owner('PATCH', `/refuse-loan/${id}`, { reason: 'Broken.' })).toMatchObject({
      status: 200,
      body: { state: 'refused', reason: 'Broken.' },
    });
    expect(await owner('PATCH', `/loans-approve/${id}`)).toMatchObject({
      status: 409,
      body: { message: '"Approve" is not possible for this loans as it is now. Reload to see its current values.' },
    });
  });

  test('of 16 at once, one approves', async () => {
    const id = await requested();
    const answers = await Promise.all(Array.from({ length: 16 }, () => owner('PATCH', `/loans-approve/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(15).fill(409)]);
  });

  test('is in the API document, without a body if it asks for nothing', async () => {
    interface ApiDocument {
      paths: Record<string, { patch: object }>;
      components: { schemas: Record<string, unknown> };
    }
    const { body } = await owner<ApiDocument>('GET', '/openapi.json');
    expect(body.paths['/loans-approve/{id}']?.patch).not.toHaveProperty('requestBody');
    expect(body.paths['/refuse-loan/{id}']?.patch).toHaveProperty('requestBody');
    expect(body.components.schemas.LoansRefuse).toMatchObject({ required: ['reason'] });
  });
});

test('a duplicate in the record that a request adds is refused at its field, and nothing is stored', async () => {
  const loan = { type: 'relation', to: 'loans', required: true } as const;
  await server.studio.make('seals', { code: { unique: true }, loan_id: loan });
  await server.studio.publish('loans', (source) => {
    source.requests!.seal = {
      label: 'Seal',
      sets: ['reason'],
      adds: { resource: 'seals', relation: 'loan_id', fields: ['code'] },
    };
  });
  const id = await requested();
  expect(await owner('PATCH', `/loans-seal/${id}`, { reason: 'a', code: 'S-1' })).toMatchObject({ status: 200 });
  expect(await owner<Refusal>('PATCH', `/loans-seal/${id}`, { reason: 'b', code: 'S-1' })).toMatchObject({
    status: 422,
    body: { errors: { code: 'Code is already taken.' } },
  });
  expect((await owner('GET', `/loans/${id}`)).body).toMatchObject({ reason: 'a' });
});

// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, password } from '../../support/accounts';
import type { Client } from '../../support/program';
import { book, send } from '../imports/files';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

let server: StudioProgram;
let owner: Client;
let developer: Client;

const options = ['requested', 'approved', 'refused', 'returned'].map((value) => ({
  value,
  label: value[0]!.toUpperCase() + value.slice(1),
}));

beforeAll(async () => {
  server = await startStudio();
  ({ owner } = server);
  await server.studio.make(
    'loans',
    {
      name: { required: true },
      state: {
        type: 'select',
        options,
        initial: 'requested',
        transitions: [
          { from: 'requested', to: ['approved', 'refused'], levels: [1, 2, 3], requiredFields: ['reason'] },
          { from: 'approved', to: 'returned', label: 'Take back', where: { deposit: { $gt: 0 } } },
          { from: ['refused'], to: 'requested', label: 'Ask again' },
        ],
      },
      reason: {},
      deposit: { type: 'number' },
    },
    {
      grants: { 4: 'all' },
      requests: { edit_state: { label: 'Edit', path: 'loan/{id}', sets: ['state', 'reason'] } },
      import: {},
    },
  );
  developer = await server.program.signIn(accounts.developer);
});
afterAll(() => server?.program.close());

type Loan = { id: number; state: string };
const request = async (values: object = {}) =>
  (await owner<Loan>('POST', '/loans', { name: 'drill', ...values })).body.id;
const approved = async (values: object = {}) => {
  const id = await request({ reason: 'Fine.', ...values });
  expect(await owner('PUT', `/loans/${id}`, { state: 'approved' })).toMatchObject({ status: 200 });
  return id;
};
const refused = async () => {
  const id = await request({ reason: 'No.' });
  expect(await owner('PUT', `/loans/${id}`, { state: 'refused' })).toMatchObject({ status: 200 });
  return id;
};

test.each<[string, object, number, string?]>([
  ['starts with the initial value', {}, 201],
  ['may name it', { state: 'requested' }, 201],
  ['cannot start with another', { state: 'approved', reason: 'x' }, 422, 'State of a new record must be Requested.'],
  ['cannot start with an unknown one', { state: 'gone' }, 422, 'State: this choice is not available.'],
])('a new record %s', async (_, values, status, message) => {
  const answer = await owner<Loan & Refusal>('POST', '/loans', { name: 'x', ...values });
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject(message ? { errors: { state: message } } : { state: 'requested' });
});

describe('a change is refused at its field,', () => {
  test.each<[string, () => Promise<number>, object, Record<string, string>]>([
    [
      'if no transition leads there',
      () => request(),
      { state: 'returned' },
      { state: 'State cannot change from Requested to Returned. From Requested it can become Approved or Refused.' },
    ],
    [
      'if the state is final',
      async () => {
        const id = await approved({ deposit: 5 });
        await owner('PUT', `/loans/${id}`, { state: 'returned' });
        return id;
      },
      { state: 'requested' },
      { state: 'State cannot change from Returned to Requested. Returned is final.' },
    ],
    [
      'if it is emptied',
      () => request(),
      { state: null },
      { state: 'State cannot change from Requested to nothing. From Requested it can become Approved or Refused.' },
    ],
    [
      'without what it needs',
      () => request(),
      { state: 'approved' },
      { reason: 'Reason is required to change State to Approved.' },
    ],
    [
      'if its condition does not hold',
      () => approved(),
      { state: 'returned' },
      { state: 'State can change from Approved to Returned only if deposit > 0.' },
    ],
  ])('%s', async (_, make, values, errors) => {
    const id = await make();
    const before = await owner<Loan>('GET', `/loans/${id}`);
    for (const [method, path] of [
      ['PUT', `/loans/${id}`],
      ['PATCH', `/loan/${id}`],
    ] as const)
      expect(await owner(method, path, values)).toMatchObject({ status: 422, body: { errors } });
    expect(await owner('GET', `/loans/${id}`)).toMatchObject({ body: before.body as object });
  });

  test('for another level', async () => {
    const id = await request({ reason: 'x' });
    expect(await developer('PUT', `/loans/${id}`, { state: 'approved' })).toMatchObject({
      status: 422,
      body: {
        errors: {
          state:
            'You may not change State from Requested to Approved: this is for Administrator, Company Owner and Manager.',
        },
      },
    });
    expect(await developer('PUT', `/loans/${id}`, { name: 'renamed' })).toMatchObject({ status: 200 });
  });
});

describe('the button of a transition', () => {
  test('changes it, with what it needs', async () => {
    const id = await request();
    expect(await owner('PATCH', `/loans-state-approved/${id}`, {})).toMatchObject({
      status: 422,
      body: { errors: { reason: 'Reason is required.' } },
    });
    expect(await owner('PATCH', `/loans-state-approved/${id}`, { reason: 'Fine.' })).toMatchObject({
      status: 200,
      body: { state: 'approved', reason: 'Fine.' },
    });
    expect(await owner('PATCH', `/loans-state-approved/${id}`, { reason: 'Again.' })).toMatchObject({ status: 409 });
  });

  test('is refused for another level, and has its label', async () => {
    const id = await request({ reason: 'x' });
    expect(await developer('PATCH', `/loans-state-approved/${id}`, { reason: 'x' })).toMatchObject({ status: 403 });
    expect(await developer('PATCH', `/loans-state-requested/${await refused()}`)).toMatchObject({ status: 200 });
    const { body } = await owner<{ data: { name: string; requests: Record<string, { label: string }> }[] }>(
      'GET',
      '/definitions',
    );
    const { requests } = body.data.find(({ name }) => name === 'loans')!;
    const labels = Object.values(requests).map(({ label }) => label);
    expect(labels).toEqual(['Edit', 'Approved', 'Refused', 'Take back', 'Ask again']);
  });

  test('of 16 at once, one changes it', async () => {
    const id = await request();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        owner('PATCH', `/loans-state-${index % 2 ? 'approved' : 'refused'}/${id}`, { reason: `Number ${index}` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(15).fill(409)]);
  });
});

test('an import follows the transitions', async () => {
  const { body } = await server.program.call<{ token: string }>('POST', '/login', { email: accounts.owner, password });
  const file = book([
    ['Name', 'State'],
    ['a', 'Requested'],
    ['b', 'Approved'],
    ['c', ''],
  ]);
  const seen = await send(server.program, body.token, '/loans/import?preview=1', file);
  expect(seen.body).toMatchObject({
    ready: 2,
    errors: [{ row: 3, column: 'State', message: 'State of a new record must be Requested.' }],
  });
});

test('of 16 writers that change it with PUT, those that come later meet the new state', async () => {
  const id = await request({ reason: 'x' });
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      owner<Loan>('PUT', `/loans/${id}`, { state: index % 2 ? 'approved' : 'refused' }),
    ),
  );
  const { body } = await owner<Loan>('GET', `/loans/${id}`);
  const done = answers.filter(({ status }) => status === 200);
  expect(new Set(done.map((answer) => answer.body.state))).toEqual(new Set([body.state]));
  expect(answers.filter(({ status }) => status !== 200 && status !== 422)).toEqual([]);
});

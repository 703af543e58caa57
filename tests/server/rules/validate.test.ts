// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts, password } from '../../support/accounts';
import type { Client } from '../../support/program';
import { book, send } from '../imports/files';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

let server: StudioProgram;
let owner: Client;

const needsAmount = 'A won deal needs an amount.';
const ownWords = 'Only its author may call a deal a favourite.';
const stages = ['open', 'won', 'lost'].map((value) => ({ value, label: value }));

beforeAll(async () => {
  server = await startStudio();
  ({ owner } = server);
  await server.studio.make(
    'deals',
    {
      name: { required: true },
      stage: { type: 'select', options: stages, default: 'open' },
      amount: { type: 'number' },
      discount: { type: 'number' },
      favourite: { type: 'boolean' },
      author: { type: 'number', integer: true },
      note: {},
    },
    {
      validate: [
        { condition: { amount: { $gt: 0 } }, where: { stage: 'won' }, field: 'amount', message: needsAmount },
        {
          condition: { '$form.discount': { $lte: '$form.amount' } },
          where: { discount: { $exists: true } },
          field: 'discount',
          message: 'The discount is greater than the amount.',
        },
        { condition: { author: '$actor.id' }, where: { favourite: true }, field: 'favourite', message: ownWords },
      ],
      requests: { win: { label: 'Win', path: 'win-deal/{id}', sets: ['stage', 'amount'] } },
      import: {},
    },
  );
});
afterAll(() => server?.program.close());

test.each<[string, object, Record<string, string> | null]>([
  ['a won deal with an amount', { stage: 'won', amount: 5 }, null],
  ['a won deal without', { stage: 'won' }, { amount: needsAmount }],
  ['a won deal for nothing', { stage: 'won', amount: 0 }, { amount: needsAmount }],
  ['an open deal without', {}, null],
  ['a wrong value is told as such', { stage: 'won', amount: 'x' }, { amount: 'Amount must be a number.' }],
  ['a discount below the amount', { amount: 5, discount: 4 }, null],
  ['a discount above the amount', { amount: 5, discount: 6 }, { discount: 'The discount is greater than the amount.' }],
  ['a discount of nothing', { discount: 6 }, { discount: 'The discount is greater than the amount.' }],
  ["somebody else's favourite", { favourite: true, author: 999_999 }, { favourite: ownWords }],
])('a new record: %s', async (_, values, errors) => {
  const answer = await owner<Refusal>('POST', '/deals', { name: 'one', ...values });
  expect(answer.status).toBe(errors ? 422 : 201);
  if (errors) expect(answer.body.errors).toEqual(errors);
});

test('an update is checked with the values that are stored beside it, and changes nothing if refused', async () => {
  const { body } = await owner<{ id: number }>('POST', '/deals', { name: 'two' });
  const path = `/deals/${body.id}`;
  expect(await owner('PUT', path, { stage: 'won' })).toMatchObject({
    status: 422,
    body: { errors: { amount: needsAmount } },
  });
  expect((await owner('GET', path)).body).toMatchObject({ stage: 'open' });
  expect(await owner('PUT', path, { amount: 3 })).toMatchObject({ status: 200 });
  expect(await owner('PUT', path, { stage: 'won' })).toMatchObject({ status: 200 });
  expect(await owner('PUT', path, { amount: null })).toMatchObject({ status: 422 });
});

test('an action is checked by the rules of validation as well', async () => {
  const { body } = await owner<{ id: number }>('POST', '/deals', { name: 'three' });
  const win = (values: object) => owner('PATCH', `/win-deal/${body.id}`, values);
  expect(await win({ stage: 'won' })).toMatchObject({ status: 422, body: { errors: { amount: needsAmount } } });
  expect(await win({ stage: 'won', amount: 7 })).toMatchObject({ status: 200 });
});

test('an import reports a broken rule at its cell', async () => {
  const { body } = await server.program.call<{ token: string }>('POST', '/login', { email: accounts.owner, password });
  const file = book([
    ['Name', 'Stage', 'Amount'],
    ['a', 'won', ''],
    ['b', 'won', '3'],
  ]);
  const seen = await send(server.program, body.token, '/deals/import?preview=1', file);
  expect(seen.body).toMatchObject({
    ready: 1,
    failed: 1,
    errors: [{ row: 2, column: 'Amount', message: needsAmount }],
  });
});

test('a new rule counts the stored records that break it, and refuses whoever stores one, whatever they change', async () => {
  await server.studio.make('offers', { name: {}, amount: { type: 'number' }, sent: { type: 'boolean' } });
  for (const amount of [1, null, -1]) await owner('POST', '/offers', { name: 'old', amount, sent: true });
  await owner('POST', '/offers', { name: 'draft', sent: false });
  const validate = [
    { condition: { amount: { $gt: 0 } }, where: { sent: true }, field: 'amount', message: 'Say how much.' },
  ];
  const { definition } = await server.studio.module('offers');
  const { steps } = await server.studio.plan('offers', { ...definition, validate });
  expect(steps).toMatchObject([
    { kind: 'rule', text: 'Say how much: 2 stored offerss violate it.', rows: 2, records: [2, 3], destructive: false },
  ]);
  await server.studio.publish('offers', (source) => void (source.validate = validate));
  expect(await owner('PUT', '/offers/2', { name: 'renamed' })).toMatchObject({
    status: 422,
    body: { errors: { amount: 'Say how much.' } },
  });
  expect(await owner('PUT', '/offers/2', { name: 'renamed', amount: 2 })).toMatchObject({ status: 200 });
  expect(await owner('PUT', '/offers/2', { amount: -5 })).toMatchObject({ status: 422 });
});

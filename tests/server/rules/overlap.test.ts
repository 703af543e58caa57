// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../support/program';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

let server: StudioProgram;
let owner: Client;

const message = 'The desk is taken then.';
const days = {
  from: { type: 'date' },
  to: { type: 'date' },
  desk: { type: 'number', integer: true },
  name: {},
} as const;
const noOverlap = { fields: ['from', 'to'] as [string, string], partitionBy: ['desk'], message };

beforeAll(async () => {
  server = await startStudio();
  ({ owner } = server);
  await server.studio.make('bookings', days, { noOverlap });
  await server.studio.make(
    'calls',
    { begins: { type: 'datetime' }, ends: { type: 'datetime' } },
    { noOverlap: { fields: ['begins', 'ends'] } },
  );
});
afterAll(() => server?.program.close());

const book = (values: object, by = owner) => by<Refusal & { id: number }>('POST', '/bookings', values);

describe('spans of days', () => {
  beforeAll(async () => {
    expect((await book({ desk: 1, from: '2030-01-10', to: '2030-01-12' })).status).toBe(201);
    expect((await book({ desk: 2, from: '2030-01-10' })).status).toBe(201);
  });

  test.each<[string, object, number]>([
    ['the same days', { desk: 1, from: '2030-01-10', to: '2030-01-12' }, 422],
    ['the last day', { desk: 1, from: '2030-01-12', to: '2030-01-14' }, 422],
    ['around it', { desk: 1, from: '2030-01-01', to: '2030-01-31' }, 422],
    ['without an end before it', { desk: 1, from: '2030-01-01' }, 422],
    ['after one without an end', { desk: 2, from: '2031-01-01', to: '2031-01-02' }, 422],
    ['the day after', { desk: 1, from: '2030-01-13', to: '2030-01-13' }, 201],
    ['another desk', { desk: 3, from: '2030-01-10', to: '2030-01-12' }, 201],
    ['no desk', { from: '2030-01-10', to: '2030-01-12' }, 201],
    ['no start', { desk: 1, to: '2030-01-12' }, 201],
    ['an end before the start', { desk: 1, from: '2030-01-12', to: '2030-01-10' }, 201],
  ])('%s', async (_, values, status) => {
    const answer = await book(values);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    if (status === 422) expect(answer.body.errors).toEqual({ from: message });
  });

  test('an update is refused as well, and changes nothing', async () => {
    const { body } = await book({ desk: 1, from: '2030-03-01', to: '2030-03-02' });
    expect(await owner('PUT', `/bookings/${body.id}`, { from: '2030-01-11' })).toMatchObject({
      status: 422,
      body: { errors: { from: message } },
    });
    expect((await owner('GET', `/bookings/${body.id}`)).body).toMatchObject({ from: '2030-03-01' });
    expect((await owner('PUT', `/bookings/${body.id}`, { name: 'x', to: '2030-03-03' })).status).toBe(200);
  });

  test('of ten that are stored at once, one is', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => book({ desk: 9, from: '2030-05-01', to: '2030-05-09' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 422)]);
  });

  test('of several in one call, the one that overlaps is named', async () => {
    const values = { desk: 11, from: '2030-06-01', to: '2030-06-03' };
    const answer = await owner<Refusal>('POST', '/bookings/bulk', { create: [values, values] });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(message);
    expect((await book(values)).status).toBe(201);
  });

  test('another company has its own', async () => {
    const harbour = await server.program.signIn('owner@harbour.test');
    expect((await book({ desk: 1, from: '2030-01-10', to: '2030-01-12' }, harbour)).status).toBe(201);
  });
});

test('instants touch without an overlap, and the message says what to change', async () => {
  const call = (begins: string, ends: string) => owner<Refusal>('POST', '/calls', { begins, ends });
  expect((await call('2030-01-01T10:00:00Z', '2030-01-01T11:00:00Z')).status).toBe(201);
  expect((await call('2030-01-01T11:00:00Z', '2030-01-01T12:00:00Z')).status).toBe(201);
  expect(await call('2030-01-01T10:59:00Z', '2030-01-01T11:01:00Z')).toMatchObject({
    status: 422,
    body: { errors: { begins: 'Another record overlaps this one: change Begins or Ends.' } },
  });
});

test('a new rule counts the records that overlap, and goes with its removal', async () => {
  await server.studio.make('shifts-old', days);
  for (const name of ['a', 'b'])
    await owner('POST', '/shifts-old', { name, desk: 1, from: '2030-01-01', to: '2030-01-02' });
  const { definition } = await server.studio.module('shifts-old');
  const { steps } = await server.studio.plan('shifts-old', { ...definition, noOverlap });
  expect(steps[0]).toMatchObject({ kind: 'createIndex', rows: 2, records: [1, 2], destructive: true });
  const refused = await server.studio.tryPublish('shifts-old', (source) => void (source.noOverlap = noOverlap));
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('2 stored rows violating it')]);
  await owner('PUT', '/shifts-old/2', { desk: 2 });
  await server.studio.publish('shifts-old', (source) => void (source.noOverlap = noOverlap));
  expect((await owner('PUT', '/shifts-old/2', { desk: 1 })).status).toBe(422);
  await server.studio.publish('shifts-old', (source) => void (source.labels = { one: 'Shift', many: 'Shifts' }));
  await server.studio.publish('shifts-old', (source) => void delete source.noOverlap);
  expect((await owner('PUT', '/shifts-old/2', { desk: 1 })).status).toBe(200);
});

test.each<[string, object, string]>([
  ['texts', { fields: ['name', 'to'] }, '/noOverlap/fields'],
  ['one field twice', { fields: ['from', 'from'] }, '/noOverlap/fields'],
  ['a text to compare', { fields: ['from', 'to'], partitionBy: ['name'] }, '/noOverlap/partitionBy/0'],
  ['an unknown field', { fields: ['from', 'till'] }, '/noOverlap/fields/1'],
])('%s cannot be compared', async (_, rule, path) => {
  const { definition } = await server.studio.module('bookings');
  const plan = await server.studio.plan('bookings', { ...definition, noOverlap: rule });
  expect(plan.errors.map((one) => one.path)).toContain(path);
});

// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStudio, type StudioProgram } from '../modules/studio';

type Row = Record<string, unknown> & { id: number; rate: number };

let { program, admin, owner, studio, query } = {} as StudioProgram;

beforeAll(async () => {
  ({ program, admin, owner, studio, query } = await startStudio());
  await studio.make('ledgers');
  await studio.make(
    'deals',
    {
      name: {},
      rate: { type: 'number', decimal: true, digits: 4, label: 'Rate' },
      ledger_id: { type: 'relation', to: 'ledgers' },
    },
    { export: true, import: {}, list: { filters: { rate: { range: true } } } },
  );
  await studio.publish('ledgers', ({ fields }) => {
    fields.entries = { type: 'inverse', source: 'deals.ledger_id', inLists: 'count', sum: 'rate' };
  });
});
afterAll(() => program?.close());

const make = async (rate: unknown, more: object = {}) => owner<Row>('POST', '/deals', { name: 'Deal', rate, ...more });
const columnType = async (table: string, column: string) =>
  (
    await query(`select format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = 'public.${table}'::regclass and attname = '${column}'`)
  )[0]?.type;

test('a decimal is stored with its digits', async () => {
  expect(await columnType('deals', 'rate')).toBe('numeric(15,4)');
  for (const rate of [0.1, 12.5, -0.0001, 1.005, 99_999_999_999.9999, 0, null]) {
    const made = await make(rate);
    expect([made.status, made.body.rate]).toEqual([201, rate]);
    expect((await owner<Row>('GET', `/deals/${made.body.id}`)).body.rate).toBe(rate);
    const [stored] = await query(`select rate::text as text from deals where id = ${made.body.id}`);
    expect(stored!.text).toBe(rate === null ? null : rate.toFixed(4));
  }
});

test.each<[unknown, string]>([
  [1.23456, 'Rate must have at most 4 decimals.'],
  [0.1 + 0.2, 'Rate must have at most 4 decimals.'],
  [1e11, 'Rate must be at most 99999999999.9999.'],
  [-1e11, 'Rate must be at least -99999999999.9999.'],
  ['much', 'Rate must be a number.'],
])('%j is refused: %s', async (rate, message) => {
  expect(await make(rate)).toMatchObject({ status: 422, body: { errors: { rate: message } } });
  const { body } = await make(1);
  expect(await owner('PUT', `/deals/${body.id}`, { rate })).toMatchObject({ status: 422 });
  expect((await owner<Row>('GET', `/deals/${body.id}`)).body.rate).toBe(1);
});

test('sums are exact, and filters and orders meet the stored value', async () => {
  const { body: ledger } = await owner<Row>('POST', '/ledgers', { name: 'Sums' });
  for (const rate of [0.1, 0.2, 0.3, 10.0001]) await make(rate, { ledger_id: ledger.id });
  const { body: ledgers } = await owner<Row[]>('GET', `/ledgers?id=${ledger.id}`);
  expect(ledgers[0]).toMatchObject({ entries_count: 4, entries_sum: 10.6001 });
  const rates = async (more: string) => {
    const { status, body } = await owner<Row[]>('GET', `/deals?ledger_id=${ledger.id}&${more}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.map(({ rate }) => rate);
  };
  expect(await rates('rate=0.3')).toEqual([0.3]);
  expect(await rates('rate_from=0.2&rate_to=0.3&sort_by=-rate')).toEqual([0.3, 0.2]);
  expect(await rates('filter={"rate":{"$in":[0.1,10.0001]}}&sort_by=rate')).toEqual([0.1, 10.0001]);
  expect(await rates('filter={"rate":{"$eq":0.10001}}')).toEqual([]);
});

test('a change is in the history, a write of the same value is none', async () => {
  const { body } = await make(2.5);
  await owner('PUT', `/deals/${body.id}`, { rate: 2.5 });
  await owner('PUT', `/deals/${body.id}`, { rate: 2.75 });
  const history = JSON.stringify((await owner('GET', `/deals/${body.id}/history`)).body);
  expect(history.match(/updated/gi)?.length).toBe(1);
  expect(history).toContain('2.75');
});

test('a download has the number', async () => {
  const { body } = await make(1234.5, { name: 'Loaded' });
  const { body: file } = await owner<string>(
    'GET',
    `/deals-export?format=csv&columns=name,rate&q=Loaded&id=${body.id}`,
  );
  expect(file.trim().split('\r\n').at(-1)).toBe('Loaded,1234.5');
});

describe('a number that becomes a decimal', () => {
  const exact = { type: 'number', decimal: true, digits: 2 } as const;
  const weights = async (name: string, values: readonly number[]) => {
    await studio.make(name, { name: {}, weight: { type: 'number' } });
    for (const weight of values) await owner('POST', `/${name}`, { name: 'One', weight });
  };

  test('changes its column in place where nothing is lost', async () => {
    await weights('crates', [0.1, 12.25, 1e12]);
    const { definition } = await studio.module('crates');
    const plan = await studio.plan('crates', { ...definition, fields: { ...definition.fields, weight: exact } });
    expect(plan.steps).toContainEqual(expect.objectContaining({ kind: 'changeType', destructive: false, rows: 3 }));
    await studio.publish('crates', ({ fields }) => {
      fields.weight = exact;
    });
    expect(await columnType('crates', 'weight')).toBe('numeric(15,2)');
    expect((await query('select weight::text as w from crates order by id')).map(({ w }) => w)).toEqual([
      '0.10',
      '12.25',
      '1000000000000.00',
    ]);
  });

  test('reports how many values lose digits, and keeps the old column', async () => {
    await weights('parcels', [0.125, 1e14, 3, 4.5]);
    const { definition } = await studio.module('parcels');
    const plan = await studio.plan('parcels', { ...definition, fields: { ...definition.fields, weight: exact } });
    expect(plan.steps).toContainEqual(
      expect.objectContaining({ kind: 'changeType', destructive: true, rows: 2, of: 4 }),
    );
    await studio.publish('parcels', ({ fields }) => void (fields.weight = exact), { confirm: true });
    expect(await query('select weight::text as w, weight__was_1 as old from parcels order by id')).toEqual([
      { w: '0.13', old: 0.125 },
      { w: null, old: 1e14 },
      { w: '3.00', old: 3 },
      { w: '4.50', old: 4.5 },
    ]);
  });

  test('becomes a number again, or gets more digits', async () => {
    await weights('boxes', [0.1, 7]);
    for (const weight of [exact, { ...exact, digits: 5 }, { type: 'number' }] as const)
      await studio.publish('boxes', ({ fields }) => void (fields.weight = { ...weight }));
    expect(await columnType('boxes', 'weight')).toBe('double precision');
    expect((await query('select weight as w from boxes order by id')).map(({ w }) => w)).toEqual([0.1, 7]);
  });
});

test('a number is either whole or a decimal', async () => {
  const fields = { name: {}, rate: { type: 'number', decimal: true, integer: true } };
  const definition = { name: 'wrongs', labels: { one: 'Wrong', many: 'Wrongs' }, scope: 'company', fields };
  const answer = await admin('POST', '/modules', { definition });
  expect(answer.status).toBe(422);
  expect(JSON.stringify(answer.body)).toContain('A number is either whole');
});

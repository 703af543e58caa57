// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Definition } from '../../../src/engine/definitions/definition';
import { accounts, type Client, type DemoProgram } from '../../support/program';
import { startStudio } from '../modules/studio';
import { send } from './files';

// A file that was exported with `?ids=1` and comes back as it is changes nothing.

interface Row {
  id: number;
  [name: string]: unknown;
}
interface Compared {
  created: number;
  changed: number;
  unchanged: number;
  failed: number;
  total: number;
  errors: object[];
  rows: { changes: object[] }[];
}

let program: DemoProgram;
let owner: Client;
let token: string;

beforeAll(async () => {
  const started = await startStudio();
  ({ program, owner } = started);
  const { studio } = started;
  token = (await program.call<{ token: string }>('POST', '/login', { email: accounts.owner, password: 'Demo@1234' }))
    .body.token;
  const company = { scope: 'company' } as const;
  await studio.make('bands', { name: { required: true } }, company);
  await studio.make(
    'people',
    {
      name: { required: true },
      email: { type: 'email' },
      fee: { type: 'number', digits: 2 },
      pay: { type: 'money', currency: 'EUR' },
      price: { type: 'money', currency: 'coin' },
      coin: { type: 'select', options: ['USD', 'JPY'].map((value) => ({ value, label: value })) },
      skills: {
        type: 'select',
        multiple: true,
        options: ['sings', 'plays'].map((value) => ({ value, label: `He ${value}` })),
      },
      born: { type: 'date' },
      met_at: { type: 'datetime' },
      about: { type: 'richText' },
      notes: { type: 'textarea' },
      grade: {
        type: 'select',
        options: [
          { value: 'a', label: 'Great' },
          { value: 'b', label: 'Good' },
        ],
      },
      is_member: { type: 'boolean' },
      band_id: { type: 'relation', to: 'bands', label: 'Band', embed: 'band' },
      band_ids: { type: 'relations', to: 'bands', label: 'Bands', embed: 'bands' },
      lines: {
        type: 'rows',
        fields: {
          action: { type: 'text' },
          notes: { type: 'textarea' },
          about: { type: 'richText' },
          amount: { type: 'number', decimal: true, digits: 2 },
          confirmed: { type: 'boolean' },
          day: { type: 'date' },
          starts_at: { type: 'time' },
          ends_at: { type: 'time' },
          length: { type: 'duration', startField: 'starts_at', endField: 'ends_at' },
          ready_at: { type: 'datetime' },
          grade: { type: 'select', options: [{ value: 'a', label: 'Great' }], default: 'a' },
          home: { type: 'url' },
          email: { type: 'email' },
          phone: { type: 'phone' },
          band_id: { type: 'relation', to: 'bands', label: 'Band', embed: 'band' },
        },
      },
      parts: { type: 'rows', fields: { name: {} } },
    },
    { ...company, import: {}, export: { path: 'people-export', file: 'people.xlsx' } },
  );
  const create = async (resource: string, records: object[]) => {
    const answer = await owner<{ data: { created: Row[] } }>('POST', `/${resource}/bulk`, { create: records });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data.created.map(({ id }) => id);
  };
  // Two of one name, which no title tells apart.
  const [one, two, three] = await create('bands', [{ name: 'Twin' }, { name: 'Twin' }, { name: 'Third' }]);
  await create('people', [
    {
      name: '=SUM(1)',
      email: 'ann@x.test',
      fee: 12.5,
      pay: -1234.5,
      price: 0.05,
      coin: 'USD',
      skills: ['plays', 'sings'],
      born: '1980-02-29',
      met_at: '2026-03-01T12:34:56.789Z',
      about: '<p>Some <b>bold</b> text</p><ul><li>one</li></ul>',
      notes: 'two\nlines, "quoted"',
      grade: 'b',
      is_member: true,
      band_id: two,
      band_ids: [one, three],
      lines: [
        {
          action: '=SUM(2)',
          notes: 'two\nlines',
          about: '<p>Some <b>bold</b> text</p>',
          amount: 12.5,
          confirmed: false,
          day: '1980-02-29',
          starts_at: '08:00',
          ends_at: '09:30',
          ready_at: '2026-03-01T12:34:56.789Z',
          home: 'https://x.test/a',
          email: 'ann@x.test',
          phone: '+4915112345678',
          band_id: two,
        },
        { grade: null },
        { action: ' - dash', grade: null, band_id: one },
        { amount: 0 },
      ],
      parts: [{ name: '007' }],
    },
    { name: '007', is_member: false, band_id: three },
    { name: ' - dash', fee: 0 },
  ]);
});
afterAll(() => program?.close());

async function roundTrip(definition: Definition, format: string, query: Record<string, string>, given: object) {
  const path = `/api/${definition.export!.path}?${new URLSearchParams({ ...query, ids: '1', columns: '*', format })}`;
  const file = await program.app.inject({ method: 'GET', url: path, headers: { authorization: `Bearer ${token}` } });
  expect(file.statusCode, file.body.slice(0, 300)).toBe(200);
  const fields = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const answer = await send(
    program,
    token,
    `/${definition.name}/import?preview=1`,
    file.rawPayload,
    fields,
    `x.${format}`,
  );
  expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).toBe(200);
  const total = Number(file.headers['x-total']);
  const { created, changed, unchanged, failed, errors, rows } = answer.body as unknown as Compared;
  const differences = rows.flatMap(({ changes }) => changes);
  expect({ created, changed, unchanged, failed, errors, differences }).toEqual({
    created: 0,
    changed: 0,
    unchanged: total,
    failed: 0,
    errors: [],
    differences: [],
  });
  const done = await send(program, token, `/${definition.name}/import?again=1`, file.rawPayload, fields, `x.${format}`);
  expect(done.body).toMatchObject({ success: true, imported: total, changed: 0, unchanged: total });
  return total;
}

test.each(['xlsx', 'csv'])('every resource that is exported and imported: %s', async (format) => {
  const registry = program.program.definitions.registry();
  const both = [...registry.definitions.values()].filter((one) => one.export && one.import);
  expect(both.map(({ name }) => name)).toContain('people');
  for (const definition of both) {
    const { ask } = definition.import!;
    if (ask === null) {
      expect(await roundTrip(definition, format, {}, {}), definition.name).toBeGreaterThan(0);
      continue;
    }
    const page = await owner<Row[] & { data: Row[] }>('GET', `/${definition.name}?range=[0,0]`);
    const [first] = page.body.data ?? page.body;
    const given = { [ask]: first![ask] };
    expect(await roundTrip(definition, format, { [ask]: String(first![ask]) }, given), definition.name).toBeGreaterThan(
      0,
    );
  }
});

test('the ids are the first column where they are asked for, and nothing else is changed by them', async () => {
  const headings = async (query: string) => {
    const { body } = await owner<string>('GET', `/people-export?format=csv&columns=name&${query}`);
    return [body.replace('\uFEFF', '').split('\r\n')[0]];
  };
  expect([await headings(''), await headings('ids=0'), await headings('ids=1')]).toEqual([
    ['Name'],
    ['Name'],
    ['Record ID,Name'],
  ]);
  expect((await owner('GET', '/people-export?ids=yes')).status).toBe(400);
});

test('an amount in the currency of its record comes with it, and is imported again', async () => {
  const { body } = await owner<string>('GET', '/people-export?format=csv&columns=name,price&q=SUM');
  const text = body.replace('\uFEFF', '');
  expect(text.split('\r\n')[0]).toBe('Name,Price,Coin');
  const made = await send(program, token, '/people/import', text.replace('=SUM(1)', 'With a currency'), {}, 'x.csv');
  expect(made.body).toMatchObject({ success: true, imported: 1 });
  const list = (await owner<Row[] & { data?: Row[] }>('GET', '/people?q=With a currency')).body;
  expect(list.data ?? list).toMatchObject([{ price: 0.05, coin: 'USD' }]);
});

describe('instants that a person exports and imports', () => {
  // Clocks go back in New York on the 1st of November 2026 and forward on the 8th of March: 01:30 comes twice, 02:30 never.
  const instants = [
    '2026-01-15T23:45:00.000Z',
    '2026-07-15T18:15:00.000Z',
    '2026-03-08T06:59:00.000Z',
    '2026-03-08T07:00:00.000Z',
    '2026-11-01T05:30:00.000Z',
    '2026-11-01T06:30:00.000Z',
    '2026-11-01T07:30:00.000Z',
  ];

  test.each(
    ['Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe'].flatMap((zone) =>
      ['xlsx', 'csv'].map((format) => [zone, format] as const),
    ),
  )('are the same afterwards: %s, %s', async (zone, format) => {
    const label = `${zone} ${format}`;
    const records = instants.map((met_at, index) => ({ name: `${label} ${index}`, met_at }));
    const made = await owner('POST', '/people/bulk', { create: records });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const headers = { authorization: `Bearer ${token}`, 'x-timezone': zone };
    const url = `/api/people-export?${new URLSearchParams({ q: label, columns: 'name,met_at', format })}`;
    const file = await program.app.inject({ method: 'GET', url, headers });
    const zoned = { 'x-timezone': zone };
    // Without ids, each row is a new record.
    const done = await send(program, token, '/people/import', file.rawPayload, {}, `zones.${format}`, zoned);
    expect(done.body, JSON.stringify(done.body)).toMatchObject({ success: true, imported: instants.length });
    const { body } = await owner<Row[] & { data?: Row[] }>(
      'GET',
      `/people?q=${encodeURIComponent(label)}&range=[0,49]`,
    );
    const stored = (body.data ?? body).map(({ met_at }) => met_at as string).toSorted();
    expect(stored).toEqual(instants.flatMap((one) => [one, one]).toSorted());
  });

  test('a time that somebody types is that of their clock, with its half of the day', async () => {
    const text = 'Name,Met At\r\nTyped one,16-11-2026 2:30 PM\r\nTyped two,16-Nov-2026 00:15\r\nTyped three,2026-11-16';
    const done = await send(program, token, '/people/import', text, {}, 'typed.csv', { 'x-timezone': 'Asia/Kolkata' });
    expect(done.body).toMatchObject({ success: true, imported: 3 });
    const { body } = await owner<Row[] & { data?: Row[] }>('GET', '/people?q=Typed&range=[0,9]');
    expect((body.data ?? body).map(({ met_at }) => met_at as string).toSorted()).toEqual([
      '2026-11-15T18:30:00.000Z',
      '2026-11-15T18:45:00.000Z',
      '2026-11-16T09:00:00.000Z',
    ]);
  });
});

// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { read, utils } from 'xlsx';
import { accounts, type Client } from '../../support/program';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

// Downloads in the shape that another program expects: `exports` of a definition.

let server: StudioProgram;
let external: Client;
let harbour: Client;

const columns = [
  { heading: 'Account', text: '8400' },
  { heading: 'Document', field: 'code' },
  'sold_on',
  { heading: 'Buyer', field: 'studio.name' },
  { heading: 'Text', text: '{code}: {name}, {price}' },
  { heading: 'Net', field: 'price' },
  { heading: 'Gross', field: 'gross' },
];

beforeAll(async () => {
  server = await startStudio();
  external = await server.program.signIn(accounts.external);
  harbour = await server.program.signIn(accounts.harbour);
  await server.studio.make(
    'sales',
    {
      name: { required: true },
      code: {},
      sold_on: { type: 'date', label: 'Sold On' },
      price: { type: 'number', decimal: true, digits: 3 },
      gross: { type: 'number', decimal: true, digits: 2, computed: { $multiply: ['$record.price', 2] } },
      studio_id: { type: 'relation', to: 'studios', embed: 'studio' },
      lines: { type: 'rows', label: 'Lines', fields: { product: {}, pieces: { type: 'number', integer: true } } },
    },
    {
      exports: {
        accounting: {
          label: 'Accounting',
          format: 'csv',
          separator: ';',
          decimalSeparator: ',',
          dateFormat: 'DD.MM.YYYY',
          encoding: 'utf-8',
          file: 'bookings',
          columns,
        },
        plain: { label: 'Plain', format: 'csv', header: false, columns: ['name', 'price', 'sold_on'] },
        book: { label: 'Book', columns: [...columns, 'lines.product', { heading: 'Pieces', field: 'lines.pieces' }] },
      },
      rules: [{ levels: [6], action: 'list', exceptFields: ['code', 'price', 'studio_id'], reason: 'no prices' }],
      grants: { '6': 'read' },
      list: { columns: ['name', 'code'], filters: { code: {} } },
    },
  );
  const studios = await server.owner<{ data: { id: number }[] } | { id: number; name: string }[]>('GET', '/studios');
  const list = Array.isArray(studios.body) ? studios.body : studios.body.data;
  const lines = [{ product: 'Print', pieces: 2 }, { product: 'Poster' }];
  for (const sale of [
    { name: 'Night; Day', code: '=A1', sold_on: '2030-02-03', price: 1.234, studio_id: list[0]!.id, lines },
    { name: 'Loss', code: 'A2', price: -12.5 },
    { name: 'Other', code: 'A3' },
  ])
    expect((await server.owner('POST', '/sales', sale)).status).toBe(201);
});
afterAll(() => server?.program.close());

const csv = async (path: string, who = server.owner) => {
  const answer = await who<string>('GET', path);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.split('\r\n').slice(0, -1);
};
const byId = 'sort=["id","ASC"]';

describe('a named export', () => {
  test('has its columns, headings, texts and calculations, written as the other program reads them', async () => {
    const answer = await server.owner<string>('GET', `/sales-export/accounting?${byId}`);
    expect(answer.headers).toMatchObject({
      'content-disposition': 'attachment; filename="bookings.csv"',
      'content-type': 'text/csv; charset=utf-8',
      'x-total': '3',
    });
    expect(answer.body.charCodeAt(0)).not.toBe(0xfeff);
    expect(answer.body.split('\r\n')).toEqual([
      'Account;Document;Sold On;Buyer;Text;Net;Gross',
      expect.stringMatching(/^8400;"'=A1";03\.02\.2030;[^;]+;"'=A1: Night; Day, 1,234";1,234;2,47$/),
      '8400;A2;;;A2: Loss, -12,5;-12,5;-25',
      '8400;A3;;;"A3: Other, ";;',
      '',
    ]);
  });

  test('has no headings where it says so, and a byte order mark unless it says otherwise', async () => {
    expect(await csv(`/sales-export/plain?${byId}`)).toEqual([
      '\uFEFFNight; Day,1.234,2030-02-03',
      'Loss,-12.5,',
      'Other,,',
    ]);
  });

  test('has the records that the filter of the list leaves, in its order', async () => {
    const lines = await csv(
      `/sales-export/plain?filter=${encodeURIComponent('{"code":["A2","A3"]}')}&sort=["id","DESC"]`,
    );
    expect(lines.map((line) => line.replace('\uFEFF', '').split(',')[0])).toEqual(['Other', 'Loss']);
  });

  test('can be a workbook, with a line for each row of a record', async () => {
    const token = (
      await server.program.call<{ token: string }>('POST', '/login', { email: accounts.owner, password: 'Demo@1234' })
    ).body.token;
    const answer = await server.program.app.inject({
      url: `/api/sales-export/book?${byId}`,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.headers['content-disposition']).toBe('attachment; filename="sales_book.xlsx"');
    const book = read(answer.rawPayload);
    const rows = utils.sheet_to_json<unknown[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1, defval: null });
    expect(rows[0]).toEqual([
      ...['Account', 'Document', 'Sold On', 'Buyer', 'Text', 'Net', 'Gross'],
      ...['Lines: Product', 'Pieces'],
    ]);
    expect(rows[1]).toEqual(expect.arrayContaining(['8400', '=A1', '=A1: Night; Day, 1.234', 1.234, 'Print', 2]));
    expect(rows[2]).toEqual([null, null, null, null, null, null, null, 'Poster', null]);
    expect(rows).toHaveLength(5);
  });

  test('keeps its shape for those who may not read a field, without the value', async () => {
    const lines = await csv(`/sales-export/accounting?${byId}`, external);
    expect(lines[0]).toBe('Account;Document;Sold On;Buyer;Text;Net;Gross');
    expect(lines[1]).toBe('8400;;03.02.2030;;": Night; Day, ";;');
    expect(lines.join('')).not.toMatch(/A1|A2|1,234|2,468/);
  });

  test('has no record of another company', async () => {
    expect(await csv('/sales-export/plain', harbour)).toEqual([]);
  });

  test('needs the grant to list', async () => {
    const { call, grant } = await server.program.restricted();
    await grant(['sales.view', 'sales.create']);
    expect((await call('GET', '/sales-export/plain')).status).toBe(403);
    await grant(['sales.list']);
    expect((await call('GET', '/sales-export/plain')).status).toBe(200);
  });

  test.each<[string, string, number, string]>([
    ['an unknown name', '/sales-export/other', 404, ''],
    ['a name of every object', '/sales-export/constructor', 404, ''],
    [
      'columns',
      '/sales-export/plain?columns=code',
      400,
      'columns: the definition says this for "plain". Leave it out.',
    ],
    ['a format', '/sales-export/plain?format=xlsx', 400, 'format: the definition says this for "plain". Leave it out.'],
    ['an unknown filter', '/sales-export/plain?nothing=1', 400, 'nothing'],
    ['an unreadable progress', '/sales-export/plain?progress=a+b', 400, 'progress must be'],
  ])('refuses %s', async (_, path, status, message) => {
    const answer = await server.owner<Refusal>('GET', path);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(message)]);
  });

  test('is in the API document', async () => {
    const { body } = await server.owner<{ paths: Record<string, { get: { operationId: string; summary: string } }> }>(
      'GET',
      '/openapi.json',
    );
    expect(body.paths['/sales-export/accounting']!.get).toMatchObject({
      operationId: 'export-sales-accounting',
      summary: expect.stringMatching(/^Download .* for Accounting$/),
    });
  });
});

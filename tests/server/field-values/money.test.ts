// @module-tag slow
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveReferences } from '../../support/openapi';
import { accounts } from '../../support/program';
import { send } from '../imports/files';
import { startStudio, type StudioProgram } from '../modules/studio';

type Row = Record<string, unknown> & { id: number };

let { program, admin, owner, studio, query } = {} as StudioProgram;
let token = '';

beforeAll(async () => {
  ({ program, admin, owner, studio, query } = await startStudio());
  const login = await program.call<{ token: string }>('POST', '/login', {
    email: accounts.owner,
    password: 'Demo@1234',
  });
  ({ token } = login.body);
  await studio.make('ledgers');
  await studio.make(
    'songs',
    {
      name: { required: true },
      fee: { type: 'money', currency: 'EUR', min: 0 },
      yen: { type: 'money', currency: 'JPY' },
      price: { type: 'money', currency: 'coin', label: 'Price' },
      coin: { type: 'select', options: ['EUR', 'USD'].map((value) => ({ value, label: value })) },
      ledger_id: { type: 'relation', to: 'ledgers' },
      double: { type: 'money', currency: 'EUR', computed: { $multiply: ['$record.fee', 2] } },
    },
    { export: true, import: {}, list: { columns: ['name', 'fee', 'price'], filters: { fee: { range: true } } } },
  );
  await studio.publish('ledgers', ({ fields }) => {
    const of = 'songs.ledger_id';
    fields.songs = { type: 'inverse', source: of, inLists: 'count', sum: 'fee' };
    fields.fees = { type: 'rollup', source: of, aggregate: 'sum', field: 'fee' };
    fields.mean = { type: 'rollup', source: of, aggregate: 'avg', field: 'fee' };
    fields.greatest = { type: 'rollup', source: of, aggregate: 'max', field: 'fee' };
    fields.in_dollars = { type: 'rollup', source: of, aggregate: 'sum', field: 'price', where: { coin: 'USD' } };
  });
  await studio.publish('songs', ({ fields }) => {
    fields.all_fees = { type: 'lookup', source: 'ledger_id.fees' };
  });
});
afterAll(() => program?.close());

const make = async (song: object) => owner<Row>('POST', '/songs', { name: 'Song', ...song });
const download = (path: string) =>
  program.app.inject({ method: 'GET', url: `/api${path}`, headers: { authorization: `Bearer ${token}` } });

test('an amount is stored exactly, with the decimals of its currency', async () => {
  const types = await query(`select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = 'public.songs'::regclass and attname in ('fee', 'yen', 'price') order by attname`);
  expect(types).toEqual([
    { name: 'fee', type: 'numeric(15,2)' },
    { name: 'price', type: 'numeric(15,2)' },
    { name: 'yen', type: 'numeric(15,0)' },
  ]);
  const made = await make({ fee: 0.1, yen: 1200, price: 9.99, coin: 'USD' });
  expect(made).toMatchObject({ status: 201, body: { fee: 0.1, yen: 1200, price: 9.99, coin: 'USD', double: 0.2 } });
});

test.each<[object, object]>([
  [{ fee: 1.234 }, { fee: 'Fee must have at most 2 decimals.' }],
  [{ yen: 0.5 }, { yen: 'Yen must have at most 0 decimals.' }],
  [{ fee: -1 }, { fee: 'Fee must be at least 0.' }],
  [{ fee: '5 €' }, { fee: 'Fee must be a number.' }],
])('%j is refused', async (song, errors) => {
  expect(await make(song)).toMatchObject({ status: 422, body: { errors } });
});

test('sums, averages and extremes of one currency are amounts in it', async () => {
  const { body: ledger } = await owner<Row>('POST', '/ledgers', { name: 'Sums' });
  const other = { ledger_id: ledger.id };
  await make({ fee: 0.1, price: 5, coin: 'EUR', ...other });
  await make({ fee: 0.2, price: 7.5, coin: 'USD', ...other });
  const song = await make({ fee: 10.01, price: 1.25, coin: 'USD', ...other });
  const { body: listed } = await owner<Row[]>('GET', `/ledgers?id=${ledger.id}`);
  expect(listed[0]).toMatchObject({ songs_sum: 10.31, fees: 10.31, mean: 3.44, greatest: 10.01, in_dollars: 8.75 });
  expect((await owner<Row>('GET', `/songs/${song.body.id}`)).body.all_fees).toBe(10.31);
  const { fields } = program.program.definitions.registry().getOrThrow('ledgers');
  expect(fields.in_dollars).toMatchObject({ type: 'money', currency: 'USD', digits: 2 });
  expect(fields.mean).toMatchObject({ type: 'money', currency: 'EUR', digits: 2 });
  const fees = async (more: string) =>
    (await owner<Row[]>('GET', `/songs?ledger_id=${ledger.id}&${more}`)).body.map(({ fee }) => fee);
  expect(await fees('fee=0.2')).toEqual([0.2]);
  expect(await fees('fee_from=0.2&sort_by=-fee')).toEqual([10.01, 0.2]);
  expect(await fees('filter={"double":{"$gte":0.4}}&sort_by=fee')).toEqual([0.2, 10.01]);
});

test('files have the number with its currency: beside it in CSV, in its format in a workbook', async () => {
  const { body } = await make({ name: 'Loaded', fee: 1234.5, price: 3, coin: 'USD' });
  const file = await download(`/songs-export?format=csv&columns=name,fee,price&id=${body.id}`);
  expect(file.body.trim().split('\r\n').at(-1)).toBe('Loaded,1234.5,3,USD');
  const book = await download(`/songs-export?format=xlsx&columns=name,fee,price&id=${body.id}`);
  const parts = unzipSync(book.rawPayload);
  const text = (name: string) => new TextDecoder().decode(parts[name]);
  expect(text('xl/styles.xml')).toContain(String.raw`formatCode="#,##0.00\ [$EUR]"`);
  expect(text('xl/styles.xml')).toContain(String.raw`formatCode="#,##0.00\ [$USD]"`);
  expect(text('xl/worksheets/sheet1.xml')).toContain('<c r="B2" s="6"><v>1234.5</v></c><c r="C2" s="7"><v>3</v></c>');
});

test.each<[string, unknown]>([
  ['1234.50', 1234.5],
  ['12,5', 12.5],
  ['1,234.50 €', 1234.5],
  ['€ 1.234,50', 1234.5],
  ['EUR 7', 7],
  ["1'234.5eur", 1234.5],
  ['$5', 'Fee must be in EUR, not in “$”.'],
  ['5 USD', 'Fee must be in EUR, not in “USD”.'],
  ['much', 'Fee must be a number.'],
  ['1,2,3', 'Fee must be a number.'],
  ['-€3', 'Fee must be at least 0.'],
])('an import reads %s', async (text, read) => {
  const file = `Name,Fee\n"Cell ${text}","${text}"\n`;
  const preview = await send(program, token, '/songs/import?preview=1', file, {}, 'x.csv');
  if (typeof read === 'string') return expect(preview.body.errors.map(({ message }) => message)).toEqual([read]);
  const answer = await send(program, token, '/songs/import', file, {}, 'x.csv');
  expect(answer.body).toMatchObject({ imported: 1 });
  const { body } = await owner<Row[]>('GET', '/songs?sort_by=-id&range=[0,0]');
  expect(body).toMatchObject([{ name: `Cell ${text}`, fee: read }]);
});

test('where a field has the currency, a cell has none of its own', async () => {
  const answer = await send(program, token, '/songs/import?preview=1', 'Name,Price,Coin\nOne,€5,USD\n', {}, 'x.csv');
  expect(answer.body.errors[0]?.message).toBe(
    'Price must be a number without “€”: the currency has a column of its own.',
  );
});

test('a change is in the history, and the API document names the currency', async () => {
  const { body } = await make({ fee: 2.5 });
  await owner('PUT', `/songs/${body.id}`, { fee: 2.5 });
  await owner('PUT', `/songs/${body.id}`, { fee: 2.75 });
  const history = JSON.stringify((await owner('GET', `/songs/${body.id}/history`)).body);
  expect(history.match(/updated/gi)?.length).toBe(1);
  const { body: named } = await owner<{ paths: object; components: object }>('GET', '/openapi.json');
  const paths = JSON.stringify(resolveReferences<Record<string, unknown>>(named, named.paths)['/songs']);
  expect(paths).toContain('"description":"Fee in EUR."');
  expect(paths).toContain('"description":"Price in the currency of coin."');
});

test.each<[string, object, string]>([
  ['a code that does not exist', { fee: { type: 'money', currency: 'EUX' } }, 'There is no currency \\"EUX\\"'],
  ['a field that does not exist', { fee: { type: 'money', currency: 'coin' } }, 'coin'],
  ['a field of another type', { on: { type: 'date' }, fee: { type: 'money', currency: 'on' } }, 'is of type date'],
  [
    'an option that is no code',
    {
      coin: { type: 'select', options: [{ value: 'euro', label: 'Euro' }] },
      fee: { type: 'money', currency: 'coin' },
    },
    'the option \\"euro\\"',
  ],
  ['no currency', { fee: { type: 'money' } }, 'currency'],
  [
    'a sum of several currencies',
    { prices: { type: 'rollup', source: 'songs.ledger_id', aggregate: 'sum', field: 'price' } },
    'can be in several currencies. Say which ones are meant',
  ],
  [
    'a sum in lists of several currencies',
    { all: { type: 'inverse', source: 'songs.ledger_id', inLists: 'count', sum: 'price' } },
    'which cannot be added',
  ],
])('%s is refused', async (_, fields, message) => {
  const { definition, version } = await studio.module('ledgers');
  const draft = { ...definition, fields: { ...definition.fields, ...fields } };
  const answer = await admin('PUT', '/modules/ledgers', { definition: draft, version });
  expect(answer.status).toBe(422);
  expect(JSON.stringify(answer.body)).toContain(message);
});

test('a number becomes an amount without loss', async () => {
  await studio.make('bands', { name: {}, cost: { type: 'number', decimal: true } });
  await owner('POST', '/bands', { name: 'One', cost: 12.25 });
  await studio.publish('bands', ({ fields }) => void (fields.cost = { type: 'money', currency: 'EUR' }));
  expect((await owner<Row[]>('GET', '/bands')).body).toMatchObject([{ cost: 12.25 }]);
});

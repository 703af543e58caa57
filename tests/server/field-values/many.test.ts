// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FieldSource } from '../../../src/engine/language/source';
import { resolveReferences } from '../../support/openapi';
import { accounts } from '../../support/program';
import { send } from '../imports/files';
import { startStudio, type StudioProgram } from '../modules/studio';

type Row = Record<string, unknown> & { id: number; name: string };

let { program, admin, owner, studio, query } = {} as StudioProgram;
let token = '';

const options = (...values: (string | number)[]) => values.map((value) => ({ value, label: `The ${value}` }));
const channels: FieldSource = { type: 'select', multiple: true, options: options('web', 'print', 'radio') };

beforeAll(async () => {
  ({ program, admin, owner, studio, query } = await startStudio());
  const login = await program.call<{ token: string }>('POST', '/login', {
    email: accounts.owner,
    password: 'Demo@1234',
  });
  ({ token } = login.body);
  await studio.make(
    'songs',
    {
      name: { required: true },
      channels,
      ratings: { type: 'select', multiple: true, options: options(1, 2, 3) },
      is_online: { type: 'boolean', computed: { channels: 'web' } },
    },
    { export: true, import: {}, list: { filters: { channels: {} } } },
  );
});
afterAll(() => program?.close());

const make = (song: object) => owner<Row>('POST', '/songs', { name: 'Song', ...song });

test('values are stored as a list, in the order of the options, each once; none is null', async () => {
  const types = await query(`select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = 'public.songs'::regclass and attname in ('channels', 'ratings') order by attname`);
  expect(types.map(({ type }) => type)).toEqual(['text[]', 'integer[]']);
  const indexes = await query(`select indexdef from pg_indexes where tablename = 'songs' and indexdef like '%gin%'`);
  expect(indexes.some(({ indexdef }) => String(indexdef).includes('gin (channels)'))).toBe(true);
  for (const [sent, stored] of [
    [
      ['radio', 'web', 'radio'],
      ['web', 'radio'],
    ],
    [['print'], ['print']],
    [[], null],
    [null, null],
  ])
    expect(await make({ channels: sent, ratings: [3, 1] })).toMatchObject({
      status: 201,
      body: { channels: stored, ratings: [1, 3], is_online: [stored].flat().includes('web') },
    });
});

test.each<[unknown, string]>([
  [['web', 'tv'], 'Channels: this choice is not available.'],
  ['web', 'Channels must be a list.'],
  [[1], 'Channels: this choice is not available.'],
])('%j is refused', async (sent, message) => {
  expect(await make({ channels: sent })).toMatchObject({ status: 422, body: { errors: { channels: message } } });
});

describe('conditions and filters', () => {
  beforeAll(async () => {
    for (const [name, sent] of Object.entries({
      W: ['web'],
      WP: ['web', 'print'],
      P: ['print'],
      R: ['radio'],
      none: [],
    }))
      await make({ name: `find ${name}`, channels: sent, ratings: sent.length > 1 ? [2, 3] : [2] });
  });

  test.each<[string, string[] | string]>([
    ['channels=web', ['W', 'WP']],
    ['channels=web,radio', ['W', 'WP', 'R']],
    ['ratings=3', ['WP']],
    ['channels=tv', []],
    ['ratings=x', 'ratings: "x" is not a valid value for Ratings.'],
    ['filter={"channels":["print"]}', ['WP', 'P']],
    ['filter={"channels":{"$all":["print","web"]}}', ['WP']],
    ['filter={"channels":{"$nin":["print","web"]}}', ['R', 'none']],
    ['filter={"channels":{"$ne":"web"}}', ['P', 'R', 'none']],
    ['filter={"channels":{"$exists":false}}', ['none']],
    ['filter={"channels":null}', ['none']],
    ['where={"channels":{"$all":["print","web"]}}', ['WP']],
    ['where={"channels":"web"}', ['W', 'WP']],
    ['where={"$not":{"channels":{"$in":["web","radio"]}}}', ['P', 'none']],
    ['where={"channels":"tv"}', '"channels" can never be "tv"'],
    ['where={"channels":{"$all":[]}}', '$all takes a list'],
    ['filter={"channels":{"$all":[]}}', '$all must be a list'],
    ['sort_by=channels', 'channels'],
  ])('%s', async (asked, found) => {
    const { status, body } = await owner<Row[]>('GET', `/songs?q=find&${asked}`);
    if (typeof found === 'string') {
      expect(status).toBeGreaterThanOrEqual(400);
      return expect(JSON.stringify(body).replaceAll('\\"', '"')).toContain(found);
    }
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.map(({ name }) => name.slice(5)).sort()).toEqual([...found].sort());
  });
});

test('files have the labels, and imports read them', async () => {
  const { body } = await make({ name: 'Loaded', channels: ['web', 'radio'] });
  const { body: file } = await owner<string>('GET', `/songs-export?format=csv&columns=name,channels&id=${body.id}`);
  expect(file.trim().split('\r\n').at(-1)).toBe('Loaded,"The web, The radio"');
  const rows = 'Name,Channels\nOne,"the radio; web"\nTwo,"The print\nThe web"\nThree,\n';
  expect((await send(program, token, '/songs/import', rows, {}, 'x.csv')).body).toMatchObject({ imported: 3 });
  const { body: read } = await owner<Row[]>('GET', '/songs?sort_by=-id&range=[0,2]');
  expect(read.map((one) => one.channels)).toEqual([null, ['web', 'print'], ['web', 'radio']]);
  const wrong = await send(program, token, '/songs/import?preview=1', 'Name,Channels\nOne,"web, tv"\n', {}, 'x.csv');
  expect(wrong.body.errors.map(({ message }) => message)).toEqual(['Channels: “tv” is not one of its options.']);
  expect((await owner('GET', '/imports/songs/download-sample')).status).toBe(200);
});

test('the history has both lists, and the same values in another order are no change', async () => {
  const { body } = await make({ channels: ['web', 'print'] });
  await owner('PUT', `/songs/${body.id}`, { channels: ['print', 'web'] });
  await owner('PUT', `/songs/${body.id}`, { channels: ['print', 'radio'] });
  await owner('PUT', `/songs/${body.id}`, { channels: [] });
  const { body: history } = await owner<{ data: Record<string, Row>[] }>('GET', `/songs/${body.id}/history`);
  const lines = (history.data ?? history).map(({ old_values: old, new_values: now }) => [old?.channels, now?.channels]);
  expect(lines).toEqual([
    [['print', 'radio'], null],
    [
      ['web', 'print'],
      ['print', 'radio'],
    ],
    [undefined, ['web', 'print']],
  ]);
});

test('the API document has a list', async () => {
  const { body: named } = await owner<{ paths: object; components: object }>('GET', '/openapi.json');
  const paths = JSON.stringify(resolveReferences<Record<string, unknown>>(named, named.paths)['/songs']);
  expect(paths).toContain('"type":["array","null"],"items":{"enum":["web","print","radio"]}');
});

describe('changes of the definition', () => {
  const one: FieldSource = { type: 'select', options: options('web', 'print', 'radio') };

  test('one value becomes a list without loss, and back with the first one', async () => {
    await studio.make('bands', { name: {}, channel: one, rank: { type: 'select', options: options(1, 2) } });
    await owner('POST', '/bands', { name: 'One', channel: 'print', rank: 2 });
    await owner('POST', '/bands', { name: 'None' });
    const publish = async (many: boolean) => {
      const { definition } = await studio.module('bands');
      const draft = structuredClone(definition);
      for (const name of ['channel', 'rank']) draft.fields[name]!.multiple = many;
      const { steps } = await studio.plan('bands', draft);
      await studio.publish('bands', (source) => void (source.fields = draft.fields), { confirm: true });
      return steps.filter(({ kind }) => kind === 'changeType').map(({ destructive, rows }) => [destructive, rows]);
    };
    const stored = async () =>
      (await owner<Row[]>('GET', '/bands?sort_by=id')).body.map(({ channel, rank }) => [channel, rank]);
    expect((await publish(true)).map(([destructive]) => destructive)).toEqual([false, false]);
    expect(await stored()).toEqual([
      [['print'], [2]],
      [null, null],
    ]);
    await owner('POST', '/bands', { name: 'Two', channel: ['web', 'radio'], rank: [1] });
    expect(await publish(false)).toEqual([
      [true, 1],
      [false, expect.anything()],
    ]);
    expect(await stored()).toEqual([
      ['print', 2],
      [null, null],
      ['web', 1],
    ]);
  });

  test('an option that is removed counts the records that have it', async () => {
    await studio.make('books', { name: {}, channels });
    await owner('POST', '/books', { name: 'One', channels: ['web', 'radio'] });
    await owner('POST', '/books', { name: 'Two', channels: ['web'] });
    const { definition } = await studio.module('books');
    const less = { ...channels, options: options('web', 'print') };
    const { steps } = await studio.plan('books', { ...definition, fields: { ...definition.fields, channels: less } });
    expect(steps.find(({ kind }) => kind === 'rule')).toMatchObject({
      rows: 1,
      text: 'Channels no longer offers "radio": 1 stored books violates it.',
    });
  });

  test.each<[string, FieldSource, string]>([
    ['states', { ...channels, initial: 'web' }, 'has no states'],
    ['transitions', { ...channels, transitions: [{ from: 'web', to: 'print' }] }, 'has no states'],
    ['uniqueness', { ...channels, unique: true }, 'cannot be unique'],
    ['an order', { ...channels, sortable: true }, 'has no order'],
  ])('%s is refused', async (_, field, message) => {
    const { definition, version } = await studio.module('songs');
    const draft = { ...definition, fields: { ...definition.fields, more: field } };
    const answer = await admin('PUT', '/modules/songs', { definition: draft, version });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([422, expect.stringContaining(message)]);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

const bands = sourceOf(
  'bands',
  {
    name: { required: true },
    // Unique as well: a duplicate of the other record is not a duplicate of this one.
    code: { unique: true },
    songs: { type: 'inverse', source: 'songs.band_id' },
  },
  {
    labels: { one: 'Band', many: 'Bands' },
    scope: 'company',
    requests: {
      record: {
        label: 'Record a song',
        path: 'band/{id}',
        sets: ['name'],
        adds: { resource: 'songs', relation: 'band_id', fields: ['code'] },
      },
    },
  },
);
const songs = sourceOf(
  'songs',
  { code: { required: true, unique: true, label: 'Song code' }, band_id: { type: 'relation', to: 'bands' } },
  { labels: { one: 'Song', many: 'Songs' }, scope: 'company', recordTitle: '{code}' },
);

let demo: DemoProgram;
let owner: Client;
beforeAll(async () => {
  demo = await startFixtureProgram();
  const admin = await demo.signIn(accounts.admin);
  const { requests: _, ...bare } = bands;
  const { songs: __, ...fields } = bare.fields;
  for (const definition of [{ ...bare, fields }, songs]) {
    const made = await admin('POST', '/modules', { definition });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  const made = await admin('PUT', '/modules/bands', { definition: bands, version: 1 });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  owner = await demo.signIn(accounts.owner);
});
afterAll(() => demo?.close());

test('a duplicate in a unique field of the added record is a problem of that field, and nothing is stored', async () => {
  const { body } = await owner<{ data?: { id: number }; id: number }>('POST', '/bands', { name: 'First', code: 'F' });
  const id = body.data?.id ?? body.id;
  const add = () => owner('PATCH', `/band/${id}`, { name: 'Renamed', code: 'S1' });
  expect((await add()).status).toBe(200);
  await owner('PUT', `/bands/${id}`, { name: 'First', code: 'F' });
  expect(await add()).toMatchObject({
    status: 422,
    body: { code: 'VALIDATION_FAILED', errors: { code: 'Song code is already taken.' } },
  });
  expect(JSON.stringify((await owner('GET', `/bands/${id}`)).body)).toContain('"First"');
});

// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../support/program';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

interface Stored {
  readonly id: number;
  readonly name: string;
  readonly notes: string | null;
  readonly body: string | null;
}

let server: StudioProgram;
let owner: Client;

beforeAll(async () => {
  server = await startStudio();
  ({ owner } = server);
  await server.studio.make('cafes', {
    name: { required: true, unique: true, searchable: true },
    notes: { type: 'textarea', searchable: true },
    body: { type: 'richText', searchable: true },
  });
});
afterAll(() => server?.program.close());

async function add(values: object): Promise<Stored> {
  const { status, body } = await owner<Stored>('POST', '/cafes', values);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

describe('a text is stored without what is not seen', () => {
  test.each<[sent: string, stored: string]>([
    ['Cafe\u0301 One', 'Caf\u00e9 One'],
    ['No\u00a0break', 'No break'],
    ['Narrow\u202fbreak', 'Narrow break'],
    ['\u200b\ufeffZero ends\u2060\u200d ', 'Zero ends'],
    ['Zero\u200binside', 'Zeroinside'],
    ['Soft\u00adhyphen', 'Softhyphen'],
    ['Join\u200der', 'Joiner'],
    ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['Family \u{1f468}\u200d\u{1f469}\u200d\u{1f466}', 'Family \u{1f468}\u200d\u{1f469}\u200d\u{1f466}'],
    [
      'Flag \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      'Flag \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
  ])('%j as %j', async (sent, stored) => expect((await add({ name: sent })).name).toBe(stored));

  test('lines of a longer text stay', async () => {
    expect((await add({ name: 'Lines', notes: 'One\u00a0line\n\n  another\u200b\n' })).notes).toBe(
      'One line\n\n  another',
    );
  });
});

describe('what is not seen does not count', () => {
  test.each(['\u200b', '\u00a0', '\ufeff\u2060', '\u200d \u200e'])('%j is no name', async (name) => {
    const { status, body } = await owner<Refusal>('POST', '/cafes', { name });
    expect([status, body.errors]).toEqual([422, { name: 'Name is required.' }]);
  });

  test.each([
    'Caf\u00e9 Twin',
    'Cafe\u0301 Twin',
    'caf\u00e9\u00a0twin',
    'Caf\u00e9 Tw\u200bin',
    'Caf\u00e9 Tw\u200cin',
    '\u200eCaf\u00e9 Twin',
  ])('%j is a twin', async (name) => {
    const first = await owner('POST', '/cafes', { name: 'Caf\u00e9 Twin' });
    expect([201, 422]).toContain(first.status);
    const { status, body } = await owner<Refusal>('POST', '/cafes', { name });
    expect(status).toBe(422);
    expect(Object.keys(body.errors!)).toEqual(['name']);
  });
});

describe('what is not seen does not keep a text from being found', () => {
  const namesOf = async (query: string) => {
    const { status, body } = await owner<Stored[] | { data: Stored[] }>('GET', `/cafes?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return (Array.isArray(body) ? body : body.data).map(({ name }) => name).sort();
  };
  beforeAll(async () => {
    await add({ name: 'Hotel\u00a0Ma\u0301laga' });
    await add({ name: 'Notes', notes: 'near Hotel\u202fM\u00e1laga' });
    await add({ name: 'Body', body: '<p>by Hotel\u00a0M\u00e1laga &amp; Hotel&nbsp;M\u00e1laga</p>' });
  });

  test.each(['hotel m\u00e1laga', 'hotel\u00a0ma\u0301laga', '\u200bhotel m\u00e1laga'])('searching %j', async (q) =>
    expect(await namesOf(`q=${encodeURIComponent(q)}`)).toEqual(['Body', 'Hotel M\u00e1laga', 'Notes']),
  );

  test.each(['filter', 'where'])('in ?%s=', async (parameter) => {
    const name = encodeURIComponent(JSON.stringify({ name: 'Hotel\u00a0Ma\u0301laga' }));
    expect(await namesOf(`${parameter}=${name}`)).toEqual(['Hotel M\u00e1laga']);
  });

  test('in the search of all modules', async () => {
    const { body } = await owner<{ data: { title: string }[] }>(
      'GET',
      `/search?q=${encodeURIComponent('hotel\u00a0ma\u0301laga')}`,
    );
    expect(body.data.map(({ title }) => title)).toContain('Hotel M\u00e1laga');
  });
});

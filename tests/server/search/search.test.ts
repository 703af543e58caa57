// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf, type Studio } from '../modules/studio';

interface Found {
  readonly resource: string;
  readonly id: number;
  readonly title: string;
  readonly key: string | null;
  readonly subtitle: string | null;
  readonly matched: string;
}
type Row = Record<string, unknown> & { id: number };

let program: DemoProgram;
let admin: Client;
let owner: Client;
let manager: Client;
let studio: Studio;
const callers: Record<string, Client> = {};

beforeAll(async () => {
  program = await startFixtureProgram();
  for (const [name, email] of Object.entries(accounts)) callers[name] = await program.signIn(email);
  ({ admin, owner, manager } = callers as { admin: Client; owner: Client; manager: Client });
  studio = studioOf(admin);
  await studio.make(
    'songs',
    {
      key: { type: 'sequence', format: 'SO-{n}', partitionBy: 'company' },
      name: { type: 'text', required: true },
      film_id: { type: 'relation', to: 'films', required: true },
      lyrics: { type: 'textarea', searchable: true },
      budget: { type: 'text', searchable: true },
    },
    {
      recordTitle: '{name}',
      menu: { group: 'Music', icon: 'tag', order: 1 },
      archive: true,
      grants: { '5': 'read', '6': 'none' },
      rules: [{ levels: [5], action: ['list', 'view'], exceptFields: ['budget'] }],
    },
  );
});
afterAll(() => program?.close());

const search = async (call: Client, q: string, more = '') => {
  const { status, body } = await call<{ data: Found[] }>('GET', `/search?q=${encodeURIComponent(q)}${more}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
const titles = async (call: Client, q: string, more = '') => (await search(call, q, more)).map(({ title }) => title);
const song = async (values: object, call = owner) => {
  const { status, body } = await call<Row>('POST', '/songs', { film_id: 1, ...values });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};

describe('the order of search results', () => {
  test('a key or an id comes first, then titles that are, begin with or contain the text, then texts', async () => {
    const text = await song({ name: 'Rain', lyrics: 'All about a zebra crossing' });
    const contains = await song({ name: 'Megazebra' });
    const word = await song({ name: 'A zebra walks' });
    const begins = await song({ name: 'Zebras' });
    const same = await song({ name: 'ZEBRA' });
    const found = await search(owner, 'zebra');
    expect(found.map(({ id, matched }) => [id, matched])).toEqual([
      [same.id, 'title'],
      [begins.id, 'title'],
      [word.id, 'title'],
      [contains.id, 'title'],
      [text.id, 'text'],
    ]);
    expect(found[0]).toEqual({
      resource: 'songs',
      id: same.id,
      title: 'ZEBRA',
      key: same.key,
      subtitle: expect.any(String),
      matched: 'title',
    });
    const byKey = await search(owner, String(word.key).toLowerCase());
    expect(byKey[0]).toMatchObject({ id: word.id, matched: 'key' });
    const byId = await search(owner, `#${word.id}`);
    expect(byId.filter(({ matched }) => matched === 'key')).toContainEqual(
      expect.objectContaining({ resource: 'songs', id: word.id }),
    );
  });

  test('all words, in any order; one’s own first, then what was changed last', async () => {
    await song({ name: 'Okapi one' });
    const mine = await song({ name: 'Okapi two' }, manager);
    const late = await song({ name: 'Okapi three' });
    expect(await titles(manager, 'okapi')).toEqual(['Okapi two', 'Okapi three', 'Okapi one']);
    expect((await owner('PUT', `/songs/${late.id}`, { lyrics: 'New' })).status).toBe(200);
    expect((await titles(owner, 'okapi')).slice(0, 1)).toEqual(['Okapi three']);
    expect(await titles(owner, 'TWO  okapi')).toEqual(['Okapi two']);
    expect(await titles(owner, 'okapi nowhere')).toEqual([]);
    expect((await search(owner, 'okapi', '&limit=2')).length).toBe(2);
    expect((await search(manager, 'okapi two'))[0]!.id).toBe(mine.id);
  });

  test('what belongs to a company comes before what all share', async () => {
    await song({ name: 'Fandango waltz' });
    expect((await admin('POST', '/genres', { option_name: 'Fandango style' })).status).toBe(201);
    expect(await titles(manager, 'fandango')).toEqual(['Fandango waltz', 'Fandango style']);
  });

  test('a title is found however many newer records have the word in a text', async () => {
    await song({ name: 'Tapir' });
    const create = Array.from({ length: 260 }, (_, index) => ({ name: `S${index}`, film_id: 1, lyrics: 'a tapir' }));
    expect((await owner('POST', '/songs/bulk', { create })).status).toBe(200);
    expect((await titles(owner, 'tapir'))[0]).toBe('Tapir');
  });
});

describe('the results of a search', () => {
  test('are records that the caller may list: each result of each account is in its list, and of no other company', async () => {
    for (const q of ['a', 'the', 'studio', 'film', 'in']) {
      for (const [name, call] of Object.entries(callers)) {
        for (const { resource, id } of await search(call, q, '&limit=50')) {
          const { body, status } = await call<Row[] | { data: Row[] }>('GET', `/${resource}?filter={"id":${id}}`);
          expect(status, `${name} ${resource}`).toBe(200);
          expect(
            (Array.isArray(body) ? body : body.data).map((row) => row.id),
            `${name} ${resource}`,
          ).toEqual([id]);
        }
      }
    }
    const { name } = await song({ name: 'Quokka' });
    expect(await titles(owner, 'quokka')).toEqual([name]);
    expect(await titles(callers.harbour!, 'quokka')).toEqual([]);
    expect(await titles(callers.external!, 'quokka')).toEqual([]);
    expect(await titles(admin, 'quokka')).toEqual([name]);
  });

  test('of named modules alone; names that do not exist or may not be listed find nothing', async () => {
    const every = await search(owner, 'a', '&limit=50');
    const films = every.filter(({ resource }) => resource === 'films');
    expect(films.length).toBeGreaterThan(0);
    expect(films.length).toBeLessThan(every.length);
    const narrowed = await search(owner, 'a', '&limit=50&resources=films,no-such-module');
    expect(new Set(narrowed.map(({ resource }) => resource))).toEqual(new Set(['films']));
    expect(await search(callers.external!, 'a', '&resources=users,roles')).toEqual([]);
    expect((await owner('GET', '/search?q=a&resources=')).status).toBe(400);
  });

  test('texts of fields that a role may not read are not searched', async () => {
    await song({ name: 'Expensive', budget: 'wombat money' });
    expect(await titles(owner, 'wombat')).toEqual(['Expensive']);
    expect(await titles(callers.qa!, 'wombat')).toEqual([]);
    expect(await titles(callers.qa!, 'expensive')).toEqual(['Expensive']);
  });

  test('by the words of rows, and of those that they insert, as far as they are shown; never those of another company', async () => {
    const columns = { line: { type: 'text', required: true } } as const;
    await studio.make(
      'refrains',
      { name: {}, lines: { type: 'rows', searchable: true, fields: { ...columns, source: { type: 'text' } } } },
      { labels: { one: 'Refrain', many: 'Refrains' }, grants: { '5': 'none', '6': 'none' } },
    );
    await studio.make(
      'operas',
      {
        name: { type: 'text', required: true },
        is_secret: { type: 'boolean' },
        lines: {
          type: 'rows',
          searchable: true,
          insertedRows: 'refrain_id.lines',
          fields: { ...columns, refrain_id: { type: 'relation', to: 'refrains', embed: 'refrain' } },
        },
      },
      {
        menu: { group: 'Music', icon: 'tag', order: 2 },
        grants: { '5': 'read', '6': 'none' },
        rules: [{ levels: [5], action: ['list', 'view'], where: { is_secret: { $ne: true } } }],
      },
    );
    const add = async (path: string, values: object, call = owner) => {
      const { status, body } = await call<Row & { data?: Row }>('POST', path, values);
      expect(status, JSON.stringify(body)).toBe(201);
      return (body.data ?? body).id;
    };
    const refrain = (call = owner) =>
      add('/refrains', { name: 'Chorus', lines: [{ line: 'The bandicoot dances', source: 'Anonymous numbat' }] }, call);
    const [ours, theirs] = [await refrain(), await refrain(callers.harbour)];
    const opera = (id: number, more: object = {}, call = owner) =>
      add('/operas', { name: 'Night', lines: [{ line: 'A curtain falls' }, { refrain_id: id }], ...more }, call);
    const open = await opera(ours);
    const secret = await opera(ours, { is_secret: true });
    const other = await opera(theirs, {}, callers.harbour);
    const found = async (call: Client, q: string) =>
      (await search(call, q, '&resources=operas')).map(({ id, matched }) => [id, matched]).toSorted();
    const asText = (...ids: number[]) => ids.map((id) => [id, 'text']).toSorted();
    expect(await found(owner, 'bandicoot')).toEqual(asText(open, secret));
    expect(await found(owner, 'curtain bandicoot')).toEqual(asText(open, secret));
    // A column of the refrain that the opera has not, and so does not show.
    expect(await found(owner, 'numbat')).toEqual([]);
    // Who may not list refrains reads those lines in the operas that they may list.
    expect(await found(callers.qa!, 'bandicoot')).toEqual(asText(open));
    expect(await found(callers.external!, 'bandicoot')).toEqual([]);
    expect(await found(callers.harbour!, 'bandicoot')).toEqual(asText(other));
    expect((await owner('PUT', `/refrains/${ours}`, { lines: [{ line: 'The quoll sings' }] })).status).toBe(200);
    expect([await found(owner, 'bandicoot'), await found(owner, 'quoll')]).toEqual([[], asText(open, secret)]);
    expect(await found(callers.harbour!, 'bandicoot')).toEqual(asText(other));
  });

  test('leave out archived, deleted and unreachable records, as lists do', async () => {
    const { id } = await song({ name: 'Axolotl' });
    expect((await owner('DELETE', `/songs/${id}`)).status).toBeLessThan(300);
    expect(await titles(owner, 'axolotl')).toEqual([]);
    expect(await titles(owner, `#${id}`)).not.toContain('Axolotl');
  });

  test('are those of the viewed user, while viewing as another', async () => {
    await song({ name: 'Numbat', budget: 'capybara' });
    const as = { 'x-view-as': 'role 5' };
    const answer = await owner<{ data: Found[] }>('GET', '/search?q=capybara', undefined, as);
    expect(answer.body.data).toEqual([]);
    const titled = await owner<{ data: Found[] }>('GET', '/search?q=numbat', undefined, as);
    expect(titled.body.data.map(({ title }) => title)).toEqual(['Numbat']);
  });
});

describe('the text of a search', () => {
  test.each(['%', '_', '\\', "'", '"', '%%%', '   ', 'a'.repeat(255), 'ß', '💥', '-- drop', '#99999999999'])(
    '%j is a text',
    async (q) => {
      await search(owner, q);
    },
  );

  test('signs of patterns mean themselves', async () => {
    await song({ name: '100% sure' });
    expect(await titles(owner, '0% s')).toEqual(['100% sure']);
    expect(await titles(owner, '1%sure')).toEqual([]);
  });

  test.each(['', 'q=', 'q=%00', 'q=a&limit=0', 'q=a&limit=51', 'q=a&limit=x', 'q=a&more=1', `q=${'a'.repeat(256)}`])(
    '%s is refused',
    async (query) => {
      const { status } = await owner('GET', `/search?${query}`);
      expect([400, 422]).toContain(status);
    },
  );

  test('a search requires a sign-in', async () => {
    expect((await program.call('GET', '/search?q=a')).status).toBe(401);
  });
});

describe('a search within one record', () => {
  test('finds only what belongs to it in modules that refer to it, and other modules as always', async () => {
    const first = await song({ name: 'Lighthouse one', film_id: 1 });
    await song({ name: 'Lighthouse two', film_id: 2 });
    expect(await titles(owner, 'lighthouse')).toEqual(['Lighthouse two', 'Lighthouse one']);
    expect(await titles(owner, 'lighthouse', '&scope=films:1')).toEqual(['Lighthouse one']);
    expect(await titles(owner, 'lighthouse', '&scope=studios:1')).toEqual(['Lighthouse two', 'Lighthouse one']);
    // A key finds its record wherever it belongs.
    expect(await titles(owner, String(first.key), '&scope=films:2')).toEqual(['Lighthouse one']);
  });

  test('refuses what names no record', async () => {
    expect((await owner('GET', '/search?q=a&scope=films')).status).toBe(400);
  });
});

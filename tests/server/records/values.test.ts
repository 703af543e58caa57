// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordTitleOf } from '../../../src/engine/lists/titles';
import { accounts, type Client } from '../../support/program';
import { type StudioProgram, startStudio } from '../modules/studio';

let { program, owner, studio } = {} as StudioProgram;
let developer: Client;

beforeAll(async () => {
  ({ program, owner, studio } = await startStudio());
  developer = await program.signIn(accounts.developer);
  await studio.publish('shots', ({ fields }) => {
    fields.extra = { type: 'json' };
    fields.state = { type: 'text', readOnly: { '$actor.level': { $gt: 3 } }, default: 'new' };
    fields.locked = { type: 'text', readOnly: { status_id: 1 } };
  });
});
afterAll(() => program?.close());

type Row = Record<string, unknown> & { id: number };

async function newShot(call: Client, more: object): Promise<Row> {
  const [{ film_id, scene_id }] = (await owner<{ data: [Row] }>('GET', '/shots?range=[0,0]')).body.data;
  const shot = { name: 'Values', film_id, scene_id, ...more };
  const answer = await call<{ data: Row }>('POST', '/shots', shot);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

const read = async (id: number) => (await owner<{ data: Row }>('GET', `/shots/${id}`)).body.data;

describe('ordinary text is stored unchanged', () => {
  test.each([
    ['a path of Windows', 'C:\\udata\\log.txt'],
    ['an escaped NUL', 'prints \\u0000 and goes on'],
    ['an escaped half of a pair', '{"glyph": "\\ud83d"}'],
    ['a whole pair', 'done 😀'],
    ['backslashes and wildcards', '\\\\server\\share %_\\'],
  ])('%s', async (_, text) => {
    const made = await newShot(owner, { name: text, extra: { [text]: [text] } });
    expect(await read(made.id)).toMatchObject({ name: text, extra: { [text]: [text] } });
    await owner('PUT', `/shots/${made.id}`, { name: 'Another', milestone: text });
    expect(await read(made.id)).toMatchObject({ name: 'Another', milestone: text });
    const ids = async (query: string) =>
      (await owner<{ data: Row[] }>('GET', `/shots?${query}`)).body.data.map(({ id }) => id);
    expect(await ids(`q=${encodeURIComponent(text)}`)).toContain(made.id);
    expect(await ids(`milestone=${encodeURIComponent(text)}`)).toEqual([made.id]);
    const history = await owner('GET', `/shots/${made.id}/history`);
    expect(JSON.stringify(history.body)).toContain(JSON.stringify(text).slice(1, -1));
  });

  test.each([
    ['a NUL', 'a\0b'],
    ['half of a pair', 'a\ud83d'],
  ])('but not %s, at any depth', async (_, text) => {
    const made = await newShot(owner, {});
    for (const body of [{ name: text }, { extra: text }, { extra: [{ a: text }] }, { extra: { [text]: 1 } }]) {
      const answer = await owner('PUT', `/shots/${made.id}`, body);
      expect(answer.status, JSON.stringify(body)).toBe(422);
    }
    expect((await read(made.id)).updated_at).toBe(made.updated_at);
  });
});

test.each<[string, unknown, unknown, boolean]>([
  ['the order of a list', [3, 1, 2], [1, 2, 3], true],
  ['an empty list and none', [], null, true],
  ['none and an empty list', null, [], true],
  ['a number and its text', [1], ['1'], true],
  ['a member more', { a: 1 }, { a: 1, b: null }, true],
  ['a list and an object', [], {}, true],
  ['the order of names', { a: 1, b: [1] }, { b: [1], a: 1 }, false],
  ['the same', { a: [1, { b: null }] }, { a: [1, { b: null }] }, false],
])('JSON differs by %s', async (_, before, after, differs) => {
  const made = await newShot(owner, { extra: before });
  expect((await owner('PUT', `/shots/${made.id}`, { extra: after })).status).toBe(200);
  const now = await read(made.id);
  expect(now.extra).toEqual(after);
  expect(now.updated_at !== made.updated_at).toBe(differs);
});

describe('a field that is read-only by a condition', () => {
  test('keeps its value for callers who match the condition, on create and on update', async () => {
    const theirs = await newShot(developer, { state: 'chosen' });
    expect(theirs.state).toBe('new');
    await developer('PUT', `/shots/${theirs.id}`, { state: 'chosen' });
    expect((await read(theirs.id)).state).toBe('new');
    expect((await newShot(owner, { state: 'chosen' })).state).toBe('chosen');
  });

  test('depends on the default values of a new record', async () => {
    expect((await newShot(owner, { locked: 'x', status_id: 2 })).locked).toBeNull();
    const open = await newShot(owner, { status_id: 2 });
    await owner('PUT', `/shots/${open.id}`, { locked: 'x' });
    expect((await read(open.id)).locked).toBe('x');
  });
});

describe('titles of several fields', () => {
  beforeAll(async () => {
    await studio.make('browsers', { maker: {}, system: {}, note: {} }, { recordTitle: '{maker} on {system}, {note}' });
    await studio.make(
      'runs',
      { shot_id: { type: 'relation', to: 'shots', embed: 'shot' }, state: {} },
      { recordTitle: '{shot.name}: {state}' },
    );
    await studio.publish('shots', ({ fields }) => {
      fields.browser_id = { type: 'relation', to: 'browsers', embed: 'browser' };
      fields.runs = { type: 'inverse', source: 'runs.shot_id', inLists: 'records' };
      fields.run_id = { type: 'relation', to: 'runs', embed: 'run' };
    });
  });

  test('are complete in every embed, and include fields of related records', async () => {
    const make = async (path: string, body: object) => {
      const { status, body: answer } = await owner<Row & { data: Row }>('POST', path, body);
      expect(status, JSON.stringify(answer)).toBe(201);
      return (answer.data ?? answer).id;
    };
    const browser_id = await make('/browsers', { maker: 'Chrome', system: 'Linux', note: 'beta' });
    const shot = await newShot(owner, { browser_id });
    const run_id = await make('/runs', { shot_id: shot.id, state: 'green' });
    await owner('PUT', `/shots/${shot.id}`, { run_id });
    const [{ browser, runs, run }] = (await owner<{ data: [Row] }>('GET', `/shots?id=${shot.id}`)).body.data;
    expect(browser).toEqual({ id: browser_id, maker: 'Chrome', system: 'Linux', note: 'beta' });
    expect(run).toEqual({ id: run_id, shot: { id: shot.id, name: 'Values' }, state: 'green' });
    expect(runs).toEqual([run]);
    const registry = program.program.definitions.registry();
    expect(recordTitleOf(registry.getOrThrow('browsers'), browser as Row)).toBe('Chrome on Linux, beta');
    expect(recordTitleOf(registry.getOrThrow('runs'), run as Row)).toBe('Values: green');
    expect(recordTitleOf(registry.getOrThrow('runs'), { id: 1, title: 'As it was chosen', state: null })).toBe(
      'As it was chosen',
    );
  });

  test('are described in the API document', async () => {
    const { status, body } = await owner('GET', '/openapi.json');
    expect(status, JSON.stringify(body)).toBe(200);
    expect(JSON.stringify(body)).toContain('"maker"');
  });
});

describe('choices for a relation', () => {
  const titles = async (field: string, query = '') =>
    (await owner<{ data: { title: string }[] }>('GET', `/shots/choices/${field}${query}`)).body.data.map(
      ({ title }) => title,
    );

  test('are in the order of their list, or by name if the list starts with the newest', async () => {
    expect(await titles('urgency_id')).toEqual(['Urgent', 'High', 'Medium', 'Low']);
    const films = await titles('film_id');
    expect(films.length).toBeGreaterThan(2);
    expect(films).toEqual([...films].sort((one, other) => one.localeCompare(other)));
  });

  test('are in descending order if the list says so', async () => {
    await studio.make('sizes', { name: {}, rank: { type: 'number' } }, { list: { columns: ['name'], sort: '-rank' } });
    await studio.publish('shots', ({ fields }) => void (fields.size_id = { type: 'relation', to: 'sizes' }));
    for (const [name, rank] of [
      ['Small', 1],
      ['Huge', 9],
      ['Big', 5],
    ])
      await owner('POST', '/sizes', { name, rank });
    expect(await titles('size_id')).toEqual(['Huge', 'Big', 'Small']);
    expect(await titles('size_id', '?q=g')).toEqual(['Huge', 'Big']);
  });

  describe('of records with many similar titles', () => {
    interface Choice {
      readonly id: number;
      readonly title: string;
      readonly detail?: string;
      readonly near?: string;
    }
    let me: number;
    const ids: Record<string, number> = {};
    const offered = async (path: string, query: Record<string, string> = {}, call = owner) => {
      const answer = await call<{ data: Choice[] }>('GET', `${path}?${new URLSearchParams(query)}`);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return { all: answer.body.data, total: Number(String(answer.headers['content-range']).split('/')[1]) };
    };
    const said = ({ title, detail, near }: Choice) => [near, title, detail].filter(Boolean).join(' | ');

    beforeAll(async () => {
      me = (await owner<{ data: { user: { id: number } } }>('GET', '/me')).body.data.user.id;
      await studio.make('halls', { name: {} }, { archive: true });
      const hall_id = { type: 'relation', to: 'halls', embed: 'hall', container: true } as const;
      const keeper_id = { type: 'relation', to: 'users', label: 'Keeper' } as const;
      await studio.make('crates', { name: {}, slot: {}, hall_id, keeper_id, crew: { type: 'relations', to: 'users' } });
      const crate_id = { type: 'relation', to: 'crates', embed: 'crate' } as const;
      await studio.make('parcels', { name: {}, hall_id, crate_id });
      const make = async (path: string, body: object) => {
        const { status, body: made } = await owner<Row & { data?: Row }>('POST', path, body);
        expect(status, JSON.stringify(made)).toBe(201);
        return (made.data ?? made).id;
      };
      for (const name of ['North', 'South']) ids[name] = await make('/halls', { name });
      for (const [key, name, more] of [
        ['a', 'Lamp', { hall_id: ids.North, slot: 'A1' }],
        ['b', 'LAMP', { hall_id: ids.South, slot: 'A1' }],
        ['c', 'Lamp shade', { hall_id: ids.South }],
        ['d', 'Clamp', { keeper_id: me }],
        ['e', 'Old-lamp', { crew: [me], hall_id: ids.North }],
        ['f', 'A big lamp', {}],
        ['g', 'Bolt', { keeper_id: me, crew: [me] }],
        ['h', 'La\u0301mina', {}],
        ['i', '100% wool', {}],
      ] as const)
        ids[key] = await make('/crates', { name, ...more });
      await make('/crates', { name: `Box of ${ids.f}` });
    });

    test('equal titles are distinguished by their parent and id, or as the definition says', async () => {
      const lamps = async () =>
        (await offered('/parcels/choices/crate_id', { q: 'lamp', near: '0' })).all.slice(0, 3).map(said);
      expect(await lamps()).toEqual([`Lamp | North · #${ids.a}`, `LAMP | South · #${ids.b}`, 'Lamp shade']);
      // The twin lies behind the page.
      const [first] = (await offered('/parcels/choices/crate_id', { q: 'lamp', range: '[0,0]' })).all;
      expect(said(first!)).toBe(`Lamp | North · #${ids.a}`);
      await studio.publish('crates', (source) => void (source.choices = { detail: ['slot'] }));
      expect(await lamps()).toEqual([`Lamp | A1 · #${ids.a}`, `LAMP | A1 · #${ids.b}`, 'Lamp shade']);
      await studio.publish(
        'crates',
        (source) => void (source.choices = { detail: ['hall_id', 'id'], alwaysShowDetail: true }),
      );
      expect(await lamps()).toEqual([
        `Lamp | North · #${ids.a}`,
        `LAMP | South · #${ids.b}`,
        `Lamp shade | South · #${ids.c}`,
      ]);
      // What all of them share tells nothing apart.
      await studio.publish('parcels', ({ fields }) => void (fields.crate_id!.choices = { hall_id: '$form.hall_id' }));
      const narrowed = await offered('/parcels/choices/crate_id', { hall_id: String(ids.North), near: '0' });
      expect(narrowed.all.map(said)).toEqual([`Lamp | #${ids.a}`, `Old-lamp | #${ids.e}`]);
      await studio.publish('parcels', ({ fields }) => void delete fields.crate_id!.choices);
      await studio.publish('crates', (source) => void delete source.choices);
    });

    test('near ones come first, each once: with shared relations, the caller’s own, recently chosen', async () => {
      const near = `${ids.f},${ids.g},${ids.c}`;
      const { all, total } = await offered('/parcels/choices/crate_id', { hall_id: String(ids.North), near });
      expect(all.slice(0, 6).map(said)).toEqual([
        'shared | Old-lamp',
        `shared | Lamp | North · #${ids.a}`,
        'yours | Bolt',
        'yours | Clamp',
        'recent | A big lamp',
        'recent | Lamp shade',
      ]);
      expect(new Set(all.map(({ id }) => id)).size).toBe(total);
      const plain = await offered('/parcels/choices/crate_id', { hall_id: String(ids.North), near: '0' });
      expect(plain.all.map(({ title }) => title.trim())).toEqual(
        [
          '100% wool',
          'A big lamp',
          'Bolt',
          `Box of ${ids.f}`,
          'Clamp',
          'Lamp',
          'LAMP',
          'L\u00e1mina',
          'Lamp shade',
          'Old-lamp',
        ].sort((one, other) => one.localeCompare(other)),
      );
      expect(plain.all.some((one) => one.near)).toBe(false);
      // The choices of filters, which belong to no form.
      const ofFilter = await offered('/crates/choices', { near });
      expect(
        ofFilter.all.flatMap(({ title, near: reason }) => (reason ? [`${reason} | ${title.trim()}`] : [])),
      ).toEqual(['yours | Bolt', 'yours | Clamp', 'yours | Old-lamp', 'recent | A big lamp', 'recent | Lamp shade']);
      expect((await offered('/films/choices/user_ids')).all[0]).toMatchObject({ id: me, near: 'yours' });
      for (const wrong of ['x', '1,x', '', Array.from({ length: 21 }, (_, n) => n + 1).join()])
        expect((await owner('GET', `/parcels/choices/crate_id?near=${wrong}`)).status, wrong).toBe(400);
    });

    test('the pages together contain all choices, whatever is near or searched for', async () => {
      for (const query of [
        {},
        { near: `${ids.i},${ids.a}`, hall_id: String(ids.South) },
        { q: 'la' },
        { q: String(ids.f) },
      ] as Record<string, string>[]) {
        const whole = (await offered('/parcels/choices/crate_id', query)).all.map(({ id }) => id);
        expect(new Set(whole).size).toBe(whole.length);
        for (const size of [1, 2, 3, 7]) {
          const pages: number[] = [];
          for (let from = 0; from < whole.length; from += size) {
            const page = await offered('/parcels/choices/crate_id', {
              ...query,
              range: `[${from},${from + size - 1}]`,
            });
            expect(page.total).toBe(whole.length);
            pages.push(...page.all.map(({ id }) => id));
          }
          expect(pages, JSON.stringify([query, size])).toEqual(whole);
        }
      }
    });

    test.each([
      [
        'begins, then a word begins, then holds it',
        'lamp',
        ['Lamp', 'LAMP', 'Lamp shade', 'A big lamp', 'Old-lamp', 'Clamp'],
      ],
      ['in any case of letters', 'LAMP S', ['Lamp shade']],
      ['a letter with a mark of its own', 'la\u0301', ['L\u00e1mina']],
      ['a letter alone', 'b', ['Bolt', 'Box of', 'A big lamp']],
      ['what would be a pattern', '0% w', ['100% wool']],
      ['nothing', 'zz', []],
      ['what would be an expression', '.*(', []],
    ])('a search finds first what begins with it: %s', async (_, q, expected) => {
      for (const path of ['/parcels/choices/crate_id', '/crates/choices']) {
        const { all } = await offered(path, { q });
        expect(
          all.map(({ title }) => title.replace(/ \d+$/, '')),
          path,
        ).toEqual(expected);
      }
    });

    test('a number finds the record, and the titles that hold it', async () => {
      const number = String(ids.f);
      expect((await offered('/parcels/choices/crate_id', { q: number })).all.map(({ title }) => title)).toEqual([
        'A big lamp',
        `Box of ${number}`,
      ]);
      expect((await offered('/crates/choices', { q: `#${number}` })).all.map(({ id }) => id)).toEqual([ids.f]);
      expect((await offered('/shots/choices/urgency_id', { q: '#2' })).all).toHaveLength(1);
      expect((await offered('/crates/choices', { q: '#9999999999' })).all).toEqual([]);
    });

    test('filters are offered what may be listed, and what tells apart is told to whoever may read it', async () => {
      const { all } = await offered('/crates/choices', { hall_id: String(ids.South) });
      expect(all.map(said)).toEqual(['LAMP', 'Lamp shade']);
      expect((await owner('GET', '/crates/choices?no_such_field=1')).status).toBe(400);
      expect((await developer('GET', '/crates/choices')).status).toBe(403);
      const restricted = await program.restricted();
      await restricted.grant(['parcels.list', 'parcels.create']);
      expect((await restricted.call('GET', '/crates/choices')).status).toBe(403);
      const open = await offered('/parcels/choices/crate_id', { q: 'lamp' }, restricted.call);
      expect(open.all.slice(0, 2).map(said)).toEqual([`Lamp | #${ids.a}`, `LAMP | #${ids.b}`]);
      const blind = await offered('/parcels/choices/crate_id', { hall_id: String(ids.North) }, restricted.call);
      expect(blind.all.some(({ near }) => near === 'shared')).toBe(false);
    });
  });
});

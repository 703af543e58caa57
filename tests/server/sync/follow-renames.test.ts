// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Registry } from '../../../src/engine/registry/registry';
import { registryOf, sourceOf } from '../../support/definitions';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { syncTables } from '../../support/sync-tables';

// What is stored about a module and names fields of others through paths follows when those are renamed.

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.close());

const query = async (text: string, values: unknown[] = []) =>
  (await own.database.pool.query(text, values)).rows as Record<string, unknown>[];

interface Names {
  readonly maker: string;
  readonly of: string;
  readonly amount: string;
}

/** Parcels of crates of makers, and the modules in which people store what they keep of them. */
function withNames({ maker, of, amount }: Names, was?: Names): Registry {
  const former = (now: string, before: string | undefined) =>
    before === undefined ? {} : { [now]: { formerName: before } };
  const merged = (name: string, field: object, before: string | undefined) => ({
    [name]: { ...field, ...former(name, before)[name] },
  });
  return registryOf(
    sourceOf('makers', merged(maker, { type: 'text' }, was?.maker), { recordTitle: `{${maker}}` }),
    sourceOf('crates', {
      name: {},
      ...merged(of, { type: 'relation', to: 'makers', embed: 'maker' }, was?.of),
    }),
    sourceOf('parcels', {
      name: {},
      crate_id: { type: 'relation', to: 'crates', embed: 'crate' },
      lines: { type: 'rows', fields: merged(amount, { type: 'number' }, was?.amount) },
    }),
    sourceOf('views', { module: {}, settings: { type: 'json' } }),
    sourceOf('pages', { tiles: { type: 'json' } }),
    sourceOf('watchlists', { query: { type: 'json', queryResource: 'crates' }, note: { type: 'json' } }),
  );
}

const before: Names = { maker: 'title', of: 'maker_id', amount: 'hours' };
const after: Names = { maker: 'called', of: 'origin_id', amount: 'effort' };

/** What is kept, with the names of fields then. `name` is a field of parcels and crates, and a value. */
const kept = ({ maker, of, amount }: Names) => ({
  settings: {
    filters: { name: maker, crate_id: [1], [`crate_id.${of}.${maker}`]: of },
    totals: { id: 'count' },
    columns: [{ field: 'name' }, { field: `crate.maker.${maker}`, width: 120 }],
    sort: '-name',
    group: 'crate_id',
  },
  tiles: [
    {
      ...{ id: 'a', kind: 'list', module: 'parcels', columns: ['name', `crate.maker.${maker}`], sort: '-name' },
      where: {
        $or: [
          { [`crate_id.${of}.${maker}`]: maker },
          { crate_id: { $some: { $not: { [of]: { $some: { [maker]: { $in: [maker, of] } } } } } } },
          { lines: { $some: { [amount]: { $gt: 3 } } } },
        ],
        name: of,
      },
    },
    { id: 'b', kind: 'number', module: 'makers', where: { [maker]: { $contains: maker } }, title: maker },
    { id: 'c', kind: 'mentions', limit: 3 },
    { id: 'd', kind: 'list', module: 'gone', where: { title: 'x' } },
  ],
  configuration: [
    { field: 'name', visibility: true },
    { field: `crate.maker.${maker}`, visibility: false },
  ],
});

test('saved views, tiles and chosen columns follow fields of other modules, and rows, once', async () => {
  await syncTables(own.database, withNames(before));
  const { settings, tiles, configuration } = kept(before);
  await query(`insert into public.views (module, settings) values ('parcels', $1), ('gone', $1), ('parcels', '3')`, [
    JSON.stringify(settings),
  ]);
  await query(`insert into public.pages (tiles) values ($1), ('{"title": 1}'), ('[1, {"module": 7}]'), (null)`, [
    JSON.stringify(tiles),
  ]);
  await query(
    `insert into assay.grid_configurations (site_id, user_id, name, configuration) values (0, 1, 'parcels', $1)`,
    [JSON.stringify(configuration)],
  );
  const stored = async () => ({
    settings: (await query('select settings from public.views order by id')).map((row) => row.settings),
    tiles: (await query('select tiles from public.pages order by id')).map((row) => row.tiles),
    configuration: (await query('select configuration from assay.grid_configurations')).map((row) => row.configuration),
  });
  // Values, titles and what is of a module that there is not stay.
  const fields = kept({ ...after });
  const renamed = {
    settings: [
      { ...fields.settings, filters: { name: 'title', crate_id: [1], 'crate_id.origin_id.called': 'maker_id' } },
      settings,
      3,
    ],
    tiles: [
      [
        {
          ...fields.tiles[0]!,
          where: {
            $or: [
              { 'crate_id.origin_id.called': 'title' },
              {
                crate_id: {
                  $some: { $not: { origin_id: { $some: { called: { $in: ['title', 'maker_id'] } } } } },
                },
              },
              { lines: { $some: { effort: { $gt: 3 } } } },
            ],
            name: 'maker_id',
          },
        },
        { ...fields.tiles[1]!, where: { called: { $contains: 'title' } }, title: 'title' },
        ...tiles.slice(2),
      ],
      { title: 1 },
      [1, { module: 7 }],
      null,
    ],
    configuration: [fields.configuration],
  };
  await syncTables(own.database, withNames(after, before));
  expect(await stored()).toEqual(renamed);
  await syncTables(own.database, withNames(after, before));
  expect(await stored()).toEqual(renamed);
});

test('list queries that records store follow fields of the module that their definition names, and nothing else', async () => {
  const database = await createTestDatabase();
  const ask = async (text: string, values: unknown[] = []) =>
    (await database.database.pool.query(text, values)).rows as Record<string, unknown>[];
  /** A query with every part of one. */
  const whole = (of: string, title: string) => ({
    ...{ name: title, [of]: '1,2', [`${of}_from`]: 3, q: title, sort_by: `-${of}`, range: '[0,9]' },
    filter: JSON.stringify({ [of]: [1], name: of }),
    where: JSON.stringify({ $or: [{ [`${of}.${title}`]: title }, { [of]: { $some: { [title]: of } } }] }),
    sort: JSON.stringify([of, 'ASC']),
  });
  let deep = '{"maker_id":1}';
  for (let level = 0; level < 3000; level++) deep = `{"$not":${deep}}`;
  const left: readonly string[] = [
    '"maker_id"',
    '7',
    'null',
    '["maker_id", {"maker_id": 1}]',
    // Both names of the field.
    '{"maker_id": 1, "origin_id": 2}',
    // What cannot be read.
    '{"filter": "{maker_id", "where": "maker_id", "sort": "maker_id"}',
    '{"__proto__": {"maker_id": 1}, "constructor": "maker_id", "sort_by": {"maker_id": 1}}',
    `{"where": ${deep}}`,
    JSON.stringify({ where: deep }),
  ];
  try {
    await syncTables(database.database, withNames(before));
    await ask(`insert into public.watchlists (query, note) values ($1, $2)`, [
      JSON.stringify(whole('maker_id', 'title')),
      JSON.stringify({ maker_id: 1 }),
    ]);
    for (const query of left) await ask('insert into public.watchlists (query) values ($1)', [query]);
    const texts = async () =>
      (await ask('select query::text from public.watchlists order by id')).map((row) => row.query);
    const [, ...kept] = await texts();
    await syncTables(database.database, withNames(after, before));
    const check = async () => {
      const [first] = await ask('select query, note from public.watchlists order by id limit 1');
      const values = { name: 'title', q: 'title', filter: JSON.stringify({ origin_id: [1], name: 'maker_id' }) };
      const where = { $or: [{ 'origin_id.called': 'title' }, { origin_id: { $some: { called: 'maker_id' } } }] };
      expect(first).toEqual({
        query: { ...whole('origin_id', 'called'), ...values, where: JSON.stringify(where) },
        note: { maker_id: 1 },
      });
      expect((await texts()).slice(1)).toEqual(kept);
    };
    await check();
    await syncTables(database.database, withNames(after, before));
    await check();
  } finally {
    await database.close();
  }
});

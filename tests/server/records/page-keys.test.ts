// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { accounts, type ApiResponse, type Client } from '../../support/program';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

// Lists that are read page by page by the keys of their first and last records.

let server: StudioProgram;
let owner: Client;
let harbour: Client;

interface Row {
  readonly id: number;
  readonly [name: string]: unknown;
}

const ports: Source['fields'] = {
  name: {},
  size: { type: 'number' },
  label: { computed: '{name} ({size})' },
};
const crates: Source['fields'] = {
  name: {},
  key: { type: 'sequence', format: 'C-{n}' },
  weight: { type: 'number', decimal: true, digits: 2 },
  pieces: { type: 'number' },
  packed_on: { type: 'date' },
  seen_at: { type: 'datetime' },
  is_full: { type: 'boolean' },
  state: { type: 'select', options: ['open', 'sent'].map((value) => ({ value, label: value })) },
  port_id: { type: 'relation', to: 'ports', embed: 'port', embedFields: ['size'] },
  quay_id: { type: 'relation', to: 'quays', embed: 'quay' },
  twice: { type: 'number', computed: { $multiply: ['$record.weight', 2] } },
  is_heavy: { type: 'boolean', computed: { weight: { $gt: 5 } } },
  label: { computed: '{name}/{weight}' },
  note: { maxLength: 4000 },
  place: { type: 'number', secret: true },
};
const grains: Source['fields'] = {
  name: {},
  port_id: { type: 'relation', to: 'ports', embed: 'port' },
};
const grainCount = 100_500;

beforeAll(async () => {
  server = await startStudio();
  ({ owner } = server);
  harbour = await server.program.signIn(accounts.harbour);
  await server.studio.make('ports', ports);
  await server.studio.make('quays', ports, { recordTitle: '{label}' });
  await server.studio.make('crates', crates, {
    list: { views: ['list', 'kanban'], kanban: { column: 'state', order: 'place' } },
  });
  await server.studio.make('grains', grains, { list: { sortChoices: ['name', 'port_id'] } });
  const [site] = (await server.query(`select site_id from users where email = '${accounts.owner}'`)) as never as [
    { site_id: number },
  ];
  const stamps = `${site.site_id}, now(), now()`;
  for (const table of ['ports', 'quays'])
    await server.query(`insert into ${table} (name, size, site_id, created_at, updated_at)
      select (array['Ostende', 'ostende', 'Ålesund', 'Zürich', 'a b', 'A-b', null, 'Rotterdam'])[n % 8 + 1], nullif(n % 3, 0), ${stamps}
      from generate_series(1, 12) n`);
  await server.query(`insert into crates (name, key, weight, pieces, packed_on, seen_at, is_full, state, port_id, quay_id, note, place, site_id, created_at, updated_at)
    select (array['apple', 'Apple', 'äpfel', 'Zoo', '', 'crate 9', 'crate 10', E'ta\\tb', '"''\\\\', '日本', null])[1 + floor(random() * 11)],
      'C-' || n, (array[0.1, 0.2, 0.30, 12345678.91, -3, null])[1 + floor(random() * 6)], (array[-5, 0, 7, 9007199254740991, null])[1 + floor(random() * 5)]::bigint,
      (array['2024-02-29', '1999-12-31', '2026-11-30', null]::date[])[1 + floor(random() * 4)],
      '2026-01-01 00:00:00.123456+00'::timestamptz + floor(random() * 9) * interval '1 microsecond' * (n % 2),
      (array[true, false, null])[1 + floor(random() * 3)],
      (array['open', 'sent', null])[1 + floor(random() * 3)],
      (select id from ports order by random() + n limit 1), case when n % 5 > 0 then (select id from quays order by random() + n limit 1) end,
      case n % 4 when 0 then repeat('long ', 200) || n % 3 when 1 then 'short' end, nullif(floor(random() * 6), 0), ${stamps}
    from generate_series(1, 230) n`);
  await server.query(`update crates set port_id = null where id % 7 = 0`);
  for (let from = 0; from < grainCount; from += 10_050)
    await server.query(`insert into grains (name, port_id, site_id, created_at, updated_at)
      select 'grain ' || n % 1000, (array(select id from ports order by id))[n % 13 + 1], ${stamps}
      from generate_series(${from}, ${from + 10_049}) n`);
  await server.query('analyze');
});
afterAll(() => server?.program.close());

const list = (resource: string, query: Readonly<Record<string, string>>, client = owner): Promise<ApiResponse<Row[]>> =>
  client<Row[]>('GET', `/${resource}?${new URLSearchParams({ envelope: 'none', ...query })}`);
const idsOf = ({ body }: ApiResponse<Row[]>) => body.map(({ id }) => id);

/** All ids, page by page: from the beginning, or from the end. */
async function walk(
  resource: string,
  query: Readonly<Record<string, string>>,
  direction: 'after' | 'before',
  size: number,
  most = Infinity,
): Promise<number[]> {
  const ids: number[] = [];
  let key: string | undefined = '';
  for (let page = 0; key !== undefined && page < most; page++) {
    const answer: ApiResponse<Row[]> = await list(resource, { ...query, range: `[0,${size - 1}]`, [direction]: key });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    if (direction === 'after') ids.push(...idsOf(answer));
    else ids.unshift(...idsOf(answer));
    key = answer.headers[`x-${direction}`] as string | undefined;
  }
  return ids;
}

const names = Object.keys(crates).filter((name) => name !== 'place');
const sorts = ['id', 'created_at', 'created_by', ...names, 'port', 'port.size'].flatMap((name) => [name, `-${name}`]);

describe('pages by key', () => {
  test.each(sorts)('have the rows of the whole list sorted by %s, in both directions', async (sort_by) => {
    for (const more of [{}, { q: 'a' }, { where: '{"weight":{"$gt":0}}' }] as Record<string, string>[]) {
      const all = idsOf(await list('crates', { sort_by, ...more }));
      expect(all.length).toBeGreaterThan(20);
      const size = 7 + (sort_by.length % 9);
      expect(await walk('crates', { sort_by, ...more, fields: 'id' }, 'after', size)).toEqual(all);
      expect(await walk('crates', { sort_by, ...more }, 'before', size)).toEqual(all);
    }
  });

  test.each(['id', '-name', 'port_id'])('have the rows of a board by %s', async (sort_by) => {
    const board = { sort: '["place","ASC"]', sort_by };
    const all = idsOf(await list('crates', board));
    expect(all).toHaveLength(230);
    expect(await walk('crates', board, 'after', 9)).toEqual(all);
    expect(await walk('crates', board, 'before', 9)).toEqual(all);
    expect(await walk('crates', { ...board, q: 'a' }, 'after', 9)).toEqual(
      idsOf(await list('crates', { ...board, q: 'a' })),
    );
  });

  test.each(['port_id', '-port_id', 'name', '-id'])('have the rows of a large list by %s', async (sort_by) => {
    const all = idsOf(await list('grains', { sort_by, range: '[0,899]' }));
    expect(await walk('grains', { sort_by }, 'after', 90, 10)).toEqual(all);
    const end = idsOf(await list('grains', { sort_by, range: `[${grainCount - 900},${grainCount - 1}]` }));
    expect(end).toHaveLength(900);
    expect(await walk('grains', { sort_by }, 'before', 90, 10)).toEqual(end);
    // From one port to the next, and in the middle of one.
    const middle = idsOf(await list('grains', { sort_by, range: '[15400,15499]' }));
    const { headers } = await list('grains', { sort_by, range: '[15390,15399]', after: '' });
    expect(idsOf(await list('grains', { sort_by, range: '[0,99]', after: String(headers['x-after']) }))).toEqual(
      middle,
    );
    const behind = await list('grains', { sort_by, range: '[15500,15509]', after: '' });
    expect(
      idsOf(await list('grains', { sort_by, range: '[0,99]', before: String(behind.headers['x-before']) })),
    ).toEqual(middle);
  });

  test.each(['-name', 'port_id', 'id'])(
    'by %s begin near a place behind 100,000 where an estimate is enough',
    async (sort_by) => {
      // These were not counted: the end is as unknown as the place.
      const query = { sort_by, where: `{"id":{"$gt":${sort_by.length}}}` };
      const near = await list('grains', { ...query, range: '[100100,100114]', total: 'estimate', after: '' });
      expect(near.headers).toMatchObject({
        'content-range': 'grains 100100-100114/100000',
        'x-total-estimated': 'true',
      });
      const end = idsOf(await list('grains', { ...query, range: '[97000,100599]' }));
      const position = end.indexOf(idsOf(near)[0]!);
      expect(Math.abs(97_000 + position - 100_100)).toBeLessThan(2_000);
      expect(idsOf(near)).toEqual(end.slice(position, position + 15));
      const next = await list('grains', { ...query, range: '[0,14]', after: String(near.headers['x-after']) });
      expect(idsOf(next)).toEqual(end.slice(position + 15, position + 30));
      // Once they were counted, the last page is the last.
      const last = await list('grains', { ...query, range: '[100400,100414]', total: 'estimate' });
      expect(idsOf(last)).toEqual(end.slice(3_400, 3_415));
      const uncounted = { sort_by, where: `{"id":{"$gt":-${sort_by.length}}}` };
      const beyond = await list('grains', { ...uncounted, range: '[900000,900001]', total: 'estimate' });
      expect(idsOf(beyond)).toEqual(idsOf(await list('grains', { ...uncounted, range: '[0,1]', before: '' })));
    },
  );

  test('neither lose nor repeat a record while those around them are deleted, changed and added', async () => {
    const { studio, query } = server;
    await studio.make('boxes', { name: {} });
    for (let box = 0; box < 40; box++) await owner('POST', '/boxes', { name: `box ${box % 7}` });
    const remainingIds = idsOf(await list('boxes', { sort_by: 'name' })).filter((_, index) => index % 5 !== 4);
    const readIds: number[] = [];
    let key: string | undefined = '';
    while (key !== undefined) {
      const page: ApiResponse<Row[]> = await list('boxes', { sort_by: 'name', after: key, range: '[0,4]' });
      readIds.push(...idsOf(page));
      const last = page.body.at(-1)!;
      if (!remainingIds.includes(last.id)) {
        if (readIds.length % 2) await query(`delete from boxes where id = ${last.id}`);
        else await owner('PUT', `/boxes/${last.id}`, { name: 'Renamed' });
      }
      await owner('POST', '/boxes', { name: 'A box before' });
      key = page.headers['x-after'] as string | undefined;
    }
    expect(readIds.filter((id) => remainingIds.includes(id))).toEqual(remainingIds);
  });

  test('say where they are as far as the caller counts, and have their keys in the envelope', async () => {
    const first = await list('crates', { range: '[0,9]', after: '' });
    expect(first.headers).toMatchObject({
      'content-range': 'crates 0-9/230',
      'x-after': expect.stringMatching(/^k1\./),
    });
    expect(first.headers).not.toHaveProperty('x-before');
    const after = String(first.headers['x-after']);
    const second = await list('crates', { range: '[10,19]', after });
    expect(second.headers['content-range']).toBe('crates 10-19/230');
    expect(idsOf(await list('crates', { range: '[0,9]', before: String(second.headers['x-before']) }))).toEqual(
      idsOf(first),
    );
    expect((await list('crates', { after })).headers['content-range']).toBe('crates */230');
    expect((await list('crates', { after })).body).toHaveLength(220);
    expect((await list('crates', { range: '[0,9]' })).headers).not.toHaveProperty('x-after');
    const { body } = await owner<{ data: Row[]; after: string | null; before: string | null }>(
      'GET',
      '/users?after=&range=[0,1]',
    );
    expect(body).toEqual({ data: expect.anything(), after: expect.stringMatching(/^k1\./), before: null });
    const next = await owner<typeof body>('GET', `/users?after=${body.after}`);
    expect(next.body).toMatchObject({ after: null, before: expect.stringMatching(/^k1\./) });
    expect((await owner('GET', '/users?range=[0,1]')).body).toEqual({ data: expect.anything() });
  });

  test('end where a page by its place ends, from the first to the last', async () => {
    const last = await list('crates', { range: '[225,229]', after: '' });
    const end = await list('crates', { after: String(last.headers['x-after'] ?? '') });
    expect(last.headers['x-after']).toBeDefined();
    expect(end).toMatchObject({ body: [], headers: { 'content-range': 'crates */230' } });
    expect(idsOf(await list('crates', { before: '', range: '[0,4]' }))).toEqual(idsOf(last));
  });
});

describe('a key', () => {
  const keyOf = async (query: Record<string, string>, resource = 'crates') =>
    String((await list(resource, { range: '[0,4]', after: '', ...query })).headers['x-after']);
  const remade = (key: string, change: (parts: unknown[]) => unknown[]) => {
    const [listSum, , parts] = JSON.parse(Buffer.from(key.slice(3), 'base64url').toString()) as string[];
    return { listSum, parts: JSON.stringify(change(JSON.parse(parts!) as unknown[])) };
  };

  test.each<[what: string, query: () => Promise<Record<string, string>>, message: RegExp]>([
    [
      'of another order',
      async () => ({ sort_by: 'name', after: await keyOf({ sort_by: 'weight' }) }),
      /^after is the key of a page of another list/,
    ],
    [
      'of the other direction',
      async () => ({ sort_by: '-name', after: await keyOf({ sort_by: 'name' }) }),
      /^after is the key of a page of another list/,
    ],
    [
      'of another list',
      async () => ({ sort_by: 'id', before: await keyOf({ sort_by: 'id' }, 'grains') }),
      /^before is the key of a page of another list/,
    ],
    ['that is none', async () => ({ after: 'k1.zzz' }), /^after must be the key of a page/],
    ['that is a number', async () => ({ after: '7' }), /^after must be the key of a page/],
    ['that was cut', async () => ({ after: (await keyOf({})).slice(0, -4) }), /^after must be the key of a page/],
    ['that is too long', async () => ({ before: `k1.${'A'.repeat(4000)}` }), /^before is too long/],
    ['in both directions', async () => ({ after: await keyOf({}), before: '' }), /cannot be combined/],
    ['in groups', async () => ({ after: '', group_by: 'state' }), /cannot be combined with group_by/],
  ])('%s is refused', async (_, query, message) => {
    const answer = await list('crates', await query());
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
  });

  test('with a value that the order cannot have is refused, however well it is made', async () => {
    const { createHash } = await import('node:crypto');
    const sum = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 8);
    for (const sort_by of ['weight', 'packed_on', 'seen_at', 'is_full']) {
      for (const value of ['no value', '', '99999999999999999999-01-01', '1e999999']) {
        const { listSum, parts } = remade(await keyOf({ sort_by }), ([id]) => [id, value, null]);
        const after = `k1.${Buffer.from(JSON.stringify([listSum, sum(parts), parts])).toString('base64url')}`;
        const answer = await list('crates', { sort_by, after });
        expect(answer, `${sort_by} ${value}`).toMatchObject({
          status: 400,
          body: { message: expect.stringMatching(/^after has a value/) },
        });
      }
    }
  });

  test('shows nobody the records of another company', async () => {
    const after = await keyOf({ sort_by: 'id' });
    expect((await list('crates', { sort_by: 'id', after }, harbour)).body).toEqual([]);
  });

  test('of a long text needs its record', async () => {
    await server.studio.make('essays', { text: { maxLength: 4000 } });
    for (const letter of ['a', 'b', 'c', 'd']) await owner('POST', '/essays', { text: letter.repeat(2000) });
    const after = await keyOf({ sort_by: 'text', range: '[0,1]' }, 'essays');
    expect(after.length).toBeLessThan(200);
    const rest = await list('essays', { sort_by: 'text', after });
    expect(rest.body.map(({ text }) => String(text)[0])).toEqual(['c', 'd']);
    await server.query(`delete from essays where text like 'b%'`);
    expect(await list('essays', { sort_by: 'text', after })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/no longer exists/) },
    });
  });

  test('of a long text of another company is one of no record', async () => {
    await server.studio.make('letters', { text: { maxLength: 4000 } });
    for (const letter of ['a', 'c']) await owner('POST', '/letters', { text: letter.repeat(2000) });
    const after = await keyOf({ sort_by: 'text', range: '[0,0]' }, 'letters');
    await harbour('POST', '/letters', { text: 'b' });
    expect(await list('letters', { sort_by: 'text', after }, harbour)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/no longer exists/) },
    });
  });

  test.each([
    'null',
    '{}',
    '7',
    '[]',
    '["1",null,null]',
    '[1]',
    '[1,{},null]',
    '[1,null,null,null]',
    '[1.5,null,null]',
  ])('made of %s is refused', async (parts) => {
    const { createHash } = await import('node:crypto');
    const sum = createHash('sha256').update(parts).digest('base64url').slice(0, 8);
    const { listSum } = remade(await keyOf({ sort_by: 'name' }), (values) => values);
    const after = `k1.${Buffer.from(JSON.stringify([listSum, sum, parts])).toString('base64url')}`;
    expect(await list('crates', { sort_by: 'name', after })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^after must be the key of a page/) },
    });
  });

  test('does not take the name of a field', async () => {
    await server.studio.make('spans', { after: { type: 'number' }, total: {}, before: {} });
    for (const after of [1, 2]) await owner('POST', '/spans', { after, total: 'all', before: 'x' });
    const matchesOf = async (query: Record<string, string>) =>
      (await list('spans', query)).body.map((row) => row.after);
    expect(await matchesOf({ after: '2' })).toEqual([2]);
    expect(await matchesOf({ total: 'all', before: 'y' })).toEqual([]);
    expect(await matchesOf({ after: '', sort_by: 'id', total: 'estimate' })).toEqual([1, 2]);
  });
});

describe('a total', () => {
  const totalOf = async (query: Record<string, string>, client = owner) => {
    const { headers } = await list('grains', { range: '[0,2]', ...query }, client);
    const { 'content-range': range, 'x-total-estimated': estimated } = headers as Record<string, string | undefined>;
    return { total: Number(range!.split('/')[1]), estimated };
  };

  test.each<[what: string, query: Record<string, string>, total: number]>([
    ['of few records', { where: '{"name":"grain 7"}' }, 101],
    ['of up to 100,000', { where: '{"name":{"$ne":"grain 7"},"id":{"$gt":500}}' }, 0],
    ['of a search', { q: 'grain 777' }, 100],
    ['of none', { where: '{"name":"sand"}' }, 0],
  ])('%s is exact, also where an estimate is enough', async (_, query, total) => {
    const exact = await totalOf(query);
    if (total > 0) expect(exact.total).toBe(total);
    expect(await totalOf({ ...query, total: 'estimate' })).toEqual({ total: exact.total, estimated: undefined });
  });

  test.each<[what: string, query: Record<string, string>]>([
    ['all records', { sort_by: 'id' }],
    ['records in the order of a relation', { sort_by: 'port_id' }],
    ['a frequent text', { q: 'grain' }],
    ['a page by key', { sort_by: 'name', after: '' }],
  ])('of more is estimated and marked for %s where it is asked for, and else exact', async (_, query) => {
    // An exact count is remembered until the next write.
    await owner('POST', '/grains', { name: 'grain' });
    const [{ count }] = (await server.query('select count(*)::integer as count from grains')) as never as [
      { count: number },
    ];
    const estimate = await totalOf({ ...query, total: 'estimate' });
    if (query.q === undefined) expect(estimate.estimated).toBe('true');
    expect(Math.abs(estimate.total - count)).toBeLessThan(count / 10);
    expect(await totalOf(query)).toEqual({ total: count, estimated: undefined });
    expect(await totalOf({ ...query, total: 'estimate' })).toEqual({ total: count, estimated: undefined });
  });

  test('that is neither is refused', async () => {
    const answer = await owner<Refusal>('GET', '/grains?total=about');
    expect(answer).toMatchObject({ status: 400, body: { message: 'total can only be estimate.' } });
  });
});

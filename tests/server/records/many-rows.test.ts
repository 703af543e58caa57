// @module-tag slow
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Row } from '../../../src/server/database/database';
import type { Statement } from '../../../src/server/database/statements';
import { allowLongStatements } from '../../../src/server/database/timeouts';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

// What lists of many rows cost: counted in rows and scans, since times say more of the machine than of the program.

const many = 24_000;
/** Texts that are easily found too often or not at all. */
const names = ['Ärger', 'ÉCOLE 7', 'x_y%z', 'a\\b', '漢字 жж', 'qx', 'Größe  "q"'];
const descriptions = [
  '<p>ab<b>CD</b>e</p>',
  '<p>a</p><p>b</p>',
  '5 &lt; 7 &amp;amp; &gt;',
  'é&nbsp;É',
  '<ul><li>Zz</li></ul>',
  '',
  '<b>&lt;i&gt;</b>ü',
];
let program: DemoProgram;
let owner: Client;
let admin: Client;
let harbour: Client;
let external: Client;
const asked: Statement[] = [];

beforeAll(async () => {
  program = await startFixtureProgram();
  const { database } = program.program;
  await database.transaction(async (trx) => {
    await allowLongStatements(trx);
    // Rows with random ids decide whether a text is frequent: ids without a gap, as those of a table that has grown.
    await sql`select setval(pg_get_serial_sequence('public.shots', 'id'), (select max(id) from shots))`.execute(trx);
    // Two people of one name, and one of the installation: their rows mix, and are told apart by their ids.
    await sql`insert into users (first_name, last_name, email, role_id, status_id, password, site_id, created_at, updated_at)
      select first_name, last_name, 'twin@demo.test', role_id, status_id, password, site_id, now(), now()
      from users where email = ${accounts.developer}`.execute(trx);
    for (const company of [accounts.owner, accounts.harbour]) {
      await sql`insert into shots (name, description, film_id, status_id, site_id, created_at, updated_at)
        select name, description, (select min(id) from films where site_id = u.site_id), 1, u.site_id, now(), now()
        from users u, unnest(${names}::text[]) name, unnest(${descriptions}::text[]) description
        where email = ${company}`.execute(trx);
    }
    await sql`insert into shots (name, description, film_id, scene_id, subscene_id, status_id, operator_id, "copyOf",
        site_id, created_by, updated_by, created_at, updated_at)
      select 'Bulk ' || n || case when n % 8000 = 0 then ' marigold' else '' end, '<p>Some <b>bulk</b> text</p>',
        o.films[1 + n * 7 % cardinality(o.films)], o.modules[1 + n % cardinality(o.modules)],
        case when n % 8 = 0 then o.modules[1 + n / 8 % cardinality(o.modules)] end, 1 + n % 4,
        case when n % 5 > 0 then o.people[1 + n / 3 % cardinality(o.people)] end,
        case when n % 12 = 0 then o.shots[1 + n / 12 % cardinality(o.shots)] end,
        1, o.people[1 + n / 2 % cardinality(o.people)], null, now(), now()
      from generate_series(1, ${many}) n, (select
        (select array_agg(id order by id) from films where site_id = 1 and archived_at is null) as films,
        (select array_agg(id order by id) from scenes where site_id = 1) as modules,
        (select array_agg(id order by id) from users where site_id = 1 or site_id is null) as people,
        (select array_agg(id order by id) from shots where site_id = 1) as shots) o`.execute(trx);
  });
  await database.pool.query('vacuum analyze');
  owner = await program.signIn(accounts.owner);
  admin = await program.signIn(accounts.admin);
  harbour = await program.signIn(accounts.harbour);
  external = await program.signIn(accounts.external);
  const { user } = (await external<{ data: { user: { role_id: number } } }>('GET', '/me')).body.data;
  const granted = await admin('PUT', `/permissions/${user.role_id}`, { modulePermission: ['users.list'] });
  expect(granted.status, JSON.stringify(granted.body)).toBe(200);
  const { query, queryAsJson } = database;
  Object.assign(database, {
    query: (...[statement, ...rest]: Parameters<typeof query>) => {
      asked.push(statement);
      return query(statement, ...rest);
    },
    queryAsJson: (...[statement, ...rest]: Parameters<typeof queryAsJson>) => {
      asked.push(statement);
      return queryAsJson(statement, ...rest);
    },
  });
});
afterAll(() => program?.close());

interface Page {
  readonly ids: readonly number[];
  readonly total: string;
  readonly statements: readonly Statement[];
}

const page = (call: Client, range: readonly [number, number], query: Record<string, unknown>) =>
  pageOf(call, 'shots', range, query);

async function pageOf(
  call: Client,
  resource: string,
  range: readonly [number, number],
  query: Record<string, unknown>,
): Promise<Page> {
  asked.length = 0;
  const given = Object.entries({ range, ...query }).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const answer = await call<{ data: { id: number }[] }>(
    'GET',
    `/${resource}?fields=id&${new URLSearchParams(given as [string, string][])}`,
  );
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const total = String(answer.headers['content-range']).split('/')[1]!;
  return { ids: answer.body.data.map(({ id }) => id), total, statements: [...asked] };
}

/** The parts of a plan that read a table: how many rows each met. */
async function met({ sql: text, parameters }: Statement, table: string): Promise<number[]> {
  const { rows } = await program.program.database.pool.query<Row>(`explain (analyze, format json) ${text}`, [
    ...parameters,
  ]);
  const found: number[] = [];
  const walk = (node: Record<string, unknown>): void => {
    const removed = ['Rows Removed by Filter', 'Rows Removed by Index Recheck'].map((name) => Number(node[name] ?? 0));
    if (node['Relation Name'] === table)
      found.push((Number(node['Actual Rows']) + removed[0]! + removed[1]!) * Number(node['Actual Loops']));
    for (const child of (node.Plans ?? []) as Record<string, unknown>[]) walk(child);
  };
  walk((rows[0]!['QUERY PLAN'] as { Plan: Record<string, unknown> }[])[0]!.Plan);
  return found;
}

const isWalk = ({ sql: text }: Statement) => text.includes('cross join lateral');

const filters: Readonly<Record<string, Record<string, unknown>>> = {
  'all rows': {},
  'by the relation itself and another': { filter: { status_id: [1, 2, 3], operator_id: { $exists: true } } },
  'a part of the films': { filter: { film_id: { $nin: [1, 3] } } },
  'a search that finds most': { q: 'BULK', filter: { status_id: { $ne: 4 } } },
};
const sorts = ['film_id', 'status_id', 'operator_id', 'created_by', 'subscene_id', 'copyOf'];
const pages = [
  [0, 14],
  [2_990, 3_010],
  [4_900, 4_999],
] as const;

test.each(Object.keys(filters))('sorted by relations, a page equals that of sorting all rows: %s', async (name) => {
  const query = filters[name]!;
  for (const [place, field] of sorts.entries()) {
    for (const direction of ['ASC', 'DESC']) {
      for (const call of place === 3 ? [owner, admin] : [owner]) {
        const sort = [field, direction];
        const all = await page(call, [0, 9_999], { ...query, sort });
        expect(all.statements.filter(isWalk)).toEqual([]);
        expect(new Set(all.ids).size).toBe(10_000);
        for (const [from, to] of pages) {
          const part = await page(call, [from, to], { ...query, sort });
          const what = `${field} ${direction} ${from}`;
          expect(part.statements.filter(isWalk), what).toHaveLength(1);
          expect(part.ids, what).toEqual(all.ids.slice(from, to + 1));
          expect(part.total, what).toBe(all.total);
        }
      }
    }
  }
});

test.each(sorts)('sorted by %s, a page reads few rows of the table', async (field) => {
  for (const direction of ['ASC', 'DESC']) {
    const { statements } = await page(owner, [15, 29], { sort: [field, direction] });
    const [statement] = statements.filter(isWalk);
    const rows = (await met(statement!, 'shots')).reduce((sum, one) => sum + one, 0);
    expect(rows, direction).toBeLessThan(1_000);
  }
});

test('few rows are joined and sorted, and so are deep pages', async () => {
  const walks = async (range: [number, number], query: object) =>
    (await page(owner, range, { sort: ['operator_id', 'ASC'], ...query })).statements.filter(isWalk).length;
  expect(await walks([0, 14], { filter: { status_id: 2 } })).toBe(0);
  expect(await walks([20_000, 20_014], {})).toBe(0);
  const all = await page(owner, [20_000, 20_014], { sort: ['operator_id', 'ASC'] });
  expect([all.ids.length, Number(all.total) > many]).toEqual([15, true]);
});

test('a search uses its index, and returns page and total with one scan', async () => {
  const { ids, total, statements } = await page(owner, [0, 1], { q: 'MARIgold' });
  expect([ids.length, total]).toEqual([2, '3']);
  const scans = statements.filter(({ sql: text }) => text.includes('search$'));
  expect(scans).toHaveLength(1);
  // A sample of a hundred tells that it is rare.
  const rows = (await met(scans[0]!, 'shots')).reduce((sum, one) => sum + one, 0);
  expect(rows).toBeLessThan(110);
  // The rows of the page by their ids, and what those with a text between are not asked again.
  const again = await page(owner, [2, 3], { q: 'marigold' });
  expect([again.ids.length, again.total]).toEqual([1, '3']);
  expect((await page(owner, [5, 9], { q: 'marigold' })).total).toBe('3');
  // A page that was found is remembered, and read as it is by now.
  const { pool } = program.program.database;
  const known = await page(owner, [0, 1], { q: 'MARIgold' });
  expect([known.ids, known.statements.length]).toEqual([ids, 1]);
  const { rows: films } = await pool.query<{ own: number; other: number }>(`select t.film_id as own, (
    select f.id from films f where f.site_id = t.site_id and f.id not in (
      select s.film_id from shots s where s.id in (${ids.join()})) limit 1) as other from shots t where t.id = ${ids[0]}`);
  const { own: ownFilm, other } = films[0]!;
  await pool.query(`update films set archived_at = now() where id = ${other};
    update shots set film_id = ${other} where id = ${ids[0]}`);
  expect((await page(owner, [0, 1], { q: 'marigold' })).ids).toEqual([ids[1]]);
  await pool.query(`update films set archived_at = null where id = ${other};
    update shots set film_id = ${ownFilm} where id = ${ids[0]}`);
  expect((await owner('PUT', `/shots/${ids[0]}`, { milestone: 'marigold too' })).status).toBe(200);
  expect(await page(owner, [0, 1], { q: 'marigold' })).toMatchObject({ ids, total: '3' });
});

test('a search is planned for its text, so that only the search index is read', async () => {
  for (const n of Array.from({ length: 8 }, (_, index) => index)) {
    const { statements } = await page(owner, [0, 14], { q: `no such ${n}` });
    expect(statements).toHaveLength(1);
  }
  const { pool } = program.program.database;
  const studios = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  const prepared = `select count(*) filter (where statement like '%found as%')::integer as found, count(*)::integer as all from pg_prepared_statements`;
  const counted = await Promise.all(
    studios.map(async (client) => (await client.query<{ found: number; all: number }>(prepared)).rows[0]!),
  );
  for (const client of studios) client.release();
  expect(counted.reduce((sum, { all }) => sum + all, 0)).toBeGreaterThan(0);
  expect(counted.reduce((sum, { found }) => sum + found, 0)).toBe(0);
});

test.each(['u', 'lk', 'bulk', 'some bulk text', 'ome b'])(
  '%j, which is in nearly all rows, is found by walking and counted once',
  async (q) => {
    const searches = ({ statements }: Page) => statements.filter(({ sql: text }) => text.includes('search$'));
    const rowsMet = async ({ statements }: Page) =>
      Promise.all(
        searches({ statements } as Page).map(async (one) =>
          (await met(one, 'shots')).reduce((sum, rows) => sum + rows, 0),
        ),
      );
    const first = await page(owner, [0, 14], { q });
    // A sample, the page, and one look at every row; nothing is sorted.
    const [sampled, ...others] = await rowsMet(first);
    expect(sampled).toBeLessThan(200);
    expect(others.sort((one, other) => one - other)).toEqual([
      expect.toSatisfy((rows: number) => rows < 100),
      expect.toSatisfy((rows: number) => rows > many && rows < many * 1.2),
    ]);
    const second = await page(owner, [15, 29], { q });
    expect(second.total).toBe(first.total);
    expect(searches(second)).toHaveLength(1);
    expect((await rowsMet(second))[0]).toBeLessThan(500);
    const all = await page(owner, [0, 29], { sort: ['id', 'DESC'] });
    expect([...first.ids, ...second.ids]).toEqual(all.ids);
    // After a write it is known to be often found, and counted again.
    expect((await owner('PUT', `/shots/${all.ids[0]}`, { milestone: `written ${q}` })).status).toBe(200);
    const third = await page(owner, [0, 14], { q });
    expect([third.ids, third.total, searches(third).length]).toEqual([first.ids, first.total, 2]);
  },
);

test('a text without matches is searched once, and not again until a write', async () => {
  for (const q of ['§§', 'no such words']) {
    const first = await page(owner, [0, 14], { q });
    const [scan, ...more] = first.statements.filter(({ sql: text }) => text.includes('search$'));
    expect([first.ids, first.total, more]).toEqual([[], '0', []]);
    expect(Math.max(...(await met(scan!, 'shots')))).toBeLessThan(many * 1.2);
    expect((await page(owner, [0, 14], { q })).statements).toEqual([]);
    const [id] = (await page(owner, [0, 0], {})).ids;
    expect((await owner('PUT', `/shots/${id}`, { milestone: `written ${q}` })).status).toBe(200);
    expect(await page(owner, [0, 14], { q })).toMatchObject({ ids: [id], total: '1' });
  }
});

/** What a reader sees of a text, in small letters. */
function plain(markup: string): string {
  const text = markup.replace(/<\/?(b|i)>/g, '').replace(/(<[^>]*>|&nbsp;|\s)+/g, ' ');
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').toLowerCase();
}

test('short texts are found and counted in the visible text, as in a scan of all records', async () => {
  const readers = [
    { call: owner, resource: 'shots', fields: ['name', 'milestone', 'description'], hidden: ['Harbour'] },
    { call: harbour, resource: 'shots', fields: ['name', 'milestone', 'description'], hidden: ['bulk'] },
    { call: owner, resource: 'users', fields: ['name', 'email', 'phone_number'], hidden: [] },
    { call: external, resource: 'users', fields: ['name'], hidden: ['@', 'te', '.t', 'demo.test', '+'] },
  ];
  for (const { call, resource, fields, hidden } of readers) {
    const rows: { id: number; texts: string[] }[] = [];
    for (let at = 0, more = true; more; at += 10_000) {
      const asked = new URLSearchParams({
        range: `[${at},${at + 9_999}]`,
        sort: '["id","DESC"]',
        fields: `id,${fields.join()}`,
      });
      const { status, body } = await call<{ data: Record<string, unknown>[] }>('GET', `/${resource}?${asked}`);
      expect(status, JSON.stringify(body)).toBe(200);
      const { data } = body;
      rows.push(
        ...data.map((row) => ({
          id: row.id as number,
          texts: fields.map((name) =>
            name === 'description' ? plain(String(row[name] ?? '')) : String(row[name] ?? '').toLowerCase(),
          ),
        })),
      );
      more = data.length === 10_000;
    }
    const parts = rows
      .filter((_, place) => place < 50 || place >= rows.length - 400)
      .flatMap(({ texts }) => texts)
      .filter(Boolean);
    const part = fc
      .tuple(fc.constantFrom(...parts), fc.nat(1_000), fc.integer({ min: 1, max: 4 }))
      .map(([text, from, length]) => text.substr(from % text.length, length));
    const asked = fc.oneof(
      { weight: 5, arbitrary: part },
      fc.constantFrom(...hidden, '<b', 'amp', '&', '%', '_', '\\', '¿¿', '"', '&lt;'),
    );
    await fc.assert(
      fc.asyncProperty(asked, fc.boolean(), async (text, upper) => {
        const q = (upper && text.toUpperCase().toLowerCase() === text ? text.toUpperCase() : text).trim();
        fc.pre(q !== '');
        const found = rows
          .filter(({ texts }) => texts.some((one) => one.includes(q.toLowerCase())))
          .map(({ id }) => id);
        for (const [from, to] of [
          [0, 9_999],
          [3, 17],
        ] as const) {
          const answer = await pageOf(call, resource, [from, to], { q, sort: ['id', 'DESC'] });
          expect([answer.total, answer.ids]).toEqual([String(found.length), found.slice(from, to + 1)]);
        }
      }),
      { numRuns: 40 },
    );
  }
}, 120_000);

interface Offered {
  readonly titles: readonly string[];
  readonly total: number;
  readonly statements: readonly Statement[];
}

async function offered(query: Record<string, string>): Promise<Offered> {
  asked.length = 0;
  const { status, body, headers } = await owner<{ data: { title: string }[] }>(
    'GET',
    `/shifts/choices/shot_id?${new URLSearchParams({ range: '[0,49]', ...query })}`,
  );
  expect(status, JSON.stringify(body)).toBe(200);
  const total = Number(String(headers['content-range']).split('/')[1]);
  return {
    titles: body.data.map(({ title }) => title),
    total,
    statements: asked.filter(({ sql: text }) => text.includes('offered')),
  };
}

test.each([
  ['of what is near and the first others', { near: '7,90,4000' }, 2_000],
  ['that many titles begin with', { q: 'bulk 1' }, 200],
  ['that all titles begin with', { q: 'b' }, 200],
  ['that few titles hold', { q: 'marigold' }, 20],
  ['that stands for a record', { q: '#4321' }, 20],
] as const)('a page of choices reads few rows: %s', async (_, query, most) => {
  const { statements, titles } = await offered(query);
  expect(statements).toHaveLength(1);
  expect(titles.length).toBeGreaterThan(0);
  expect((await met(statements[0]!, 'shots')).reduce((sum, one) => sum + one, 0)).toBeLessThan(most);
});

test.each(['u', 'lk 23', '2', 'zq'])('%j, with which few titles start, reads each row at most twice', async (q) => {
  const { statements, titles, total } = await offered({ q });
  expect(titles.length).toBe(Math.min(total, 50));
  expect((await met(statements[0]!, 'shots')).reduce((sum, one) => sum + one, 0)).toBeLessThan(2.2 * many);
});

import { demoPassword } from '../../src/product/demo/accounts';
import type { BenchmarkCase } from '../case';
import { interleave } from '../interleave';
import { oneAtATime } from '../one-at-a-time';
import { sizes, type BenchSite } from '../stage';

/** The throughput of pages with derived values, relative to the same pages without. */
const OF_BARE = 0.5;
/** Deals of each company. */
const DEALS = 3;

const derivedFields = {
  region: { type: 'lookup', source: 'region_id.name' },
  deals: { type: 'rollup', source: 'bench-deals.company_id', aggregate: 'count' },
  won: { type: 'rollup', source: 'bench-deals.company_id', aggregate: 'sum', field: 'amount', where: { state: 'won' } },
  last_state: {
    type: 'rollup',
    source: 'bench-deals.company_id',
    aggregate: 'latest',
    field: 'state',
    latestBy: 'closed_on',
  },
};

const grants = { '5': 'all' };
const companies = {
  name: 'bench-companies',
  labels: { one: 'Company', many: 'Companies' },
  scope: 'company',
  grants,
  fields: { name: { type: 'text', required: true }, region_id: { type: 'relation', to: 'bench-regions' } },
};

/** Those that come later refer to those before; companies get their derived fields when there are deals. */
const definitions: readonly object[] = [
  { ...companies, name: 'bench-regions', fields: { name: { type: 'text', required: true } } },
  companies,
  {
    ...companies,
    name: 'bench-deals',
    fields: {
      name: { type: 'text', required: true },
      company_id: { type: 'relation', to: 'bench-companies' },
      amount: { type: 'number', decimal: true },
      state: { type: 'select', options: ['won', 'lost'].map((value) => ({ value, label: value })) },
      closed_on: { type: 'date' },
    },
  },
];

/** Pages of 100,000 companies with a lookup and three rollups, beside the same pages without. */
export const rollups: BenchmarkCase = async ({ site }) => {
  const benchSite = await site('large');
  await publish(benchSite);
  await insertRows(benchSite);
  const page = (fields: readonly string[], start: number) =>
    `/api/bench-companies?range=[${start},${start + 14}]&fields=${['id', 'name', ...fields].join()}`;
  const starts = [0, 15, 300, 3_000];
  const ours = { ...benchSite.program, paths: starts.map((start) => page(Object.keys(derivedFields), start)) };
  const baseline = { ...benchSite.program, paths: starts.map((start) => page([], start)) };
  const { a, b, ratio } = await interleave(ours, baseline);
  const [derivedTime, plainTime] = await oneAtATime([ours, baseline]);
  return [
    {
      title: `a lookup and three rollups, ${sizes.large.toLocaleString('en')} rows`,
      ours: a,
      comparison: 'without them',
      baseline: b,
      ratio,
      target: OF_BARE,
      notes: [`one at a time ${derivedTime!.toFixed(1)} ms p50 beside ${plainTime!.toFixed(1)} ms`],
    },
  ];
};

async function publish({ program }: BenchSite): Promise<void> {
  const call = async (method: string, path: string, body: object, token?: string) => {
    const response = await fetch(`${program.address}/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${await response.text()}`);
    return (await response.json()) as { readonly token: string };
  };
  const { token } = await call('POST', 'login', { email: 'admin@demo.test', password: demoPassword });
  for (const definition of definitions) await call('POST', 'modules', { definition }, token);
  const definition = { ...companies, fields: { ...companies.fields, ...derivedFields } };
  await call('PUT', 'modules/bench-companies', { definition, version: 1 }, token);
}

async function insertRows({ client }: BenchSite): Promise<void> {
  const owner = `(select id, site_id from users where email = 'owner@demo.test')`;
  const stamps = 'site_id, created_by, updated_by, created_at, updated_at';
  const stamped = 'o.site_id, o.id, o.id, now(), now()';
  await client.query(
    `insert into bench_regions (name, ${stamps}) select 'Region ' || n, ${stamped} from generate_series(1, 100) n, ${owner} o`,
  );
  await client.query(
    `insert into bench_companies (name, region_id, ${stamps})
      select 'Company ' || n, (select min(id) from bench_regions) + n % 100, ${stamped}
      from generate_series(1, $1::integer) n, ${owner} o`,
    [sizes.large],
  );
  await client.query(
    `insert into bench_deals (name, company_id, amount, state, closed_on, ${stamps})
      select 'Deal ' || c.id || '/' || n, c.id, n * 10.25, case when n % 2 = 0 then 'won' else 'lost' end,
        date '2026-01-01' + n, ${stamped}
      from bench_companies c, generate_series(1, $1::integer) n, ${owner} o`,
    [DEALS],
  );
  for (const table of ['bench_regions', 'bench_companies', 'bench_deals'])
    await client.query(`vacuum analyze ${table}`);
}

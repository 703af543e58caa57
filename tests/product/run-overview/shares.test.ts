import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWork, type Row, type Work } from '../work';

// Nothing that is 99.99 % or 0.01 % is told as 100 or 0.

const many = 10_000;
let work: Work;
let setup: { milestone: Row; run: Row; requirement: Row; automated: Row; before: Record<string, number> };

/** Stores copies of a record with other values in some columns, of which `n` counts from 1; the quickest way to many. */
async function copyRow(
  table: string,
  id: number,
  changes: Record<string, RawBuilder<unknown>>,
  numbers: RawBuilder<unknown> = sql`generate_series(2, ${many}) n`,
): Promise<void> {
  const { kysely } = work.program.program.database;
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and column_name <> 'id' and is_generated = 'NEVER'`.execute(
    kysely,
  );
  const names = rows.map(({ name }) => name);
  await sql`insert into ${sql.id('public', table)} (${sql.join(names.map((name) => sql.id(name)))})
    select ${sql.join(names.map((name) => changes[name] ?? sql.id('t', name)))}
    from ${sql.id('public', table)} t cross join ${numbers} where t.id = ${id}`.execute(kysely);
}

beforeAll(async () => {
  work = await startWork();
  const { kysely } = work.program.program.database;
  const { open } = work;
  const before = await analytics();
  const milestone = await work.make('owner', 'milestones', { name: 'Nearly', project_id: open });
  const run = await work.make('qa', 'test-runs', { name: 'Nearly', project_id: open, milestone_id: milestone.id });
  const testCase = await work.make('owner', 'test-cases', { name: 'Nearly 1', project_id: open });
  const requirement = await work.make('owner', 'requirements', {
    ...{ name: 'Nearly', project_id: open, test_case_ids: [testCase.id] },
  });
  await work.as.qa('POST', `/test-runs/${run.id}/tests`, { test_cases: [testCase.id] });
  const entry = (await work.as.qa<{ data: Row[] }>('GET', `/run-entries?run_id=${run.id}`)).body.data[0]!;
  await work.as.qa('PUT', `/run-entries/${entry.id}/result`, { result: 'passed' });
  await copyRow('test_cases', testCase.id, { name: sql`'Nearly ' || n`, key: sql`'NEARLY-' || n` });
  const ids = sql`select c.id, row_number() over (order by c.id) as n from public.test_cases c where c.name like 'Nearly %'`;
  await sql`insert into public.requirements__test_case_ids (site_id, record_id, target_id)
    select r.site_id, r.id, i.id from (${ids}) i join public.requirements r on r.id = ${requirement.id} where i.id <> ${testCase.id}`.execute(
    kysely,
  );
  await copyRow(
    'run_entries',
    entry.id,
    { test_case_id: sql`n.id`, position: sql`n.n` },
    sql`(select c.id, row_number() over (order by c.id) as n from public.test_cases c where c.key like 'NEARLY-%') n`,
  );
  await sql`insert into public.attempts (entry_id, result, source, site_id, created_by, updated_by, created_at, updated_at)
    select e.id, 'passed', 'people', a.site_id, a.created_by, a.updated_by, a.created_at, a.updated_at
    from public.run_entries e, public.attempts a where e.run_id = ${run.id} and e.id <> ${entry.id} and a.entry_id = ${entry.id}`.execute(
    kysely,
  );
  const [known] = await work.rows('automated_tests');
  await copyRow(
    'automated_tests',
    known!.id,
    { identity: sql`'nearly'`, name: sql`'nearly'` },
    sql`generate_series(1, 1) n`,
  );
  const automated = (await work.rows('automated_tests')).find(({ identity }) => identity === 'nearly')!;
  // In the same project: each failure is compared with all of them.
  const other = await work.make('owner', 'test-runs', { name: 'Flaky', project_id: open });
  await copyRow('test_runs', other.id, { key: sql`'FLAKY-' || n`, name: sql`'Flaky ' || n`, report_link: sql`null` });
  await sql`insert into public.run_entries (run_id, name, automated_test_id, result, position, site_id, created_by, updated_by, created_at, updated_at)
    select r.id, 'flaky', ${automated.id}, 'passed', 1, e.site_id, e.created_by, e.updated_by, e.created_at, e.updated_at
    from public.test_runs r, public.run_entries e where r.name like 'Flaky%' and e.id = ${entry.id}`.execute(kysely);
  await sql`analyze public.run_entries, public.test_runs`.execute(kysely);
  setup = { milestone, run, requirement, automated, before };
}, 120_000);
afterAll(() => work?.program.close());

/** Gives one of the tests, or all but one, this result, and the others that one. */
async function setResults(of: 'one' | 'all but one'): Promise<void> {
  const { kysely } = work.program.program.database;
  const [rare, usual] = of === 'one' ? ['failed', 'passed'] : ['passed', 'failed'];
  const [first] = (
    await sql<{ id: number }>`select min(e.id) as id from public.run_entries e
    where e.run_id = ${setup.run.id}`.execute(kysely)
  ).rows;
  const result = (column: string) => sql`case when ${sql.ref(column)} = ${first!.id} then ${rare} else ${usual} end`;
  await sql`update public.run_entries e set result = ${result('e.id')} where e.run_id = ${setup.run.id}`.execute(
    kysely,
  );
  await sql`update public.attempts a set result = ${result('a.entry_id')} from public.run_entries e
    where e.id = a.entry_id and e.run_id = ${setup.run.id}`.execute(kysely);
  const [passed, failed] = (
    await sql<{ id: number }>`select id from public.results
    where lower(option_name) in ('passed', 'failed') order by lower(option_name) = 'failed'`.execute(kysely)
  ).rows;
  await sql`update public.test_cases c set result_id = case when (e.result = 'passed') then ${passed!.id}::integer else ${failed!.id}::integer end
    from public.run_entries e where e.test_case_id = c.id and e.run_id = ${setup.run.id}`.execute(kysely);
  const [flaky] = (
    await sql<{ id: number }>`select min(e.id) as id from public.run_entries e
    where e.automated_test_id = ${setup.automated.id} and e.name = 'flaky'`.execute(kysely)
  ).rows;
  await sql`update public.run_entries e set result = case when (e.id = ${flaky!.id}) = ${of === 'one'} then 'flaky' else 'passed' end
    where e.automated_test_id = ${setup.automated.id} and e.name = 'flaky'`.execute(kysely);
  // Counts that the server remembers are counted again after a change.
  await work.as.owner('PUT', `/milestones/${setup.milestone.id}`, { name: `Nearly ${of}` });
  await work.make('owner', 'test-cases', { name: 'Elsewhere', project_id: work.closed });
}
const get = async <T>(path: string) => {
  const { status, body } = await work.as.qa<{ data: T }>('GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
/** The tiles of the analytics of test cases. */
const analytics = async (): Promise<Record<string, number>> => {
  const path = `/test-case-analytics?project_id=${work.open}`;
  const { status, body } = await work.as.qa<{ tiles?: Tile[]; data?: { tiles: Tile[] } }>('GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
  return Object.fromEntries((body.data?.tiles ?? body.tiles!).map(({ key, count }) => [key, count]));
};
interface Tile {
  key: string;
  count: number;
}
const gateOf = (limit: number) =>
  get<{ ok: boolean; failed: object[] }>(
    `/test-runs/${setup.run.id}/gate?condition=${encodeURIComponent(JSON.stringify({ pass_rate: limit }))}`,
  );

describe.each([
  ['99.99 %', 'one' as const, many - 1, 1, 99.9, 0.1],
  ['0.01 %', 'all but one' as const, 1, many - 1, 0.1, 99.9],
])('%s that passed', (_, of, passed, failed, rate, flakiness) => {
  beforeAll(() => setResults(of), 60_000);

  test('is no round figure in the overview and the report of the run', async () => {
    const expected = { total: many, pass_rate: rate, counts: { passed, failed } };
    expect(await get(`/test-runs/${setup.run.id}/overview`)).toMatchObject(expected);
    expect(await get(`/test-runs/${setup.run.id}/report`)).toMatchObject(expected);
  });

  test('passes no gate that wants all of them, and says by how much', async () => {
    const percent = (100 * passed) / many;
    expect(await gateOf(100)).toMatchObject({ ok: false, failed: [{ limit: 100, actual: percent }] });
    expect(await gateOf(percent)).toMatchObject({ ok: true });
  });

  test('is counted exactly in coverage, trend and rollups of the run', async () => {
    const { requirements } = await get<{ requirements: (Row & { counts: Row })[] }>(
      `/requirement-coverage?project_id=${work.open}`,
    );
    const covered = requirements.find(({ id }) => id === setup.requirement.id)!;
    expect(covered).toMatchObject({ cases: many, counts: { passed, failed } });
    const trend = await get<Row[]>(`/milestones/${setup.milestone.id}/trend`);
    expect(trend.at(-1)).toMatchObject({ passed, failed, not_run: 0 });
    expect(await get(`/test-runs/${setup.run.id}`)).toMatchObject({ tests: many, passed, failed });
  });

  test('is counted exactly in the analytics of test cases', async () => {
    const counts = await analytics();
    const { before } = setup;
    expect([counts.passed! - before.passed!, counts.failed! - before.failed!]).toEqual([passed, failed]);
  });

  test('is no round share in a rollup', async () => {
    const stored = await get<Row>(`/automated-tests/${setup.automated.id}`);
    expect(stored.flakiness).toBe(of === 'one' ? 0.1 : flakiness);
  });
});

// @module-tag slow
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Statement } from '../../../src/server/database/statements';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

let demo: DemoProgram;
let readers: Record<string, Client>;
const asked: Statement[] = [];

/** 100,000 lines of a year: of two companies and the installation, 500 people, 4 events of which one is rare. */
beforeAll(async () => {
  demo = await startFixtureProgram();
  const { database } = demo.program;
  // Indexes are made quicker than they are kept.
  const names = ['search', 'address_at', 'record_at', 'viewed_at'].map((name) => `security_log_${name}`);
  const { rows: indexes } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where schemaname = 'assay' and indexname in (${sql.join(names)})`.execute(
    database.kysely,
  );
  for (const name of names) await sql`drop index ${sql.id('assay', name)}`.execute(database.kysely);
  await sql`insert into assay.security_log (at, event, user_id, site_id, resource, record_id, subject, address, agent, request_id)
    select now() - n * interval '5 minutes', case when n % 500 = 0 then 'role_deleted' else (array['sign_in', 'refused', 'exported'])[1 + n % 3] end,
      1 + n % 500, nullif(n % 3, 0), 'shots', (n % 9000)::text, 'Subject ' || md5(n::text), '10.' || n / 65536 || '.' || n / 256 % 256 || '.' || n % 256,
      'Mozilla/5.0 ' || n % 40, md5((n * 7)::text) from generate_series(1, 100000) n`.execute(database.kysely);
  for (const { definition } of indexes) await sql.raw(definition).execute(database.kysely);
  await sql`alter index assay.security_log_search alter column 1 set statistics 1000`.execute(database.kysely);
  await sql`analyze assay.security_log`.execute(database.kysely);
  readers = { admin: await demo.signIn(accounts.admin), owner: await demo.signIn(accounts.owner) };
  const noted =
    <Rest extends unknown[], Result>(run: (statement: Statement, ...rest: Rest) => Result) =>
    (statement: Statement, ...rest: Rest) => {
      if (statement.sql.includes('"security_log"')) asked.push(statement);
      return run(statement, ...rest);
    };
  Object.assign(database, { query: noted(database.query), queryAsJson: noted(database.queryAsJson) });
});
afterAll(() => demo?.close());

const text = 'q=a1b2c3';
const soon = `created_at_from=${new Date(Date.now() - 86_400_000).toISOString()}`;

test.each(
  [
    '',
    text,
    `${text}&event=refused`,
    'created_by=77',
    'event=role_deleted',
    'event=role_deleted&created_by=1',
    soon,
    'address=10.0.3.7',
    'q=10.0.3.7',
    'resource=shots&record_id=77',
    `created_by=77&${soon}`,
  ].flatMap((query) => [
    ['admin', query],
    ['owner', query],
  ]),
)('%s filters 100,000 lines by an index: %s', async (reader, query) => {
  asked.length = 0;
  const answer = await readers[reader]!('GET', `/security-log?range=[0,14]&${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(asked.length).toBeGreaterThan(0);
  // Without any filter all have to be counted, once until the next line.
  const judged = query === '' ? asked.filter(({ sql: text }) => !text.startsWith('select count(')) : asked;
  for (const { sql: statement, parameters } of judged) {
    const { rows } = await demo.program.database.pool.query(`explain (format json, analyze) ${statement}`, [
      ...parameters,
    ]);
    const plan = JSON.stringify(rows[0]['QUERY PLAN'], null, 1);
    expect(scansOf(rows[0]['QUERY PLAN'][0].Plan), plan).not.toContain('Seq Scan');
    expect(removedIn(rows[0]['QUERY PLAN'][0].Plan), plan).toBeLessThan(5_000);
  }
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** How the table of the log is read. */
function scansOf(plan: Plan): string[] {
  const own = plan['Relation Name'] === 'security_log' ? [plan['Node Type']] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}

/** Lines that were read in vain. */
function removedIn(plan: Plan): number {
  const own = plan['Relation Name'] === 'security_log' ? (plan['Rows Removed by Filter'] ?? 0) : 0;
  return own + (plan.Plans ?? []).map(removedIn).reduce((sum, one) => sum + one, 0);
}

import { sql } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { openDatabase, type Transaction } from '../../src/server/database/database';
import { withoutIndexes } from '../../src/product/demo/without-indexes';

/** Companies besides the demo's. They share a fifth of all records; the demo's company has the rest. */
const companies = 100;
/** Records of the demo that others are copied from, of each table. */
const models = 100;
/** Test cases for each task. */
const casesPerTask = 5;

/** The address of the owner of the first of the small companies; the password is that of the demo accounts. */
export const smallOwner = 'owner1@company.test';

/**
 * Fills an installation with demo data up to a number of test cases, and a fifth as many tasks, each with its creation
 * in the history: copies of the demo's, spread over two years. No program may use the database meanwhile.
 */
export async function fillDatabase(url: string, testCases: number): Promise<void> {
  const database = openDatabase(url, pino({ level: 'error' }), { connections: 1 });
  try {
    await database.transaction(async (trx) => {
      await sql`set local statement_timeout = 0`.execute(trx);
      await sql`set local work_mem = '256MB'`.execute(trx);
      await sql`set local maintenance_work_mem = '1GB'`.execute(trx);
      await sql`set local synchronous_commit = off`.execute(trx);
      await addCompanies(trx);
      await withoutIndexes(trx, ['tasks', 'test_cases', 'assay.history'], async () => {
        await copies(trx, 'tasks', Math.round(testCases / casesPerTask), taskColumns);
        // The choice of a task for each test case needs the index.
        await sql`analyze tasks`.execute(trx);
        await copies(trx, 'test_cases', testCases, caseColumns);
      });
    });
  } finally {
    await database.close();
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** Once: companies with an owner, a project and a module each. Their place is in the name of the project. */
async function addCompanies(trx: Transaction): Promise<void> {
  const { rows } = await sql`select from users where email = ${smallOwner}`.execute(trx);
  if (rows.length > 0) return;
  await sql`
    with demo as (select u.* from users u where u.email = 'owner@demo.test'),
      made as (
        insert into sites (name, country, created_at, updated_at)
        select 'Company ' || n, country, now(), now() from generate_series(1, ${sql.lit(companies)}) n
        join sites s on s.id = (select site_id from demo) returning id, substring(name from 9)::integer as place
      ), owners as (
        insert into users (first_name, last_name, email, role_id, status_id, password, site_id, created_at, updated_at)
        select d.first_name, 'of Company ' || m.place, 'owner' || m.place || '@company.test', d.role_id, d.status_id,
          d.password, m.id, now(), now() from made m, demo d returning id, site_id
      ), projects as (
        insert into projects (name, code, project_status_id, site_id, created_by, created_at, updated_at)
        select 'Project ' || m.place, 'P' || m.place, 1, m.id, o.id, now(), now()
        from made m join owners o on o.site_id = m.id returning id, site_id, created_by
      )
    insert into project_modules (name, project_id, site_id, created_by, created_at, updated_at)
    select 'Module', id, site_id, created_by, now(), now() from projects`.execute(trx);
}

/** The differences from the template, if the row belongs to a small company (c), and otherwise. */
const sharedColumns = {
  name: `m.name || ' #' || n`,
  // Beyond what the program numbers.
  key: `regexp_replace(m.key, '\\d+$', '') || 10000000 + n`,
  site_id: `coalesce(c.site_id, m.site_id)`,
  project_id: `coalesce(c.project_id, m.project_id)`,
  assigned_to: `case when c.site_id is null then m.assigned_to else c.owner end`,
  created_by: `coalesce(c.owner, m.created_by)`,
  updated_by: `case when c.site_id is null then m.updated_by else c.owner end`,
  created_at: `m.created_at - n % 730 * interval '1 day'`,
  updated_at: `m.updated_at - n % 730 * interval '1 day'`,
};
const taskColumns: Readonly<Record<string, string>> = {
  ...sharedColumns,
  project_module_id: `coalesce(c.module, m.project_module_id)`,
  project_sub_module_id: `case when c.site_id is null then m.project_sub_module_id end`,
  // As in a company at work, nearly everything is done: 400 tasks are open, however many there are.
  status_id: `case when n % (${'$target'} / 400) = 0 then m.status_id else 3 + n % 2 end`,
};
const caseColumns: Readonly<Record<string, string>> = {
  ...sharedColumns,
  project_module: `coalesce(c.module, m.project_module)`,
  project_sub_module: `case when c.site_id is null then m.project_sub_module end`,
  // Spread over all tasks of the company.
  task_id: `case when c.site_id is null then (select t.id from tasks t where t.site_id = m.site_id
    and t.id >= n * 31 % (select max(id) from tasks) order by t.id limit 1) end`,
  sharable_link: `replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')`,
};

async function copies(
  trx: Transaction,
  table: string,
  target: number,
  changedColumns: Readonly<Record<string, string>>,
): Promise<void> {
  const { rows } = await sql<{ name: string; stored: boolean }>`
    select attname as name from pg_attribute
    where attrelid = ${`public.${table}`}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> 'id'`.execute(trx);
  const columns = rows.map(({ name }) => `"${name}"`);
  const values = rows.map(({ name }) => changedColumns[name]?.replace('$target', String(target)) ?? `m."${name}"`);
  const system = ['site_id', 'created_by', 'updated_by', 'created_at', 'updated_at'];
  const keptColumns = rows
    .filter(({ name }) => !system.includes(name))
    .map(({ name }) => `'${name}'::text, s."${name}"`);
  await sql
    .raw(
      `
    with demo as (select site_id from users where email = 'owner@demo.test'),
      models as (
        select t.*, row_number() over (order by t.id) - 1 as place
        from ${table} t where site_id = (select site_id from demo) order by id limit ${models}
      ), small as (
        select row_number() over (order by p.id) - 1 as place, p.site_id, p.id as project_id, p.created_by as owner,
          (select m.id from project_modules m where m.project_id = p.id limit 1) as module
        from projects p join users u on u.id = p.created_by and u.email like '%@company.test'
      ), stored as (
        insert into ${table} (${columns.join(', ')})
        select ${values.join(', ')}
        from generate_series((select count(*) from ${table})::integer + 1, ${target}) n
        join models m on m.place = n % ${models}
        left join small c on n % 5 = 0 and c.place = n / 5 % ${companies}
        returning *
      )
    insert into assay.history (site_id, resource, record_id, event, new_values, user_id, created_at)
    select s.site_id, '${table.replace('_', '-')}', s.id, 'created', jsonb_strip_nulls(jsonb_build_object(${keptColumns.join(', ')})),
      s.created_by, s.created_at from stored s`,
    )
    .execute(trx);
}

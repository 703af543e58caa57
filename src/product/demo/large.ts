import { sql, type RawBuilder } from 'kysely';
import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import type { Transaction } from '../../server/database/database';
import type { Program } from '../../server/program';
import { storedFields } from '../../server/records/write/row-writes';
import { withoutIndexes } from './without-indexes';
import { oneRow } from '../../server/database/one-row';
import { fieldOf } from '../../engine/definitions/accessors';
import { companyKeySql } from '../../server/sql/company-key';

/** How much there is in the end. */
const largeDemoAmounts = { tasks: 100_000, 'test-cases': 100_000, 'time-logs': 200_000 } as const;

type Amounts = Readonly<Record<keyof typeof largeDemoAmounts, number>>;
type Overrides = Readonly<Record<string, RawBuilder<unknown>>>;

/**
 * Grows the demo data to the given amounts in one transaction, and reports progress. Every demo record is a template
 * for others in the same project, created up to two years earlier.
 */
export async function growDemoData(
  program: Program,
  tell: (line: string) => void,
  amounts: Amounts = largeDemoAmounts,
): Promise<void> {
  const registry = program.definitions.registry();
  await program.database.transaction(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`set local work_mem = '128MB'`.execute(trx);
    await sql`set local maintenance_work_mem = '256MB'`.execute(trx);
    const tables = [...Object.keys(amounts).map((name) => registry.getOrThrow(name).table), 'assay.history'];
    const startTime = Date.now();
    await withoutIndexes(trx, tables, () => growTables(trx, registry, tell, amounts));
    tell(`rows, indexes and references stand after ${((Date.now() - startTime) / 1000).toFixed(1)} s`);
  });
  for (const name of Object.keys(amounts)) {
    await sql`vacuum analyze ${sql.id('public', registry.getOrThrow(name).table)}`.execute(program.database.kysely);
  }
}

async function growTables(
  trx: Transaction,
  registry: Registry,
  tell: (line: string) => void,
  amounts: Amounts,
): Promise<void> {
  const growth = new TableGrowth(trx, tell);
  const tasks = registry.getOrThrow('tasks');
  const testCases = registry.getOrThrow('test-cases');
  const logs = registry.getOrThrow('time-logs');
  const older = (column: string) => sql`m.${sql.id(column)} - nth % 365 * 2`;

  await growth.grow(tasks, amounts.tasks, {
    name: sql`m.name || ' #' || nth`,
    start_date: sql`case when m.status_id > 2 then ${older('start_date')} else m.start_date end`,
    end_date: sql`case when m.status_id > 2 then ${older('end_date')} else m.end_date end`,
    created_at: sql`m.created_at - ${templateAge}`,
    updated_at: sql`m.updated_at - ${templateAge}`,
  });
  await sql`create temp table grown_tasks on commit drop as
    select id, project_id, row_number() over (partition by project_id order by id) - 1 as place
    from tasks where site_id = 1`.execute(trx);
  await sql`create temp table grown_projects on commit drop as
    select project_id, count(*) as tasks from grown_tasks group by project_id`.execute(trx);
  await sql`create index on grown_tasks (project_id, place)`.execute(trx);
  await sql`analyze grown_tasks`.execute(trx);

  // Keys go on after the last one; the counter is computed again from them.
  await sql`delete from assay.sequences where resource = ${testCases.name}`.execute(trx);
  const numberedRow = oneRow(
    await sql<{ last: number }>`
    select coalesce(max(substring(key from '[0-9]+$')::integer), 0) as last from test_cases where site_id = 1`.execute(
      trx,
    ),
  );
  await growth.grow(testCases, amounts['test-cases'], {
    key: sql`'TC-' || (${numberedRow.last}::bigint + n + 1)`,
    name: sql`m.name || ' #' || nth`,
    task_id: sql`case when m.task_id is not null then (select g.id from grown_tasks g where g.project_id = m.project_id and g.place =
      (nth * 31 + m.id) % (select p.tasks from grown_projects p where p.project_id = m.project_id)) end`,
    sharable_link: sql`replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')`,
    created_at: sql`m.created_at - ${templateAge}`,
    updated_at: sql`m.updated_at - ${templateAge}`,
  });
  await growth.grow(logs, amounts['time-logs'], {
    task_id: sql`(select g.id from (select t.project_id, p.tasks from tasks t
      join grown_projects p on p.project_id = t.project_id where t.id = m.task_id) near
      join grown_tasks g on g.project_id = near.project_id and g.place = (nth * 17 + m.id) % near.tasks)`,
    date: sql`m.date - nth % 365 * 2`,
    created_at: sql`m.created_at - ${templateAge}`,
    updated_at: sql`m.updated_at - ${templateAge}`,
  });
}

/** Two days more for each time that a record was a model before, within two years. */
const templateAge = sql`make_interval(days => nth % 365 * 2)`;

class TableGrowth {
  constructor(
    private readonly trx: Transaction,
    private readonly tell: (line: string) => void,
  ) {}

  /** Fills a table up to an amount with rows after its own, each different in some columns. */
  async grow(definition: Definition, amount: number, overrides: Overrides): Promise<void> {
    const startTime = Date.now();
    const table = sql.id('public', definition.table);
    const names = storedFields(definition)
      .map(({ name }) => name)
      .filter((name) => name !== 'id');
    const columns = names.map((name) => overrides[name] ?? sql.id('m', name));
    const rows = await sql<{ missing: number }>`
      select greatest(0, ${amount} - count(*))::integer as missing from ${table}`.execute(this.trx);
    const { missing: missingCount } = oneRow(rows);
    const copiedColumns = sql.join(
      names
        .filter((name) => !fieldOf(definition, name).system)
        .map((name) => sql`${sql.lit(name)}::text, ${sql.id('s', name)}`),
    );
    await sql`
      with models as (
        select t.*, row_number() over (order by t.id) - 1 as place, count(*) over () as models
        from ${table} t where t.site_id = 1
      ), stored as (
        insert into ${table} (${sql.join(names.map((name) => sql.id(name)))})
        select ${sql.join(columns)}
        from (select n, n / (select count(*) from models) as turn from generate_series(0, ${missingCount} - 1) n) series
        join models m on m.place = n % m.models
        cross join lateral (select (turn + 1)::integer as nth) times
        returning *
      )
      insert into assay.history (site_id, resource, record_id, event, new_values, user_id, created_at)
      select ${companyKeySql(definition, 's')}, ${definition.name}, s.id, 'created', jsonb_strip_nulls(jsonb_build_object(${copiedColumns})), s.created_by, s.created_at
      from stored s`.execute(this.trx);
    const countRow = oneRow(
      await sql<{ count: number }>`select count(*)::integer as count from ${table}`.execute(this.trx),
    );
    const seconds = ((Date.now() - startTime) / 1000).toFixed(1);
    this.tell(`${countRow.count} ${definition.labels.many.toLowerCase()} (${missingCount} added in ${seconds} s)`);
  }
}

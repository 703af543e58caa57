import type pg from 'pg';

/** Ids and names of the inserted data. */
export interface TestRows {
  /** The first and last id of the inserted rows, which are consecutive. */
  readonly first: number;
  readonly last: number;
  readonly statusId: number;
  readonly clientId: number;
  readonly typeId: number;
}

/** Inserts that many projects into the demo company, spread over its clients, the statuses and five years, and analyses. */
export async function insertRows(client: pg.Client, count: number): Promise<TestRows> {
  const { rows } = await client.query(
    `with owner as (select id, site_id from users where email = 'owner@demo.test'),
      ours as (select array_agg(c.id order by c.id) as ids from clients c, owner o
        where c.site_id = o.site_id and c.archived_at is null),
      statuses as (select array_agg(id order by id) as ids from project_status),
      types as (select array_agg(id order by id) as ids from project_types where site_id is null),
      added as (
        insert into projects (site_id, name, code, client_id, type_id, project_status_id, technologies_used,
          start_date, end_date, created_by, updated_by, created_at, updated_at)
        select o.site_id, 'Project ' || md5(n::text), 'P' || n, c.ids[1 + n % cardinality(c.ids)],
          t.ids[1 + n / 7 % cardinality(t.ids)], s.ids[1 + n / 3 % cardinality(s.ids)], 'TypeScript, PostgreSQL',
          date '2021-01-01' + n % 1800, date '2021-03-01' + n % 1800, o.id, o.id, now(), now()
        from generate_series(1, $1::integer) n, owner o, ours c, statuses s, types t
        order by n
        returning id)
      select (select min(id) from added) as first, (select max(id) from added) as last,
        s.ids[1] as "statusId", c.ids[1] as "clientId", t.ids[1] as "typeId"
      from ours c, statuses s, types t`,
    [count],
  );
  await client.query('vacuum analyze projects');
  return rows[0] as TestRows;
}

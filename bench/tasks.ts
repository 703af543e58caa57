import type pg from 'pg';

/** Adds tasks like those of the demo company, spread over the states and two years, until there are that many in all. */
export async function growTasks(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `with ours as (
        select t.*, row_number() over (order by t.id) - 1 as place, count(*) over () as many
        from tasks t join users u on u.email = 'owner@demo.test' and u.site_id = t.site_id order by t.id limit 100)
      insert into tasks (site_id, name, project_id, project_module_id, description, assigned_to, status_id, priority_id,
        start_date, end_date, created_by, updated_by, created_at, updated_at)
      select o.site_id, o.name || ' #' || n, o.project_id, o.project_module_id, '', o.assigned_to, 1 + n % 4,
        1 + n / 4 % 4, current_date - n % 700, current_date - n % 700 + 30, o.created_by, o.updated_by,
        now() - n % 700 * interval '1 day', now() - n % 700 * interval '1 day'
      from generate_series(1, $1::integer - (select count(*)::integer from tasks)) n
      join ours o on o.place = n % least(o.many, 100)`,
    [count],
  );
  await client.query('vacuum analyze tasks');
}

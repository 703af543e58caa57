import type pg from 'pg';

/** Adds tasks like those of the demo company until there are enough open ones, and returns their number. */
export async function openTasks(client: pg.Client, count: number): Promise<number> {
  await client.query(
    `with open as (
        select t.*, row_number() over (order by t.id) - 1 as place, count(*) over () as many
        from tasks t join users u on u.email = 'owner@demo.test' and u.site_id = t.site_id where t.status_id in (1, 2))
      insert into tasks (site_id, name, project_id, project_module_id, description, assigned_to, status_id, priority_id,
        start_date, end_date, created_by, updated_by, created_at, updated_at)
      select o.site_id, o.name || ' #' || n, o.project_id, o.project_module_id, o.description, o.assigned_to, o.status_id,
        o.priority_id, o.start_date, o.end_date, o.created_by, o.updated_by, o.created_at, o.updated_at
      from generate_series(1, $1::integer - (select count(*)::integer from open)) n
      join open o on o.place = n % o.many`,
    [count],
  );
  await client.query('vacuum analyze tasks');
  const { rows } = await client.query<{ open: number }>(
    `select count(*)::integer as open from tasks t join users u on u.email = 'owner@demo.test' and u.site_id = t.site_id
      where t.status_id in (1, 2)`,
  );
  return rows[0]!.open;
}

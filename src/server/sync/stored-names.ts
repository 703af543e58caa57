import type { EngineTables } from '../database/engine-tables';

/** A column of the engine's tables with the names of modules. */
interface NameColumn {
  readonly table: keyof EngineTables;
  readonly column: string;
  /** The column beside it with the name of a field. */
  readonly field?: string;
  /** It is kept when the module is deleted with its tables. */
  readonly outlives?: true;
}

/**
 * Every column of the engine's tables that names modules or their fields: renaming one renames what is stored about it,
 * and deleting a module deletes it. `modules` and `module_versions` follow in `definitions/renames.ts`, as do the texts of
 * drafts; what keeps old names on purpose is listed in `tests/server/sync/stored-names.test.ts`.
 */
export const nameColumns: readonly NameColumn[] = [
  { table: 'automation_runs', column: 'resource' },
  { table: 'automation_schedules', column: 'resource' },
  { table: 'comments', column: 'resource' },
  { table: 'deletions', column: 'resource' },
  // The sweep deletes files whose record is gone.
  { table: 'files', column: 'resource', field: 'field', outlives: true },
  { table: 'grants', column: 'module' },
  { table: 'grid_configurations', column: 'name' },
  { table: 'history', column: 'resource' },
  { table: 'import_mappings', column: 'resource', field: 'field' },
  { table: 'import_memories', column: 'resource' },
  { table: 'presence', column: 'resource' },
  { table: 'sample_records', column: 'resource' },
  { table: 'seeded_modules', column: 'module' },
  { table: 'sequences', column: 'resource', field: 'field' },
  { table: 'service_scopes', column: 'module' },
  { table: 'shipped_rows', column: 'resource' },
  { table: 'timers', column: 'resource' },
  { table: 'told_deadlines', column: 'resource' },
  { table: 'watches', column: 'resource' },
];

const update = (table: string, set: string, where: string) => `update ${table} set ${set} where ${where}`;

/** Statements that rename a module in everything that is stored about it. */
export function renameResourceStatements(was: string, name: string): string[] {
  const [from, to] = [quoteText(was), quoteText(name)];
  return [
    ...nameColumns.map(({ table, column }) => update(`assay.${table}`, `${column} = ${to}`, `${column} = ${from}`)),
    // Links lead to records, and to lists: /orders/7, /orders?state=open.
    update(
      'assay.notifications',
      `link = ${quoteText(`/${name}`)} || substr(link, ${was.length + 2})`,
      `link ~ ${quoteText(`^/${was}([/?#]|$)`)}`,
    ),
    // Imports that wait for their turn, and the list of all.
    update(
      'assay.jobs',
      `input = jsonb_set(input, '{type}', to_jsonb(${to}::text))`,
      `kind = 'import' and input->>'type' = ${from}`,
    ),
    ifTableExists('public.views', [update('public.views', `module = ${to}`, `module = ${from}`)]),
    ifTableExists('public.pages', [
      update(
        'public.pages',
        `tiles = (select jsonb_agg(case when one->>'module' = ${from} then jsonb_set(one, '{module}', to_jsonb(${to}::text)) else one end order by place)
          from jsonb_array_elements(tiles) with ordinality as list (one, place))`,
        `tiles @> jsonb_build_array(jsonb_build_object('module', ${from}::text))`,
      ),
    ]),
    ifTableExists('public.imports', [
      update('public.imports', `type = ${to}`, `type = ${from}`),
      update('public.imports', `asked_resource = ${to}`, `asked_resource = ${from}`),
    ]),
  ];
}

/** Statements that rename a field in everything that is stored about it. */
export function renameFieldStatements(resource: string, was: string, name: string): string[] {
  const [of, from, to] = [quoteText(resource), quoteText(was), quoteText(name)];
  const json = (value: string) => `to_jsonb(${value}::text)`;
  const renamedKey = (column: string) =>
    `${column} = case when ${column} ? ${from} then (${column} - ${from}) || jsonb_build_object(${to}, ${column}->${from}) else ${column} end`;
  return [
    ...nameColumns.flatMap(({ table, column, field }) =>
      field === undefined
        ? []
        : [update(`assay.${table}`, `${field} = ${to}`, `${column} = ${of} and ${field} = ${from}`)],
    ),
    update(
      'assay.history',
      `${renamedKey('old_values')}, ${renamedKey('new_values')}`,
      `resource = ${of} and (old_values ? ${from} or new_values ? ${from})`,
    ),
    update(
      'assay.grid_configurations',
      `configuration = (select jsonb_agg(case when one->>'field' = ${from} then jsonb_set(one, '{field}', ${json(to)}) else one end order by place)
        from jsonb_array_elements(configuration) with ordinality as list (one, place))`,
      `name = ${of} and configuration @> jsonb_build_array(jsonb_build_object('field', ${from}::text))`,
    ),
    update(
      'assay.import_memories',
      `mapping = (select jsonb_object_agg(key, case when value = ${json(from)} then ${json(to)} else value end)
        from jsonb_each(mapping))`,
      `resource = ${of} and exists (select from jsonb_each(mapping) where value = ${json(from)})`,
    ),
    ifTableExists('public.views', [
      update(
        'public.views',
        `settings = ${renamedSettings(was, name)}`,
        `module = ${of} and jsonb_typeof(settings) = 'object' and strpos(settings::text, ${from}) > 0`,
      ),
    ]),
    renameInTiles(of, was, name),
  ];
}

/**
 * A block that renames a field in the tiles of pages about its module: in their columns, their order, and their
 * conditions, also within `$and`, `$or` and `$not`. What `$some` says is about another module.
 */
function renameInTiles(of: string, was: string, name: string): string {
  const [from, to] = [quoteText(was), quoteText(name)];
  return `do $do$ declare page record; tile jsonb; part text[]; changed jsonb; at integer; begin
    if to_regclass('public.pages') is null then return; end if;
    for page in select id, tiles from public.pages where jsonb_typeof(tiles) = 'array'
        and tiles @> jsonb_build_array(jsonb_build_object('module', ${of}::text)) loop
      changed := page.tiles;
      for at in 0 .. jsonb_array_length(changed) - 1 loop
        tile := changed -> at;
        continue when tile->>'module' is distinct from ${of};
        if tile->>'sort' in (${from}, '-' || ${from}) then
          tile := jsonb_set(tile, '{sort}', to_jsonb(replace(tile->>'sort', ${from}, ${to})));
        end if;
        if jsonb_typeof(tile->'columns') = 'array' then
          tile := jsonb_set(tile, '{columns}', (select coalesce(jsonb_agg(case when one = to_jsonb(${from}::text)
            then to_jsonb(${to}::text) else one end order by place), '[]')
            from jsonb_array_elements(tile->'columns') with ordinality as list (one, place)));
        end if;
        for part in with recursive parts (path, value) as (
            select array['where'], tile->'where' where jsonb_typeof(tile->'where') = 'object'
            union all
            select parts.path || inner_part.path, inner_part.value from parts, lateral (
              select array[key], value from jsonb_each(case jsonb_typeof(parts.value) when 'object' then parts.value else '{}' end)
                where key in ('$and', '$or', '$not')
              union all
              select array[(place - 1)::text], value
                from jsonb_array_elements(case jsonb_typeof(parts.value) when 'array' then parts.value else '[]' end)
                with ordinality as list (value, place)
            ) as inner_part (path, value))
          select path from parts where jsonb_typeof(value) = 'object' and value ? ${from} loop
          tile := jsonb_set(tile #- (part || ${from}::text), part || ${to}::text, tile #> (part || ${from}::text));
        end loop;
        changed := jsonb_set(changed, array[at::text], tile);
      end loop;
      update public.pages set tiles = changed where id = page.id and tiles <> changed;
    end loop; end $do$`;
}

/** The settings of saved views with a new name of a field: filters and totals by it, columns, the order and the groups. */
function renamedSettings(was: string, name: string): string {
  const [from, to] = [quoteText(was), quoteText(name)];
  const part = (key: string, value: string) =>
    `case when jsonb_typeof(settings->'${key}') in ('object', 'array') then jsonb_build_object('${key}', ${value}) else '{}' end`;
  const renamedKey = ['', '_from', '_to'].map((end) => `when ${from} || '${end}' then ${to} || '${end}'`).join(' ');
  const keys = (key: string) =>
    part(
      key,
      `(select coalesce(jsonb_object_agg(case key ${renamedKey} else key end, value), '{}') from jsonb_each(settings->'${key}'))`,
    );
  const columns = `(select coalesce(jsonb_agg(case when one->>'field' = ${from}
      then jsonb_set(one, '{field}', to_jsonb(${to}::text)) else one end order by place), '[]')
    from jsonb_array_elements(settings->'columns') with ordinality as list (one, place))`;
  // An order has a sign, a group by dates its period.
  const pattern = quoteText(`^(-?)${was}(:\\w+)?$`);
  const words = `(select coalesce(jsonb_object_agg(key, regexp_replace(value #>> '{}', ${pattern}, ${quoteText(`\\1${name}\\2`)})), '{}')
    from jsonb_each(settings) where key in ('sort', 'group') and jsonb_typeof(value) = 'string')`;
  return `settings || ${keys('filters')} || ${keys('totals')} || ${part('columns', columns)} || ${words}`;
}

/** Not every product has every module of the system. */
function ifTableExists(table: string, statements: readonly string[]): string {
  return `do $do$ begin if to_regclass('${table}') is not null then ${statements.join('; ')}; end if; end $do$`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

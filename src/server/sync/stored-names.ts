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
  { table: 'automation_due_times', column: 'resource' },
  { table: 'automation_runs', column: 'resource' },
  { table: 'automation_schedules', column: 'resource' },
  { table: 'comments', column: 'resource' },
  { table: 'deletions', column: 'resource' },
  // The sweep deletes files whose record is gone.
  { table: 'files', column: 'resource', field: 'field', outlives: true },
  { table: 'grants', column: 'module' },
  { table: 'grid_configurations', column: 'name' },
  { table: 'history', column: 'resource' },
  { table: 'import_memories', column: 'resource' },
  { table: 'presence', column: 'resource' },
  { table: 'public_forms', column: 'resource' },
  { table: 'public_records', column: 'resource' },
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
    ifTableExists('public.snippets', [
      update(
        'public.snippets',
        `modules = array_to_string(array_replace(string_to_array(modules, ', '), ${from}, ${to}), ', ')`,
        `${from} = any(string_to_array(modules, ', '))`,
      ),
    ]),
    ifTableExists('public.imports', [
      update('public.imports', `type = ${to}`, `type = ${from}`),
      update('public.imports', `asked_resource = ${to}`, `asked_resource = ${from}`),
    ]),
  ];
}

/** Statements that rename a field in what is stored about it under its own name; `follow-renames.ts` has what names it in JSON. */
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
      'assay.import_memories',
      `mapping = (select jsonb_object_agg(key, case when value = ${json(from)} then ${json(to)} else value end)
        from jsonb_each(mapping))`,
      `resource = ${of} and exists (select from jsonb_each(mapping) where value = ${json(from)})`,
    ),
    // In a snippet for several modules the name may be that of another module's field.
    ifTableExists('public.snippets', [
      update(
        'public.snippets',
        `text = replace(replace(text, ${quoteText(`{${was}}`)}, ${quoteText(`{${name}}`)}), ${quoteText(`{${was}.`)}, ${quoteText(`{${name}.`)})`,
        `modules = ${of}`,
      ),
    ]),
  ];
}

/** Not every product has every module of the system. */
function ifTableExists(table: string, statements: readonly string[]): string {
  return `do $do$ begin if to_regclass('${table}') is not null then ${statements.join('; ')}; end if; end $do$`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

import type { EngineTables } from '../database/engine-tables';
import { quoteText } from '../database/identifiers';

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

const update = (table: string, set: string, condition: string) => `update ${table} set ${set} where ${condition}`;

/** Statements that rename a module in everything that is stored about it. */
export function renameResourceStatements(formerName: string, name: string): string[] {
  const [formerText, newText] = [quoteText(formerName), quoteText(name)];
  return [
    ...nameColumns.map(({ table, column }) =>
      update(`assay.${table}`, `${column} = ${newText}`, `${column} = ${formerText}`),
    ),
    // Links lead to records, and to lists: /orders/7, /orders?state=open.
    update(
      'assay.notifications',
      `link = ${quoteText(`/${name}`)} || substr(link, ${formerName.length + 2})`,
      `link ~ ${quoteText(`^/${formerName}([/?#]|$)`)}`,
    ),
    // Imports that wait for their turn, and the list of all.
    update(
      'assay.jobs',
      `input = jsonb_set(input, '{type}', to_jsonb(${newText}::text))`,
      `kind = 'import' and input->>'type' = ${formerText}`,
    ),
    ifTableExists('public.views', [update('public.views', `module = ${newText}`, `module = ${formerText}`)]),
    ifTableExists('public.pages', [
      update(
        'public.pages',
        `tiles = (select jsonb_agg(case when one->>'module' = ${formerText} then jsonb_set(one, '{module}', to_jsonb(${newText}::text)) else one end order by place)
          from jsonb_array_elements(tiles) with ordinality as list (one, place))`,
        `tiles @> jsonb_build_array(jsonb_build_object('module', ${formerText}::text))`,
      ),
    ]),
    ifTableExists('public.snippets', [
      update(
        'public.snippets',
        `modules = array_to_string(array_replace(string_to_array(modules, ', '), ${formerText}, ${newText}), ', ')`,
        `${formerText} = any(string_to_array(modules, ', '))`,
      ),
    ]),
    ifTableExists('public.imports', [
      update('public.imports', `type = ${newText}`, `type = ${formerText}`),
      update('public.imports', `asked_resource = ${newText}`, `asked_resource = ${formerText}`),
    ]),
  ];
}

/** Statements that rename a field in what is stored about it under its own name; `follow-renames.ts` has what names it in JSON. */
export function renameFieldStatements(resource: string, formerName: string, name: string): string[] {
  const [resourceText, formerText, newText] = [quoteText(resource), quoteText(formerName), quoteText(name)];
  const json = (value: string) => `to_jsonb(${value}::text)`;
  const renamedKey = (column: string) =>
    `${column} = case when ${column} ? ${formerText} then (${column} - ${formerText}) || jsonb_build_object(${newText}, ${column}->${formerText}) else ${column} end`;
  return [
    ...nameColumns.flatMap(({ table, column, field }) =>
      field === undefined
        ? []
        : [
            update(
              `assay.${table}`,
              `${field} = ${newText}`,
              `${column} = ${resourceText} and ${field} = ${formerText}`,
            ),
          ],
    ),
    update(
      'assay.history',
      `${renamedKey('old_values')}, ${renamedKey('new_values')}`,
      `resource = ${resourceText} and (old_values ? ${formerText} or new_values ? ${formerText})`,
    ),
    update(
      'assay.import_memories',
      `mapping = (select jsonb_object_agg(key, case when value = ${json(formerText)} then ${json(newText)} else value end)
        from jsonb_each(mapping))`,
      `resource = ${resourceText} and exists (select from jsonb_each(mapping) where value = ${json(formerText)})`,
    ),
    // In a snippet for several modules the name may be that of another module's field.
    ifTableExists('public.snippets', [
      update(
        'public.snippets',
        `text = replace(replace(text, ${quoteText(`{${formerName}}`)}, ${quoteText(`{${name}}`)}), ${quoteText(`{${formerName}.`)}, ${quoteText(`{${name}.`)})`,
        `modules = ${resourceText}`,
      ),
    ]),
  ];
}

/** Not every product has every module of the system. */
function ifTableExists(table: string, statements: readonly string[]): string {
  return `do $do$ begin if to_regclass('${table}') is not null then ${statements.join('; ')}; end if; end $do$`;
}

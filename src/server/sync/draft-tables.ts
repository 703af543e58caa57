import type { Registry } from '../../engine/registry/registry';
import type { Queries } from '../database/database';
import { futureTableSql } from './renamed-values';
import { introspect } from './row-queries';
import { formerDefinition } from './plan';
import { planRenames } from './plan-renames';
import { qualifiedTable, quoteIdentifier, targetSchema, type TargetTable } from './target-schema';
import { getOrThrow } from '../../engine/values/lookups';

/**
 * The tables of a definition that publishing it would change, with their rows as they would be then: table → an SQL
 * `from` item. A table that does not exist yet has no rows. Changes nothing, and reads only PostgreSQL's catalog.
 *
 * @example (await draftTables(trx, 'deals', before, after)).get('deals'); // (select "name", null::date as "due" from …)
 */
export async function draftTables(
  queries: Queries,
  name: string,
  previousRegistry: Registry,
  nextRegistry: Registry,
): Promise<ReadonlyMap<string, string>> {
  const current = await introspect(queries);
  const { tables } = targetSchema(nextRegistry);
  const { storedTables } = planRenames(tables, current);
  const changedTables = new Map<string, string>();
  for (const table of tables.filter(({ definition }) => definition.name === name)) {
    const storedTable = storedTables.get(table.name);
    const rows = storedTable
      ? futureTableSql(
          table,
          storedTable,
          formerDefinition(table, previousRegistry),
          storedTables.get(table.definition.table),
        )
      : noRowsOf(table);
    const { search } = table;
    const isSame = rows === qualifiedTable(table.name);
    if (isSame && (!search || getOrThrow(current.tables, table.name).has(search.name))) continue;
    changedTables.set(table.name, search ? withSearchColumn(rows, table.name, search) : rows);
  }
  return changedTables;
}

function noRowsOf({ columns }: TargetTable): string {
  return `(select ${columns.map(({ name, type }) => `null::${type} as ${quoteIdentifier(name)}`).join(', ')} where false)`;
}

/** The expression of the column names the table, so the rows get its name. */
function withSearchColumn(
  rows: string,
  table: string,
  { name, expression }: NonNullable<TargetTable['search']>,
): string {
  const alias = quoteIdentifier(table);
  return `(select ${alias}.*, (${expression}) as ${quoteIdentifier(name)} from ${rows} as ${alias})`;
}

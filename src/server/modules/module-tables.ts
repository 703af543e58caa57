import { sql } from 'kysely';
import { tableOf } from '../../engine/definitions/labels';
import type { Registry } from '../../engine/definitions/registry';
import type { Transaction } from '../database/database';
import { introspect } from '../sync/introspect';
import { quoteIdentifier, qualifiedTable } from '../sync/schema-object';
import { targetSchema } from '../sync/target-schema';

/** The engine's tables that refer to resources, with the column that holds the name. */
const resourceReferences = [
  ['grants', 'module'],
  ['seeded_modules', 'module'],
  ['grid_configurations', 'name'],
  ['history', 'resource'],
  ['shipped_rows', 'resource'],
  ['import_mappings', 'resource'],
  ['import_memories', 'resource'],
  ['told_deadlines', 'resource'],
  ['modules', 'name'],
] as const;

/**
 * Drops the foreign keys of a retired module, so that its hidden rows do not prevent deleting other records. The keys
 * come back with the module.
 */
export async function dropForeignKeys(trx: Transaction, name: string, others: Registry): Promise<void> {
  const { foreignKeys, tables } = await introspect(trx);
  const own = moduleTables(name, tables.keys(), others);
  for (const [key, table] of foreignKeys) {
    if (!own.includes(table)) continue;
    await sql.raw(`alter table ${qualifiedTable(table)} drop constraint ${quoteIdentifier(key)}`).execute(trx);
  }
}

/** Drops a module's tables with everything in them, and all engine rows about it. */
export async function dropTables(trx: Transaction, name: string, others: Registry): Promise<void> {
  const { tables } = await introspect(trx);
  const own = moduleTables(name, tables.keys(), others);
  if (own.length > 0) await sql.raw(`drop table ${own.map(qualifiedTable).join(', ')}`).execute(trx);
  const assay = trx.withSchema('assay');
  for (const [table, column] of resourceReferences) await assay.deleteFrom(table).where(column, '=', name).execute();
}

/** The module's table and its pair tables, including hidden ones. */
function moduleTables(name: string, tables: Iterable<string>, others: Registry): string[] {
  const table = tableOf(name);
  const used = new Set(targetSchema(others).tables.map((wanted) => wanted.name));
  return [...tables].filter((one) => (one === table || one.startsWith(`${table}__`)) && !used.has(one));
}

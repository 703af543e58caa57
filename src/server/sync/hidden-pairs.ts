import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import type { CurrentSchema } from './introspect';
import { quoteIdentifier, qualifiedTable } from './schema-object';
import { planRenames } from './plan-renames';
import type { Step } from './step';
import { foreignKey, targetSchema } from './target-schema';

/** A pair table of a former field that no field uses any more. */
export interface HiddenPairTable {
  readonly definition: Definition;
  /** The name of the field. */
  readonly field: string;
  readonly table: string;
}

/** The hidden pair tables of all definitions. If a column has the name of the field, it hides the table completely. */
export function findHiddenPairTables(current: CurrentSchema, registry: Registry): HiddenPairTable[] {
  const { tables } = targetSchema(registry);
  const used = new Set(tables.map(({ name }) => name));
  for (const { table } of planRenames(tables, current).stored.values()) used.add(table);
  const free = [...current.tables.keys()].filter((table) => !used.has(table) && isPairTable(current, table));
  return [...registry.definitions.values()].flatMap((definition) =>
    free
      .filter((table) => table.startsWith(`${definition.table}__`))
      .map((table) => ({ definition, field: table.slice(definition.table.length + 2), table }))
      .filter(({ field }) => !current.tables.get(definition.table)?.has(field)),
  );
}

function isPairTable({ tables }: CurrentSchema, table: string): boolean {
  const columns = tables.get(table)!;
  return columns.size === 2 && columns.has('record_id') && columns.has('target_id');
}

/** Makes hidden pairs cascade with the records they refer to: nobody could see why such a record can't be deleted. */
export function releaseHiddenPairs(current: CurrentSchema, registry: Registry): Step[] {
  return findHiddenPairTables(current, registry).flatMap(({ definition, table }) => {
    const own = foreignKey(table, 'record_id', definition.table, 'cascade', 'record_id');
    return [...current.foreignKeys].flatMap(([name, owner]): Step[] => {
      const target = current.targets.get(name);
      if (owner !== table || target === undefined) return [];
      const released = foreignKey(table, 'target_id', target, 'cascade', 'record_id');
      if (name === own.name || name === released.name) return [];
      return [
        {
          kind: 'dropForeignKey',
          resource: definition.name,
          text: `Allow deleting records that ${table} refers to`,
          sql: `alter table ${qualifiedTable(table)} drop constraint ${quoteIdentifier(name)};\n${released.sql}`,
          destructive: false,
          locks: [table, target],
          columns: [],
        },
      ];
    });
  });
}

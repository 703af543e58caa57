import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import type { Introspected } from './introspect';
import { quoted, tableId } from './parts';
import { planRenames } from './plan-renames';
import type { Step } from './step';
import { foreignKey, wantedSchema } from './wanted';

/** A pair table of a former field that no field uses any more. */
export interface HiddenPairs {
  readonly definition: Definition;
  /** The name of the field. */
  readonly field: string;
  readonly table: string;
}

/** The hidden pair tables of all definitions. If a column has the name of the field, it hides the table completely. */
export function hiddenPairs(current: Introspected, registry: Registry): HiddenPairs[] {
  const { tables } = wantedSchema(registry);
  const used = new Set(tables.map(({ name }) => name));
  for (const { table } of planRenames(tables, current).stored.values()) used.add(table);
  const free = [...current.tables.keys()].filter((table) => !used.has(table) && isPairs(current, table));
  return [...registry.definitions.values()].flatMap((definition) =>
    free
      .filter((table) => table.startsWith(`${definition.table}__`))
      .map((table) => ({ definition, field: table.slice(definition.table.length + 2), table }))
      .filter(({ field }) => !current.tables.get(definition.table)?.has(field)),
  );
}

function isPairs({ tables }: Introspected, table: string): boolean {
  const columns = tables.get(table)!;
  return columns.size === 2 && columns.has('record_id') && columns.has('target_id');
}

/** Makes hidden pairs cascade with the records they refer to: nobody could see why such a record can't be deleted. */
export function releaseHidden(current: Introspected, registry: Registry): Step[] {
  return hiddenPairs(current, registry).flatMap(({ definition, table }) => {
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
          sql: `alter table ${tableId(table)} drop constraint ${quoted(name)};\n${released.sql}`,
          destructive: false,
          locks: [table, target],
          columns: [],
        },
      ];
    });
  });
}

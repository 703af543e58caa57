import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import type { Introspected } from './introspect';
import { quoted, tableId } from './parts';
import { planRenames } from './plan-renames';
import type { Step } from './step';
import { foreignKey, wantedSchema } from './wanted';

/** A table of links that a field of a definition once had, and that no field uses any longer. */
export interface HiddenPairs {
  readonly definition: Definition;
  /** The name of the field. */
  readonly field: string;
  readonly table: string;
}

/** The hidden tables of links of all definitions. A column that is called like the field hides such a table wholly. */
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

/** Hidden links go with the records that they lead to: nobody could see what keeps such a record from being deleted. */
export function releaseHidden(current: Introspected, registry: Registry): Step[] {
  return hiddenPairs(current, registry).flatMap(({ definition, table }) => {
    const own = foreignKey(table, 'record_id', definition.table, 'cascade', 'record_id');
    return [...current.foreignKeys].flatMap(([name, of]): Step[] => {
      const target = current.targets.get(name);
      if (of !== table || target === undefined) return [];
      const released = foreignKey(table, 'target_id', target, 'cascade', 'record_id');
      if (name === own.name || name === released.name) return [];
      return [
        {
          kind: 'dropForeignKey',
          resource: definition.name,
          text: `Let what ${table} points at be deleted`,
          sql: `alter table ${tableId(table)} drop constraint ${quoted(name)};\n${released.sql}`,
          destructive: false,
          locks: [table, target],
          columns: [],
        },
      ];
    });
  });
}

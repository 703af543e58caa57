import type { RowQueries } from './row-queries';
import type { CurrentSchema } from './introspect';
import { quoteIdentifier, qualifiedTable, type SchemaObject } from './schema-object';
import type { StoredTable } from './plan-renames';
import type { Step } from './step';

/** The context for planning indexes and foreign keys. */
export interface ObjectPlanContext {
  /** Table → the resource that it belongs to. */
  readonly resources: ReadonlyMap<string, string>;
  /** Future table names → the stored tables. */
  readonly stored: ReadonlyMap<string, StoredTable>;
  /** Table → its future rows; stored tables only. */
  readonly future: ReadonlyMap<string, string>;
  readonly current: CurrentSchema;
  readonly queries: RowQueries;
  readonly withIds: boolean;
}

/**
 * Drops indexes or foreign keys among `known` that sync created and no definition needs any more. No stored values are
 * lost.
 */
export function planDrops(
  kind: 'dropForeignKey' | 'dropIndex',
  known: ReadonlyMap<string, string>,
  objects: readonly SchemaObject[],
  { resources, stored, current }: ObjectPlanContext,
): Step[] {
  const ours = kind === 'dropIndex' ? /^[iu]x__/ : /^fk__/;
  const wantedNames = new Set(objects.map((part) => part.name));
  return [...known]
    .filter(([name, table]) => ours.test(name) && !wantedNames.has(name) && resources.has(table))
    .map(([name, table]) => ({
      kind,
      resource: resources.get(table)!,
      text: kind === 'dropIndex' ? `Drop the index ${name}` : `Drop the foreign key ${name}`,
      sql:
        kind === 'dropIndex'
          ? `drop index public.${quoteIdentifier(name)}`
          : `alter table ${qualifiedTable(table)} drop constraint ${quoteIdentifier(name)}`,
      destructive: false,
      locks: [stored.get(table)?.table ?? table, current.targets.get(name) ?? []].flat(),
      columns: [],
    }));
}

/** From this many rows on, building an index takes so long that it happens in the background. */
const LARGE_TABLE_ROWS = 10_000;

/** Adds missing indexes or foreign keys, and counts the future rows that violate them. */
export async function planAdditions(
  kind: 'addForeignKey' | 'createIndex',
  known: ReadonlyMap<string, string>,
  objects: readonly SchemaObject[],
  { resources, stored, future, current, queries: rowQueries, withIds }: ObjectPlanContext,
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const part of objects.filter(({ name }) => !known.has(name))) {
    const storedTable = stored.get(part.table);
    const from = future.get(part.table);
    const targets = part.target === undefined ? '' : (future.get(part.target) ?? noRowsSql);
    const countable =
      storedTable !== undefined && from !== undefined && part.columns.every((name) => storedTable.columns.has(name));
    const against = countable ? part.violations?.(from, targets) : undefined;
    const rows = against === undefined ? undefined : await rowQueries.count(against);
    const destructive = (rows ?? 0) > 0;
    const records = destructive && withIds ? await rowQueries.ids(against!) : undefined;
    const target = part.target === undefined ? undefined : stored.get(part.target)?.table;
    const later =
      part.isOptional && storedTable !== undefined && (current.sizes.get(storedTable.table) ?? 0) >= LARGE_TABLE_ROWS;
    steps.push({
      kind,
      resource: resources.get(part.table)!,
      text: later ? `${part.text}, in the background` : part.text,
      sql: part.sql,
      destructive,
      ...(later && { later }),
      ...(rows !== undefined && { rows }),
      ...(records && { records }),
      locks: [storedTable?.table ?? [], target ?? []].flat(),
      columns: part.columns,
    });
  }
  return steps;
}

/** A table that does not exist yet has no rows. */
const noRowsSql = '(select null::integer as id where false)';

import type { Definition, FieldOf } from '../../engine/definitions/definition';
import { pinNames } from '../../engine/field-types/relation';
import { pinnedRelations } from '../../engine/definitions/pins';
import { tableOf } from '../../engine/definitions/labels';
import type { StoredTable } from './plan-renames';
import type { RowQueries } from './row-queries';
import type { Step } from './step';
import { qualifiedTable, quoteIdentifier, type TargetTable } from './target-schema';

/**
 * The steps that give a version to stored rows whose relation remembers one: the present version of what they refer to.
 * Nobody knows which one was meant before, and none at all would never tell of a change.
 */
export async function planPins(
  table: TargetTable,
  stored: StoredTable | undefined,
  rowQueries: RowQueries,
): Promise<Step[]> {
  if (!stored || table.pairField || table.rowsField) return [];
  const steps: Step[] = [];
  for (const relation of pinnedRelations(table.definition)) {
    const { pin } = pinNames(relation.name);
    const [chosen, version] = [stored.columns.get(relation.name), stored.columns.get(pin)];
    if (!chosen) continue;
    const open = `${quoteIdentifier(chosen.name)} is not null${version ? ` and ${quoteIdentifier(version.name)} is null` : ''}`;
    const rows = await rowQueries.count(`select from ${qualifiedTable(stored.table)} where ${open}`);
    if (rows === 0) continue;
    steps.push({
      kind: 'pinRows',
      resource: table.definition.name,
      text: `Remember the present version of ${relation.label} in the stored rows of ${table.name}: later changes count as changes`,
      sql: pinRowsSql(table.definition, relation),
      destructive: false,
      ...(rows !== undefined && { rows }),
      locks: [stored.table],
      columns: [pin],
    });
  }
  return steps;
}

/** Remembers the present versions of what rows without a version refer to. */
export function pinRowsSql(definition: Definition, { name, to }: FieldOf<'relation'>): string {
  const pin = quoteIdentifier(pinNames(name).pin);
  return `update ${qualifiedTable(definition.table)} t set ${pin} = r.updated_at from ${qualifiedTable(tableOf(to))} r
    where r.id = t.${quoteIdentifier(name)} and t.${pin} is null`;
}

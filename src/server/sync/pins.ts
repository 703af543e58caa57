import type { Definition, FieldOf } from '../../engine/definitions/definition';
import { pinNames } from '../../engine/field-types/relation';
import { pinnedRelations } from '../../engine/normalise/pins';
import { tableOf } from '../../engine/definitions/labels';
import type { StoredTable } from './plan-renames';
import type { RowQueries } from './row-queries';
import type { Step } from './step';
import { qualifiedTable, quoteIdentifier, type TargetTable } from './target-schema';

/**
 * The steps that give a version to stored rows whose relation remembers one: the present version of what they refer to.
 * It is not known which one was meant before, and without a version no change would ever be told.
 */
export async function planPins(
  table: TargetTable,
  storedTable: StoredTable | undefined,
  rowQueries: RowQueries,
): Promise<Step[]> {
  if (!storedTable || table.pairField || table.rowsField) return [];
  const steps: Step[] = [];
  for (const relation of pinnedRelations(table.definition)) {
    const { pin } = pinNames(relation.name);
    const [chosenColumn, version] = [storedTable.columns.get(relation.name), storedTable.columns.get(pin)];
    if (!chosenColumn) continue;
    const open = `${quoteIdentifier(chosenColumn.name)} is not null${version ? ` and ${quoteIdentifier(version.name)} is null` : ''}`;
    const rows = await rowQueries.count(`select from ${qualifiedTable(storedTable.table)} where ${open}`);
    if (rows === 0) continue;
    steps.push({
      kind: 'pinRows',
      resource: table.definition.name,
      text: `Remember the present version of ${relation.label} in the stored rows of ${table.name}: later changes count as changes`,
      sql: pinRowsSql(table.definition, relation),
      destructive: false,
      ...(rows !== undefined && { rows }),
      locks: [storedTable.table],
      columns: [pin],
    });
  }
  return steps;
}

/** Remembers the present versions of what rows without a version refer to. */
export function pinRowsSql(definition: Definition, { name, to: target }: FieldOf<'relation'>): string {
  const pin = quoteIdentifier(pinNames(name).pin);
  return `update ${qualifiedTable(definition.table)} t set ${pin} = r.updated_at from ${qualifiedTable(tableOf(target))} r
    where r.id = t.${quoteIdentifier(name)} and t.${pin} is null`;
}

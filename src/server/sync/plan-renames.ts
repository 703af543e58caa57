import { pairTable } from '../database/identifiers';
import type { CurrentSchema } from './introspect';
import { quoteIdentifier, qualifiedTable, type TargetTable } from './target-schema';
import type { Step } from './step';
import { renameFieldStatements, renameResourceStatements } from './stored-names';

type Tables = Map<string, Map<string, string>>;

/** A table's current name, and its columns by their future names. */
export interface StoredTable {
  readonly table: string;
  readonly columns: ReadonlyMap<string, { readonly name: string; readonly type: string }>;
}

/**
 * The renames that `formerName` asks for, and the schema after them. A rename is planned only if the old name exists, the new
 * one does not, and nothing else uses the old name.
 */
export function planRenames(
  targetTables: readonly TargetTable[],
  current: CurrentSchema,
): { steps: Step[]; renamed: CurrentSchema; stored: ReadonlyMap<string, StoredTable> } {
  const tables: Tables = new Map([...current.tables].map(([name, columns]) => [name, new Map(columns)]));
  const renamedTables = new Map<string, string>();
  const names = new Set(targetTables.map((table) => table.name));
  const steps: Step[] = [];
  const stored = new Map<string, StoredTable>();
  for (const table of targetTables) {
    const former = formerNames(table).find((name) => tables.has(name) && !names.has(name));
    if (former !== undefined && !tables.has(table.name)) {
      steps.push(renameTable(table, former));
      tables.set(table.name, tables.get(former)!);
      tables.delete(former);
      renamedTables.set(former, table.name);
    }
    const columns = tables.get(table.name);
    if (!columns) continue;
    const currentName = former !== undefined && renamedTables.get(former) === table.name ? former : table.name;
    const storedColumns = new Map([...columns].map(([name, type]) => [name, { name, type }]));
    steps.push(...renameColumns(table, columns, currentName, storedColumns));
    stored.set(table.name, { table: currentName, columns: storedColumns });
  }
  const follow = (parts: ReadonlyMap<string, string>) =>
    new Map([...parts].map(([name, table]) => [name, renamedTables.get(table) ?? table]));
  return {
    steps,
    renamed: { ...current, tables, indexes: follow(current.indexes), foreignKeys: follow(current.foreignKeys) },
    stored,
  };
}

function formerNames({ definition, was, pairField, rowsField }: TargetTable): string[] {
  const field = pairField ?? rowsField;
  if (!field) return was === undefined ? [] : [was];
  const owners = [
    definition.table,
    ...(definition.formerName === undefined ? [] : [definition.formerName.replaceAll('-', '_')]),
  ];
  const fields = [field.name, ...(field.formerName === undefined ? [] : [field.formerName])];
  return owners.flatMap((table) => fields.map((name) => pairTable({ table }, { name }))).slice(1);
}

function renameTable(table: TargetTable, former: string): Step {
  const { name, formerName } = table.definition;
  const rename = `alter table ${qualifiedTable(former)} rename to ${quoteIdentifier(table.name)}`;
  const field = table.pairField ?? table.rowsField;
  const about = field
    ? renamedField(table, former) && renameFieldStatements(name, field.formerName!, field.name)
    : formerName !== undefined && renameResourceStatements(formerName, name);
  return {
    kind: 'renameTable',
    resource: name,
    text: `Rename the table ${former} to ${table.name}`,
    sql: [rename, ...(about || [])].join(';\n'),
    destructive: false,
    locks: [former],
    columns: [],
  };
}

/** Whether a table of pairs or rows had its name from another name of the field, not only from that of the module. */
function renamedField({ definition, pairField, rowsField }: TargetTable, former: string): boolean {
  const { formerName } = (pairField ?? rowsField)!;
  if (formerName === undefined) return false;
  const owners = [definition.table, definition.formerName?.replaceAll('-', '_')];
  return owners.some((table) => table !== undefined && pairTable({ table }, { name: formerName }) === former);
}

function renameColumns(
  table: TargetTable,
  columns: Map<string, string>,
  currentName: string,
  stored: Map<string, { name: string; type: string }>,
): Step[] {
  const names = new Set(table.columns.map((column) => column.name));
  const steps: Step[] = [];
  for (const { name, was } of table.columns) {
    const type = was === undefined || names.has(was) || columns.has(name) ? undefined : columns.get(was);
    if (type === undefined) continue;
    columns.delete(was!);
    columns.set(name, type);
    stored.delete(was!);
    stored.set(name, { name: was!, type });
    steps.push({
      kind: 'renameColumn',
      resource: table.definition.name,
      text: `Rename the column ${was} of ${table.name} to ${name}`,
      sql: [
        `alter table ${qualifiedTable(table.name)} rename column ${quoteIdentifier(was!)} to ${quoteIdentifier(name)}`,
        ...(table.rowsField ? [] : renameFieldStatements(table.definition.name, was!, name)),
      ].join(';\n'),
      destructive: false,
      locks: [currentName],
      columns: [name],
      ...(table.rowsField && { rowsField: table.rowsField.name }),
    });
  }
  return steps;
}

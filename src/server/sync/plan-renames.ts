import type { Field } from '../../engine/definitions/definition';
import { pairTable } from '../database/identifiers';
import type { CurrentSchema } from './row-queries';
import { quoteIdentifier, qualifiedTable, type TargetTable } from './target-schema';
import type { Step } from './step';
import { renameFieldStatements, renameResourceStatements } from './stored-names';
import { getOrThrow } from '../../engine/values/lookups';

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
): { steps: Step[]; renamedSchema: CurrentSchema; storedTables: ReadonlyMap<string, StoredTable> } {
  const tables: Tables = new Map([...current.tables].map(([name, columns]) => [name, new Map(columns)]));
  const renamedTables = new Map<string, string>();
  const names = new Set(targetTables.map((table) => table.name));
  const steps: Step[] = [];
  const storedTables = new Map<string, StoredTable>();
  for (const table of targetTables) {
    const formerTable = formerNames(table).find((name) => tables.has(name) && !names.has(name));
    if (formerTable !== undefined && !tables.has(table.name)) {
      steps.push(renameTable(table, formerTable));
      tables.set(table.name, getOrThrow(tables, formerTable));
      tables.delete(formerTable);
      renamedTables.set(formerTable, table.name);
    }
    const columns = tables.get(table.name);
    if (!columns) continue;
    const currentName =
      formerTable !== undefined && renamedTables.get(formerTable) === table.name ? formerTable : table.name;
    const storedColumns = new Map([...columns].map(([name, type]) => [name, { name, type }]));
    steps.push(...renameColumns(table, columns, currentName, storedColumns));
    storedTables.set(table.name, { table: currentName, columns: storedColumns });
  }
  const now = (table: string) => renamedTables.get(table) ?? table;
  const follow = (parts: ReadonlyMap<string, string>) => new Map([...parts].map(([name, table]) => [name, now(table)]));
  const keys = new Map([...current.keys].map(([table, key]) => [now(table), key]));
  return {
    steps,
    renamedSchema: {
      ...current,
      tables,
      indexes: follow(current.indexes),
      foreignKeys: follow(current.foreignKeys),
      keys,
    },
    storedTables,
  };
}

function formerNames({ definition, formerName, pairField, rowsField }: TargetTable): string[] {
  const field = pairField ?? rowsField;
  if (!field) return formerName === undefined ? [] : [formerName];
  const owners = [
    definition.table,
    ...(definition.formerName === undefined ? [] : [definition.formerName.replaceAll('-', '_')]),
  ];
  const fields = [field.name, ...(field.formerName === undefined ? [] : [field.formerName])];
  return owners.flatMap((table) => fields.map((name) => pairTable({ table }, { name }))).slice(1);
}

function renameTable(table: TargetTable, formerTable: string): Step {
  const { name, formerName } = table.definition;
  const rename = `alter table ${qualifiedTable(formerTable)} rename to ${quoteIdentifier(table.name)}`;
  const field = table.pairField ?? table.rowsField;
  const statements = field
    ? field.formerName !== undefined &&
      renamedField(field, table, formerTable) &&
      renameFieldStatements(name, field.formerName, field.name)
    : formerName !== undefined && renameResourceStatements(formerName, name);
  return {
    kind: 'renameTable',
    resource: name,
    text: `Rename the table ${formerTable} to ${table.name}`,
    sql: [rename, ...(statements || [])].join(';\n'),
    destructive: false,
    locks: [formerTable],
    columns: [],
  };
}

/** Whether a table of pairs or rows had its name from another name of the field, not only from that of the module. */
function renamedField({ formerName }: Field, { definition }: TargetTable, formerTable: string): boolean {
  if (formerName === undefined) return false;
  const owners = [definition.table, definition.formerName?.replaceAll('-', '_')];
  return owners.some((table) => table !== undefined && pairTable({ table }, { name: formerName }) === formerTable);
}

function renameColumns(
  table: TargetTable,
  columns: Map<string, string>,
  currentName: string,
  storedColumns: Map<string, { name: string; type: string }>,
): Step[] {
  const names = new Set(table.columns.map((column) => column.name));
  const steps: Step[] = [];
  for (const { name, formerName } of table.columns) {
    if (formerName === undefined || names.has(formerName) || columns.has(name)) continue;
    const type = columns.get(formerName);
    if (type === undefined) continue;
    columns.delete(formerName);
    columns.set(name, type);
    storedColumns.delete(formerName);
    storedColumns.set(name, { name: formerName, type });
    steps.push({
      kind: 'renameColumn',
      resource: table.definition.name,
      text: `Rename the column ${formerName} of ${table.name} to ${name}`,
      sql: [
        `alter table ${qualifiedTable(table.name)} rename column ${quoteIdentifier(formerName)} to ${quoteIdentifier(name)}`,
        ...(table.rowsField ? [] : renameFieldStatements(table.definition.name, formerName, name)),
      ].join(';\n'),
      destructive: false,
      locks: [currentName],
      columns: [name],
      ...(table.rowsField && { rowsField: table.rowsField.name }),
    });
  }
  return steps;
}

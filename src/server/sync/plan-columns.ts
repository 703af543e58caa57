import type { ColumnType } from '../../engine/field-types';
import type { RowQueries } from './row-queries';
import { conversion } from './conversion';
import { quoteIdentifier, qualifiedTable } from './schema-object';
import type { StoredTable } from './plan-renames';
import type { Step } from './step';
import type { TargetTable } from './target-schema';

const MAX_IDENTIFIER = 63;

/** The steps that add and change a table's columns. */
export async function planColumns(
  table: TargetTable,
  columns: ReadonlyMap<string, string>,
  stored: StoredTable | undefined,
  rowQueries: RowQueries,
): Promise<Step[]> {
  const steps: Step[] = [];
  let rows: number | undefined;
  for (const { name, type } of table.columns) {
    const known = columns.get(name);
    if (known === undefined) {
      rows ??= stored && (await rowQueries.count(`select from ${qualifiedTable(stored.table)}`));
      steps.push({
        kind: 'addColumn',
        resource: table.definition.name,
        text: `Add the column ${name} (${type}) to ${table.name}`,
        sql: `alter table ${qualifiedTable(table.name)} add column ${quoteIdentifier(name)} ${type}`,
        destructive: false,
        ...(rows !== undefined && { rows }),
        locks: stored ? [stored.table] : [],
        columns: [name],
      });
    } else if (known !== type) steps.push(await changeType(table, name, known, type, columns, stored, rowQueries));
  }
  return steps;
}

/** A lossless change happens in place; else the old column is kept beside the new one until somebody purges it. */
async function changeType(
  table: TargetTable,
  name: string,
  from: string,
  to: ColumnType,
  columns: ReadonlyMap<string, string>,
  stored: StoredTable | undefined,
  rowQueries: RowQueries,
): Promise<Step> {
  const storedTable = stored && qualifiedTable(stored.table);
  const currentName = quoteIdentifier(stored?.columns.get(name)?.name ?? name);
  const rows =
    storedTable === undefined
      ? 0
      : await rowQueries.count(`select from ${storedTable} where ${currentName} is not null`);
  const { lossless } = conversion(from, to, quoteIdentifier(name));
  const inPlace = lossless || rows === 0;
  const oldColumn = asideName(name, columns);
  const change = `Change the column ${name} of ${table.name} from ${from} to ${to}`;
  return {
    kind: 'changeType',
    resource: table.definition.name,
    text: inPlace ? change : `${change}, and keep the old column as ${oldColumn}`,
    sql: inPlace ? alterColumnSql(table, name, from, to) : replaceColumnSql(table, name, from, to, oldColumn),
    destructive: !inPlace,
    rows,
    locks: stored ? [stored.table] : [],
    columns: [name],
  };
}

function alterColumnSql(table: TargetTable, name: string, from: string, to: ColumnType): string {
  const { using } = conversion(from, to, quoteIdentifier(name));
  return `alter table ${qualifiedTable(table.name)} alter column ${quoteIdentifier(name)} type ${to} using ${using}`;
}

function replaceColumnSql(table: TargetTable, name: string, from: string, to: ColumnType, oldColumn: string): string {
  const { using } = conversion(from, to, quoteIdentifier(oldColumn));
  return [
    `alter table ${qualifiedTable(table.name)} rename column ${quoteIdentifier(name)} to ${quoteIdentifier(oldColumn)}`,
    `alter table ${qualifiedTable(table.name)} add column ${quoteIdentifier(name)} ${to}`,
    `update ${qualifiedTable(table.name)} set ${quoteIdentifier(name)} = ${using} where ${quoteIdentifier(oldColumn)} is not null`,
  ].join(';\n');
}

/** `size__was_1`, or the next free number. Field names are ASCII. */
function asideName(name: string, columns: ReadonlyMap<string, string>): string {
  for (let number = 1; ; number++) {
    const ending = `__was_${number}`;
    const oldColumn = `${name.slice(0, MAX_IDENTIFIER - ending.length)}${ending}`;
    if (!columns.has(oldColumn)) return oldColumn;
  }
}

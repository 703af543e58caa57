import type { ColumnType } from '../../engine/field-types';
import type { Ask } from './ask';
import { conversion } from './convert';
import { quoted, tableId } from './parts';
import type { Stored } from './plan-renames';
import type { Step } from './step';
import type { WantedTable } from './wanted';

const LONGEST = 63;

/** The steps that add and change a table's columns. */
export async function planColumns(
  table: WantedTable,
  columns: ReadonlyMap<string, string>,
  stored: Stored | undefined,
  rowQueries: Ask,
): Promise<Step[]> {
  const steps: Step[] = [];
  let rows: number | undefined;
  for (const { name, type } of table.columns) {
    const known = columns.get(name);
    if (known === undefined) {
      rows ??= stored && (await rowQueries.count(`select from ${tableId(stored.table)}`));
      steps.push({
        kind: 'addColumn',
        resource: table.definition.name,
        text: `Add the column ${name} (${type}) to ${table.name}`,
        sql: `alter table ${tableId(table.name)} add column ${quoted(name)} ${type}`,
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
  table: WantedTable,
  name: string,
  from: string,
  to: ColumnType,
  columns: ReadonlyMap<string, string>,
  stored: Stored | undefined,
  rowQueries: Ask,
): Promise<Step> {
  const storedTable = stored && tableId(stored.table);
  const currentName = quoted(stored?.columns.get(name)?.name ?? name);
  const rows =
    storedTable === undefined
      ? 0
      : await rowQueries.count(`select from ${storedTable} where ${currentName} is not null`);
  const { lossless } = conversion(from, to, quoted(name));
  const inPlace = lossless || rows === 0;
  const oldColumn = asideName(name, columns);
  const change = `Change the column ${name} of ${table.name} from ${from} to ${to}`;
  return {
    kind: 'changeType',
    resource: table.definition.name,
    text: inPlace ? change : `${change}, and keep the old column as ${oldColumn}`,
    sql: inPlace ? alter(table, name, from, to) : replace(table, name, from, to, oldColumn),
    destructive: !inPlace,
    rows,
    locks: stored ? [stored.table] : [],
    columns: [name],
  };
}

function alter(table: WantedTable, name: string, from: string, to: ColumnType): string {
  const { using } = conversion(from, to, quoted(name));
  return `alter table ${tableId(table.name)} alter column ${quoted(name)} type ${to} using ${using}`;
}

function replace(table: WantedTable, name: string, from: string, to: ColumnType, oldColumn: string): string {
  const { using } = conversion(from, to, quoted(oldColumn));
  return [
    `alter table ${tableId(table.name)} rename column ${quoted(name)} to ${quoted(oldColumn)}`,
    `alter table ${tableId(table.name)} add column ${quoted(name)} ${to}`,
    `update ${tableId(table.name)} set ${quoted(name)} = ${using} where ${quoted(oldColumn)} is not null`,
  ].join(';\n');
}

/** `size__was_1`, or the next free number. Field names are ASCII. */
function asideName(name: string, columns: ReadonlyMap<string, string>): string {
  for (let number = 1; ; number++) {
    const ending = `__was_${number}`;
    const oldColumn = `${name.slice(0, LONGEST - ending.length)}${ending}`;
    if (!columns.has(oldColumn)) return oldColumn;
  }
}

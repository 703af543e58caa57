import type { ColumnType } from '../../engine/field-types';
import type { Ask } from './ask';
import { conversion } from './convert';
import { quoted, tableId } from './parts';
import type { Stored } from './plan-renames';
import type { Step } from './step';
import type { WantedTable } from './wanted';

const LONGEST = 63;

/** What a table needs so that its columns are those that are wanted. */
export async function planColumns(
  table: WantedTable,
  columns: ReadonlyMap<string, string>,
  stored: Stored | undefined,
  ask: Ask,
): Promise<Step[]> {
  const steps: Step[] = [];
  let rows: number | undefined;
  for (const { name, type } of table.columns) {
    const known = columns.get(name);
    if (known === undefined) {
      rows ??= stored && (await ask.count(`select from ${tableId(stored.table)}`));
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
    } else if (known !== type) steps.push(await changeType(table, name, known, type, columns, stored, ask));
  }
  return steps;
}

/** What loses nothing is changed in place; else the former column stays beside the new one until somebody purges it. */
async function changeType(
  table: WantedTable,
  name: string,
  from: string,
  to: ColumnType,
  columns: ReadonlyMap<string, string>,
  stored: Stored | undefined,
  ask: Ask,
): Promise<Step> {
  const held = stored && tableId(stored.table);
  const called = quoted(stored?.columns.get(name)?.name ?? name);
  const rows = held === undefined ? 0 : await ask.count(`select from ${held} where ${called} is not null`);
  const { lossless } = conversion(from, to, quoted(name));
  const inPlace = lossless || rows === 0;
  const aside = asideName(name, columns);
  const change = `Change the column ${name} of ${table.name} from ${from} to ${to}`;
  return {
    kind: 'changeType',
    resource: table.definition.name,
    text: inPlace ? change : `${change}, and keep the former one as ${aside}`,
    sql: inPlace ? alter(table, name, from, to) : replace(table, name, from, to, aside),
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

function replace(table: WantedTable, name: string, from: string, to: ColumnType, aside: string): string {
  const { using } = conversion(from, to, quoted(aside));
  return [
    `alter table ${tableId(table.name)} rename column ${quoted(name)} to ${quoted(aside)}`,
    `alter table ${tableId(table.name)} add column ${quoted(name)} ${to}`,
    `update ${tableId(table.name)} set ${quoted(name)} = ${using} where ${quoted(aside)} is not null`,
  ].join(';\n');
}

/** `size__was_1`, or the next number that is free. Names of fields have letters of one byte. */
function asideName(name: string, columns: ReadonlyMap<string, string>): string {
  for (let number = 1; ; number++) {
    const ending = `__was_${number}`;
    const aside = `${name.slice(0, LONGEST - ending.length)}${ending}`;
    if (!columns.has(aside)) return aside;
  }
}

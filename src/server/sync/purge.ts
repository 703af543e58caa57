import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { unknownName } from '../../engine/definitions/paths';
import { columnOf } from '../../engine/field-types';
import type { HiddenColumn } from '../../engine/studio/module';
import type { Queries } from '../database/database';
import { askOf, type Ask } from './ask';
import { introspect, type Introspected } from './introspect';
import { quoted, tableId } from './parts';
import type { Step } from './step';

/** The hidden columns of a resource that somebody wants to be rid of. */
export interface Purge {
  readonly resource: string;
  readonly columns: readonly string[];
}

/** A column that cannot be purged: there is none of the name, or a field uses it. The message is for the user. */
export class PurgeError extends Error {
  constructor(
    readonly column: string,
    message: string,
  ) {
    super(message);
  }
}

const PATIENCE = 4_000;

/** The columns of a definition's table that no field uses any longer, with the number of values in each. */
export async function hiddenColumns(queries: Queries, definition: Definition): Promise<HiddenColumn[]> {
  const hidden = hiddenIn(await introspect(queries), definition);
  const ask = askOf(queries, PATIENCE);
  const found: HiddenColumn[] = [];
  for (const [column, type] of hidden) {
    found.push({ column, type, values: (await ask.count(valuesOf(definition.table, column))) ?? 0 });
  }
  return found;
}

/** The steps that drop hidden columns. Throws PurgeError for a column that is none. */
export async function planPurge(
  registry: Registry,
  current: Introspected,
  ask: Ask,
  { resource, columns }: Purge,
): Promise<Step[]> {
  const definition = registry.get(resource);
  if (!definition) return [];
  // Of a table that this very plan renames, the columns stand under its former name still.
  const former = definition.was?.replaceAll('-', '_');
  const stored = current.tables.has(definition.table) || former === undefined ? definition.table : former;
  const hidden = hiddenIn(current, definition, stored);
  const steps: Step[] = [];
  for (const column of new Set(columns)) {
    if (Object.hasOwn(definition.fields, column) && current.tables.get(stored)?.has(column))
      throw new PurgeError(column, `The field "${column}" uses this column; take the field away first.`);
    if (!hidden.has(column)) throw new PurgeError(column, unknownName('hidden column', column, hidden.keys()));
    const rows = await ask.count(valuesOf(stored, column));
    steps.push({
      kind: 'dropColumn',
      resource,
      text: `Drop the column ${column} of ${definition.table}${rows === 0 ? ', which is empty' : ' and its values'}`,
      sql: `alter table ${tableId(definition.table)} drop column ${quoted(column)}`,
      destructive: true,
      rows,
      locks: [stored],
      columns: [column],
    });
  }
  return steps;
}

function hiddenIn({ tables }: Introspected, definition: Definition, stored = definition.table): Map<string, string> {
  const columns = tables.get(stored) ?? new Map<string, string>();
  const fields = Object.values(definition.fields).filter((field) => columnOf(field) !== null);
  // What a field is still to be renamed from is in use.
  const used = new Set(fields.map(({ name, was }) => (columns.has(name) ? name : (was ?? name))));
  return new Map([...columns].filter(([column]) => !used.has(column)));
}

function valuesOf(table: string, column: string): string {
  return `select from ${tableId(table)} where ${quoted(column)} is not null`;
}

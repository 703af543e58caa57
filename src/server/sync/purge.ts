import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { unknownNameMessage } from '../../engine/definitions/problems';
import { columnTypeOf } from '../../engine/field-types';
import { isSearchColumn } from '../sql/search';
import type { HiddenColumn } from '../../engine/studio/module';
import { isRelations } from '../../engine/field-types/relations';
import { rowColumns } from '../../engine/field-types/row-definition';
import { isRows } from '../../engine/field-types/rows';
import type { Queries } from '../database/database';
import { createRowQueries, type RowQueries, introspect, type CurrentSchema } from './row-queries';
import { quoteIdentifier, qualifiedTable, foreignKey, targetSchema } from './target-schema';
import { hasCompanyKey } from '../sql/same-company';
import type { Step } from './step';
import { planRenames } from './plan-renames';
import { getOrThrow, propertyOf } from '../../engine/values/lookups';

/** A request to drop hidden columns of a resource. */
export interface PurgeRequest {
  readonly resource: string;
  readonly columns: readonly string[];
}

/** Thrown for a column that can't be purged: it does not exist, or a field uses it. The message is for the user. */
export class PurgeError extends Error {
  constructor(
    readonly column: string,
    message: string,
  ) {
    super(message);
  }
}

const COUNT_TIMEOUT = 4_000;

/** Storage of values that no field uses, for the step that drops it. */
interface HiddenStorage extends Pick<Step, 'sql' | 'locks'> {
  readonly kind: 'dropColumn' | 'dropTable';
  readonly type: string;
  /** Description for the step's text. */
  readonly description: string;
  /** Selects the records that have a value. */
  readonly records: string;
}

/**
 * Stored data of a definition that no field uses any more: columns of its table, and tables of many relations and of rows,
 * which have the name of their field, with the number of records that have a value.
 */
export async function loadHiddenColumns(
  queries: Queries,
  registry: Registry,
  definition: Definition,
): Promise<HiddenColumn[]> {
  const hidden = findHiddenStorage(await introspect(queries), registry, definition);
  const rowQueries = createRowQueries(queries, COUNT_TIMEOUT);
  const hiddenColumns: HiddenColumn[] = [];
  for (const [column, { type, records }] of hidden) {
    hiddenColumns.push({ column, type, values: (await rowQueries.count(records)) ?? 0 });
  }
  return hiddenColumns;
}

/** The steps that drop hidden columns by name. Throws PurgeError for a name that is not hidden. */
export async function planPurge(
  registry: Registry,
  current: CurrentSchema,
  rowQueries: RowQueries,
  { resource, columns }: PurgeRequest,
): Promise<Step[]> {
  const definition = registry.get(resource);
  if (!definition) return [];
  // If this plan renames the table, its columns are still under the old name.
  const formerTable = definition.formerName?.replaceAll('-', '_');
  const storedTableName =
    current.tables.has(definition.table) || formerTable === undefined ? definition.table : formerTable;
  const hidden = findHiddenStorage(current, registry, definition, storedTableName);
  const steps: Step[] = [];
  for (const column of new Set(columns)) {
    const hiddenStorage = hidden.get(column);
    if (!hiddenStorage && isInUse(definition, column, current.tables.get(storedTableName)))
      throw new PurgeError(column, `The field "${column}" uses this column. Remove the field first.`);
    if (!hiddenStorage) throw new PurgeError(column, unknownNameMessage('hidden column', column, hidden.keys()));
    const { kind, description, sql, locks, records } = hiddenStorage;
    const rows = await rowQueries.count(records);
    const text = `Drop ${description}${rows === 0 ? ', which is empty' : ' and its values'}`;
    steps.push({ kind, resource, text, sql, destructive: true, rows, locks, columns: [column] });
  }
  return steps;
}

function isInUse({ fields }: Definition, name: string, columns: ReadonlyMap<string, string> | undefined): boolean {
  return (
    Object.hasOwn(fields, name) &&
    (columns?.has(name) || isRelations(propertyOf(fields, name)) || isRows(propertyOf(fields, name)))
  );
}

function findHiddenStorage(
  current: CurrentSchema,
  registry: Registry,
  definition: Definition,
  storedTableName = definition.table,
): Map<string, HiddenStorage> {
  const columns = current.tables.get(storedTableName) ?? new Map<string, string>();
  const fields = Object.values(definition.fields).filter((field) => columnTypeOf(field) !== null);
  // The old name of a field that has yet to be renamed is in use.
  const usedColumns = new Set(fields.map(({ name, formerName }) => (columns.has(name) ? name : (formerName ?? name))));
  const hidden = new Map<string, HiddenStorage>();
  for (const [column, type] of columns) {
    if (usedColumns.has(column) || isSearchColumn(column)) continue;
    hidden.set(column, {
      kind: 'dropColumn',
      type,
      description: `the column ${column} of ${definition.table}`,
      // `cascade` also drops search columns of other definitions.
      sql: `alter table ${qualifiedTable(definition.table)} drop column ${quoteIdentifier(column)} cascade`,
      locks: [storedTableName],
      records: `select from ${qualifiedTable(storedTableName)} where ${quoteIdentifier(column)} is not null`,
    });
  }
  for (const { field, table, isOfRows, ...hiddenTable } of findHiddenTables(current, registry)) {
    if (hiddenTable.definition !== definition) continue;
    const targets = [...current.foreignKeys].flatMap(([key, owner]) =>
      owner === table ? getOrThrow(current.targets, key) : [],
    );
    hidden.set(field, {
      kind: 'dropTable',
      type: isOfRows ? 'rows' : 'relations',
      description: `the table ${table}`,
      sql: `drop table ${qualifiedTable(table)}`,
      locks: [...new Set([storedTableName, table, ...targets])],
      records: `select distinct ${isOfRows ? rowColumns.parent : 'record_id'} from ${qualifiedTable(table)}`,
    });
  }
  return hidden;
}

/** The table of a former field, with its pairs or rows, that no field uses any more. */
export interface HiddenTable {
  readonly definition: Definition;
  /** The name of the field. */
  readonly field: string;
  readonly table: string;
  readonly isOfRows: boolean;
}

/** The hidden tables of all definitions. If a column has the name of the field, it hides the table completely. */
export function findHiddenTables(current: CurrentSchema, registry: Registry): HiddenTable[] {
  const { tables } = targetSchema(registry);
  const usedTables = new Set(tables.map(({ name }) => name));
  for (const { table } of planRenames(tables, current).storedTables.values()) usedTables.add(table);
  const free = [...current.tables.keys()].filter(
    (table) => !usedTables.has(table) && (isPairTable(current, table) || isRowsTable(current, table)),
  );
  return [...registry.definitions.values()].flatMap((definition) =>
    free
      .filter((table) => table.startsWith(`${definition.table}__`))
      .map((table) => ({
        definition,
        field: table.slice(definition.table.length + 2),
        table,
        isOfRows: isRowsTable(current, table),
      }))
      .filter(({ field }) => !current.tables.get(definition.table)?.has(field)),
  );
}

function isPairTable({ tables }: CurrentSchema, table: string): boolean {
  const columns = getOrThrow(tables, table);
  const size = columns.has('site_id') ? 3 : 2;
  return columns.size === size && columns.has('record_id') && columns.has('target_id');
}

function isRowsTable({ tables }: CurrentSchema, table: string): boolean {
  const columns = getOrThrow(tables, table);
  return Object.values(rowColumns).every((name) => columns.has(name));
}

/**
 * Makes hidden pairs and rows give way to the records that they refer to: nobody could see why such a record can't be
 * deleted. Their keys to such records end, apart from those of pairs, which hold for what is stored from now on, if the
 * pairs have what the records are known by.
 */
export function releaseHiddenTables(current: CurrentSchema, registry: Registry): Step[] {
  const { storedTables } = planRenames(targetSchema(registry).tables, current);
  const futureNames = new Map([...storedTables].map(([name, { table }]) => [table, name]));
  return findHiddenTables(current, registry).flatMap(({ definition, table, isOfRows }) => {
    const hasCompany = hasCompanyKey(definition) || getOrThrow(current.tables, table).has('site_id');
    return [...current.foreignKeys].flatMap(([name, owner]): Step[] => {
      if (owner !== table) return [];
      // The key to their own record has a name of its time.
      if (getOrThrow(current.references, name).column === (isOfRows ? rowColumns.parent : 'record_id')) return [];
      const storedTarget = getOrThrow(current.targets, name);
      const target = futureNames.get(storedTarget) ?? storedTarget;
      const targetDefinition = [...registry.definitions.values()].find((candidate) => candidate.table === target);
      const ofCompany = targetDefinition
        ? hasCompanyKey(targetDefinition)
        : (current.keys.get(storedTarget)?.columns.includes('site_id') ?? false);
      const released =
        isOfRows || (ofCompany && !hasCompany)
          ? undefined
          : foreignKey(table, 'target_id', target, 'cascade', { id: 'record_id', ofCompany });
      if (name === released?.name) return [];
      // A step on the key of what they refer to may have ended it before.
      const drop = `alter table ${qualifiedTable(table)} drop constraint if exists ${quoteIdentifier(name)}`;
      return [
        {
          kind: 'dropForeignKey',
          resource: definition.name,
          text: `Allow deleting records that ${table} refers to`,
          sql: released ? `${drop};\n${released.sql} not valid` : drop,
          destructive: false,
          locks: [table, storedTarget],
          columns: [],
          target: name,
        },
      ];
    });
  });
}

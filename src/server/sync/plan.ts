import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { rowDefinition } from '../../engine/field-types/row-definition';
import { isRows } from '../../engine/field-types/rows';
import type { RowQueries, CurrentSchema } from './row-queries';
import { planRenamedValues, futureTableSql, getsCompany } from './renamed-values';
import { releaseHiddenTables } from './purge';
import { quoteIdentifier, qualifiedTable, type SchemaObject, targetSchema, type TargetTable } from './target-schema';
import { planRenames, type StoredTable } from './plan-renames';
import { planHiddenKeys, planKey } from './plan-key';
import { planPins } from './pins';
import { planNumbering } from './sequences';
import type { SchemaRole } from './schema-role';
import type { Step } from './step';
import type { ColumnType } from '../../engine/field-types';
import { conversion } from './conversion';
import { isDecimal } from '../sql/operands';
import { isSearchColumn, type SearchColumn } from '../sql/search';
import { identifierFor } from '../database/identifiers';
import { getOrThrow, requireValue } from '../../engine/values/lookups';

/**
 * The steps from the current schema to the one that the definitions need, in order. Removed fields and resources keep
 * their columns and tables: they are only hidden. `withIds` also loads the ids of rows that violate a step. Parts that
 * an `older` version does not know are dropped only if `previousRegistry` needed them, or if their table is renamed or
 * changes a type; so are the plain indexes and search columns of other versions by the `newest`, while the `only` one
 * drops whatever it does not need.
 */
export async function planSync(
  registry: Registry,
  current: CurrentSchema,
  rowQueries: RowQueries,
  {
    withIds = false,
    previousRegistry,
    role = 'newest',
  }: { withIds?: boolean; previousRegistry?: Registry; role?: SchemaRole } = {},
): Promise<Step[]> {
  const target = targetSchema(registry);
  const { steps: renames, renamedSchema: now, storedTables } = planRenames(target.tables, current);
  const shapes: Step[] = [];
  const future = new Map<string, string>();
  const replacedColumns = new Set<string>();
  const previousTarget = previousRegistry ? targetSchema(previousRegistry) : undefined;
  const renaming = new Set(renames.map(({ resource }) => resource));
  const texts: Step[] = [];
  const numbering: Step[] = [];
  const changedKeys: Step[] = [];
  const rekeyedTables = new Set<string>();
  const companyTables = new Set<string>();
  const addedColumns = new Set<string>();
  for (const table of target.tables) {
    const columns = now.tables.get(table.name);
    const storedTable = storedTables.get(table.name);
    const previousDefinition = formerDefinition(table, previousRegistry);
    if (storedTable) {
      const recordTable = storedTables.get(table.definition.table);
      future.set(table.name, futureTableSql(table, storedTable, previousDefinition, recordTable));
      if (storedTable.columns.has('site_id') || getsCompany(table, storedTable, recordTable))
        companyTables.add(table.name);
    }
    numbering.push(...(await planRenamedValues(table, storedTable, rowQueries, previousDefinition)));
    numbering.push(...(await planNumbering(table, storedTable, rowQueries)));
    numbering.push(...(await planPins(table, storedTable, rowQueries)));
    if (!columns) shapes.push(createTable(table));
    else {
      const steps = await planColumns(table, columns, storedTable, rowQueries);
      const previousSearch = previousTarget?.tables.find(({ name }) => name === table.name)?.search?.name;
      const search = planSearchColumn(table, columns, storedTable, {
        isUnused: (name) => role === 'only' || name === previousSearch || renaming.has(table.definition.name),
        changesType: steps.some(({ kind }) => kind === 'changeType'),
        rows: current.sizes.get(storedTable?.table ?? ''),
      });
      const keySteps = role === 'older' ? [] : await planKey(table, storedTable, now, current, rowQueries, withIds);
      changedKeys.push(...keySteps);
      if (keySteps.length > 0) rekeyedTables.add(table.name);
      texts.push(...search.drops);
      shapes.push(...steps, ...search.addSteps);
      for (const step of steps) if (step.destructive) replacedColumns.add(`${table.name} ${step.columns[0]}`);
      for (const name of search.droppedNames) replacedColumns.add(`${table.name} ${name}`);
      if (search.addSteps.length > 0) addedColumns.add(table.name);
    }
  }
  const resources = new Map(target.tables.map((table) => [table.name, table.definition.name]));
  const objectContext: ObjectPlanContext = {
    resources,
    storedTables,
    future,
    companyTables,
    current,
    queries: rowQueries,
    withIds,
  };
  const keys = unaffectedObjects(target.foreignKeys, replacedColumns).filter(
    (key) => key.target === undefined || !rekeyedTables.has(key.target),
  );
  const indexes = unaffectedObjects(target.indexes, replacedColumns);
  const left = new Set(
    [...(previousTarget?.indexes ?? []), ...(previousTarget?.foreignKeys ?? [])].map(({ name }) => name),
  );
  const changedResources = new Set(
    [...renames, ...shapes.filter(({ kind }) => kind === 'changeType')].map(({ resource }) => resource),
  );
  const isOurs = (name: string) => role === 'only' || (role === 'newest' && !isPlainIndex(name));
  // Tables of former resources have none.
  const isOfChangedResource = (table: string) => {
    const resource = resources.get(table);
    return resource !== undefined && changedResources.has(resource);
  };
  const droppable = (storedObjects: ReadonlyMap<string, string>) =>
    new Map(
      [...storedObjects].filter(
        ([name, table]) =>
          isOurs(name) ||
          left.has(name) ||
          isOfChangedResource(table) ||
          (addedColumns.has(table) && isOldSearchIndex(name, table)),
      ),
    );
  const steps: Step[] = [
    ...renames,
    ...planDrops('dropForeignKey', droppable(now.foreignKeys), keys, objectContext),
    ...planDrops('dropIndex', droppable(now.indexes), indexes, objectContext),
    ...texts,
    ...shapes,
    ...(role === 'older' ? [] : planHiddenKeys(current, registry)),
    ...changedKeys,
    // Keys and versions can contain values of other tables, which have their columns by now.
    ...numbering,
    ...(await planAdditions(
      'createIndex',
      pickNamed(now.indexes, indexes),
      target.indexes.filter(({ isTarget }) => isTarget),
      objectContext,
    )),
    ...(await planAdditions('addForeignKey', pickNamed(now.foreignKeys, keys), target.foreignKeys, objectContext)),
    ...(await planAdditions(
      'createIndex',
      pickNamed(now.indexes, indexes),
      target.indexes.filter(({ isTarget }) => !isTarget),
      objectContext,
    )),
    ...(role === 'older' ? [] : releaseHiddenTables(current, registry)),
  ];
  return withoutWaiting(steps, current);
}

/**
 * Leaves out the steps on foreign keys to a table whose key has to change, or to get an index, but stays for now, because
 * a step of its resource loses or violates stored values: they follow the key. Indexes that foreign keys still refer to
 * stay as well.
 */
function withoutWaiting(steps: readonly Step[], current: CurrentSchema): Step[] {
  const refusedResources = new Set(steps.filter(({ destructive }) => destructive).map(({ resource }) => resource));
  const refusedTargets = (kind: Step['kind']) =>
    new Set(steps.flatMap((step) => (step.kind === kind && refusedResources.has(step.resource) ? step.target : [])));
  const keptTables = refusedTargets('changeKey');
  const withoutIndex = refusedTargets('createIndex');
  const readySteps = steps.filter(({ kind, target, ofCompany }) => {
    if (target === undefined) return true;
    if (kind === 'dropForeignKey') return !keptTables.has(current.targets.get(target));
    return kind !== 'addForeignKey' || (!keptTables.has(target) && (ofCompany || !withoutIndex.has(target)));
  });
  const droppedKeys = new Set(
    readySteps.flatMap(({ kind, resource, target }) =>
      kind === 'dropForeignKey' && !refusedResources.has(resource) ? target : [],
    ),
  );
  const usedIndexes = new Set(
    [...current.references].flatMap(([name, { index }]) => (droppedKeys.has(name) ? [] : index)),
  );
  return readySteps.filter(({ kind, target = '' }) => kind !== 'dropIndex' || !usedIndexes.has(target));
}

/** The definition of a table's rows until now. */
export function formerDefinition(
  { definition, rowsField }: TargetTable,
  previousRegistry?: Registry,
): Definition | undefined {
  const previousDefinition = previousRegistry?.get(definition.name) ?? previousRegistry?.get(definition.formerName);
  if (!previousDefinition || !rowsField) return previousDefinition;
  const field = previousDefinition.fields[rowsField.name] ?? previousDefinition.fields[rowsField.formerName ?? ''];
  return field && isRows(field) ? rowDefinition(previousDefinition, field) : undefined;
}

/** A plain index, which only speeds up reading; unique indexes enforce rules. */
function isPlainIndex(name: string): boolean {
  return name.startsWith('ix__');
}

function createTable(table: TargetTable): Step {
  const columns = table.pairField
    ? table.columns.map(({ name, type }) => `${name} ${type} not null`)
    : table.columns.map(({ name, type }) =>
        name === 'id' ? 'id bigint generated by default as identity' : `${quoteIdentifier(name)} ${type}`,
      );
  columns.push(`primary key (${table.key.join(', ')})`);
  if (table.search) columns.push(searchColumnSql(table.search));
  return {
    kind: 'createTable',
    resource: table.definition.name,
    text: `Create the table ${table.name}`,
    sql: `create table ${qualifiedTable(table.name)} (${columns.join(', ')})`,
    destructive: false,
    locks: [],
    columns: table.columns.map(({ name }) => name),
    ...ofRows(table),
  };
}

/** Marks a step on the table of a field's rows. */
function ofRows({ rowsField }: TargetTable): Pick<Step, 'rowsField'> {
  return rowsField ? { rowsField: rowsField.name } : {};
}

/**
 * The indexes and foreign keys that are not affected by replaced columns. Those of a replaced column were dropped with
 * it and have to be created again.
 */
function unaffectedObjects(parts: readonly SchemaObject[], replacedColumns: ReadonlySet<string>): SchemaObject[] {
  return parts.filter(({ table, columns }) => !columns.some((column) => replacedColumns.has(`${table} ${column}`)));
}

function pickNamed(
  storedObjects: ReadonlyMap<string, string>,
  parts: readonly SchemaObject[],
): ReadonlyMap<string, string> {
  const names = new Set(parts.map(({ name }) => name));
  return new Map([...storedObjects].filter(([name]) => names.has(name)));
}

const MAX_IDENTIFIER = 63;

/** The steps that add and change a table's columns. */
async function planColumns(
  table: TargetTable,
  columns: ReadonlyMap<string, string>,
  storedTable: StoredTable | undefined,
  rowQueries: RowQueries,
): Promise<Step[]> {
  const steps: Step[] = [];
  let rows: number | undefined;
  const widenedNames = table.columns
    .filter(({ name, type }) => isWidened(columns.get(name), type))
    .map(({ name }) => name);
  if (widenedNames.length > 0) steps.push(await widenColumns(table, widenedNames, storedTable, rowQueries));
  for (const { name, type, fill } of table.columns) {
    const storedType = columns.get(name);
    if (isWidened(storedType, type)) continue;
    if (storedType === undefined) {
      // The default fills the rows that exist, without rewriting the table; new records get theirs from the program.
      const column = quoteIdentifier(name);
      const alter = `alter table ${qualifiedTable(table.name)}`;
      const fillClause = fill === undefined ? '' : ` default ${fill}; ${alter} alter column ${column} drop default`;
      rows ??= storedTable && (await rowQueries.count(`select from ${qualifiedTable(storedTable.table)}`));
      steps.push({
        kind: 'addColumn',
        resource: table.definition.name,
        text: `Add the column ${name} (${type}) to ${table.name}${describeFill(fill, rows)}`,
        sql: `${alter} add column ${column} ${type}${fillClause}`,
        destructive: false,
        ...(rows !== undefined && { rows }),
        locks: storedTable ? [storedTable.table] : [],
        columns: [name],
        ...ofRows(table),
      });
    } else if (storedType !== type)
      steps.push(await changeType(table, name, storedType, type, columns, storedTable, rowQueries));
  }
  return steps;
}

const isWidened = (fromType: string | undefined, toType: ColumnType): boolean =>
  fromType === 'integer' && toType === 'bigint';

/** Gives whole numbers 64 bits: all of a table in one statement, which rewrites it once. */
async function widenColumns(
  table: TargetTable,
  names: readonly string[],
  storedTable: StoredTable | undefined,
  rowQueries: RowQueries,
): Promise<Step> {
  const changes = names.map((name) => `alter column ${quoteIdentifier(name)} type bigint`);
  return {
    kind: 'changeType',
    resource: table.definition.name,
    text: `Change the ${names.length === 1 ? 'column' : 'columns'} ${names.join(', ')} of ${table.name} from integer to bigint`,
    sql: `alter table ${qualifiedTable(table.name)} ${changes.join(', ')}`,
    destructive: false,
    rows: storedTable ? await rowQueries.count(`select from ${qualifiedTable(storedTable.table)}`) : 0,
    locks: storedTable ? [storedTable.table] : [],
    columns: names,
    ...ofRows(table),
  };
}

/** Describes to users the value that stored records get in a new column. */
function describeFill(fill: string | undefined, rows: number | undefined): string {
  if (fill === undefined || rows === 0) return '';
  return `, with ${fill.slice(0, fill.lastIndexOf('::'))} in the records that exist`;
}

/** A lossless change happens in place; else the old column is kept beside the new one until somebody purges it. */
async function changeType(
  table: TargetTable,
  name: string,
  fromType: string,
  toType: ColumnType,
  columns: ReadonlyMap<string, string>,
  storedTable: StoredTable | undefined,
  rowQueries: RowQueries,
): Promise<Step> {
  const storedTableSql = storedTable && qualifiedTable(storedTable.table);
  const currentName = quoteIdentifier(storedTable?.columns.get(name)?.name ?? name);
  const rows =
    storedTableSql === undefined
      ? 0
      : await rowQueries.count(`select from ${storedTableSql} where ${currentName} is not null`);
  const { lossless, lossCondition } = conversion(fromType, toType, currentName);
  const lostRows =
    !lossless && rows !== 0 && storedTableSql !== undefined
      ? await rowQueries.count(`select from ${storedTableSql} where ${lossCondition}`)
      : undefined;
  const inPlace =
    lossless ||
    rows === 0 ||
    (lostRows === 0 && (isDecimal(toType) || fromType.endsWith('[]') || fromType === 'bigint'));
  const oldColumn = asideName(name, columns);
  const change = `Change the column ${name} of ${table.name} from ${fromType} to ${toType}`;
  return {
    kind: 'changeType',
    resource: table.definition.name,
    text: inPlace ? change : `${change}, and keep the old column as ${oldColumn}`,
    sql: inPlace
      ? alterColumnSql(table, name, fromType, toType)
      : replaceColumnSql(table, name, fromType, toType, oldColumn),
    destructive: !inPlace,
    ...(!inPlace && { keptColumn: oldColumn }),
    ...(!inPlace && storedTableSql !== undefined && lostRows === undefined && { uncounted: true }),
    rows: inPlace ? rows : (lostRows ?? rows),
    locks: storedTable ? [storedTable.table] : [],
    columns: [name],
    ...ofRows(table),
  };
}

function alterColumnSql(table: TargetTable, name: string, fromType: string, toType: ColumnType): string {
  const { expression } = conversion(fromType, toType, quoteIdentifier(name));
  return `alter table ${qualifiedTable(table.name)} alter column ${quoteIdentifier(name)} type ${toType} using ${expression}`;
}

function replaceColumnSql(
  table: TargetTable,
  name: string,
  fromType: string,
  toType: ColumnType,
  oldColumn: string,
): string {
  const { expression } = conversion(fromType, toType, quoteIdentifier(oldColumn));
  return [
    `alter table ${qualifiedTable(table.name)} rename column ${quoteIdentifier(name)} to ${quoteIdentifier(oldColumn)}`,
    `alter table ${qualifiedTable(table.name)} add column ${quoteIdentifier(name)} ${toType}`,
    `update ${qualifiedTable(table.name)} set ${quoteIdentifier(name)} = ${expression} where ${quoteIdentifier(oldColumn)} is not null`,
  ].join(';\n');
}

/** `size__was_1`, or the next free number. Field names are ASCII. */
function asideName(name: string, columns: ReadonlyMap<string, string>): string {
  for (let number = 1; ; number++) {
    const suffix = `__was_${number}`;
    const oldColumn = `${name.slice(0, MAX_IDENTIFIER - suffix.length)}${suffix}`;
    if (!columns.has(oldColumn)) return oldColumn;
  }
}

/** The context for planning indexes and foreign keys. */
export interface ObjectPlanContext {
  /** Table → the resource that it belongs to. */
  readonly resources: ReadonlyMap<string, string>;
  /** Future table names → the stored tables. */
  readonly storedTables: ReadonlyMap<string, StoredTable>;
  /** Table → its future rows; stored tables only. */
  readonly future: ReadonlyMap<string, string>;
  /** The tables whose future rows have the company. */
  readonly companyTables: ReadonlySet<string>;
  readonly current: CurrentSchema;
  readonly queries: RowQueries;
  readonly withIds: boolean;
}

/**
 * Drops indexes or foreign keys among `storedObjects` that sync created and no definition needs any more. No stored
 * values are lost.
 */
function planDrops(
  kind: 'dropForeignKey' | 'dropIndex',
  storedObjects: ReadonlyMap<string, string>,
  objects: readonly SchemaObject[],
  { resources, storedTables, current }: ObjectPlanContext,
): Step[] {
  const ours = kind === 'dropIndex' ? /^[iue]x__/ : /^fk__/;
  const wantedNames = new Set(objects.map((part) => part.name));
  return [...storedObjects]
    .filter(([name, table]) => ours.test(name) && !wantedNames.has(name) && resources.has(table))
    .map(([name, table]) => ({
      kind,
      resource: getOrThrow(resources, table),
      text: kind === 'dropIndex' ? `Drop the index ${name}` : `Drop the foreign key ${name}`,
      target: name,
      sql:
        kind === 'dropIndex' && !name.startsWith('ex__')
          ? `drop index public.${quoteIdentifier(name)}`
          : `alter table ${qualifiedTable(table)} drop constraint ${quoteIdentifier(name)}`,
      destructive: false,
      locks: [storedTables.get(table)?.table ?? table, current.targets.get(name) ?? []].flat(),
      columns: [],
    }));
}

/** From this many rows on, building an index takes so long that it happens in the background. */
const LARGE_TABLE_ROWS = 10_000;

/** Adds missing indexes or foreign keys, and counts the future rows that violate them. */
async function planAdditions(
  kind: 'addForeignKey' | 'createIndex',
  storedObjects: ReadonlyMap<string, string>,
  objects: readonly SchemaObject[],
  { resources, storedTables, future, companyTables, current, queries: rowQueries, withIds }: ObjectPlanContext,
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const part of objects.filter(({ name }) => !storedObjects.has(name))) {
    const storedTable = storedTables.get(part.table);
    const rowsSql = future.get(part.table);
    const targets = part.target === undefined ? '' : (future.get(part.target) ?? noRowsSql);
    const countable =
      storedTable !== undefined &&
      rowsSql !== undefined &&
      part.columns.every((name) => storedTable.columns.has(name)) &&
      (!part.ofCompany || companyTables.has(part.table));
    const violationQuery = countable ? part.violations?.(rowsSql, targets) : undefined;
    const rows = violationQuery === undefined ? undefined : await rowQueries.count(violationQuery);
    const destructive = (rows ?? 0) > 0;
    const records =
      destructive && withIds
        ? await rowQueries.ids(requireValue(violationQuery, 'the query of violating rows'))
        : undefined;
    const repeatedValues =
      records &&
      part.repeatedValues &&
      (await rowQueries.texts(part.repeatedValues(requireValue(rowsSql, 'the future rows'))));
    const target = storedTables.get(part.target ?? '')?.table;
    const keyOwner = part.isTarget ? storedTable?.table : target;
    const inBackground =
      part.isOptional && storedTable !== undefined && (current.sizes.get(storedTable.table) ?? 0) >= LARGE_TABLE_ROWS;
    steps.push({
      kind,
      resource: getOrThrow(resources, part.table),
      text: inBackground ? `${part.text}, in the background` : `${part.text}${describeRepeated(repeatedValues)}`,
      sql: part.sql,
      destructive,
      ...(inBackground && { inBackground }),
      ...(rows !== undefined && { rows }),
      ...(records && { records }),
      locks: [storedTable?.table ?? [], target ?? []].flat(),
      columns: part.columns,
      ...(keyOwner !== undefined && { target: keyOwner }),
      ...(part.ofCompany !== undefined && { ofCompany: part.ofCompany }),
    });
  }
  return steps;
}

/** ` (stored more than once: "Bosch, 12", …)`; nothing if there are none. */
function describeRepeated(values: readonly string[] | undefined): string {
  if (!values || values.length === 0) return '';
  const printedValues = values.map((value) => JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}…` : value));
  return ` (stored more than once: ${printedValues.join(', ')})`;
}

/** A table that does not exist yet has no rows. */
const noRowsSql = '(select null::bigint as id, null::bigint as site_id where false)';

/** Other changes of the table that affect its search column. */
export interface SearchPlanContext {
  /** Whether a column that this definition does not use is not used by any other either. */
  readonly isUnused: (name: string) => boolean;
  /** Some column changes its type, which PostgreSQL refuses while a generated column depends on it. */
  readonly changesType: boolean;
  /** The estimated number of rows. */
  readonly rows: number | undefined;
}

/**
 * The steps for a table's search column. PostgreSQL rewrites and locks the whole table to add such a column, so it is
 * only added if the searchable text has changed; a column that another version of the program may use stays until a
 * definition gives it up.
 */
function planSearchColumn(
  { name, definition, search }: TargetTable,
  columns: ReadonlyMap<string, string>,
  storedTable: StoredTable | undefined,
  { isUnused, changesType, rows }: SearchPlanContext,
): { drops: Step[]; droppedNames: readonly string[]; addSteps: Step[] } {
  const droppedColumns = [...columns.keys()].filter(
    (column) => isSearchColumn(column) && (changesType || (column !== search?.name && isUnused(column))),
  );
  const step = {
    resource: definition.name,
    destructive: false,
    locks: storedTable ? [storedTable.table] : [],
    columns: [],
  };
  const drops = droppedColumns.map((column): Step => ({
    ...step,
    kind: 'dropSearch',
    text: `Drop the stored search text of ${name}`,
    sql: `alter table ${qualifiedTable(name)} drop column ${quoteIdentifier(column)}`,
  }));
  if (!search || (columns.has(search.name) && !droppedColumns.includes(search.name)))
    return { drops, droppedNames: droppedColumns, addSteps: [] };
  const add: Step = {
    ...step,
    kind: 'storeSearch',
    text: `Store the search text of ${name}`,
    sql: `alter table ${qualifiedTable(name)} add column ${searchColumnSql(search)}`,
    rewritesTable: true,
    ...(rows !== undefined && { rows }),
  };
  return { drops, droppedNames: droppedColumns, addSteps: [add] };
}

/** The column definition in SQL. */
function searchColumnSql({ name, expression }: SearchColumn): string {
  return `${quoteIdentifier(name)} text generated always as (${expression}) stored`;
}

/** Whether an index is a search index of the time before the text was stored; the column replaces it. */
function isOldSearchIndex(name: string, table: string): boolean {
  const start = `${identifierFor('ix', table, 'search').slice(0, 54)}_`;
  return name.startsWith(start) && /^[0-9a-f]{8}$/.test(name.slice(start.length));
}

import { createHash } from 'node:crypto';
import type { Definition, Field, FieldOf, OverlapRule, UniqueRule } from '../../engine/definitions/definition';
import { isAnyRelation, isRelation } from '../../engine/field-types/relation';
import { isRelations } from '../../engine/field-types/relations';
import { rowColumns, rowDefinition, rowsFields } from '../../engine/field-types/row-definition';
import type { Registry } from '../../engine/registry/registry';
import { columnTypeOf, fieldTypeOf, type ColumnType, storedTypeOf } from '../../engine/field-types';
import { isComparedText } from '../../engine/field-types/text';
import { isSequence, numberedBy } from '../../engine/field-types/sequence';
import { isVariable } from '../../engine/conditions/grammar';
import { predicateOf } from '../../engine/conditions/match-condition';
import { indexExpression } from '../sql/index-expression';
import { predicateToSql } from '../sql/predicate-to-sql';
import { paddedNumbersSql } from '../sql/sort-by-numbers';
import { searchColumn, type SearchColumn } from '../sql/search';
import { pairTable, identifierFor, withoutShard } from '../database/identifiers';
import { hasCompanyColumn } from '../sql/company-key';
import { hasCompanyKey } from '../sql/same-company';
import { fieldOf } from '../../engine/definitions/accessors';
import { itemAt } from '../../engine/values/lookups';

/** A column that a definition needs. */
export interface TargetColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Its former name. */
  readonly formerName?: string;
  /** As SQL, what stored rows get when it is added: the default of new records. Without it: nothing. */
  readonly fill?: string;
}

export interface TargetTable {
  readonly name: string;
  readonly definition: Definition;
  readonly formerName?: string;
  /** The field whose pairs it stores; then its columns are fixed. */
  readonly pairField?: Field;
  /** The field whose rows it stores. */
  readonly rowsField?: FieldOf<'rows'>;
  readonly columns: readonly TargetColumn[];
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** The generated column with the search text. */
  readonly search?: SearchColumn;
}

/** The schema that all definitions need. */
export interface TargetSchema {
  readonly tables: readonly TargetTable[];
  readonly indexes: readonly SchemaObject[];
  readonly foreignKeys: readonly SchemaObject[];
}

const targetSchemas = new WeakMap<Registry, TargetSchema>();

/** Derives tables, indexes and foreign keys from the definitions. */
export function targetSchema(registry: Registry): TargetSchema {
  const schema = targetSchemas.get(registry) ?? deriveSchema(registry);
  targetSchemas.set(registry, schema);
  return schema;
}

function deriveSchema(registry: Registry): TargetSchema {
  const tables: TargetTable[] = [];
  const indexes: SchemaObject[] = [];
  const foreignKeys: SchemaObject[] = [];
  /** Whose records others refer to that belong to no company. */
  const targetsOfAll = new Set<Definition>();
  for (const definition of registry.definitions.values()) {
    // Its table is created by a migration.
    if (definition.system) continue;
    const columnFields = Object.values(definition.fields).filter((field) => columnTypeOf(field) !== null);
    tables.push({
      name: definition.table,
      definition,
      formerName: definition.formerName?.replaceAll('-', '_'),
      columns: columnFields.map((field) => targetColumn(definition, field)),
      key: recordKey(definition),
      search: searchColumn(definition, registry),
    });
    indexes.push(...targetIndexes(definition, registry));
    for (const field of columnFields) {
      if (!isAnyRelation(field)) continue;
      const target = registry.get(field.to);
      if (!target || target.system) continue;
      const ofCompany = hasCompanyKey(target) && hasCompanyColumn(definition);
      if (hasCompanyKey(target) && !ofCompany) targetsOfAll.add(target);
      foreignKeys.push(
        foreignKey(definition.table, field.name, target.table, onDeleteActions[field.onDelete], { ofCompany }),
      );
    }
    addRowsTables(definition, registry, { tables, indexes, foreignKeys, targetsOfAll });
    for (const field of Object.values(definition.fields)) {
      if (!isRelations(field) || field.virtual || field.computed !== undefined) continue;
      const name = pairTable(definition, field);
      const target = registry.get(field.to);
      tables.push({ name, definition, pairField: field, columns: pairColumns(definition), key: pairKey(definition) });
      foreignKeys.push(recordForeignKey(name, 'record_id', definition));
      const isTargetOfCompany = hasCompanyKey(definition) && target !== undefined && hasCompanyKey(target);
      if (target && !target.system) {
        const action = pairOnDeleteActions[field.onDelete];
        if (hasCompanyKey(target) && !isTargetOfCompany) targetsOfAll.add(target);
        const options = { id: 'record_id', ofCompany: isTargetOfCompany };
        foreignKeys.push(foreignKey(name, 'target_id', target.table, action, options));
      }
      indexes.push(pairIndex(name, hasCompanyKey(definition), isTargetOfCompany));
    }
  }
  indexes.push(...[...targetsOfAll].map(idIndex));
  return { tables, indexes, foreignKeys };
}

/** The index of pairs by their target: first what a target is known by. */
function pairIndex(table: string, ofCompany: boolean, isTargetOfCompany: boolean): SchemaObject {
  const columns = !ofCompany
    ? 'target_id, record_id'
    : isTargetOfCompany
      ? 'site_id, target_id, record_id'
      : 'target_id, site_id, record_id';
  return createSchemaObject(
    'ix',
    table,
    ['target_id'],
    `Index ${table} by target`,
    (index) => `create index ${index} on ${qualifiedTable(table)} (${columns})`,
  );
}

/** Ids that are unique without the company, which references from tables without one need. */
function idIndex({ table }: Definition): SchemaObject {
  const write = (index: string) => `create unique index ${index} on ${qualifiedTable(table)} (id)`;
  return { ...createSchemaObject('ux', table, ['id'], `Require unique ids of ${table}`, write), isTarget: true };
}

/**
 * The key of a table of records or rows. Their company comes second, so that statements which know the id alone use the
 * key as well; PostgreSQL lets foreign keys name the columns in any order.
 */
export function recordKey(definition: Definition): string[] {
  return hasCompanyKey(definition) ? ['id', 'site_id'] : ['id'];
}

export function pairKey(definition: Definition): string[] {
  return [...(hasCompanyKey(definition) ? ['site_id'] : []), 'record_id', 'target_id'];
}

/** The foreign key of pairs (`record_id`) or rows to their record. */
function recordForeignKey(table: string, column: string, definition: Definition): SchemaObject {
  const id = column === 'record_id' ? column : 'id';
  return foreignKey(table, column, definition.table, 'cascade', { id, ofCompany: hasCompanyKey(definition) });
}

/** The tables of a definition's rows, with their indexes and foreign keys. */
function addRowsTables(definition: Definition, registry: Registry, schema: WritableSchema): void {
  for (const field of rowsFields(definition)) {
    const rows = rowDefinition(definition, field);
    const columnFields = Object.values(rows.fields).filter((column) => columnTypeOf(column) !== null);
    schema.tables.push({
      name: rows.table,
      definition,
      rowsField: field,
      columns: [
        ...(hasCompanyKey(definition) ? [companyColumn] : []),
        ...columnFields.map((column) => targetColumn(rows, column)),
      ],
      key: recordKey(definition),
      ...(field.searchable && { search: searchColumn(rows, registry) }),
    });
    if (field.searchable) schema.indexes.push(...searchIndex(rows, registry));
    const { parent, position } = rowColumns;
    schema.foreignKeys.push(recordForeignKey(rows.table, parent, definition));
    schema.indexes.push(plainIndex(rows, [parent, position]));
    for (const column of columnFields) {
      if (!isRelation(column)) continue;
      schema.indexes.push(plainIndex(rows, [column.name]));
      const target = registry.get(column.to);
      if (!target || target.system) continue;
      const ofCompany = hasCompanyKey(target) && hasCompanyKey(definition);
      if (hasCompanyKey(target) && !ofCompany) schema.targetsOfAll.add(target);
      schema.foreignKeys.push(
        foreignKey(rows.table, column.name, target.table, onDeleteActions[column.onDelete], { ofCompany }),
      );
    }
  }
}

interface WritableSchema {
  readonly tables: TargetTable[];
  readonly indexes: SchemaObject[];
  readonly foreignKeys: SchemaObject[];
  readonly targetsOfAll: Set<Definition>;
}

function targetColumn(definition: Definition, field: Field): TargetColumn {
  const fill = fillSql(definition, field);
  return {
    name: field.name,
    type: storedTypeOf(field),
    formerName: field.formerName,
    ...(fill !== undefined && { fill }),
  };
}

/**
 * The default of a field that is the same for every record: what those that exist would have, had the field been there.
 * Not that of a relation, whose record may not exist, nor of a field that is to be unique.
 */
function fillSql(definition: Definition, field: Field): string | undefined {
  const { default: value } = field;
  const isUnique = field.unique || definition.unique.some(({ fields }) => fields.includes(field.name));
  if (value === undefined || value === null || typeof value === 'object' || isVariable(value)) return undefined;
  if (field.system || isAnyRelation(field) || isUnique) return undefined;
  return `'${String(value as string | number | boolean).replaceAll("'", "''")}'::${storedTypeOf(field)}`;
}

const companyColumn: TargetColumn = { name: 'site_id', type: 'bigint' };

function pairColumns(definition: Definition): readonly TargetColumn[] {
  return [
    ...(hasCompanyKey(definition) ? [companyColumn] : []),
    { name: 'record_id', type: 'bigint' },
    { name: 'target_id', type: 'bigint' },
  ];
}

const onDeleteActions = { restrict: 'no action', cascade: 'cascade', clear: 'set null' } as const;
const pairOnDeleteActions = { restrict: 'no action', cascade: 'cascade', clear: 'cascade' } as const;

interface ForeignKeyOptions {
  /** The column that identifies a violating row. */
  readonly id?: string;
  /** Whether both have to be of the same company. */
  readonly ofCompany?: boolean;
}

/** A foreign key from a column of a table to the ids of another, or to those of the same company. */
export function foreignKey(
  table: string,
  column: string,
  target: string,
  onDelete: string,
  { id = 'id', ofCompany = false }: ForeignKeyOptions = {},
): SchemaObject {
  const [source, referenced, name] = [qualifiedTable(table), qualifiedTable(target), quoteIdentifier(column)];
  const [columns, keys] = ofCompany ? [`site_id, ${name}`, 'site_id, id'] : [name, 'id'];
  // The company stays.
  const action = ofCompany && onDelete === 'set null' ? `set null (${name})` : onDelete;
  return {
    ...createSchemaObject(
      'fk',
      table,
      [column],
      `Make ${table}.${column} refer to ${target}`,
      (constraint) =>
        `alter table ${source} add constraint ${constraint} foreign key (${columns}) references ${referenced} (${keys}) ` +
        `on delete ${action} deferrable initially immediate`,
    ),
    target,
    ofCompany,
    violations: (rows, targets) => `select a.${id} as id from ${rows} a
      where a.${name} is not null and not exists (select from ${targets} b
        where b.id = a.${name}${ofCompany ? ' and b.site_id = a.site_id' : ''})`,
  };
}

/**
 * The indexes of a resource's table: unique fields and combinations, relations, the search text, the orders that lists offer, and those
 * that the definition asks for. All but unique ones end with the id, as every order does.
 */
function targetIndexes(definition: Definition, registry: Registry): SchemaObject[] {
  const columnFields = Object.values(definition.fields).filter((field) => columnTypeOf(field) !== null);
  const parts = [
    ...columnFields.filter((field) => field.unique).map((field) => uniqueIndex(definition, field)),
    ...definition.unique.map((rule) => combinationIndex(definition, rule, registry)),
    ...(definition.noOverlap ? [exclusion(definition, definition.noOverlap)] : []),
    ...columnFields
      .filter(({ multiple, filterable }) => multiple && filterable)
      .map((field) => memberIndex(definition, field)),
    ...columnFields.filter(isRelation).map((field) => plainIndex(definition, [field.name])),
    ...listSortFields(definition).map((name) => plainIndex(definition, [...companyNames(definition), name])),
    ...sharedSortFields(definition, registry).map((name) => ({
      ...plainIndex(definition, [...companyNames(definition), name]),
      isOptional: true as const,
    })),
    ...definition.automations.flatMap(({ dueTime }) =>
      dueTime ? [{ ...plainIndex(definition, [dueTime.field]), isOptional: true as const }] : [],
    ),
    ...boardIndexes(definition),
    ...definition.indexes.map((fields) => plainIndex(definition, fields)),
    ...columnFields.filter(isComparedText).map((field) => trigramIndex(definition, field)),
    ...searchIndex(definition, registry),
  ];
  return [...new Map(parts.map((part) => [part.name, part])).values()];
}

function companyNames(definition: Definition): string[] {
  return definition.scope === 'company' ? ['site_id'] : [];
}

function listSortFields(definition: Definition): string[] {
  const names = [definition.list.sort.field, ...definition.list.sortChoices.map((choice) => choice.replace(/^-/, ''))];
  return names.filter((name) => {
    const field = definition.fields[name];
    return field && name !== 'id' && columnTypeOf(field) !== null && !isRelation(field);
  });
}

/**
 * The relations that lists can be sorted by and whose targets are shared by several companies: with the company as
 * first column, a list in that order only reads its own rows.
 */
function sharedSortFields(definition: Definition, registry: Registry): string[] {
  if (definition.scope !== 'company' && definition.scope !== 'both') return [];
  const names = [definition.list.sort.field, ...definition.list.sortChoices.map((choice) => choice.replace(/^-/, ''))];
  return [...new Set(names)].filter((name) => {
    const field = definition.fields[name];
    if (!field || !isRelation(field) || columnTypeOf(field) === null) return false;
    const target = registry.get(field.to);
    return target !== undefined && target.scope !== 'company';
  });
}

/** Whether an index provides the rows of a company in the order of this relation. */
export function hasSharedSortIndex(definition: Definition, field: Field, registry: Registry): boolean {
  return sharedSortFields(definition, registry).includes(field.name);
}

/** The index of a board that is put in order by hand: a column in its order. */
function boardIndexes(definition: Definition): SchemaObject[] {
  const { column, order } = definition.list.kanban ?? {};
  return column === undefined || order === undefined ? [] : [plainIndex(definition, [column, order])];
}

function plainIndex(definition: Definition, names: readonly string[]): SchemaObject {
  const columns = names.map((name) => {
    const field = definition.fields[name];
    if (!field || columnTypeOf(field) !== 'text') return quoteIdentifier(name);
    if (fieldTypeOf(field).sortsByNumbers) return `(${paddedNumbersSql(quoteIdentifier(name))} collate "und-x-icu")`;
    return `${quoteIdentifier(name)} collate "und-x-icu"`;
  });
  const keyColumns = names.includes('id') ? columns : [...columns, 'id'];
  return createSchemaObject(
    'ix',
    definition.table,
    names,
    `Index ${definition.table} by ${names.join(', ')}`,
    (index) => `create index ${index} on ${qualifiedTable(definition.table)} (${keyColumns.join(', ')})`,
  );
}

/** The company of a row in indexes, where the records of the installation count as those of one. */
function companyValue(definition: Definition, column: string): string {
  return hasCompanyKey(definition) ? column : `coalesce(${column}, 0)`;
}

/** The index by the members of a list. */
function memberIndex(definition: Definition, { name }: Field): SchemaObject {
  const text = `Index ${definition.table} by the values of ${name}`;
  const write = (index: string) =>
    `create index ${index} on ${qualifiedTable(definition.table)} using gin (${quoteIdentifier(name)})`;
  return { ...createSchemaObject('ix', definition.table, [name], text, write), isOptional: true };
}

/** The index of a text that is compared with those of other records. */
function trigramIndex(definition: Definition, { name }: Field): SchemaObject {
  const text = `Index ${definition.table} for similar texts of ${name}`;
  const write = (index: string) =>
    `create index ${index} on ${qualifiedTable(definition.table)} using gin (${quoteIdentifier(name)} gin_trgm_ops)`;
  return { ...createSchemaObject('ix', definition.table, [name], text, write), isOptional: true };
}

/** The index of a field that is unique alone. */
function uniqueIndex(definition: Definition, field: Field): SchemaObject {
  const scopeColumn = isSequence(field) ? numberedBy(field) : field.unique === 'company' ? 'site_id' : undefined;
  const text = `Require unique values of ${definition.table}.${field.name}`;
  return createUniqueIndex(definition, text, [field.name], scopeColumn);
}

/** The index of a unique combination, partial if it has a condition. */
function combinationIndex(
  definition: Definition,
  { fields, where: condition }: UniqueRule,
  registry: Registry,
): SchemaObject {
  const text = `Require unique combinations of ${fields.join(' and ')} in ${definition.table}`;
  const indexCondition =
    condition &&
    ((alias: string) => indexExpression(predicateToSql(predicateOf(condition), definition, alias, registry, null)));
  return createUniqueIndex(definition, text, fields, 'site_id', indexCondition);
}

/**
 * The constraint that spans of time do not overlap. Values that have to be the same are ranges of one number, which
 * PostgreSQL compares in the same index without an extension.
 */
function exclusion(definition: Definition, { fields, partitionBy }: OverlapRule): SchemaObject {
  const [startColumn, endColumn] = fields.map(quoteIdentifier) as [string, string];
  const [range, bounds] =
    columnTypeOf(fieldOf(definition, fields[0])) === 'date' ? ['daterange', '[]'] : ['tstzrange', '[)'];
  const prefixed = (alias: string, name: string) => (alias === '' ? name : `${alias}.${name}`);
  const scopeValues = (alias: string) => [
    ...('site_id' in definition.fields ? [companyValue(definition, prefixed(alias, 'site_id'))] : []),
    ...partitionBy.map((name) => prefixed(alias, quoteIdentifier(name))),
  ];
  // A span that ends before it begins is refused by other rules, and is none here.
  const span = (alias: string) => {
    const [start, end] = [prefixed(alias, startColumn), prefixed(alias, endColumn)];
    return `case when ${end} < ${start} then 'empty'::${range} else ${range}(${start}, ${end}, '${bounds}') end`;
  };
  const limits = (alias: string) =>
    [startColumn, ...partitionBy.map(quoteIdentifier)]
      .map((name) => `${prefixed(alias, name)} is not null`)
      .concat(definition.delete.keep ? [`${prefixed(alias, 'deleted_at')} is null`] : []);
  const comparisons = [
    ...scopeValues('').map((name) => `int8range(${name}, ${name}, '[]') with &&`),
    `(${span('')}) with &&`,
  ].join(', ');
  const isSame = scopeValues('a')
    .map((expression, index) => `${expression} = ${itemAt(scopeValues('b'), index)} and `)
    .join('');
  return {
    ...createSchemaObject(
      'ex',
      definition.table,
      [...partitionBy, ...fields],
      `Refuse overlaps of ${fields.join(' and ')} in ${definition.table}`,
      (index) =>
        `alter table ${qualifiedTable(definition.table)} add constraint ${index} exclude using gist (${comparisons}) where (${limits('').join(' and ')})`,
    ),
    violations: (rows) => `select a.id from ${rows} a where ${limits('a').join(' and ')} and exists (
      select from ${rows} b where ${isSame}${limits('b').join(' and ')} and a.id <> b.id and (${span('a')}) && (${span('b')}))`,
  };
}

/** The rule that forbids overlaps, by the name of its constraint; undefined if the constraint is another one. */
export function overlapRuleOf(
  registry: Registry,
  constraint: string,
): { readonly definition: Definition; readonly rule: OverlapRule } | undefined {
  if (!constraint.startsWith('ex__')) return undefined;
  for (const definition of registry.definitions.values())
    if (
      definition.noOverlap &&
      [constraint, withoutShard(constraint)].includes(exclusion(definition, definition.noOverlap).name)
    )
      return { definition, rule: definition.noOverlap };
  return undefined;
}

/** A unique combination of a definition. */
export interface Combination {
  readonly definition: Definition;
  readonly rule: UniqueRule;
}

const combinationIndexes = new WeakMap<Registry, Map<string, Combination>>();

/** The unique combination that an index enforces; undefined if it enforces none. */
export function combinationOfIndex(registry: Registry, index: string): Combination | undefined {
  let combinations = combinationIndexes.get(registry);
  if (!combinations) {
    const resources = [...registry.definitions.values()].filter((definition) => !definition.system);
    combinations = new Map(
      resources.flatMap((definition) =>
        definition.unique.map(
          (rule) => [combinationIndex(definition, rule, registry).name, { definition, rule }] as const,
        ),
      ),
    );
    combinationIndexes.set(registry, combinations);
  }
  return combinations.get(index) ?? combinations.get(withoutShard(index));
}

/** `scopeColumn`: the column of those among which values are unique, if the definition has it. */
function createUniqueIndex(
  definition: Definition,
  text: string,
  names: readonly string[],
  scopeColumn: string | undefined,
  condition?: (alias: string) => string,
): SchemaObject {
  const quotedNames = names.map(quoteIdentifier);
  const columns = [
    ...(scopeColumn !== undefined && scopeColumn in definition.fields
      ? [scopeColumn === 'site_id' ? companyValue(definition, scopeColumn) : `coalesce(${scopeColumn}, 0)`]
      : []),
    ...names.map((name, index) =>
      columnTypeOf(fieldOf(definition, name)) === 'text'
        ? `lower(${itemAt(quotedNames, index)})`
        : itemAt(quotedNames, index),
    ),
  ];
  const limits = (alias: string) => [
    ...(definition.delete.keep ? ['deleted_at is null'] : []),
    ...(condition ? [`(${condition(alias)})`] : []),
  ];
  const conditions = limits(definition.table).join(' and ');
  const table = qualifiedTable(definition.table);
  const comparisons = [...quotedNames.map((name) => `${name} is not null`), ...limits('a')].join(' and ');
  return {
    ...createSchemaObject(
      'ux',
      definition.table,
      names,
      text,
      (index) =>
        `create unique index ${index} on ${table} (${columns.join(', ')})${conditions && ` where ${conditions}`}`,
    ),
    violations: (
      rowsSql,
    ) => `select id from (select id, count(*) over (partition by ${columns.join(', ')}) as n from ${rowsSql} a
      where ${comparisons}) each where n > 1`,
    repeatedValues: (rowsSql) => `select min(concat_ws(', ', ${quotedNames.join(', ')})) as text from ${rowsSql} a
      where ${comparisons} group by ${columns.join(', ')} having count(*) > 1`,
  };
}

function searchIndex(definition: Definition, registry: Registry): SchemaObject[] {
  const column = searchColumn(definition, registry);
  if (!column) return [];
  const part = createSchemaObject(
    'ix',
    definition.table,
    [column.name],
    `Index ${definition.table} for searching`,
    (index) =>
      `create index ${index} on ${qualifiedTable(definition.table)} using gin (${quoteIdentifier(column.name)} gin_trgm_ops)`,
  );
  return [{ ...part, isOptional: true }];
}

/** An index or a foreign key. Its name ends with a hash of its definition, so that a changed one gets another name. */
export interface SchemaObject {
  readonly name: string;
  readonly table: string;
  /** The columns that it uses. */
  readonly columns: readonly string[];
  readonly text: string;
  readonly sql: string;
  /** Selects the `id` of each stored row that violates it, given the future rows of its table (and of the target). */
  readonly violations?: (from: string, target: string) => string;
  /** Selects the values that several of these rows have, as `text`. */
  readonly repeatedValues?: (from: string) => string;
  /**
   * Optional: everything works without it, only slower. On a large table it is built in the background, once its
   * columns exist.
   */
  readonly isOptional?: true;
  /** The table that a foreign key refers to. */
  readonly target?: string;
  /** Whether a foreign key refers to the key with the company. */
  readonly ofCompany?: boolean;
  /** A unique index that foreign keys refer to. */
  readonly isTarget?: true;
}

/** Creates an index or foreign key, named after its table, columns and definition; `write` gets the quoted name. */
function createSchemaObject(
  prefix: 'ix' | 'ux' | 'ex' | 'fk',
  table: string,
  columns: readonly string[],
  text: string,
  write: (name: string) => string,
): SchemaObject {
  const hash = createHash('sha1').update(write('')).digest('hex').slice(0, 8);
  const name = `${identifierFor(prefix, table, ...columns).slice(0, 54)}_${hash}`;
  return { name, table, columns, text, sql: write(quoteIdentifier(name)) };
}

/** Quotes an identifier. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A table's quoted name with its schema. */
export function qualifiedTable(table: string): string {
  return `public.${quoteIdentifier(table)}`;
}

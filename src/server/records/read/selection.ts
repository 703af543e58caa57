import { Level } from '../../../engine/definitions/level';
import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field, FieldOf, AnyRelationField } from '../../../engine/definitions/definition';
import { isAnyRelation, isRelation } from '../../../engine/field-types/relation';
import { isRelations } from '../../../engine/field-types/relations';
import { insertedRows, isRows, ownColumns } from '../../../engine/field-types/rows';
import { insertedField, rowColumnAt, rowColumns, rowDefinition } from '../../../engine/field-types/row-definition';
import { columnTypeOf, fieldTypeOf, valueTypeOf } from '../../../engine/field-types';
import { readableFields, accessFilterIfGranted, allOf, rowRuleFilter, companyScope } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { responseSql, formattedSql, columnSql } from '../../sql/column-sql';
import { pairTable } from '../../database/identifiers';
import { inSameCompany, recordInRow } from '../../sql/same-company';
import { templateFields } from '../../../engine/definitions/labels';
import {
  findEmbedField,
  visibleTitleSql,
  mayBelongToInstallation,
  rowsJson,
  rowsOfRecord,
  textSql,
  literal,
} from '../../sql/operands';
import type { Predicate } from '../../../engine/conditions/grammar';
import type { SharedRollups } from '../../sql/computed-sql';
import { pointsToSql } from '../../sql/points-to';
import type { OuterRow } from '../../sql/computed-sql';
import { predicateToSql, sharedRollupsOf } from '../../sql/predicate-to-sql';
import { decideAccess } from '../../../engine/access/access-decision';
import { truePredicate } from '../../../engine/conditions/variables';
import { isInverse, shownResource } from '../../../engine/field-types/inverse';
import { computedKind } from '../../../engine/conditions/computed-kind';
import { rollupOf } from '../../../engine/expressions/derivations';
import { fieldOf } from '../../../engine/definitions/accessors';
import { requireValue } from '../../../engine/values/lookups';
import { isShareLink } from '../../../engine/field-types/share-link';

/** A list or a single record: they include different related data. */
export type RecordView = 'list' | 'one';
/** Also a record that is being created: nothing refers to it yet, and it has no pairs. */
export type SelectionShape = RecordView | 'new';

/** The fields that the client requested, including the id; undefined: all. */
export type RequestedFields = ReadonlySet<string> | undefined;

/**
 * The columns of a response for a row `alias`: every field that the caller may read, and its embed as JSON beside each
 * relation. One statement loads a whole page, nothing is fetched row by row. `fieldNames` restricts it to the id and some
 * fields, whose relations then carry the titles of related records; `requestedFields` restricts it to some properties
 * of the response.
 */
export function selectionSql(
  scope: RecordScope,
  alias: string,
  kind: SelectionShape,
  fieldNames?: ReadonlySet<string>,
  requestedFields?: RequestedFields,
): RawBuilder<unknown> {
  const { context, definition } = scope;
  const fields = selectedFields(scope, kind, fieldNames, requestedFields);
  return columnsSql(context, definition, fields, alias, kind, requestedFields, noShared);
}

/** The same columns, and what the statement joins to the row `alias` for them. */
export function joinedSelectionSql(
  scope: RecordScope,
  alias: string,
  kind: RecordView,
  fieldNames?: ReadonlySet<string>,
  requestedFields?: RequestedFields,
): { readonly columns: RawBuilder<unknown>; readonly joins: RawBuilder<unknown> } {
  const { context, definition } = scope;
  const fields = selectedFields(scope, kind, fieldNames, requestedFields);
  const responseFields = fields.filter(({ name }) => !requestedFields || requestedFields.has(name));
  const rollups = sharedRollupsOf(definition, responseFields, alias, context.registry, context.evaluationContext);
  return {
    columns: columnsSql(context, definition, fields, alias, kind, requestedFields, rollups.values),
    joins: rollups.joins,
  };
}

type SharedValues = SharedRollups['values'];
const noShared: SharedValues = new Map();

function selectedFields(
  { context, definition }: RecordScope,
  kind: SelectionShape,
  fieldNames: ReadonlySet<string> | undefined,
  requestedFields: RequestedFields,
): Field[] {
  const readable = readableFields(context.actor, definition, kind === 'list' ? 'list' : 'view').sometimes;
  return Object.values(definition.fields)
    .filter((field) => readable.has(field.name) && !field.virtual)
    .filter((field) => !fieldNames || field.name === 'id' || fieldNames.has(field.name))
    .map((field) => (fieldNames ? withEmbed(field) : field))
    .map(
      (field) =>
        (isRows(field) && requestedFields?.has(field.name) ? { ...field, inLists: 'records' } : field) as Field,
    );
}

function columnsSql(
  context: RequestContext,
  definition: Definition,
  fields: readonly Field[],
  alias: string,
  kind: SelectionShape,
  requestedFields: RequestedFields,
  rollupValues: SharedValues,
): RawBuilder<unknown> {
  const columns = fields
    .flatMap((field) => {
      const value = rollupValues.get(field.name);
      return value
        ? [[field.name, formattedSql(field, value)] as const]
        : columnsOf({ context, definition }, field, alias, kind);
    })
    .filter(([name]) => !requestedFields || requestedFields.has(name));
  return sql.join(columns.map(([name, expression]) => sql`${expression} as ${sql.id(name)}`));
}

/** A relation that always has an embed, under its own name if none is defined. */
function withEmbed(field: Field): Field {
  if (isRelation(field)) return { ...field, embed: field.embed ?? field.name };
  if (isRows(field)) return { ...field, inLists: 'records' };
  return isRelations(field) ? { ...field, embed: field.embed ?? field.name, inLists: 'records' } : field;
}

type Column = readonly [name: string, expression: RawBuilder<unknown>];

function columnsOf(scope: RecordScope, field: Field, alias: string, kind: SelectionShape): readonly Column[] {
  const { context, definition } = scope;
  if (isInverse(field)) return inverseColumns(context, field, alias, kind);
  if (isRows(field)) return rowsColumns(scope, field, alias, kind);
  if (isRelations(field)) return relationsColumns(scope, field, alias, kind);
  if (field.computed === undefined && columnTypeOf(field) === null) return [];
  if (isShareLink(field)) return shareLinkColumns(scope, field, alias);
  if (kind === 'new' && isNothingWithoutRows(field)) return [[field.name, sql`null`]];
  const valueColumn: Column = [
    field.name,
    responseSql(definition, field, alias, context.registry, field.computed ? context.evaluationContext : null),
  ];
  if (!isRelation(field) || !field.embed) return [valueColumn];
  const embed: Column = [field.embed, embedJson(context, field, alias, 0)];
  return field.embed === field.name ? [embed] : [valueColumn, embed];
}

/** Whether a field has no value while nothing points to its record, and the record has no rows. */
function isNothingWithoutRows(field: Field): boolean {
  return computedKind(field) === 'rollup' && !['count', 'sum'].includes(rollupOf(field).take);
}

const noRecords = sql`'[]'::json`;

function inverseColumns(
  context: RequestContext,
  field: FieldOf<'inverse'>,
  alias: string,
  kind: SelectionShape,
): readonly Column[] {
  if (kind === 'new') return inverseFilter(context, field) ? [[field.name, noRecords]] : [];
  if (kind === 'list' && field.inLists === 'nothing') return [];
  if (kind === 'one' || field.inLists === 'records') {
    const records = inverseRecordsSql(context, field, alias);
    return records ? [[field.name, records]] : [];
  }
  const count = inverseCountSql(context, field, alias);
  const sum = inverseSumSql(context, field, alias);
  return [...(count ? [[field.countName, count] as const] : []), ...(sum ? [[field.sum!.name, sum] as const] : [])];
}

/** The rows with their ids, or in lists the number of them. */
function rowsColumns(
  { context, definition }: RecordScope,
  field: FieldOf<'rows'>,
  alias: string,
  kind: SelectionShape,
): readonly Column[] {
  if (kind === 'new') return [[field.name, noRecords]];
  if (kind === 'list' && field.inLists === 'nothing') return [];
  if (kind === 'list' && field.inLists === 'count') {
    const { fromSql, whereSql } = rowsOfRecord(definition, field, alias, 'row');
    const insertion = insertedRowsSql({ context, definition }, field, 'row', () => sql`count(*)`);
    const count = insertion
      ? sql`coalesce(sum(case when ${insertion.isOwn} then 1 else ${insertion.rows} end), 0)::integer`
      : sql`count(*)::integer`;
    return [[field.countName, sql`(select ${count} from ${fromSql} where ${whereSql})`]];
  }
  const rows = rowDefinition(definition, field);
  const json = rowsJson(definition, field, alias, (inner) => {
    const cells = cellsJson({ context, definition: rows }, Object.values(field.columns), inner);
    const idCell = sql`${literal(rowColumns.id)}, ${sql.id(inner, rowColumns.id)}`;
    const insertion = insertedRowsSql({ context, definition }, field, inner, (insertedAlias, order) => {
      const insertedCells = cellsJson({ context, definition: rows }, sharedColumns(context, field), insertedAlias);
      return sql`coalesce(json_agg(json_build_object(${sql.join(insertedCells)}) order by ${order}), '[]'::json)`;
    });
    const read = insertion
      ? [sql`${literal(insertedRows)}, case when not (${insertion.isOwn}) then ${insertion.rows} end`]
      : [];
    return sql`json_build_object(${sql.join([idCell, ...cells, ...read])})`;
  });
  return [[field.name, json]];
}

/** The names and values of cells, and of the records that they refer to, in the row `alias`. */
function cellsJson(scope: RecordScope, columns: readonly Field[], alias: string): RawBuilder<unknown>[] {
  const { definition: rows } = scope;
  const names = columns.flatMap(({ name, embed }) => (embed !== undefined && embed !== name ? [name, embed] : [name]));
  return names.flatMap((name) => {
    const column = rows.fields[name] ?? findEmbedField(rows, name);
    const value = column && fieldJson(scope, column, name, alias, 0);
    return value ? [sql`${literal(name)}, ${value}`] : [];
  });
}

/** The columns that a field with rows shares with the rows that it inserts. */
function sharedColumns({ registry }: RequestContext, field: FieldOf<'rows'>): Field[] {
  const insertedTarget = field.insertedRows && insertedField(registry, field);
  return insertedTarget
    ? ownColumns(field).filter(({ name }) => Object.hasOwn(insertedTarget.field.columns, name))
    : [];
}

/**
 * The rows that the row `alias` of a field inserts: `read` is the value of a subquery of those rows, for their alias and order.
 * They are part of the record that inserts them, as its own rows are: its readers read them too. Undefined for a field
 * that inserts nothing.
 */
function insertedRowsSql(
  { context, definition }: RecordScope,
  field: FieldOf<'rows'>,
  alias: string,
  read: (rows: string, order: RawBuilder<unknown>) => RawBuilder<unknown>,
): { readonly isOwn: RawBuilder<unknown>; readonly rows: RawBuilder<unknown> } | undefined {
  if (!field.insertedRows) return undefined;
  const target = insertedField(context.registry, field);
  const relationColumn = sql.id(alias, field.insertedRows.by);
  const inner = 'inserted';
  const order = sql`${sql.id(inner, rowColumns.position)}, ${sql.id(inner, rowColumns.id)}`;
  const rows = sql`(select ${read(inner, order)}
    from ${sql.id('public', rowDefinition(target.definition, target.field).table)} ${sql.id(inner)}
    where ${sql.id(inner, rowColumns.parent)} = ${relationColumn}${inSameCompany(inner, alias, definition, target.definition)})`;
  return { isOwn: sql`${relationColumn} is null`, rows };
}

function relationsColumns(
  scope: RecordScope,
  field: FieldOf<'relations'>,
  alias: string,
  kind: SelectionShape,
): readonly Column[] {
  const { context, definition } = scope;
  if (kind === 'new' && field.computed === undefined) {
    if (!field.embed) return [[field.name, sql`'{}'::bigint[]`]];
    return field.embed === field.name
      ? [[field.name, noRecords]]
      : [
          [field.name, sql`'{}'::bigint[]`],
          [field.embed, noRecords],
        ];
  }
  const ids: Column = [field.name, columnSql(definition, field, alias, context.registry, null)];
  const pairs = sql.id('public', pairTable(definition, field));
  if (kind === 'list' && field.inLists === 'count') {
    const count = sql`(select count(*)::integer from ${pairs} p where p.record_id = ${sql.id(alias, 'id')}${inSameCompany('p', alias, definition)})`;
    return [ids, [field.countName, count]];
  }
  if (!field.embed || (kind === 'list' && field.inLists !== 'records')) return [ids];
  const records = relatedRecordsJson(scope, field, alias);
  return field.embed === field.name ? [[field.name, records]] : [ids, [field.embed, records]];
}

/** The related record of a relation in the row `alias`, as JSON: id, title, and the field's `embedFields`. */
function embedJson(
  context: RequestContext,
  field: FieldOf<'relation'>,
  alias: string,
  depth: number,
): RawBuilder<unknown> {
  const target = context.registry.getOrThrow(field.to);
  return relatedRowJson(field, target, alias, depth, (inner) =>
    rowJson({ context, definition: target }, field.embedFields, inner, depth),
  );
}

function relatedRowJson(
  field: AnyRelationField,
  target: Definition,
  alias: string,
  depth: number,
  object: (inner: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const inner = `e${depth}`;
  return sql`(select ${object(inner)}
    from ${sql.id('public', target.table)} ${sql.id(inner)} where ${sql.id(inner, 'id')} = ${sql.id(alias, field.name)})`;
}

/** The related records of a many-relation field, as a JSON array ordered by id. */
function relatedRecordsJson(
  { context, definition }: RecordScope,
  field: FieldOf<'relations'>,
  alias: string,
): RawBuilder<unknown> {
  const target = context.registry.getOrThrow(field.to);
  return sql`(select coalesce(json_agg(${rowJson({ context, definition: target }, field.embedFields, 'e0', 0)} order by e0.id), '[]'::json)
    from ${sql.id('public', pairTable(definition, field))} p
    join ${sql.id('public', target.table)} e0 on e0.id = p.target_id${inSameCompany('e0', 'p', definition, target)}
    where p.record_id = ${sql.id(alias, 'id')}${inSameCompany('p', alias, definition)})`;
}

/**
 * A row as a JSON object: id, title, and the named fields or embeds that the caller may read. Of records that belong to
 * the installation, companies get the id and a placeholder title.
 */
function rowJson(scope: RecordScope, names: readonly string[], alias: string, depth: number): RawBuilder<unknown> {
  const { context, definition } = scope;
  const readable = readableFields(context.actor, definition, 'view').always;
  const isOutside =
    context.actor.level !== Level.Installation &&
    mayBelongToInstallation(definition) &&
    sql`${sql.id(alias, 'site_id')} is null`;
  const titleParts = titleEmbeds(definition);
  const parts = [...new Set(['id', definition.titleField, ...titleParts.keys(), ...names])].flatMap((name) => {
    const field = definition.fields[name] ?? findEmbedField(definition, name);
    if (!field || !readable.has(field.name)) return [];
    if (name === definition.titleField && isOutside)
      return [sql`${literal(name)}, ${visibleTitleSql(context.actor, definition, alias, context.registry)}`];
    const inTitle = names.includes(name) ? undefined : titleParts.get(name);
    const value =
      inTitle?.length && isAnyRelation(field)
        ? titleJson(context, field, inTitle, alias, depth)
        : fieldJson(scope, field, name, alias, depth);
    if (!value) return [];
    return [
      sql`${literal(name)}, ${isOutside && name !== 'id' ? sql`case when not ${isOutside} then ${value} end` : value}`,
    ];
  });
  return sql`json_build_object(${sql.join(parts)})`;
}

/** The fields that a title is made of, each with the fields of its embed that the title uses: `{client.name}`. */
function titleEmbeds({ recordTitle }: Definition): Map<string, string[]> {
  const parts = new Map<string, string[]>();
  for (const path of templateFields(recordTitle)) {
    const [name, inner] = path.split('.', 2) as [string, string | undefined];
    parts.set(name, [...(parts.get(name) ?? []), ...(inner === undefined ? [] : [inner])]);
  }
  return parts;
}

/** Only the fields of a related record that a title uses: the titles of two resources may refer to each other. */
function titleJson(
  context: RequestContext,
  relation: AnyRelationField,
  names: readonly string[],
  alias: string,
  depth: number,
): RawBuilder<unknown> {
  const target = context.registry.getOrThrow(relation.to);
  const readable = readableFields(context.actor, target, 'view').always;
  return relatedRowJson(relation, target, alias, depth + 1, (inner) => {
    const parts = [...new Set(['id', ...names])].flatMap((name) => {
      const field = target.fields[name];
      const value =
        field && readable.has(name) && fieldJson({ context, definition: target }, field, name, inner, depth + 1);
      return value ? [sql`${literal(name)}, ${value}`] : [];
    });
    return sql`json_build_object(${sql.join(parts)})`;
  });
}

function fieldJson(
  { context, definition }: RecordScope,
  field: Field,
  name: string,
  alias: string,
  depth: number,
): RawBuilder<unknown> | undefined {
  if (isRelation(field) && field.embed === name) return embedJson(context, field, alias, depth + 1);
  if (columnTypeOf(field) === null && field.computed === undefined && !isRelations(field)) return undefined;
  if (isShareLink(field)) return undefined;
  const value = responseSql(
    definition,
    field,
    alias,
    context.registry,
    field.computed ? context.evaluationContext : null,
  );
  const columnType = valueTypeOf(field);
  return columnType === 'timestamptz(3)' ? textSql({ sql: value, columnType }) : value;
}

/** A record embeds at most this many related records; clients page through larger lists. */
const MAX_EMBEDDED_RECORDS = 1_000;

/** The number of records that point at the row `alias`; undefined if the caller may not list them. */
function inverseCountSql(
  context: RequestContext,
  field: FieldOf<'inverse'>,
  alias: string,
): RawBuilder<unknown> | undefined {
  const rows = inverseRowsSql(context, field, alias);
  return rows && sql`(select count(*)::integer from ${rows})`;
}

/**
 * The sum of the field that `field.sum` names, in response format; undefined if the caller may not list those records
 * or read that field.
 */
function inverseSumSql(
  context: RequestContext,
  field: FieldOf<'inverse'>,
  alias: string,
): RawBuilder<unknown> | undefined {
  const rows = field.sum && inverseRowsSql(context, field, alias);
  if (!rows) return undefined;
  const { registry, actor } = context;
  const definition = registry.getOrThrow(field.inverse.resource);
  if (!readableFields(actor, definition, 'list').always.has(field.sum.field)) return undefined;
  const sumField = definition.fields[field.sum.field]!;
  const sum = sql`coalesce(sum(${columnSql(definition, sumField, 'i', registry, sumField.computed ? context.evaluationContext : null)}), 0)`;
  const isFormatted = fieldTypeOf(sumField).responseSql !== undefined;
  const total = isFormatted ? formattedSql(sumField, sql`${sum}::integer`) : sql`${sum}::double precision`;
  return sql`(select ${total} from ${rows})`;
}

/** The records that point at the row `alias`, as a JSON array; undefined if the caller may not list them. */
function inverseRecordsSql(
  context: RequestContext,
  field: FieldOf<'inverse'>,
  alias: string,
): RawBuilder<unknown> | undefined {
  const rows = inverseRowsSql(context, field, alias);
  if (!rows) return undefined;
  const definition = context.registry.getOrThrow(field.inverse.resource);
  if (field.maxItems !== undefined) return latestRecordsSql(context, field, alias, rows);
  if (field.distinctBy !== undefined) return distinctRecordsSql({ context, definition }, field, rows);
  return sql`(select coalesce(json_agg(x.o order by x.id), '[]'::json) from
    (select i.id, ${rowJson({ context, definition }, field.showFields, 'i', 0)} as o from ${rows} order by i.id limit ${sql.lit(MAX_EMBEDDED_RECORDS)}) x)`;
}

/** The targets of a relation of an inverse field's records, each once, by id; undefined if the relation is unreadable. */
function distinctRecordsSql(
  { context, definition }: RecordScope,
  field: FieldOf<'inverse'>,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> | undefined {
  const { registry, actor } = context;
  if (!readableFields(actor, definition, 'list').always.has(field.distinctBy!)) return undefined;
  const target = registry.getOrThrow(shownResource(field, definition));
  return sql`(select coalesce(json_agg(x.o order by x.id), '[]'::json) from
    (select e0.id, ${rowJson({ context, definition: target }, field.showFields, 'e0', 0)} as o from ${sql.id('public', target.table)} e0
      where e0.id in (select i.${sql.id(field.distinctBy!)} from ${rows}) order by e0.id limit ${sql.lit(MAX_EMBEDDED_RECORDS)}) x)`;
}

/**
 * The latest of an inverse field's records, the latest last. Those that point at the row directly and those that do
 * through another record are each read by their own index.
 */
function latestRecordsSql(
  context: RequestContext,
  field: FieldOf<'inverse'>,
  alias: string,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { registry, evaluationContext } = context;
  const definition = registry.getOrThrow(field.inverse.resource);
  const order = definition.fields[field.latestBy!]!;
  const orderSql = columnSql(definition, order, 'i', registry, order.computed ? evaluationContext : null);
  const limit = sql.lit(field.maxItems);
  const latestOf = (source: RawBuilder<unknown>) => sql`(select i.*, ${orderSql} as "ordered by" from ${source}
    and ${orderSql} is not null order by ${orderSql} desc, i.id desc limit ${limit})`;
  const indirectRows = throughRowsSql(context, field, alias);
  const latest = indirectRows ? sql`${latestOf(rows)} union all ${latestOf(indirectRows)}` : latestOf(rows);
  return sql`(select coalesce(json_agg(x.o order by x."ordered by", x.id), '[]'::json) from
    (select i.id, i."ordered by", ${rowJson({ context, definition }, field.showFields, 'i', 0)} as o from (${latest}) i
      order by i."ordered by" desc, i.id desc limit ${limit}) x)`;
}

/** The records that point at the row `alias` through another record; undefined if there is no such way for the caller. */
function throughRowsSql(
  context: RequestContext,
  field: FieldOf<'inverse'>,
  alias: string,
): RawBuilder<unknown> | undefined {
  const filters = throughFilters(context, field);
  if (!field.indirectRelation || !filters) return undefined;
  const { registry, evaluationContext } = context;
  const definition = registry.getOrThrow(field.inverse.resource);
  const linkDefinition = registry.getOrThrow(definition.fields[field.indirectRelation.relation]!.to!);
  const accessCondition = predicateToSql(filters.records, definition, 'i', registry, evaluationContext);
  const outer = outerRow({ context, definition: linkDefinition }, field.indirectRelation.field, alias);
  const linkCondition = predicateToSql(filters.between, linkDefinition, 'b', registry, evaluationContext, outer);
  return sql`${sql.id('public', definition.table)} i
    where i.${sql.id(field.indirectRelation.relation)} in (select b.id from ${sql.id('public', linkDefinition.table)} b
      where ${sql.id('b', field.indirectRelation.field)} = ${sql.id(alias, 'id')} and ${linkCondition})
    and not coalesce(${linkSql(context, field, alias)}, false) and ${accessCondition}`;
}

/** The access filters on the way of `indirectRelation`: of the records, and of those between; undefined if the caller has none. */
function throughFilters(
  context: RequestContext,
  field: FieldOf<'inverse'>,
): { readonly records: Predicate; readonly between: Predicate } | undefined {
  if (!field.indirectRelation) return undefined;
  const definition = context.registry.getOrThrow(field.inverse.resource);
  const { name, to: targetName } = definition.fields[field.indirectRelation.relation]!;
  const records = inverseFilter(context, field);
  const linkFilter = accessFilterIfGranted(context, context.registry.getOrThrow(targetName!), 'list');
  const isReadable = readableFields(context.actor, definition, 'list').always.has(name);
  return records && linkFilter && isReadable ? { records, between: linkFilter } : undefined;
}

/** The access filter of the referring resource; undefined if the caller may not list it. */
export function inverseFilter(context: RequestContext, field: FieldOf<'inverse'>): Predicate | undefined {
  return accessFilterIfGranted(context, context.registry.getOrThrow(field.inverse.resource), 'list');
}

function inverseRowsSql(
  context: RequestContext,
  field: FieldOf<'inverse'>,
  alias: string,
): RawBuilder<unknown> | undefined {
  const { registry } = context;
  const filter = inverseFilter(context, field);
  if (!filter) return undefined;
  const definition = registry.getOrThrow(field.inverse.resource);
  const outer = outerRow({ context, definition }, field.inverse.field, alias);
  const accessCondition = predicateToSql(filter, definition, 'i', registry, context.evaluationContext, outer);
  return sql`${sql.id('public', definition.table)} i where ${linkSql(context, field, alias)} and ${accessCondition}`;
}

/** The row `alias` that rows point at by a relation to one record; undefined if they point at it in another way. */
function outerRow(
  { context: { registry }, definition: { fields } }: RecordScope,
  relation: string,
  alias: string,
): OuterRow | undefined {
  const field = Object.hasOwn(fields, relation) ? fields[relation]! : undefined;
  if (!field || !isRelation(field) || field.computed !== undefined) return undefined;
  return { relation, alias, definition: registry.getOrThrow(field.to) };
}

function linkSql({ registry }: RequestContext, field: FieldOf<'inverse'>, alias: string): RawBuilder<unknown> {
  const { resource, field: path } = field.inverse;
  const definition = registry.getOrThrow(resource);
  const relation: Field = rowColumnAt(definition, path)?.column ?? fieldOf(definition, path);
  const target = registry.getOrThrow(requireValue(relation.to, `the target of ${path}`));
  return pointsToSql(definition, path, 'i', recordInRow(target, alias));
}

/** The records whose share link the caller may read, because they may edit them; undefined: none. */
function shareableFilter(context: RequestContext, definition: Definition): Predicate | undefined {
  if (!Object.values(definition.fields).some((field) => isShareLink(field))) return undefined;
  if (!decideAccess(context.actor, definition, 'edit').allowed) return undefined;
  const isOwnCompany = definition.scope === 'both' && context.actor.level !== Level.Installation;
  const company: Predicate = isOwnCompany
    ? { kind: 'compare', left: 'site_id', operator: '$eq', right: context.actor.site_id }
    : companyScope(context.actor, definition);
  return allOf([company, rowRuleFilter(context, definition, 'edit')]);
}

/** The share link of a row `alias`, for callers who may edit that row. */
function shareLinkColumns(
  { context, definition }: RecordScope,
  field: FieldOf<'shareLink'>,
  alias: string,
): readonly (readonly [name: string, expression: RawBuilder<unknown>])[] {
  const filter = shareableFilter(context, definition);
  if (!filter) return [];
  const link = sql.id(alias, field.name);
  if (filter === truePredicate) return [[field.name, link]];
  const canEdit = predicateToSql(filter, definition, alias, context.registry, context.evaluationContext);
  return [[field.name, sql`(case when ${canEdit} then ${link} end)`]];
}

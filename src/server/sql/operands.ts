import { integerLimit } from '../../engine/field-types/number';
import { Level } from '../../engine/definitions/level';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { predicateOf, toList } from '../../engine/conditions/match-condition';
import type { Predicate, Comparison } from '../../engine/conditions/grammar';
import { unwrapId } from '../../engine/conditions/variables';
import type { Definition, Field, FieldOf } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { columnTypeOf, type ColumnType, isWholeNumber } from '../../engine/field-types';
import { parseInstant } from '../../engine/formats/dates';
import { isRelation } from '../../engine/field-types/relation';
import { isDate } from '../../engine/formats/dates';
import { isStorable } from '../../engine/values/storable';
import {
  columnTypes,
  isInstant,
  resolvePredicate,
  StatementParameter,
  valueOf,
  type VariableContext,
} from './statement-parameter';
import { rowColumns, rowDefinition } from '../../engine/field-types/row-definition';
import { fieldOf } from '../../engine/definitions/accessors';
import { inSameCompany } from './same-company';

/** Thrown for a field that no statement can read, so conditions, sorting and filters can't use it. */
export class UnstoredFieldError extends Error {
  constructor(definition: Definition, name: string) {
    super(`${definition.name}.${name} is not stored, so no statement can read it.`);
  }
}

/** The predicate of a computed field with its variables resolved. Throws without an evaluation context. */
export function computedPredicate(field: Field, evaluationContext: VariableContext | null): Predicate {
  if (!evaluationContext) throw new Error(`${field.name} is computed and needs an evaluation context.`);
  return resolvePredicate(
    predicateOf(field.computed as Exclude<Field['computed'], string | undefined>),
    evaluationContext,
  );
}

/** A field as an operand of comparisons; undefined if it has no single value in a row. */
export function fieldOperand(
  definition: Definition,
  field: Field,
  alias: string,
  registry: Registry,
): Operand | undefined {
  if (typeof field.computed === 'string') {
    return { sql: templateSql(definition, field.computed, alias, registry), columnType: 'text' };
  }
  const columnType = columnTypeOf(field);
  return columnType === null ? undefined : { sql: sql.id(alias, field.name), columnType };
}

/** The title of a record, for sorting, searching and display. */
export function titleSql(definition: Definition, alias: string, registry: Registry): RawBuilder<unknown> {
  return templateSql(definition, definition.recordTitle, alias, registry);
}

/** The title that companies see instead of the names of the installation's users. */
const installationTitle = 'Administrator';

/** Whether records of the resource can belong to the installation, so that companies only see a placeholder title. */
export function mayBelongToInstallation(definition: Definition): boolean {
  return definition.scope === 'company' && !fieldOf(definition, 'site_id').required;
}

/**
 * As `titleSql`, as seen by a reader of this level: companies see a placeholder for records of the installation.
 *
 * @example sql`select ${visibleTitleSql(actor, projects, 't', registry)} as title from public.projects t`;
 */
export function visibleTitleSql(
  { level }: { readonly level: number },
  definition: Definition,
  alias: string,
  registry: Registry,
): RawBuilder<unknown> {
  const title = titleSql(definition, alias, registry);
  if (level === Level.Installation || !mayBelongToInstallation(definition)) return title;
  return sql`(case when ${sql.id(alias, 'site_id')} is null then ${literal(installationTitle)} else ${title} end)`;
}

/**
 * A template such as `{first_name} {last_name}`, filled as the engine's `fillTemplate` does. A template of a single
 * text field is that field's column, which may be null.
 */
export function templateSql(
  definition: Definition,
  template: string,
  alias: string,
  registry: Registry,
): RawBuilder<unknown> {
  const parts = template.split(/(\{[a-z_][a-z0-9_.]*\})/).filter((part) => part !== '');
  const paths = parts.map((part) => /^\{(.*)\}$/.exec(part)?.[1]);
  if (parts.length === 1 && paths[0] !== undefined) {
    const singleOperand = pathOperand(definition, paths[0], alias, registry);
    if (singleOperand?.columnType === 'text') return singleOperand.sql;
  }
  const texts = parts.map((part, index) => {
    const path = paths[index];
    if (path === undefined) return literal(part);
    const operand = pathOperand(definition, path, alias, registry);
    return operand ? sql`coalesce(${textSql(operand)}, '')` : literal('');
  });
  return sql`btrim(regexp_replace(${sql.join(texts, sql` || `)}, ' {2,}', ' ', 'g'))`;
}

/** The value at a path: a field, or a field of a related record (`client.name`). */
function pathOperand(definition: Definition, path: string, alias: string, registry: Registry): Operand | undefined {
  const [first, ...rest] = path.split('.') as [string, ...string[]];
  const field = definition.fields[first] ?? findEmbedField(definition, first);
  if (!field) return undefined;
  if (rest.length === 0) return fieldOperand(definition, field, alias, registry);
  if (!isRelation(field)) return undefined;
  const target = registry.getOrThrow(field.to);
  const inner = `${alias}_${first}`.slice(-50);
  const operand = pathOperand(target, rest.join('.'), inner, registry);
  if (!operand) return undefined;
  return {
    columnType: operand.columnType,
    sql: sql`(select ${operand.sql} from ${sql.id('public', target.table)} ${sql.id(inner)}
      where ${sql.id(inner, 'id')} = ${sql.id(alias, field.name)})`,
  };
}

/** The relation whose related record has this name in responses. */
export function findEmbedField(definition: Definition, name: string): Field | undefined {
  return Object.values(definition.fields).find((field) => field.embed === name);
}

export type BooleanSql = RawBuilder<SqlBool>;

export const sqlTrue: BooleanSql = sql`true`;
export const sqlFalse: BooleanSql = sql`false`;

type OrderOperator = '$gt' | '$gte' | '$lt' | '$lte';
const orderSigns: Readonly<Record<OrderOperator, RawBuilder<unknown>>> = {
  $gt: sql.raw('>'),
  $gte: sql.raw('>='),
  $lt: sql.raw('<'),
  $lte: sql.raw('<='),
};

/** The left side of a comparison: an SQL expression and its PostgreSQL type. */
export interface Operand {
  readonly sql: RawBuilder<unknown>;
  readonly columnType: ColumnType;
}

/** A parameter as the left side of a comparison. */
export function parameterOperand(parameter: StatementParameter): Operand {
  const columnType = columnTypes[parameter.kind];
  return { sql: sql`${parameter}::${sql.raw(columnType)}`, columnType };
}

/**
 * One comparison, with the same result as the engine's `compareValues` for the operand's value in a response. The
 * result may be NULL instead of false (so that indexes can be used); `negated` returns the exact opposite, with NULL
 * only for false. So never put SQL's NOT before a comparison. `zone` is the one in which instants have their days.
 */
export function compareSql(
  operand: Operand,
  operator: Comparison,
  right: unknown,
  negated: boolean,
  zone: unknown = 'UTC',
): BooleanSql {
  const member = memberType(operand.columnType);
  if (member) return compareMembers(operand.sql, member, operator, right, negated);
  switch (operator) {
    case '$ne':
      return compareSql(operand, '$eq', right, !negated, zone);
    case '$nin':
      return compareSql(operand, '$in', right, !negated, zone);
    case '$eq':
      return equalsAnySql(operand, [normalizeValue(right)], negated, zone);
    case '$in':
      return equalsAnySql(operand, toList(right).map(normalizeValue), negated, zone);
    case '$below':
      throw new Error('$below is translated with the tree that it is about.');
    case '$contains':
      return containsSql(operand, normalizeValue(right), negated);
    default:
      return orderSql(operand, operator, normalizeValue(right), negated, zone);
  }
}

/** The type of the members of a list. */
function memberType(columnType: ColumnType): ColumnType | undefined {
  return columnType === 'text[]' ? 'text' : columnType === 'integer[]' ? 'integer' : undefined;
}

/** A list matches if one of its members does; an empty one is stored as null. */
function compareMembers(
  left: RawBuilder<unknown>,
  columnType: ColumnType,
  operator: Comparison,
  right: unknown,
  negated: boolean,
): BooleanSql {
  if (operator === '$ne' || operator === '$nin')
    return compareMembers(left, columnType, operator === '$ne' ? '$eq' : '$in', right, !negated);
  if (operator !== '$eq' && operator !== '$in') {
    const memberMatches = compareSql({ sql: sql.id('member', 'value'), columnType }, operator, right, false);
    return sql`${sql.raw(negated ? 'not exists' : 'exists')} (select from unnest(${left}) member(value) where ${memberMatches})`;
  }
  const values = (operator === '$in' ? toList(right) : [right]).map(normalizeValue);
  const storable = (value: unknown) => typeof value !== 'number' || Math.abs(value) <= integerLimit;
  const comparable = comparableValues(columnType, values).filter((value) => storable(valueOf(value)));
  const nullAsked = values.includes(null);
  // Written so that an index on the members serves it.
  const overlaps = sql<SqlBool>`${left} && ${listSql(comparable, columnType)}`;
  if (negated) {
    if (comparable.length === 0) return nullAsked ? sql`${left} is not null` : sqlTrue;
    return nullAsked ? sql`not (${overlaps})` : sql`(${overlaps}) is not true`;
  }
  if (comparable.length === 0) return nullAsked ? sql`${left} is null` : sqlFalse;
  return nullAsked ? sql`(${overlaps} or ${left} is null)` : overlaps;
}

function normalizeValue(value: unknown): unknown {
  if (value instanceof StatementParameter) return value;
  return value === undefined ? null : value instanceof Date ? value.toISOString() : unwrapId(value);
}

/** As `equalsSql`; days are compared with those of an instant. */
function equalsAnySql(operand: Operand, values: readonly unknown[], negated: boolean, zone: unknown): BooleanSql {
  if (operand.columnType !== 'timestamptz(3)') return equalsSql(operand, values, negated);
  const days = values.filter((value) => isDay(valueOf(value)));
  const instants = values.filter((value) => !days.includes(value)).map(toInstant);
  if (days.length === 0) return equalsSql(operand, instants, negated);
  const parts = [equalsSql(dayOperand(operand, zone), days, negated), equalsSql(operand, instants, negated)];
  return sql`(${sql.join(instants.length === 0 ? parts.slice(0, 1) : parts, negated ? sql` and ` : sql` or `)})`;
}

function isDay(value: unknown): boolean {
  return typeof value === 'string' && isDate(value);
}

/** A written instant as responses have it. */
function toInstant(value: unknown): unknown {
  return typeof value === 'string' ? (parseInstant(value) ?? value) : value;
}

/** The days of instants in a zone. */
function dayOperand({ sql: left }: Operand, zone: unknown): Operand {
  return { sql: sql`(${left} at time zone ${zone}::text)::date`, columnType: 'date' };
}

function equalsSql({ sql: left, columnType }: Operand, values: readonly unknown[], negated: boolean): BooleanSql {
  const comparable = comparableValues(columnType, values);
  // Without the limits of the column, within which PostgreSQL would round.
  const type = isWholeNumber(columnType) ? 'bigint' : columnType.replace(/\(.*/, '');
  const cast = sql.raw(`::${type}`);
  const nullAsked = values.includes(null);
  if (negated) {
    if (comparable.length === 0) return nullAsked ? sql`${left} is not null` : sqlTrue;
    if (nullAsked) return sql`${left} <> all(${listSql(comparable, type)})`;
    if (comparable.length === 1) return sql`${left} is distinct from ${comparable[0]}${cast}`;
    return sql`(${left} <> all(${listSql(comparable, type)}) or ${left} is null)`;
  }
  if (comparable.length === 0) return nullAsked ? sql`${left} is null` : sqlFalse;
  const isOneOf =
    comparable.length === 1
      ? sql<SqlBool>`${left} = ${comparable[0]}${cast}`
      : sql<SqlBool>`${left} = any(${listSql(comparable, type)})`;
  return nullAsked ? sql`(${isOneOf} or ${left} is null)` : isOneOf;
}

function comparableValues(columnType: ColumnType, values: readonly unknown[]): unknown[] {
  return [...new Set(values.filter((value) => isComparable(columnType, valueOf(value))))];
}

/** A list of values of a type: one parameter, unless some of them are parameters themselves. */
export function listSql(values: readonly unknown[], type: string): RawBuilder<unknown> {
  if (!values.some((value) => value instanceof StatementParameter)) return sql`${values}${sql.raw(`::${type}[]`)}`;
  return sql`array[${sql.join(values.map((value) => sql`${value}${sql.raw(`::${type}`)}`))}]`;
}

/** Whether a column of this type can equal the value at all. Comparing others would be a PostgreSQL error. */
function isComparable(columnType: ColumnType, value: unknown): boolean {
  switch (columnType) {
    case 'text':
      return typeof value === 'string' && isStorable(value);
    case 'integer':
    case 'bigint':
      return Number.isSafeInteger(value);
    case 'jsonb':
      return false;
    case 'boolean':
      return typeof value === 'boolean';
    case 'date':
      return typeof value === 'string' && isDate(value);
    case 'timestamptz(3)':
      return isInstant(value);
    default:
      return typeof value === 'number' && !Number.isNaN(value);
  }
}

function orderSql(
  operand: Operand,
  operator: OrderOperator,
  value: unknown,
  negated: boolean,
  zone: unknown,
): BooleanSql {
  const isOfInstant = operand.columnType === 'timestamptz(3)';
  const comparison =
    isOfInstant && isDay(valueOf(value))
      ? positiveOrderSql(dayOperand(operand, zone), operator, value)
      : positiveOrderSql(operand, operator, isOfInstant ? toInstant(value) : value);
  if (!comparison) return negated ? sqlTrue : sqlFalse;
  return negated ? sql`(${comparison}) is not true` : comparison;
}

function positiveOrderSql(
  { sql: left, columnType }: Operand,
  operator: OrderOperator,
  right: unknown,
): BooleanSql | undefined {
  const sign = orderSigns[operator];
  const value = valueOf(right);
  if (isWholeNumber(columnType) || columnType === 'double precision' || isDecimal(columnType)) {
    if (typeof value !== 'number' || Number.isNaN(value)) return undefined;
    if (isWholeNumber(columnType) && isComparable(columnType, value)) return sql`${left} ${sign} ${right}::bigint`;
    if (isDecimal(columnType)) return sql`${left} ${sign} ${right}::numeric`;
    return sql`${left}::double precision ${sign} ${right}::double precision`;
  }
  if (columnType === 'boolean') return typeof value === 'boolean' ? sql`${left} ${sign} ${value}::boolean` : undefined;
  if (typeof value !== 'string' || columnType === 'jsonb') return undefined;
  if (columnType === 'date' && isDate(value)) return sql`${left} ${sign} ${right}::date`;
  if (columnType === 'timestamptz(3)' && isInstant(value)) return sql`${left} ${sign} ${right}::timestamptz`;
  const text = sql`(${textSql({ sql: left, columnType })}) collate "C"`;
  const end = value.indexOf('\0');
  if (end < 0) return sql`${text} ${sign} ${right}::text`;
  // No stored text contains NUL, so the part before it sorts just below the value.
  const comparisonSign = operator === '$gt' || operator === '$gte' ? orderSigns.$gt : orderSigns.$lte;
  return sql`${text} ${comparisonSign} ${value.slice(0, end)}::text`;
}

function containsSql(operand: Operand, value: unknown, negated: boolean): BooleanSql {
  const isText =
    operand.columnType === 'text' || operand.columnType === 'date' || operand.columnType === 'timestamptz(3)';
  if (!isText || !isComparable('text', valueOf(value))) return negated ? sqlTrue : sqlFalse;
  const text = lowerSql(textSql(operand));
  const matches =
    value instanceof StatementParameter
      ? sql<SqlBool>`strpos(${text}, ${lowerSql(sql`${value}::text`)}) > 0`
      : sql<SqlBool>`${text} like ${likePattern(value as string)}::text`;
  return negated ? sql`(${matches}) is not true` : matches;
}

/** The LIKE pattern for texts that contain this one; both sides are in lower case. */
export function likePattern(part: string): string {
  return `%${part.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}

/** The value as JavaScript writes it (except for numbers below a millionth). */
export function textSql({ sql: left, columnType }: Operand): RawBuilder<unknown> {
  if (columnType === 'text') return left;
  if (columnType === 'date') return sql`to_char(${left}, 'YYYY-MM-DD')`;
  if (columnType === 'timestamptz(3)') return sql`to_char(${left} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  if (columnType === 'double precision') return sql`${left}::text::numeric::text`;
  if (memberType(columnType)) return sql`array_to_string(${left}, ',')`;
  if (isDecimal(columnType)) return sql`trim_scale(${left})::text`;
  return sql`${left}::text`;
}

/** Whether a column has exact numbers with decimals. */
export function isDecimal(columnType: string | null | undefined): boolean {
  return columnType?.startsWith('numeric') ?? false;
}

/** Lower case in every script, whatever the database's locale is. */
export function lowerSql(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lower((${text}) collate "und-x-icu")`;
}

/** A string literal, for index definitions, which can't contain parameters. */
export function literal(text: string): RawBuilder<unknown> {
  return sql.raw(quoteLiteral(text));
}

/** A text as a string literal of PostgreSQL. */
export function quoteLiteral(text: string): string {
  if (!/[\\\n]/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return `E'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
}

const { id, parent, position } = rowColumns;

/** The rows of a field in the record `alias`: the items of a subquery, with the rows under the alias `rows`. */
export function rowsOfRecord(definition: Definition, field: FieldOf<'rows'>, alias: string, rows: string) {
  return {
    fromSql: sql`${sql.id('public', rowDefinition(definition, field).table)} ${sql.id(rows)}`,
    whereSql: sql`${sql.id(rows, parent)} = ${sql.id(alias, id)}${inSameCompany(rows, alias, definition)}`,
    order: sql`${sql.id(rows, position)}, ${sql.id(rows, id)}`,
  };
}

/** The rows of a field in the record `alias` in their order, as JSON: `row` is the object of one, under its alias. */
export function rowsJson(
  definition: Definition,
  field: FieldOf<'rows'>,
  alias: string,
  row: (rows: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const rows = 'row';
  const { fromSql, whereSql, order } = rowsOfRecord(definition, field, alias, rows);
  return sql`(select coalesce(json_agg(${row(rows)} order by ${order}), '[]'::json) from ${fromSql} where ${whereSql})`;
}

/** The rows as they are stored, with their ids. */
export function storedRowsSql(definition: Definition, field: FieldOf<'rows'>, alias: string): RawBuilder<unknown> {
  return rowsJson(definition, field, alias, (rows) => {
    const cells = Object.values(field.columns).flatMap((column) => {
      const columnType = columnTypeOf(column);
      if (columnType === null) return [];
      const cell = sql.id(rows, column.name);
      // JSON has instants in another form than records do.
      const value = columnType === 'timestamptz(3)' ? textSql({ sql: cell, columnType }) : cell;
      return [sql`${literal(column.name)}, ${value}`];
    });
    return sql`json_build_object(${sql.join([sql`${literal(id)}, ${sql.id(rows, id)}`, ...cells])})`;
  });
}

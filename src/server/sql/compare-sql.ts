import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { toList } from '../../engine/conditions/match-condition';
import type { Comparison } from '../../engine/conditions/grammar';
import { idOf } from '../../engine/conditions/variables';
import type { ColumnType } from '../../engine/field-types';
import { isDate } from '../../engine/formats/dates';
import { isStorable } from '../../engine/validation/storable';

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

/**
 * One comparison, with the same result as the engine's `compareValues` for the operand's value in a response. The
 * result may be NULL instead of false (so that indexes can be used); `negated` returns the exact opposite, with NULL
 * only for false. So never put SQL's NOT before a comparison.
 */
export function compareSql(operand: Operand, operator: Comparison, right: unknown, negated: boolean): BooleanSql {
  const member = memberType(operand.columnType);
  if (member) return compareMembers(operand.sql, member, operator, right, negated);
  switch (operator) {
    case '$ne':
      return compareSql(operand, '$eq', right, !negated);
    case '$nin':
      return compareSql(operand, '$in', right, !negated);
    case '$eq':
      return equalsSql(operand, [normalizeValue(right)], negated);
    case '$in':
      return equalsSql(operand, toList(right).map(normalizeValue), negated);
    case '$below':
      throw new Error('$below is translated with the tree that it is about.');
    case '$contains':
      return containsSql(operand, normalizeValue(right), negated);
    default:
      return orderSql(operand, operator, normalizeValue(right), negated);
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
    const found = compareSql({ sql: sql.id('member', 'value'), columnType }, operator, right, false);
    return sql`${sql.raw(negated ? 'not exists' : 'exists')} (select from unnest(${left}) member(value) where ${found})`;
  }
  const values = (operator === '$in' ? toList(right) : [right]).map(normalizeValue);
  const comparable = [...new Set(values.filter((value) => isComparable(columnType, value)))];
  const nullAsked = values.includes(null);
  // Written so that an index on the members serves it.
  const some = sql<SqlBool>`${left} && ${comparable}${sql.raw(`::${columnType}[]`)}`;
  if (negated) {
    if (comparable.length === 0) return nullAsked ? sql`${left} is not null` : sqlTrue;
    return nullAsked ? sql`not (${some})` : sql`(${some}) is not true`;
  }
  if (comparable.length === 0) return nullAsked ? sql`${left} is null` : sqlFalse;
  return nullAsked ? sql`(${some} or ${left} is null)` : some;
}

function normalizeValue(value: unknown): unknown {
  return value === undefined ? null : value instanceof Date ? value.toISOString() : idOf(value);
}

function equalsSql({ sql: left, columnType }: Operand, values: readonly unknown[], negated: boolean): BooleanSql {
  const comparable = [...new Set(values.filter((value) => isComparable(columnType, value)))];
  // Without the limits of the column, within which PostgreSQL would round.
  const cast = sql.raw(`::${columnType.replace(/\(.*/, '')}`);
  const nullAsked = values.includes(null);
  if (negated) {
    if (comparable.length === 0) return nullAsked ? sql`${left} is not null` : sqlTrue;
    if (nullAsked) return sql`${left} <> all(${comparable}${cast}[])`;
    if (comparable.length === 1) return sql`${left} is distinct from ${comparable[0]}${cast}`;
    return sql`(${left} <> all(${comparable}${cast}[]) or ${left} is null)`;
  }
  if (comparable.length === 0) return nullAsked ? sql`${left} is null` : sqlFalse;
  const some =
    comparable.length === 1
      ? sql<SqlBool>`${left} = ${comparable[0]}${cast}`
      : sql<SqlBool>`${left} = any(${comparable}${cast}[])`;
  return nullAsked ? sql`(${some} or ${left} is null)` : some;
}

/** Whether a column of this type can equal the value at all. Comparing others would be a PostgreSQL error. */
function isComparable(columnType: ColumnType, value: unknown): boolean {
  switch (columnType) {
    case 'text':
      return typeof value === 'string' && isStorable(value);
    case 'integer':
      return Number.isInteger(value) && Math.abs(value as number) <= 2_147_483_647;
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

function orderSql(operand: Operand, operator: OrderOperator, value: unknown, negated: boolean): BooleanSql {
  const comparison = positiveOrderSql(operand, operator, value);
  if (!comparison) return negated ? sqlTrue : sqlFalse;
  return negated ? sql`(${comparison}) is not true` : comparison;
}

function positiveOrderSql(
  { sql: left, columnType }: Operand,
  operator: OrderOperator,
  value: unknown,
): BooleanSql | undefined {
  const sign = orderSigns[operator];
  if (columnType === 'integer' || columnType === 'double precision' || isDecimal(columnType)) {
    if (typeof value !== 'number' || Number.isNaN(value)) return undefined;
    if (columnType === 'integer' && isComparable(columnType, value)) return sql`${left} ${sign} ${value}::integer`;
    if (isDecimal(columnType)) return sql`${left} ${sign} ${value}::numeric`;
    return sql`${left}::double precision ${sign} ${value}::double precision`;
  }
  if (columnType === 'boolean') return typeof value === 'boolean' ? sql`${left} ${sign} ${value}::boolean` : undefined;
  if (typeof value !== 'string' || columnType === 'jsonb') return undefined;
  if (columnType === 'date' && isDate(value)) return sql`${left} ${sign} ${value}::date`;
  if (columnType === 'timestamptz(3)' && isInstant(value)) return sql`${left} ${sign} ${value}::timestamptz`;
  const text = sql`(${textSql({ sql: left, columnType })}) collate "C"`;
  const end = value.indexOf('\0');
  if (end < 0) return sql`${text} ${sign} ${value}::text`;
  // No stored text contains NUL, so the part before it sorts just below the value.
  const reached = operator === '$gt' || operator === '$gte' ? orderSigns.$gt : orderSigns.$lte;
  return sql`${text} ${reached} ${value.slice(0, end)}::text`;
}

function containsSql(operand: Operand, value: unknown, negated: boolean): BooleanSql {
  const isText =
    operand.columnType === 'text' || operand.columnType === 'date' || operand.columnType === 'timestamptz(3)';
  if (!isText || !isComparable('text', value)) return negated ? sqlTrue : sqlFalse;
  const found = sql<SqlBool>`${lowerSql(textSql(operand))} like ${likePattern(value as string)}::text`;
  return negated ? sql`(${found}) is not true` : found;
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

function isInstant(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return false;
  const instant = new Date(value);
  return !Number.isNaN(instant.getTime()) && instant.getUTCFullYear() > 0;
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

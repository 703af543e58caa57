import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { listOf } from '../../engine/conditions/evaluate';
import type { Comparison } from '../../engine/conditions/grammar';
import { idOf } from '../../engine/conditions/variables';
import type { ColumnType } from '../../engine/field-types';
import { isDate } from '../../engine/formats/dates';
import { isStorable } from '../../engine/validation/storable';
import { lowered } from './text-sql';

export type Bool = RawBuilder<SqlBool>;

export const yes: Bool = sql`true`;
export const no: Bool = sql`false`;

type Order = '$gt' | '$gte' | '$lt' | '$lte';
const signs: Readonly<Record<Order, RawBuilder<unknown>>> = {
  $gt: sql.raw('>'),
  $gte: sql.raw('>='),
  $lt: sql.raw('<'),
  $lte: sql.raw('<='),
};

/** The left side of a comparison: an SQL expression and its PostgreSQL type. */
export interface Operand {
  readonly sql: RawBuilder<unknown>;
  readonly type: ColumnType;
}

/**
 * One comparison, with the same result as the engine's `compareValues` for the operand's value in a response. The
 * result may be NULL instead of false (so that indexes can be used); `negated` returns the exact opposite, with NULL
 * only for false. So never put SQL's NOT before a comparison.
 */
export function compareSql(operand: Operand, operator: Comparison, right: unknown, negated: boolean): Bool {
  switch (operator) {
    case '$ne':
      return compareSql(operand, '$eq', right, !negated);
    case '$nin':
      return compareSql(operand, '$in', right, !negated);
    case '$eq':
      return equals(operand, [plain(right)], negated);
    case '$in':
      return equals(operand, listOf(right).map(plain), negated);
    case '$contains':
      return contains(operand, plain(right), negated);
    default:
      return ordered(operand, operator, plain(right), negated);
  }
}

function plain(value: unknown): unknown {
  return value === undefined ? null : value instanceof Date ? value.toISOString() : idOf(value);
}

function equals({ sql: left, type }: Operand, values: readonly unknown[], negated: boolean): Bool {
  const comparable = [...new Set(values.filter((value) => isOf(type, value)))];
  const cast = sql.raw(`::${type.replace('(3)', '')}`);
  const nullAsked = values.includes(null);
  if (negated) {
    if (comparable.length === 0) return nullAsked ? sql`${left} is not null` : yes;
    if (nullAsked) return sql`${left} <> all(${comparable}${cast}[])`;
    if (comparable.length === 1) return sql`${left} is distinct from ${comparable[0]}${cast}`;
    return sql`(${left} <> all(${comparable}${cast}[]) or ${left} is null)`;
  }
  if (comparable.length === 0) return nullAsked ? sql`${left} is null` : no;
  const some =
    comparable.length === 1
      ? sql<SqlBool>`${left} = ${comparable[0]}${cast}`
      : sql<SqlBool>`${left} = any(${comparable}${cast}[])`;
  return nullAsked ? sql`(${some} or ${left} is null)` : some;
}

/** Whether a column of this type can equal the value at all. Comparing others would be a PostgreSQL error. */
function isOf(type: ColumnType, value: unknown): boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string' && isStorable(value);
    case 'integer':
      return Number.isInteger(value) && Math.abs(value as number) <= 2_147_483_647;
    case 'double precision':
      return typeof value === 'number' && !Number.isNaN(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'date':
      return typeof value === 'string' && isDate(value);
    case 'timestamptz(3)':
      return isInstant(value);
    case 'jsonb':
      return false;
  }
}

function ordered(operand: Operand, operator: Order, value: unknown, negated: boolean): Bool {
  const comparison = orderedPositive(operand, operator, value);
  if (!comparison) return negated ? yes : no;
  return negated ? sql`(${comparison}) is not true` : comparison;
}

function orderedPositive({ sql: left, type }: Operand, operator: Order, value: unknown): Bool | undefined {
  const sign = signs[operator];
  if (type === 'integer' || type === 'double precision') {
    if (typeof value !== 'number' || Number.isNaN(value)) return undefined;
    if (type === 'integer' && isOf(type, value)) return sql`${left} ${sign} ${value}::integer`;
    return sql`${left}::double precision ${sign} ${value}::double precision`;
  }
  if (type === 'boolean') return typeof value === 'boolean' ? sql`${left} ${sign} ${value}::boolean` : undefined;
  if (typeof value !== 'string' || type === 'jsonb') return undefined;
  if (type === 'date' && isDate(value)) return sql`${left} ${sign} ${value}::date`;
  if (type === 'timestamptz(3)' && isInstant(value)) return sql`${left} ${sign} ${value}::timestamptz`;
  const text = sql`(${asText({ sql: left, type })}) collate "C"`;
  const end = value.indexOf('\0');
  if (end < 0) return sql`${text} ${sign} ${value}::text`;
  // No stored text contains NUL, so the part before it sorts just below the value.
  const reached = operator === '$gt' || operator === '$gte' ? signs.$gt : signs.$lte;
  return sql`${text} ${reached} ${value.slice(0, end)}::text`;
}

function contains(operand: Operand, value: unknown, negated: boolean): Bool {
  const isText = operand.type === 'text' || operand.type === 'date' || operand.type === 'timestamptz(3)';
  if (!isText || !isOf('text', value)) return negated ? yes : no;
  const found = sql<SqlBool>`${lowered(asText(operand))} like ${patternOf(value as string)}::text`;
  return negated ? sql`(${found}) is not true` : found;
}

/** The LIKE pattern for texts that contain this one; both sides are in lower case. */
export function patternOf(part: string): string {
  return `%${part.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}

/** The value as JavaScript writes it (except for numbers below a millionth). */
export function asText({ sql: left, type }: Operand): RawBuilder<unknown> {
  if (type === 'text') return left;
  if (type === 'date') return sql`to_char(${left}, 'YYYY-MM-DD')`;
  if (type === 'timestamptz(3)') return sql`to_char(${left} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  if (type === 'double precision') return sql`${left}::text::numeric::text`;
  return sql`${left}::text`;
}

function isInstant(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return false;
  const instant = new Date(value);
  return !Number.isNaN(instant.getTime()) && instant.getUTCFullYear() > 0;
}

import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import type { Definition, FieldOf } from '../../engine/definitions/definition';
import { accessFilterIfGranted } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { readableFields } from '../access/readable-fields';
import { hoursSql } from '../sql/response-sql';
import { columnSql } from '../sql/column-sql';
import { predicateToSql } from '../sql/predicate-to-sql';
import { pairTable } from '../database/identifiers';
import { rowJson } from './json-selection';

/** A record embeds at most this many related records; clients page through larger lists. */
const MAX_EMBEDDED_RECORDS = 1_000;

/** The number of records that point at the row `alias`; undefined if the caller may not list them. */
export function inverseCountSql(
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
export function inverseSumSql(
  context: RequestContext,
  field: FieldOf<'inverse'>,
  alias: string,
): RawBuilder<unknown> | undefined {
  const rows = field.sum && inverseRowsSql(context, field, alias);
  if (!rows) return undefined;
  const { registry, actor } = context;
  const definition = registry.getOrThrow(field.inverse.resource);
  if (!readableFields(actor, definition, 'list').always.has(field.sum.field)) return undefined;
  const summed = definition.fields[field.sum.field]!;
  const sum = sql`coalesce(sum(${columnSql(definition, summed, 'i', registry, null)}), 0)`;
  return sql`(select ${summed.type === 'duration' ? hoursSql(sql`${sum}::integer`) : sql`${sum}::double precision`} from ${rows})`;
}

/** The records that point at the row `alias`, as a JSON array; undefined if the caller may not list them. */
export function inverseRecordsSql(
  context: RequestContext,
  field: FieldOf<'inverse'>,
  alias: string,
): RawBuilder<unknown> | undefined {
  const rows = inverseRowsSql(context, field, alias);
  if (!rows) return undefined;
  const definition = context.registry.getOrThrow(field.inverse.resource);
  return sql`(select coalesce(json_agg(x.o order by x.id), '[]'::json) from
    (select i.id, ${rowJson(context, definition, field.show, 'i', 0)} as o from ${rows} order by i.id limit ${sql.lit(MAX_EMBEDDED_RECORDS)}) x)`;
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
  const where = inverseFilter(context, field);
  if (!where) return undefined;
  const definition = registry.getOrThrow(field.inverse.resource);
  const reached = predicateToSql(where, definition, 'i', registry, context.evaluationContext);
  return sql`${sql.id('public', definition.table)} i where ${linkSql(definition, field, alias)} and ${reached}`;
}

function linkSql(definition: Definition, field: FieldOf<'inverse'>, alias: string): RawBuilder<unknown> {
  const other = definition.fields[field.inverse.field]!;
  if (other.type !== 'relations') return sql`${sql.id('i', other.name)} = ${sql.id(alias, 'id')}`;
  const pairs = sql.id('public', pairTable(definition, other));
  return sql`i.id in (select ip.record_id from ${pairs} ip where ip.target_id = ${sql.id(alias, 'id')})`;
}

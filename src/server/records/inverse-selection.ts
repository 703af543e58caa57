import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import type { Definition, Field } from '../../engine/definitions/definition';
import { reachIfGranted } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import { readableFields } from '../access/readable';
import { hoursSql } from '../conditions/answer-sql';
import { columnSql } from '../conditions/column-sql';
import { predicateToSql } from '../conditions/to-sql';
import { pairTable } from '../database/names';
import { jsonObject } from './json-selection';

/** A record embeds at most this many related records; clients page through larger lists. */
const MOST = 1_000;

/** The number of records that point at the row `alias`; undefined if the caller may not list them. */
export function inverseCount(context: RequestContext, field: Field, alias: string): RawBuilder<unknown> | undefined {
  const rows = inverseRows(context, field, alias);
  return rows && sql`(select count(*)::integer from ${rows})`;
}

/**
 * The sum of the field that `field.sum` names, in response format; undefined if the caller may not list those records
 * or read that field.
 */
export function inverseSum(context: RequestContext, field: Field, alias: string): RawBuilder<unknown> | undefined {
  const rows = field.sum && inverseRows(context, field, alias);
  if (!rows) return undefined;
  const { registry, actor } = context;
  const definition = registry.need(field.inverse!.resource);
  if (!readableFields(actor, definition, 'list').always.has(field.sum.field)) return undefined;
  const summed = definition.fields[field.sum.field]!;
  const sum = sql`coalesce(sum(${columnSql(definition, summed, 'i', registry, null)}), 0)`;
  return sql`(select ${summed.type === 'duration' ? hoursSql(sql`${sum}::integer`) : sql`${sum}::double precision`} from ${rows})`;
}

/** The records that point at the row `alias`, as a JSON array; undefined if the caller may not list them. */
export function inverseRecords(context: RequestContext, field: Field, alias: string): RawBuilder<unknown> | undefined {
  const rows = inverseRows(context, field, alias);
  if (!rows) return undefined;
  const definition = context.registry.need(field.inverse!.resource);
  return sql`(select coalesce(json_agg(x.o order by x.id), '[]'::json) from
    (select i.id, ${jsonObject(context, definition, field.show, 'i', 0)} as o from ${rows} order by i.id limit ${sql.lit(MOST)}) x)`;
}

/** The access filter of the referring resource; undefined if the caller may not list it. */
export function inverseReach(context: RequestContext, field: Field): Predicate | undefined {
  return reachIfGranted(context, context.registry.need(field.inverse!.resource), 'list');
}

function inverseRows(context: RequestContext, field: Field, alias: string): RawBuilder<unknown> | undefined {
  const { registry } = context;
  const where = inverseReach(context, field);
  if (!where) return undefined;
  const definition = registry.need(field.inverse!.resource);
  const reached = predicateToSql(where, definition, 'i', registry, context.surroundings);
  return sql`${sql.id('public', definition.table)} i where ${link(definition, field, alias)} and ${reached}`;
}

function link(definition: Definition, field: Field, alias: string): RawBuilder<unknown> {
  const other = definition.fields[field.inverse!.field]!;
  if (other.type !== 'relations') return sql`${sql.id('i', other.name)} = ${sql.id(alias, 'id')}`;
  const pairs = sql.id('public', pairTable(definition, other));
  return sql`i.id in (select ip.record_id from ${pairs} ip where ip.target_id = ${sql.id(alias, 'id')})`;
}

import { sql } from 'kysely';
import { isInverse } from '../../../engine/field-types/inverse';
import type { Predicate } from '../../../engine/conditions/grammar';
import { falsePredicate } from '../../../engine/conditions/variables';
import { accessFilterIfGranted, notDeletedFilter, readableFields } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import { NotFound } from '../../errors/errors';
import { recordWithId } from '../../sql/same-company';
import { pointsToSql } from '../../sql/points-to';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { readRecord } from './read';

/** In which records a record is used. */
export interface Uses {
  /** How many of them the caller may list. */
  readonly count: number;
  /** Whether there are others. */
  readonly others: boolean;
}

/**
 * `GET r/{id}/uses/{field}`: in how many records that a field shows (an `inverse`) a record is used. Of records that the
 * caller does not have in lists it says only whether there are any, neither what nor how many. One statement besides reading the record.
 * Throws Forbidden, and NotFound for a record or field that the caller cannot read.
 *
 * @example await countUses({ context, definition: products }, 7, 'orders'); // { count: 41, others: true }
 */
export async function countUses(scope: RecordScope, id: number, fieldName: string): Promise<Uses> {
  const { context, definition } = scope;
  const field = Object.hasOwn(definition.fields, fieldName) ? definition.fields[fieldName]! : undefined;
  await readRecord(scope, id, new Set(['id']));
  if (!field || !isInverse(field) || !readableFields(context.actor, definition, 'view').always.has(fieldName))
    throw new NotFound();
  const { registry, evaluationContext, program } = context;
  const user = registry.getOrThrow(field.inverse.resource);
  const toSql = (filter: Predicate) => predicateToSql(filter, user, 't', registry, evaluationContext);
  const listFilter = accessFilterIfGranted(context, user, 'list') ?? falsePredicate;
  const { rows } = await sql<{ count: number; seen: number }>`select count(*)::integer as count,
      (count(*) filter (where ${toSql(listFilter)}))::integer as seen
    from ${sql.id('public', user.table)} t
    where ${pointsToSql(user, field.inverse.field, 't', recordWithId(definition, sql`${id}::bigint`))}
      and ${toSql(notDeletedFilter(user))}`.execute(program.database.kysely);
  const { count, seen: visibleCount } = rows[0]!;
  return { count: visibleCount, others: count > visibleCount };
}

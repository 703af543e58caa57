import { sql, type RawBuilder } from 'kysely';
import { accessFilterIfGranted } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import { predicateToSql } from '../../server/sql/predicate-to-sql';

/** The condition that the caller may list the row; nothing where they may list none. */
export function listCondition(context: RequestContext, resource: string, alias: string): RawBuilder<unknown> {
  const definition = context.registry.getOrThrow(resource);
  const visibleRecords = accessFilterIfGranted(context, definition, 'list');
  return visibleRecords
    ? predicateToSql(visibleRecords, definition, alias, context.registry, context.evaluationContext)
    : sql`false`;
}

import { sql } from 'kysely';
import type { Definition } from '../../engine/definitions/definition';
import { notDeletedFilter, allOf, companyScope } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { titleSql } from '../sql/operands';
import { predicateToSql } from '../sql/predicate-to-sql';
import { shapeOf } from '../sql/statement-parameter';
import { cachedStatement } from '../records/read/statement-cache';
import { queryCacheOf } from '../sql/query-cache';
import { idOf } from '../../engine/definitions/accessors';

/** A record by its title, as a group of a chart. */
export interface GroupOption {
  readonly id: number;
  readonly title: string;
}

/**
 * The records of a resource by which charts are grouped: those of the caller's company and of the installation. As with
 * relations in lists, their titles need no grant. `ids` restricts them.
 *
 * @example const states = await loadGroupOptions(context, registry.getOrThrow('status'));
 */
export async function loadGroupOptions(
  context: RequestContext,
  definition: Definition,
  ids?: readonly number[],
): Promise<readonly GroupOption[]> {
  if (ids?.length === 0) return [];
  const { program, registry, actor } = context;
  const scope = allOf([companyScope(actor, definition), notDeletedFilter(definition)]);
  const uniqueIds = ids && [...new Set(ids)].sort((left, right) => left - right);
  const key = `options|${registry.version}|${definition.name}|${shapeOf(scope)}|${uniqueIds?.join() ?? ''}`;
  const statement = cachedStatement(context, key, () => {
    const scopeSql = predicateToSql(scope, definition, 't', registry, null);
    return sql`select t.id, ${titleSql(definition, 't', registry)} as title from ${sql.id('public', definition.table)} t
      where ${scopeSql} ${uniqueIds ? sql`and t.id = any(${uniqueIds}::bigint[])` : sql``} order by t.id`;
  });
  const rows = await queryCacheOf(program.database).rows(statement, registry);
  return rows.map((row) => ({ id: idOf(row), title: String(row.title ?? '') }));
}

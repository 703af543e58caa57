import { sql, type RawBuilder } from 'kysely';
import { isGranted } from '../../engine/access/access-decision';
import { fieldOf } from '../../engine/definitions/accessors';
import type { Condition, Field } from '../../engine/definitions/definition';
import { requireValue } from '../../engine/values/lookups';
import { mostCounted } from '../../engine/lists/menu-counts';
import { filterInScope, switcherDefinition, type ListScope } from '../../engine/lists/list-scope';
import { allOf, companyScope } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { listFilter } from '../records/read/list';
import { parseListQuery } from '../records/read/query/list-query';
import { audienceKey, cachedStatement, conditionKey } from '../records/read/statement-cache';
import { predicateToSql } from '../sql/predicate-to-sql';
import { queryCacheOf } from '../sql/query-cache';
import { resolveCondition } from '../sql/statement-parameter';
import type { MenuMark } from './calls';

/** Which records count: of those `among` a resource, or of the newest of each record of a relation. */
interface Counted {
  readonly resource: string;
  readonly among?: Condition;
  readonly latestPer?: string;
  readonly where: Condition;
}

/** The counts and warnings beside the entries of the menu: of the records that the caller may list, within one record of the switcher. */
export function menuMarks(context: RequestContext, scopeId: number | undefined): Promise<MenuMark[]> {
  const { registry, actor } = context;
  const switcher = scopeId === undefined ? undefined : switcherDefinition(registry);
  const scope = switcher && scopeId !== undefined ? { resource: switcher.name, id: scopeId } : undefined;
  const markedEntries = [...registry.definitions.values()].flatMap(({ name, menu }) =>
    (menu?.count ?? menu?.alert) && isGranted(actor, name, 'list') ? [{ name, ...menu }] : [],
  );
  return Promise.all(
    markedEntries.map(async ({ name, count, alert }) => ({
      resource: name,
      ...(count && { count: await countUpTo(mostCounted + 1, { ...count, resource: name }, context, scope) }),
      ...(alert && { alert: (await countUpTo(1, alert, context, scope)) > 0 }),
    })),
  );
}

/** How many records match, but no more than `limit`: they are not counted further. */
async function countUpTo(
  limit: number,
  { resource, among: sourceCondition, latestPer, where: condition }: Counted,
  context: RequestContext,
  scope: ListScope | undefined,
): Promise<number> {
  const { registry, actor, evaluationContext, program } = context;
  const definition = registry.getOrThrow(resource);
  if (!isGranted(actor, resource, 'list')) return 0;
  const scopeFilter =
    scope?.resource === resource ? { id: scope.id } : filterInScope(definition, scope, context, {}, {});
  const listQuery = parseListQuery(context, definition, { filter: JSON.stringify(scopeFilter) });
  const source = allOf([
    listFilter(context, definition, listQuery),
    ...(sourceCondition ? [resolveCondition(sourceCondition, evaluationContext)] : []),
  ]);
  const match = resolveCondition(condition, evaluationContext);
  const keys = [source, match].map((predicate) => conditionKey(context, definition, predicate));
  const statement = cachedStatement(
    context,
    `menu|${limit}|${latestPer ?? ''}|${audienceKey(context)}|${keys.join('|')}`,
    () => {
      const toSql = (predicate: typeof source) =>
        predicateToSql(predicate, definition, 't', registry, evaluationContext);
      const table = sql`${sql.id('public', definition.table)} t`;
      const rows =
        latestPer === undefined
          ? sql`${table} where ${toSql(source)} and ${toSql(match)}`
          : sql`(${newestOfEach(context, fieldOf(definition, latestPer), sql`${table} where ${toSql(source)}`)}) t where ${toSql(match)}`;
      return sql`select count(*)::integer as total from (select 1 from ${rows} limit ${sql.lit(limit)}) t`;
    },
  );
  return queryCacheOf(program.database).count(statement, registry);
}

/** The newest of some rows `t` for each record of the caller's company that a relation of them points to. */
function newestOfEach(
  { registry, actor, evaluationContext }: RequestContext,
  relation: Field,
  rows: RawBuilder<unknown>,
) {
  const target = registry.getOrThrow(requireValue(relation.to, `what ${relation.name} points to`));
  const isOfCompany = predicateToSql(companyScope(actor, target), target, 'r', registry, evaluationContext);
  // One row of the index for each, not a sort of all that there ever were.
  return sql`select newest.* from ${sql.id('public', target.table)} r cross join lateral (
    select t.* from ${rows} and t.${sql.id(relation.name)} = r.id order by t.id desc limit 1) newest where ${isOfCompany}`;
}

import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import { always } from '../../engine/conditions/variables';
import type { Definition, FieldOf } from '../../engine/definitions/definition';
import { columnTypeOf } from '../../engine/field-types';
import { allOf } from '../access/access-filter';
import { levelKey } from '../access/readable-fields';
import type { RequestContext } from '../access/request-context';
import { companyScope, referenceScope } from '../access/company-scope';
import { visibleTitleSql, mayBelongToInstallation } from '../sql/operands';
import { predicateToSql } from '../sql/predicate-to-sql';
import type { Database } from '../database/database';
import type { Statement } from '../database/statements';
import { hasSharedSortIndex } from '../sync/target-indexes';
import type { PageIds } from './search-page';
import { countStatement, matchSql, searchTermOf, searchTermKey, bindSearchTerm } from './list-match';
import { bind, cachedStatement, Placeholder, conditionKey } from './statement-cache';
import type { ListQuery } from './query/list-query';
import { orderKey } from './query/order';
import { queryCacheOf } from '../sql/query-cache';

/** Up to this many rows, joining and sorting all of them is fast. */
const MAX_JOINED_ROWS = 10_000;
/** A walk goes no further than this row; pages beyond it are found by sorting. */
const MAX_WALK_DEPTH = 5_000;
/** A walk is used if at least one of this many rows on its way belongs to the list. */
const MAX_ROWS_PER_MATCH = 4;

/**
 * A page of many rows sorted by a relation: walks through the targets by title and reads each target's first rows until
 * the page is full, so a page costs what it contains, not what the list does. Undefined for any other order, and if
 * joining and sorting all rows is faster: if there are few, or if most rows on the way would not belong to the list.
 */
export async function walkRelationPage(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  listQuery: ListQuery,
  { limit, offset }: { readonly limit: number | null; readonly offset: number },
): Promise<PageIds | undefined> {
  const { field } = listQuery.order;
  if (field.type !== 'relation' || columnTypeOf(field) === null || field.computed !== undefined) return undefined;
  if (limit === null || limit + offset > MAX_WALK_DEPTH) return undefined;
  const { program, registry } = context;
  const count = countStatement(context, definition, where, searchTermOf(listQuery, 'scan'));
  const total = await queryCacheOf(program.database).count(count, registry);
  if (total <= MAX_JOINED_ROWS || total * MAX_ROWS_PER_MATCH < (await estimateRowsRead(context, definition, field)))
    return undefined;
  const statement = walkStatement(context, definition, where, listQuery, field);
  const [row] = await program.database.query(bind(statement, { limit, offset, end: limit + offset }));
  return { ids: row!.ids as number[], total };
}

/** Returns one row with the `ids` of a page. Placeholders are `limit`, `offset` and `end`, their sum. */
function walkStatement(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  { order, search }: ListQuery,
  field: FieldOf<'relation'>,
): Statement {
  const needle = searchTermOf({ search }, 'walk');
  const key = `walk|${levelKey(context.actor)}|${context.actor.site_id}|${orderKey(order)}|${searchTermKey(needle)}|${conditionKey(context, definition, where)}`;
  const plan = cachedStatement(context.program.database, key, () => {
    const direction = sql.raw(order.descending ? 'desc' : 'asc');
    const upToEnd = sql`limit ${new Placeholder('end')}::integer`;
    const matched = matchSql(context, definition, where, needle);
    const relation = sql.id('t', field.name);
    const rows = (of: RawBuilder<unknown>) => sql`select t.id from ${sql.id('public', definition.table)} t
      where ${of} and ${matched} order by ${relation} ${direction}, t.id ${direction} ${upToEnd}`;
    return sql`select array(select id from (
        (select r.id, s.title from (${sortedTargetsSql(context, definition, field, where, direction)}) s
          cross join lateral (${rows(sql`${relation} = s.id`)}) r
          order by s.title ${direction}, r.id ${direction} ${upToEnd})
        union all
        (select n.id, null from (${rows(sql`${relation} is null`)}) n)
      ) page order by title collate "und-x-icu" ${direction}, id ${direction}
      limit ${new Placeholder('limit')}::integer offset ${new Placeholder('offset')}::integer) as ids`;
  });
  return bindSearchTerm(plan, needle);
}

/**
 * The `id` and `title` of the targets that rows of the list may refer to, sorted first (enforced by `offset 0`), so
 * that PostgreSQL can stop once the page is full.
 */
function sortedTargetsSql(
  context: RequestContext,
  definition: Definition,
  field: FieldOf<'relation'>,
  where: Predicate,
  direction: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { actor, registry, evaluationContext } = context;
  const target = registry.getOrThrow(field.to);
  const title = visibleTitleSql(actor, target, 's', registry);
  const reached = predicateToSql(targetScope(context, definition, target), target, 's', registry, evaluationContext);
  // Conditions on the relation itself are checked on the targets first, which saves reading their rows.
  const relationConditions = allOf(
    (where.kind === 'all' ? where.of : [where]).filter((one) => concernsOnly(one, field.name)),
  );
  const relationMatches =
    relationConditions === always
      ? sql`true`
      : predicateToSql(relationConditions, definition, 'k', registry, evaluationContext);
  return sql`select s.id, (${title}) collate "und-x-icu" as title from ${sql.id('public', target.table)} s
    cross join lateral (select s.id as ${sql.id(field.name)}) k where ${reached} and ${relationMatches}
    order by title ${direction} offset 0`;
}

/** Records only refer to records of their own company and of the installation. */
function targetScope({ actor }: RequestContext, definition: Definition, target: Definition): Predicate {
  const bound = definition.scope === 'company' || definition.scope === 'both';
  if (actor.level === 1 || !bound) return always;
  if (target.scope === 'company' && actor.site_id !== null && !mayBelongToInstallation(target))
    return companyScope(actor, target);
  return referenceScope(actor.site_id, target);
}

/** Whether a condition only concerns one field. */
function concernsOnly(predicate: Predicate, name: string): boolean {
  if (predicate.kind === 'compare') return predicate.left === name;
  if (predicate.kind === 'all' || predicate.kind === 'any') return predicate.of.every((one) => concernsOnly(one, name));
  return predicate.kind === 'not' && concernsOnly(predicate.of, name);
}

/** Milliseconds for which an estimated number of rows is reused. */
const ESTIMATE_LIFETIME = 60_000;

interface RowEstimate {
  readonly since: number;
  readonly rows: Promise<number>;
}

const rowEstimates = new WeakMap<Database, Map<string, RowEstimate>>();

/**
 * An estimate of how many rows a walk through all targets would read: those of the company if the targets belong to it
 * or an index separates them from others, else all.
 */
async function estimateRowsRead(
  context: RequestContext,
  definition: Definition,
  field: FieldOf<'relation'>,
): Promise<number> {
  const { actor, registry } = context;
  const { root } = context.program.database;
  const target = registry.getOrThrow(field.to);
  const isOwn = target.scope === 'company' || hasSharedSortIndex(definition, field, registry);
  const where = isOwn ? companyScope(actor, definition) : always;
  const key = conditionKey(context, definition, where);
  const estimates = rowEstimates.get(root) ?? new Map<string, RowEstimate>();
  rowEstimates.set(root, estimates);
  const found = estimates.get(key);
  if (found && Date.now() - found.since < ESTIMATE_LIFETIME) return found.rows;
  for (const [name, { since }] of estimates) if (Date.now() - since >= ESTIMATE_LIFETIME) estimates.delete(name);
  const statement = countStatement(context, definition, where, undefined);
  const rows = root.query(statement).then(([row]) => row!.total as number);
  estimates.set(key, { since: Date.now(), rows });
  rows.catch(() => estimates.delete(key));
  return rows;
}

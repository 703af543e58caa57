import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../../engine/conditions/grammar';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { allOf, accessFilter } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import type { Statement } from '../../database/statements';
import { fileWriters } from '../files/file-urls';
import { findGroupedPage, splitGrouping } from './grouped-page';
import {
  needsProcessing,
  pickRequestedFields,
  parseRequestedFields,
  selectableFields,
  completeResponses,
} from './read';
import {
  findSearchPage,
  countStatement,
  matchSql,
  searchTermOf,
  searchTermKey,
  bindSearchTerm,
  walkRelationPage,
} from './list-statements';
import { orderSql, placeSql } from './query/order';
import { bind, cachedStatement, Placeholder, conditionKey, orderKey, selectionKey } from './statement-cache';
import { parseListQuery, type ListQuery, type Query, maxRows } from './query/list-query';
import { joinedSelectionSql, type RequestedFields } from './selection';
import { queryCacheOf } from '../../sql/query-cache';

/** Up to this page size, PostgreSQL plans a statement once per size. */
const maxPlannedPage = 100;

/** Options of a page statement. */
interface PageOptions {
  /** Only these fields, and the titles of related records. */
  readonly only?: ReadonlySet<string>;
  /** Only these properties of the response. */
  readonly names?: RequestedFields;
  /**
   * The first page, with this many rows. With a known number PostgreSQL plans the statement once; with an unknown one
   * it considers a generic plan too expensive and plans again each time.
   */
  readonly first?: number;
}

/** A page of records, and the total number of records. */
export interface Page<Record = ResourceRecord> {
  readonly records: readonly Record[];
  readonly offset: number;
  readonly total: number;
}

/**
 * Lists the records that match a query. Throws Forbidden without the grant, BadRequest for an invalid query.
 *
 * @example const { records, total } = await listRecords(context, tasks, { status_id: '1,2', sort_by: '-name' });
 */
export function listRecords(context: RequestContext, definition: Definition, query: Query): Promise<Page> {
  const scope = { context, definition };
  return loadPage(scope, query, (statement, fieldsToPick) => loadRecords(scope, statement, fieldsToPick));
}

/** As `listRecords`, each record as JSON text: straight from PostgreSQL unless rows have to be processed. */
export function listRecordsAsJson(
  context: RequestContext,
  definition: Definition,
  query: Query,
): Promise<Page<string>> {
  const scope = { context, definition };
  return loadPage(scope, query, async (statement, fieldsToPick) => {
    if (!needsProcessing(context, definition, 'list')) {
      const rows = await context.program.database.queryAsJson(
        statement,
        fileWriters(context.program, context.registry, definition),
      );
      return rows.map(({ text }) => text);
    }
    return (await loadRecords(scope, statement, fieldsToPick)).map((record) => JSON.stringify(record));
  });
}

async function loadRecords(
  scope: RecordScope,
  statement: Statement,
  fieldsToPick: RequestedFields,
): Promise<ResourceRecord[]> {
  const { context } = scope;
  const rows = await context.program.database.query(statement);
  return pickRequestedFields(await completeResponses(scope, rows, 'list'), fieldsToPick);
}

/** Loads a page of a list; `fieldsToPick` are the requested fields that have yet to be picked from its rows. */
async function loadPage<Record>(
  scope: RecordScope,
  { fields, ...listParameters }: Query,
  read: (statement: Statement, fieldsToPick: RequestedFields) => Promise<readonly Record[]>,
): Promise<Page<Record>> {
  const { context, definition } = scope;
  const { grouping, rest: query } = splitGrouping(definition, listParameters);
  const names = parseRequestedFields(definition, 'list', fields);
  const listQuery = parseListQuery(context, definition, query);
  const filter = listFilter(context, definition, listQuery);
  const limit = listQuery.range?.limit ?? (listQuery.unlimited ? null : maxRows);
  const offset = listQuery.range?.offset ?? 0;
  const selected = selectableFields(scope, 'list', names);
  const fieldsToPick = selected ? undefined : names;
  const pageIds = grouping
    ? await findGroupedPage({ context, definition }, filter, listQuery, grouping, { limit, offset })
    : ((listQuery.search === undefined
        ? undefined
        : await findSearchPage({ context, definition }, filter, listQuery, { limit, offset })) ??
      (await walkRelationPage({ context, definition }, filter, listQuery, { limit, offset })));
  if (pageIds) {
    const { ids, total } = pageIds;
    const rows = bind(rowsStatement(scope, filter, selected), { ids });
    return { records: ids.length === 0 ? [] : await read(rows, fieldsToPick), offset, total };
  }
  const first = listQuery.isPlannable && offset === 0 && limit !== null && limit <= maxPlannedPage ? limit : undefined;
  const page = pageStatement({ context, definition }, filter, listQuery, { names: selected, first });
  const count = () =>
    queryCacheOf(context.program.database).count(
      countStatement(scope, filter, searchTermOf(listQuery, 'scan')),
      context.registry,
    );
  // For a frequent text, walking fills the page quickly, but counting takes longer: it runs in parallel.
  const pendingCount = listQuery.search === undefined ? undefined : count();
  pendingCount?.catch(() => undefined);
  const records = await read(bind(page, { limit, offset }), fieldsToPick);
  const isLastPage = (limit === null || records.length < limit) && (records.length > 0 || offset === 0);
  if (isLastPage) return { records, offset, total: offset + records.length };
  return { records, offset, total: await (pendingCount ?? count()) };
}

/**
 * The rows of a query that the caller may list. Throws Forbidden without the grant.
 *
 * @example const filter = listFilter(context, deals, parseListQuery(context, deals, { stage_id: '3' }));
 */
export function listFilter(context: RequestContext, definition: Definition, listQuery: ListQuery): Predicate {
  return allOf([accessFilter(context, definition, 'list', { archived: listQuery.archived }), listQuery.where]);
}

/** A page of a list in its order. Placeholders are `limit` (null: none) and `offset`, unless it is a `first` page. */
export function pageStatement(
  scope: RecordScope,
  filter: Predicate,
  { order, search }: ListQuery,
  { only: fieldNames, names, first }: PageOptions = {},
): Statement {
  const { context, definition } = scope;
  const direction = sql.raw(order.descending ? 'desc' : 'asc');
  const needle = searchTermOf({ search }, 'walk');
  const part = `${fieldNames ? [...fieldNames].join() : ''}|${names ? [...names].join() : ''}|${first ?? ''}`;
  const key = `list|${part}|${selectionKey(context, definition, 'list')}|${orderKey(context, definition, order)}|${searchTermKey(needle)}|${conditionKey(context, definition, filter)}`;
  const plan = cachedStatement(context, key, () => {
    const { expression, join } = orderSql(context, definition, order);
    const condition = matchSql(scope, filter, needle);
    const [limit, offset] = [sql`${new Placeholder('limit')}::bigint`, sql`${new Placeholder('offset')}::bigint`];
    const rangeSql = first === undefined ? sql`limit ${limit} offset ${offset}` : sql`limit ${sql.lit(first)}`;
    const rowsSql = (part: RawBuilder<unknown>, placeOrder: RawBuilder<unknown>, range: RawBuilder<unknown>) =>
      sql`select t.*, ${expression} as "order by" from ${sql.id('public', definition.table)} t ${join}
        where ${condition} ${part} order by ${placeOrder} ${expression} ${direction}, t.id ${direction} ${range}`;
    const byPlace = placeSql(order, 't');
    const placedPageSql = (place: RawBuilder<unknown>, toEnd: RawBuilder<unknown>) =>
      sql`select * from ((${rowsSql(sql`and ${place} is not null`, byPlace, toEnd)})
        union all (${rowsSql(sql`and ${place} is null`, sql``, toEnd)})) t
        order by ${byPlace} t."order by" ${direction}, t.id ${direction} ${rangeSql}`;
    // Select the page first, so that embeds are loaded for its rows only. Those without a place on a board are read in the
    // order of the list, for which there may be an index: sorted with the others, all of them would be one tie.
    const page = order.place
      ? placedPageSql(sql.id('t', order.place.name), first === undefined ? sql`limit ${limit} + ${offset}` : rangeSql)
      : rowsSql(sql``, sql``, rangeSql);
    const { columns, joins: joinSql } = joinedSelectionSql(scope, 't', 'list', fieldNames, names);
    return sql`select ${columns} from (${page}) t ${joinSql}
      order by ${byPlace} t."order by" ${direction}, t.id ${direction}`;
  });
  return bindSearchTerm(plan, needle);
}

/**
 * The rows with these ids, in the same order, as far as the caller may list them: the ids may come from a cache that
 * does not know of the latest write yet. The placeholder is `ids`.
 */
function rowsStatement(scope: RecordScope, filter: Predicate, names: RequestedFields): Statement {
  const { context, definition } = scope;
  const key = `rows|${names ? [...names].join() : ''}|${selectionKey(context, definition, 'list')}|${conditionKey(context, definition, filter)}`;
  return cachedStatement(context, key, () => {
    const { columns, joins: joinSql } = joinedSelectionSql({ context, definition }, 't', 'list', undefined, names);
    return sql`select ${columns}
        from unnest(${new Placeholder('ids')}::bigint[]) with ordinality page (id, place)
        join ${sql.id('public', definition.table)} t on t.id = page.id ${joinSql}
        where ${matchSql(scope, filter, undefined)} order by page.place`;
  });
}

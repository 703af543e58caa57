import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../../engine/conditions/grammar';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { BadRequest } from '../../errors/errors';
import { allOf, accessFilter } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import type { Row } from '../../database/database';
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
import { countRows, lastExactTotal, sampleSql } from './count-rows';
import {
  findSearchPage,
  matchSql,
  searchTermOf,
  searchTermKey,
  bindSearchTerm,
  walkRelationPage,
  type PageSlice,
  type RowCount,
} from './list-statements';
import {
  formatPageKey,
  pageKeyColumn,
  pageKeySql,
  parsePageKey,
  refusedKey,
  seekKey,
  seekParts,
  seekValues,
  splitPaging,
  type PageKey,
  type Paging,
  type Seek,
  type TotalKind,
} from './page-key';
import { orderSql, placeSql, type Order } from './query/order';
import { bind, cachedStatement, Placeholder, conditionKey, orderKey, selectionKey } from './statement-cache';
import { parseListQuery, type ListQuery, type Query, maxRows } from './query/list-query';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { joinedSelectionSql, type RequestedFields } from './selection';

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
  /** Where the page begins. */
  readonly seek?: Seek | undefined;
  /** With what the keys of its records are made of, as `pageKeyColumn`. */
  readonly hasKeys?: boolean;
}

/** A page of records, and the total number of records. */
export interface Page<Record = ResourceRecord> {
  readonly records: readonly Record[];
  /** The place of the first one in the list; undefined for a page by key whose caller does not count. */
  readonly offset: number | undefined;
  readonly total: number;
  /** The total is an estimate. */
  readonly isEstimate?: boolean;
  /** Of a page by key, where the next and the previous page begin; undefined where there is none. */
  readonly keys?: { readonly after: string | undefined; readonly before: string | undefined };
}

/** The rows of a page, and of the first and the last what their keys are made of. */
interface ReadRows<Record> {
  readonly records: readonly Record[];
  readonly keyRows: readonly Row[];
}

/** From this row on, and as far from the end, a caller that takes estimates gets a page near its place. */
const MAX_SKIPPED = 100_000;

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
      return { records: rows.map(({ text }) => text), keyRows: rows.map(({ beside }) => beside) };
    }
    const { records, keyRows } = await loadRecords(scope, statement, fieldsToPick);
    return { records: records.map((record) => JSON.stringify(record)), keyRows };
  });
}

async function loadRecords(
  scope: RecordScope,
  statement: Statement,
  fieldsToPick: RequestedFields,
): Promise<ReadRows<ResourceRecord>> {
  const { context } = scope;
  const rows = await context.program.database.query(statement);
  const keyRows = rows.map(({ [pageKeyColumn]: key }) => ({ [pageKeyColumn]: key }));
  for (const row of rows) delete row[pageKeyColumn];
  return { records: pickRequestedFields(await completeResponses(scope, rows, 'list'), fieldsToPick), keyRows };
}

type ReadPage<Record> = (statement: Statement, fieldsToPick: RequestedFields) => Promise<ReadRows<Record>>;

/** Loads a page of a list; `fieldsToPick` are the requested fields that have yet to be picked from its rows. */
async function loadPage<Record>(
  scope: RecordScope,
  { fields, ...listParameters }: Query,
  read: ReadPage<Record>,
): Promise<Page<Record>> {
  const { context, definition } = scope;
  const { paging, totalKind, rest: unpaged } = splitPaging(definition, listParameters);
  const { grouping, rest: query } = splitGrouping(definition, unpaged);
  if (grouping && paging) throw new BadRequest(`${paging.direction} cannot be combined with group_by.`);
  const names = parseRequestedFields(definition, 'list', fields);
  const listQuery = parseListQuery(context, definition, query);
  const filter = listFilter(context, definition, listQuery);
  const limit = listQuery.range?.limit ?? (listQuery.unlimited ? null : maxRows);
  const { order } = listQuery;
  const key = paging && (await completeKey(scope, order, paging));
  const isReversed = paging?.direction === 'before';
  const seek = key || isReversed ? { isReversed, ...(key && { key: shapeOfKey(key) }) } : undefined;
  const claimed = listQuery.range?.offset ?? (seek ? undefined : 0);
  const selected = selectableFields(scope, 'list', names);
  const fieldsToPick = selected ? undefined : names;
  const hasKeys = paging !== undefined;
  const count = () => countRows(scope, filter, listQuery, totalKind);
  const estimate = (rows: Predicate) => countRows(scope, rows, {}, 'estimate').then(({ total }) => total);
  const finish = ({ records, keyRows }: ReadRows<Record>, total: number, isEstimate = false): Page<Record> => ({
    records,
    offset: claimed,
    total,
    ...(isEstimate && { isEstimate }),
    ...(paging && { keys: keysOf(scope, order, paging, keyRows, { limit, isFirst: !seek && !claimed }) }),
  });
  const isOneOrder = !grouping && !order.place && listQuery.search === undefined;
  const requested: PageSlice = { limit, offset: seek ? 0 : (claimed ?? 0), seek, key };
  const slice = isOneOrder && !seek ? await farSlice(scope, filter, listQuery, requested, count, totalKind) : requested;
  try {
    const pageIds = grouping
      ? await findGroupedPage(scope, filter, listQuery, grouping, slice, count)
      : ((listQuery.search === undefined ? undefined : await findSearchPage(scope, filter, listQuery, slice)) ??
        (await walkRelationPage(scope, filter, listQuery, slice, { count, estimate })));
    if (pageIds) {
      const { ids, total, isEstimate } = pageIds;
      if (ids.length === 0) return finish(noRows, total, isEstimate);
      const rows = bind(rowsStatement(scope, filter, selected, hasKeys ? order : undefined), { ids });
      return finish(await read(rows, fieldsToPick), total, isEstimate);
    }
    const { offset } = slice;
    const isFirst = listQuery.isPlannable && !slice.seek && offset === 0 && limit !== null && limit <= maxPlannedPage;
    // For a frequent text, walking fills the page quickly, but counting takes longer: it runs in parallel.
    const pendingCount = listQuery.search === undefined ? undefined : count();
    pendingCount?.catch(() => undefined);
    const page = pageStatement(scope, filter, listQuery, {
      names: selected,
      seek: slice.seek,
      hasKeys,
      ...(isFirst && { first: limit }),
    });
    const rows = await read(bind(page, { limit: slice.limit, offset, ...seekValues(slice.key) }), fieldsToPick);
    const { length } = rows.records;
    const isLastPage = !slice.seek && (limit === null || length < limit) && (length > 0 || offset === 0);
    if (isLastPage) return finish(rows, offset + length);
    const { total, isEstimate } = await (pendingCount ?? count());
    return finish(rows, total, isEstimate);
  } catch (error) {
    throw key ? refusedKey(error, paging) : error;
  }
}

const noRows = { records: [], keyRows: [] };
const lastRows: Seek = { isReversed: true };

/**
 * How a page is read whose rows are far from the beginning, for callers that take estimates: from the end where that is near, else
 * near its place, since everything up to it would have to be read: from the record on that is at this place in a sample.
 */
async function farSlice(
  scope: RecordScope,
  filter: Predicate,
  { order }: ListQuery,
  slice: PageSlice,
  count: () => Promise<RowCount>,
  totalKind: TotalKind,
): Promise<PageSlice> {
  const { limit, offset } = slice;
  // A page that is asked for exactly is counted from the beginning: the last total may be some writes ago.
  if (limit === null || totalKind === 'exact' || offset < MAX_SKIPPED) return slice;
  const total = await lastExactTotal(scope, filter);
  if (total !== undefined && offset < total && total - offset < MAX_SKIPPED) {
    const size = Math.min(limit, total - offset);
    return { limit: size, offset: total - offset - size, seek: lastRows };
  }
  const share = offset / (total ?? (await count()).total);
  const key = share < 1 ? await sampledKey(scope, filter, order, share) : undefined;
  return key
    ? { limit, offset: 0, seek: { isReversed: false, key: shapeOfKey(key) }, key }
    : { limit, offset: 0, seek: lastRows };
}

/** The key of the record that has a share of a sample of the list before it; undefined if there is none. */
async function sampledKey(
  scope: RecordScope,
  filter: Predicate,
  order: Order,
  share: number,
): Promise<PageKey | undefined> {
  const { context, definition } = scope;
  const key = `place in sample|${selectionKey(context, definition, 'list')}|${orderKey(context, definition, order)}|${conditionKey(context, definition, filter)}`;
  const plan = cachedStatement(context, key, () => {
    const { expression, join } = orderSql(context, definition, order);
    const direction = sql.raw(order.descending ? 'desc' : 'asc');
    return sql`select id, value::text from (
        select t.id, ${expression} as value, count(*) over () as rows,
          row_number() over (order by ${expression} ${direction}, t.id ${direction}) as place
        from ${sampleSql(definition)} ${join} where ${matchSql(scope, filter, undefined)}
      ) sample where place > floor(rows * ${new Placeholder('share')}::double precision) order by place limit 1`;
  });
  const [row] = await context.program.database.query(bind(plan, { share }));
  return row && { id: row.id as number, value: row.value as string | null, place: null };
}

const shapeOfKey = ({ value, place }: PageKey) => ({ hasValue: value !== null, hasPlace: place !== null });

/** The key that a page begins with, with what its record is sorted by now if that is too long for a key. */
async function completeKey(scope: RecordScope, order: Order, paging: Paging): Promise<PageKey | undefined> {
  const { context, definition } = scope;
  const key = parsePageKey(definition, order, paging);
  if (!key || key.value !== undefined) return key;
  // A key that was made up tells nothing of a record that the caller cannot see.
  const visible = accessFilter(context, definition, 'list', { archived: 'any' });
  const statementKey = `page key|${orderKey(context, definition, order)}|${conditionKey(context, definition, visible)}`;
  const plan = cachedStatement(context, statementKey, () => {
    const { expression, join } = orderSql(context, definition, order);
    const isVisible = predicateToSql(visible, definition, 't', context.registry, context.evaluationContext);
    return sql`select (${expression})::text as value from ${sql.id('public', definition.table)} t ${join}
      where t.id = ${new Placeholder('key id')}::bigint and ${isVisible}`;
  });
  const [row] = await context.program.database.query(bind(plan, { 'key id': key.id }));
  if (!row)
    throw new BadRequest(`${paging.direction} is the key of a record that no longer exists. Begin again without it.`);
  return { ...key, value: row.value as string | null };
}

/** Where the pages beside one begin. Whether there are more records is known by whether this one is full. */
function keysOf(
  { definition }: RecordScope,
  order: Order,
  { direction, key }: Paging,
  rows: readonly Row[],
  { limit, isFirst }: { readonly limit: number | null; readonly isFirst: boolean },
): Page['keys'] {
  const isFull = limit !== null && rows.length >= limit;
  const [first, last] = [rows[0], rows.at(-1)];
  const [hasNext, hasPrevious] = direction === 'after' ? [isFull, !isFirst] : [key !== '', isFull];
  return {
    after: hasNext && last ? formatPageKey(definition, order, last) : undefined,
    before: hasPrevious && first ? formatPageKey(definition, order, first) : undefined,
  };
}

/**
 * The rows of a query that the caller may list. Throws Forbidden without the grant.
 *
 * @example const filter = listFilter(context, deals, parseListQuery(context, deals, { stage_id: '3' }));
 */
export function listFilter(context: RequestContext, definition: Definition, listQuery: ListQuery): Predicate {
  return allOf([accessFilter(context, definition, 'list', { archived: listQuery.archived }), listQuery.where]);
}

/**
 * A page of a list in its order. Placeholders are `limit` (null: none) and `offset`, unless it is a `first` page, and
 * those of `seek`.
 */
export function pageStatement(
  scope: RecordScope,
  filter: Predicate,
  { order, search }: ListQuery,
  { only: fieldNames, names, first, seek, hasKeys = false }: PageOptions = {},
): Statement {
  const { context, definition } = scope;
  const isReversed = seek?.isReversed ?? false;
  const direction = sql.raw(order.descending ? 'desc' : 'asc');
  const readDirection = sql.raw(order.descending === isReversed ? 'asc' : 'desc');
  const needle = searchTermOf({ search }, 'walk');
  const part = `${fieldNames ? [...fieldNames].join() : ''}|${names ? [...names].join() : ''}|${first ?? ''}|${seekKey(seek)}${hasKeys ? ' keys' : ''}`;
  const key = `list|${part}|${selectionKey(context, definition, 'list')}|${orderKey(context, definition, order)}|${searchTermKey(needle)}|${conditionKey(context, definition, filter)}`;
  const plan = cachedStatement(context, key, () => {
    const { expression, join } = orderSql(context, definition, order);
    const condition = matchSql(scope, filter, needle);
    const [limit, offset] = [sql`${new Placeholder('limit')}::bigint`, sql`${new Placeholder('offset')}::bigint`];
    const rangeSql = first === undefined ? sql`limit ${limit} offset ${offset}` : sql`limit ${sql.lit(first)}`;
    const toEnd = first === undefined ? sql`limit ${limit} + ${offset}` : rangeSql;
    const byPlace = placeSql(order, 't', isReversed);
    const rowsSql = (part: RawBuilder<unknown>, placeOrder: RawBuilder<unknown>, range: RawBuilder<unknown>) =>
      sql`select t.*, ${expression} as "order by" from ${sql.id('public', definition.table)} t ${join}
        where ${condition} and ${part} order by ${placeOrder} ${expression} ${readDirection}, t.id ${readDirection} ${range}`;
    const parts = seekParts(order, seek, {
      value: expression,
      id: sql`t.id`,
      place: order.place && sql.id('t', order.place.name),
    });
    // Select the page first, so that embeds are loaded for its rows only. Those without a place on a board are read in the
    // order of the list, for which there may be an index: sorted with the others, all of them would be one tie.
    const [part] = parts;
    const page =
      parts.length === 1
        ? rowsSql(part!.condition, part!.isPlaced ? byPlace : sql``, rangeSql)
        : sql`select * from (${sql.join(
            parts.map(
              ({ condition: within, isPlaced }) => sql`(${rowsSql(within, isPlaced ? byPlace : sql``, toEnd)})`,
            ),
            sql` union all `,
          )}) t order by ${byPlace} t."order by" ${readDirection}, t.id ${readDirection} ${rangeSql}`;
    const { columns, joins: joinSql } = joinedSelectionSql(scope, 't', 'list', fieldNames, names);
    const keys = hasKeys ? sql`, ${pageKeySql(order, sql`t."order by"`)}` : sql``;
    return sql`select ${columns}${keys} from (${page}) t ${joinSql}
      order by ${placeSql(order, 't')} t."order by" ${direction}, t.id ${direction}`;
  });
  return bindSearchTerm(plan, needle);
}

/**
 * The rows with these ids, in the same order, as far as the caller may list them: the ids may come from a cache that
 * does not know of the latest write yet. The placeholder is `ids`. With an order, each has what its key is made of.
 */
function rowsStatement(
  scope: RecordScope,
  filter: Predicate,
  names: RequestedFields,
  order: Order | undefined,
): Statement {
  const { context, definition } = scope;
  const keys = order ? orderKey(context, definition, order) : '';
  const key = `rows|${names ? [...names].join() : ''}|${keys}|${selectionKey(context, definition, 'list')}|${conditionKey(context, definition, filter)}`;
  return cachedStatement(context, key, () => {
    const { columns, joins: joinSql } = joinedSelectionSql({ context, definition }, 't', 'list', undefined, names);
    const sorted = order && orderSql(context, definition, order);
    const keyColumn = order && sorted ? sql`, ${pageKeySql(order, sql`(${sorted.expression})`)}` : sql``;
    return sql`select ${columns}${keyColumn}
        from unnest(${new Placeholder('ids')}::bigint[]) with ordinality page (id, place)
        join ${sql.id('public', definition.table)} t on t.id = page.id ${joinSql} ${sorted?.join ?? sql``}
        where ${matchSql(scope, filter, undefined)} order by page.place`;
  });
}

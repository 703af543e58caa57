import { Level } from '../../../engine/definitions/level';
import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../../engine/conditions/grammar';
import type { Definition, ResourceRecord, FieldOf } from '../../../engine/definitions/definition';
import { readableFields, allOf, companyScope, referenceScope } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { createSearchTerm, searchCondition, type SearchTerm, type SearchStrategy } from '../../sql/search';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { actorParameter } from '../../sql/statement-parameter';
import { replanMarker, type Statement } from '../../database/statements';
import { audienceKey, bind, cachedStatement, Placeholder, conditionKey, orderKey } from './statement-cache';
import type { ListQuery } from './query/list-query';
import { orderSql, placeSql, type Order } from './query/order';
import { seekKey, seekParts, seekValues, type PageKey, type Seek } from './page-key';
import { queryCacheOf } from '../../sql/query-cache';
import { truePredicate } from '../../../engine/conditions/variables';
import { columnTypeOf } from '../../../engine/field-types';
import { isRelation } from '../../../engine/field-types/relation';
import { visibleTitleSql, mayBelongToInstallation } from '../../sql/operands';
import type { Database } from '../../database/database';
import { hasSharedSortIndex } from '../../sync/target-schema';

/** The search term of a list, if there is one. */
export function searchTermOf({ search }: Pick<ListQuery, 'search'>, strategy?: SearchStrategy): SearchTerm | undefined {
  return search === undefined ? undefined : createSearchTerm(search, strategy);
}

/** Cache key: a statement depends on how a text is searched, not on the text. */
export function searchTermKey(needle: SearchTerm | undefined): string {
  return needle ? `${needle.strategy}${needle.isMultiline ? ' lines' : ''}` : '';
}

/** Binds the search term to the placeholders of `matchSql`. */
export function bindSearchTerm(plan: Statement, needle: SearchTerm | undefined): Statement {
  return needle ? bind(plan, { text: needle.text, pattern: needle.pattern }) : plan;
}

/** Matches the rows `t` that satisfy a condition and contain the search term. */
export function matchSql(
  { context, definition }: RecordScope,
  filter: Predicate,
  needle: SearchTerm | undefined,
): RawBuilder<unknown> {
  const condition = predicateToSql(filter, definition, 't', context.registry, context.evaluationContext);
  if (!needle) return condition;
  const { always: alwaysReadable, sometimes: sometimesReadable } = readableFields(context.actor, definition);
  const readable = Object.values(definition.fields).every((field) => field.secret || alwaysReadable.has(field.name));
  const fields = readable && alwaysReadable.size === sometimesReadable.size ? undefined : alwaysReadable;
  const slots = { ...needle, text: new Placeholder('text'), pattern: new Placeholder('pattern') };
  return sql`${condition} and ${searchCondition(definition, 't', context.registry, slots, fields)}`;
}

/** Counts the rows, as `total`. */
export function countStatement(scope: RecordScope, filter: Predicate, needle: SearchTerm | undefined): Statement {
  const { context, definition } = scope;
  const key = `count|${audienceKey(context)}|${searchTermKey(needle)}|${conditionKey(context, definition, filter)}`;
  const plan = cachedStatement(context, key, () => {
    const condition = matchSql(scope, filter, needle);
    const count = sql`select count(*)::integer as total from ${sql.id('public', definition.table)} t where ${condition}`;
    return needle ? sql`${count} ${sql.raw(replanMarker)}` : count;
  });
  return bindSearchTerm(plan, needle);
}

/** The ids of a page in its order, and the total number of rows. */
export interface PageIds {
  readonly ids: readonly number[];
  readonly total: number;
  /** The total is an estimate. */
  readonly isEstimate?: boolean;
}

/** The number of rows of a list, and whether it is an estimate. */
export interface RowCount {
  readonly total: number;
  readonly isEstimate: boolean;
}

/** Functions that count the rows of the list, and roughly those of another condition. */
export interface Counters {
  readonly count: () => Promise<RowCount>;
  readonly estimate: (filter: Predicate) => Promise<number>;
}

/** Which rows of a list are on a page: so many from a row on, or from a key on. */
export interface PageSlice {
  /** Null: all. */
  readonly limit: number | null;
  /** 0 where there is a key. */
  readonly offset: number;
  readonly seek?: Seek | undefined;
  readonly key?: PageKey | undefined;
}

/** Ids in the order of the list, which were read in the order of the page. */
const inListOrder = (ids: readonly number[], { seek }: PageSlice) => (seek?.isReversed ? [...ids].reverse() : ids);

/** The direction in which a page is read. */
const readDirection = ({ descending }: Order, { seek }: PageSlice) =>
  sql.raw(descending === (seek?.isReversed ?? false) ? 'asc' : 'desc');

/** Up to this many rows, a search finds all rows before it picks a page. */
const MAX_SORTED_ROWS = 5_000;
/** Pages of up to this many rows are cached until a table changes. */
const MAX_CACHED_PAGE = 100;
/** How many rows are sampled to find out whether a text is frequent. */
const SAMPLE_SIZE = 100;
/** A text is frequent if this many rows of the sample contain it. */
const FREQUENT_IN_SAMPLE = 20;

/**
 * A page of search results. Finding the rows is the expensive part, so one scan returns both the page and its total.
 * Undefined if there are so many results that walking the list in its order fills a page sooner, while they are
 * counted. For a text without a recent count, a sample of rows decides before any others are read.
 */
export async function findSearchPage(
  scope: RecordScope,
  filter: Predicate,
  listQuery: ListQuery,
  page: PageSlice,
): Promise<PageIds | undefined> {
  const { context } = scope;
  const { database } = context.program;
  const totals = queryCacheOf(database);
  const count = countStatement(scope, filter, searchTermOf(listQuery, 'scan'));
  const last = await totals.lastTotal(count);
  if (last && last.total > MAX_SORTED_ROWS) return undefined;
  if (last?.isGood && last.total <= page.offset) return { ids: [], total: last.total };
  const values = { limit: page.limit, offset: page.offset, ...seekValues(page.key) };
  const bindPage = (sample: boolean) => bind(searchPageStatement(scope, filter, listQuery, page, sample), values);
  const read = () => database.query(bindPage(last === undefined));
  const isKept = page.limit !== null && page.limit <= MAX_CACHED_PAGE;
  const reading = isKept ? totals.freshRows(bindPage(false), context.registry, read) : read();
  if (!last?.isGood) totals.addTotal(count, context.registry, reading.then(totalOf));
  const rows = await reading;
  const total = totalOf(rows);
  return total === undefined ? undefined : { ids: inListOrder(rows[0]!.ids as number[], page), total };
}

/** Undefined if the rows were not counted. */
function totalOf([row]: readonly ResourceRecord[]): number | undefined {
  return (row!.total as number | null) ?? undefined;
}

/**
 * Returns one row: the `ids` of a page in their order, and the `total`, which is null if a `sample` shows that the text
 * is frequent; then PostgreSQL does not even start to search. Placeholders are `limit` (null: none) and `offset`.
 */
function searchPageStatement(
  { context, definition }: RecordScope,
  filter: Predicate,
  { order, search }: ListQuery,
  slice: PageSlice,
  sample: boolean,
): Statement {
  const scope = { context, definition };
  const needle = createSearchTerm(search!);
  const key = `found|${sample ? 'sample|' : ''}${seekKey(slice.seek)}${audienceKey(context)}|${orderKey(context, definition, order)}|${searchTermKey(needle)}|${conditionKey(context, definition, filter)}`;
  const plan = cachedStatement(context, key, () => {
    const { expression, join } = orderSql(context, definition, order);
    const direction = readDirection(order, slice);
    const byPlace = (alias: string) => placeSql(order, alias, slice.seek?.isReversed);
    const parts = seekParts(order, slice.seek, {
      value: sql`found."order by"`,
      id: sql`found.id`,
      place: order.place && sql.id('found', order.place.name),
    });
    const onPage = sql.join(
      parts.map(({ condition }) => sql`(${condition})`),
      sql` or `,
    );
    const fewSql = sql`select not ${isFrequentSql(scope, filter, search!)} as holds`;
    const isFew = sample ? sql`(select holds from few)` : sql`true`;
    return sql`with ${sample ? sql`few as materialized (${fewSql}),` : sql``} found as materialized (
        select t.id, ${order.place ? sql`${sql.id('t', order.place.name)},` : sql``} ${expression} as "order by" from ${sql.id('public', definition.table)} t ${join}
        where ${isFew} and ${matchSql(scope, filter, needle)}
      ), page as (
        select * from found where ${onPage} order by ${byPlace('found')} "order by" ${direction}, id ${direction}
        limit ${new Placeholder('limit')}::bigint offset ${new Placeholder('offset')}::bigint
      )
      select array(select id from page order by ${byPlace('page')} "order by" ${direction}, id ${direction}) as ids,
        case when ${isFew} then (select count(*)::integer from found) end as total ${sql.raw(replanMarker)}`;
  });
  return bindSearchTerm(plan, needle);
}

/**
 * Whether the table is large and the search is likely to find many rows, judged by a random sample from the whole
 * table. The first rows would not do: they may not be representative.
 */
function isFrequentSql(scope: RecordScope, filter: Predicate, search: string) {
  const { definition } = scope;
  const table = sql.id('public', definition.table);
  const condition = matchSql(scope, filter, createSearchTerm(search, 'walk'));
  return sql`((select reltuples from pg_class where oid = to_regclass(${`public."${definition.table}"`})) > ${sql.lit(MAX_SORTED_ROWS)}
    and (select count(*) >= ${sql.lit(FREQUENT_IN_SAMPLE)} from ${table} t where ${condition} and t.id = any(array(
      select 1 + floor(random() * (select max(id) from ${table}))::bigint from generate_series(1, ${sql.lit(SAMPLE_SIZE)})))))`;
}

/** Up to this many rows, joining and sorting all of them is fast. */
const MAX_JOINED_ROWS = 10_000;
/** A walk goes no further than this row, and in large lists than a quarter of them; pages beyond it are found by sorting. */
const MAX_WALK_DEPTH = 5_000;
const MAX_LARGE_WALK_DEPTH = 100_000;
/** A walk is used if at least one of this many rows on its way belongs to the list. */
const MAX_ROWS_PER_MATCH = 4;

/**
 * A page of many rows sorted by a relation: walks through the targets by title and reads each target's first rows until
 * the page is full, so a page costs what it contains, not what the list does. Undefined for any other order, and if
 * joining and sorting all rows is faster: if there are few, or if most rows on the way would not belong to the list.
 */
export async function walkRelationPage(
  scope: RecordScope,
  filter: Predicate,
  listQuery: ListQuery,
  slice: PageSlice,
  { count, estimate }: Counters,
): Promise<PageIds | undefined> {
  const { context, definition } = scope;
  const { limit, offset } = slice;
  const { field, part, place } = listQuery.order;
  if (part || place) return undefined;
  if (!isRelation(field) || columnTypeOf(field) === null || field.computed !== undefined) return undefined;
  if (limit === null || limit + offset > MAX_LARGE_WALK_DEPTH) return undefined;
  const { total, isEstimate } = await count();
  if (limit + offset > Math.max(MAX_WALK_DEPTH, total / 4)) return undefined;
  if (
    total <= MAX_JOINED_ROWS ||
    total * MAX_ROWS_PER_MATCH < (await estimateRowsRead(context, definition, field, estimate))
  )
    return undefined;
  const statement = walkStatement(scope, filter, listQuery, field, slice);
  const values = { limit, offset, end: limit + offset, ...seekValues(slice.key) };
  const [row] = await context.program.database.query(bind(statement, values));
  return { ids: inListOrder(row!.ids as number[], slice), total, isEstimate };
}

/** Returns one row with the `ids` of a page. Placeholders are `limit`, `offset` and `end`, their sum. */
function walkStatement(
  scope: RecordScope,
  filter: Predicate,
  { order, search }: ListQuery,
  field: FieldOf<'relation'>,
  slice: PageSlice,
): Statement {
  const { context, definition } = scope;
  const needle = searchTermOf({ search }, 'walk');
  const key = `walk|${seekKey(slice.seek)}|${audienceKey(context)}|${orderKey(context, definition, order)}|${searchTermKey(needle)}|${conditionKey(context, definition, filter)}`;
  const plan = cachedStatement(context, key, () => {
    const direction = readDirection(order, slice);
    const upToEnd = sql`limit ${new Placeholder('end')}::bigint`;
    const condition = matchSql(scope, filter, needle);
    const relation = sql.id('t', field.name);
    const rows = (
      relationCondition: RawBuilder<unknown>,
    ) => sql`select t.id from ${sql.id('public', definition.table)} t
      where ${relationCondition} and ${condition} order by ${relation} ${direction}, t.id ${direction} ${upToEnd}`;
    const { key: keyShape, isReversed = false } = slice.seek ?? {};
    const isDescending = order.descending !== isReversed;
    const behind = sql.raw(isDescending ? '<' : '>');
    const idOfKey = sql`${new Placeholder('key id')}::bigint`;
    // Of the target of the key only the rows behind it are read, of those behind it all, and of those before it none.
    const boundary = (isKeys: RawBuilder<unknown>) =>
      keyShape
        ? sql`and t.id ${behind} (case when ${isKeys} then ${idOfKey} else ${sql.lit(isDescending ? maxId : 0)} end)`
        : sql``;
    const titleOfKey = keyShape?.hasValue ? sql`${new Placeholder('key value')}::text` : sql`null::text`;
    const isOfKey = sql`s.title is not distinct from ${titleOfKey}`;
    const withoutTarget = keyShape?.hasValue && isDescending ? sql`false` : sql`true`;
    return sql`select array(select id from (
        (select r.id, s.title from (${sortedTargetsSql(scope, field, filter, direction, keyShape && { titleOfKey, isDescending, hasTitle: keyShape.hasValue })}) s
          cross join lateral (${rows(sql`${relation} = s.id ${boundary(isOfKey)}`)}) r
          order by s.title ${direction}, r.id ${direction} ${upToEnd})
        union all
        (select n.id, null from (${rows(sql`${relation} is null and ${withoutTarget} ${keyShape && !keyShape.hasValue ? boundary(sql`true`) : sql``}`)}) n)
      ) page order by title collate "und-x-icu" ${direction}, id ${direction}
      limit ${new Placeholder('limit')}::bigint offset ${new Placeholder('offset')}::bigint) as ids`;
  });
  return bindSearchTerm(plan, needle);
}

/** No id is greater. */
const maxId = Number.MAX_SAFE_INTEGER;

/** From which title on targets are sorted. */
interface FirstTarget {
  readonly titleOfKey: RawBuilder<unknown>;
  readonly hasTitle: boolean;
  readonly isDescending: boolean;
}

/**
 * The `id` and `title` of the targets that rows of the list may refer to, sorted first (enforced by `offset 0`), so
 * that PostgreSQL can stop once the page is full.
 */
function sortedTargetsSql(
  { context, definition }: RecordScope,
  field: FieldOf<'relation'>,
  filter: Predicate,
  direction: RawBuilder<unknown>,
  first: FirstTarget | undefined,
): RawBuilder<unknown> {
  const { actor, registry, evaluationContext } = context;
  const target = registry.getOrThrow(field.to);
  const title = visibleTitleSql(actor, target, 's', registry);
  const scopeCondition = predicateToSql(
    targetScope(context, definition, target),
    target,
    's',
    registry,
    evaluationContext,
  );
  // Conditions on the relation itself are checked on the targets first, which saves reading their rows.
  const relationConditions = allOf(
    (filter.kind === 'all' ? filter.of : [filter]).filter((condition) => concernsOnly(condition, field.name)),
  );
  const relationMatches =
    relationConditions === truePredicate
      ? sql`true`
      : predicateToSql(relationConditions, definition, 'k', registry, evaluationContext);
  return sql`select s.id, (${title}) collate "und-x-icu" as title from ${sql.id('public', target.table)} s
    cross join lateral (select s.id as ${sql.id(field.name)}) k where ${scopeCondition} and ${relationMatches}
      and ${first ? fromTitleSql(sql`((${title}) collate "und-x-icu")`, first) : sql`true`}
    order by title ${direction} offset 0`;
}

/** Whether a title is at the first one or behind it; those without one are last, and first in a descending order. */
function fromTitleSql(
  title: RawBuilder<unknown>,
  { titleOfKey, hasTitle, isDescending }: FirstTarget,
): RawBuilder<unknown> {
  if (!hasTitle) return isDescending ? sql`true` : sql`${title} is null`;
  return isDescending ? sql`${title} <= ${titleOfKey}` : sql`(${title} >= ${titleOfKey} or ${title} is null)`;
}

/** Records only refer to records of their own company and of the installation. */
function targetScope({ actor }: RequestContext, definition: Definition, target: Definition): Predicate {
  const bound = definition.scope === 'company' || definition.scope === 'both';
  if (actor.level === Level.Installation || !bound) return truePredicate;
  if (target.scope === 'company' && actor.site_id !== null && !mayBelongToInstallation(target))
    return companyScope(actor, target);
  return referenceScope(actorParameter('site_id', actor.site_id), target);
}

/** Whether a condition only concerns one field. */
function concernsOnly(predicate: Predicate, name: string): boolean {
  if (predicate.kind === 'compare') return predicate.left === name;
  if (predicate.kind === 'all' || predicate.kind === 'any')
    return predicate.of.every((part) => concernsOnly(part, name));
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
  countEstimated: Counters['estimate'],
): Promise<number> {
  const { actor, registry } = context;
  const { root } = context.program.database;
  const target = registry.getOrThrow(field.to);
  const isOwn = target.scope === 'company' || hasSharedSortIndex(definition, field, registry);
  const filter = isOwn ? companyScope(actor, definition) : truePredicate;
  const key = JSON.stringify([registry.version, definition.name, filter]);
  const estimates = rowEstimates.get(root) ?? new Map<string, RowEstimate>();
  rowEstimates.set(root, estimates);
  const estimate = estimates.get(key);
  if (estimate && Date.now() - estimate.since < ESTIMATE_LIFETIME) return estimate.rows;
  for (const [name, { since: createdAt }] of estimates)
    if (Date.now() - createdAt >= ESTIMATE_LIFETIME) estimates.delete(name);
  const rows = countEstimated(filter);
  estimates.set(key, { since: Date.now(), rows });
  rows.catch(() => estimates.delete(key));
  return rows;
}

import { sql } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { allOf, reach } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import type { Statement } from '../database/statements';
import { isLookedAt, onlyAsked, readAsked, selectable } from './asked-fields';
import { completeAnswers } from './complete';
import { fileWriters } from '../files/record-files';
import { findPage } from './found';
import { countStatement, matchedSql, needleFor, needleKey, withNeedle } from './matched';
import { orderSql } from './order-sql';
import { filled, planned, Slot } from './plans';
import { readListQuery, type ListQuery, type Query } from './query/list-query';
import { orderKey } from './query/order';
import { mostRows } from './query/range';
import { walkPage } from './relation-walk';
import { selectionOf, type Asked } from './selection';
import { conditionKey, selectionKey } from './selection-key';
import { totalsOf } from './totals';

/** Rows of pages of which PostgreSQL plans each number once. */
const ordinaryPage = 100;

/** A part of a list. */
interface PagePart {
  /** These fields, and the titles of what they relate to. */
  readonly only?: ReadonlySet<string>;
  /** These properties of the answer. */
  readonly names?: Asked;
  /**
   * The first page, of this many rows. PostgreSQL knows the number then and plans the statement once; with a number that
   * it does not know it takes a plan for all callers to be dear, and plans again each time.
   */
  readonly first?: number;
}

/** A page of records, and how many there are in all. */
export interface Page<Record = ResourceRecord> {
  readonly records: readonly Record[];
  readonly offset: number;
  readonly total: number;
}

/** The records that a query asks for. Throws Refused without the grant, BadRequest for a query that cannot be read. */
export function listRecords(context: RequestContext, definition: Definition, query: Query): Promise<Page> {
  return readPage(context, definition, query, (statement, rest) => recordsOf(context, definition, statement, rest));
}

/** As `listRecords`, each record as the text of a JSON object: as PostgreSQL sends it, where nothing looks at the rows. */
export function listTexts(context: RequestContext, definition: Definition, query: Query): Promise<Page<string>> {
  return readPage(context, definition, query, async (statement, rest) => {
    if (!isLookedAt(context, definition, 'list')) {
      const rows = await context.program.database.namedAsJson(statement, fileWriters(context.program, definition));
      return rows.map(({ text }) => text);
    }
    return (await recordsOf(context, definition, statement, rest)).map((record) => JSON.stringify(record));
  });
}

async function recordsOf(
  context: RequestContext,
  definition: Definition,
  statement: Statement,
  rest: Asked,
): Promise<ResourceRecord[]> {
  const rows = await context.program.database.named(statement);
  return onlyAsked(await completeAnswers(context, definition, rows, 'list'), rest);
}

/** Reads a page by a statement; `rest` is what has yet to be left of its rows. */
async function readPage<Record>(
  context: RequestContext,
  definition: Definition,
  { fields, ...query }: Query,
  read: (statement: Statement, rest: Asked) => Promise<readonly Record[]>,
): Promise<Page<Record>> {
  const names = readAsked(definition, 'list', fields);
  const asked = readListQuery(context, definition, query);
  const where = listWhere(context, definition, asked);
  const limit = asked.range?.limit ?? (asked.unlimited ? null : mostRows);
  const offset = asked.range?.offset ?? 0;
  const selected = selectable(context, definition, 'list', names);
  const rest = selected ? undefined : names;
  const found =
    (asked.search === undefined ? undefined : await findPage(context, definition, where, asked, { limit, offset })) ??
    (await walkPage(context, definition, where, asked, { limit, offset }));
  if (found) {
    const { ids, total } = found;
    const rows = filled(rowsStatement(context, definition, where, selected), { ids });
    return { records: ids.length === 0 ? [] : await read(rows, rest), offset, total };
  }
  const first = asked.isSteady && offset === 0 && limit !== null && limit <= ordinaryPage ? limit : undefined;
  const page = pageStatement(context, definition, where, asked, { names: selected, first });
  const count = () =>
    totalsOf(context.program.database).count(
      countStatement(context, definition, where, needleFor(asked, 'scan')),
      context.registry,
    );
  // What is found so often that the page is met on a walk is counted meanwhile: that takes longer than the page.
  const counting = asked.search === undefined ? undefined : count();
  counting?.catch(() => undefined);
  const records = await read(filled(page, { limit, offset }), rest);
  const ends = (limit === null || records.length < limit) && (records.length > 0 || offset === 0);
  if (ends) return { records, offset, total: offset + records.length };
  return { records, offset, total: await (counting ?? count()) };
}

/** The rows of a query that the caller may list. Throws Refused without the grant. */
export function listWhere(context: RequestContext, definition: Definition, asked: ListQuery): Predicate {
  return allOf([reach(context, definition, 'list', { archived: asked.archived }), asked.where]);
}

/** A page of a list in its order. Its slots are `limit` (null: none) and `offset`, unless it is a `first` page. */
export function pageStatement(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  { order, search }: ListQuery,
  { only, names, first }: PagePart = {},
): Statement {
  const direction = sql.raw(order.descending ? 'desc' : 'asc');
  const needle = needleFor({ search }, 'walk');
  const part = `${only ? [...only].join() : ''}|${names ? [...names].join() : ''}|${first ?? ''}`;
  const key = `list|${part}|${selectionKey(context, definition, 'list')}|${orderKey(order)}|${needleKey(needle)}|${conditionKey(context, definition, where)}`;
  const plan = planned(context.program.database, key, () => {
    const { expression, join } = orderSql(context, definition, order);
    const matched = matchedSql(context, definition, where, needle);
    const cut =
      first === undefined
        ? sql`limit ${new Slot('limit')}::integer offset ${new Slot('offset')}::integer`
        : sql`limit ${sql.lit(first)}`;
    // The page is chosen first, so that what it embeds is looked up for its rows alone.
    const page = sql`select t.*, ${expression} as "order by" from ${sql.id('public', definition.table)} t ${join}
      where ${matched} order by ${expression} ${direction}, t.id ${direction} ${cut}`;
    return sql`select ${selectionOf(context, definition, 't', 'list', only, names)} from (${page}) t
      order by t."order by" ${direction}, t.id ${direction}`;
  });
  return withNeedle(plan, needle);
}

/**
 * The rows of some ids, in the order of these, as far as the caller may list them: which ids a page has may have been
 * remembered, and a write elsewhere not be known of yet. Its slot is `ids`.
 */
function rowsStatement(context: RequestContext, definition: Definition, where: Predicate, names: Asked): Statement {
  const key = `rows|${names ? [...names].join() : ''}|${selectionKey(context, definition, 'list')}|${conditionKey(context, definition, where)}`;
  return planned(
    context.program.database,
    key,
    () => sql`select ${selectionOf(context, definition, 't', 'list', undefined, names)}
      from unnest(${new Slot('ids')}::integer[]) with ordinality page (id, place)
      join ${sql.id('public', definition.table)} t on t.id = page.id
      where ${matchedSql(context, definition, where, undefined)} order by page.place`,
  );
}

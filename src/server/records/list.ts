import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { columnOf } from '../../engine/field-types';
import { allOf, reach } from '../access/reach';
import { levelsOf, readableFields } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { answerSql } from '../conditions/answer-sql';
import { columnSql } from '../conditions/column-sql';
import { knownTitleSql } from '../conditions/columns';
import { searchCondition } from '../conditions/search';
import { predicateToSql } from '../conditions/to-sql';
import type { Statement } from '../database/statements';
import { onlyAsked, readAsked, selectable, type Asked } from './asked-fields';
import { completeAnswers } from './complete';
import { filled, planned, Slot } from './plans';
import { readListQuery, type ListQuery, type Query } from './query/list-query';
import type { Order } from './query/order';
import { mostRows } from './query/range';
import { selectionOf } from './selection';
import { conditionKey, selectionKey } from './selection-key';
import { totalsOf } from './totals';

/** A page of records, and how many there are in all. */
export interface Page {
  readonly records: readonly ResourceRecord[];
  readonly offset: number;
  readonly total: number;
}

/** The records that a query asks for. Throws Refused without the grant, BadRequest for a query that cannot be read. */
export async function listRecords(
  context: RequestContext,
  definition: Definition,
  { fields, ...query }: Query,
): Promise<Page> {
  const { program, registry } = context;
  const { database } = program;
  const names = readAsked(definition, 'list', fields);
  const asked = readListQuery(context, definition, query);
  const where = listWhere(context, definition, asked);
  const limit = asked.range?.limit ?? (asked.unlimited ? null : mostRows);
  const offset = asked.range?.offset ?? 0;
  const selected = selectable(context, definition, 'list', names);
  const page = pageStatement(context, definition, where, asked, undefined, selected);
  const rows = await database.named(filled(page, { limit, offset }));
  const records = onlyAsked(await completeAnswers(context, definition, rows, 'list'), selected ? undefined : names);
  const ends = (limit === null || rows.length < limit) && (rows.length > 0 || offset === 0);
  if (ends) return { records, offset, total: offset + rows.length };
  const count = countStatement(context, definition, where, asked.search);
  return { records, offset, total: await totalsOf(database).count(count, registry) };
}

/** The rows of a query that the caller may list. Throws Refused without the grant. */
export function listWhere(context: RequestContext, definition: Definition, asked: ListQuery): Predicate {
  return allOf([reach(context, definition, 'list', { archived: asked.archived }), asked.where]);
}

/**
 * A page of a list in its order; `only` these fields, or of its answer the `names`, where given. Its slots are `limit`
 * (null: none) and `offset`.
 */
export function pageStatement(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  { order, search }: ListQuery,
  only?: ReadonlySet<string>,
  names?: Asked,
): Statement {
  const direction = sql.raw(order.descending ? 'desc' : 'asc');
  const key = `list|${only ? [...only].join() : ''}|${names ? [...names].join() : ''}|${selectionKey(context, definition, 'list')}|${order.field.name}${order.descending ? '-' : '+'}|${search ?? ''}|${conditionKey(context, definition, where)}`;
  return planned(context.program.database, key, () => {
    const { expression, join } = orderSql(context, definition, order);
    const matched = matchedSql(context, definition, where, search);
    // The page is chosen first, so that what it embeds is looked up for its rows alone.
    const page = sql`select t.*, ${expression} as "order by" from ${sql.id('public', definition.table)} t ${join}
      where ${matched} order by ${expression} ${direction}, t.id ${direction}
      limit ${new Slot('limit')}::integer offset ${new Slot('offset')}::integer`;
    return sql`select ${selectionOf(context, definition, 't', 'list', only, names)} from (${page}) t
      order by t."order by" ${direction}, t.id ${direction}`;
  });
}

/** How many rows there are, as `total`. */
export function countStatement(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  search: string | undefined,
): Statement {
  const key = `count|${levelsOf(context.actor)}|${search ?? ''}|${conditionKey(context, definition, where)}`;
  return planned(context.program.database, key, () => {
    const matched = matchedSql(context, definition, where, search);
    return sql`select count(*)::integer as total from ${sql.id('public', definition.table)} t where ${matched}`;
  });
}

function matchedSql(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  search: string | undefined,
): RawBuilder<unknown> {
  const matched = predicateToSql(where, definition, 't', context.registry, context.surroundings);
  if (!search) return matched;
  const { always, sometimes } = readableFields(context.actor, definition);
  // Only the text over all searchable fields has an index; whoever may not read some of them searches without it.
  const readable = Object.values(definition.fields).every((field) => field.secret || always.has(field.name));
  const fields = readable && always.size === sometimes.size ? undefined : always;
  return sql`${matched} and ${searchCondition(definition, 't', context.registry, search, fields)}`;
}

/** A relation is sorted by its target's title, text by the rules of ICU's root collation. */
function orderSql(
  context: RequestContext,
  definition: Definition,
  { field }: Order,
): { expression: RawBuilder<unknown>; join: RawBuilder<unknown> } {
  const none = sql``;
  if (field.type === 'relation') {
    const target = context.registry.need(field.to!);
    const title = knownTitleSql(context.actor, target, 's', context.registry);
    const table = sql.id('public', target.table);
    const on = sql`s.id = ${sql.id('t', field.name)}`;
    if (target.fields[target.titleField]?.computed === undefined) {
      return { expression: collated(title, true), join: sql`left join ${table} s on ${on}` };
    }
    // Such a title is put together once for each target (which `offset 0` holds to), not once for each row.
    const titled = sql`(select s.id, ${title} as title from ${table} s offset 0)`;
    return { expression: collated(sql`s.title`, true), join: sql`left join ${titled} s on ${on}` };
  }
  // A time of a day comes after those of the days before; durations are sorted as the numbers that they are.
  const sortedAs = field.on === undefined ? columnSql : answerSql;
  const value = sortedAs(definition, field, 't', context.registry, context.surroundings);
  const isText = typeof field.computed === 'string' || (field.computed === undefined && columnOf(field) === 'text');
  return { expression: collated(value, isText), join: none };
}

function collated(expression: RawBuilder<unknown>, isText: boolean): RawBuilder<unknown> {
  return isText ? sql`(${expression}) collate "und-x-icu"` : expression;
}

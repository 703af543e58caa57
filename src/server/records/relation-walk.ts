import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import { always } from '../../engine/conditions/variables';
import type { Definition, Field } from '../../engine/definitions/definition';
import { columnOf } from '../../engine/field-types';
import { allOf } from '../access/reach';
import { levelsOf } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { companyScope, referenceScope } from '../access/scope';
import { knownTitleSql, mayBeOutside } from '../conditions/columns';
import { predicateToSql } from '../conditions/to-sql';
import type { Database } from '../database/database';
import type { Statement } from '../database/statements';
import { hasSharedOrder } from '../sync/wanted-indexes';
import type { Found } from './found';
import { countStatement, matchedSql, needleFor, needleKey, withNeedle } from './matched';
import { filled, planned, Slot } from './plans';
import type { ListQuery } from './query/list-query';
import { orderKey } from './query/order';
import { conditionKey } from './selection-key';
import { totalsOf } from './totals';

/** Up to how many rows are quickly joined and sorted. */
const FEW = 10_000;
/** Up to which row of a list a walk leads; what lies deeper is found by sorting all. */
const FAR = 5_000;
/** Of how many rows that are met on the way one has to belong to the list. */
const SPARSE = 4;

/**
 * A page of many rows that are sorted by a relation: walks through the targets by title, and reads of each the first of
 * its rows, until the page is full; so a page costs what it holds, and not what the list does. Undefined where another
 * order is asked for, and where joining and sorting all rows is the quicker way: where they are few, or where most of
 * those that are met would not belong to the list.
 */
export async function walkPage(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  asked: ListQuery,
  { limit, offset }: { readonly limit: number | null; readonly offset: number },
): Promise<Found | undefined> {
  const { field } = asked.order;
  if (field.type !== 'relation' || columnOf(field) === null || field.computed !== undefined) return undefined;
  if (limit === null || limit + offset > FAR) return undefined;
  const { program, registry } = context;
  const count = countStatement(context, definition, where, needleFor(asked, 'scan'));
  const total = await totalsOf(program.database).count(count, registry);
  if (total <= FEW || total * SPARSE < (await rowsMet(context, definition, field))) return undefined;
  const statement = walkStatement(context, definition, where, asked);
  const [row] = await program.database.named(filled(statement, { limit, offset, reach: limit + offset }));
  return { ids: row!.ids as number[], total };
}

/** One row of the `ids` of a page. Its slots are `limit`, `offset` and `reach`, their sum. */
function walkStatement(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  { order, search }: ListQuery,
): Statement {
  const needle = needleFor({ search }, 'walk');
  const key = `walk|${levelsOf(context.actor)}|${context.actor.site_id}|${orderKey(order)}|${needleKey(needle)}|${conditionKey(context, definition, where)}`;
  const plan = planned(context.program.database, key, () => {
    const direction = sql.raw(order.descending ? 'desc' : 'asc');
    const reach = sql`limit ${new Slot('reach')}::integer`;
    const matched = matchedSql(context, definition, where, needle);
    const relation = sql.id('t', order.field.name);
    const rows = (of: RawBuilder<unknown>) => sql`select t.id from ${sql.id('public', definition.table)} t
      where ${of} and ${matched} order by ${relation} ${direction}, t.id ${direction} ${reach}`;
    return sql`select array(select id from (
        (select r.id, s.title from (${targets(context, definition, order.field, where, direction)}) s
          cross join lateral (${rows(sql`${relation} = s.id`)}) r
          order by s.title ${direction}, r.id ${direction} ${reach})
        union all
        (select n.id, null from (${rows(sql`${relation} is null`)}) n)
      ) page order by title collate "und-x-icu" ${direction}, id ${direction}
      limit ${new Slot('limit')}::integer offset ${new Slot('offset')}::integer) as ids`;
  });
  return withNeedle(plan, needle);
}

/**
 * The `id` and `title` of the targets that rows of the list may lead to, sorted first (which `offset 0` holds to), so that
 * PostgreSQL need not go on to the next one once the page is full.
 */
function targets(
  context: RequestContext,
  definition: Definition,
  field: Field,
  where: Predicate,
  direction: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { actor, registry, surroundings } = context;
  const target = registry.need(field.to!);
  const title = knownTitleSql(actor, target, 's', registry);
  const reached = predicateToSql(ofCompany(context, definition, target), target, 's', registry, surroundings);
  // What the list asks of the relation itself is asked of the targets first, whose rows need not be met then.
  const asked = allOf((where.kind === 'all' ? where.of : [where]).filter((one) => isAbout(one, field.name)));
  const wanted = asked === always ? sql`true` : predicateToSql(asked, definition, 'k', registry, surroundings);
  return sql`select s.id, (${title}) collate "und-x-icu" as title from ${sql.id('public', target.table)} s
    cross join lateral (select s.id as ${sql.id(field.name)}) k where ${reached} and ${wanted}
    order by title ${direction} offset 0`;
}

/** Records refer to their own company and to the installation alone. */
function ofCompany({ actor }: RequestContext, definition: Definition, target: Definition): Predicate {
  const bound = definition.scope === 'company' || definition.scope === 'both';
  if (actor.level === 1 || !bound) return always;
  if (target.scope === 'company' && actor.site_id !== null && !mayBeOutside(target)) return companyScope(actor, target);
  return referenceScope(actor.site_id, target);
}

/** Whether a condition is about one field of a row and nothing else. */
function isAbout(predicate: Predicate, name: string): boolean {
  if (predicate.kind === 'compare') return predicate.left === name;
  if (predicate.kind === 'all' || predicate.kind === 'any') return predicate.of.every((one) => isAbout(one, name));
  return predicate.kind === 'not' && isAbout(predicate.of, name);
}

/** Milliseconds for which it is known about how many rows there are. */
const KNOWN_FOR = 60_000;

interface Rows {
  readonly since: number;
  readonly rows: Promise<number>;
}

const known = new WeakMap<Database, Map<string, Rows>>();

/**
 * About how many rows a walk through all targets would meet: those of the company, where the targets are its own or an
 * index tells them from those of others; else those of all.
 */
async function rowsMet(context: RequestContext, definition: Definition, field: Field): Promise<number> {
  const { actor, registry } = context;
  const { root } = context.program.database;
  const target = registry.need(field.to!);
  const isOwn = target.scope === 'company' || hasSharedOrder(definition, field, registry);
  const where = isOwn ? companyScope(actor, definition) : always;
  const key = conditionKey(context, definition, where);
  const kept = known.get(root) ?? new Map<string, Rows>();
  known.set(root, kept);
  const found = kept.get(key);
  if (found && Date.now() - found.since < KNOWN_FOR) return found.rows;
  for (const [name, { since }] of kept) if (Date.now() - since >= KNOWN_FOR) kept.delete(name);
  const statement = countStatement(context, definition, where, undefined);
  const rows = root.named(statement).then(([row]) => row!.total as number);
  kept.set(key, { since: Date.now(), rows });
  rows.catch(() => kept.delete(key));
  return rows;
}

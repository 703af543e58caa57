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

/** Up to this many rows, joining and sorting all of them is fast. */
const FEW = 10_000;
/** A walk goes no further than this row; pages beyond it are found by sorting. */
const FAR = 5_000;
/** A walk is used if at least one of this many rows on its way belongs to the list. */
const SPARSE = 4;

/**
 * A page of many rows sorted by a relation: walks through the targets by title and reads each target's first rows until
 * the page is full, so a page costs what it contains, not what the list does. Undefined for any other order, and if
 * joining and sorting all rows is faster: if there are few, or if most rows on the way would not belong to the list.
 */
export async function walkPage(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  listQuery: ListQuery,
  { limit, offset }: { readonly limit: number | null; readonly offset: number },
): Promise<Found | undefined> {
  const { field } = listQuery.order;
  if (field.type !== 'relation' || columnOf(field) === null || field.computed !== undefined) return undefined;
  if (limit === null || limit + offset > FAR) return undefined;
  const { program, registry } = context;
  const count = countStatement(context, definition, where, needleFor(listQuery, 'scan'));
  const total = await totalsOf(program.database).count(count, registry);
  if (total <= FEW || total * SPARSE < (await rowsMet(context, definition, field))) return undefined;
  const statement = walkStatement(context, definition, where, listQuery);
  const [row] = await program.database.named(filled(statement, { limit, offset, end: limit + offset }));
  return { ids: row!.ids as number[], total };
}

/** Returns one row with the `ids` of a page. Placeholders are `limit`, `offset` and `end`, their sum. */
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
    const upToEnd = sql`limit ${new Slot('end')}::integer`;
    const matched = matchedSql(context, definition, where, needle);
    const relation = sql.id('t', order.field.name);
    const rows = (of: RawBuilder<unknown>) => sql`select t.id from ${sql.id('public', definition.table)} t
      where ${of} and ${matched} order by ${relation} ${direction}, t.id ${direction} ${upToEnd}`;
    return sql`select array(select id from (
        (select r.id, s.title from (${targets(context, definition, order.field, where, direction)}) s
          cross join lateral (${rows(sql`${relation} = s.id`)}) r
          order by s.title ${direction}, r.id ${direction} ${upToEnd})
        union all
        (select n.id, null from (${rows(sql`${relation} is null`)}) n)
      ) page order by title collate "und-x-icu" ${direction}, id ${direction}
      limit ${new Slot('limit')}::integer offset ${new Slot('offset')}::integer) as ids`;
  });
  return withNeedle(plan, needle);
}

/**
 * The `id` and `title` of the targets that rows of the list may refer to, sorted first (enforced by `offset 0`), so
 * that PostgreSQL can stop once the page is full.
 */
function targets(
  context: RequestContext,
  definition: Definition,
  field: Field,
  where: Predicate,
  direction: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { actor, registry, surroundings: evaluationContext } = context;
  const target = registry.need(field.to!);
  const title = knownTitleSql(actor, target, 's', registry);
  const reached = predicateToSql(ofCompany(context, definition, target), target, 's', registry, evaluationContext);
  // Conditions on the relation itself are checked on the targets first, which saves reading their rows.
  const relationConditions = allOf(
    (where.kind === 'all' ? where.of : [where]).filter((one) => isAbout(one, field.name)),
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
function ofCompany({ actor }: RequestContext, definition: Definition, target: Definition): Predicate {
  const bound = definition.scope === 'company' || definition.scope === 'both';
  if (actor.level === 1 || !bound) return always;
  if (target.scope === 'company' && actor.site_id !== null && !mayBeOutside(target)) return companyScope(actor, target);
  return referenceScope(actor.site_id, target);
}

/** Whether a condition only concerns one field. */
function isAbout(predicate: Predicate, name: string): boolean {
  if (predicate.kind === 'compare') return predicate.left === name;
  if (predicate.kind === 'all' || predicate.kind === 'any') return predicate.of.every((one) => isAbout(one, name));
  return predicate.kind === 'not' && isAbout(predicate.of, name);
}

/** Milliseconds for which an estimated number of rows is reused. */
const KNOWN_FOR = 60_000;

interface Rows {
  readonly since: number;
  readonly rows: Promise<number>;
}

const known = new WeakMap<Database, Map<string, Rows>>();

/**
 * An estimate of how many rows a walk through all targets would read: those of the company if the targets belong to it
 * or an index separates them from others, else all.
 */
async function rowsMet(context: RequestContext, definition: Definition, field: Field): Promise<number> {
  const { actor, registry } = context;
  const { root } = context.program.database;
  const target = registry.need(field.to!);
  const isOwn = target.scope === 'company' || hasSharedOrder(definition, field, registry);
  const where = isOwn ? companyScope(actor, definition) : always;
  const key = conditionKey(context, definition, where);
  const estimates = known.get(root) ?? new Map<string, Rows>();
  known.set(root, estimates);
  const found = estimates.get(key);
  if (found && Date.now() - found.since < KNOWN_FOR) return found.rows;
  for (const [name, { since }] of estimates) if (Date.now() - since >= KNOWN_FOR) estimates.delete(name);
  const statement = countStatement(context, definition, where, undefined);
  const rows = root.named(statement).then(([row]) => row!.total as number);
  estimates.set(key, { since: Date.now(), rows });
  rows.catch(() => estimates.delete(key));
  return rows;
}

import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import type { Definition } from '../../engine/definitions/definition';
import { levelsOf, readableFields } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { needleOf, searchCondition, type Needle, type SearchWay } from '../conditions/search';
import { predicateToSql } from '../conditions/to-sql';
import { plannedForValues, type Statement } from '../database/statements';
import { filled, planned, Slot } from './plans';
import type { ListQuery } from './query/list-query';
import { conditionKey } from './selection-key';

/** What a list is searched for, if anything. */
export function needleFor({ search }: Pick<ListQuery, 'search'>, way?: SearchWay): Needle | undefined {
  return search === undefined ? undefined : needleOf(search, way);
}

/** What a statement is made of depends on how a text is looked for, not on the text. */
export function needleKey(needle: Needle | undefined): string {
  return needle ? `${needle.way}${needle.lines ? ' lines' : ''}` : '';
}

/** Fills in what is looked for where `matchedSql` has left place for it. */
export function withNeedle(plan: Statement, needle: Needle | undefined): Statement {
  return needle ? filled(plan, { text: needle.text, pattern: needle.pattern }) : plan;
}

/** Whether a row `t` is one of those that a condition holds for and a search finds. */
export function matchedSql(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  needle: Needle | undefined,
): RawBuilder<unknown> {
  const matched = predicateToSql(where, definition, 't', context.registry, context.surroundings);
  if (!needle) return matched;
  const { always, sometimes } = readableFields(context.actor, definition);
  const readable = Object.values(definition.fields).every((field) => field.secret || always.has(field.name));
  const fields = readable && always.size === sometimes.size ? undefined : always;
  const slots = { ...needle, text: new Slot('text'), pattern: new Slot('pattern') };
  return sql`${matched} and ${searchCondition(definition, 't', context.registry, slots, fields)}`;
}

/** How many rows there are, as `total`. */
export function countStatement(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  needle: Needle | undefined,
): Statement {
  const key = `count|${levelsOf(context.actor)}|${needleKey(needle)}|${conditionKey(context, definition, where)}`;
  const plan = planned(context.program.database, key, () => {
    const matched = matchedSql(context, definition, where, needle);
    const count = sql`select count(*)::integer as total from ${sql.id('public', definition.table)} t where ${matched}`;
    return needle ? sql`${count} ${sql.raw(plannedForValues)}` : count;
  });
  return withNeedle(plan, needle);
}

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

/** The search term of a list, if there is one. */
export function needleFor({ search }: Pick<ListQuery, 'search'>, way?: SearchWay): Needle | undefined {
  return search === undefined ? undefined : needleOf(search, way);
}

/** Cache key: a statement depends on how a text is searched, not on the text. */
export function needleKey(needle: Needle | undefined): string {
  return needle ? `${needle.way}${needle.lines ? ' lines' : ''}` : '';
}

/** Binds the search term to the placeholders of `matchSql`. */
export function withNeedle(plan: Statement, needle: Needle | undefined): Statement {
  return needle ? filled(plan, { text: needle.text, pattern: needle.pattern }) : plan;
}

/** Matches the rows `t` that satisfy a condition and contain the search term. */
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

/** Counts the rows, as `total`. */
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

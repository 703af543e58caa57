import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import type { Definition } from '../../engine/definitions/definition';
import { levelKey, readableFields } from '../access/readable-fields';
import type { RequestContext } from '../access/request-context';
import { createSearchTerm, searchCondition, type SearchTerm, type SearchStrategy } from '../sql/search';
import { predicateToSql } from '../sql/predicate-to-sql';
import { replanMarker, type Statement } from '../database/statements';
import { bind, cachedStatement, Placeholder, conditionKey } from './statement-cache';
import type { ListQuery } from './query/list-query';

/** The search term of a list, if there is one. */
export function searchTermOf({ search }: Pick<ListQuery, 'search'>, way?: SearchStrategy): SearchTerm | undefined {
  return search === undefined ? undefined : createSearchTerm(search, way);
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
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  needle: SearchTerm | undefined,
): RawBuilder<unknown> {
  const matched = predicateToSql(where, definition, 't', context.registry, context.evaluationContext);
  if (!needle) return matched;
  const { always, sometimes } = readableFields(context.actor, definition);
  const readable = Object.values(definition.fields).every((field) => field.secret || always.has(field.name));
  const fields = readable && always.size === sometimes.size ? undefined : always;
  const slots = { ...needle, text: new Placeholder('text'), pattern: new Placeholder('pattern') };
  return sql`${matched} and ${searchCondition(definition, 't', context.registry, slots, fields)}`;
}

/** Counts the rows, as `total`. */
export function countStatement(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  needle: SearchTerm | undefined,
): Statement {
  const key = `count|${levelKey(context.actor)}|${searchTermKey(needle)}|${conditionKey(context, definition, where)}`;
  const plan = cachedStatement(context.program.database, key, () => {
    const matched = matchSql(context, definition, where, needle);
    const count = sql`select count(*)::integer as total from ${sql.id('public', definition.table)} t where ${matched}`;
    return needle ? sql`${count} ${sql.raw(replanMarker)}` : count;
  });
  return bindSearchTerm(plan, needle);
}

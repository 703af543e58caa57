import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import type { Action, Definition } from '../../engine/definitions/definition';
import { resolveCondition, rulesFor } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import type { Queries } from '../database/database';
import { predicateToSql } from '../sql/predicate-to-sql';

/** Which rules of an action match stored rows, by id, in the order of `rulesFor`. One statement for any number of rows. */
export async function loadRuleResults(
  context: RequestContext,
  definition: Definition,
  action: Action,
  ids: readonly number[],
  queries: Queries,
): Promise<ReadonlyMap<number, readonly boolean[]>> {
  const columns = ruleTestColumns(context, definition, action);
  const { rows } = await sql<Record<string, boolean>>`select t.id, ${sql.join(columns)}
    from ${sql.id('public', definition.table)} t where t.id = any(${ids}::integer[])`.execute(queries);
  return new Map(
    rows.map((row) => [row.id as unknown as number, columns.map((_, index) => row[ruleColumn(index)] === true)]),
  );
}

/** The column of a rule's test, by its place in `rulesFor`. */
export const ruleColumn = (index: number) => `rule ${index}`;

/**
 * Columns that tell which rules of an action match a row `t`. Their names contain a space, so that no field can have
 * them.
 */
export function ruleTestColumns(
  context: RequestContext,
  definition: Definition,
  action: Action,
): RawBuilder<unknown>[] {
  const { registry, evaluationContext } = context;
  return ruleConditions(context, definition, action).map((where, index) => {
    const holds = where ? predicateToSql(where, definition, 't', registry, evaluationContext) : sql`true`;
    return sql`(${holds}) is true as ${sql.id(ruleColumn(index))}`;
  });
}

/** The conditions of an action's rules with variables resolved; null for a rule without one. */
export function ruleConditions(context: RequestContext, definition: Definition, action: Action): (Predicate | null)[] {
  const rules = rulesFor(context.actor, definition, action);
  return rules.map(({ where }) => (where ? resolveCondition(where, context.evaluationContext) : null));
}

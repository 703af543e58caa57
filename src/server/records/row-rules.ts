import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import type { Action, Definition, Field, ResourceRecord, Rule } from '../../engine/definitions/definition';
import { fieldTypeOf } from '../../engine/field-types';
import { resolveCondition } from '../access/access-filter';
import { ruleAllowsField, rulesFor } from '../access/readable-fields';
import type { RequestContext } from '../access/request-context';
import { predicateToSql } from '../sql/predicate-to-sql';
import type { Transaction } from '../database/database';
import { Forbidden } from '../errors/errors';

/** The rules of an action that match a stored row; undefined if no rule restricts the grant. */
export type MatchingRules = readonly Rule[] | undefined;

/**
 * Finds the rules that match stored rows, in the order of `ids`. Throws Refused, naming the rules, for a row that none
 * of them matches. Called after an insert in the same transaction; one statement for any number of rows.
 */
export async function loadMatchingRules(
  context: RequestContext,
  definition: Definition,
  action: Action,
  ids: readonly number[],
  trx: Transaction,
): Promise<MatchingRules[]> {
  const rules = rulesFor(context.actor, definition, action);
  if (!rules.some((rule) => rule.where))
    return ids.map(() => assertRuleMatches(context, definition, action, undefined));
  const { rows } = await sql<
    Record<string, boolean>
  >`select t.id, ${sql.join(ruleTestColumns(context, definition, action))}
    from ${sql.id('public', definition.table)} t where t.id = any(${ids}::integer[])`.execute(trx);
  const found = new Map(rows.map((row) => [row.id as unknown as number, row]));
  return ids.map((id) => assertRuleMatches(context, definition, action, found.get(id) ?? {}));
}

const ruleColumn = (index: number) => `rule ${index}`;

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

/**
 * The rules that match according to the columns of `ruleTestColumns`; undefined if no rule restricts the action. Throws
 * Refused, naming the rules, if none of them matches.
 */
export function assertRuleMatches(
  context: RequestContext,
  definition: Definition,
  action: Action,
  tested: Readonly<Record<string, unknown>> | undefined,
): MatchingRules {
  const rules = rulesFor(context.actor, definition, action);
  if (rules.length === 0) return undefined;
  const holding = tested ? rules.filter((_, index) => tested[ruleColumn(index)] === true) : rules;
  if (holding.length > 0) return holding;
  const reasons = [...new Set(rules.map((rule) => rule.reason))].join(', or ');
  throw new Forbidden(
    `You don't have permission to ${action} this ${definition.labels.one.toLowerCase()}: ${reasons}.`,
  );
}

/** Throws Refused for the first changed field that no matching rule allows. */
export function assertFieldsAllowed(
  definition: Definition,
  action: Action,
  holding: MatchingRules,
  differing: Iterable<string>,
): void {
  if (!holding) return;
  for (const name of differing) {
    const field = definition.fields[name];
    if (!field || field.name === 'site_id' || holding.some((rule) => ruleAllowsField(rule, name))) continue;
    const reasons = [...new Set(holding.map((rule) => rule.reason))].join(', or ');
    const verb = action === 'create' ? 'set' : 'change';
    throw new Forbidden(
      `You don't have permission to ${verb} ${field.label} of this ${definition.labels.one.toLowerCase()}: ${reasons}.`,
    );
  }
}

/** Whether some rule can only be tested on the stored row. */
export function hasRowRules(context: RequestContext, definition: Definition, action: Action): boolean {
  return rulesFor(context.actor, definition, action).some((rule) => rule.where);
}

/** The fields that differ between two versions of a record, compared by their types. */
export function changedFields(definition: Definition, before: ResourceRecord, values: ResourceRecord): Set<string> {
  return new Set(
    Object.keys(values).filter((name) => {
      const field = definition.fields[name];
      return field && !isEqual(field, before[name] ?? null, values[name] ?? null);
    }),
  );
}

function isEqual(field: Field, one: unknown, other: unknown): boolean {
  return fieldTypeOf(field).isEqual?.(one, other) ?? one === other;
}

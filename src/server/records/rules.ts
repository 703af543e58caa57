import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import type { Action, Definition, Field, ResourceRecord, Rule } from '../../engine/definitions/definition';
import { typeOf } from '../../engine/field-types';
import { resolved } from '../access/reach';
import { covers, rulesFor } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { predicateToSql } from '../conditions/to-sql';
import type { Transaction } from '../database/database';
import { Refused } from '../errors/errors';

/** The rules of an action that hold for a stored row; undefined where no rule narrows the grant. */
export type Holding = readonly Rule[] | undefined;

/**
 * Finds the rules that hold for stored rows, in their order, and throws Refused, naming them, for a row for which there
 * are some and none does. Asked after an insert, in its transaction; one statement whatever the number of rows.
 */
export async function holdingRules(
  context: RequestContext,
  definition: Definition,
  action: Action,
  ids: readonly number[],
  trx: Transaction,
): Promise<Holding[]> {
  const rules = rulesFor(context.actor, definition, action);
  if (!rules.some((rule) => rule.where)) return ids.map(() => mustHold(context, definition, action, undefined));
  const { rows } = await sql<Record<string, boolean>>`select t.id, ${sql.join(ruleTests(context, definition, action))}
    from ${sql.id('public', definition.table)} t where t.id = any(${ids}::integer[])`.execute(trx);
  const found = new Map(rows.map((row) => [row.id as unknown as number, row]));
  return ids.map((id) => mustHold(context, definition, action, found.get(id) ?? {}));
}

const columnOfRule = (index: number) => `rule ${index}`;

/** Columns that say of a row `t` which rules of an action hold; their names are no field's, since they have a space. */
export function ruleTests(context: RequestContext, definition: Definition, action: Action): RawBuilder<unknown>[] {
  const { registry, surroundings } = context;
  return rulesOf(context, definition, action).map((where, index) => {
    const holds = where ? predicateToSql(where, definition, 't', registry, surroundings) : sql`true`;
    return sql`(${holds}) is true as ${sql.id(columnOfRule(index))}`;
  });
}

/** What the rules of an action ask of a row, with variables resolved; null for a rule that asks nothing of it. */
export function rulesOf(context: RequestContext, definition: Definition, action: Action): (Predicate | null)[] {
  const rules = rulesFor(context.actor, definition, action);
  return rules.map(({ where }) => (where ? resolved(where, context.surroundings) : null));
}

/**
 * The rules that hold by what `ruleTests` found; undefined where no rule narrows the action. Throws Refused, naming
 * them, where there are some and none holds.
 */
export function mustHold(
  context: RequestContext,
  definition: Definition,
  action: Action,
  tested: Readonly<Record<string, unknown>> | undefined,
): Holding {
  const rules = rulesFor(context.actor, definition, action);
  if (rules.length === 0) return undefined;
  const holding = tested ? rules.filter((_, index) => tested[columnOfRule(index)] === true) : rules;
  if (holding.length > 0) return holding;
  const reasons = [...new Set(rules.map((rule) => rule.reason))].join(', or ');
  throw new Refused(`You don't have permission to ${action} this ${definition.labels.one.toLowerCase()}: ${reasons}.`);
}

/** Throws Refused for the first field that differs and that no holding rule lets through. */
export function mustCover(definition: Definition, action: Action, holding: Holding, differing: Iterable<string>): void {
  if (!holding) return;
  for (const name of differing) {
    const field = definition.fields[name];
    if (!field || field.name === 'site_id' || holding.some((rule) => covers(rule, name))) continue;
    const reasons = [...new Set(holding.map((rule) => rule.reason))].join(', or ');
    const verb = action === 'create' ? 'set' : 'change';
    throw new Refused(
      `You don't have permission to ${verb} ${field.label} of this ${definition.labels.one.toLowerCase()}: ${reasons}.`,
    );
  }
}

/** Whether a rule can only be tested on the stored row. */
export function hasRowRules(context: RequestContext, definition: Definition, action: Action): boolean {
  return rulesFor(context.actor, definition, action).some((rule) => rule.where);
}

/** The values that differ between two versions of a record, by what their types call equal. */
export function differences(definition: Definition, before: ResourceRecord, values: ResourceRecord): Set<string> {
  return new Set(
    Object.keys(values).filter((name) => {
      const field = definition.fields[name];
      return field && !isSame(field, before[name] ?? null, values[name] ?? null);
    }),
  );
}

function isSame(field: Field, one: unknown, other: unknown): boolean {
  return typeOf(field).same?.(one, other) ?? one === other;
}

import { sql } from 'kysely';
import type { Action, Definition, ResourceRecord, Rule } from '../../engine/definitions/definition';
import { resolved } from '../access/reach';
import { covers, rulesFor } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { predicateToSql } from '../conditions/to-sql';
import type { Transaction } from '../database/database';
import { Refused } from '../errors/errors';

/** The rules of an action that hold for a stored row; undefined where no rule narrows the grant. */
export type Holding = readonly Rule[] | undefined;

/**
 * Finds the rules that hold for a row, and throws Refused, naming them, where there are some and none does. Asked
 * before an edit or a deletion, and after an insert, in its transaction.
 */
export async function holdingRules(
  context: RequestContext,
  definition: Definition,
  action: Action,
  id: number,
  trx: Transaction,
): Promise<Holding> {
  const rules = rulesFor(context.actor, definition, action);
  if (rules.length === 0) return undefined;
  const holding = rules.some((rule) => rule.where) ? await tested(context, definition, rules, id, trx) : rules;
  if (holding.length > 0) return holding;
  const reasons = [...new Set(rules.map((rule) => rule.reason))].join(', or ');
  throw new Refused(`You may not ${action} this ${definition.labels.one.toLowerCase()}: ${reasons}.`);
}

async function tested(
  context: RequestContext,
  definition: Definition,
  rules: readonly Rule[],
  id: number,
  trx: Transaction,
): Promise<Rule[]> {
  const { registry, surroundings } = context;
  const tests = rules.map(({ where }, index) => {
    const holds = where
      ? predicateToSql(resolved(where, surroundings), definition, 't', registry, surroundings)
      : sql`true`;
    return sql`(${holds}) is true as ${sql.id(`rule${index}`)}`;
  });
  const { rows } = await sql<Record<string, boolean>>`select ${sql.join(tests)}
    from ${sql.id('public', definition.table)} t where t.id = ${id}`.execute(trx);
  return rules.filter((_, index) => rows[0]?.[`rule${index}`]);
}

/** Throws Refused for the first field that differs and that no holding rule lets through. */
export function mustCover(definition: Definition, action: Action, holding: Holding, differing: Iterable<string>): void {
  if (!holding) return;
  for (const name of differing) {
    const field = definition.fields[name];
    if (!field || field.name === 'site_id' || holding.some((rule) => covers(rule, name))) continue;
    const reasons = [...new Set(holding.map((rule) => rule.reason))].join(', or ');
    const verb = action === 'create' ? 'set' : 'change';
    throw new Refused(`You may not ${verb} ${field.label} of this ${definition.labels.one.toLowerCase()}: ${reasons}.`);
  }
}

/** Whether a rule can only be tested on the stored row. */
export function hasRowRules(context: RequestContext, definition: Definition, action: Action): boolean {
  return rulesFor(context.actor, definition, action).some((rule) => rule.where);
}

/** The values that differ between two versions of a record. */
export function differences(definition: Definition, before: ResourceRecord, values: ResourceRecord): Set<string> {
  return new Set(
    Object.keys(values).filter((name) => definition.fields[name] && !same(before[name] ?? null, values[name] ?? null)),
  );
}

function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
  return typeof a === 'object' && a !== null ? JSON.stringify(a) === JSON.stringify(b) : a === b;
}

function sorted(value: unknown): unknown {
  if (value === null) return [];
  return Array.isArray(value) && value.every((one) => typeof one === 'number')
    ? [...value].sort((x, y) => x - y)
    : value;
}

import { decide } from '../../engine/access/decide';
import { compareValues, predicateOf } from '../../engine/conditions/evaluate';
import type { Predicate } from '../../engine/conditions/grammar';
import { always, resolve, type Surroundings } from '../../engine/conditions/variables';
import type { Action, Condition, Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { Refused } from '../errors/errors';
import { rulesFor } from './readable';
import type { RequestContext } from './request-context';
import { companyScope } from './scope';

/** Which records with regard to the archive: those outside it, those in it alone, or both. */
export type Archived = 'none' | 'only' | 'any';

/**
 * THE door to a resource's table: the rows that a caller may touch with an action. Grant, company, row rules, deletion
 * and archive in one predicate whose variables are resolved. Throws Refused where the grant is missing.
 */
export function reach(
  context: RequestContext,
  definition: Definition,
  action: Action,
  { archived = 'none' }: { archived?: Archived } = {},
): Predicate {
  mustBeGranted(context, definition, action);
  return allOf([
    visible(context, definition, action === 'list' ? 'list' : 'view'),
    present(context.registry, definition, archived),
  ]);
}

/** As `reach`, without throwing: undefined where the grant is missing. */
export function reachIfGranted(
  context: RequestContext,
  definition: Definition,
  action: Action,
  options?: { archived?: Archived },
): Predicate | undefined {
  return decide(context.actor, definition, action).allowed ? reach(context, definition, action, options) : undefined;
}

/** Throws Refused, with the reason in words, where the action is not granted or never the actor's. */
export function mustBeGranted({ actor }: RequestContext, definition: Definition, action: Action): void {
  const decision = decide(actor, definition, action);
  if (!decision.allowed) throw new Refused(decision.reason);
  if (definition.scope === 'self' && (action === 'create' || action === 'delete') && actor.level !== 1) {
    throw new Refused(
      `You don't have permission to ${action} ${definition.labels.many}: only the installation's administrator does.`,
    );
  }
}

/**
 * The rows that exist for a caller: of the company, not deleted, and within the row rules. What lies outside is
 * "not found", whatever the caller may do.
 */
export function visible(context: RequestContext, definition: Definition, action: 'list' | 'view' = 'view'): Predicate {
  return allOf([companyScope(context.actor, definition), existing(definition), ruleWhere(context, definition, action)]);
}

/** The row rules of an action for the caller's level, grants left aside; where somebody views as another, those of both. */
export function ruleWhere(context: RequestContext, definition: Definition, action: Action): Predicate {
  const own = ownRules(context, definition, action);
  return context.viewer ? allOf([own, ruleWhere(context.viewer, definition, action)]) : own;
}

function ownRules(context: RequestContext, definition: Definition, action: Action): Predicate {
  const rules = rulesFor(context.actor, definition, action);
  if (rules.length === 0 || rules.some((rule) => !rule.where)) return always;
  const any: Predicate = { kind: 'any', of: rules.map((rule) => predicateOf(rule.where!)) };
  return resolve(any, context.surroundings, compareValues);
}

/** A condition as a predicate with its variables resolved. */
export function resolved(condition: Condition, surroundings: Surroundings): Predicate {
  return resolve(predicateOf(condition), surroundings, compareValues);
}

/** Leaves out records that were deleted but kept for their name. */
export function existing(definition: Definition): Predicate {
  return definition.delete.keep ? isNull('deleted_at') : always;
}

/** Outside the archive (or in it), and not within an archived record. */
export function present(registry: Registry, definition: Definition, archived: Archived = 'none'): Predicate {
  if (archived === 'any') return always;
  if (archived === 'only') return definition.archive ? { kind: 'not', of: isNull('archived_at') } : always;
  return allOf([definition.archive ? isNull('archived_at') : always, withinPresent(registry, definition)]);
}

/** What a record lies within is neither archived nor deleted, nor within something that is. */
function withinPresent(registry: Registry, definition: Definition, above: readonly string[] = []): Predicate {
  const around = [...above, definition.name];
  const fields = Object.values(definition.fields).filter((field) => field.within && field.type === 'relation');
  return allOf(
    fields.map((field): Predicate => {
      const target = registry.need(field.to!);
      const of = allOf([
        existing(target),
        target.archive ? isNull('archived_at') : always,
        around.includes(target.name) ? always : withinPresent(registry, target, around),
      ]);
      if (of === always) return always;
      // Not as `not some(not …)`: PostgreSQL then takes hardly any row to remain, and sorts all of a project's instead
      // of reading the first ones from an index.
      return { kind: 'any', of: [isNull(field.name), { kind: 'some', field: field.name, of }] };
    }),
  );
}

const isNull = (left: string): Predicate => ({ kind: 'compare', left, operator: '$eq', right: null });

/** All of some predicates, those that always hold left out. */
export function allOf(predicates: readonly Predicate[]): Predicate {
  const of = predicates.flatMap((one) => (one.kind === 'all' ? one.of : [one]));
  return of.length === 0 ? always : of.length === 1 ? of[0]! : { kind: 'all', of };
}

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

/** Which records to include: only active ones, only archived ones, or both. */
export type Archived = 'none' | 'only' | 'any';

/**
 * The only way to a resource's table: the rows on which a caller may perform an action. Combines grant, company, row
 * rules, deletion and archive into one predicate with its variables resolved. Throws Refused if the grant is missing.
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

/** As `accessFilter`, but returns undefined instead of throwing if the grant is missing. */
export function reachIfGranted(
  context: RequestContext,
  definition: Definition,
  action: Action,
  options?: { archived?: Archived },
): Predicate | undefined {
  return decide(context.actor, definition, action).allowed ? reach(context, definition, action, options) : undefined;
}

/** Throws Refused, with a message for the user, if the action is not granted or never available to the actor. */
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
 * The rows that exist for a caller: in their company, not deleted, and within the row rules. Any other row is "not
 * found", whatever grants the caller has.
 */
export function visible(context: RequestContext, definition: Definition, action: 'list' | 'view' = 'view'): Predicate {
  return allOf([companyScope(context.actor, definition), existing(definition), ruleWhere(context, definition, action)]);
}

/**
 * The row rules of an action for the caller's level, ignoring grants. When viewing as another user, the rules of both
 * apply.
 */
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
export function resolved(condition: Condition, evaluationContext: Surroundings): Predicate {
  return resolve(predicateOf(condition), evaluationContext, compareValues);
}

/** Excludes records that were deleted but are kept for their name. */
export function existing(definition: Definition): Predicate {
  return definition.delete.keep ? isNull('deleted_at') : always;
}

/** Active records (or archived ones), excluding those whose parent is archived. */
export function present(registry: Registry, definition: Definition, archived: Archived = 'none'): Predicate {
  if (archived === 'any') return always;
  if (archived === 'only') return definition.archive ? { kind: 'not', of: isNull('archived_at') } : always;
  return allOf([definition.archive ? isNull('archived_at') : always, withinPresent(registry, definition)]);
}

/** The parents of a record (`within` relations) are neither archived nor deleted, and neither are theirs. */
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
      // Not written as `not some(not …)`: PostgreSQL would then expect hardly any rows to remain and sort all rows of a
      // project instead of reading the first ones from an index.
      return { kind: 'any', of: [isNull(field.name), { kind: 'some', field: field.name, of }] };
    }),
  );
}

const isNull = (left: string): Predicate => ({ kind: 'compare', left, operator: '$eq', right: null });

/** Combines predicates with AND, leaving out those that always hold. */
export function allOf(predicates: readonly Predicate[]): Predicate {
  const of = predicates.flatMap((one) => (one.kind === 'all' ? one.of : [one]));
  return of.length === 0 ? always : of.length === 1 ? of[0]! : { kind: 'all', of };
}

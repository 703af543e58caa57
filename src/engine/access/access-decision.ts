import { Level } from '../definitions/level';
import { truePredicate, type EvaluationContext } from '../conditions/variables';
import { predicateOf } from '../conditions/match-condition';
import { mayMatch } from '../conditions/may-match';
import { ruledName } from '../expressions/derivations';
import type { Predicate } from '../conditions/grammar';
import type { Action, Condition, Definition, ResourceRecord, Rule } from '../definitions/definition';
import type { Actor } from './actor';
import { isAmong, type RoleHolder } from './audience';
import { fieldOf } from '../definitions/accessors';

/**
 * The single access decision: grant AND row rule AND field rule. `where` is the predicate that a record must satisfy.
 * Company and archive are not part of grants; the reading code adds them. Rules narrow a grant: for the roles
 * and actions that a rule names, the grant applies only where at least one of those rules matches.
 */
export type AccessDecision =
  | { readonly allowed: false; readonly reason: string }
  | { readonly allowed: true; readonly where: Predicate; readonly rules: readonly Rule[] };

/**
 * Decides whether the actor can do an action on a module. A refusal has a reason to show to the user.
 *
 * @example
 * decideAccess(actor, definition, 'delete'); // { allowed: false, reason: … }, or the rows on which it is allowed
 */
export function decideAccess(actor: Actor, definition: Definition, action: Action): AccessDecision {
  if (!isGranted(actor, definition.name, action)) {
    const { viewer, ...roleHolder } = actor;
    // A refusal by the role reads as its holders read it; a refusal by viewing alone says so.
    if (viewer) {
      const roleDecision = decideAccess(roleHolder, definition, action);
      return roleDecision.allowed ? { allowed: false, reason: viewingRefusal(definition, action) } : roleDecision;
    }
    return {
      allowed: false,
      reason: `You don't have permission to ${action} ${definition.labels.many}.`,
    };
  }
  if (
    action !== 'list' &&
    action !== 'view' &&
    definition.scope === 'installation' &&
    actor.level !== Level.Installation
  ) {
    return {
      allowed: false,
      reason: `${definition.labels.many} belong to the installation: only its administrator can ${action} them.`,
    };
  }
  const rules = rulesFor(actor, definition, action);
  if (rules.length === 0) return { allowed: true, where: truePredicate, rules };
  const conditions = rules.map((rule) => rule.where).filter((condition) => condition !== undefined);
  const predicate: Predicate =
    conditions.length < rules.length ? truePredicate : { kind: 'any', of: conditions.map(predicateOf) };
  return { allowed: true, where: predicate, rules };
}

/** Why somebody who views as another user may not do what that user may. */
function viewingRefusal({ labels }: Definition, action: Action): string {
  if (action !== 'list' && action !== 'view') return viewingMessage;
  return `You don't have permission to ${action} ${labels.many} yourself, so you don't see them as another user either.`;
}

/** The message where nothing but viewing as another user prevents a change. */
export const viewingMessage = 'You are viewing as another user, so nothing can be saved. Stop viewing first.';

/**
 * The rules that restrict an action for a role: those that name its level or its key.
 *
 * @example rulesFor(actor, definition, 'edit').some(({ where }) => where); // whether only some records may be edited
 */
export function rulesFor(holder: RoleHolder, definition: Definition, action: Action): readonly Rule[] {
  return definition.rules.filter((rule) => rule.actions.includes(action) && isAmong(holder, rule));
}

/**
 * Whether the actor has the grant. Level 1 has every grant, so that the installation can never be locked. A viewer has
 * only the read grants that both actors have.
 *
 * @example isGranted({ level: 4, permissions: { films: ['list'] } }, 'films', 'edit'); // false
 */
export function isGranted(
  actor: Pick<Actor, 'level' | 'permissions' | 'viewer'>,
  module: string,
  action: Action,
): boolean {
  const { viewer } = actor;
  if (viewer && !((action === 'list' || action === 'view') && isGranted(viewer, module, action))) return false;
  return actor.level === Level.Installation || (actor.permissions[module]?.includes(action) ?? false);
}

/**
 * Whether the action is allowed on this record, as returned by the API. Decides what to show: if the response lacks
 * data to tell, the server decides.
 *
 * @example isAllowedOnRecord(actor, definition, 'delete', record, evaluationContext) && <DeleteButton />
 */
export function isAllowedOnRecord(
  actor: Actor,
  definition: Definition,
  action: Action,
  record: ResourceRecord,
  evaluationContext: EvaluationContext,
): boolean {
  const { viewer } = actor;
  if (viewer && !isAllowedOnRecord(viewer, definition, action, record, evaluationContext)) return false;
  const decision = decideAccess(actor, definition, action);
  if (!decision.allowed) return false;
  const ruleContext = { ...evaluationContext, actor };
  return (
    decision.rules.length === 0 ||
    decision.rules.some((rule) => !rule.where || mayMatch(rule.where, record, ruleContext))
  );
}

/**
 * The fields that any rule allows for an action, on any record. Without rules: all fields.
 *
 * @example grantedFields(actor, definition, 'list').has('salary');
 */
export function grantedFields(actor: Actor, definition: Definition, action: Action): ReadonlySet<string> {
  return fieldsByRules(actor, definition, action, () => true);
}

/**
 * The fields that the rules allow for an action on this record, as returned by the API: the union over all matching
 * rules. Without rules: all fields.
 *
 * @example allowedFields(actor, definition, 'edit', record, evaluationContext).has('status_id');
 */
export function allowedFields(
  actor: Actor,
  definition: Definition,
  action: Action,
  record: ResourceRecord,
  evaluationContext: EvaluationContext,
): ReadonlySet<string> {
  return fieldsByRules(actor, definition, action, (condition, ruleActor) =>
    mayMatch(condition, record, { ...evaluationContext, actor: ruleActor }),
  );
}

/**
 * The fields that every rule allows in lists, so that the actor reads them on each record. Lists are sorted, filtered,
 * grouped and added up by these alone: by a field that is read on some records, the order would tell the others.
 *
 * @example fieldsOfAllRecords(actor, definition).has('salary'); // whether its sum may be asked for
 */
export function fieldsOfAllRecords(actor: Actor, definition: Definition): ReadonlySet<string> {
  const { viewer } = actor;
  const names = viewer ? [...fieldsOfAllRecords(viewer, definition)] : Object.keys(definition.fields);
  const rules = rulesFor(actor, definition, 'list');
  return new Set(names.filter((name) => rules.every((rule) => ruleAllowsField(rule, name))));
}

/** A viewer gets only the fields that both actors have. */
function fieldsByRules(
  actor: Actor,
  definition: Definition,
  action: Action,
  matchesRule: (where: Condition, actor: Actor) => boolean,
): ReadonlySet<string> {
  const { viewer } = actor;
  const names = viewer ? [...fieldsByRules(viewer, definition, action, matchesRule)] : Object.keys(definition.fields);
  const rules = rulesFor(actor, definition, action);
  if (rules.length === 0) return new Set(names);
  const matchingRules = rules.filter(({ where: condition }) => !condition || matchesRule(condition, actor));
  return new Set(
    names.filter((name) => matchingRules.some((rule) => ruleAllowsField(rule, ruledName(fieldOf(definition, name))))),
  );
}

function ruleAllowsField(rule: Rule, name: string): boolean {
  return (rule.fields?.includes(name) ?? true) && !(rule.exceptFields?.includes(name) ?? false);
}

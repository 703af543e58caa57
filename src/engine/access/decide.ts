import { always, type Surroundings } from '../conditions/variables';
import { predicateOf } from '../conditions/evaluate';
import { mayHold } from '../conditions/may-hold';
import type { Predicate } from '../conditions/grammar';
import type { Action, Condition, Definition, ResourceRecord, Rule } from '../definitions/definition';
import type { Actor } from './actor';

/**
 * The one access decision: grant AND row rule AND field rule. `where` is the predicate that a record must satisfy
 * (company and archive are added by whoever reads: they are no matter of grants). Rules narrow: for the levels and
 * actions that a rule names, the grant holds only where one of those rules does.
 */
export type Decision =
  | { readonly allowed: false; readonly reason: string }
  | { readonly allowed: true; readonly where: Predicate; readonly rules: readonly Rule[] };

/** Decides for an action on a module. The reason of a refusal is in words for the user. */
export function decide(actor: Actor, definition: Definition, action: Action): Decision {
  if (!isGranted(actor, definition.name, action)) {
    return {
      allowed: false,
      reason: `You may not ${action} ${definition.labels.many}: your role has no such permission.`,
    };
  }
  if (action !== 'list' && action !== 'view' && definition.scope === 'installation' && actor.level !== 1) {
    return {
      allowed: false,
      reason: `${definition.labels.many} belong to the installation; only its administrator may ${action} them.`,
    };
  }
  const rules = definition.rules.filter((rule) => rule.levels.includes(actor.level) && rule.actions.includes(action));
  if (rules.length === 0) return { allowed: true, where: always, rules };
  const where: Predicate = rules.some((rule) => !rule.where)
    ? always
    : { kind: 'any', of: rules.map((rule) => predicateOf(rule.where!)) };
  return { allowed: true, where, rules };
}

/**
 * Whether the grant is held. Level 1 holds every grant, so that nobody locks the installation. Whoever views as another
 * holds what both hold, and nothing that writes.
 */
export function isGranted(
  actor: Pick<Actor, 'level' | 'permissions' | 'viewer'>,
  module: string,
  action: Action,
): boolean {
  const { viewer } = actor;
  if (viewer && !((action === 'list' || action === 'view') && isGranted(viewer, module, action))) return false;
  return actor.level === 1 || (actor.permissions[module]?.includes(action) ?? false);
}

/**
 * Whether the action is allowed on this very record, as answered: for deciding what to show. What the answer does not
 * tell is left to the server.
 */
export function allowsRecord(
  actor: Actor,
  definition: Definition,
  action: Action,
  record: ResourceRecord,
  surroundings: Surroundings,
): boolean {
  const { viewer } = actor;
  if (viewer && !allowsRecord(viewer, definition, action, record, surroundings)) return false;
  const decision = decide(actor, definition, action);
  if (!decision.allowed) return false;
  const around = { ...surroundings, actor };
  return (
    decision.rules.length === 0 || decision.rules.some((rule) => !rule.where || mayHold(rule.where, record, around))
  );
}

/** The names of the fields that some rule leaves for an action, of whatever record. Without rules: all. */
export function grantedFields(actor: Actor, definition: Definition, action: Action): ReadonlySet<string> {
  return fieldsOf(actor, definition, action, () => true);
}

/**
 * The names of the fields that the rules leave for an action on this very record, as answered: the union over the rules
 * that hold for it. Without rules: all.
 */
export function allowedFields(
  actor: Actor,
  definition: Definition,
  action: Action,
  record: ResourceRecord,
  surroundings: Surroundings,
): ReadonlySet<string> {
  return fieldsOf(actor, definition, action, (where, of) => mayHold(where, record, { ...surroundings, actor: of }));
}

/** Whoever views as another has the fields that both have. */
function fieldsOf(
  actor: Actor,
  definition: Definition,
  action: Action,
  applies: (where: Condition, actor: Actor) => boolean,
): ReadonlySet<string> {
  const { viewer } = actor;
  const names = viewer ? [...fieldsOf(viewer, definition, action, applies)] : Object.keys(definition.fields);
  const rules = definition.rules.filter((rule) => rule.levels.includes(actor.level) && rule.actions.includes(action));
  if (rules.length === 0) return new Set(names);
  const holding = rules.filter(({ where }) => !where || applies(where, actor));
  return new Set(names.filter((name) => holding.some((rule) => coversField(rule, name))));
}

function coversField(rule: Rule, name: string): boolean {
  return (rule.fields?.includes(name) ?? true) && !(rule.except?.includes(name) ?? false);
}

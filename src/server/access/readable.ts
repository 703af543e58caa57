import type { Actor } from '../../engine/access/actor';
import type { Action, Definition, Field, Rule } from '../../engine/definitions/definition';

/** The rules that narrow an action for the actor's level. */
export function rulesFor(actor: Pick<Actor, 'level'>, definition: Definition, action: Action): readonly Rule[] {
  return definition.rules.filter((rule) => rule.levels.includes(actor.level) && rule.actions.includes(action));
}

/** Whether a rule lets a field through. */
export function covers(rule: Rule, field: string): boolean {
  return (rule.fields?.includes(field) ?? true) && !(rule.except?.includes(field) ?? false);
}

/**
 * The fields that an actor may read: `sometimes` on records for which some rule holds, `always` on each. Only the
 * latter filter, sort and search, so that no order betrays what is hidden. Secrets are in neither.
 */
export interface ReadableFields {
  readonly always: ReadonlySet<string>;
  readonly sometimes: ReadonlySet<string>;
}

const known = new WeakMap<Definition, Map<string, ReadableFields>>();

/** The readable fields of a definition for an actor, by the field rules of its level alone (grants are another matter). */
export function readableFields(
  actor: Pick<Actor, 'level'>,
  definition: Definition,
  action: 'list' | 'view' = 'list',
): ReadableFields {
  const cached = known.get(definition)?.get(`${action}${actor.level}`);
  if (cached) return cached;
  const rules = rulesFor(actor, definition, action);
  const open = Object.values(definition.fields).filter((field) => !field.secret);
  const pick = (test: (field: Field) => boolean) => new Set(open.filter(test).map((field) => field.name));
  const readable = {
    always: pick((field) => rules.every((rule) => covers(rule, field.name))),
    sometimes: pick((field) => rules.length === 0 || rules.some((rule) => covers(rule, field.name))),
  };
  const answers = known.get(definition) ?? new Map<string, ReadableFields>();
  known.set(definition, answers.set(`${action}${actor.level}`, readable));
  return readable;
}

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

/** Names the levels that rules are looked up by: one, and that of whoever views as such an actor. */
export function levelsOf({ level, viewer }: Pick<Actor, 'level' | 'viewer'>): string {
  return viewer ? `${level}as${levelsOf(viewer)}` : String(level);
}

const known = new WeakMap<Definition, Map<string, ReadableFields>>();

/**
 * The readable fields of a definition for an actor, by the field rules of its level alone (grants are another matter);
 * where somebody views as another, those that both read.
 */
export function readableFields(
  actor: Pick<Actor, 'level' | 'viewer'>,
  definition: Definition,
  action: 'list' | 'view' = 'list',
): ReadableFields {
  const key = `${action}${levelsOf(actor)}`;
  const cached = known.get(definition)?.get(key);
  if (cached) return cached;
  const viewers = actor.viewer && readableFields(actor.viewer, definition, action);
  const rules = rulesFor(actor, definition, action);
  const open = Object.values(definition.fields).filter((field) => !field.secret);
  const pick = (within: ReadonlySet<string> | undefined, test: (field: Field) => boolean) =>
    new Set(open.filter((field) => test(field) && (within?.has(field.name) ?? true)).map((field) => field.name));
  const readable = {
    always: pick(viewers?.always, (field) => rules.every((rule) => covers(rule, field.name))),
    sometimes: pick(
      viewers?.sometimes,
      (field) => rules.length === 0 || rules.some((rule) => covers(rule, field.name)),
    ),
  };
  const answers = known.get(definition) ?? new Map<string, ReadableFields>();
  known.set(definition, answers.set(key, readable));
  return readable;
}

import type { Actor } from '../../engine/access/actor';
import type { Action, Definition, Field, Rule } from '../../engine/definitions/definition';

/** The rules that restrict an action for the actor's level. */
export function rulesFor(actor: Pick<Actor, 'level'>, definition: Definition, action: Action): readonly Rule[] {
  return definition.rules.filter((rule) => rule.levels.includes(actor.level) && rule.actions.includes(action));
}

/** Whether a rule allows access to a field. */
export function ruleAllowsField(rule: Rule, field: string): boolean {
  return (rule.fields?.includes(field) ?? true) && !(rule.except?.includes(field) ?? false);
}

/**
 * The fields that an actor may read: `always` on every record, `sometimes` on records matched by some rule. Only the
 * first may be used to filter, sort and search, so that the order of a list reveals nothing hidden. Secrets are in
 * neither.
 */
export interface ReadableFields {
  readonly always: ReadonlySet<string>;
  readonly sometimes: ReadonlySet<string>;
}

/**
 * Cache key for the levels that decide which rules apply: the actor's and, when viewing as another user, the viewer's.
 */
export function levelKey({ level, viewer }: Pick<Actor, 'level' | 'viewer'>): string {
  return viewer ? `${level}as${levelKey(viewer)}` : String(level);
}

const readableFieldsCache = new WeakMap<Definition, Map<string, ReadableFields>>();

/**
 * The fields of a definition that an actor may read, by the field rules of its level alone (grants are checked
 * elsewhere). When viewing as another user: those that both may read.
 */
export function readableFields(
  actor: Pick<Actor, 'level' | 'viewer'>,
  definition: Definition,
  action: 'list' | 'view' = 'list',
): ReadableFields {
  const key = `${action}${levelKey(actor)}`;
  const cached = readableFieldsCache.get(definition)?.get(key);
  if (cached) return cached;
  const viewers = actor.viewer && readableFields(actor.viewer, definition, action);
  const rules = rulesFor(actor, definition, action);
  const open = Object.values(definition.fields).filter((field) => !field.secret);
  const pick = (within: ReadonlySet<string> | undefined, test: (field: Field) => boolean) =>
    new Set(open.filter((field) => test(field) && (within?.has(field.name) ?? true)).map((field) => field.name));
  const readable = {
    always: pick(viewers?.always, (field) => rules.every((rule) => ruleAllowsField(rule, field.name))),
    sometimes: pick(
      viewers?.sometimes,
      (field) => rules.length === 0 || rules.some((rule) => ruleAllowsField(rule, field.name)),
    ),
  };
  const answers = readableFieldsCache.get(definition) ?? new Map<string, ReadableFields>();
  readableFieldsCache.set(definition, answers.set(key, readable));
  return readable;
}

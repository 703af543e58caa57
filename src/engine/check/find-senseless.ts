import { isVariable, type Predicate } from '../conditions/grammar';
import { compareValues, predicateOf } from '../conditions/match-condition';
import { namesIn } from '../references/names-in';
import type { Definition, Field } from '../definitions/definition';
import { joinPointer, unknownNameMessage, type Problem } from '../definitions/problems';
import type { Source } from '../language/source';

/** The parts of the program that a definition may name beside other definitions. */
export interface KnownParts {
  readonly icons: readonly string[];
  readonly hooks: readonly string[];
}

/**
 * Mistakes that the program accepts: unknown icons and hooks, form conditions that can never hold, fields
 * that hide each other. `resources:check` reports it; a stored definition stays active with it.
 */
export function findSenseless(source: Source, definition: Definition, { icons, hooks }: KnownParts): Problem[] {
  const fields = Object.values(definition.fields).filter(({ system }) => !system);
  return [
    ...namesIn(source)
      .filter(({ name, reference }) => reference.kind === 'icon' && !icons.includes(name))
      .map(({ name, steps }) => ({
        path: joinPointer('', ...steps),
        message: `${unknownNameMessage('icon', name, icons)} It would be a circle.`,
      })),
    ...Object.entries(definition.hooks).flatMap(([event, names]) =>
      names
        .filter((name) => !hooks.includes(name))
        .map((name) => ({ path: joinPointer('/hooks', event), message: unknownNameMessage('hook', name, hooks) })),
    ),
    ...fields.flatMap(neverHolding),
    ...fields.flatMap((field) => hiddenTogether(field, fields)),
  ];
}

/** The conditions of a field in forms that no values can meet. */
function neverHolding({ name, visible, requiredWhen, readOnlyWhen }: Field): Problem[] {
  const conditions = { visible, required: requiredWhen, readOnly: readOnlyWhen };
  return Object.entries(conditions).flatMap(([key, condition]) =>
    condition && isContradiction(predicateOf(condition))
      ? [
          {
            path: joinPointer('/fields', name, key),
            message: `This condition can never hold: it asks for different values of one field at once. Use $or or $in, or remove "${key}".`,
          },
        ]
      : [],
  );
}

/** Whether a predicate compares one field with values that it cannot have at once. */
function isContradiction(predicate: Predicate): boolean {
  if (predicate.kind === 'any') return predicate.of.every(isContradiction);
  const parts = flatten(predicate);
  if (parts.some((part) => part.kind === 'any' && isContradiction(part))) return true;
  const valuesByField = new Map<string, readonly unknown[]>();
  for (const part of parts) {
    const values = fixedValues(part);
    if (!values || part.kind !== 'compare') continue;
    const previousValues = valuesByField.get(part.left);
    valuesByField.set(part.left, previousValues ? previousValues.filter((value) => values.includes(value)) : values);
  }
  const comparisons = parts.filter((part) => part.kind === 'compare');
  return [...valuesByField].some(([left, values]) =>
    values.every((value) =>
      comparisons.some(
        (part) => part.left === left && isFixed(part.right) && !compareValues(value, part.operator, part.right),
      ),
    ),
  );
}

/** The parts of a conjunction. */
function flatten(predicate: Predicate): readonly Predicate[] {
  return predicate.kind === 'all' ? predicate.of.flatMap(flatten) : [predicate];
}

const isFixed = (right: unknown) => ![right].flat().some(isVariable);

/** The only values that a comparison allows; undefined if they are not known. */
function fixedValues(part: Predicate): readonly unknown[] | undefined {
  if (part.kind !== 'compare' || part.left.startsWith('$') || !isFixed(part.right)) return undefined;
  if (part.operator === '$eq') return [part.right];
  return part.operator === '$in' ? (part.right as readonly unknown[]) : undefined;
}

/** A field that is shown only with a value of another field, which is shown only with a value of this one. */
function hiddenTogether(field: Field, fields: readonly Field[]): Problem[] {
  const partner = fields.find(
    (candidate) => needsValueOf(field, candidate.name) && needsValueOf(candidate, field.name),
  );
  if (!partner) return [];
  const message =
    partner === field
      ? 'This field is shown only once it has a value, so nobody can enter one. Change "visible".'
      : `"${field.name}" is shown only with a value of "${partner.name}", and that one only with a value of "${field.name}": in a new record neither is ever shown. Change "visible" of one of them.`;
  return [{ path: joinPointer('/fields', field.name, 'visible'), message }];
}

/** Whether a field is hidden for as long as another one is empty, whatever the values of all others are. */
function needsValueOf({ visible }: Field, name: string): boolean {
  return visible !== undefined && isFalseWithout(predicateOf(visible), name);
}

function isFalseWithout(predicate: Predicate, name: string): boolean {
  switch (predicate.kind) {
    case 'all':
      return predicate.of.some((part) => isFalseWithout(part, name));
    case 'any':
      return predicate.of.every((part) => isFalseWithout(part, name));
    case 'some':
      return predicate.field === name;
    case 'compare':
      return predicate.left === name && isFixed(predicate.right) && predicate.operator !== '$below'
        ? !compareValues(null, predicate.operator, predicate.right)
        : false;
    case 'not':
      return false;
  }
}

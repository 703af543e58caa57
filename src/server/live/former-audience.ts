import { predicateOf } from '../../engine/conditions/match-condition';
import { isVariable, type Predicate } from '../../engine/conditions/grammar';
import { recordFieldsIn } from '../../engine/conditions/variables-in';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { columnTypeOf } from '../../engine/field-types';
import { isEqualJson } from '../../engine/values/equal-values';
import { fieldOf } from '../../engine/definitions/accessors';

/** Events are short: what is longer, in bytes of JSON, is left out. */
const maxLength = 500;

const knownFields = new WeakMap<Definition, readonly string[]>();

/**
 * The old values that say who saw a record before it was changed or deleted: those that the row rules of its list compare.
 * Undefined if they did not change (`values` are the new ones; without them the record is gone), if there are no such rules,
 * or if a rule needs more than the record itself, which cannot be known any more.
 */
export function formerAudience(
  definition: Definition,
  previousRow: ResourceRecord,
  values: ResourceRecord | undefined,
): ResourceRecord | undefined {
  const fields = comparedFields(definition);
  if (fields.length === 0) return undefined;
  if (values && fields.every((name) => isEqualJson(previousRow[name] ?? null, values[name] ?? null))) return undefined;
  const formerValues = Object.fromEntries(fields.map((name) => [name, previousRow[name] ?? null]));
  return JSON.stringify(formerValues).length > maxLength ? undefined : formerValues;
}

/** The stored fields that the row rules of the list compare; none if a rule needs related records. */
function comparedFields(definition: Definition): readonly string[] {
  let fields = knownFields.get(definition);
  if (!fields) {
    const conditions = definition.rules.flatMap(({ actions, where: condition }) =>
      actions.includes('list') && condition ? [condition] : [],
    );
    const names = new Set(
      conditions.flatMap((condition) => [...leftsOf(predicateOf(condition)), ...recordFieldsIn(condition)]),
    );
    const isOwn = (name: string) =>
      Object.hasOwn(definition.fields, name) && columnTypeOf(fieldOf(definition, name)) !== null;
    fields = [...names].every(isOwn) ? [...names] : [];
    knownFields.set(definition, fields);
  }
  return fields;
}

/** The fields that a predicate compares; a part that only the database can evaluate gets a name that no field has. */
function leftsOf(predicate: Predicate): string[] {
  if (predicate.kind === 'some') return ['$some'];
  if (predicate.kind === 'not') return leftsOf(predicate.of);
  if (predicate.kind !== 'compare') return predicate.of.flatMap(leftsOf);
  if (predicate.operator === '$below') return ['$below'];
  return isVariable(predicate.left) ? [] : [predicate.left];
}

import { compareValues } from '../../engine/conditions/match-condition';
import type { Predicate } from '../../engine/conditions/grammar';
import { always, never, type EvaluationContext } from '../../engine/conditions/variables';
import type { Definition, Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { computedPredicate, findEmbedField, UnstoredFieldError } from './operands';

/**
 * Replaces comparisons with computed fields by their conditions, so that the predicate no longer depends on the
 * evaluation context: `{"is_delayed": true}` becomes `{"end_date": {"$lt": "2026-11-22"}, …}`. Two expanded predicates
 * with equal JSON select the same rows. Throws UnstoredFieldError if `$some` is used on a field that is not a relation.
 */
export function expandComputed(
  predicate: Predicate,
  definition: Definition,
  registry: Registry,
  evaluationContext: EvaluationContext | null,
): Predicate {
  const expand = (one: Predicate, of = definition) => expandComputed(one, of, registry, evaluationContext);
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return { kind: predicate.kind, of: predicate.of.map((one) => expand(one)) };
    case 'not':
      return { kind: 'not', of: expand(predicate.of) };
    case 'some': {
      const field = requireField(definition, predicate.field);
      const target = field.inverse?.resource ?? field.to;
      if (!target) throw new UnstoredFieldError(definition, predicate.field);
      return { kind: 'some', field: predicate.field, of: expand(predicate.of, registry.getOrThrow(target)) };
    }
    case 'compare': {
      const field = definition.fields[predicate.left];
      if (typeof field?.computed !== 'object') return predicate;
      const condition = expand(computedPredicate(field, evaluationContext));
      const whenTrue = compareValues(true, predicate.operator, predicate.right);
      const whenFalse = compareValues(false, predicate.operator, predicate.right);
      if (whenTrue === whenFalse) return whenTrue ? always : never;
      return whenTrue ? condition : { kind: 'not', of: condition };
    }
  }
}

/** The field with this name, or the relation embedded under it. Throws if there is none. */
export function requireField(definition: Definition, name: string): Field {
  const field = definition.fields[name] ?? findEmbedField(definition, name);
  if (!field) throw new Error(`${definition.name} has no field named ${name}.`);
  return field;
}

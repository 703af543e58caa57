import { compareValues } from '../../engine/conditions/evaluate';
import type { Predicate } from '../../engine/conditions/grammar';
import { always, never, type Surroundings } from '../../engine/conditions/variables';
import type { Definition, Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { computedPredicate, fieldOfEmbed, UnstoredField } from './columns';

/**
 * Puts what computed conditions stand for in the place of comparisons with them, so that nothing of the predicate depends
 * on the surroundings any more: `{"is_delayed": true}` becomes `{"end_date": {"$lt": "2026-11-22"}, …}`. Two expanded
 * predicates that read alike select the same rows. Throws UnstoredField where `$some` leads nowhere.
 */
export function expandComputed(
  predicate: Predicate,
  definition: Definition,
  registry: Registry,
  surroundings: Surroundings | null,
): Predicate {
  const expand = (one: Predicate, of = definition) => expandComputed(one, of, registry, surroundings);
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return { kind: predicate.kind, of: predicate.of.map((one) => expand(one)) };
    case 'not':
      return { kind: 'not', of: expand(predicate.of) };
    case 'some': {
      const field = fieldNamed(definition, predicate.field);
      const target = field.inverse?.resource ?? field.to;
      if (!target) throw new UnstoredField(definition, predicate.field);
      return { kind: 'some', field: predicate.field, of: expand(predicate.of, registry.need(target)) };
    }
    case 'compare': {
      const field = definition.fields[predicate.left];
      if (typeof field?.computed !== 'object') return predicate;
      const condition = expand(computedPredicate(field, surroundings));
      const whenTrue = compareValues(true, predicate.operator, predicate.right);
      const whenFalse = compareValues(false, predicate.operator, predicate.right);
      if (whenTrue === whenFalse) return whenTrue ? always : never;
      return whenTrue ? condition : { kind: 'not', of: condition };
    }
  }
}

/** The field of a name, or the relation whose embed has it. */
export function fieldNamed(definition: Definition, name: string): Field {
  const field = definition.fields[name] ?? fieldOfEmbed(definition, name);
  if (!field) throw new Error(`${definition.name} has no field named ${name}.`);
  return field;
}

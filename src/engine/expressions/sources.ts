import { isVariable, type Predicate } from '../conditions/grammar';
import { predicateOf } from '../conditions/match-condition';
import type { Condition, Definition, Field } from '../definitions/definition';
import { computedKind } from './computed-kind';
import { rollupOf } from './derivations';
import { lookupTarget, placeFields, rollupSource, type Definitions, type PlacedField } from './placed-fields';
import { expressionOf, partsOf } from './grammar';
import { sourceFields } from './references';

/**
 * The fields that a condition tests: those of the record, and those of related records.
 *
 * @example testedFields(predicateOf({ 'stage_id.is_lost': true }), deals, registry); // is_lost, of stages
 */
export function testedFields(
  predicate: Predicate,
  definition: Definition,
  definitions: Definitions,
): readonly PlacedField[] {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return predicate.of.flatMap((one) => testedFields(one, definition, definitions));
    case 'not':
      return testedFields(predicate.of, definition, definitions);
    case 'some':
      return placeFields(definition, [predicate.field]).flatMap((placed) => {
        const target = definitions.get(placed.field.to ?? placed.field.inverse?.resource ?? '');
        return [placed, ...(target ? testedFields(predicate.of, target, definitions) : [])];
      });
    case 'compare':
      return isVariable(predicate.left) ? [] : placeFields(definition, [predicate.left]);
  }
}

/**
 * The fields that a computed field is made from: of its own record, of related ones, or of those that point at it. Throws
 * if it is not written correctly.
 */
export function madeFrom(placed: PlacedField, definitions: Definitions): readonly PlacedField[] {
  const { definition, field } = placed;
  const tested = (condition: Condition, of = definition) => testedFields(predicateOf(condition), of, definitions);
  switch (computedKind(field)) {
    case 'lookup': {
      const target = lookupTarget(placed, definitions);
      return target ? [target] : [];
    }
    case 'rollup': {
      const { field: taken, by, where } = rollupOf(field);
      const source = rollupSource(definition, field, definitions);
      return source ? [...placeFields(source, [taken, by]), ...(where ? tested(where, source) : [])] : [];
    }
    case 'condition':
      return tested(field.computed as Condition);
    case 'expression': {
      const conditions = [...partsOf(expressionOf(field.computed as object))].flatMap((part) =>
        part.kind === 'if' && part.when.kind === 'condition' ? tested(part.when.condition) : [],
      );
      return [...placeFields(definition, sourceFields(field)), ...conditions];
    }
    default:
      return placeFields(definition, sourceFields(field));
  }
}

/**
 * Whether a field's value depends on which records its reader may see.
 *
 * @example dependsOnReader({ definition: deals, field: deals.fields.chance! }, definitions); // true: a lookup
 */
export function dependsOnReader(placed: PlacedField, definitions: Definitions, seen = new Set<Field>()): boolean {
  if (seen.has(placed.field)) return false;
  seen.add(placed.field);
  const kind = computedKind(placed.field);
  if (kind === 'lookup' || (kind === 'rollup' && rollupOf(placed.field).rows === undefined)) return true;
  return madeFrom(placed, definitions).some((one) => dependsOnReader(one, definitions, seen));
}

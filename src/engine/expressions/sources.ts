import { isVariable, type Predicate } from '../conditions/grammar';
import { predicateOf } from '../conditions/match-condition';
import type { Condition, Definition, Field } from '../definitions/definition';
import { computedKind } from '../conditions/computed-kind';
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
      return predicate.of.flatMap((part) => testedFields(part, definition, definitions));
    case 'not':
      return testedFields(predicate.of, definition, definitions);
    case 'some':
      return placeFields(definition, [predicate.field]).flatMap((placedField) => {
        const target = definitions.get(placedField.field.to ?? placedField.field.inverse?.resource ?? '');
        return [placedField, ...(target ? testedFields(predicate.of, target, definitions) : [])];
      });
    case 'compare':
      return isVariable(predicate.left) ? [] : placeFields(definition, [predicate.left]);
  }
}

/**
 * The fields that a computed field is made from: of its own record, of related ones, or of those that point at it. Throws
 * if it is not written correctly.
 */
export function madeFrom(placedField: PlacedField, definitions: Definitions): readonly PlacedField[] {
  const { definition, field } = placedField;
  const testedBy = (condition: Condition, testedDefinition = definition) =>
    testedFields(predicateOf(condition), testedDefinition, definitions);
  switch (computedKind(field)) {
    case 'lookup': {
      const target = lookupTarget(placedField, definitions);
      return target ? [target] : [];
    }
    case 'rollup': {
      const { field: takenField, by: orderField, where: condition } = rollupOf(field);
      const source = rollupSource(definition, field, definitions);
      return source
        ? [...placeFields(source, [takenField, orderField]), ...(condition ? testedBy(condition, source) : [])]
        : [];
    }
    case 'condition':
      return testedBy(field.computed as Condition);
    case 'expression': {
      const conditions = [...partsOf(expressionOf(field.computed as object))].flatMap((part) =>
        part.kind === 'if' && part.when.kind === 'condition' ? testedBy(part.when.condition) : [],
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
export function dependsOnReader(
  placedField: PlacedField,
  definitions: Definitions,
  visitedFields = new Set<Field>(),
): boolean {
  if (visitedFields.has(placedField.field)) return false;
  visitedFields.add(placedField.field);
  const kind = computedKind(placedField.field);
  if (kind === 'lookup' || (kind === 'rollup' && rollupOf(placedField.field).rows === undefined)) return true;
  return madeFrom(placedField, definitions).some((source) => dependsOnReader(source, definitions, visitedFields));
}

import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import type { EvaluationContext } from '../../engine/conditions/variables';
import { isInverse, isRelations, type Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { fieldOperand, UnstoredFieldError } from './operands';
import { compareSql, sqlFalse, sqlTrue, type BooleanSql } from './compare-sql';
import { expandComputed, requireField } from './expand-computed';
import { withRelatedRows, type FieldWithRecords } from './related-rows';

interface Scope {
  readonly definition: Definition;
  readonly alias: string;
  readonly registry: Registry;
  readonly depth: number;
}

/**
 * Translates a condition to SQL: an expression that is true for exactly the rows for which the engine's `matches` is.
 * The predicate's variables must be resolved; `evaluationContext` provides those of computed fields, and may be null
 * only if there are none.
 * The result may be NULL instead of false, as WHERE, CASE and FILTER accept: to negate, wrap the predicate in `not`,
 * never the expression. Throws UnstoredFieldError for a field without a column.
 */
export function predicateToSql(
  predicate: Predicate,
  definition: Definition,
  alias: string,
  registry: Registry,
  evaluationContext: EvaluationContext | null,
): BooleanSql {
  const expanded = expandComputed(predicate, definition, registry, evaluationContext);
  return translate(expanded, false, { definition, alias, registry, depth: 1 });
}

/** `negated` returns the opposite, pushed down to the comparisons, which handle NULL. */
function translate(predicate: Predicate, negated: boolean, place: Scope): BooleanSql {
  switch (predicate.kind) {
    case 'not':
      return translate(predicate.of, !negated, place);
    case 'all':
    case 'any':
      return combine((predicate.kind === 'all') !== negated, predicate.of, negated, place);
    case 'some':
      return someSql(predicate.field, predicate.of, negated, place);
    case 'compare':
      return compareField(predicate, negated, place);
  }
}

function combine(every: boolean, of: readonly Predicate[], negated: boolean, place: Scope): BooleanSql {
  if (of.length === 0) return every ? sqlTrue : sqlFalse;
  const parts = of.map((one) => translate(one, negated, place));
  return parts.length === 1 ? parts[0]! : sql`(${sql.join(parts, every ? sql` and ` : sql` or `)})`;
}

function compareField(predicate: Extract<Predicate, { kind: 'compare' }>, negated: boolean, place: Scope): BooleanSql {
  const { left, operator, right } = predicate;
  const { definition, alias, registry } = place;
  const counted = Object.values(definition.fields)
    .filter(isInverse)
    .find((field) => field.countAs === left);
  if (counted) {
    const count = withRelatedRows(
      counted,
      place,
      (rows) => sql`(select count(*) from ${rows.from} where ${rows.where})`,
    );
    return compareSql({ sql: count, type: 'double precision' }, operator, right, negated);
  }
  const field = requireField(definition, left);
  if (isRelations(field) || isInverse(field)) return compareMany(field, predicate, negated, place);
  const operand = fieldOperand(definition, field, alias, registry);
  if (!operand) throw new UnstoredFieldError(definition, left);
  return compareSql(operand, operator, right, negated);
}

/** A list matches if one of its members does; `$ne` and `$nin` if none does; equal to null means an empty list. */
function compareMany(
  field: FieldWithRecords,
  { operator, right }: Extract<Predicate, { kind: 'compare' }>,
  negated: boolean,
  place: Scope,
): BooleanSql {
  if (operator === '$ne' || operator === '$nin') {
    const positive = operator === '$ne' ? '$eq' : '$in';
    return compareMany(field, { kind: 'compare', left: field.name, operator: positive, right }, !negated, place);
  }
  const empty = operator === '$eq' && (right === null || right === undefined);
  return withRelatedRows(field, place, ({ from, where, id }) => {
    const member = empty ? sqlTrue : compareSql({ sql: id, type: 'integer' }, operator, right, false);
    return existsSql(from, sql`${where} and ${member}`, negated !== empty);
  });
}

function someSql(name: string, of: Predicate, negated: boolean, place: Scope): BooleanSql {
  const field = requireField(place.definition, name);
  if (field.to === undefined && field.inverse === undefined) throw new UnstoredFieldError(place.definition, name);
  return withRelatedRows(field, place, ({ from, where, definition, alias }) => {
    const inner = translate(of, false, { ...place, definition, alias, depth: place.depth + 1 });
    return existsSql(from, sql`${where} and ${inner}`, negated);
  });
}

function existsSql(from: RawBuilder<unknown>, where: RawBuilder<unknown>, negated: boolean): BooleanSql {
  return sql`${sql.raw(negated ? 'not exists' : 'exists')} (select from ${from} where ${where})`;
}

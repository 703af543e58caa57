import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import { truePredicate, falsePredicate } from '../../engine/conditions/variables';
import type { Definition, Field, AnyRelationField, FieldOf } from '../../engine/definitions/definition';
import { isInverse } from '../../engine/field-types/inverse';
import { isRelations } from '../../engine/field-types/relations';
import { isRows } from '../../engine/field-types/rows';
import { pointsToSql } from './points-to';
import { rowDefinition } from '../../engine/field-types/row-definition';
import type { Registry } from '../../engine/registry/registry';
import { computedKind } from '../../engine/conditions/computed-kind';
import {
  computedOperand,
  resolveComputed,
  shareRollups,
  type ExpressionScope,
  type OuterRow,
  type ResolvedExpression,
  type SharedRollups,
  type StatementContext,
} from './computed-sql';
import {
  fieldOperand,
  UnstoredFieldError,
  computedPredicate,
  findEmbedField,
  rowsOfRecord,
  compareSql,
  listSql,
  parameterOperand,
  sqlFalse,
  sqlTrue,
  type BooleanSql,
} from './operands';
import { compareValues, toList } from '../../engine/conditions/match-condition';
import { treeParent } from '../../engine/field-types/relation';
import { StatementParameter, valueOf } from './statement-parameter';
import { pairTable } from '../database/identifiers';
import { inSameCompany, recordInRow } from './same-company';
import { firstOf } from '../../engine/values/lookups';

interface Scope {
  readonly definition: Definition;
  readonly alias: string;
  readonly registry: Registry;
  readonly depth: number;
  readonly outer?: OuterRow | undefined;
}

/**
 * Translates a condition to SQL: an expression that is true for exactly the rows for which the engine's `matches` is.
 * The predicate's variables must be resolved (`resolvePredicate`); `evaluationContext` provides those of computed fields,
 * and may be null only if there are none.
 * The result may be NULL instead of false, as WHERE, CASE and FILTER accept: to negate, wrap the predicate in `not`,
 * never the expression. Throws UnstoredFieldError for a field without a column.
 *
 * @example
 * predicateToSql(accessFilter(context, tasks, 'list'), tasks, 't', context.registry, context.evaluationContext);
 */
export function predicateToSql(
  predicate: Predicate,
  definition: Definition,
  alias: string,
  registry: Registry,
  evaluationContext: StatementContext | null,
  outer?: OuterRow,
): BooleanSql {
  const expanded = expandComputed(predicate, definition, registry, evaluationContext);
  return translate(expanded, false, { definition, alias, registry, depth: 1, outer });
}

/** `negated` returns the opposite, pushed down to the comparisons, which handle NULL. */
function translate(predicate: Predicate, negated: boolean, scope: Scope): BooleanSql {
  switch (predicate.kind) {
    case 'not':
      return translate(predicate.of, !negated, scope);
    case 'all':
    case 'any':
      return combine((predicate.kind === 'all') !== negated, predicate.of, negated, scope);
    case 'some':
      return someSql(predicate.field, predicate.of, negated, scope);
    case 'compare':
      return compareField(predicate, negated, scope);
  }
}

function combine(isConjunction: boolean, operands: readonly Predicate[], negated: boolean, scope: Scope): BooleanSql {
  if (operands.length === 0) return isConjunction ? sqlTrue : sqlFalse;
  const parts = operands.map((operand) => translate(operand, negated, scope));
  return parts.length === 1 ? firstOf(parts) : sql`(${sql.join(parts, isConjunction ? sql` and ` : sql` or `)})`;
}

function compareField(predicate: Extract<Predicate, { kind: 'compare' }>, negated: boolean, scope: Scope): BooleanSql {
  const { left, operator, right, zone } = predicate;
  const { definition, alias, registry } = scope;
  if (operator === '$below') return belowSql(predicate, negated, scope);
  const countedField = Object.values(definition.fields)
    .filter((candidate) => isInverse(candidate) || isRows(candidate))
    .find((field) => field.countName === left);
  if (countedField) {
    const count = withRelatedRows(
      countedField,
      scope,
      (rows) => sql`(select count(*) from ${rows.fromSql} where ${rows.whereSql})`,
    );
    return compareSql({ sql: count, columnType: 'double precision' }, operator, right, negated);
  }
  if (predicate.computed instanceof StatementParameter)
    return compareSql(parameterOperand(predicate.computed), operator, right, negated, zone);
  if (predicate.computed) {
    const expression = predicate.computed as ResolvedExpression;
    return compareSql(computedOperand(expression, expressionScope(scope)), operator, right, negated, zone);
  }
  const field = requireField(definition, left);
  if (isRelations(field) || isInverse(field) || isRows(field)) return compareMany(field, predicate, negated, scope);
  const operand = fieldOperand(definition, field, alias, registry);
  if (!operand) throw new UnstoredFieldError(definition, left);
  return compareSql(operand, operator, right, negated, zone);
}

/** Whether a row is one of those on the right, or below one of them. The tree is read once, not once per row. */
function belowSql(
  { right, within: relatedFilter = truePredicate }: Extract<Predicate, { kind: 'compare' }>,
  negated: boolean,
  scope: Scope,
): BooleanSql {
  const { definition, alias, depth } = scope;
  const parent = treeParent(definition);
  if (!parent) throw new Error(`${definition.name} is no tree.`);
  const ids = toList(right).filter((id) => Number.isSafeInteger(valueOf(id)));
  if (ids.length === 0) return negated ? sqlTrue : sqlFalse;
  const [tree, node] = [`tree${depth}`, `node${depth}`];
  const nodes = sql`${sql.id('public', definition.table)} ${sql.id(node)}`;
  const counts = translate(relatedFilter, false, { ...scope, alias: node, depth: depth + 1, outer: undefined });
  return sql`${sql.id(alias, 'id')} ${sql.raw(negated ? 'not in' : 'in')} (with recursive ${sql.id(tree)} as (
    select ${sql.id(node, 'id')} from ${nodes} where ${sql.id(node, 'id')} = any(${listSql(ids, 'bigint')}) and ${counts}
    union select ${sql.id(node, 'id')} from ${nodes} join ${sql.id(tree)}
      on ${sql.id(node, parent.name)} = ${sql.id(tree, 'id')} where ${counts}) select id from ${sql.id(tree)})`;
}

/** A list matches if one of its members does; `$ne` and `$nin` if none does; equal to null means an empty list. */
function compareMany(
  field: FieldWithRecords,
  { operator, right }: Extract<Predicate, { kind: 'compare' }>,
  negated: boolean,
  scope: Scope,
): BooleanSql {
  if (operator === '$ne' || operator === '$nin') {
    const positive = operator === '$ne' ? '$eq' : '$in';
    return compareMany(field, { kind: 'compare', left: field.name, operator: positive, right }, !negated, scope);
  }
  const empty = operator === '$eq' && (right === null || right === undefined);
  return withRelatedRows(field, scope, ({ fromSql, whereSql, id }) => {
    const member = empty ? sqlTrue : compareSql({ sql: id, columnType: 'bigint' }, operator, right, false);
    return existsSql(fromSql, sql`${whereSql} and ${member}`, negated !== empty);
  });
}

function someSql(name: string, condition: Predicate, negated: boolean, scope: Scope): BooleanSql {
  const field = requireField(scope.definition, name);
  if (field.to === undefined && field.inverse === undefined && !isRows(field))
    throw new UnstoredFieldError(scope.definition, name);
  const { outer } = scope;
  if (outer?.relation === field.name) {
    const { definition, alias } = outer;
    const conditionSql = translate(condition, false, {
      ...scope,
      definition,
      alias,
      depth: scope.depth + 1,
      outer: undefined,
    });
    // As a subquery, it is evaluated once for all rows that are joined to the row.
    return sql`${sql.raw(negated ? 'not ' : '')}coalesce((select ${conditionSql}), false)`;
  }
  return withRelatedRows(field, scope, ({ fromSql, whereSql, definition, alias }) => {
    const inner = translate(condition, false, {
      ...scope,
      definition,
      alias,
      depth: scope.depth + 1,
      outer: undefined,
    });
    return existsSql(fromSql, sql`${whereSql} and ${inner}`, negated);
  });
}

function existsSql(fromSql: RawBuilder<unknown>, whereSql: RawBuilder<unknown>, negated: boolean): BooleanSql {
  return sql`${sql.raw(negated ? 'not exists' : 'exists')} (select from ${fromSql} where ${whereSql})`;
}

/**
 * Replaces comparisons with computed fields by their conditions, so that the predicate no longer depends on the
 * evaluation context: `{"is_delayed": true}` becomes `{"end_date": {"$lt": …}, …}`, with the day as a parameter. Two
 * expanded predicates of one shape make one statement. Throws UnstoredFieldError if `$some` is used on a field that is not a relation.
 */
export function expandComputed(
  predicate: Predicate,
  definition: Definition,
  registry: Registry,
  evaluationContext: StatementContext | null,
): Predicate {
  const expand = (expanded: Predicate, owner = definition) =>
    expandComputed(expanded, owner, registry, evaluationContext);
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return { kind: predicate.kind, of: predicate.of.map((operand) => expand(operand)) };
    case 'not':
      return { kind: 'not', of: expand(predicate.of) };
    case 'some': {
      const field = requireField(definition, predicate.field);
      if (isRows(field))
        return { kind: 'some', field: predicate.field, of: expand(predicate.of, rowDefinition(definition, field)) };
      const target = field.inverse?.resource ?? field.to;
      if (!target) throw new UnstoredFieldError(definition, predicate.field);
      return { kind: 'some', field: predicate.field, of: expand(predicate.of, registry.getOrThrow(target)) };
    }
    case 'compare': {
      if (predicate.within) return { ...predicate, within: expand(predicate.within) };
      // It was expanded before, for a decision that is the same whoever reads.
      if (predicate.computed) return predicate;
      const field = definition.fields[predicate.left];
      const kind = field && computedKind(field);
      if (!field || kind === undefined || kind === 'template') return predicate;
      if (kind !== 'condition')
        return { ...predicate, computed: resolveField(definition, field, registry, evaluationContext) };
      const condition = expand(computedPredicate(field, evaluationContext));
      // No parameter is a boolean, so the results do not depend on values of parameters.
      const [whenTrue, whenFalse] = [true, false].map((value) =>
        compareValues(value, predicate.operator, toPlain(predicate.right)),
      );
      if (whenTrue === whenFalse) return whenTrue ? truePredicate : falsePredicate;
      return whenTrue ? condition : { kind: 'not', of: condition };
    }
  }
}

function toPlain(right: unknown): unknown {
  return Array.isArray(right) ? right.map(valueOf) : valueOf(right);
}

/**
 * The value of a field that is computed by an expression, with all that it depends on. Throws without an evaluation
 * context.
 */
function resolveField(
  definition: Definition,
  field: Field,
  registry: Registry,
  evaluationContext: StatementContext | null,
): ResolvedExpression {
  if (!evaluationContext) throw new Error(`${field.name} is computed and needs an evaluation context.`);
  const expand = (predicate: Predicate, owner: Definition) =>
    expandComputed(predicate, owner, registry, evaluationContext);
  return resolveComputed(field, { definition, registry, context: evaluationContext, expand });
}

/** The value in SQL of a field that is computed by an expression. */
export function computedFieldSql(
  definition: Definition,
  field: Field,
  alias: string,
  registry: Registry,
  evaluationContext: StatementContext | null,
): RawBuilder<unknown> {
  const expression = resolveField(definition, field, registry, evaluationContext);
  return computedOperand(expression, expressionScope({ definition, alias, registry, depth: 1 })).sql;
}

/** The rollups among fields that are over the same rows as others, read together; see `shareRollups`. */
export function sharedRollupsOf(
  definition: Definition,
  fields: readonly Field[],
  alias: string,
  registry: Registry,
  evaluationContext: StatementContext,
): SharedRollups {
  const rollups = fields.filter((field) => computedKind(field) === 'rollup');
  const expressions = new Map(
    rollups.map((field) => [field.name, resolveField(definition, field, registry, evaluationContext)]),
  );
  return shareRollups(expressions, expressionScope({ definition, alias, registry, depth: 1 }));
}

function expressionScope(scope: Scope): ExpressionScope {
  const { definition, alias, registry, depth } = scope;
  return {
    definition,
    alias,
    registry,
    toSql: (predicate, owner, inner, outer) =>
      translate(predicate, false, { definition: owner, alias: inner, registry, depth: depth + 1, outer }),
  };
}

/** The field with this name, or the relation embedded under it. Throws if there is none. */
function requireField(definition: Definition, name: string): Field {
  const field = definition.fields[name] ?? findEmbedField(definition, name);
  if (!field) throw new Error(`${definition.name} has no field named ${name}.`);
  return field;
}

/** A field that refers to records: those that it points to, or those that point at it; or one that has rows. */
export type FieldWithRecords = AnyRelationField | FieldOf<'inverse'> | FieldOf<'rows'>;

/** The rows that a field refers to, as parts of a subquery. */
export interface RelatedRows {
  readonly fromSql: RawBuilder<unknown>;
  readonly whereSql: RawBuilder<unknown>;
  /** The related row's id. */
  readonly id: RawBuilder<unknown>;
  readonly alias: string;
  readonly definition: Definition;
}

/**
 * Passes the rows that a relation, relations, inverse or rows field of the row `alias` refers to, for use in a subquery. An
 * inverse field excludes deleted and archived records; a relation still refers to them.
 */
function withRelatedRows<T>(
  field: FieldWithRecords,
  scope: { definition: Definition; alias: string; registry: Registry; depth: number },
  use: (rows: RelatedRows) => T,
): T {
  const { alias: outer, registry, depth } = scope;
  const alias = `related${depth}`;
  const pair = `pair${depth}`;
  const id = sql.id(alias, 'id');
  const tableSql = (definition: Definition) => sql`${sql.id('public', definition.table)} ${sql.id(alias)}`;
  if (isRows(field)) {
    const rows = rowsOfRecord(scope.definition, field, outer, alias);
    return use({ ...rows, id, alias, definition: rowDefinition(scope.definition, field) });
  }
  if (field.inverse) {
    const definition = registry.getOrThrow(field.inverse.resource);
    const activeRows = activeRowsSql(definition, alias);
    const inverseField = definition.fields[field.inverse.field];
    if (!inverseField || !isRelations(inverseField)) {
      const pointsHere = sql`${pointsToSql(definition, field.inverse.field, alias, recordInRow(scope.definition, outer))} and ${activeRows}`;
      return use({ fromSql: tableSql(definition), whereSql: pointsHere, id, alias, definition });
    }
    const pairs = sql`${sql.id('public', pairTable(definition, inverseField))} ${sql.id(pair)}`;
    return use({
      fromSql: sql`${pairs} join ${tableSql(definition)} on ${id} = ${sql.id(pair, 'record_id')}${inSameCompany(alias, pair, definition)}`,
      whereSql: sql`${sql.id(pair, 'target_id')} = ${sql.id(outer, 'id')}${inSameCompany(pair, outer, definition, scope.definition)} and ${activeRows}`,
      id,
      alias,
      definition,
    });
  }
  const definition = registry.getOrThrow(field.to);
  if (!isRelations(field)) {
    return use({
      fromSql: tableSql(definition),
      whereSql: sql`${id} = ${sql.id(outer, field.name)}`,
      id,
      alias,
      definition,
    });
  }
  const pairs = sql`${sql.id('public', pairTable(scope.definition, field))} ${sql.id(pair)}`;
  return use({
    fromSql: sql`${pairs} join ${tableSql(definition)} on ${id} = ${sql.id(pair, 'target_id')}${inSameCompany(alias, pair, definition, scope.definition)}`,
    whereSql: sql`${sql.id(pair, 'record_id')} = ${sql.id(outer, 'id')}${inSameCompany(pair, outer, scope.definition)}`,
    id,
    alias,
    definition,
  });
}

function activeRowsSql(definition: Definition, alias: string): RawBuilder<unknown> {
  const conditions = [
    ...(definition.archive ? [sql`${sql.id(alias, 'archived_at')} is null`] : []),
    ...(definition.delete.keep ? [sql`${sql.id(alias, 'deleted_at')} is null`] : []),
  ];
  return conditions.length === 0 ? sqlTrue : sql.join(conditions, sql` and `);
}

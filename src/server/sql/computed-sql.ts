import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import { truePredicate } from '../../engine/conditions/variables';
import type { Condition, Definition, Field, FieldOf } from '../../engine/definitions/definition';
import { rowColumns, rowDefinition } from '../../engine/field-types/row-definition';
import type { Registry } from '../../engine/registry/registry';
import { computedKind } from '../../engine/conditions/computed-kind';
import { instantLimits, milliseconds } from '../../engine/expressions/calendar';
import { maxScale, toDecimal, toPlainText } from '../../engine/expressions/decimal';
import { numberLimits } from '../../engine/expressions/evaluate';
import { expressionOf, type Expression } from '../../engine/expressions/grammar';
import {
  mostDays,
  operators,
  type ExpressionType,
  type Operator,
  type OperatorName,
} from '../../engine/expressions/operators';
import { lookupPath, rollupOf, type RollupTake } from '../../engine/expressions/derivations';
import { rollupSource } from '../../engine/expressions/placed-fields';
import { expressionFields } from '../../engine/expressions/references';
import { testedFields } from '../../engine/expressions/sources';
import { commonType, expressionTypeOf, typeOf } from '../../engine/expressions/types';
import { valueTypeOf, type ColumnType } from '../../engine/field-types';
import { isRelations } from '../../engine/field-types/relations';
import { pairTable } from '../database/identifiers';
import { inSameCompany, isAmong } from './same-company';
import {
  resolveCondition,
  shapeOf,
  StatementParameter,
  todayParameter,
  zoneParameter,
  type VariableContext,
} from './statement-parameter';
import { templateSql, literal, lowerSql, rowsOfRecord, textSql, type Operand } from './operands';
import { fieldOf } from '../../engine/definitions/accessors';
import { firstOf, itemAt, requireValue } from '../../engine/values/lookups';

/** The values of variables and the visible fields and rows of the caller, from which statements are made. */
export interface StatementContext extends VariableContext {
  /** The fields of a definition that the caller may read on every record. Default: all. */
  readableFields?(definition: Definition): ReadonlySet<string>;
  /** The rows of a definition that the caller may list, or view one by one; undefined without the grant. */
  visibleRows?(definition: Definition, action: 'list' | 'view'): Predicate | undefined;
}

/**
 * An expression with everything that it depends on besides the row: plain data and parameters, so that two callers for
 * whom it has the same shape (`shapeOf`) get the same statement. `gives` is the type of its value.
 */
export type ResolvedExpression = { readonly valueType: ExpressionType } & (
  | { readonly kind: 'value'; readonly value: string | number | boolean | null | StatementParameter }
  | { readonly kind: 'column'; readonly name: string; readonly columnType: ColumnType }
  | { readonly kind: 'template'; readonly template: string }
  | { readonly kind: 'test'; readonly of: Predicate }
  | {
      readonly kind: 'result';
      readonly of: ResolvedExpression;
      readonly columnType: ColumnType;
      readonly digits: number;
      readonly below: string;
    }
  | {
      readonly kind: 'call';
      readonly operator: OperatorName;
      readonly of: readonly ResolvedExpression[];
      readonly timeZone?: StatementParameter;
    }
  | {
      readonly kind: 'if';
      readonly when: ResolvedExpression;
      readonly then: ResolvedExpression;
      readonly else: ResolvedExpression;
    }
  | {
      readonly kind: 'lookup';
      readonly columnType: ColumnType;
      readonly relation: string;
      readonly target: string;
      readonly where: Predicate;
      readonly of: ResolvedExpression;
    }
  | {
      readonly kind: 'rollup';
      readonly columnType: ColumnType;
      readonly digits: number;
      readonly below: string;
      readonly source: RollupRows;
      readonly take: RollupTake;
      readonly where: Predicate;
      readonly counted: Predicate;
      readonly of?: ResolvedExpression;
      readonly orderBy?: ResolvedExpression;
    }
);

/** Whose values a rollup takes: the records that point here by a relation, or the rows of a field. */
type RollupRows = { readonly resource: string; readonly relation: string } | { readonly rows: string };

/** The data for resolving an expression; `expand` replaces computed fields in a condition. */
interface Resolving {
  readonly definition: Definition;
  readonly registry: Registry;
  readonly context: StatementContext;
  readonly expand: (predicate: Predicate, definition: Definition) => Predicate;
}

/**
 * The value of a computed field, resolved for a caller. It is null where the caller may not read a field that its
 * expression reads: a derived value must not reveal a hidden one.
 */
export function resolveComputed(field: Field, context: Resolving): ResolvedExpression {
  const kind = computedKind(field);
  if (kind === 'lookup') return resolveLookup(field, lookupPath(field), context);
  if (kind === 'rollup') return resolveRollup(field, context);
  const { valueType: type, columnType } = typesOf(field);
  const expression = expressionOf(field.computed as object);
  const readable = context.context.readableFields?.(context.definition);
  const isReadable = !readable || expressionFields(expression).every((name) => readable.has(name));
  return {
    kind: 'result',
    valueType: type,
    columnType,
    ...numberLimits(field),
    of: isReadable ? resolve(expression, type, context) : { kind: 'value', valueType: type, value: null },
  };
}

function resolve(
  expression: Expression,
  expectedType: ExpressionType | undefined,
  resolveContext: Resolving,
): ResolvedExpression {
  const { definition, context } = resolveContext;
  const ofField = (name: string) => expressionTypeOf(fieldOf(definition, name));
  const type = expectedType ?? typeOf(expression, ofField) ?? 'text';
  switch (expression.kind) {
    case 'value':
      return { kind: 'value', valueType: type, value: expression.value };
    case 'today':
      return { kind: 'value', valueType: 'date', value: todayParameter(context) };
    case 'field':
      return resolveField(fieldOf(definition, expression.name), resolveContext);
    case 'if': {
      const { when: condition } = expression;
      const sharedType = commonType([expression.then, expression.else], ofField) ?? type;
      return {
        kind: 'if',
        valueType: sharedType,
        when:
          condition.kind === 'condition'
            ? resolveTest(condition.condition, resolveContext)
            : resolve(condition.expression, 'boolean', resolveContext),
        then: resolve(expression.then, sharedType, resolveContext),
        else: resolve(expression.else, sharedType, resolveContext),
      };
    }
    case 'call': {
      const { takes: argumentTypes, gives: resultType }: Operator = operators[expression.operator];
      const sharedType = commonType(expression.of, ofField) ?? type;
      const operands = expression.of.map((operand, index) => {
        const argumentType = itemAt(argumentTypes, Math.min(index, argumentTypes.length - 1));
        if (argumentType === 'any') return resolve(operand, undefined, resolveContext);
        if (argumentType === 'digits') return resolve(operand, 'number', resolveContext);
        if (argumentType === 'calendar') return resolve(operand, 'text', resolveContext);
        return resolve(
          operand,
          argumentType === 'same' || argumentType === 'ordered' ? sharedType : argumentType,
          resolveContext,
        );
      });
      return {
        kind: 'call',
        valueType: resultType === 'same' ? sharedType : resultType,
        operator: expression.operator,
        of: operands,
        ...(expression.operator === '$dayOf' && { timeZone: zoneParameter(context) }),
      };
    }
  }
}

function resolveField(field: Field, context: Resolving): ResolvedExpression {
  const { valueType: type, columnType } = typesOf(field);
  switch (computedKind(field)) {
    case undefined:
      return { kind: 'column', valueType: type, name: field.name, columnType };
    case 'template':
      return { kind: 'template', valueType: type, template: field.computed as string };
    case 'condition':
      return resolveTest(field.computed as Condition, context);
    default:
      return resolveComputed(field, context);
  }
}

/** The types of a field that can be calculated with. */
function typesOf(field: Field): { readonly valueType: ExpressionType; readonly columnType: ColumnType } {
  return {
    valueType: requireValue(expressionTypeOf(field), `the type of the field "${field.name}" in expressions`),
    columnType: requireValue(valueTypeOf(field), `the PostgreSQL type of the field "${field.name}"`),
  };
}

/** A value that the caller may not see is null, as if there were none. */
function nullOf(field: Field): ResolvedExpression {
  return { kind: 'value', valueType: typesOf(field).valueType, value: null };
}

function resolveLookup(field: Field, path: readonly string[], resolveContext: Resolving): ResolvedExpression {
  const { definition, registry, context, expand } = resolveContext;
  const [name, ...rest] = path as [string, ...string[]];
  const relationField = fieldOf(definition, name);
  if (context.readableFields && !context.readableFields(definition).has(name)) return nullOf(field);
  if (rest.length === 0) return resolveField(relationField, resolveContext);
  const target = registry.getOrThrow(relationField.to);
  const visibleRows = visibleRowsOf(context, target, 'view');
  if (!visibleRows) return nullOf(field);
  return {
    kind: 'lookup',
    ...typesOf(field),
    relation: name,
    target: target.name,
    where: expand(visibleRows, target),
    of: resolveLookup(field, rest, { ...resolveContext, definition: target }),
  };
}

function resolveRollup(field: Field, resolveContext: Resolving): ResolvedExpression {
  const { registry, context, expand } = resolveContext;
  const rollup = rollupOf(field);
  const { take, field: rolledField, by: orderField, where: countedCondition } = rollup;
  const source = rollupSource(resolveContext.definition, field, registry.definitions);
  if (!source) throw new Error(`${field.name} is a rollup of nothing.`);
  const condition = countedCondition && resolveCondition(countedCondition, context);
  const readable = (readDefinition: Definition, name: string) =>
    context.readableFields?.(readDefinition).has(name) ?? true;
  const isReadable =
    rollup.rows === undefined
      ? [rollup.relation, rolledField, orderField].every((name) => name === undefined || readable(source, name)) &&
        (!condition ||
          testedFields(condition, source, registry.definitions).every((testedField) =>
            readable(testedField.definition, testedField.field.name),
          ))
      : readable(resolveContext.definition, rollup.rows);
  // A reader of the field of the rows reads all of them.
  const visibleRows = rollup.rows === undefined ? visibleRowsOf(context, source, 'list') : truePredicate;
  if (!visibleRows || !isReadable) return nullOf(field);
  const read = (name: string) => resolveField(fieldOf(source, name), { ...resolveContext, definition: source });
  return {
    kind: 'rollup',
    ...typesOf(field),
    ...numberLimits(field),
    source:
      rollup.rows === undefined ? { resource: rollup.resource, relation: rollup.relation } : { rows: rollup.rows },
    take,
    where: expand(visibleRows, source),
    counted: condition ? expand(condition, source) : truePredicate,
    ...(rolledField !== undefined && { of: read(rolledField) }),
    ...(orderField !== undefined && { orderBy: read(orderField) }),
  };
}

function visibleRowsOf(
  context: StatementContext,
  definition: Definition,
  action: 'list' | 'view',
): Predicate | undefined {
  if (!context.visibleRows) throw new Error(`What a caller sees of ${definition.name} depends on who it is.`);
  return context.visibleRows(definition, action);
}

function resolveTest(condition: Condition, { context, definition, expand }: Resolving): ResolvedExpression {
  return { kind: 'test', valueType: 'boolean', of: expand(resolveCondition(condition, context), definition) };
}

/**
 * A row of the query around, to which the rows of a subquery are joined by one of their relations: what a condition says
 * of the records of that relation it says of this row. So it is tested once, not looked up for each of them.
 */
export interface OuterRow {
  readonly relation: string;
  readonly definition: Definition;
  readonly alias: string;
}

/** The row that an expression is about, and how conditions on it become SQL. */
export interface ExpressionScope {
  readonly definition: Definition;
  readonly alias: string;
  readonly registry: Registry;
  /** With `outer`, rows `alias` are joined to that row. */
  readonly toSql: (
    predicate: Predicate,
    definition: Definition,
    alias: string,
    outer?: OuterRow,
  ) => RawBuilder<unknown>;
}

/** The SQL of a computed field's value, as an operand of comparisons. */
export function computedOperand(expression: ResolvedExpression, scope: ExpressionScope): Operand {
  const columnType = columnTypeOf(expression) ?? 'text';
  return { sql: expressionSql(expression, scope), columnType };
}

/** The type of a value that is like that of a column; undefined for what is only a part of an expression. */
function columnTypeOf(expression: ResolvedExpression): ColumnType | undefined {
  if ('columnType' in expression) return expression.columnType;
  return expression.kind === 'value' ? columnTypes[expression.valueType] : undefined;
}

const columnTypes: Readonly<Record<ExpressionType, ColumnType>> = {
  number: 'double precision',
  text: 'text',
  date: 'date',
  instant: 'timestamptz(3)',
  boolean: 'boolean',
};

/** Numbers are exact (`numeric`) within an expression; the result of a field has the type of a column. */
function expressionSql(expression: ResolvedExpression, scope: ExpressionScope): RawBuilder<unknown> {
  const { alias } = scope;
  switch (expression.kind) {
    case 'value':
      return valueSql(expression.value, expression.valueType);
    case 'column':
      return sql.id(alias, expression.name);
    case 'template':
      return templateSql(scope.definition, expression.template, alias, scope.registry);
    case 'test':
      return sql`((${scope.toSql(expression.of, scope.definition, alias)}) is true)`;
    case 'result':
      return resultSql(expression, scope);
    case 'if':
      return sql`(case when ${operandSql(expression.when, scope)} then ${operandSql(expression.then, scope)} else ${operandSql(expression.else, scope)} end)`;
    case 'call':
      return callSql(expression, scope);
    case 'lookup':
      return lookupSql(expression, scope);
    case 'rollup':
      return rollupSql(expression, scope);
  }
}

const sqlTypes: Readonly<Record<ExpressionType, string>> = {
  number: 'numeric',
  text: 'text',
  date: 'date',
  instant: 'timestamptz',
  boolean: 'boolean',
};

function valueSql(
  value: string | number | boolean | null | StatementParameter,
  type: ExpressionType,
): RawBuilder<unknown> {
  const cast = sql.raw(`::${sqlTypes[type]}`);
  if (value === null) return sql`null${cast}`;
  if (value instanceof StatementParameter) return sql`${value}${cast}`;
  const decimal = typeof value === 'number' ? toDecimal(value) : undefined;
  return sql`${literal(decimal ? toPlainText(decimal) : String(value))}${cast}`;
}

/** An expression as a part of another: numbers as `numeric`, an empty text as none. */
function operandSql(expression: ResolvedExpression, scope: ExpressionScope): RawBuilder<unknown> {
  const value = expressionSql(expression, scope);
  if (expression.kind === 'template') return sql`nullif(${value}, '')`;
  if (!('columnType' in expression)) return value;
  if (expression.valueType === 'text') return sql`nullif(${value}, '')`;
  if (expression.valueType !== 'number') return value;
  if (expression.columnType !== 'double precision') return sql`${value}::numeric`;
  // Through text: PostgreSQL would keep only 15 digits of a number.
  return sql`round(${value}::text::numeric, ${sql.lit(maxScale)})`;
}

function resultSql(
  { of: operand, valueType, columnType, digits, below: limit }: Extract<ResolvedExpression, { kind: 'result' }>,
  scope: ExpressionScope,
): RawBuilder<unknown> {
  const value = operandSql(operand, scope);
  if (valueType === 'number') return numberSql(value, { columnType, digits, below: limit });
  if (valueType === 'text') return sql`nullif(${value}, '')`;
  return valueType === 'instant' ? sql`${value}::timestamptz(3)` : value;
}

/** An exact number as that of a column: with its decimals, and none where no column could store it. */
function numberSql(
  value: RawBuilder<unknown>,
  {
    columnType,
    digits,
    below: limit,
  }: { readonly columnType: ColumnType; readonly digits: number; readonly below: string },
): RawBuilder<unknown> {
  return sql`(select case when abs(calc.v) < ${sql.raw(limit)} then calc.v::${sql.raw(columnType)} end
    from ${evaluatedOnce(sql`round(${value}, ${sql.lit(digits)}) as v`)} calc)`;
}

/**
 * Values that an expression uses several times. PostgreSQL would put a plain subquery's expressions in each place, so that
 * expressions within each other grew exponentially; it does not where there is an offset.
 */
function evaluatedOnce(columns: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select ${columns} offset 0)`;
}

/** Rows of another table inside an expression: `d1`, `d2` … so that none has the alias of the row around it. */
function nestedScope(scope: ExpressionScope, definition: Definition): ExpressionScope {
  const depth = Number(/^d(\d+)$/.exec(scope.alias)?.[1] ?? 0) + 1;
  return { ...scope, definition, alias: `d${depth}` };
}

function lookupSql(
  { relation, target, where: condition, of: operand }: Extract<ResolvedExpression, { kind: 'lookup' }>,
  scope: ExpressionScope,
): RawBuilder<unknown> {
  const inner = nestedScope(scope, scope.registry.getOrThrow(target));
  const { definition, alias } = inner;
  return sql`(select ${expressionSql(operand, inner)} from ${sql.id('public', definition.table)} ${sql.id(alias)}
    where ${sql.id(alias, 'id')} = ${sql.id(scope.alias, relation)} and ${scope.toSql(condition, definition, alias)})`;
}

type ResolvedRollup = Extract<ResolvedExpression, { kind: 'rollup' }>;

function rollupSql(rollup: ResolvedRollup, scope: ExpressionScope): RawBuilder<unknown> {
  const { rows, inner } = rolledUpRows(rollup, scope);
  const isCounted = scope.toSql(rollup.counted, inner.definition, inner.alias);
  const countedRows = sql`${rows} and ${isCounted}`;
  if (rollup.take === 'latest') {
    const { isTold, order } = latestFirst(rollup, inner);
    return sql`(select ${expressionSql(requireValue(rollup.of, 'the value of a latest record'), inner)} from ${countedRows} and ${isTold}
      order by ${order} limit 1)`;
  }
  const isOfAll = rollup.take === 'share';
  const value = sql`(select ${aggregateSql(rollup, inner, isOfAll ? isCounted : undefined)} from ${isOfAll ? rows : countedRows})`;
  return rollupValueSql(rollup, value);
}

/** Which rows have a place in time, and in which order the latest is the first. Rows of a record are in their own order. */
function latestFirst({ orderBy, source }: ResolvedRollup, inner: ExpressionScope) {
  const { alias } = inner;
  const last = 'rows' in source ? [rowColumns.position, rowColumns.id] : ['id'];
  const instant = orderBy && expressionSql(orderBy, inner);
  const order = [...(instant ? [instant] : []), ...last.map((name) => sql.id(alias, name))];
  return {
    isTold: instant ? sql`${instant} is not null` : sql`true`,
    order: sql.join(order.map((orderTerm) => sql`${orderTerm} desc`)),
  };
}

/** The rows that a rollup of the row `scope` is about, whether or not its condition counts them. */
function rolledUpRows({ source, where: condition }: ResolvedRollup, scope: ExpressionScope) {
  if ('rows' in source) {
    const field = scope.definition.fields[source.rows] as FieldOf<'rows'>;
    const inner = nestedScope(scope, rowDefinition(scope.definition, field));
    const ownRows = rowsOfRecord(scope.definition, field, scope.alias, inner.alias);
    return { rows: sql`${ownRows.fromSql} where ${ownRows.whereSql}`, inner };
  }
  const inner = nestedScope(scope, scope.registry.getOrThrow(source.resource));
  const { definition, alias } = inner;
  const relationField = fieldOf(definition, source.relation);
  // The row around is that of this scope: a rollup of a rollup has several around it.
  const outer = isRelations(relationField)
    ? undefined
    : { relation: relationField.name, definition: scope.definition, alias: scope.alias };
  const linked = isRelations(relationField)
    ? isAmong(
        definition,
        alias,
        'pair',
        'record_id',
        sql`from ${sql.id('public', pairTable(definition, relationField))} pair
          where pair.target_id = ${sql.id(scope.alias, 'id')}${inSameCompany('pair', scope.alias, definition, scope.definition)}`,
      )
    : sql`${sql.id(alias, relationField.name)} = ${sql.id(scope.alias, 'id')}`;
  const rows = sql`${sql.id('public', definition.table)} ${sql.id(alias)}
    where ${linked} and ${scope.toSql(condition, definition, alias, outer)}`;
  return { rows, inner };
}

/** The aggregate of a rollup over rows, of which only those with `isCounted` count; without it all do. */
function aggregateSql(
  rollup: ResolvedRollup,
  inner: ExpressionScope,
  isCounted: RawBuilder<unknown> | undefined,
): RawBuilder<unknown> {
  const { take, of: operand, valueType } = rollup;
  const exact = operand && operandSql(operand, inner);
  const operandValue = operand && expressionSql(operand, inner);
  const filterCounted = (aggregate: RawBuilder<unknown>) =>
    isCounted ? sql`${aggregate} filter (where ${isCounted})` : aggregate;
  const quotient = (part: RawBuilder<unknown>, divisor: RawBuilder<unknown>) =>
    sql`div(${part} * ${powerSql(maxScale)}, nullif(${divisor}, 0)) * ${powerSql(-maxScale)}`;
  switch (take) {
    case 'count':
      return filterCounted(sql`count(*)`);
    case 'sum':
      return sql`coalesce(${filterCounted(sql`sum(${exact})`)}, 0)`;
    case 'avg':
      return quotient(filterCounted(sql`sum(${exact})`), filterCounted(sql`count(${exact})`));
    case 'share':
      return quotient(sql`(${filterCounted(sql`count(*)`)}) * 100::numeric`, sql`count(*)`);
    case 'min':
    case 'max':
      return filterCounted(
        sql`${sql.raw(take)}(${valueType === 'text' ? sql`${operandValue} collate "C"` : operandValue})`,
      );
    case 'latest': {
      const { isTold, order } = latestFirst(rollup, inner);
      return sql`(array_agg(${operandValue} order by ${order})
        filter (where ${isTold}${isCounted ? sql` and ${isCounted}` : sql``}))[1]`;
    }
  }
}

function rollupValueSql(rollup: ResolvedRollup, value: RawBuilder<unknown>): RawBuilder<unknown> {
  const isOfRow = rollup.take === 'min' || rollup.take === 'max' || rollup.take === 'latest';
  if (isOfRow) return value;
  return numberSql(rollup.take === 'share' ? boundedShare(value, rollup.digits) : value, rollup);
}

/** A share that rounding leaves below 100 unless it is 100, and above 0 unless it is 0. */
function boundedShare(value: RawBuilder<unknown>, digits: number): RawBuilder<unknown> {
  const step = powerSql(-digits);
  return sql`(select case when share.v > 0 and share.v < 100 then least(greatest(share.v, ${step}), 100 - ${step}) else share.v end
    from ${evaluatedOnce(sql`${value} as v`)} share)`;
}

/** Rollups that are read together: the values of fields, and what a statement joins for them. */
export interface SharedRollups {
  readonly values: ReadonlyMap<string, RawBuilder<unknown>>;
  readonly joins: RawBuilder<unknown>;
}

/**
 * Reads several rollups over the same rows with one subquery, which the statement joins to the row: three of them cost
 * little more than one. Those that are alone over their rows are left out.
 */
export function shareRollups(fields: ReadonlyMap<string, ResolvedExpression>, scope: ExpressionScope): SharedRollups {
  const groups = new Map<string, [string, ResolvedRollup][]>();
  for (const [name, expression] of fields) {
    // Arrays of lists have to have one length, so the latest of lists is read apart.
    if (expression.kind !== 'rollup' || (expression.take === 'latest' && expression.columnType.endsWith('[]')))
      continue;
    const key = shapeOf([expression.source, expression.where]);
    groups.set(key, [...(groups.get(key) ?? []), [name, expression]]);
  }
  const values = new Map<string, RawBuilder<unknown>>();
  const joinClauses: RawBuilder<unknown>[] = [];
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const alias = `rollups${joinClauses.length + 1}`;
    const { rows, inner } = rolledUpRows(firstOf(group)[1], scope);
    const aggregates = group.map(([name, rollup], index) => {
      values.set(name, rollupValueSql(rollup, sql.id(alias, `v${index}`)));
      const isCounted = isAlways(rollup.counted)
        ? undefined
        : scope.toSql(rollup.counted, inner.definition, inner.alias);
      return sql`${aggregateSql(rollup, inner, isCounted)} as ${sql.id(`v${index}`)}`;
    });
    joinClauses.push(sql`left join lateral (select ${sql.join(aggregates)} from ${rows}) ${sql.id(alias)} on true`);
  }
  return { values, joins: sql.join(joinClauses, sql` `) };
}

function isAlways(predicate: Predicate): boolean {
  return predicate.kind === 'all' && predicate.of.length === 0;
}

function callSql(
  { operator, of: operands, timeZone }: Extract<ResolvedExpression, { kind: 'call' }>,
  scope: ExpressionScope,
): RawBuilder<unknown> {
  const parts = operands.map((operand) => operandSql(operand, scope));
  const [a = sql`null`, b = sql`null`] = parts;
  const joinBySign = (sign: string) => sql`(${sql.join(parts, sql.raw(` ${sign} `))})`;
  const callFunction = (name: string) => sql`${sql.raw(name)}(${sql.join(parts)})`;
  const isText = operands[0]?.valueType === 'text';
  const byCodePoint = (part: RawBuilder<unknown>) => (isText ? sql`(${part} collate "C")` : part);
  const compareBy = (sign: string) => sql`coalesce(${byCodePoint(a)} ${sql.raw(sign)} ${byCodePoint(b)}, false)`;
  const collateDefault = (text: RawBuilder<unknown>) => sql`(${text} collate "default")`;
  switch (operator) {
    case '$add':
      return joinBySign('+');
    case '$subtract':
      return joinBySign('-');
    case '$multiply':
      return joinBySign('*');
    case '$divide':
      return sql`(div(${a} * ${powerSql(maxScale)}, nullif(${b}, 0)) * ${powerSql(-maxScale)})`;
    case '$round':
      return operands.length === 1 ? sql`round(${a}, 0)` : sql`round(${a}, ${b}::integer)`;
    case '$floor':
    case '$ceil':
    case '$abs':
    case '$coalesce':
      return callFunction(operator.slice(1));
    case '$min':
    case '$max': {
      const extreme = operator === '$min' ? 'least' : 'greatest';
      if (!isText) return callFunction(extreme);
      return collateDefault(sql`${sql.raw(extreme)}(${sql.join(parts.map(byCodePoint))})`);
    }
    case '$concat':
      return sql`(${sql.join(
        operands.map((operand, index) => sql`coalesce(${asTextSql(operand, itemAt(parts, index))}, '')`),
        sql` || `,
      )})`;
    case '$lower':
      return collateDefault(lowerSql(a));
    case '$upper':
      return collateDefault(sql`upper((${a}) collate "und-x-icu")`);
    case '$trim':
      return sql`btrim(${a}, E' \\t\\r\\n')`;
    case '$left':
    case '$right':
      return sql`${sql.raw(operator.slice(1))}(${a}, ${integerSql(sql`greatest(${b}, 0)`)})`;
    case '$length':
      return sql`char_length(${a})::numeric`;
    case '$daysBetween':
      return sql`(${b} - ${a})::numeric`;
    case '$monthsBetween':
      return monthsSql(a, b);
    case '$yearsBetween':
      return sql`div(${monthsSql(a, b)}, 12)`;
    case '$addDays':
      return sql`(select case when calc.n between ${sql.lit(-mostDays)} and ${sql.lit(mostDays)}
        and calc.d - date '0001-01-01' + calc.n between 0 and 3652058 then calc.d + calc.n::integer end
        from ${evaluatedOnce(sql`${a} as d, trunc(${b}, 0) as n`)} calc)`;
    case '$addMonths':
      return sql`(select case when calc.n between ${sql.lit(-mostDays)} and ${sql.lit(mostDays)}
        and ${monthSql('d')} + calc.n between 13 and 120000 then (calc.d + make_interval(months => calc.n::integer))::date end
        from ${evaluatedOnce(sql`${a} as d, trunc(${b}, 0) as n`)} calc)`;
    case '$minutesBetween':
      return unitsBetweenSql(a, b, milliseconds.minute);
    case '$hoursBetween':
      return unitsBetweenSql(a, b, milliseconds.hour);
    case '$addMinutes':
      return addUnitsSql(a, b, milliseconds.minute);
    case '$addHours':
      return addUnitsSql(a, b, milliseconds.hour);
    case '$addWorkingHours':
      return withCalendarSql(parts[2], scope, (calendar) => {
        const zone = sql`(select company.time_zone from "public"."sites" company where company.id = ${companyOf(scope)})`;
        return sql`assay.add_working_hours(${a}, ${b}, ${calendar}, ${zone})`;
      });
    case '$workingDays':
      return withCalendarSql(parts[2], scope, (calendar) => sql`assay.working_days(${a}, ${b}, ${calendar})`);
    case '$year':
    case '$month':
    case '$day':
      return sql`extract(${sql.raw(operator.slice(1))} from ${a})::numeric`;
    case '$dayOf':
      return sql`(${a} at time zone ${timeZone}::text)::date`;
    case '$eq':
      return sql`(${a} is not distinct from ${b})`;
    case '$ne':
      return sql`(${a} is distinct from ${b})`;
    case '$gt':
      return compareBy('>');
    case '$gte':
      return compareBy('>=');
    case '$lt':
      return compareBy('<');
    case '$lte':
      return compareBy('<=');
  }
}

/** `10 ** exponent` as an exact number. */
function powerSql(exponent: number): RawBuilder<unknown> {
  const zeros = '0'.repeat(Math.abs(exponent) - (exponent < 0 ? 1 : 0));
  return sql.raw(exponent < 0 ? `0.${zeros}1::numeric` : `1${zeros}::numeric`);
}

/** The units from one instant to another, as the engine's exact decimals have them. */
function unitsBetweenSql(start: RawBuilder<unknown>, end: RawBuilder<unknown>, unit: number): RawBuilder<unknown> {
  const length = sql`(extract(epoch from ${end}) - extract(epoch from ${start})) * 1000`;
  return sql`(div(${length} * ${powerSql(maxScale)}, ${sql.lit(unit)}) * ${powerSql(-maxScale)})`;
}

/** An instant so many units later. Hours and seconds, unlike days, are the same in every zone of a connection. */
function addUnitsSql(instant: RawBuilder<unknown>, count: RawBuilder<unknown>, unit: number): RawBuilder<unknown> {
  const { hour } = milliseconds;
  return sql`(select case when extract(epoch from calc.t) * 1000 + calc.ms
      between ${sql.lit(instantLimits.first)} and ${sql.lit(instantLimits.last)}
      then calc.t + make_interval(hours => div(calc.ms, ${sql.lit(hour)})::integer,
        secs => (mod(calc.ms, ${sql.lit(hour)}) / 1000)::double precision) end
    from ${evaluatedOnce(sql`${instant} as t, trunc(${count} * ${sql.lit(unit)}, 0) as ms`)} calc)`;
}

/** The company of the row that an expression is about; null of one that belongs to none. */
function companyOf({ definition, alias }: ExpressionScope): RawBuilder<unknown> {
  if (definition.scope === 'self') return sql.id(alias, 'id');
  return 'site_id' in definition.fields ? sql.id(alias, 'site_id') : sql`null::bigint`;
}

/**
 * A value that is calculated with a calendar of the row's company: that of a name, where null stands for no such one, or the default
 * one, where null stands for ordinary working hours. The table is named here, so that results of queries are
 * made again when calendars change.
 */
function withCalendarSql(
  name: RawBuilder<unknown> | undefined,
  scope: ExpressionScope,
  calculate: (calendar: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const ofCompany = sql`from "public"."calendars" calendar where calendar.site_id = ${companyOf(scope)}`;
  if (!name) return calculate(sql`(select calendar.id ${ofCompany} and calendar.is_default)`);
  return sql`(select ${calculate(sql`calendar.id`)} ${ofCompany} and lower(calendar.name) = lower(${name}))`;
}

/** A number as an integer; fractions are cut, and it is no greater than any text is long. */
function integerSql(number: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`least(trunc(${number}, 0), ${sql.lit(mostDays)})::integer`;
}

function asTextSql(expression: ResolvedExpression, value: RawBuilder<unknown>): RawBuilder<unknown> {
  if (expression.valueType === 'number') return sql`trim_scale(${value})::text`;
  return textSql({
    sql: value,
    columnType: expression.valueType === 'date' ? 'date' : expression.valueType === 'text' ? 'text' : 'boolean',
  });
}

/** The months of a date since the beginning of the calendar. */
const monthSql = (column: string) =>
  sql.raw(`(extract(year from calc.${column}) * 12 + extract(month from calc.${column}))`);

/** The whole months between two dates, as the engine's `monthsBetween` counts them. */
function monthsSql(start: RawBuilder<unknown>, end: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select calc.sign * (${monthSql('late')} - ${monthSql('early')}
      - case when extract(day from calc.late) < extract(day from calc.early) and extract(day from calc.late + 1) <> 1 then 1 else 0 end)
    from (select least(d.a, d.b) as early, greatest(d.a, d.b) as late,
        case when d.b >= d.a then 1 when d.b < d.a then -1 end as sign
      from ${evaluatedOnce(sql`${start} as a, ${end} as b`)} d) calc)`;
}

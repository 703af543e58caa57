import { matchesCondition, predicateOf } from '../conditions/match-condition';
import type { EvaluationContext } from '../conditions/variables';
import type { Condition, Definition, Field, FieldOf, ResourceRecord } from '../definitions/definition';
import { fillTemplate } from '../definitions/labels';
import { fieldTypeOf, valueTypeOf } from '../field-types';
import { isDate } from '../formats/dates';
import { computedColumns, isRows, rowsIn } from '../field-types/rows';
import { computedKind } from '../conditions/computed-kind';
import { round, toDecimal, toNumber, type Decimal } from './decimal';
import { rollupOf } from './derivations';
import { rollUpRows } from './roll-up-rows';
import { expressionOf, usesCalendar, type Expression, type Test } from './grammar';
import { operators, type ExpressionValue, type Operator } from './operators';
import { conditionFields, sourceFields } from './references';
import { expressionTypeOf } from './types';

/** The decimals of a computed number whose field does not say how many. */
const defaultDigits = 10;

/**
 * The in-memory interpreter: a record as returned by the API, or typed in a form, with the values of all fields and columns
 * of rows that are computed from its own fields and rows. Lookups, rollups of other records, and what is calculated with
 * calendars keep the value that the record has. SQL computes the same values.
 *
 * @example computeValues(definition, { price: 1.1, quantity: 3 }, context).total; // 3.3
 */
export function computeValues(
  definition: Pick<Definition, 'fields'>,
  record: ResourceRecord,
  context: EvaluationContext,
): ResourceRecord {
  const computer = new Computing(definition, record, context);
  for (const field of Object.values(definition.fields)) computer.ensure(field);
  return computer.values;
}

/**
 * Whether `computeValues` gives a field its value for values as they are typed: not if calendars are needed, also for a
 * field that it is computed from.
 *
 * @example followsTyping(orders, orders.fields.total); // true
 */
export function followsTyping({ fields }: Pick<Definition, 'fields'>, field: Field): boolean {
  const { computed: computation } = field;
  if (computedKind(field) === 'expression' && usesCalendar(expressionOf(computation as object))) return false;
  if (isRows(field)) return computedColumns(field).every((column) => followsTyping({ fields: field.columns }, column));
  const sources = computedKind(field) === 'rollup' ? [rollupOf(field).rows] : sourceFields(field);
  return sources.every((name) => name === undefined || !fields[name] || followsTyping({ fields }, fields[name]));
}

class Computing {
  readonly values: ResourceRecord;
  private readonly done = new Set<string>();

  constructor(
    private readonly definition: Pick<Definition, 'fields'>,
    record: ResourceRecord,
    private readonly context: EvaluationContext,
  ) {
    this.values = { ...record };
  }

  /** Computes the field's value, once, if it is computed from fields of the record. */
  ensure(field: Field): void {
    if (this.done.has(field.name)) return;
    this.done.add(field.name);
    const { computed: computation } = field;
    const kind = computedKind(field);
    if (kind === 'template') this.values[field.name] = fillTemplate(computation as string, this.values);
    else if (kind === 'condition') this.values[field.name] = this.matches(computation as Condition);
    else if (kind === 'expression') this.ensureExpression(field);
    else if (kind === 'rollup') this.ensureRollup(field);
    else if (isRows(field)) this.ensureRows(field);
  }

  /** Computes the columns of the rows that are computed from others. */
  private ensureRows(field: FieldOf<'rows'>): void {
    const rows = this.values[field.name];
    if (!Array.isArray(rows) || computedColumns(field).length === 0) return;
    this.values[field.name] = rowsIn(rows).map((row) => computeValues({ fields: field.columns }, row, this.context));
  }

  /** A value that needs a calendar keeps the value that the record has. */
  private ensureExpression(field: Field): void {
    const expression = expressionOf(field.computed as object);
    if (!usesCalendar(expression)) this.values[field.name] = toFieldValue(field, this.evaluate(expression));
  }

  /** A record of a list has no rows, and keeps the value that it has. */
  private ensureRollup(field: Field): void {
    const rollup = rollupOf(field);
    const rowsField = rollup.rows === undefined ? undefined : this.definition.fields[rollup.rows];
    if (rowsField) this.ensure(rowsField);
    const rows = rowsField && this.values[rowsField.name];
    if (!rowsField || !isRows(rowsField) || !Array.isArray(rows)) return;
    const counts = (row: ResourceRecord) => matchesCondition(rollup.where ?? {}, row, this.context);
    const value = rollUpRows(rollup, rowsField, rowsIn(rows), { counts, read: toExpressionValue });
    const isOfRow = rollup.take === 'min' || rollup.take === 'max' || rollup.take === 'latest';
    const shownValue = rollup.take === 'share' ? boundedShare(field, value) : value;
    this.values[field.name] = isOfRow ? plainValue(value) : toFieldValue(field, shownValue);
  }

  private matches(condition: Condition): boolean {
    for (const name of conditionFields(predicateOf(condition))) {
      const field = this.definition.fields[name];
      if (field) this.ensure(field);
    }
    return matchesCondition(condition, this.values, this.context);
  }

  private evaluate(expression: Expression): ExpressionValue {
    switch (expression.kind) {
      case 'value':
        return typeof expression.value === 'number' ? (toDecimal(expression.value) ?? null) : expression.value;
      case 'today':
        return this.context.today;
      case 'field':
        return this.read(expression.name);
      case 'if':
        return this.evaluate(this.holds(expression.when) ? expression.then : expression.else);
      case 'call': {
        const operator: Operator = operators[expression.operator];
        const values = expression.of.map((argument) => this.evaluate(argument));
        if (!operator.takesNull && values.includes(null)) return null;
        return operator.evaluate(values, this.context.timeZone ?? 'UTC');
      }
    }
  }

  private holds(test: Test): boolean {
    return test.kind === 'condition' ? this.matches(test.condition) : this.evaluate(test.expression) === true;
  }

  private read(name: string): ExpressionValue {
    const field = this.definition.fields[name];
    if (!field) return null;
    this.ensure(field);
    return toExpressionValue(field, this.values[name]);
  }
}

/** A field's value, as in responses and in forms, for calculating with it; null where it is none. */
function toExpressionValue(field: Field, value: unknown): ExpressionValue {
  if (value === null || value === undefined || value === '') return null;
  switch (expressionTypeOf(field)) {
    case 'number':
      return toDecimal(fieldTypeOf(field).parse(value, field)) ?? null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' && isDate(value) ? value : null;
    case 'instant': {
      const instant = new Date(value as string);
      return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
    }
    case 'text':
      return typeof value === 'string' ? value : null;
    case undefined:
      return null;
  }
}

/** The value of an expression as that of a field: a number with its decimals; an empty text is none. */
function toFieldValue(field: Field, value: ExpressionValue): unknown {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'object' && value !== null ? toFieldNumber(field, value) : value;
}

/** A share that rounding leaves below 100 unless it is 100, and above 0 unless it is 0. */
function boundedShare(field: Field, value: ExpressionValue): ExpressionValue {
  if (typeof value !== 'object' || value === null) return value;
  const share = toNumber(value);
  const step = 10 ** -numberLimits(field).digits;
  const isPart = share > 0 && share < 100;
  return isPart ? (toDecimal(Math.min(Math.max(share, step), 100 - step)) ?? value) : value;
}

/** The value of a row as it is: no decimals are lost. */
function plainValue(value: ExpressionValue): unknown {
  return typeof value === 'object' && value !== null ? toNumber(value) : value;
}

function toFieldNumber(field: Field, value: Decimal): number | null {
  const { digits, below: bound } = numberLimits(field);
  const number = toNumber(round(value, digits));
  return Math.abs(number) < Number(bound) ? number : null;
}

/**
 * The decimals of a computed number, and what it must be less than: greater ones are none, as no column stores them.
 *
 * @example numberLimits(total).digits; // 2
 */
export function numberLimits(field: Field): { readonly digits: number; readonly below: string } {
  const columnType = valueTypeOf(field);
  if (columnType === 'integer') return { digits: 0, below: '2147483648' };
  if (columnType === 'bigint') return { digits: 0, below: String(2 ** 53) };
  const exact = /^numeric\((\d+),(\d+)\)$/.exec(columnType ?? '');
  if (!exact) return { digits: field.digits ?? defaultDigits, below: '1000000000000001' };
  const [precision, digits] = [Number(exact[1]), Number(exact[2])];
  return { digits, below: `1${'0'.repeat(precision - digits)}` };
}

import { isRows } from '../../../../engine/field-types/rows';
import { rowDefinition } from '../../../../engine/field-types/row-definition';
import { type Predicate, ConditionError, parseCondition, type Comparison } from '../../../../engine/conditions/grammar';
import type { Definition, Field, Condition, Parameter } from '../../../../engine/definitions/definition';
import { fieldTypeOf, valueTypeOf } from '../../../../engine/field-types';
import { allOf, readableFields } from '../../../access/access-filter';
import { resolveCondition } from '../../../sql/statement-parameter';
import type { RecordScope } from '../../../access/record-scope';
import type { RequestContext } from '../../../access/request-context';
import { addDays, daysOfMonth, isDate } from '../../../../engine/formats/dates';
import { BadRequest } from '../../../errors/errors';
import { inverseFilter } from '../selection';
import { treeFilter } from './tree-filter';
import { quoteValue, parseFlag, parseFilterValue } from './values';
import { conditionOfNamedValue, parameterCondition } from '../../../../engine/conditions/parameters';
import { type EvaluationContext, falsePredicate } from '../../../../engine/conditions/variables';
import type { Registry } from '../../../../engine/registry/registry';
import { endOfDay, startOfDay } from '../../../access/days';
import { readTime, timeOfDay, toClock } from '../../../../engine/field-types/time';

/** The predicate of a query parameter. Throws BadRequest for an unknown name or a value of the wrong type. */
export function parseFilter(scope: RecordScope, name: string, value: unknown, text: boolean): Predicate {
  const { context, definition } = scope;
  const parameter = Object.hasOwn(definition.parameters, name) ? definition.parameters[name] : undefined;
  if (parameter && !isFieldValue(definition, name, value)) return parameterFilter(scope, name, parameter, value, text);
  const field = filterableField(context, definition, name);
  if (field) return restrictInverse(context, field, fieldFilter(context, name, field, value, text));
  const bound = /^(.+)_(from|to)$/.exec(name);
  const rangeField = bound && filterableField(context, definition, bound[1]!);
  if (!rangeField || !fieldTypeOf(rangeField).hasRangeFilter) {
    throw new BadRequest(`Unknown filter ${quoteValue(name).slice(1, -1)}.`, 'UNKNOWN_FILTER');
  }
  return comparisonFilter(context, name, rangeField, bound[2] === 'from' ? '$gte' : '$lte', value, text);
}

/** Restricts conditions on an inverse field to the records that the caller may list. */
export function restrictInverse(context: RequestContext, field: Field, predicate: Predicate): Predicate {
  const door = field.inverse && inverseFilter(context, field);
  if (!door) return predicate;
  const matchSome = (conditions: readonly Predicate[]): Predicate => ({
    kind: 'some',
    field: field.name,
    of: allOf([door, ...conditions]),
  });
  const translate = (condition: Predicate): Predicate => {
    if (condition.kind === 'not') return { kind: 'not', of: translate(condition.of) };
    if (condition.kind === 'all' || condition.kind === 'any')
      return { kind: condition.kind, of: condition.of.map(translate) };
    if (condition.kind !== 'compare') return condition;
    const { operator, right } = condition;
    const isNegative = operator === '$ne' || operator === '$nin';
    const empty = right === null || right === undefined;
    const id: Predicate = {
      kind: 'compare',
      left: 'id',
      operator: operator === '$ne' ? '$eq' : operator === '$nin' ? '$in' : operator,
      right,
    };
    const someMatch = matchSome(empty ? [] : [id]);
    return isNegative === empty ? someMatch : { kind: 'not', of: someMatch };
  };
  return translate(predicate);
}

/** A month parameter may have the same name as a field; every value that is not a month belongs to the field. */
function isFieldValue({ parameters, fields }: Definition, name: string, value: unknown): boolean {
  return parameters[name]!.kind === 'month' && Object.hasOwn(fields, name) && !daysOfMonth(String(value));
}

/** The field with this name, if it is filterable and the caller may read it on every record. */
function filterableField(context: RequestContext, definition: Definition, name: string): Field | undefined {
  const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
  if (!field?.filterable || !readableFields(context.actor, definition).always.has(name)) return undefined;
  // A caller who may not list the related records must not learn anything about them here either.
  return field.inverse && !inverseFilter(context, field) ? undefined : field;
}

/**
 * The predicate of a query parameter that is not a field. Its value is parsed by the field that it is compared with.
 */
function parameterFilter(
  scope: RecordScope,
  name: string,
  parameter: Parameter,
  value: unknown,
  text: boolean,
): Predicate {
  const { context, definition } = scope;
  const { evaluationContext, registry } = context;
  if (parameter.kind === 'flag')
    return resolveCondition(parameterCondition(parameter, parseFlag(name, value)), evaluationContext);
  if (parameter.kind === 'named')
    return resolveCondition(resolveNamedCondition(name, parameter, value), evaluationContext);
  if (parameter.kind === 'tree') return treeFilter(scope, name, value);
  if (parameter.kind === 'month') return monthFilter(name, parameter, value, evaluationContext);
  if (parameter.kind === 'span') return spanFilter(scope, name, parameter, value);
  if (!parameter.where) return fieldFilter(context, name, definition.fields[parameter.field!]!, value, text);
  const leaf = valueComparison(registry, definition, parseCondition(parameter.where));
  if (!leaf) throw new BadRequest(`${name}: this filter is not supported.`);
  const read = (item: unknown) => parseComparedValue(context, name, leaf, item, text);
  const values = splitValues(leaf.field, value, text);
  if (!values && typeof value === 'object')
    throw new BadRequest(`${name} must be a single value, not ${quoteValue(value)}.`);
  try {
    return resolveCondition(parameterCondition(parameter, values ? values.map(read) : read(value)), evaluationContext);
  } catch (error) {
    if (error instanceof ConditionError)
      throw new BadRequest(`${name} must be a single value, not ${quoteValue(value)}.`);
    throw error;
  }
}

function resolveNamedCondition(name: string, parameter: Parameter, value: unknown): Condition {
  const condition = conditionOfNamedValue(parameter, value);
  if (condition) return condition;
  const knownNames = Object.keys(parameter.conditions ?? {});
  throw new BadRequest(`${name} must be ${knownNames.join(' or ')}, not ${quoteValue(value)}.`);
}

function monthFilter(
  name: string,
  parameter: Parameter,
  value: unknown,
  evaluationContext: EvaluationContext,
): Predicate {
  if (!daysOfMonth(String(value)))
    throw new BadRequest(`${name} must be a month such as 2026-01, not ${quoteValue(value)}.`);
  return resolveCondition(parameterCondition(parameter, value), evaluationContext);
}

interface ValueComparison {
  readonly field: Field;
  readonly operator: Comparison;
}

/** The comparison that uses a parameter's value. */
function valueComparison(
  registry: Registry,
  definition: Definition,
  predicate: Predicate,
): ValueComparison | undefined {
  switch (predicate.kind) {
    case 'compare': {
      const field = definition.fields[predicate.left];
      return predicate.right === '$value' && field ? { field, operator: predicate.operator } : undefined;
    }
    case 'not':
      return valueComparison(registry, definition, predicate.of);
    case 'some': {
      const field = definition.fields[predicate.field];
      if (field && isRows(field)) return valueComparison(registry, rowDefinition(definition, field), predicate.of);
      const target = field?.to ?? field?.inverse?.resource;
      return target ? valueComparison(registry, registry.getOrThrow(target), predicate.of) : undefined;
    }
    default:
      return predicate.of.map((part) => valueComparison(registry, definition, part)).find((leaf) => leaf !== undefined);
  }
}

/**
 * A date compared with a date-time field is the start of the day or, as an upper bound, its last millisecond, in the
 * caller's time zone.
 */
function parseComparedValue(
  context: RequestContext,
  name: string,
  { field, operator }: ValueComparison,
  value: unknown,
  text: boolean,
): unknown {
  const read = parseFilterValue(name, field, value, text);
  if (fieldTypeOf(field).holds !== 'instant' || typeof read !== 'string' || !isDate(read)) return read;
  if (operator !== '$lte' && operator !== '$gt') return startOfDay(read, context.timeZone);
  return new Date(Date.parse(endOfDay(read, context.timeZone)) - 1).toISOString();
}

/** Parses `A` or `A`T`B`: on or after A, up to B. */
function spanFilter(
  { context, definition }: RecordScope,
  name: string,
  parameter: Parameter,
  value: unknown,
): Predicate {
  const [start, end, ...rest] = typeof value === 'string' ? value.split('T') : [''];
  const isFault = rest.length > 0 || (!start && !end) || (start && !isDate(start)) || (end && !isDate(end));
  if (isFault) throw new BadRequest(`${name} must be a date or two dates, such as 2026-01-01T2026-01-31.`);
  const field = definition.fields[parameter.field!]!;
  return fieldFilter(context, name, field, { ...(start && { $gte: start }), ...(end && { $lte: end }) }, false);
}

const MAX_VALUES = 10_000;

/** Filters by one value, by several, or in JSON by operators such as `{"$contains": "a"}`. */
function fieldFilter(context: RequestContext, name: string, field: Field, value: unknown, text: boolean): Predicate {
  const values = splitValues(field, value, text);
  if (values) {
    if (values.length > MAX_VALUES) throw new BadRequest(`${name}: at most ${MAX_VALUES} values.`);
    return anyValueFilter(values.map((item) => comparisonFilter(context, name, field, '$eq', item, text)));
  }
  if (typeof value === 'object' && value !== null && !text) {
    return allOf(
      Object.entries(value).map(([operator, right]) => operatorFilter(context, name, field, operator, right)),
    );
  }
  return comparisonFilter(context, name, field, '$eq', value, text);
}

/** Splits `1,2` of a query and `[1,2]` of JSON; a text may itself contain a comma. */
function splitValues(field: Field, value: unknown, text: boolean): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!text || typeof value !== 'string' || !value.includes(',')) return undefined;
  const isText = field.options === undefined && valueTypeOf(field) === 'text';
  return isText ? undefined : value.split(',');
}

function operatorFilter(
  context: RequestContext,
  name: string,
  field: Field,
  operator: string,
  right: unknown,
): Predicate {
  const operators = [
    '$eq',
    '$ne',
    '$in',
    '$nin',
    '$exists',
    ...(field.multiple ? ['$all'] : []),
    ...(fieldTypeOf(field).hasRangeFilter ? ['$gt', '$gte', '$lt', '$lte'] : []),
  ];
  const isText = valueTypeOf(field) === 'text';
  if (operator === '$contains' && isText && typeof right === 'string') {
    return { kind: 'compare', left: field.name, operator, right: parseFilterValue(name, field, right, false) };
  }
  if (!operators.includes(operator))
    throw new BadRequest(`${name}: the operator ${quoteValue(operator)} is not supported for ${field.label}.`);
  if (operator === '$exists') {
    if (typeof right !== 'boolean') throw new BadRequest(`${name}: $exists must be true or false.`);
    const isNull = comparisonFilter(context, name, field, '$eq', null, false);
    return right ? { kind: 'not', of: isNull } : isNull;
  }
  if (operator === '$all') {
    if (!Array.isArray(right) || right.length === 0)
      throw new BadRequest(`${name}: $all must be a list with at least one value.`);
    return allOf(right.map((item) => comparisonFilter(context, name, field, '$eq', item, false)));
  }
  if (operator === '$in' || operator === '$nin') {
    if (!Array.isArray(right)) throw new BadRequest(`${name}: ${operator} must be a list.`);
    const membership = fieldFilter(context, name, field, right, false);
    return operator === '$in' ? membership : { kind: 'not', of: membership };
  }
  return comparisonFilter(context, name, field, operator as Comparison, right, false);
}

/** One comparison. A date compared with a date-time field means the whole day in the caller's time zone. */
function comparisonFilter(
  context: RequestContext,
  name: string,
  field: Field,
  operator: Comparison,
  raw: unknown,
  text: boolean,
): Predicate {
  if (Array.isArray(raw) || (typeof raw === 'object' && raw !== null)) {
    throw new BadRequest(`${name} must be a single value, not ${quoteValue(raw)}.`);
  }
  const timeFilter = timedFilter(field, operator, raw);
  if (timeFilter) return timeFilter;
  const right = parseFilterValue(name, field, raw, text);
  if (fieldTypeOf(field).holds !== 'instant' || typeof right !== 'string' || right.length > 10) {
    const isFrom = operator === '$gt' || operator === '$gte';
    // From midnight on is the whole day, also of a time that ends something.
    const comparisonValue =
      isFrom && typeof right === 'string' && fieldTypeOf(field).holds === 'time' ? toClock(right) : right;
    return { kind: 'compare', left: field.name, operator, right: comparisonValue };
  }
  const [start, end] = [startOfDay(right, context.timeZone), endOfDay(right, context.timeZone)];
  const bound = (side: Comparison, instant: string): Predicate => ({
    kind: 'compare',
    left: field.name,
    operator: side,
    right: instant,
  });
  if (operator === '$gt' || operator === '$lte') return bound(operator === '$gt' ? '$gte' : '$lt', end);
  if (operator === '$lt' || operator === '$gte') return bound(operator, start);
  const dayRange = allOf([bound('$gte', start), bound('$lt', end)]);
  return operator === '$ne' ? { kind: 'not', of: dayRange } : dayRange;
}

/** Merges equality comparisons with one field into one comparison with a list. */
function anyValueFilter(predicates: readonly Predicate[]): Predicate {
  const [first] = predicates;
  if (!first) return falsePredicate;
  if (predicates.length === 1) return first;
  const values = predicates.map((predicate) =>
    predicate.kind === 'compare' && predicate.operator === '$eq' ? predicate.right : undefined,
  );
  if (first.kind !== 'compare' || values.includes(undefined)) return { kind: 'any', of: predicates };
  return { kind: 'compare', left: first.left, operator: '$in', right: values };
}

/**
 * Compares a time of day that belongs to a date field with a time and its date, as in responses (`2026-11-16 14:30`):
 * the date is compared first. Undefined for any other value, such as a time without a date.
 */
function timedFilter(field: Field, operator: Comparison, value: unknown): Predicate | undefined {
  const { dateField, name } = field;
  if (dateField === undefined || typeof value !== 'string') return undefined;
  const clock = timeOfDay(value.trim(), field);
  if (clock === value.trim()) return undefined;
  const time = readTime(clock, field);
  // An end at midnight belongs to the day before.
  const day = addDays(value.trim().slice(0, 10), time === clock ? 0 : -1);
  const compare = (left: string, comparator: Comparison, right: string): Predicate => ({
    kind: 'compare',
    left,
    operator: comparator,
    right,
  });
  const compareOnDay = (comparator: Comparison) =>
    allOf([compare(dateField, '$eq', day), compare(name, comparator, time)]);
  if (operator === '$eq') return compareOnDay('$eq');
  if (operator === '$ne') return { kind: 'not', of: compareOnDay('$eq') };
  const dayOperator = operator === '$gt' || operator === '$gte' ? '$gt' : '$lt';
  return { kind: 'any', of: [compare(dateField, dayOperator, day), compareOnDay(operator)] };
}

import { conditionOfNamedValue, parameterCondition } from '../../../engine/conditions/parameters';
import { ConditionError, parseCondition, type Comparison, type Predicate } from '../../../engine/conditions/grammar';
import type { EvaluationContext } from '../../../engine/conditions/variables';
import type { Condition, Definition, Field, Parameter } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/definitions/registry';
import { daysOfMonth, isDate } from '../../../engine/formats/dates';
import { resolveCondition } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';
import { endOfDay, startOfDay } from '../../access/days';
import { BadRequest } from '../../errors/errors';
import { fieldFilter, splitValues } from './field-filter';
import { parseFlag, parseFilterValue, quoteValue } from './values';

/**
 * The predicate of a query parameter that is not a field. Its value is parsed by the field that it is compared with.
 */
export function parameterFilter(
  context: RequestContext,
  definition: Definition,
  name: string,
  parameter: Parameter,
  value: unknown,
  text: boolean,
): Predicate {
  const { evaluationContext, registry } = context;
  if (parameter.kind === 'flag')
    return resolveCondition(parameterCondition(parameter, parseFlag(name, value)), evaluationContext);
  if (parameter.kind === 'named')
    return resolveCondition(resolveNamedCondition(name, parameter, value), evaluationContext);
  if (parameter.kind === 'month') return monthFilter(name, parameter, value, evaluationContext);
  if (parameter.kind === 'span') return spanFilter(context, definition, name, parameter, value);
  if (!parameter.where) return fieldFilter(context, name, definition.fields[parameter.field!]!, value, text);
  const leaf = valueComparison(registry, definition, parseCondition(parameter.where));
  if (!leaf) throw new BadRequest(`${name}: this filter is not supported.`);
  const read = (one: unknown) => parseComparedValue(context, name, leaf, one, text);
  const several = splitValues(leaf.field, value, text);
  if (!several && typeof value === 'object')
    throw new BadRequest(`${name} must be a single value, not ${quoteValue(value)}.`);
  try {
    return resolveCondition(
      parameterCondition(parameter, several ? several.map(read) : read(value)),
      evaluationContext,
    );
  } catch (error) {
    if (error instanceof ConditionError)
      throw new BadRequest(`${name} must be a single value, not ${quoteValue(value)}.`);
    throw error;
  }
}

function resolveNamedCondition(name: string, parameter: Parameter, value: unknown): Condition {
  const condition = conditionOfNamedValue(parameter, value);
  if (condition) return condition;
  const known = Object.keys(parameter.named ?? {});
  throw new BadRequest(`${name} must be ${known.join(' or ')}, not ${quoteValue(value)}.`);
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
      const target = field?.to ?? field?.inverse?.resource;
      return target ? valueComparison(registry, registry.getOrThrow(target), predicate.of) : undefined;
    }
    default:
      return predicate.of.map((one) => valueComparison(registry, definition, one)).find((leaf) => leaf !== undefined);
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
  if (field.type !== 'datetime' || typeof read !== 'string' || !isDate(read)) return read;
  if (operator !== '$lte' && operator !== '$gt') return startOfDay(read, context.timeZone);
  return new Date(Date.parse(endOfDay(read, context.timeZone)) - 1).toISOString();
}

/** Parses `A` or `A`T`B`: on or after A, up to B. */
function spanFilter(
  context: RequestContext,
  definition: Definition,
  name: string,
  parameter: Parameter,
  value: unknown,
): Predicate {
  const [from, to, ...rest] = typeof value === 'string' ? value.split('T') : [''];
  const isFault = rest.length > 0 || (!from && !to) || (from && !isDate(from)) || (to && !isDate(to));
  if (isFault) throw new BadRequest(`${name} must be a date or two dates, such as 2026-01-01T2026-01-31.`);
  const field = definition.fields[parameter.field!]!;
  return fieldFilter(context, name, field, { ...(from && { $gte: from }), ...(to && { $lte: to }) }, false);
}

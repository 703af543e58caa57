import type { Comparison, Predicate } from '../../../engine/conditions/grammar';
import { never } from '../../../engine/conditions/variables';
import type { Field } from '../../../engine/definitions/definition';
import { columnTypeOf, fieldTypeOf } from '../../../engine/field-types';
import { endOfDay, startOfDay } from '../../access/days';
import { allOf } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';
import { BadRequest } from '../../errors/errors';
import { timedFilter } from './timed-filter';
import { parseFilterValue, quoteValue } from './values';

const MAX_VALUES = 10_000;

/** Filters by one value, by several, or in JSON by operators such as `{"$contains": "a"}`. */
export function fieldFilter(
  context: RequestContext,
  name: string,
  field: Field,
  value: unknown,
  text: boolean,
): Predicate {
  const values = splitValues(field, value, text);
  if (values) {
    if (values.length > MAX_VALUES) throw new BadRequest(`${name}: at most ${MAX_VALUES} values.`);
    return anyValueFilter(values.map((one) => comparisonFilter(context, name, field, '$eq', one, text)));
  }
  if (typeof value === 'object' && value !== null && !text) {
    return allOf(
      Object.entries(value).map(([operator, right]) => operatorFilter(context, name, field, operator, right)),
    );
  }
  return comparisonFilter(context, name, field, '$eq', value, text);
}

/** Splits `1,2` of a query and `[1,2]` of JSON; a text may itself contain a comma. */
export function splitValues(field: Field, value: unknown, text: boolean): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!text || typeof value !== 'string' || !value.includes(',')) return undefined;
  const isText = field.type !== 'select' && (columnTypeOf(field) === 'text' || typeof field.computed === 'string');
  return isText ? undefined : value.split(',');
}

function operatorFilter(
  context: RequestContext,
  name: string,
  field: Field,
  operator: string,
  right: unknown,
): Predicate {
  const allowed = [
    '$eq',
    '$ne',
    '$in',
    '$nin',
    '$exists',
    ...(fieldTypeOf(field).hasRangeFilter ? ['$gt', '$gte', '$lt', '$lte'] : []),
  ];
  const isText = columnTypeOf(field) === 'text' || typeof field.computed === 'string';
  if (operator === '$contains' && isText && typeof right === 'string') {
    return { kind: 'compare', left: field.name, operator, right: parseFilterValue(name, field, right, false) };
  }
  if (!allowed.includes(operator))
    throw new BadRequest(`${name}: the operator ${quoteValue(operator)} is not supported for ${field.label}.`);
  if (operator === '$exists') {
    if (typeof right !== 'boolean') throw new BadRequest(`${name}: $exists must be true or false.`);
    const none = comparisonFilter(context, name, field, '$eq', null, false);
    return right ? { kind: 'not', of: none } : none;
  }
  if (operator === '$in' || operator === '$nin') {
    if (!Array.isArray(right)) throw new BadRequest(`${name}: ${operator} must be a list.`);
    const any = fieldFilter(context, name, field, right, false);
    return operator === '$in' ? any : { kind: 'not', of: any };
  }
  return comparisonFilter(context, name, field, operator as Comparison, right, false);
}

/** One comparison. A date compared with a date-time field means the whole day in the caller's time zone. */
export function comparisonFilter(
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
  const timed = timedFilter(field, operator, raw);
  if (timed) return timed;
  const right = parseFilterValue(name, field, raw, text);
  if (field.type !== 'datetime' || typeof right !== 'string' || right.length > 10) {
    return { kind: 'compare', left: field.name, operator, right };
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
  const within = allOf([bound('$gte', start), bound('$lt', end)]);
  return operator === '$ne' ? { kind: 'not', of: within } : within;
}

/** Merges equality comparisons with one field into one comparison with a list. */
function anyValueFilter(predicates: readonly Predicate[]): Predicate {
  const [first] = predicates;
  if (!first) return never;
  if (predicates.length === 1) return first;
  const values = predicates.map((one) => (one.kind === 'compare' && one.operator === '$eq' ? one.right : undefined));
  if (first.kind !== 'compare' || values.includes(undefined)) return { kind: 'any', of: predicates };
  return { kind: 'compare', left: first.left, operator: '$in', right: values };
}

import type { Condition, ResourceRecord } from '../definitions/definition';
import { parseInstant } from '../formats/dates';
import { dayInTimeZone, isDate } from '../formats/dates';
import { parseCondition, type Comparison, type Predicate } from './grammar';
import { unwrapId, resolveVariables, type EvaluationContext } from './variables';
import { itemAt } from '../values/lookups';

const parsedConditions = new WeakMap<Condition, Predicate>();

/**
 * The condition's predicate, read once per object.
 *
 * @example predicateOf({ state: 'open' }); // { kind: 'compare', left: 'state', operator: '$eq', right: 'open' }
 */
export function predicateOf(condition: Condition): Predicate {
  let predicate = parsedConditions.get(condition);
  if (!predicate) parsedConditions.set(condition, (predicate = parseCondition(condition)));
  return predicate;
}

/**
 * The in-memory interpreter: whether the condition matches a record as returned by the API. Embeds count as their ids;
 * related records are read from the record's own arrays and embeds. The SQL compiler selects the same rows.
 *
 * @example matchesCondition({ state: { $in: ['open', 'late'] } }, { state: 'late' }, context); // true
 */
export function matchesCondition(
  condition: Condition,
  record: ResourceRecord,
  evaluationContext: EvaluationContext,
): boolean {
  return matchesPredicate(
    resolveVariables(predicateOf(condition), { form: record, record, ...evaluationContext }, compareValues),
    record,
  );
}

/** Like `matchesCondition`, for a predicate with resolved variables. */
export function matchesPredicate(predicate: Predicate, record: ResourceRecord): boolean {
  switch (predicate.kind) {
    case 'all':
      return predicate.of.every((part) => matchesPredicate(part, record));
    case 'any':
      return predicate.of.some((part) => matchesPredicate(part, record));
    case 'not':
      return !matchesPredicate(predicate.of, record);
    case 'some':
      return relatedRecords(record, predicate.field).some((relatedRecord) =>
        matchesPredicate(predicate.of, relatedRecord),
      );
    case 'compare':
      // The checks refuse it where only a record is known, and related tests are evaluated by the database.
      if (predicate.operator === '$below') throw new Error('$below can be evaluated by the database only.');
      return compareValues(record[predicate.left], predicate.operator, predicate.right, predicate.zone as string);
  }
}

function relatedRecords(record: ResourceRecord, field: string): ResourceRecord[] {
  const value = record[field];
  if (value === undefined && Number(record[`${field}_count`]) > 0) return [{}];
  const list = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  return list.map((entry) => (typeof entry === 'object' && entry !== null ? (entry as ResourceRecord) : { id: entry }));
}

/**
 * One comparison. A list on the left (a field with many relations or values) matches if one of its members does.
 * `timeZone` is the one in which instants have their days.
 *
 * @example compareValues([3, 5], '$in', [5, 8]); // true
 */
export function compareValues(left: unknown, operator: Comparison, right: unknown, timeZone = 'UTC'): boolean {
  if (Array.isArray(left)) {
    if (operator === '$ne') return !compareValues(left, '$eq', right, timeZone);
    if (operator === '$nin') return !compareValues(left, '$in', right, timeZone);
    if (operator === '$eq' && right === null) return left.length === 0;
    return left.some((member) => compareValues(member, operator, right, timeZone));
  }
  const isSame = (comparedValue: unknown) => {
    const [a, b] = toComparable(left, comparedValue, timeZone);
    return a === b;
  };
  if (operator === '$in') return toList(right).some(isSame);
  if (operator === '$nin') return !toList(right).some(isSame);
  if (operator === '$eq') return isSame(right);
  if (operator === '$ne') return !isSame(right);
  if (operator === '$contains') {
    const [text, part] = [toPlain(left), toPlain(right)];
    return typeof text === 'string' && typeof part === 'string' && text.toLowerCase().includes(part.toLowerCase());
  }
  const [a, b] = toComparable(left, right, timeZone);
  if (a === null || b === null) return false;
  const order = compareOrder(a, b);
  if (order === undefined) return false;
  if (operator === '$gt') return order > 0;
  if (operator === '$gte') return order >= 0;
  return operator === '$lt' ? order < 0 : order <= 0;
}

/**
 * The values that `$in` searches: a variable may resolve to one value or none.
 *
 * @example toList(null); // []
 */
export function toList(right: unknown): readonly unknown[] {
  return Array.isArray(right) ? right : right === null || right === undefined ? [] : [right];
}

function toPlain(value: unknown): unknown {
  if (value === undefined) return null;
  return value instanceof Date ? value.toISOString() : unwrapId(value);
}

const storedInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Both sides as they are compared: an instant with a day as days, and with another instant as both are stored. */
function toComparable(left: unknown, right: unknown, timeZone: string): [unknown, unknown] {
  const [a, b] = [toPlain(left), toPlain(right)];
  if (typeof a !== 'string' || typeof b !== 'string' || !storedInstant.test(a)) return [a, b];
  return isDate(b) ? [dayInTimeZone(timeZone, new Date(a)), b] : [a, parseInstant(b) ?? b];
}

function codePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/** Numbers by size, texts (dates among them) by code point as SQL's "C" collation does; nothing across types. */
function compareOrder(a: unknown, b: unknown): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (typeof a !== 'string' || typeof b !== 'string') return undefined;
  const [left, right] = [codePoints(a), codePoints(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    if (left[i] !== right[i]) return itemAt(left, i) - itemAt(right, i);
  }
  return left.length - right.length;
}

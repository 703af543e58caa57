import type { Condition } from '../definitions/definition';
import { firstOf } from '../values/lookups';

/**
 * The condition grammar: MongoDB's query operators as data. Every test is true or false, never "unknown": a missing
 * value is `null`, `null` equals only `null` and is neither before nor after anything. Values of different types are
 * never equal and have no order; `$contains` searches text case-insensitively. An instant is compared with another one
 * whatever zone that is written in, and with a day by its own day in the zone of the evaluation context. A key such as `stage_id.is_lost` is a path
 * through a relation: short for `$some` on `stage_id`. `{ "location_id": { "$below": 5 } }` is one of the records at or
 * below 5 in their tree: `$some` on `location_id` whose `id` is compared by `$below`, which only SQL can.
 */
export type Comparison = '$eq' | '$ne' | '$gt' | '$gte' | '$lt' | '$lte' | '$in' | '$nin' | '$contains' | '$below';

export type Predicate =
  | { readonly kind: 'all'; readonly of: readonly Predicate[] }
  | { readonly kind: 'any'; readonly of: readonly Predicate[] }
  | { readonly kind: 'not'; readonly of: Predicate }
  | {
      readonly kind: 'compare';
      readonly left: string;
      readonly operator: Comparison;
      readonly right: unknown;
      /** Prepared for a statement: the resolved expression that the field on the left is computed by. */
      readonly computed?: object;
      /** For `$below`: the records that are part of the tree; default: all. */
      readonly within?: Predicate;
      /** Of a comparison with a day: the zone in which instants have it, or what stands for it in a statement; default: UTC. */
      readonly zone?: unknown;
    }
  | { readonly kind: 'some'; readonly field: string; readonly of: Predicate };

/** A condition that does not follow the grammar. `path` is the JSON pointer of the error inside the condition. */
export class ConditionError extends Error {
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

const comparisons: ReadonlySet<string> = new Set([
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$contains',
]);

/**
 * Whether a left or right side is a variable such as `$actor.id` or `$today`.
 *
 * @example isVariable('$actor.id'); // true
 */
export function isVariable(value: unknown): value is string {
  return typeof value === 'string' && /^\$(actor|record|form|today|now|value|from|to)\b/.test(value);
}

/** How many conditions may be within each other, so that none can exhaust what parses, checks or translates it. */
const maxConditionDepth = 16;

/**
 * Parses a condition. `path` is its location, for messages, and `depth` the number of conditions around it. Throws
 * ConditionError for anything outside the grammar, and for more than `maxConditionDepth` levels. `{}` always matches.
 *
 * @example parseCondition({ amount: { $gt: 0 } }); // { kind: 'compare', … }
 */
export function parseCondition(condition: Condition, path = '', depth = 0): Predicate {
  assertDepth(path, depth);
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) {
    throw new ConditionError(path, 'A condition is an object such as {"status_id": 1}.');
  }
  return allOf(Object.entries(condition).map(([key, value]) => parseEntry(key, value, `${path}/${key}`, depth)));
}

function assertDepth(path: string, depth: number): void {
  if (depth > maxConditionDepth)
    throw new ConditionError(path, `This condition is nested too deeply: at most ${maxConditionDepth} levels.`);
}

function parseEntry(key: string, value: unknown, path: string, depth: number): Predicate {
  if (key === '$and') return allOf(parseMany(value, path, depth));
  if (key === '$or') return { kind: 'any', of: parseMany(value, path, depth) };
  if (key === '$nor') return { kind: 'not', of: { kind: 'any', of: parseMany(value, path, depth) } };
  if (key === '$not') return { kind: 'not', of: parseCondition(value as Condition, path, depth + 1) };
  if (key.startsWith('$') && !isVariable(key)) {
    throw new ConditionError(path, `Unknown operator ${key}; use $and, $or, $nor, $not or a variable.`);
  }
  const dot = key.startsWith('$') ? -1 : key.indexOf('.');
  if (dot >= 0) return parsePath(key, dot, value, path, depth);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return parseOperators(key, value, path, depth);
  return compare(key, Array.isArray(value) ? '$in' : '$eq', value, path);
}

/** `a.b.c: test` tests field `c` of the records that `a` and then `b` refer to: some of them must pass. */
function parsePath(key: string, dot: number, value: unknown, path: string, depth: number): Predicate {
  assertDepth(path, depth + 1);
  const rest = key.slice(dot + 1);
  if (!/^[a-z]\w*(\.[a-z]\w*)*$/.test(rest)) {
    throw new ConditionError(
      path,
      `"${key}" is not a path: write fields with dots between them, such as "stage_id.name".`,
    );
  }
  return { kind: 'some', field: key.slice(0, dot), of: parseEntry(rest, value, path, depth + 1) };
}

function parseOperators(left: string, operators: object, path: string, depth: number): Predicate {
  assertDepth(path, depth);
  const entries = Object.entries(operators);
  if (entries.length === 0)
    throw new ConditionError(path, 'An empty object compares nothing: name an operator such as $eq.');
  return allOf(
    entries.map(([operator, right]): Predicate => {
      const operatorPath = `${path}/${operator}`;
      if (operator === '$some')
        return { kind: 'some', field: left, of: parseCondition(right, operatorPath, depth + 1) };
      if (operator === '$exists') {
        if (typeof right !== 'boolean') throw new ConditionError(operatorPath, '$exists takes true or false.');
        return { kind: 'compare', left, operator: right ? '$ne' : '$eq', right: null };
      }
      if (operator === '$all') return parseAll(left, right, operatorPath);
      if (operator === '$below') return parseBelow(left, right, operatorPath);
      if (operator === '$not')
        return { kind: 'not', of: parseOperators(left, right as object, operatorPath, depth + 1) };
      if (!comparisons.has(operator)) throw new ConditionError(operatorPath, `Unknown operator ${operator}.`);
      return compare(left, operator as Comparison, right, operatorPath);
    }),
  );
}

/** `{ "tags": { "$all": ["a", "b"] } }` is equal to each of them, as a list with both is. */
function parseAll(left: string, right: unknown, path: string): Predicate {
  if (!Array.isArray(right) || right.length === 0)
    throw new ConditionError(path, '$all takes a list with at least one value.');
  return allOf(right.map((member, index) => compare(left, '$eq', member, `${path}/${index}`)));
}

function parseBelow(left: string, right: unknown, path: string): Predicate {
  const ids: readonly unknown[] = Array.isArray(right) ? right : [right];
  if (!ids.every((id) => id === null || Number.isInteger(id) || isVariable(id)))
    throw new ConditionError(path, '$below takes the id of a record, a list of ids, or a variable.');
  return { kind: 'some', field: left, of: { kind: 'compare', left: 'id', operator: '$below', right } };
}

function compare(left: string, operator: Comparison, right: unknown, path: string): Predicate {
  const takesList = operator === '$in' || operator === '$nin';
  if (takesList && !Array.isArray(right) && !isVariable(right))
    throw new ConditionError(path, `${operator} takes a list.`);
  if (!takesList && typeof right === 'object' && right !== null)
    throw new ConditionError(path, `${operator} takes one value.`);
  return { kind: 'compare', left, operator, right };
}

function parseMany(value: unknown, path: string, depth: number): Predicate[] {
  if (!Array.isArray(value)) throw new ConditionError(path, 'This must be a list of conditions.');
  return value.map((member, index) => parseCondition(member as Condition, `${path}/${index}`, depth + 1));
}

function allOf(predicates: readonly Predicate[]): Predicate {
  return predicates.length === 1 ? firstOf(predicates) : { kind: 'all', of: predicates };
}

import type { Condition } from '../definitions/definition';
import { isJsonObject, type JsonObject } from '../formats/json';
import { firstOf } from '../values/lookups';

export type ConditionOperator =
  | '$eq'
  | '$ne'
  | '$gt'
  | '$gte'
  | '$lt'
  | '$lte'
  | '$in'
  | '$nin'
  | '$all'
  | '$contains'
  | '$below'
  | '$exists'
  | '$some'
  | '$not';

/** One comparison: `status_id is one of 2, 3`. */
export interface RowPart {
  readonly kind: 'row';
  /** A field, or a variable such as `$actor.level`. */
  readonly left: string;
  readonly operator: ConditionOperator;
  /** The right side: a value, a variable, a list of them; `{}` for `$some`, `{"$some": {}}` for `$not`. */
  readonly value: unknown;
  /** How it was written: `"a": 1` rather than `"a": {"$eq": 1}`. */
  readonly short?: boolean;
}

/** Several parts: all of them, at least one, or none must match. */
export interface GroupPart {
  readonly kind: 'group';
  readonly join: 'all' | 'any' | 'none';
  readonly parts: readonly ConditionPart[];
  /** How it was written, if there are several forms. */
  readonly writtenAs?: '$and' | '$not';
}

/** A condition that the builder cannot show as rows: shown as JSON and written back unchanged. */
export interface RawPart {
  readonly kind: 'raw';
  readonly condition: Condition;
}

export type ConditionPart = RowPart | GroupPart | RawPart;

/**
 * Parses a condition for the builder. Writing it back gives exactly the same condition.
 *
 * @example readCondition({ state: 'open', amount: { $gt: 5 } }).parts.length; // 2
 */
export function readCondition(condition: Condition | undefined): GroupPart {
  const part = condition === undefined ? undefined : readPart(condition);
  if (part?.kind === 'group') return part;
  return { kind: 'group', join: 'all', parts: part ? [part] : [] };
}

/**
 * The condition of a group. An empty group matches everything: `{}`.
 *
 * @example writeCondition(readCondition({ state: 'open' })); // { state: 'open' }
 */
export function writeCondition(group: GroupPart): Condition {
  return writePart(group);
}

/** A condition object as a part: a row if it contains one comparison, otherwise a group. */
function readPart(condition: Condition): ConditionPart {
  const entries = Object.entries(condition);
  const parts = entries.flatMap(([key, value]) => readEntry(key, value));
  if (parts.length === 1 && (firstOf(parts).kind !== 'raw' || entries.length === 1)) return firstOf(parts);
  return { kind: 'group', join: 'all', parts };
}

const joinsByOperator: Readonly<Record<string, GroupPart['join']>> = { $and: 'all', $or: 'any', $nor: 'none' };

function readEntry(key: string, value: unknown): ConditionPart[] {
  const raw: ConditionPart[] = [{ kind: 'raw', condition: { [key]: value } }];
  const join = joinsByOperator[key];
  if (join !== undefined) {
    if (!Array.isArray(value) || !value.every(isJsonObject)) return raw;
    return [{ kind: 'group', join, parts: value.map(readPart), ...(key === '$and' && { writtenAs: '$and' as const }) }];
  }
  if (key === '$not')
    return isJsonObject(value) ? [{ kind: 'group', join: 'none', writtenAs: '$not', parts: [readPart(value)] }] : raw;
  if (Array.isArray(value)) return isScalarList(value) ? [row(key, '$in', value, true)] : raw;
  if (!isJsonObject(value)) return [row(key, '$eq', value, true)];
  const operations = Object.entries(value);
  const rows = operations.map(([operator, right]) => readOperation(key, operator, right));
  return rows.length > 0 && rows.every((part) => part !== undefined) ? rows : raw;
}

const comparisonOperators: ReadonlySet<string> = new Set([
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$all',
  '$contains',
  '$below',
]);

function readOperation(left: string, operator: string, value: unknown): RowPart | undefined {
  const isNothing = (operand: unknown) => isJsonObject(operand) && Object.keys(operand).length === 0;
  if (operator === '$some') return isNothing(value) ? row(left, '$some', value) : undefined;
  if (operator === '$not') {
    const isNone = isJsonObject(value) && Object.keys(value).length === 1 && isNothing(value.$some);
    return isNone ? row(left, '$not', value) : undefined;
  }
  if (operator === '$exists') return typeof value === 'boolean' ? row(left, '$exists', value) : undefined;
  if (!comparisonOperators.has(operator) || isJsonObject(value) || (Array.isArray(value) && !isScalarList(value)))
    return undefined;
  const short = operator === '$eq' || operator === '$in' ? false : undefined;
  return row(left, operator as ConditionOperator, value, short);
}

function row(left: string, operator: ConditionOperator, value: unknown, short?: boolean): RowPart {
  return { kind: 'row', left, operator, value, ...(short !== undefined && { short }) };
}

function isScalarList(list: readonly unknown[]): boolean {
  return list.every((member) => typeof member !== 'object' || member === null);
}

function writePart(part: ConditionPart): Condition {
  if (part.kind === 'raw') return part.condition;
  if (part.kind === 'row') return { [part.left]: writeOperand(part) };
  const parts = () => part.parts.map(writePart);
  if (part.join === 'any') return { $or: parts() };
  if (part.join === 'none')
    return part.writtenAs === '$not' && part.parts.length === 1 ? { $not: parts()[0] } : { $nor: parts() };
  return (part.writtenAs === '$and' ? undefined : mergeParts(part.parts)) ?? { $and: parts() };
}

/** All parts in one object; undefined if two of them need the same key. */
function mergeParts(parts: readonly ConditionPart[]): Condition | undefined {
  const object: Record<string, unknown> = {};
  let last = '';
  for (const part of parts) {
    for (const [key, value] of Object.entries(writePart(part))) {
      const oldValue = object[key];
      if (!Object.hasOwn(object, key)) object[key] = value;
      else if (
        key === last &&
        part.kind === 'row' &&
        isJsonObject(oldValue) &&
        isJsonObject(value) &&
        !sharesKeys(oldValue, value)
      )
        object[key] = { ...oldValue, ...value };
      else return undefined;
      last = key;
    }
  }
  return object;
}

function sharesKeys(left: JsonObject, right: JsonObject): boolean {
  return Object.keys(right).some((key) => Object.hasOwn(left, key));
}

function writeOperand({ operator, value, short }: RowPart): unknown {
  if (operator === '$eq' && short !== false && !Array.isArray(value)) return value;
  if (operator === '$in' && short === true && Array.isArray(value)) return value;
  return { [operator]: value };
}

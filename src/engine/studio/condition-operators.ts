import { fieldTypes, type ValueKind } from '../field-types';
import type { FieldTypeName } from '../definitions/definition';
import { keysOf } from '../field-types/field-keys';
import { isVariable } from '../conditions/grammar';
import { describeRelativeTime, parseRelativeTime } from '../conditions/relative-time';
import type { RowPart, ConditionOperator } from './condition-builder';
import { isSameJson } from '../formats/json';
import system from '../normalise/system-fields.json';
import { requireValue } from '../values/lookups';

/** An operator as offered to users. */
export interface OperatorOption {
  /** Unique among the operators. */
  readonly key: string;
  readonly label: string;
  readonly operator: ConditionOperator;
  /** How many values it compares with; for `none`, `value` is the value to write. */
  readonly valueCount: 'none' | 'one' | 'many';
  readonly value?: unknown;
}

const operatorOption = (
  words: string,
  operator: ConditionOperator,
  valueCount: OperatorOption['valueCount'] = 'one',
  value?: unknown,
): OperatorOption => ({
  key: words,
  label: words,
  operator,
  valueCount,
  ...(value !== undefined && { value }),
});

const isOperator = operatorOption('is', '$eq');
const isNot = operatorOption('is not', '$ne');
const oneOf = operatorOption('is one of', '$in', 'many');
const noneOf = operatorOption('is none of', '$nin', 'many');
const empty = [
  operatorOption('is empty', '$exists', 'none', false),
  operatorOption('is not empty', '$exists', 'none', true),
];
const text = [isOperator, isNot, oneOf, noneOf, operatorOption('contains', '$contains'), ...empty];
const number = [
  isOperator,
  isNot,
  operatorOption('is less than', '$lt'),
  operatorOption('is at most', '$lte'),
  operatorOption('is more than', '$gt'),
  operatorOption('is at least', '$gte'),
  oneOf,
  noneOf,
  ...empty,
];
const dateOperators = [
  isOperator,
  isNot,
  operatorOption('is before', '$lt'),
  operatorOption('is on or before', '$lte'),
  operatorOption('is after', '$gt'),
  operatorOption('is on or after', '$gte'),
  ...empty,
];
const relationOperators = [
  operatorOption('include', '$eq'),
  operatorOption('include one of', '$in', 'many'),
  operatorOption('include all of', '$all', 'many'),
  operatorOption('do not include', '$ne'),
  operatorOption('are empty', '$not', 'none', { $some: {} }),
  operatorOption('are not empty', '$some', 'none', {}),
];
/** For relations to records that are a tree. */
const belowOperator = operatorOption('is or is below', '$below', 'many');
const choiceOperators = [oneOf, noneOf, isOperator, isNot, ...empty];

const operatorsByKind: Readonly<Record<ValueKind, readonly OperatorOption[]>> = {
  text,
  number,
  boolean: [isOperator, isNot, ...empty],
  day: dateOperators,
  time: dateOperators,
  instant: dateOperators,
  minutes: number,
  record: choiceOperators,
  records: relationOperators,
  referrers: relationOperators,
  rows: empty,
  object: empty,
};

/**
 * The operators for a field type; `toTree`: of a relation to records that are a tree.
 *
 * @example operatorsFor('date').map(({ label }) => label); // ['is', 'is before', …]
 */
export function operatorsFor(type: FieldTypeName, toTree = false): readonly OperatorOption[] {
  const { holds: valueKind, isHashed, onlyPresence } = fieldTypes[type];
  if (isHashed || onlyPresence) return empty;
  if (toTree && (valueKind === 'record' || valueKind === 'records'))
    return [...operatorsByKind[valueKind], belowOperator];
  return keysOf(type).includes('options') ? choiceOperators : operatorsByKind[valueKind];
}

/**
 * The operator of a row. One that is unusual for the type gets a generic label.
 *
 * @example operatorOf(row, 'date').label; // 'is before'
 */
export function operatorOf(row: RowPart, type: FieldTypeName): OperatorOption {
  const candidates = operatorsFor(type).filter((option) => option.operator === row.operator);
  const fixedOption = candidates.find((option) => option.valueCount === 'none' && isSameJson(option.value, row.value));
  const open = candidates.find((option) => option.valueCount !== 'none');
  const emptyOption =
    row.value === null ? operatorsFor(type).find((option) => meansEmpty(option, row.operator)) : undefined;
  const matchingOption = emptyOption ?? fixedOption ?? open;
  if (matchingOption) return matchingOption;
  const knownOption = [...number, ...text, ...relationOperators, belowOperator].find(
    (option) =>
      option.operator === row.operator && (option.valueCount !== 'none' || isSameJson(option.value, row.value)),
  );
  return knownOption ?? operatorOption(row.operator, row.operator);
}

function meansEmpty({ operator, value }: OperatorOption, rowOperator: ConditionOperator): boolean {
  return (
    operator === '$exists' && ((rowOperator === '$eq' && value === false) || (rowOperator === '$ne' && value === true))
  );
}

/**
 * The row with another operator; its value is kept if it fits, otherwise undefined.
 *
 * @example withOperator(row, operatorsFor('date')[2]!);
 */
export function withOperator(row: RowPart, next: OperatorOption): RowPart {
  const { short: _short, ...rest } = row;
  if (next.valueCount === 'none') return { ...rest, operator: next.operator, value: next.value };
  const oldValue =
    typeof row.value === 'boolean' || (typeof row.value === 'object' && !Array.isArray(row.value))
      ? undefined
      : row.value;
  const value =
    next.valueCount === 'many'
      ? oldValue === undefined || Array.isArray(oldValue) || isVariable(oldValue)
        ? oldValue
        : [oldValue]
      : Array.isArray(oldValue)
        ? (oldValue as unknown[])[0]
        : oldValue;
  return { ...rest, operator: next.operator, value: row.operator === '$exists' ? undefined : value };
}

/**
 * Whether a row is complete: it has a value to compare with.
 *
 * @example isComplete({ kind: 'row', left: 'state', operator: '$in', value: [] }); // false
 */
export function isComplete({ value }: RowPart): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/**
 * Variables that a value of a type can be compared with, with their labels.
 *
 * @example variablesFor('date').map(({ value }) => value); // ['$today', …]
 */
export function variablesFor(type: FieldTypeName, target?: string): { value: string; words: string }[] {
  const { holds: valueKind } = fieldTypes[type];
  const today = { value: '$today', words: 'today' };
  // Where the typed text can be changed to any other number of days or hours.
  const relative = (value: string) => ({
    value,
    words: describeRelativeTime(requireValue(parseRelativeTime(value), value)),
  });
  if (valueKind === 'day') return [today, ...['$today-7d', '$today+7d', '$today+1m'].map(relative)];
  if (valueKind === 'instant') return [{ value: '$now', words: 'now' }, ...['$now-1h', '$now+1h'].map(relative), today];
  if (valueKind !== 'record' && valueKind !== 'records' && valueKind !== 'referrers') return [];
  // The signed-in user and their company are records of the resources that stamps and companies refer to.
  if (target === system.every.created_by.to) return [{ value: '$actor.id', words: 'the person signed in' }];
  return target === system.company.site_id.to ? [{ value: '$actor.site_id', words: 'their company' }] : [];
}

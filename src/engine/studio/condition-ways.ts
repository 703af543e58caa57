import type { FieldTypeName } from '../definitions/definition';
import { isVariable } from '../conditions/grammar';
import type { Row, RowOperator } from './condition-builder';
import { same } from './json';
import system from '../definitions/system-fields.json';

/** An operator as offered to users. */
export interface Way {
  /** Unique among the operators. */
  readonly key: string;
  readonly words: string;
  readonly operator: RowOperator;
  /** How many values it compares with; for `none`, `value` is the value to write. */
  readonly takes: 'none' | 'one' | 'many';
  readonly value?: unknown;
}

const way = (words: string, operator: RowOperator, takes: Way['takes'] = 'one', value?: unknown): Way => ({
  key: words,
  words,
  operator,
  takes,
  ...(value !== undefined && { value }),
});

const is = way('is', '$eq');
const isNot = way('is not', '$ne');
const oneOf = way('is one of', '$in', 'many');
const noneOf = way('is none of', '$nin', 'many');
const empty = [way('is empty', '$exists', 'none', false), way('is not empty', '$exists', 'none', true)];
const text = [is, isNot, oneOf, noneOf, way('contains', '$contains'), ...empty];
const number = [
  is,
  isNot,
  way('is less than', '$lt'),
  way('is at most', '$lte'),
  way('is more than', '$gt'),
  way('is at least', '$gte'),
  oneOf,
  noneOf,
  ...empty,
];
const moment = [
  is,
  isNot,
  way('is before', '$lt'),
  way('is on or before', '$lte'),
  way('is after', '$gt'),
  way('is on or after', '$gte'),
  ...empty,
];
const related = [
  way('include', '$eq'),
  way('include one of', '$in', 'many'),
  way('do not include', '$ne'),
  way('are empty', '$not', 'none', { $some: {} }),
  way('are not empty', '$some', 'none', {}),
];
const chosen = [oneOf, noneOf, is, isNot, ...empty];

const ways: Readonly<Record<FieldTypeName, readonly Way[]>> = {
  text,
  textarea: text,
  richText: text,
  email: text,
  url: text,
  phone: text,
  icon: text,
  password: empty,
  number,
  boolean: [is, isNot, ...empty],
  date: moment,
  time: moment,
  datetime: moment,
  select: chosen,
  relation: chosen,
  relations: related,
  inverse: related,
  json: empty,
  permissions: empty,
  image: empty,
  duration: empty,
  shareLink: empty,
};

/** The operators for a field type. */
export function waysOf(type: FieldTypeName): readonly Way[] {
  return ways[type];
}

/** The operator of a row. One that is unusual for the type gets a generic label. */
export function wayOf(row: Row, type: FieldTypeName): Way {
  const fitting = waysOf(type).filter((one) => one.operator === row.operator);
  const fixed = fitting.find((one) => one.takes === 'none' && same(one.value, row.value));
  const open = fitting.find((one) => one.takes !== 'none');
  const nothing = row.value === null ? waysOf(type).find((one) => meansNothing(one, row.operator)) : undefined;
  if (nothing ?? fixed ?? open) return (nothing ?? fixed ?? open)!;
  const known = [...number, ...text, ...related].find(
    (one) => one.operator === row.operator && (one.takes !== 'none' || same(one.value, row.value)),
  );
  return known ?? way(row.operator, row.operator);
}

function meansNothing({ operator, value }: Way, asked: RowOperator): boolean {
  return operator === '$exists' && ((asked === '$eq' && value === false) || (asked === '$ne' && value === true));
}

/** The row with another operator; its value is kept if it fits, otherwise undefined. */
export function compareBy(row: Row, next: Way): Row {
  const { short: _short, ...rest } = row;
  if (next.takes === 'none') return { ...rest, operator: next.operator, value: next.value };
  const old =
    typeof row.value === 'boolean' || (typeof row.value === 'object' && !Array.isArray(row.value))
      ? undefined
      : row.value;
  const value =
    next.takes === 'many'
      ? old === undefined || Array.isArray(old) || isVariable(old)
        ? old
        : [old]
      : Array.isArray(old)
        ? (old as unknown[])[0]
        : old;
  return { ...rest, operator: next.operator, value: row.operator === '$exists' ? undefined : value };
}

/** Whether a row is complete: it has a value to compare with. */
export function isWhole({ value }: Row): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** Variables that a value of a type can be compared with, with their labels. */
export function variablesFor(type: FieldTypeName, to?: string): { value: string; words: string }[] {
  if (type === 'date') return [{ value: '$today', words: 'today' }];
  if (type === 'datetime')
    return [
      { value: '$now', words: 'now' },
      { value: '$today', words: 'today' },
    ];
  if (type !== 'relation' && type !== 'relations' && type !== 'inverse') return [];
  // The signed-in user and their company are records of the resources that stamps and companies refer to.
  if (to === system.every.created_by.to) return [{ value: '$actor.id', words: 'the person signed in' }];
  return to === system.company.site_id.to ? [{ value: '$actor.site_id', words: 'their company' }] : [];
}

import { compareValues } from '../conditions/match-condition';
import type { Comparison } from '../conditions/grammar';
import { dayInTimeZone, daysBetween } from '../formats/dates';
import { addDays, addMilliseconds, addMonths, milliseconds, monthsBetween, partOf } from './calendar';
import * as decimals from './decimal';
import type { Decimal } from './decimal';

/** The type of an expression's value. `date` is a day, `instant` a day with its time. */
export type ExpressionType = 'number' | 'text' | 'date' | 'instant' | 'boolean';

/** A value while an expression is calculated: numbers are exact, days and instants are texts. */
export type ExpressionValue = Decimal | string | boolean | null;

/**
 * The type that an argument must have. `any`: anything that can be written as text. `same`: of one type with the other arguments;
 * `ordered`: that too, and of a type with an order. `digits`: a whole number that is written out. `calendar`: the name of
 * one that is written out.
 */
export type ArgumentType = ExpressionType | 'any' | 'same' | 'ordered' | 'digits' | 'calendar';

/** One operator: what it takes and gives, and how it is calculated in memory. `sql/computed-sql.ts` has its SQL. */
export interface Operator {
  readonly takes: readonly ArgumentType[];
  /** The last argument may be repeated. */
  readonly repeats?: true;
  /** So many arguments at the end can be left out. */
  readonly optional?: number;
  readonly gives: ExpressionType | 'same';
  /** It needs the calendars of the record's company, which only the database has. */
  readonly usesCalendar?: true;
  /** Called with nulls too; the others give null for any null. */
  readonly takesNull?: true;
  evaluate(values: readonly ExpressionValue[], timeZone: string): ExpressionValue;
}

const numbers = (calculate: (one: Decimal, other: Decimal) => Decimal | undefined) => (values: readonly unknown[]) =>
  (values as readonly Decimal[]).reduce<Decimal | undefined>(
    (left, right, index) => (index === 0 ? right : left && calculate(left, right)),
    undefined,
  ) ?? null;

const onNumber = (calculate: (one: Decimal) => Decimal): Operator => ({
  takes: ['number'],
  gives: 'number',
  evaluate: ([value]) => calculate(value as Decimal),
});

const onText = (calculate: (text: string) => string): Operator => ({
  takes: ['text'],
  gives: 'text',
  evaluate: ([text]) => calculate(text as string),
});

const partOfDay = (part: 'year' | 'month' | 'day'): Operator => ({
  takes: ['date'],
  gives: 'number',
  evaluate: ([date]) => toWhole(partOf(date as string, part)),
});

const toWhole = (value: number): Decimal => ({ units: BigInt(value), scale: 0 });

/** Moves an instant by a number of units, fractions included: exact time, whatever the clocks do meanwhile. */
const addUnits = (unit: number): Operator => ({
  takes: ['instant', 'number'],
  gives: 'instant',
  evaluate: ([instant, count = null]) => {
    const length = decimals.toInteger(decimals.multiply(count as Decimal, toWhole(unit)));
    return addMilliseconds(instant as string, length) ?? null;
  },
});

const unitsBetween = (unit: number): Operator => ({
  takes: ['instant', 'instant'],
  gives: 'number',
  evaluate: ([start, end]) =>
    decimals.divide(toWhole(Date.parse(end as string) - Date.parse(start as string)), toWhole(unit)) ?? null,
});

/** More days than there are in all years, so that a greater number changes nothing. */
export const mostDays = 4_000_000;

/** A number of days, months or characters; fractions are cut. */
function count(value: ExpressionValue): number {
  const integer = decimals.toInteger(value as Decimal);
  return Number(integer > mostDays ? mostDays : integer < -mostDays ? -mostDays : integer);
}

const extreme = (sign: 1 | -1): Operator => ({
  takes: ['ordered'],
  repeats: true,
  gives: 'same',
  takesNull: true,
  evaluate: (values) =>
    values.reduce((extremeValue, value) =>
      value === null || (extremeValue !== null && sign * order(value, extremeValue) <= 0) ? extremeValue : value,
    ),
});

function order(left: ExpressionValue, right: ExpressionValue): number {
  if (isDecimal(left) && isDecimal(right)) return decimals.compare(left, right);
  return compareValues(left, '$gt', right) ? 1 : compareValues(left, '$lt', right) ? -1 : 0;
}

function isDecimal(value: ExpressionValue): value is Decimal {
  return typeof value === 'object' && value !== null;
}

const comparison = (operator: Comparison): Operator => ({
  takes: operator === '$eq' || operator === '$ne' ? ['same', 'same'] : ['ordered', 'ordered'],
  gives: 'boolean',
  takesNull: true,
  evaluate: ([left = null, right = null]) => {
    if (!isDecimal(left) || !isDecimal(right)) return compareValues(left, operator, right);
    return compareValues(decimals.compare(left, right), operator, 0);
  },
});

/** As `$concat` writes a value. */
function toText(value: ExpressionValue): string {
  return value === null ? '' : isDecimal(value) ? decimals.toPlainText(value) : String(value);
}

const characters = (text: ExpressionValue) => Array.from(text as string);

/** Every operator of expressions but `$if` and `$literal`, whose arguments are of another kind. */
export const operators = {
  $add: { takes: ['number'], repeats: true, gives: 'number', evaluate: numbers(decimals.add) },
  $subtract: { takes: ['number', 'number'], gives: 'number', evaluate: numbers(decimals.subtract) },
  $multiply: { takes: ['number'], repeats: true, gives: 'number', evaluate: numbers(decimals.multiply) },
  $divide: { takes: ['number', 'number'], gives: 'number', evaluate: numbers(decimals.divide) },
  $round: {
    takes: ['number', 'digits'],
    optional: 1,
    gives: 'number',
    evaluate: ([value, digits]) => decimals.round(value as Decimal, digits ? count(digits) : 0),
  },
  $floor: onNumber(decimals.floor),
  $ceil: onNumber(decimals.ceil),
  $abs: onNumber(({ units, scale }) => ({ units: units < 0n ? -units : units, scale })),
  $min: extreme(-1),
  $max: extreme(1),
  $concat: {
    takes: ['any'],
    repeats: true,
    gives: 'text',
    takesNull: true,
    evaluate: (values) => values.map(toText).join(''),
  },
  $lower: onText((text) => text.toLowerCase()),
  $upper: onText((text) => text.toUpperCase()),
  $trim: onText((text) => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')),
  $left: {
    takes: ['text', 'number'],
    gives: 'text',
    evaluate: ([text, length = null]) =>
      characters(text ?? null)
        .slice(0, Math.max(count(length), 0))
        .join(''),
  },
  $right: {
    takes: ['text', 'number'],
    gives: 'text',
    evaluate: ([text, length = null]) => {
      const textCharacters = characters(text ?? null);
      return textCharacters.slice(Math.max(textCharacters.length - Math.max(count(length), 0), 0)).join('');
    },
  },
  $length: { takes: ['text'], gives: 'number', evaluate: ([text]) => toWhole(characters(text ?? null).length) },
  $coalesce: {
    takes: ['same'],
    repeats: true,
    gives: 'same',
    takesNull: true,
    evaluate: (values) => values.find((value) => value !== null) ?? null,
  },
  $daysBetween: {
    takes: ['date', 'date'],
    gives: 'number',
    evaluate: ([startDate, endDate]) => toWhole(daysBetween(startDate as string, endDate as string)),
  },
  $monthsBetween: {
    takes: ['date', 'date'],
    gives: 'number',
    evaluate: ([startDate, endDate]) => toWhole(monthsBetween(startDate as string, endDate as string)),
  },
  $yearsBetween: {
    takes: ['date', 'date'],
    gives: 'number',
    evaluate: ([startDate, endDate]) =>
      toWhole(Math.trunc(monthsBetween(startDate as string, endDate as string) / 12) || 0),
  },
  $addDays: {
    takes: ['date', 'number'],
    gives: 'date',
    evaluate: ([date, days = null]) => addDays(date as string, count(days)) ?? null,
  },
  $addMonths: {
    takes: ['date', 'number'],
    gives: 'date',
    evaluate: ([date, months = null]) => addMonths(date as string, count(months)) ?? null,
  },
  $minutesBetween: unitsBetween(milliseconds.minute),
  $hoursBetween: unitsBetween(milliseconds.hour),
  $addMinutes: addUnits(milliseconds.minute),
  $addHours: addUnits(milliseconds.hour),
  $addWorkingHours: {
    takes: ['instant', 'number', 'calendar'],
    optional: 1,
    gives: 'instant',
    usesCalendar: true,
    evaluate: () => null,
  },
  $workingDays: {
    takes: ['date', 'date', 'calendar'],
    optional: 1,
    gives: 'number',
    usesCalendar: true,
    evaluate: () => null,
  },
  $year: partOfDay('year'),
  $month: partOfDay('month'),
  $day: partOfDay('day'),
  $dayOf: {
    takes: ['instant'],
    gives: 'date',
    evaluate: ([instant], timeZone) => dayInTimeZone(timeZone, new Date(instant as string)),
  },
  $eq: comparison('$eq'),
  $ne: comparison('$ne'),
  $gt: comparison('$gt'),
  $gte: comparison('$gte'),
  $lt: comparison('$lt'),
  $lte: comparison('$lte'),
} as const satisfies Readonly<Record<string, Operator>>;

export type OperatorName = keyof typeof operators;

/** The operator of a name; undefined if there is none. */
export function operatorOf(name: string): Operator | undefined {
  return Object.hasOwn(operators, name) ? operators[name as OperatorName] : undefined;
}

import type { ColumnType } from '../../engine/field-types';
import { isDecimal } from '../sql/operands';

/** How values of one column type are converted to another: `lossless` if every value keeps its meaning. */
export interface Conversion {
  readonly lossless: boolean;
  /** An SQL expression that converts the quoted column. */
  readonly expression: string;
  /** An SQL condition, true for values that can't be converted, or not to the same value. */
  readonly lossCondition: string;
}

type SqlWriter = (column: string) => string;

const isoText: SqlWriter = (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const cast =
  (type: string): SqlWriter =>
  (column) =>
    `${column}::${type}`;

/** Lossless conversions, by "from to". */
const widening: Readonly<Record<string, SqlWriter>> = {
  'integer bigint': cast('bigint'),
  'integer double precision': cast('double precision'),
  // Ids are numbers of JSON, and so are exact.
  'bigint double precision': cast('double precision'),
  'numeric double precision': cast('double precision'),
  'numeric text': (column) => `trim_scale(${column})::text`,
  'date timestamptz(3)': (column) => `(${column}::timestamp at time zone 'UTC')`,
  'timestamptz(3) text': isoText,
};

const timeOfDayPattern =
  '^([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])?)?$';

/** A value for texts that start with a valid date: PostgreSQL would fail on the 31st of February. */
function whenValidDay(column: string, value: string): string {
  const lastDay = `extract(day from (left(${column}, 7) || '-01')::date + interval '1 month - 1 day')`;
  return (
    `case when ${column} ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])' and ${column} !~ '^0000' then ` +
    `case when substr(${column}, 9, 2)::integer <= ${lastDay} then ${value} end end`
  );
}

/** Which values become others that look like them, where a conversion has such: a number other than 0 and 1 becomes true. */
const losslessCasts: Readonly<Record<string, SqlWriter>> = {
  'double precision integer': (column) => `${column} <> round(${column})`,
  'numeric integer': (column) => `${column} <> round(${column})`,
  'double precision bigint': (column) => `${column} <> round(${column})`,
  'numeric bigint': (column) => `${column} <> round(${column})`,
  'integer boolean': (column) => `${column} not in (0, 1)`,
  'bigint boolean': (column) => `${column} not in (0, 1)`,
  'timestamptz(3) date': (column) => `${column} <> date_trunc('day', ${column}, 'UTC')`,
  'text date': (column) => `substr(${column}, 11) <> ''`,
};

/** Conversions that may lose values; a value that can't be converted becomes null. */
const lossyCasts: Readonly<Record<string, SqlWriter>> = {
  'text integer': (column) => `case when ${column} ~ '^ *[+-]?[0-9]{1,9} *$' then ${column}::integer end`,
  'text double precision': (column) =>
    `case when ${column} ~ '^ *[+-]?[0-9]{1,15}([.][0-9]+)? *$' then ${column}::double precision end`,
  'text boolean': (column) =>
    `case when lower(${column}) in ('true', 'yes', '1') then true when lower(${column}) in ('false', 'no', '0') then false end`,
  'text date': (column) => whenValidDay(column, `left(${column}, 10)::date`),
  'text timestamptz(3)': (column) =>
    whenValidDay(column, `case when substr(${column}, 11) ~ '${timeOfDayPattern}' then ${column}::timestamptz end`),
  'double precision integer': (column) => `case when abs(${column}) <= 2147483647 then round(${column})::integer end`,
  'numeric integer': (column) => `case when abs(${column}) <= 2147483647 then round(${column})::integer end`,
  'bigint integer': (column) => `case when abs(${column}) <= 2147483647 then ${column}::integer end`,
  'text bigint': (column) => `case when ${column} ~ '^ *[+-]?[0-9]{1,15} *$' then ${column}::bigint end`,
  'double precision bigint': (column) =>
    `case when abs(${column}) <= 9007199254740991 then round(${column})::bigint end`,
  'numeric bigint': (column) => `case when abs(${column}) <= 9007199254740991 then round(${column})::bigint end`,
  'integer boolean': (column) => `${column} <> 0`,
  'bigint boolean': (column) => `${column} <> 0`,
  'boolean integer': cast('integer'),
  'boolean bigint': (column) => `${column}::integer::bigint`,
  'timestamptz(3) date': (column) => `(${column} at time zone 'UTC')::date`,
};

/**
 * The conversion to exact numbers: what is too great for the column becomes null, and what has more decimals is rounded.
 * Both count as lost.
 */
function toDecimal(fromType: string, toType: string, column: string): Conversion | undefined {
  const digits = Number(/^numeric\(15,(\d+)\)$/.exec(toType)?.[1]);
  if (!/^(text|integer|bigint|double precision|numeric\(15,\d+\))$/.test(fromType)) return undefined;
  const limit = `1e${15 - digits}`;
  const isNumber = `${column} ~ '^ *[+-]?[0-9]{1,15}([.][0-9]{1,15})? *$'`;
  // In a case of its own: PostgreSQL must not convert what is no number.
  const number = fromType === 'text' ? `case when ${isNumber} then ${column}::numeric end` : `${column}::numeric`;
  const expression = `case when abs(${number}) < ${limit} - 0.5 / 1e${digits} then round(${number}, ${digits})::${toType} end`;
  const lossCondition = `${column} is not null and ((${expression}) is null or (${expression}) <> (${number}))`;
  return { lossless: fromType === 'integer' && digits <= 5, expression, lossCondition };
}

/** A value becomes a list of it; of a list that becomes one value, the first stays, and the others count as lost. */
function listConversion(fromType: string, toType: string, column: string): Conversion | undefined {
  if (toType === `${fromType}[]`)
    return {
      lossless: true,
      expression: `case when ${column} is not null then array[${column}] end`,
      lossCondition: 'false',
    };
  if (fromType === `${toType}[]`)
    return { lossless: false, expression: `${column}[1]`, lossCondition: `cardinality(${column}) > 1` };
  if (fromType === 'integer[]' && toType === 'text[]')
    return { lossless: true, expression: `${column}::text[]`, lossCondition: 'false' };
  if (fromType.endsWith('[]') && toType === 'text')
    return { lossless: true, expression: `array_to_string(${column}, ', ')`, lossCondition: 'false' };
  return undefined;
}

/** The conversion from one column type to another. Without a known one, all values become null. */
export function conversion(fromType: string, toType: ColumnType, column: string): Conversion {
  const list = listConversion(fromType, toType, column);
  if (list) return list;
  const exact = isDecimal(toType) ? toDecimal(fromType, toType, column) : undefined;
  if (exact) return exact;
  const key = `${isDecimal(fromType) ? 'numeric' : fromType} ${toType}`;
  const losslessCast =
    widening[key] ??
    (toType === 'text' ? cast('text') : toType === 'jsonb' ? (c: string) => `to_jsonb(${c})` : undefined);
  if (losslessCast) return { lossless: true, expression: losslessCast(column), lossCondition: 'false' };
  const expression = (lossyCasts[key] ?? (() => `null::${toType}`))(column);
  const altered = losslessCasts[key] ? ` or ${losslessCasts[key](column)}` : '';
  return {
    lossless: false,
    expression,
    lossCondition: `${column} is not null and ((${expression}) is null${altered})`,
  };
}

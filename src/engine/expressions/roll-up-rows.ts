import type { Field, FieldOf, ResourceRecord } from '../definitions/definition';
import { minutesBetween } from '../field-types/duration';
import { add, compare, divide, type Decimal } from './decimal';
import type { Rollup } from './derivations';
import { operators, type ExpressionValue } from './operators';

/** How the cells of rows are read, and which rows count. */
interface RowReading {
  readonly counts: (row: ResourceRecord) => boolean;
  readonly read: (column: Field, cell: unknown) => ExpressionValue;
}

/**
 * The value that a rollup takes from the rows of a record, in their order; null where there is nothing to take. SQL computes the
 * same values.
 *
 * @example rollUpRows({ rows: 'lines', take: 'sum', field: 'amount' }, lines, record.lines, reading); // 12.5, as a decimal
 */
export function rollUpRows(
  { take, field, by: orderField }: Rollup,
  { columns }: FieldOf<'rows'>,
  storedRows: readonly ResourceRecord[],
  { counts, read }: RowReading,
): ExpressionValue {
  const rows = withDurations(Object.values(columns), storedRows);
  const countedRows = rows.filter(counts);
  const cell = (row: ResourceRecord, name: string | undefined) => {
    const column = name === undefined ? undefined : columns[name];
    return column ? read(column, row[column.name]) : null;
  };
  const values = countedRows.map((row) => cell(row, field)).filter((value) => value !== null);
  const sum = () => (values as Decimal[]).reduce(add, toWhole(0));
  switch (take) {
    case 'count':
      return toWhole(countedRows.length);
    case 'share':
      return divide(toWhole(countedRows.length * 100), toWhole(rows.length)) ?? null;
    case 'sum':
      return sum();
    case 'avg':
      return divide(sum(), toWhole(values.length)) ?? null;
    case 'min':
    case 'max':
      return values.length === 0 ? null : operators[take === 'min' ? '$min' : '$max'].evaluate(values, 'UTC');
    case 'latest': {
      const last =
        orderField === undefined ? countedRows.at(-1) : latestBy(countedRows, (row) => cell(row, orderField));
      return last ? cell(last, field) : null;
    }
  }
}

/** Rows with their durations in minutes: those that are being edited have only the times. */
function withDurations(columns: readonly Field[], rows: readonly ResourceRecord[]): readonly ResourceRecord[] {
  const spans = columns.flatMap(({ name, span }) => (span ? [{ name, ...span }] : []));
  if (spans.length === 0) return rows;
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(
      spans.map(({ name, from: startField, to: endField }) => [
        name,
        minutesBetween(row[startField], row[endField]) ?? null,
      ]),
    ),
  }));
}

function toWhole(value: number): Decimal {
  return { units: BigInt(value), scale: 0 };
}

/** The row with the greatest value, the last of several; rows without one are left out. */
function latestBy(
  rows: readonly ResourceRecord[],
  valueOf: (row: ResourceRecord) => ExpressionValue,
): ResourceRecord | undefined {
  let latest: { readonly row: ResourceRecord; readonly value: Decimal | string } | undefined;
  for (const row of rows) {
    const value = valueOf(row);
    if (value === null || typeof value === 'boolean') continue;
    if (!latest || isAtLeast(value, latest.value)) latest = { row, value };
  }
  return latest?.row;
}

function isAtLeast(value: Decimal | string, bound: Decimal | string): boolean {
  if (typeof value === 'object' && typeof bound === 'object') return compare(value, bound) >= 0;
  return value >= bound;
}

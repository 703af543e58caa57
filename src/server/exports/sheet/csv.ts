import papa from 'papaparse';
import type { Cell } from '../../../engine/field-types';
import { formulaStart } from '../../../engine/exports/formulas';
import { writtenMinute } from '../../../engine/formats/wall-clock';
import type { CsvOptions, Sheet, SheetOptions } from './sheet';
import { propertyOf } from '../../../engine/values/lookups';

const encoder = new TextEncoder();

/**
 * Comma-separated values (RFC 4180) with a byte order mark, by which spreadsheets recognise UTF-8, unless `csv` says
 * otherwise. An apostrophe is before text that they would take for a formula, even if it is quoted; numbers stay numbers. Dates are
 * `YYYY-MM-DD`, instants `YYYY-MM-DD HH:mm` in the reader's time zone (with its offset where
 * clocks show the same twice), durations decimal hours.
 */
export function csvSheet({ headings, timeZone, csv }: SheetOptions): Sheet {
  let hasBegun = false;
  const options = {
    delimiter: csv?.separator ?? ',',
    newline: '\r\n',
    quotes: (value: unknown) => typeof value === 'string' && value.startsWith("'") && formulaStart.test(value),
  };
  const lines = (rows: readonly (readonly Cell[])[]) =>
    `${papa.unparse(
      rows.map((cells) => cells.map((cell) => escapeFormula(cell, writeCell(cell, { timeZone, csv })))),
      options,
    )}\r\n`;
  const start = () => {
    if (hasBegun) return '';
    hasBegun = true;
    const mark = csv?.encoding === 'utf-8' ? '' : '\uFEFF';
    return mark + (csv?.header === false ? '' : lines([headings]));
  };
  return {
    rows: (rows) => encoder.encode(start() + (rows.length > 0 ? lines(rows) : '')),
    end: () => encoder.encode(start()),
  };
}

/** A negative number with a decimal comma is a text, and no formula: only the texts of cells are escaped. */
function escapeFormula(cell: Cell, cellValue: string | number | null): string | number | null {
  return typeof cell === 'string' && formulaStart.test(cell) ? `'${cell}` : cellValue;
}

/** A cell as comma-separated values have it. */
export function writeCell(
  cell: Cell,
  { timeZone, csv }: Pick<SheetOptions, 'timeZone' | 'csv'>,
): string | number | null {
  if (typeof cell === 'number') return writeNumber(cell, csv);
  if (cell === null || typeof cell !== 'object') return cell;
  if ('hours' in cell) return writeNumber(Math.round(cell.hours * 10_000) / 10_000, csv);
  if ('amount' in cell) return writeNumber(cell.amount, csv);
  if ('time' in cell) return cell.time.replace('T', ' ');
  return writeDay('day' in cell ? cell.day : writtenMinute(cell.instant, timeZone), csv);
}

/** A number with three decimals gets a fourth, as `1.234` is more than a thousand to some; less than none is left a number. */
function writeNumber(value: number, csv: CsvOptions | undefined): number | string {
  if (csv) return csv.decimalSeparator === '.' ? value : String(value).replace('.', csv.decimalSeparator);
  return /^\d{1,3}\.\d{3}$/.test(String(value)) ? `${value}0` : value;
}

/** A day in the format of the file; a time that follows it stays. */
function writeDay(text: string, csv: CsvOptions | undefined): string {
  const [, year, month = '', day = '', rest = ''] = /^(\d{4,})-(\d\d)-(\d\d)(.*)$/s.exec(text) ?? [];
  if (!csv || year === undefined) return text;
  const parts: Readonly<Record<string, string>> = { YYYY: year, YY: year.slice(-2), MM: month, DD: day };
  return csv.dateFormat.replace(/YYYY|YY|MM|DD/g, (name) => propertyOf(parts, name)) + rest;
}

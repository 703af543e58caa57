import papa from 'papaparse';
import type { Cell } from '../../../engine/field-types';
import { formulaStart } from '../../../engine/exports/formulas';
import { writtenMinute } from '../../../engine/formats/wall-clock';
import type { Sheet, SheetOptions } from './sheet';

const encoder = new TextEncoder();

/**
 * Comma-separated values (RFC 4180) with a byte order mark, by which spreadsheets recognise UTF-8. An apostrophe is before
 * text that they would take for a formula, even if it is quoted; numbers stay numbers. Dates are
 * `YYYY-MM-DD`, instants `YYYY-MM-DD HH:mm` in the reader's time zone (with its offset where
 * clocks show the same twice), durations decimal hours.
 */
export function csvSheet({ headings, timeZone }: SheetOptions): Sheet {
  let begun = false;
  const lines = (rows: readonly (readonly Cell[])[]) =>
    `${papa.unparse(
      rows.map((cells) => cells.map((cell) => plainValue(cell, timeZone))),
      { escapeFormulae: formulaStart, newline: '\r\n' },
    )}\r\n`;
  const start = () => {
    if (begun) return '';
    begun = true;
    return `\uFEFF${lines([headings])}`;
  };
  return {
    rows: (rows) => encoder.encode(start() + (rows.length > 0 ? lines(rows) : '')),
    end: () => encoder.encode(start()),
  };
}

function plainValue(cell: Cell, timeZone: string): string | number | null {
  if (typeof cell === 'number') return plainNumber(cell);
  if (cell === null || typeof cell !== 'object') return cell;
  if ('hours' in cell) return plainNumber(Math.round(cell.hours * 10_000) / 10_000);
  if ('amount' in cell) return plainNumber(cell.amount);
  if ('time' in cell) return cell.time.replace('T', ' ');
  return 'day' in cell ? cell.day : writtenMinute(cell.instant, timeZone);
}

/** A number with three decimals gets a fourth, as `1.234` is more than a thousand to some; less than none is left a number. */
function plainNumber(value: number): number | string {
  return /^\d{1,3}\.\d{3}$/.test(String(value)) ? `${value}0` : value;
}

import type { Cell } from '../../../engine/exports/cells';
import { wallClock } from '../../access/clock';
import type { Sheet, SheetOptions } from './sheet';

const encoder = new TextEncoder();

/**
 * Comma-separated values (RFC 4180) with a byte order mark, by which spreadsheets recognise UTF-8. Dates are
 * `YYYY-MM-DD`, instants `YYYY-MM-DD HH:mm` in the reader's time zone, durations decimal hours.
 */
export function csvSheet({ headings, timeZone }: SheetOptions): Sheet {
  let begun = false;
  const line = (cells: readonly Cell[]) => `${cells.map((cell) => field(cell, timeZone)).join(',')}\r\n`;
  const start = () => {
    if (begun) return '';
    begun = true;
    return `\uFEFF${line(headings)}`;
  };
  return {
    rows: (rows) => encoder.encode(start() + rows.map(line).join('')),
    end: () => encoder.encode(start()),
  };
}

function field(cell: Cell, timeZone: string): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object' && 'hours' in cell) return String(Math.round(cell.hours * 10_000) / 10_000);
  if (typeof cell === 'object' && 'time' in cell) return cell.time.replace('T', ' ');
  if (typeof cell === 'object') return 'day' in cell ? cell.day : localMinute(cell.instant, timeZone);
  const text = harmless(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Spreadsheets interpret text that begins with these characters as a formula, even if quoted; an apostrophe prevents
 * that.
 */
function harmless(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

function localMinute(instant: string, timeZone: string): string {
  return wallClock(new Date(instant), timeZone).slice(0, 16).replace('T', ' ');
}

import type { Cell } from '../../../engine/field-types';
import { textForWorkbook } from '../../../engine/exports/long-texts';
import { writtenMinute } from '../../../engine/formats/wall-clock';
import { escapeXml } from './xml-text';

/** Indexes in the list of cell formats (`cellXfs`). */
export const styles = { plain: 0, heading: 1, day: 2, instant: 3, time: 4, hours: 5 } as const;

/** The number of formats in `styles`. */
export const fixedStyles = Object.keys(styles).length;

/** Spreadsheets have few hundred formats; amounts beyond are plain numbers. */
const mostAmountFormats = 100;

/** The formats of amounts in a sheet: `#,##0.00 [$EUR]`. */
export class AmountFormats {
  private readonly indexes = new Map<string, number>();

  /** The index of the format of an amount. */
  indexOf({ digits, currency }: Extract<Cell, { amount: number }>): number {
    const number = `#,##0${digits > 0 ? `.${'0'.repeat(digits)}` : ''}`;
    const code = currency === undefined ? number : `${number}\\ [$${currency}]`;
    const styleIndex = this.indexes.get(code);
    if (styleIndex !== undefined) return styleIndex;
    if (this.indexes.size === mostAmountFormats) return styles.plain;
    const index = fixedStyles + this.indexes.size;
    this.indexes.set(code, index);
    return index;
  }

  /** The codes, in the order of their indexes. */
  get codes(): readonly string[] {
    return [...this.indexes.keys()];
  }
}

/** The first day that all spreadsheets number in the same way; earlier ones are written as text. */
const firstDay = '1900-03-01';
const millisecondsPerDay = 86_400_000;
const epoch = Date.UTC(1899, 11, 30);

/** Formats a cell as XML; empty for an empty cell. */
export function cellXml(
  cell: Cell,
  column: number,
  row: number,
  { timeZone, amounts }: { timeZone: string; amounts: AmountFormats },
  style?: number,
): string {
  if (cell === null) return '';
  const cellReference = `${columnName(column)}${row}`;
  if (typeof cell === 'number') return numberXml(cellReference, cell, style);
  if (typeof cell === 'string') return textXml(cellReference, cell, style);
  if ('hours' in cell) return numberXml(cellReference, cell.hours, styles.hours);
  if ('amount' in cell) return numberXml(cellReference, cell.amount, amounts.indexOf(cell));
  if ('time' in cell) return timeXml(cellReference, cell.time);
  const local = 'day' in cell ? cell.day : writtenMinute(cell.instant, timeZone);
  // No number can say which of two times is meant that clocks show alike.
  if (local < firstDay || local.length > 'YYYY-MM-DD HH:mm'.length) return textXml(cellReference, local);
  return numberXml(cellReference, serialDate(local), 'day' in cell ? styles.day : styles.instant);
}

/** `14:30`, or with a date `2026-11-16 14:30`: a number, so that times can be added and subtracted. */
function timeXml(cellReference: string, time: string): string {
  const [, day, hours, minutes] = /^(?:(\d{4}-\d{2}-\d{2})[ T])?(\d{2}):(\d{2})$/.exec(time) ?? [];
  if (hours === undefined || (day !== undefined && day < firstDay)) return textXml(cellReference, time);
  if (day !== undefined) return numberXml(cellReference, serialDate(`${day}T${hours}:${minutes}`), styles.instant);
  return numberXml(cellReference, (Number(hours) * 60 + Number(minutes)) / 1440, styles.time);
}

function numberXml(cellReference: string, value: number, style: number = styles.plain): string {
  return `<c r="${cellReference}"${style === styles.plain ? '' : ` s="${style}"`}><v>${value}</v></c>`;
}

function textXml(cellReference: string, text: string, style: number = styles.plain): string {
  const format = style === styles.plain ? '' : ` s="${style}"`;
  return `<c r="${cellReference}" t="inlineStr"${format}><is><t xml:space="preserve">${escapeXml(textForWorkbook(text))}</t></is></c>`;
}

/** Days since the epoch of spreadsheets, to the minute. */
function serialDate(local: string): number {
  const minute = local.length > 10 ? local.slice(11, 16) : '00:00';
  return (Date.parse(`${local.slice(0, 10)}T${minute}:00Z`) - epoch) / millisecondsPerDay;
}

/** 0 → `A`, 26 → `AA`. */
export function columnName(column: number): string {
  const columnLetter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? columnLetter : columnName(Math.floor(column / 26) - 1) + columnLetter;
}

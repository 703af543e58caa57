import { read, SSF, type CellObject, type WorkBook } from 'xlsx';
import type { SheetRow } from '../../../engine/imports/join-rows';
import { normaliseHeading } from '../../../engine/imports/headings';
import { maxColumns, maxRows, createSheetFile, UnreadableFile, type SheetFile, type SheetName } from './sheet-file';

/** Maximum number of rows to read: some may be empty. */
const maxScannedRows = maxRows * 2;

/** Which sheet of a workbook is read. */
export interface SheetSelection {
  /** Its name; null: the one with the most known headings; of several, the first with rows below them. */
  readonly sheet: string | null;
  /** Known headings, normalised. */
  readonly known: readonly string[];
}

type Cells = readonly (CellObject[] | undefined)[];

/**
 * Reads one sheet of a workbook whose size was checked. Hidden sheets are used only if there is no other. Throws
 * UnreadableFile.
 */
export function readWorkbook(bytes: Uint8Array, kind: 'xlsx' | 'xls', wanted: SheetSelection): SheetFile {
  let book: WorkBook;
  try {
    book = read(bytes, {
      type: 'array',
      dense: true,
      cellNF: true,
      cellHTML: false,
      // Formats can be arbitrarily long, and each cell would get a formatted text of its own.
      cellText: false,
      sheetRows: maxScannedRows,
    });
  } catch (error) {
    const locked = /password|encrypt/i.test((error as Error).message);
    throw new UnreadableFile(
      locked
        ? 'The file is locked with a password. Save it without one.'
        : `The file is corrupt: it is not a complete .${kind} file.`,
    );
  }
  const date1904 = book.Workbook?.WBProps?.date1904 === true;
  const all = book.SheetNames.flatMap((name, index) => {
    const sheet = book.Sheets[name] as unknown as { '!data'?: Cells } | undefined;
    const data = sheet?.['!data'] ?? [];
    const filled = data.filter((row) => row?.some(isFilled)).length;
    const isHidden = Boolean(book.Workbook?.Sheets?.[index]?.Hidden);
    return filled > 0 ? [{ name, data, rows: filled - 1, isHidden }] : [];
  });
  const open = all.some(({ isHidden }) => !isHidden) ? all.filter(({ isHidden }) => !isHidden) : all;
  if (open.length === 0) throw new UnreadableFile('The file is empty.');
  const sheets: SheetName[] = open.map(({ name, rows }) => ({ name, rows }));
  const chosen =
    wanted.sheet === null
      ? selectBestSheet(open, new Set(wanted.known))
      : open.find(({ name }) => name === wanted.sheet);
  if (!chosen)
    throw new UnreadableFile(
      `The workbook has no sheet named “${wanted.sheet!.slice(0, 100)}” with rows. It has: ${formatSheetNames(sheets)}.`,
      sheets,
    );
  try {
    const formulas: string[] = [];
    return createSheetFile(kind, readRows(chosen.data, date1904, formulas), formulas, { sheet: chosen.name, sheets });
  } catch (error) {
    if (!(error instanceof UnreadableFile) || sheets.length < 2) throw error;
    throw new UnreadableFile(`Sheet “${chosen.name}”: ${error.message}`, sheets);
  }
}

const isFilled = (cell: CellObject | undefined) =>
  cell !== undefined && (cell.f !== undefined || (cell.v !== undefined && cell.v !== null && cell.v !== ''));

const formatSheetNames = (sheets: readonly SheetName[]) =>
  sheets
    .map(({ name }) => `“${name}”`)
    .join(', ')
    .slice(0, 500);

interface OpenSheet extends SheetName {
  readonly data: Cells;
}

/** The sheet with the most known headings in its first row; if none has any, the first one with rows below it. */
function selectBestSheet(sheets: readonly OpenSheet[], known: ReadonlySet<string>): OpenSheet {
  const scored = sheets.map((sheet) => {
    const first = sheet.data.find((row) => row?.some(isFilled)) ?? [];
    const headings = new Set(
      first.filter(isFilled).map((cell) => normaliseHeading(String(cell?.v ?? '').slice(0, 200))),
    );
    const matches = [...headings].filter((one) => known.has(one)).length;
    return { sheet, score: sheet.rows > 0 ? matches + 1 : 0 };
  });
  return scored.reduce((best, one) => (one.score > best.score ? one : best)).sheet;
}

function readRows(data: Cells, date1904: boolean, formulas: string[]): SheetRow[] {
  const rows: SheetRow[] = [];
  data.forEach((row, index) => {
    if (!row) return;
    const cells: string[] = [];
    row.forEach((cell, column) => {
      if (!cell) return;
      const text = formatCell(cell, date1904);
      if (cell.f !== undefined) formulas.push(`${index + 1}:${column}`);
      if (text === '' && cell.f === undefined) return;
      if (column >= maxColumns) throw new UnreadableFile(`The file has more than ${maxColumns} columns.`);
      while (cells.length < column) cells.push('');
      cells[column] = text === '' ? '=' : text;
    });
    if (cells.length > 0) rows.push({ number: index + 1, cells });
  });
  return rows;
}

/** Errors of formulas by their numbers in workbooks. */
const errors: Readonly<Record<number, string>> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
};

/**
 * Formats a cell as text: dates as `YYYY-MM-DD`, numbers with a decimal point, regardless of the file's own formats.
 */
function formatCell(cell: CellObject, date1904: boolean): string {
  if (cell.t === 'z' || cell.v === undefined || cell.v === null) return '';
  if (cell.t === 'n' && typeof cell.z === 'string' && SSF.is_date(cell.z))
    return formatSerialDate(cell.v as number, date1904);
  if (cell.t === 'd')
    return (cell.v as Date)
      .toISOString()
      .replace(/T00:00:00.000Z$/, '')
      .replace(/:\d{2}\.\d{3}Z$/, '');
  if (cell.t === 'b') return cell.v ? 'Yes' : 'No';
  if (cell.t === 'e') return errors[cell.v as number] ?? '#ERROR';
  return String(cell.v);
}

function formatSerialDate(serial: number, date1904: boolean): string {
  const parts = SSF.parse_date_code(serial, { date1904 }) as {
    y: number;
    m: number;
    d: number;
    H: number;
    M: number;
  } | null;
  if (!parts) return String(serial);
  const two = (value: number) => String(value).padStart(2, '0');
  const time = parts.H || parts.M ? `${two(parts.H)}:${two(parts.M)}` : '';
  if (serial < 1) return time || '00:00';
  const day = `${String(parts.y).padStart(4, '0')}-${two(parts.m)}-${two(parts.d)}`;
  return time ? `${day} ${time}` : day;
}

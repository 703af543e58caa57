import { read, SSF, type CellObject, type Range, type WorkBook } from 'xlsx';
import type { SheetRow } from '../../../engine/imports/join-rows';
import { normaliseHeading } from '../../../engine/imports/headings';
import {
  headingIndex,
  maxColumns,
  maxRows,
  createSheetFile,
  UnreadableFile,
  type SheetFile,
  type SheetName,
} from './sheet-file';
import { itemAt } from '../../../engine/values/lookups';

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
export function readWorkbook(bytes: Uint8Array, kind: 'xlsx' | 'xls', selection: SheetSelection): SheetFile {
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
    const isLocked = /password|encrypt/i.test((error as Error).message);
    throw new UnreadableFile(
      isLocked
        ? 'The file is locked with a password. Save it without one.'
        : `The file is corrupt: it is not a complete .${kind} file.`,
    );
  }
  const date1904 = book.Workbook?.WBProps?.date1904 === true;
  const openSheets = book.SheetNames.flatMap((name, index) => {
    const sheet = book.Sheets[name] as unknown as { '!data'?: Cells; '!merges'?: Range[] } | undefined;
    const data = sheet?.['!data'] ?? [];
    const merges = sheet?.['!merges'] ?? [];
    const filledRows = data.filter((row) => row?.some(isFilled)).length;
    const isHidden = Boolean(book.Workbook?.Sheets?.[index]?.Hidden);
    return filledRows > 0 ? [{ name, data, merges, rows: filledRows - 1, isHidden }] : [];
  });
  const open = openSheets.some(({ isHidden }) => !isHidden)
    ? openSheets.filter(({ isHidden }) => !isHidden)
    : openSheets;
  if (open.length === 0) throw new UnreadableFile('The file is empty.');
  const sheets: SheetName[] = open.map(({ name, rows }) => ({ name, rows }));
  const selectedSheet =
    selection.sheet === null
      ? selectBestSheet(open, new Set(selection.known))
      : open.find(({ name }) => name === selection.sheet);
  if (!selectedSheet)
    throw new UnreadableFile(
      `The workbook has no sheet named “${(selection.sheet ?? '').slice(0, 100)}” with rows. It has: ${formatSheetNames(sheets)}.`,
      sheets,
    );
  try {
    const formulas: string[] = [];
    const rows = withMergedCells(readRows(selectedSheet.data, date1904, formulas), selectedSheet.merges);
    return createSheetFile(kind, rows, formulas, { sheet: selectedSheet.name, sheets, knownHeadings: selection.known });
  } catch (error) {
    if (!(error instanceof UnreadableFile) || sheets.length < 2) throw error;
    throw new UnreadableFile(`Sheet “${selectedSheet.name}”: ${error.message}`, sheets);
  }
}

const isFilled = (cell: CellObject | undefined) =>
  cell !== undefined && (cell.f !== undefined || (cell.v !== undefined && cell.v !== null && cell.v !== ''));

const formatSheetNames = (sheets: readonly SheetName[]) =>
  sheets
    .map(({ name }) => `“${name}”`)
    .join(', ')
    .slice(0, 500);

/** Rows of a sheet among which its headings are looked for, empty ones too. */
const maxRowsForHeadings = 1_000;

interface OpenSheet extends SheetName {
  readonly data: Cells;
  readonly merges: readonly Range[];
}

/** The sheet with the most known headings in one row; if none has any, the first one with rows below it. */
function selectBestSheet(sheets: readonly OpenSheet[], knownHeadings: ReadonlySet<string>): OpenSheet {
  const scored = sheets.map((sheet) => {
    const rows = sheet.data
      .slice(0, maxRowsForHeadings)
      .flatMap((row) => (row?.some(isFilled) ? [row] : []))
      .map((row) => Array.from(row, (cell) => String(cell?.v ?? '').slice(0, 200)));
    const headings = new Set((rows[headingIndex(rows, knownHeadings)] ?? []).map(normaliseHeading));
    const matches = [...headings].filter((heading) => knownHeadings.has(heading)).length;
    return { sheet, score: sheet.rows > 0 ? matches + 1 : 0 };
  });
  return scored.reduce((bestScored, candidate) => (candidate.score > bestScored.score ? candidate : bestScored)).sheet;
}

function readRows(data: Cells, date1904: boolean, formulas: string[]): SheetRow[] {
  const rows: SheetRow[] = [];
  data.forEach((row, index) => {
    if (!row) return;
    const cells: string[] = [];
    row.forEach((cell, column) => {
      if (!cell) return;
      const text = formatCell(cell, date1904);
      // The value of a formula is its result when the file was saved.
      const isOpen = cell.f !== undefined && (cell.t === 'e' || cell.v === undefined || cell.v === null);
      if (isOpen) formulas.push(`${index + 1}:${column}`);
      if (text === '' && !isOpen) return;
      if (column >= maxColumns) throw new UnreadableFile(`The file has more than ${maxColumns} columns.`);
      while (cells.length < column) cells.push('');
      cells[column] = text === '' ? '=' : text;
    });
    if (cells.length > 0) rows.push({ number: index + 1, cells });
  });
  return rows;
}

/** Cells that merged ones fill at most. */
const maxMergedCells = 500_000;

/**
 * Rows in which a cell that is merged with those below it has its value in each row that it covers and that has cells
 * of its own.
 */
function withMergedCells(rows: readonly SheetRow[], merges: readonly Range[]): readonly SheetRow[] {
  if (merges.length === 0) return rows;
  const index = new Map(rows.map(({ number }, position) => [number, position]));
  const completeRows = [...rows];
  let count = 0;
  for (const { s: start, e: end } of merges) {
    const value = rows[index.get(start.r + 1) ?? -1]?.cells[start.c] ?? '';
    if (end.r === start.r || value === '') continue;
    const last = Math.min(end.r + 1, rows.at(-1)?.number ?? 0);
    for (let number = start.r + 2; number <= last; number++) {
      if (++count > maxMergedCells) throw new UnreadableFile('The sheet has too many merged cells. Split them.');
      const rowIndex = index.get(number);
      if (rowIndex === undefined) continue;
      const row = itemAt(completeRows, rowIndex);
      const cells = [...row.cells];
      while (cells.length < start.c) cells.push('');
      cells[start.c] = value;
      completeRows[rowIndex] = { ...row, cells, repeated: [...(row.repeated ?? []), start.c] };
    }
  }
  return completeRows;
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

import { parentPort, workerData } from 'node:worker_threads';
import { openArchive } from './open-archive';
import { readCsv } from './csv-text';
import { pager, type SheetPage } from './pages';
import { kindOf, UnreadableFile, type SheetFile, type SheetName } from './sheet-file';
import { readWorkbook, type WantedSheet } from './workbook';

/** What the thread answers first: what the file is, or why it cannot be read. */
export type Opened =
  | (Pick<SheetFile, 'kind' | 'headings' | 'sheet' | 'sheets' | 'breaks'> & { readonly total: number })
  | { readonly message: string; readonly sheets: readonly SheetName[]; readonly isText?: boolean };

/** What the thread is given. */
export interface ToOpen extends WantedSheet {
  readonly bytes: Uint8Array;
}

// A thread of its own, with bounds on memory and time: files come from anywhere. It answers a page for each number of a
// row that it is sent, so that no more than a page is copied at once.
function open(bytes: Buffer, wanted: WantedSheet): Opened {
  try {
    const file = read(bytes, wanted);
    const pageFrom = pager(file);
    parentPort!.on('message', (from: number) => parentPort!.postMessage(pageFrom(from) satisfies SheetPage));
    const { kind, headings, rows, sheet, sheets, breaks } = file;
    return { kind, headings, total: rows.length, sheet, sheets, breaks };
  } catch (error) {
    if (error instanceof UnreadableFile) return { message: error.message, sheets: error.sheets, isText: error.isText };
    return { message: 'The file cannot be read: it is broken, or no spreadsheet.', sheets: [] };
  }
}

function read(bytes: Buffer, wanted: WantedSheet): SheetFile {
  const kind = kindOf(bytes);
  if (kind === 'csv') return readCsv(bytes);
  return readWorkbook(kind === 'xlsx' ? openArchive(bytes) : bytes, kind, wanted);
}

const { bytes, ...wanted } = workerData as ToOpen;
parentPort!.postMessage(open(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), wanted));

import { parentPort, workerData } from 'node:worker_threads';
import { repackArchive } from './open-archive';
import { readCsv } from './csv-text';
import {
  createPager,
  type SheetPage,
  detectFileKind,
  UnreadableFile,
  type SheetFile,
  type SheetName,
} from './sheet-file';
import { readWorkbook, type SheetSelection } from './workbook';

/** The first message of the thread: a description of the file, or why it cannot be read. */
export type OpenResult =
  | (Pick<SheetFile, 'kind' | 'headings' | 'sheet' | 'sheets' | 'breaks'> & { readonly total: number })
  | { readonly message: string; readonly sheets: readonly SheetName[]; readonly isText?: boolean };

/** The input of the thread. */
export interface WorkerInput extends SheetSelection {
  readonly bytes: Uint8Array;
}

// Files are not trusted, so they are read in a thread with limits on memory and time. For each row number that it
// receives, the thread sends one page, so that no more than a page is copied at once.
async function openFile(bytes: Buffer, wanted: SheetSelection): Promise<OpenResult> {
  try {
    const file = await readSheetFile(bytes, wanted);
    const pageFrom = createPager(file);
    parentPort!.on('message', (from: number) => parentPort!.postMessage(pageFrom(from) satisfies SheetPage));
    const { kind, headings, rows, sheet, sheets, breaks } = file;
    return { kind, headings, total: rows.length, sheet, sheets, breaks };
  } catch (error) {
    if (error instanceof UnreadableFile) return { message: error.message, sheets: error.sheets, isText: error.isText };
    return { message: 'The file cannot be read: it is corrupt, or not a spreadsheet.', sheets: [] };
  }
}

async function readSheetFile(bytes: Buffer, wanted: SheetSelection): Promise<SheetFile> {
  const kind = detectFileKind(bytes);
  if (kind === 'csv') return readCsv(bytes);
  return readWorkbook(kind === 'xlsx' ? await repackArchive(bytes) : bytes, kind, wanted);
}

const { bytes, ...wanted } = workerData as WorkerInput;
parentPort!.postMessage(await openFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), wanted));

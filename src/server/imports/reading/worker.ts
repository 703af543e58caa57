import { parentPort, workerData } from 'node:worker_threads';
import { openArchive } from './open-archive';
import { readCsv } from './csv-text';
import { pager, type SheetPage } from './pages';
import { UnreadableFile, type SheetFile } from './sheet-file';
import { readWorkbook } from './workbook';

/** What the thread answers first: what the file is, or why it cannot be read. */
export type Opened =
  | { readonly kind: SheetFile['kind']; readonly headings: readonly string[]; readonly total: number }
  | { readonly message: string };

// A thread of its own, with bounds on memory and time: files come from anywhere. It answers a page for each number of a
// row that it is sent, so that no more than a page is copied at once.
function open(bytes: Buffer): Opened {
  try {
    const file = read(bytes);
    const pageFrom = pager(file);
    parentPort!.on('message', (from: number) => parentPort!.postMessage(pageFrom(from) satisfies SheetPage));
    return { kind: file.kind, headings: file.headings, total: file.rows.length };
  } catch (error) {
    if (error instanceof UnreadableFile) return { message: error.message };
    return { message: 'The file cannot be read: it is broken, or no spreadsheet.' };
  }
}

/** By content, whatever the file is called. */
function read(bytes: Buffer): SheetFile {
  const start = bytes.subarray(0, 8).toString('latin1');
  if (start.startsWith('PK')) return readWorkbook(openArchive(bytes), 'xlsx');
  if (start === '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1') return readWorkbook(bytes, 'xls');
  return readCsv(bytes);
}

const { buffer, byteOffset, byteLength } = workerData as Uint8Array;
parentPort!.postMessage(open(Buffer.from(buffer, byteOffset, byteLength)));

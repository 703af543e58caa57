import { parentPort, workerData } from 'node:worker_threads';
import { openArchive } from './open-archive';
import { readCsv } from './csv-text';
import { UnreadableFile, type SheetFile } from './sheet-file';
import { readWorkbook } from './workbook';

/** What the thread answers: a file, or why there is none. */
export type Reading = { readonly file: SheetFile } | { readonly message: string };

// A thread of its own, with bounds on memory and time: files come from anywhere.
function reading(bytes: Buffer): Reading {
  try {
    return { file: read(bytes) };
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

parentPort!.postMessage(reading(Buffer.from(workerData as Uint8Array)));

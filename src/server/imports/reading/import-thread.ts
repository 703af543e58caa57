import { parentPort, workerData } from 'node:worker_threads';
import { repackArchive } from './open-archive';
import { decodeText, readCsv } from './csv-text';
import { boundFiles } from './enclosed-files';
import { documentKindOf, type FileReader } from './file-reader';
import {
  createPager,
  createSheetFile,
  type SheetPage,
  detectFileKind,
  UnreadableFile,
  type SheetFile,
  type SheetName,
} from './sheet-file';
import { readWorkbook, type SheetSelection } from './workbook';

/** The first message of the thread: a description of the file, or why it cannot be read. */
export type OpenResult =
  | (Pick<SheetFile, 'kind' | 'headings' | 'headingRow' | 'merged' | 'sheet' | 'sheets' | 'breaks'> & {
      readonly total: number;
    })
  | { readonly message: string; readonly sheets: readonly SheetName[]; readonly isText?: boolean };

/** The input of the thread. */
export interface ThreadInput extends SheetSelection {
  readonly bytes: Uint8Array;
  /** The resource whose records are imported. */
  readonly resource?: string;
}

/**
 * Opens the file that the thread was given, with these readers for what is no plain spreadsheet, and serves its pages.
 * Files are not trusted, so they are read in a thread with limits on memory and time. For each row number that it
 * receives, the thread sends one page, so that no more than a page is copied at once.
 *
 * @example await serveImports([dealsReader]); // the whole of a product's own `import-worker`
 */
export async function serveImports(readers: readonly FileReader[]): Promise<void> {
  const { bytes, resource, ...wanted } = workerData as ThreadInput;
  const reader = readers.find((one) => one.resource === resource);
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  parentPort!.postMessage(await openFile(content, wanted, reader));
}

async function openFile(bytes: Buffer, wanted: SheetSelection, reader: FileReader | undefined): Promise<OpenResult> {
  try {
    const file = await readFile(bytes, wanted, reader);
    const pageFrom = createPager(file);
    parentPort!.on('message', (from: number) => parentPort!.postMessage(pageFrom(from) satisfies SheetPage));
    const { kind, headings, headingRow, merged, rows, sheet, sheets, breaks } = file;
    return { kind, headings, headingRow, merged, total: rows.length, sheet, sheets, breaks };
  } catch (error) {
    if (error instanceof UnreadableFile) return { message: error.message, sheets: error.sheets, isText: error.isText };
    return { message: 'The file cannot be read: it is corrupt, or not a spreadsheet.', sheets: [] };
  }
}

async function readFile(bytes: Buffer, wanted: SheetSelection, reader: FileReader | undefined): Promise<SheetFile> {
  const kind = detectFileKind(bytes);
  if (kind === 'csv' && reader) {
    const text = decodeText(bytes);
    const document = documentKindOf(text);
    const rows = document && (await reader.readDocument(document, text));
    if (rows) return createSheetFile(document, boundFiles(rows));
    if (document) throw new UnreadableFile(`The file is ${document.toUpperCase()} of a format that is not known.`);
  }
  const file =
    kind === 'csv'
      ? readCsv(bytes, wanted.known)
      : readWorkbook(kind === 'xlsx' ? await repackArchive(bytes) : bytes, kind, wanted);
  return reader?.rewriteSheet?.(file) ?? file;
}

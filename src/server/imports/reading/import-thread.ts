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
import { requireValue } from '../../../engine/values/lookups';

/** The first message of the thread: a description of the file, or why it cannot be read. */
export type OpenResult =
  | (Pick<SheetFile, 'kind' | 'headings' | 'headingRow' | 'mergedColumns' | 'sheet' | 'sheets' | 'lineBreakColumns'> & {
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
  const { bytes, resource, ...selection } = workerData as ThreadInput;
  const reader = readers.find((candidate) => candidate.resource === resource);
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  portOfThread().postMessage(await openFile(content, selection, reader));
}

const portOfThread = () => requireValue(parentPort, 'the port of this thread');

async function openFile(bytes: Buffer, selection: SheetSelection, reader: FileReader | undefined): Promise<OpenResult> {
  try {
    const file = await readFile(bytes, selection, reader);
    const pageFrom = createPager(file);
    const port = portOfThread();
    port.on('message', (start: number) => port.postMessage(pageFrom(start) satisfies SheetPage));
    const { kind, headings, headingRow, mergedColumns, rows, sheet, sheets, lineBreakColumns } = file;
    return { kind, headings, headingRow, mergedColumns, total: rows.length, sheet, sheets, lineBreakColumns };
  } catch (error) {
    if (error instanceof UnreadableFile) return { message: error.message, sheets: error.sheets, isText: error.isText };
    return { message: 'The file cannot be read: it is corrupt, or not a spreadsheet.', sheets: [] };
  }
}

async function readFile(bytes: Buffer, selection: SheetSelection, reader: FileReader | undefined): Promise<SheetFile> {
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
      ? readCsv(bytes, selection.known)
      : readWorkbook(kind === 'xlsx' ? await repackArchive(bytes) : bytes, kind, selection);
  return reader?.rewriteSheet?.(file) ?? file;
}

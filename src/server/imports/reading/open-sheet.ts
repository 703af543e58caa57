import { Unavailable } from '../../errors/errors';
import { openThreadChannel } from '../../threads/thread-channel';
import { startThread, type ThreadSource } from '../../threads/start-thread';
import { type SheetPage, UnreadableFile, type SheetFile } from './sheet-file';
import type { OpenResult, ThreadInput } from './import-thread';
import type { SheetSelection } from './workbook';

/** A file of rows that is open in a thread. Always close it. */
export interface Sheet extends Pick<
  SheetFile,
  'kind' | 'headings' | 'headingRow' | 'mergedColumns' | 'sheet' | 'sheets' | 'lineBreakColumns'
> {
  /** The number of non-empty rows below the headings. */
  readonly total: number;
  /**
   * Reads page by page from a row on (counted from 0 below the headings); each page is read when the previous one has
   * been used.
   */
  pages(from?: number): AsyncGenerator<SheetPage, void, void>;
  close(): Promise<void>;
}

const spreadsheetThread: ThreadSource = { name: 'import-worker', source: new URL('./worker.ts', import.meta.url) };

/** Memory limit of a thread in megabytes. */
const maxMemory = 512;
/** Timeout for opening a file and for each page in milliseconds. */
const readTimeout = 20_000;
/** Each takes a thread and its memory. */
const maxOpenSheets = 2;
let openSheets = 0;

const tooMuchMessage =
  'The file takes too much time or memory to read. Remove sheets, columns and formats that are not needed, or import it in parts.';

/**
 * Opens a spreadsheet or delimited text. Throws UnreadableFile with a message for the user, also if reading takes too
 * much time or memory, and Unavailable while other files are being read.
 */
export async function openSheet(
  bytes: Uint8Array,
  selection: SheetSelection & Pick<ThreadInput, 'resource'> = { sheet: null, known: [] },
  { name, source }: ThreadSource = spreadsheetThread,
): Promise<Sheet> {
  if (openSheets >= maxOpenSheets) throw new Unavailable('Other files are being read. Please try again in a moment.');
  openSheets++;
  const copy = Uint8Array.from(bytes);
  const thread = openThreadChannel(
    startThread(name, source, {
      workerData: { bytes: copy, ...selection } satisfies ThreadInput,
      transferList: [copy.buffer],
      resourceLimits: { maxOldGenerationSizeMb: maxMemory },
    }),
    readTimeout,
  );
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    openSheets--;
    await thread.close();
  };
  const ask = <Answer>(message?: unknown) =>
    thread.request<Answer>(message).catch(() => {
      throw new UnreadableFile(tooMuchMessage);
    });
  try {
    const openedSheet = await ask<OpenResult>();
    if ('message' in openedSheet) throw new UnreadableFile(openedSheet.message, openedSheet.sheets, openedSheet.isText);
    return { ...openedSheet, pages, close };
  } catch (error) {
    await close();
    throw error;
  }

  async function* pages(start = 0): AsyncGenerator<SheetPage, void, void> {
    for (;;) {
      const page = await ask<SheetPage>(start);
      if (page.rows.length === 0) return;
      yield page;
      start += page.rows.length;
    }
  }
}

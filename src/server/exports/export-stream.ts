import { Readable } from 'node:stream';
import { realUser } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import { lineReader } from '../../engine/exports/cells';
import { cellSource, pathsOfSource, rootField } from '../../engine/exports/columns';
import type { RequestContext } from '../access/request-context';
import { repeatOnPrimary } from '../database/replicas';
import { BadRequest, TooManyRequests, Unavailable } from '../errors/errors';
import { SlotLimiter } from '../limits/slot-limiter';
import type { Program, RecordFormat } from '../program';
import { recordSecurityEvent } from '../security-log/security-log';
import type { ExportRequest } from './export-request';
import { prepareRows, type ExportRows } from './export-rows';
import { progressKey, runningExports, type ExportProgress } from './progress';
import { openSheetThread, type SheetThread } from './sheet/sheet-thread';

/** Maximum rows of a spreadsheet, not counting the headings. */
const maxSpreadsheetRows = 1_048_575;
/** Each takes a database connection and a thread: one company gets at most half of them. */
const maxExports = 4;
const maxPerCompany = 2;
/** Bytes that are passed on at a time, so that slow clients are not taken for stalled ones. */
const chunkSize = 64 * 1024;
const exportSlots = new WeakMap<Program, SlotLimiter<number | null>>();

/** A file that is created while it is read; a client that stops reading ends the work. */
export interface ExportStream {
  readonly total: number;
  readonly bytes: Readable;
}

/**
 * Starts an export: reads rows from a snapshot and writes the file in a thread. All errors are thrown before it
 * returns: Forbidden and BadRequest before it takes a slot; TooManyRequests if the company has used up its slots, and Unavailable
 * if none is left.
 */
export async function startExport(
  context: RequestContext,
  definition: Definition,
  request: ExportRequest,
): Promise<ExportStream> {
  const { program, registry } = context;
  const columns = request.columns.map(cellSource);
  const paths = columns.flatMap(pathsOfSource).filter((path) => path !== '');
  const names = new Set(paths.map((path) => rootField(definition, path)));
  const preparedRows = prepareRows({ context, definition }, request.query, names);
  const leaveSlot = acquireSlot(context);
  try {
    const stream = await repeatOnPrimary(openStream);
    if (stream.total >= program.settings.securityLog.exportRows) {
      const detail = { rows: stream.total, format: request.name ?? request.format, columns: paths };
      const subjectFields = { resource: definition.name, subject: definition.labels.many, detail };
      await recordSecurityEvent(
        program,
        { event: 'exported', actor: context.actor, ...subjectFields },
        program.database.kysely,
      ).catch((error: unknown) => {
        stream.bytes.destroy();
        throw error;
      });
    }
    return stream;
  } catch (error) {
    leaveSlot();
    throw error;
  }

  /** Everything up to the first bytes. */
  async function openStream(): Promise<ExportStream> {
    const endTasks: (() => unknown)[] = [];
    let endProgress = () => {};
    // Its progress can be read until everything is closed, so that its end tells that the slot is free.
    const close = async () => {
      await Promise.allSettled(
        endTasks
          .splice(0)
          .reverse()
          .map((end) => end()),
      );
      endProgress();
    };
    try {
      const rows = await preparedRows.open();
      endTasks.push(() => rows.close());
      if (request.format === 'xlsx' && rows.lines > maxSpreadsheetRows) {
        throw new BadRequest(
          `A spreadsheet can have at most ${maxSpreadsheetRows} rows, but the list has ${rows.lines}. Filter it, or export it as CSV.`,
        );
      }
      const thread = request.written
        ? writeRecords(request.written, lineReader(columns, definition, registry))
        : openSheetThread({
            format: request.format === 'csv' ? 'csv' : 'xlsx',
            title: definition.labels.many,
            headings: request.columns.map(({ heading }) => heading),
            timeZone: context.timeZone,
            definitions: [...registry.definitions.values()],
            name: definition.name,
            columns,
            csv: request.csv,
          });
      endTasks.push(() => thread.close());
      const progress: ExportProgress = { written: 0, total: rows.total };
      endProgress = trackProgress(context, request.progress, progress);
      const chunks = writeChunks(rows, thread, progress);
      const bytes = Readable.from(prependChunk(await chunks.next(), chunks), { objectMode: false });
      // Also if it was never read.
      bytes.once('close', () => void close().then(leaveSlot));
      return { total: rows.total, bytes };
    } catch (error) {
      await close();
      throw error;
    }
  }
}

/** Files of a product are written here: its code is in no thread, and they are neither compressed nor laid out. */
function writeRecords(format: RecordFormat, linesOf: ReturnType<typeof lineReader>): SheetThread {
  const writer = format.open();
  const bytes = (text: string) => Buffer.from(text);
  return {
    write: async (records) => bytes(writer.write(records.map(linesOf))),
    end: async () => bytes(writer.end()),
    close: async () => undefined,
  };
}

/** Yields the chunks after the first one has been read: errors until then are still sent as an error response. */
async function* prependChunk(
  first: IteratorResult<Uint8Array>,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (!first.done) yield first.value;
  yield* chunks;
}

/** Reads the next rows while the previous ones are being written, but no further than the client has read. */
async function* writeChunks(
  rows: ExportRows,
  thread: SheetThread,
  progress: ExportProgress,
): AsyncGenerator<Uint8Array> {
  let records = await rows.next();
  while (records.length > 0) {
    const [bytes, next] = await Promise.all([thread.write(records), rows.next()]);
    progress.written += records.length;
    yield* splitChunks(bytes);
    records = next;
  }
  yield* splitChunks(await thread.end());
}

function* splitChunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += chunkSize) yield bytes.subarray(offset, offset + chunkSize);
}

/** Takes a slot for an export; users without a company share the installation's. */
function acquireSlot({ program, actor }: RequestContext): () => void {
  let slots = exportSlots.get(program);
  if (!slots) exportSlots.set(program, (slots = new SlotLimiter(maxPerCompany, maxExports)));
  const leave = slots.acquire(actor.site_id);
  if (leave) return leave;
  if (slots.inUse(actor.site_id) < maxPerCompany) {
    throw new Unavailable('Several downloads are in progress. Please try again in a moment.');
  }
  throw new TooManyRequests(
    10,
    `Your company already has ${maxPerCompany} downloads in progress. Please wait until one of them has finished.`,
  );
}

function trackProgress(
  { program, actor }: RequestContext,
  name: string | undefined,
  progress: ExportProgress,
): () => void {
  if (name === undefined) return () => undefined;
  const key = progressKey(realUser(actor).id, name);
  const progressById = runningExports(program);
  progressById.set(key, progress);
  return () => void progressById.delete(key);
}

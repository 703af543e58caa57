import { Readable } from 'node:stream';
import { personOf } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import { BadRequest, TooMany, Unavailable } from '../errors/errors';
import { Places } from '../limits/places';
import type { Program } from '../program';
import { recordSecurityEvent } from '../security-log/security-log';
import type { ExportRequest } from './export-request';
import { planRows, type ExportRows } from './export-rows';
import { progressKey, progressOf, type Progress } from './progress';
import { openSheetThread, type SheetThread } from './sheet/sheet-thread';

/** Rows of a spreadsheet, its headings aside. */
const mostRows = 1_048_575;
/** Each holds a connection to the database and a thread: no company gets more than half of them. */
const mostAtOnce = 4;
const share = 2;
/** Bytes that are handed on at a time, so that somebody slow is seen to read. */
const piece = 64 * 1024;
const places = new WeakMap<Program, Places<number | null>>();

/** A file that is written while it is read; whoever stops reading ends the work. */
export interface ExportStream {
  readonly total: number;
  readonly bytes: Readable;
}

/**
 * Begins a download: rows by rows from a snapshot, through a thread that writes the file. Everything that can be refused
 * is refused before it answers: Refused and BadRequest before it takes a place; TooMany where the company has its share of
 * them, and Unavailable where none is left.
 */
export async function openExport(
  context: RequestContext,
  definition: Definition,
  request: ExportRequest,
): Promise<ExportStream> {
  const { program, registry } = context;
  const paths = request.columns.map(({ path }) => path);
  const names = new Set(paths.map((path) => fieldOf(definition, path)));
  const planned = planRows(context, definition, request.query, names);
  const ends: (() => unknown)[] = [enter(context)];
  const close = () =>
    Promise.allSettled(
      ends
        .splice(0)
        .reverse()
        .map((end) => end()),
    );
  try {
    const rows = await planned.open();
    ends.push(() => rows.close());
    if (request.format === 'xlsx' && rows.total > mostRows) {
      throw new BadRequest(`A spreadsheet holds ${mostRows} rows, these are ${rows.total}. Filter them, or take CSV.`);
    }
    if (rows.total >= program.settings.securityLog.exportRows) {
      const detail = { rows: rows.total, format: request.format, columns: paths };
      const about = { resource: definition.name, subject: definition.labels.many, detail };
      await recordSecurityEvent(
        program,
        { event: 'exported', actor: context.actor, ...about },
        program.database.kysely,
      );
    }
    const thread = openSheetThread({
      format: request.format,
      title: definition.labels.many,
      headings: request.columns.map(({ heading }) => heading),
      timeZone: context.timeZone,
      definitions: [...registry.definitions.values()],
      name: definition.name,
      paths,
    });
    ends.push(() => thread.close());
    const progress: Progress = { written: 0, total: rows.total };
    ends.push(remember(context, request.progress, progress));
    const chunks = written(rows, thread, progress);
    const bytes = Readable.from(from(await chunks.next(), chunks), { objectMode: false });
    // Also where it was never read from.
    bytes.once('close', () => void close());
    return { total: rows.total, bytes };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The chunks, of which the first was taken already: what goes wrong until then is still answered as an error. */
async function* from(
  first: IteratorResult<Uint8Array>,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (!first.done) yield first.value;
  yield* chunks;
}

/** The next rows are read while the last are being written, and no further than the reader has come. */
async function* written(rows: ExportRows, thread: SheetThread, progress: Progress): AsyncGenerator<Uint8Array> {
  let records = await rows.next();
  while (records.length > 0) {
    const [bytes, next] = await Promise.all([thread.write(records), rows.next()]);
    progress.written += records.length;
    yield* pieces(bytes);
    records = next;
  }
  yield* pieces(await thread.end());
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
}

/** A place for a download; those of nobody's company are the installation's. */
function enter({ program, actor }: RequestContext): () => void {
  let known = places.get(program);
  if (!known) places.set(program, (known = new Places(share, mostAtOnce)));
  const leave = known.enter(actor.site_id);
  if (leave) return leave;
  if (known.of(actor.site_id) < share) {
    throw new Unavailable('Several downloads are under way. Please try again in a moment.');
  }
  throw new TooMany(10, `${share} downloads of your company are under way. Please wait until one of them has arrived.`);
}

function remember({ program, actor }: RequestContext, name: string | undefined, progress: Progress): () => void {
  if (name === undefined) return () => undefined;
  const key = progressKey(personOf(actor).id, name);
  const known = progressOf(program);
  known.set(key, progress);
  return () => void known.delete(key);
}

/** The field behind a path: of `user.email`, the relation that is embedded as `user`. */
function fieldOf(definition: Definition, path: string): string {
  const head = path.split('.')[0]!;
  const embedding = Object.values(definition.fields).find(({ embed }) => embed === head);
  return path.includes('.') && embedding ? embedding.name : head;
}

import { CompiledQuery, type ControlledTransaction, type RawBuilder } from 'kysely';
import { Readable } from 'node:stream';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import type { RequestContext } from '../../access/request-context';
import type { Queries, Tables } from '../../database/database';
import { repeatOnPrimary } from '../../database/replicas';
import { allowLongStatements } from '../../database/timeouts';
import { completeResponses } from '../../records/read/read';
import { personalDataSections } from './personal-data-sections';
import { personalRecords } from './personal-records';

/** Rows per fetch: few enough not to block other requests. */
const batch = 200;

const description =
  'Everything that is stored about you, without secrets such as passwords. Records are those that you created, changed last or are named in; for those that you can no longer read, only the id and the time of creation are included.';

type Snapshot = ControlledTransaction<Tables>;

/**
 * Everything stored about the caller, as one JSON document with a consistent snapshot: `{about, made_at, profile: […],
 * …, records: {tasks: […]}, records_without_access: {tasks: [{id, created_at, created_by_you}]}}`. It is read while it
 * is sent. The caller must be the user themselves, not a viewer.
 */
export async function streamPersonalData(context: RequestContext, onEnd: () => void): Promise<Readable> {
  const { kysely } = context.program.database;
  const trx = await repeatOnPrimary(() => openSnapshot(kysely));
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    await trx
      .rollback()
      .execute()
      .catch((error: Error) => context.program.log.warn(`A download of personal data failed: ${error.message}`));
    onEnd();
  };
  const bytes = Readable.from(writePersonalData(context, trx, close), { objectMode: false, highWaterMark: 64 * 1024 });
  // Also if it was never read, or the client disconnected.
  bytes.once('close', () => void close());
  return bytes;
}

async function openSnapshot(kysely: Queries): Promise<Snapshot> {
  const trx = await kysely.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  try {
    await allowLongStatements(trx);
    return trx;
  } catch (error) {
    await trx
      .rollback()
      .execute()
      .catch(() => undefined);
    throw error;
  }
}

async function* writePersonalData(
  context: RequestContext,
  trx: Snapshot,
  close: () => Promise<void>,
): AsyncGenerator<string> {
  const { id } = context.actor;
  yield `{"about":${JSON.stringify(description)},"made_at":${JSON.stringify(context.now)}`;
  for (const { name, rows, show } of personalDataSections(context, id)) {
    yield `,\n${JSON.stringify(name)}:`;
    yield* writeRows(trx, rows, async (batch) => (show ? batch.map(show) : batch));
  }
  const records = personalRecords(context, id);
  yield ',\n"records":{';
  let comma = '';
  for (const { definition, readable } of records) {
    if (!readable) continue;
    yield `${comma}\n${JSON.stringify(definition.name)}:`;
    yield* writeRows(trx, readable, (batch) => completeResponses({ context, definition }, batch, 'list', trx));
    comma = ',';
  }
  yield '},\n"records_without_access":{';
  comma = '';
  for (const { definition, hidden } of records) {
    yield `${comma}\n${JSON.stringify(definition.name)}:`;
    yield* writeRows(trx, hidden, async (batch) => batch);
    comma = ',';
  }
  await close();
  yield '}}\n';
}

/** The rows of a statement as a JSON array, some at a time. */
async function* writeRows(
  trx: Snapshot,
  rows: RawBuilder<unknown>,
  toShown: (batch: ResourceRecord[]) => Promise<readonly ResourceRecord[]>,
): AsyncGenerator<string> {
  const { sql, parameters } = rows.compile(trx);
  await trx.executeQuery(CompiledQuery.raw(`declare own_data no scroll cursor for ${sql}`, [...parameters]));
  let comma = '[';
  for (;;) {
    const fetched = await trx.executeQuery<ResourceRecord>(CompiledQuery.raw(`fetch forward ${batch} from own_data`));
    for (const row of await toShown(fetched.rows)) {
      yield `${comma}${JSON.stringify(row)}`;
      comma = ',\n';
    }
    if (fetched.rows.length < batch) break;
  }
  yield comma === '[' ? '[]' : ']';
  await trx.executeQuery(CompiledQuery.raw('close own_data'));
}

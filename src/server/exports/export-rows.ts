import { CompiledQuery, type ControlledTransaction } from 'kysely';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { typeOf } from '../../engine/field-types';
import { readableFields } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import type { Row, Tables } from '../database/database';
import { allowLong } from '../database/timeouts';
import { completeAnswers } from '../records/complete';
import { hasHooks } from '../records/hooks';
import { listWhere, pageStatement } from '../records/list';
import { countStatement, needleFor } from '../records/matched';
import { filled } from '../records/plans';
import { readListQuery, type Query } from '../records/query/list-query';

/** The records of a list from one snapshot, in batches. */
export interface ExportRows {
  readonly total: number;
  /** Returns the next records; none at the end. */
  next(): Promise<ResourceRecord[]>;
  close(): Promise<void>;
}

/** Rows that can be opened: everything about them has been validated. */
export interface PlannedRows {
  open(): Promise<ExportRows>;
}

/**
 * Validates and prepares a query with the same rules and order as the list; its rows are read in a read-only snapshot.
 * `names` are the required fields. Throws Refused without the grant and BadRequest for a malformed query.
 */
export function planRows(
  context: RequestContext,
  definition: Definition,
  query: Query,
  names: ReadonlySet<string>,
): PlannedRows {
  const { kysely } = context.program.database;
  const asked = readListQuery(context, definition, query);
  const where = listWhere(context, definition, asked);
  const needed = neededFields(context, definition, names);
  const limit = asked.range?.limit ?? null;
  const offset = asked.range?.offset ?? 0;
  const page = filled(pageStatement(context, definition, where, asked, { only: needed }), { limit, offset });
  const count = countStatement(context, definition, where, needleFor(asked));

  return { open: () => openRows() };

  async function openRows(): Promise<ExportRows> {
    const trx = await kysely
      .startTransaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute();
    const size = batchSize(definition, needed);
    let open = true;
    const close = async () => {
      if (!open) return;
      open = false;
      await trx.rollback().execute();
    };
    try {
      await allowLong(trx);
      const all = (await run(trx, count.sql, count.parameters))[0]!.total as number;
      await run(trx, `declare export no scroll cursor for ${page.sql}`, page.parameters);
      return {
        total: Math.min(Math.max(all - offset, 0), limit ?? all),
        async next() {
          const rows = await run(trx, `fetch forward ${size} from export`);
          return completeAnswers(context, definition, rows, 'list', trx);
        },
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  }
}

async function run(
  trx: ControlledTransaction<Tables>,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  return (await trx.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows;
}

/** The fields to read: hooks, and rules that hide fields of some records, may need any field. */
function neededFields(
  context: RequestContext,
  definition: Definition,
  names: ReadonlySet<string>,
): ReadonlySet<string> {
  const { always, sometimes } = readableFields(context.actor, definition);
  const all = hasHooks(definition, 'afterRead') || always.size !== sometimes.size;
  return all ? new Set(Object.keys(definition.fields)) : names;
}

/** Small enough that reading a batch does not block others, even with long texts. */
function batchSize(definition: Definition, names: ReadonlySet<string>): number {
  const long = [...names].some((name) => typeOf(definition.fields[name]!).markup);
  return long ? 50 : 250;
}

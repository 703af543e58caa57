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

/** The records of a list, all of one moment, in batches. */
export interface ExportRows {
  readonly total: number;
  /** The next records; none at the end. */
  next(): Promise<ResourceRecord[]>;
  close(): Promise<void>;
}

/** Rows that can be opened: everything that may be refused about them has been. */
export interface PlannedRows {
  open(): Promise<ExportRows>;
}

/**
 * Plans the rows that a query asks for, through the list's own door and in its order; they are opened under a
 * read-only snapshot. `names` are the fields that are needed. Throws Refused without the grant and BadRequest for what cannot be read.
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

/** Hooks, and rules that hide fields of some records, may look at any field. */
function neededFields(
  context: RequestContext,
  definition: Definition,
  names: ReadonlySet<string>,
): ReadonlySet<string> {
  const { always, sometimes } = readableFields(context.actor, definition);
  const all = hasHooks(definition, 'afterRead') || always.size !== sometimes.size;
  return all ? new Set(Object.keys(definition.fields)) : names;
}

/** Few enough that reading a batch holds up nobody, also where texts are long. */
function batchSize(definition: Definition, names: ReadonlySet<string>): number {
  const long = [...names].some((name) => typeOf(definition.fields[name]!).markup);
  return long ? 50 : 250;
}

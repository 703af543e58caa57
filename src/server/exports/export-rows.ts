import { CompiledQuery, type ControlledTransaction } from 'kysely';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { fieldTypeOf } from '../../engine/field-types';
import { readableFields } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import type { Row, Tables } from '../database/database';
import { allowLongStatements } from '../database/timeouts';
import { completeResponses } from '../records/read';
import { hasHooks } from '../records/hooks';
import { listFilter, pageStatement } from '../records/list';
import { countStatement, searchTermOf } from '../records/list-statements';
import { bind } from '../records/statement-cache';
import { parseListQuery, type Query } from '../records/query/list-query';

/** The records of a list from one snapshot, in batches. */
export interface ExportRows {
  readonly total: number;
  /** Returns the next records; none at the end. */
  next(): Promise<ResourceRecord[]>;
  close(): Promise<void>;
}

/** Rows that can be opened: everything about them has been validated. */
export interface PreparedRows {
  open(): Promise<ExportRows>;
}

/**
 * Validates and prepares a query with the same rules and order as the list; its rows are read in a read-only snapshot.
 * `names` are the required fields. Throws Forbidden without the grant and BadRequest for a malformed query.
 */
export function prepareRows(
  context: RequestContext,
  definition: Definition,
  query: Query,
  names: ReadonlySet<string>,
): PreparedRows {
  const { kysely } = context.program.database;
  const asked = parseListQuery(context, definition, query);
  const where = listFilter(context, definition, asked);
  const needed = neededFields(context, definition, names);
  const limit = asked.range?.limit ?? null;
  const offset = asked.range?.offset ?? 0;
  const page = bind(pageStatement(context, definition, where, asked, { only: needed }), { limit, offset });
  const count = countStatement(context, definition, where, searchTermOf(asked));

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
      await allowLongStatements(trx);
      const all = (await executeQuery(trx, count.sql, count.parameters))[0]!.total as number;
      await executeQuery(trx, `declare export no scroll cursor for ${page.sql}`, page.parameters);
      return {
        total: Math.min(Math.max(all - offset, 0), limit ?? all),
        async next() {
          const rows = await executeQuery(trx, `fetch forward ${size} from export`);
          return completeResponses(context, definition, rows, 'list', trx);
        },
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  }
}

async function executeQuery(
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
  const long = [...names].some((name) => fieldTypeOf(definition.fields[name]!).hasMarkup);
  return long ? 50 : 250;
}

import { CompiledQuery, type ControlledTransaction } from 'kysely';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { rowColumns, rowDefinition, rowsFields } from '../../engine/field-types/row-definition';
import { hasCompanyKey } from '../sql/same-company';
import { fieldTypeOf } from '../../engine/field-types';
import { withShown } from '../../engine/lists/shown-with';
import { readableFields } from '../access/access-filter';
import type { RecordScope } from '../access/record-scope';
import type { RequestContext } from '../access/request-context';
import type { Row, Tables } from '../database/database';
import { allowLongStatements } from '../database/timeouts';
import { completeResponses } from '../records/read/read';
import { hasHooks } from '../records/write/hooks';
import { listFilter, pageStatement } from '../records/read/list';
import { countStatement, searchTermOf } from '../records/read/list-statements';
import { bind } from '../records/read/statement-cache';
import { parseListQuery, type Query } from '../records/read/query/list-query';
import { firstOf } from '../../engine/values/lookups';
import { fieldOf } from '../../engine/definitions/accessors';

/** The records of a list from one snapshot, in batches. */
export interface ExportRows {
  readonly total: number;
  /** At most so many lines a sheet has for them, as records with rows have several. */
  readonly lines: number;
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
export function prepareRows(scope: RecordScope, query: Query, names: ReadonlySet<string>): PreparedRows {
  const { context, definition } = scope;
  const { kysely } = context.program.database;
  const listQuery = parseListQuery(context, definition, query);
  const condition = listFilter(context, definition, listQuery);
  const requiredNames = neededFields(context, definition, names);
  const limit = listQuery.range?.limit ?? null;
  const offset = listQuery.range?.offset ?? 0;
  const page = bind(pageStatement({ context, definition }, condition, listQuery, { only: requiredNames }), {
    limit,
    offset,
  });
  const count = countStatement(scope, condition, searchTermOf(listQuery));

  return { open: openRows };

  async function openRows(): Promise<ExportRows> {
    const trx = await kysely
      .startTransaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute();
    const size = batchSize(definition, requiredNames);
    let open = true;
    const close = async () => {
      if (!open) return;
      open = false;
      await trx.rollback().execute();
    };
    try {
      await allowLongStatements(trx);
      const rowTotal = firstOf(await executeQuery(trx, count.sql, count.parameters)).total as number;
      const records = Math.min(Math.max(rowTotal - offset, 0), limit ?? rowTotal);
      const lines = records + (await countLinesBelow(trx));
      await executeQuery(trx, `declare export no scroll cursor for ${page.sql}`, page.parameters);
      return {
        total: records,
        lines,
        async next() {
          const rows = await executeQuery(trx, `fetch forward ${size} from export`);
          return completeResponses({ context, definition }, rows, 'list', trx);
        },
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** The lines that the rows of the records take below their first. */
  async function countLinesBelow(trx: ControlledTransaction<Tables>): Promise<number> {
    let lines = 0;
    for (const field of rowsFields(definition).filter(({ name }) => names.has(name))) {
      const { table } = rowDefinition(definition, field);
      const firstRow = firstOf(
        await executeQuery(
          trx,
          `select (count(*) - count(distinct r."${rowColumns.parent}"))::integer as lines
          from (${page.sql}) p ${hasCompanyKey(definition) ? `join public."${definition.table}" t on t.id = p.id` : ''}
            join public."${table}" r on r."${rowColumns.parent}" = p.id ${hasCompanyKey(definition) ? 'and r.site_id = t.site_id' : ''}`,
          page.parameters,
        ),
      );
      lines += firstRow.lines as number;
    }
    return lines;
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
  const { always: alwaysReadable, sometimes: sometimesReadable } = readableFields(context.actor, definition);
  const needsAllFields = hasHooks(definition, 'afterRead') || alwaysReadable.size !== sometimesReadable.size;
  return needsAllFields ? new Set(Object.keys(definition.fields)) : withShown(definition, names);
}

/** Small enough that reading a batch does not block others, even with long texts. */
function batchSize(definition: Definition, names: ReadonlySet<string>): number {
  const types = [...names].map((name) => fieldTypeOf(fieldOf(definition, name)));
  if (types.some(({ holds: valueKind }) => valueKind === 'rows')) return 25;
  return types.some(({ hasMarkup }) => hasMarkup) ? 50 : 250;
}

import { sql } from 'kysely';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { assertGranted } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { assertOwned } from '../access/company-scope';
import type { Transaction } from '../database/database';
import { Conflict } from '../errors/errors';
import { archiveRecord } from './archive';
import { translateDatabaseErrors, publishRecordChange, historyValues, updateRowWithHistory } from './row-writes';
import { runHooks } from './hooks';
import { readAfterWrite } from './read';
import { deleteRows } from './delete-rows';
import { lockRow, assertNotArchived } from './stored-row';

/**
 * `DELETE r/{id}`: archives the record, keeps it for its name, or deletes it, depending on its definition; returns it
 * as it was. Throws Refused, NotFound, or Conflict if it ships with the program or is still used.
 */
export async function deleteRecord(
  context: RequestContext,
  definition: Definition,
  id: number,
): Promise<ResourceRecord> {
  assertGranted(context, definition, 'delete');
  return translateDatabaseErrors(definition, () =>
    context.program.database.transaction((trx) => deleteInTransaction(context, definition, id, trx)),
  );
}

async function deleteInTransaction(
  context: RequestContext,
  definition: Definition,
  id: number,
  trx: Transaction,
): Promise<ResourceRecord> {
  const row = await lockRow(context, definition, id, trx, 'delete');
  const before = row.values;
  assertOwned(context.actor, definition, before, 'delete');
  row.matchingRules();
  await assertNotShipped(definition, id, trx);
  assertNotArchived(definition, row);
  const answer = await readAfterWrite(context, definition, id, trx);
  const hook = { before, values: before, input: {}, trx };
  await runHooks(context, definition, 'beforeDelete', hook);
  if (definition.archive) {
    await archiveRecord(context, definition, before, trx);
  } else if (definition.delete.keep) {
    const old = historyValues(definition, before, Object.keys(definition.fields));
    const values = { deleted_at: context.now };
    await updateRowWithHistory(
      context,
      definition,
      id,
      values,
      new Set(['deleted_at']),
      { event: 'deleted', old },
      trx,
    );
    publishRecordChange(context.program, definition, before, 'deleted', trx);
  } else {
    await deleteRows(context, definition, [id], trx);
  }
  await runHooks(context, definition, 'afterDelete', hook);
  return answer;
}

/** Throws Conflict for a protected row that ships with the program. */
export async function assertNotShipped(definition: Definition, id: number, trx: Transaction): Promise<void> {
  if (!definition.rows) return;
  const { rows } = await sql`select from assay.shipped_rows
    where resource = ${definition.name} and record_id = ${id} and protected`.execute(trx);
  if (rows.length > 0) {
    throw new Conflict(`This ${definition.labels.one.toLowerCase()} ships with the program and cannot be deleted.`);
  }
}

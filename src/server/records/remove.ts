import { sql } from 'kysely';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { mustBeGranted } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import { mustOwn } from '../access/scope';
import type { Transaction } from '../database/database';
import { Conflict } from '../errors/errors';
import { archiveRecord } from './archive';
import { withFaults } from './faults';
import { runHooks } from './hooks';
import { publish } from './publish';
import { answerOf } from './read';
import { removeRows } from './removal';
import { historyValues, updateLogged } from './store';
import { holdRow, mustBePresent } from './stored-row';

/**
 * `DELETE r/{id}`: archives the record, keeps it for its name, or deletes it, depending on its definition; returns it
 * as it was. Throws Refused, NotFound, or Conflict if it ships with the program or is still used.
 */
export async function removeRecord(
  context: RequestContext,
  definition: Definition,
  id: number,
): Promise<ResourceRecord> {
  mustBeGranted(context, definition, 'delete');
  return withFaults(definition, () =>
    context.program.database.transaction((trx) => remove(context, definition, id, trx)),
  );
}

async function remove(
  context: RequestContext,
  definition: Definition,
  id: number,
  trx: Transaction,
): Promise<ResourceRecord> {
  const row = await holdRow(context, definition, id, trx, 'delete');
  const before = row.values;
  mustOwn(context.actor, definition, before, 'delete');
  row.rules();
  await mustNotBeShipped(definition, id, trx);
  mustBePresent(definition, row);
  const answer = await answerOf(context, definition, id, trx);
  const hook = { before, values: before, input: {}, trx };
  await runHooks(context, definition, 'beforeDelete', hook);
  if (definition.archive) {
    await archiveRecord(context, definition, before, trx);
  } else if (definition.delete.keep) {
    const old = historyValues(definition, before, Object.keys(definition.fields));
    const values = { deleted_at: context.now };
    await updateLogged(context, definition, id, values, new Set(['deleted_at']), { event: 'deleted', old }, trx);
    publish(context.program, definition, before, 'deleted', trx);
  } else {
    await removeRows(context, definition, [id], trx);
  }
  await runHooks(context, definition, 'afterDelete', hook);
  return answer;
}

/** Throws Conflict for a protected row that ships with the program. */
export async function mustNotBeShipped(definition: Definition, id: number, trx: Transaction): Promise<void> {
  if (!definition.rows) return;
  const { rows } = await sql`select from assay.shipped_rows
    where resource = ${definition.name} and record_id = ${id} and protected`.execute(trx);
  if (rows.length > 0) {
    throw new Conflict(`This ${definition.labels.one.toLowerCase()} ships with the program and cannot be deleted.`);
  }
}

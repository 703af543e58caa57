import { sql } from 'kysely';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { leaderArchivedMessage, leadersOf } from '../../engine/lists/leaders';
import { mustBeGranted } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import { mustOwn } from '../access/scope';
import type { Transaction } from '../database/database';
import { Conflict, NotFound } from '../errors/errors';
import { unarchiveRecord } from './archive';
import { answerOf } from './read';
import { holdRow } from './stored-row';

/**
 * `PATCH r/restore/{id}`: restores a record from the archive, with exactly the records that were archived with it, and
 * returns it. Throws Conflict if it is not archived, or if its leader still is.
 */
export async function restoreRecord(
  context: RequestContext,
  definition: Definition,
  id: number,
): Promise<ResourceRecord> {
  if (!definition.archive) throw new NotFound();
  mustBeGranted(context, definition, 'edit');
  return context.program.database.transaction(async (trx) => {
    const lockedRow = await holdRow(context, definition, id, trx);
    const row = lockedRow.values;
    mustOwn(context.actor, definition, row, 'edit');
    lockedRow.rules();
    if (row.archived_at === null) throw new Conflict(`This ${definition.labels.one.toLowerCase()} is not archived.`);
    await mustHaveNoArchivedLeader(context, definition, row, trx);
    await unarchiveRecord(context, definition, row, trx);
    return answerOf(context, definition, id, trx);
  });
}

async function mustHaveNoArchivedLeader(
  context: RequestContext,
  definition: Definition,
  row: ResourceRecord,
  trx: Transaction,
): Promise<void> {
  for (const { definition: leader, field } of leadersOf(definition, context.registry)) {
    if (typeof row[field] !== 'number') continue;
    const { rows } = await sql`select from ${sql.id('public', leader.table)} t
      where t.id = ${row[field]} and t.archived_at is not null`.execute(trx);
    if (rows.length > 0) throw new Conflict(leaderArchivedMessage(definition, leader), 'CONFLICT_ARCHIVED');
  }
}

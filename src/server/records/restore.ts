import { sql } from 'kysely';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { parentArchivedMessage, archivingParentsOf } from '../../engine/lists/archiving-parents';
import { assertGranted } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { assertOwned } from '../access/company-scope';
import type { Transaction } from '../database/database';
import { Conflict, NotFound } from '../errors/errors';
import { unarchiveRecord } from './archive';
import { readAfterWrite } from './read';
import { lockRow } from './stored-row';

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
  assertGranted(context, definition, 'edit');
  return context.program.database.transaction(async (trx) => {
    const lockedRow = await lockRow(context, definition, id, trx);
    const row = lockedRow.values;
    assertOwned(context.actor, definition, row, 'edit');
    lockedRow.matchingRules();
    if (row.archived_at === null) throw new Conflict(`This ${definition.labels.one.toLowerCase()} is not archived.`);
    await assertLeadersActive(context, definition, row, trx);
    await unarchiveRecord(context, definition, row, trx);
    return readAfterWrite(context, definition, id, trx);
  });
}

async function assertLeadersActive(
  context: RequestContext,
  definition: Definition,
  row: ResourceRecord,
  trx: Transaction,
): Promise<void> {
  for (const { definition: leader, field } of archivingParentsOf(definition, context.registry)) {
    if (typeof row[field] !== 'number') continue;
    const { rows } = await sql`select from ${sql.id('public', leader.table)} t
      where t.id = ${row[field]} and t.archived_at is not null`.execute(trx);
    if (rows.length > 0) throw new Conflict(parentArchivedMessage(definition, leader), 'CONFLICT_ARCHIVED');
  }
}

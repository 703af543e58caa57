import { sql } from 'kysely';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { addHistoryEntry, publishRecordChange } from './row-writes';

/** A relation whose records are archived together with their target. */
export interface Follower {
  readonly definition: Definition;
  readonly field: string;
}

/** The relations whose records are archived together with the records of a resource. */
export function followersOf(context: RequestContext, definition: Definition): Follower[] {
  return (definition.archive?.cascade ?? []).map((path) => {
    const dot = path.indexOf('.');
    return { definition: context.registry.getOrThrow(path.slice(0, dot)), field: path.slice(dot + 1) };
  });
}

/**
 * Archives a row and, in the same transaction, its followers. Each follower stores which record it was archived with.
 */
export async function archiveRecord(
  context: RequestContext,
  definition: Definition,
  row: ResourceRecord,
  trx: Transaction,
  leader: number | null = null,
): Promise<void> {
  const id = row.id as number;
  await sql`update ${sql.id('public', definition.table)} set archived_at = ${context.now}, archived_with = ${leader}
    where id = ${id}`.execute(trx);
  await addHistoryEntry(context, definition, { id, event: 'archived' }, trx);
  publishRecordChange(context.program, definition, row, 'archived', trx);
  for (const { definition: follower, field } of followersOf(context, definition)) {
    const { rows } = await sql<ResourceRecord>`select * from ${sql.id('public', follower.table)} t
      where ${sql.id('t', field)} = ${id} and t.archived_at is null for update`.execute(trx);
    for (const one of rows) await archiveRecord(context, follower, one, trx, id);
  }
}

/** Restores a row from the archive, and exactly the followers that were archived with it. */
export async function unarchiveRecord(
  context: RequestContext,
  definition: Definition,
  row: ResourceRecord,
  trx: Transaction,
): Promise<void> {
  const id = row.id as number;
  await sql`update ${sql.id('public', definition.table)} set archived_at = null, archived_with = null
    where id = ${id}`.execute(trx);
  await addHistoryEntry(context, definition, { id, event: 'restored' }, trx);
  publishRecordChange(context.program, definition, row, 'restored', trx);
  for (const { definition: follower, field } of followersOf(context, definition)) {
    const { rows } = await sql<ResourceRecord>`select * from ${sql.id('public', follower.table)} t
      where ${sql.id('t', field)} = ${id} and t.archived_with = ${id} for update`.execute(trx);
    for (const one of rows) await unarchiveRecord(context, follower, one, trx);
  }
}

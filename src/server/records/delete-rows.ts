import { sql } from 'kysely';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import type { Reference } from '../../engine/definitions/registry';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { Conflict } from '../errors/errors';
import { deleteFilesAfterCommit } from './record-files';
import { collectUses, describeUses, refersToSql, type RecordUses } from './references';
import { publishRecordChange } from './row-writes';

/**
 * Deletes rows, their history and the notifications about them, after the rows that cascade from them. Throws Conflict,
 * with kinds and counts, if other records still refer to them.
 */
export async function deleteRows(
  context: RequestContext,
  definition: Definition,
  ids: readonly number[],
  trx: Transaction,
): Promise<void> {
  if (ids.length === 0) return;
  const references = context.registry.referencesTo(definition.name);
  await assertUnused(context, definition, references, ids, trx);
  for (const { definition: child, field } of references) {
    if (field.onDelete !== 'cascade' || field.type !== 'relation') continue;
    const { rows } = await sql<{ id: number }>`select t.id from ${sql.id('public', child.table)} t
      where ${refersToSql(child, field, ids)} and not (${sql.lit(child.name === definition.name)} and t.id = any(${ids}::integer[]))`.execute(
      trx,
    );
    await deleteRows(
      context,
      child,
      rows.map(({ id }) => id),
      trx,
    );
  }
  const table = sql.id('public', definition.table);
  const { rows } =
    await sql<ResourceRecord>`delete from ${table} where id = any(${ids}::integer[]) returning *`.execute(trx);
  const links = ids.map((id) => `/${definition.name}/${id}`);
  await sql`delete from assay.notifications where link = any(${links}::text[])`.execute(trx);
  await sql`delete from assay.history where resource = ${definition.name} and record_id = any(${ids}::integer[])`.execute(
    trx,
  );
  for (const row of rows) {
    deleteFilesAfterCommit(context.program, definition, row, trx);
    publishRecordChange(context.program, definition, row, 'deleted', trx);
  }
}

/** A caller who may not list the referring records only learns that there are some, not what or how many. */
async function assertUnused(
  context: RequestContext,
  definition: Definition,
  references: readonly Reference[],
  ids: readonly number[],
  trx: Transaction,
): Promise<void> {
  const restricting = new Map<Definition, Field[]>();
  for (const { definition: user, field } of references) {
    // System records outlive the records they refer to.
    if (field.onDelete === 'restrict' && !user.system) restricting.set(user, [...(restricting.get(user) ?? []), field]);
  }
  const recordUses: RecordUses = { phrases: [], hasHiddenUses: false };
  for (const [user, fields] of restricting) {
    const any = fields.map((field) => refersToSql(user, field, ids));
    const others = sql`not (${sql.lit(user.name === definition.name)} and t.id = any(${ids}::integer[]))`;
    await collectUses(context, user, sql`(${sql.join(any, sql` or `)}) and ${others}`, recordUses, trx);
  }
  if (recordUses.phrases.length > 0 || recordUses.hasHiddenUses)
    throw new Conflict(`${definition.labels.one} is used by ${describeUses(recordUses)}.`, 'CONFLICT_REFERENCED');
}

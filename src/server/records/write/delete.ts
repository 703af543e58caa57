import { sql, type RawBuilder } from 'kysely';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { assertGranted, assertOwned } from '../../access/access-filter';
import type { RecordScope, TransactionScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { runStatement, type Transaction } from '../../database/database';
import { allowLongStatements } from '../../database/timeouts';
import { Conflict, HttpError, NotFound } from '../../errors/errors';
import { type Handover, handOver, lockSuccessor } from './assignments';
import { inSavepoint } from './savepoints';
import { type RowOutcome, toRefusal } from './record-write';
import {
  translateDatabaseErrors,
  publishRecordChange,
  historyValues,
  updateRow,
  updateRowWithHistory,
  addHistoryEntry,
} from './row-writes';
import { hasHooks, runHooks } from './hooks';
import { readAfterWrite } from '../read/read';
import { isInRuleGroup, lockRules } from './rule-locks';
import { lockRow, lockRows, assertNotArchived, type StoredRow } from './stored-row';
import { hasAutomations, startAutomations } from './triggers';
import type { Reference } from '../../../engine/registry/registry';
import { deleteFilesAfterCommit } from '../files/record-files';
import {
  deleteRowsKeeping,
  keepFiles,
  keepRelatedRows,
  noteDeletions,
  type DeletionsByRecord,
  type StoredRows,
} from './deletions';
import { collectUses, describeUses, refersToSql, rowsReferToSql, type RecordUses } from './references';
import { parentArchivedMessage, archivingParentsOf } from '../../../engine/lists/archiving-parents';
import { isRelation } from '../../../engine/field-types/relation';
import { bind, fixedStatement, Placeholder } from '../read/statement-cache';
import { companyKeys, companyKeySql } from '../../sql/company-key';
import { idOf } from '../../../engine/definitions/accessors';

/**
 * `DELETE r/{id}`: archives the record, keeps it for its name, or deletes it, depending on its definition; returns it
 * as it was. Throws Forbidden, NotFound, or Conflict if it ships with the program or is still used.
 */
export async function deleteRecord(
  context: RequestContext,
  definition: Definition,
  id: number,
): Promise<ResourceRecord> {
  assertGranted(context, definition, 'delete');
  return translateDatabaseErrors(context, definition, () =>
    context.program.database.transaction((trx) => deleteInTransaction({ context, definition, trx }, id)),
  );
}

/** A record that was deleted, and what became of the records that were assigned to it. */
export interface DeletedWithSuccessor {
  readonly data: ResourceRecord;
  readonly handover: Handover;
}

/**
 * `DELETE r/{id}?successor=`: as `deleteRecord`, and in the same transaction assigns to the successor what is assigned to
 * the record. Throws also Invalid for a successor that is no other active record.
 */
export async function deleteWithSuccessor(
  { context, definition }: RecordScope,
  id: number,
  successor: unknown,
): Promise<DeletedWithSuccessor> {
  assertGranted(context, definition, 'delete');
  return translateDatabaseErrors(context, definition, () =>
    context.program.database.transaction(async (trx) => {
      const scope = { context, definition, trx };
      await allowLongStatements(trx);
      const successorId = await lockSuccessor(scope, [id], successor);
      const data = await deleteInTransaction(scope, id);
      return { data, handover: await handOver(scope, [id], successorId) };
    }),
  );
}

async function deleteInTransaction(scope: TransactionScope, id: number): Promise<ResourceRecord> {
  const { context, definition, trx } = scope;
  const row = await lockRow(scope, id, 'delete');
  assertDeletable(context, definition, row);
  await assertNotShipped(definition, id, trx);
  const answer = await readAfterWrite(scope, id, trx);
  await removeRow(scope, row.values);
  return answer;
}

/** Throws Forbidden, or Conflict if the row is archived. */
function assertDeletable(context: RequestContext, definition: Definition, row: StoredRow): void {
  assertOwned(context.actor, definition, row.values, 'delete');
  row.matchingRules();
  assertNotArchived(definition, row);
}

/**
 * Deletes many records as `DELETE` would delete each, within a transaction; returns what became of each. The caller has
 * to check the grant. Uses a few statements for all of them where nothing has to be done for each.
 *
 * @example const [outcome] = await deleteMany({ context, definition: deals, trx }, [7]); // { id: 7 }, or why it was refused
 */
export async function deleteMany(scope: TransactionScope, ids: readonly number[]): Promise<RowOutcome[]> {
  const { context, definition, trx } = scope;
  if (ids.length === 0) return [];
  await lockRules(context, [definition], trx);
  // The rules of each have to see which are gone before it.
  const isPlain =
    !definition.archive &&
    !definition.delete.keep &&
    !hasHooks(definition, 'beforeDelete', 'afterDelete') &&
    !isInRuleGroup(context, definition);
  if (isPlain) {
    const deleted = await inSavepoint(trx, () => deletePlainRows(scope, ids));
    if (!(deleted instanceof HttpError)) return ids.map((id) => ({ id }));
  }
  // One by one, to know which of them was refused.
  const outcomes: RowOutcome[] = [];
  for (const id of ids) {
    const deleted = await inSavepoint(trx, () =>
      translateDatabaseErrors(context, definition, () => deleteInTransaction(scope, id)),
    );
    outcomes.push(deleted instanceof HttpError ? toRefusal(deleted) : { id });
  }
  return outcomes;
}

async function deletePlainRows(scope: TransactionScope, ids: readonly number[]): Promise<void> {
  const { context, definition, trx } = scope;
  const rows = await lockRows(scope, ids, 'delete');
  if (rows.size < ids.length) throw new NotFound();
  for (const row of rows.values()) assertDeletable(context, definition, row);
  await assertNotShipped(definition, ids, trx);
  const values = [...rows.values()].map((row) => row.values);
  await deleteRows(scope, values, await keepIfPossible(scope, values));
}

/** Notes the deletion of records that can be brought back; undefined if those of the resource cannot. */
async function keepIfPossible(
  scope: TransactionScope,
  rows: readonly ResourceRecord[],
): Promise<DeletionsByRecord | undefined> {
  const { definition } = scope;
  return definition.delete.final ? undefined : noteDeletions(scope, rows);
}

/** Archives the record, keeps it for its name, or deletes it, with the hooks around it. */
async function removeRow(scope: TransactionScope, storedRecord: ResourceRecord): Promise<void> {
  const { context, definition, trx } = scope;
  const id = storedRecord.id as number;
  const hook = { before: storedRecord, values: storedRecord, input: {}, trx };
  await runHooks(scope, 'beforeDelete', hook);
  if (definition.archive) {
    await archiveRecord(scope, storedRecord);
  } else if (definition.delete.keep) {
    const oldValues = historyValues(definition, storedRecord, Object.keys(definition.fields));
    await startAutomations(scope, 'delete', [{ values: storedRecord }]);
    await context.program.tellOfDeletion(context.actor, definition, [id], trx);
    const values = { ...storedRecord, deleted_at: context.now };
    await updateRowWithHistory({ context, definition, trx }, values, new Set(['deleted_at']), {
      event: 'deleted',
      old: oldValues,
    });
    publishRecordChange(context.program, definition, storedRecord, 'deleted', trx);
  } else {
    await deleteRows(scope, [storedRecord], await keepIfPossible(scope, [storedRecord]));
  }
  await runHooks(scope, 'afterDelete', hook);
}

/** Throws Conflict if a row is protected because it ships with the program. */
export async function assertNotShipped(
  definition: Definition,
  ids: number | readonly number[],
  trx: Transaction,
): Promise<void> {
  if (!definition.rows) return;
  const { rows } = await sql`select from assay.shipped_rows
    where resource = ${definition.name} and record_id = any(${[ids].flat()}::bigint[]) and protected`.execute(trx);
  if (rows.length > 0) {
    throw new Conflict(`This ${definition.labels.one.toLowerCase()} ships with the program and cannot be deleted.`);
  }
}

/**
 * Deletes records for good, in the archive too, within a transaction, of several resources: those that refer first.
 * Records that the caller may not see stay, and those that are gone already do not matter. Throws Forbidden, or Conflict if other
 * records belong to one, even those that would be deleted with it.
 *
 * @example await purgeRecords(context, [{ definition: deals, ids: [7] }, { definition: companies, ids: [2] }], trx);
 */
export async function purgeRecords(
  context: RequestContext,
  groups: readonly RecordGroup[],
  trx: Transaction,
): Promise<void> {
  const idsToPurge = new Map(groups.map(({ definition, ids }) => [definition.name, ids]));
  for (const { definition, ids } of groups) {
    assertGranted(context, definition, 'delete');
    const rows = await lockRows({ context, definition, trx }, ids, 'delete');
    const lockedIds = [...rows.keys()];
    if (lockedIds.length === 0) continue;
    const otherUses: RecordUses = { phrases: [], hasHiddenUses: false };
    for (const { definition: user, field } of context.registry.referencesTo(definition.name)) {
      if (field.onDelete !== 'cascade' || user.system) continue;
      const uses = {
        name: `purge ${definition.name} ${field.name}`,
        where: () =>
          sql`${refersToSql(user, field, definition)} and not t.id = any(${new Placeholder('purged')}::bigint[])`,
        values: { ids: lockedIds, purged: idsToPurge.get(user.name) ?? [] },
      };
      await collectUses({ context, definition: user, queries: trx }, uses, otherUses);
    }
    if (otherUses.phrases.length > 0 || otherUses.hasHiddenUses)
      throw new Conflict(`${definition.labels.one} is used by ${describeUses(otherUses)}.`, 'CONFLICT_REFERENCED');
    for (const { values } of rows.values()) {
      assertOwned(context.actor, definition, values, 'delete');
      await runHooks({ context, definition }, 'beforeDelete', { before: values, values, input: {}, trx });
    }
    const values = [...rows.values()].map((row) => row.values);
    await deleteRows({ context, definition, trx }, values, undefined);
    for (const { values } of rows.values())
      await runHooks({ context, definition }, 'afterDelete', { before: values, values, input: {}, trx });
  }
}

/** Records of one resource. */
export interface RecordGroup {
  readonly definition: Definition;
  readonly ids: readonly number[];
}

/**
 * Deletes rows, their history and the notifications about them, after the rows that cascade from them. With deletions,
 * all of it is kept for a while. Throws Conflict, with kinds and counts, if other records still refer to them.
 */
async function deleteRows(
  scope: TransactionScope,
  storedRows: StoredRows,
  deletions: DeletionsByRecord | undefined,
): Promise<void> {
  const { context, definition, trx } = scope;
  if (storedRows.length === 0) return;
  const ids = storedRows.map(idOf);
  const references = context.registry.referencesTo(definition.name);
  await assertUnused(scope, references, ids);
  await context.program.tellOfDeletion(context.actor, definition, ids, trx);
  for (const { definition: child, field } of references) {
    if (field.onDelete !== 'cascade' || !isRelation(field)) continue;
    const plan = fixedStatement(
      child,
      `below ${definition.name} ${field.name}`,
      trx,
      () => sql`select t.id, ${companyKeySql(child, 't')} as site_id, ${sql.id('t', field.name)} as parent from ${sql.id('public', child.table)} t
        where ${refersToSql(child, field, definition)} and ${otherRowsSql(child, definition)}`,
    );
    const rows = await runStatement<{ id: number; site_id: number; parent: number }>(trx, bind(plan, { ids }));
    const childDeletions = deletions && new Map(rows.map(({ id, parent }) => [id, deletions.get(parent)!]));
    await deleteRows({ context, definition: child, trx }, rows, childDeletions);
  }
  if (hasAutomations(definition, 'delete')) {
    const plan = fixedStatement(
      definition,
      'rows to delete',
      trx,
      () =>
        sql`select * from ${sql.id('public', definition.table)} where id = any(${new Placeholder('ids')}::bigint[])`,
    );
    const doomed = await runStatement<ResourceRecord>(trx, bind(plan, { ids }));
    const changes = doomed.map((values) => ({ values }));
    await startAutomations(scope, 'delete', changes);
  }
  if (deletions) await keepRelatedRows(scope, storedRows, deletions);
  const rows = await deleteRowsKeeping(definition, storedRows, deletions, trx);
  const links = ids.map((id) => `/${definition.name}/${id}`);
  await sql`delete from assay.notifications where link = any(${links}::text[])`.execute(trx);
  const companies = companyKeys(definition, storedRows);
  for (const table of ['history', 'comments', 'watches'])
    await sql`delete from ${sql.id('assay', table)} where site_id = any(${companies}::bigint[])
      and resource = ${definition.name} and record_id = any(${ids}::bigint[])`.execute(trx);
  if (deletions) await keepFiles(definition, rows, deletions, trx);
  for (const row of rows) {
    if (!deletions) deleteFilesAfterCommit(context.program, definition, row, trx);
    publishRecordChange(context.program, definition, row, 'deleted', trx);
  }
}

/** Matches rows `t` that are not among the records that are deleted, whose ids are the placeholder `ids`. */
function otherRowsSql(user: Definition, deleted: Definition): RawBuilder<unknown> {
  return sql`not (${sql.lit(user.name === deleted.name)} and t.id = any(${new Placeholder('ids')}::bigint[]))`;
}

/** A caller who may not list the referring records only learns that there are some, not what or how many. */
async function assertUnused(
  { context, definition, trx }: TransactionScope,
  references: readonly Reference[],
  ids: readonly number[],
): Promise<void> {
  const restricting = new Map<Definition, (() => RawBuilder<unknown>)[]>();
  const restrict = (user: Definition, rows: () => RawBuilder<unknown>) =>
    restricting.set(user, [...(restricting.get(user) ?? []), rows]);
  for (const { definition: user, field } of references) {
    // System records outlive the records they refer to.
    if (field.onDelete === 'restrict' && !user.system) restrict(user, () => refersToSql(user, field, definition));
  }
  for (const { definition: user, field, column } of context.registry.rowReferencesTo(definition.name)) {
    if (column.onDelete === 'restrict' && !user.system) restrict(user, () => rowsReferToSql(user, field, column));
  }
  const recordUses: RecordUses = { phrases: [], hasHiddenUses: false };
  for (const [user, rowConditions] of restricting) {
    const uses = {
      name: `delete ${definition.name}`,
      where: () => {
        const referring = rowConditions.map((rows) => rows());
        return sql`(${sql.join(referring, sql` or `)}) and ${otherRowsSql(user, definition)}`;
      },
      values: { ids },
    };
    await collectUses({ context, definition: user, queries: trx }, uses, recordUses);
  }
  if (recordUses.phrases.length > 0 || recordUses.hasHiddenUses)
    throw new Conflict(`${definition.labels.one} is used by ${describeUses(recordUses)}.`, 'CONFLICT_REFERENCED');
}

/** A relation whose records are archived together with their target. */
export interface Follower {
  readonly definition: Definition;
  readonly field: string;
}

/** The relations whose records are archived together with the records of a resource. */
function followersOf(context: RequestContext, definition: Definition): Follower[] {
  return (definition.archive?.cascade ?? []).map((path) => {
    const dot = path.indexOf('.');
    return { definition: context.registry.getOrThrow(path.slice(0, dot)), field: path.slice(dot + 1) };
  });
}

/**
 * Archives a row and, in the same transaction, its followers. Each follower stores which record it was archived with.
 */
async function archiveRecord(
  scope: TransactionScope,
  row: ResourceRecord,
  leader: number | null = null,
): Promise<void> {
  const { context, definition, trx } = scope;
  const id = row.id as number;
  await startAutomations(scope, 'delete', [{ values: row }]);
  const stamps = { archived_at: context.now, archived_with: leader };
  await updateRow(definition, id, stamps, new Set(Object.keys(stamps)), trx);
  await addHistoryEntry({ context, definition, queries: trx }, { record: row, event: 'archived' });
  publishRecordChange(context.program, definition, row, 'archived', trx);
  for (const { definition: follower, field } of followersOf(context, definition)) {
    const plan = fixedStatement(
      follower,
      `active by ${field}`,
      trx,
      () => sql`select * from ${sql.id('public', follower.table)} t
        where ${sql.id('t', field)} = ${new Placeholder('id')} and t.archived_at is null for update`,
    );
    for (const followerRow of await runStatement<ResourceRecord>(trx, bind(plan, { id })))
      await archiveRecord({ context, definition: follower, trx }, followerRow, id);
  }
}

/** Restores a row from the archive, and exactly the followers that were archived with it. */
async function unarchiveRecord({ context, definition, trx }: TransactionScope, row: ResourceRecord): Promise<void> {
  const id = row.id as number;
  const stamps = { archived_at: null, archived_with: null };
  await updateRow(definition, id, stamps, new Set(Object.keys(stamps)), trx);
  await addHistoryEntry({ context, definition, queries: trx }, { record: row, event: 'restored' });
  publishRecordChange(context.program, definition, row, 'restored', trx);
  for (const { definition: follower, field } of followersOf(context, definition)) {
    const plan = fixedStatement(
      follower,
      `archived with ${field}`,
      trx,
      () => sql`select * from ${sql.id('public', follower.table)} t
        where ${sql.id('t', field)} = ${new Placeholder('id')} and t.archived_with = ${new Placeholder('id')} for update`,
    );
    for (const followerRow of await runStatement<ResourceRecord>(trx, bind(plan, { id })))
      await unarchiveRecord({ context, definition: follower, trx }, followerRow);
  }
}

/**
 * `PATCH r/restore/{id}`: restores a record from the archive, with exactly the records that were archived with it, and
 * returns it. Throws Conflict if it is not archived, or if its leader still is.
 */
export async function restoreRecord(
  context: RequestContext,
  definition: Definition,
  id: number,
): Promise<ResourceRecord> {
  assertGranted(context, definition, 'edit');
  if (!definition.archive) throw new NotFound();
  return context.program.database.transaction(async (trx) => {
    const scope = { context, definition, trx };
    const lockedRow = await lockRow(scope, id);
    const row = lockedRow.values;
    assertOwned(context.actor, definition, row, 'edit');
    lockedRow.matchingRules();
    if (row.archived_at === null) throw new Conflict(`This ${definition.labels.one.toLowerCase()} is not archived.`);
    await assertLeadersActive(scope, row);
    await unarchiveRecord(scope, row);
    return readAfterWrite({ context, definition }, id, trx);
  });
}

async function assertLeadersActive({ context, definition, trx }: TransactionScope, row: ResourceRecord): Promise<void> {
  for (const { definition: leader, field } of archivingParentsOf(definition, context.registry)) {
    if (typeof row[field] !== 'number') continue;
    const { rows } = await sql`select from ${sql.id('public', leader.table)} t
      where t.id = ${row[field]} and t.archived_at is not null`.execute(trx);
    if (rows.length > 0) throw new Conflict(parentArchivedMessage(definition, leader), 'CONFLICT_ARCHIVED');
  }
}

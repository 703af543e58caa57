import { sql, type RawBuilder } from 'kysely';
import { isGranted } from '../../engine/access/access-decision';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import type { Reference } from '../../engine/definitions/registry';
import { allOf, rowRuleFilter } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { companyScope } from '../access/company-scope';
import { predicateToSql } from '../sql/predicate-to-sql';
import type { Queries, Transaction } from '../database/database';
import { pairTable } from '../database/identifiers';
import { Conflict } from '../errors/errors';
import { deleteFilesAfterCommit } from './record-files';
import { publishRecordChange } from './publish-change';

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

/** The uses of a record, as phrases, limited to those that the caller may list. */
export interface RecordUses {
  readonly phrases: string[];
  hasHiddenUses: boolean;
}

/** Adds the rows `t` of a resource that match a condition to the uses of a record. */
export async function collectUses(
  context: RequestContext,
  user: Definition,
  where: RawBuilder<unknown>,
  recordUses: RecordUses,
  trx: Queries,
): Promise<void> {
  const { rows } = await sql<{ count: number; seen: number }>`select count(*)::integer as count,
      (count(*) filter (where ${visibleUseSql(context, user)}))::integer as seen
    from ${sql.id('public', user.table)} t where ${where}`.execute(trx);
  const { count, seen } = rows[0]!;
  if (seen > 0) recordUses.phrases.push(`${seen} ${(seen === 1 ? user.labels.one : user.labels.many).toLowerCase()}`);
  recordUses.hasHiddenUses ||= count > seen;
}

/** Whether the caller may know of a row `t`, including archived rows and deleted rows that are kept for their name. */
function visibleUseSql(context: RequestContext, user: Definition): RawBuilder<unknown> {
  if (!isGranted(context.actor, user.name, 'list')) return sql`false`;
  const where = allOf([companyScope(context.actor, user), rowRuleFilter(context, user, 'list')]);
  return predicateToSql(where, user, 't', context.registry, context.evaluationContext);
}

/** Matches rows `t` that refer to one of the records. */
export function refersToSql(user: Definition, field: Field, ids: readonly number[]): RawBuilder<unknown> {
  if (field.type === 'relation') return sql`${sql.id('t', field.name)} = any(${ids}::integer[])`;
  return sql`t.id in (select p.record_id from ${sql.id('public', pairTable(user, field))} p where p.target_id = any(${ids}::integer[]))`;
}

/** Formats uses as `a`, `a and b`, `a, b and c`; uses that the caller may not list are only mentioned. */
export function describeUses({ phrases, hasHiddenUses }: RecordUses): string {
  const unseen = phrases.length > 0 ? "others that you don't have access to" : "records that you don't have access to";
  const parts = hasHiddenUses ? [...phrases, unseen] : phrases;
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

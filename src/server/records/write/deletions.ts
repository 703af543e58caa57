import { sql, type RawBuilder } from 'kysely';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { rowColumns, rowDefinition } from '../../../engine/field-types/row-definition';
import type { Registry } from '../../../engine/registry/registry';
import { isRelation } from '../../../engine/field-types/relation';
import { isRelations } from '../../../engine/field-types/relations';
import { isRows } from '../../../engine/field-types/rows';
import { fileFields, filesIn } from '../../../engine/field-types/stored-files';
import type { TransactionScope } from '../../access/record-scope';
import { runStatement, type Transaction } from '../../database/database';
import { pairTable } from '../../database/identifiers';
import { hasCompanyKey } from '../../sql/same-company';
import type { StoredFile } from '../../files/files';
import type { Program } from '../../program';
import { companyKey, companyKeys } from '../../sql/company-key';
import { sideFields } from './row-writes';
import { bind, cachedStatement, fixedStatement, Placeholder } from '../read/statement-cache';
import { idOf } from '../../../engine/definitions/accessors';
import { getOrThrow } from '../../../engine/values/lookups';

/** For how long whoever deleted a record can bring it back. */
export const keptFor = sql`interval '1 hour'`;

/**
 * The part of a kept row in the deletion: `own` rows have to come back with the record, `other` rows only if both records
 * that they belong to are there then, and of a `cleared.<column>` only the reference that the row lost.
 */
export type KeptPart = 'own' | 'other' | `cleared.${string}`;

/** A deletion, with the company of the record that was deleted (0: none). */
interface Deletion {
  readonly id: number;
  readonly site_id: number;
}

/** Deletions by the records that are deleted with them. */
export type DeletionsByRecord = ReadonlyMap<number, Deletion>;

/** Notes that records are deleted, so that what goes with them can be kept. Returns the deletions by record. */
export async function noteDeletions(
  { context: { actor }, definition, trx }: TransactionScope,
  rows: readonly ResourceRecord[],
): Promise<DeletionsByRecord> {
  const ids = rows.map(({ id }) => id as number);
  const companies = rows.map((row) => companyKey(definition, row));
  const { rows: deletionRows } = await sql<Deletion & { record_id: number }>`
    insert into assay.deletions (resource, record_id, site_id, user_id)
    select ${definition.name}, gone.id, gone.company, ${actor.id}::bigint
    from unnest(${ids}::bigint[], ${companies}::bigint[]) as gone (id, company)
    returning id, site_id, record_id`.execute(trx);
  return new Map(deletionRows.map(({ record_id: record, ...deletion }) => [record, deletion]));
}

/** Stored rows, with their ids and companies. */
export type StoredRows = readonly ResourceRecord[];

/**
 * `gone`: the records of deletions, as `id` and `site` (0: none), with their `deletion` and its `company`. Placeholders are
 * `gone`, `owners`, `deletions` and `keepers`, and `companies`: the owners without repetition.
 */
const goneSql = () => sql`gone (id, site, deletion, company) as materialized (select * from
    unnest(${new Placeholder('gone')}::bigint[], ${new Placeholder('owners')}::bigint[],
      ${new Placeholder('deletions')}::bigint[], ${new Placeholder('keepers')}::bigint[]))`;

function goneValues(definition: Definition, rows: StoredRows, deletions: DeletionsByRecord) {
  const ids = rows.map(idOf);
  const deletionsOfRows = ids.map((id) => getOrThrow(deletions, id));
  return {
    gone: ids,
    owners: rows.map((row) => companyKey(definition, row)),
    deletions: deletionsOfRows.map(({ id }) => id),
    keepers: deletionsOfRows.map(({ site_id }) => site_id),
    companies: companyKeys(definition, rows),
  };
}

/**
 * Keeps what goes with records of a resource, before they are deleted: their pairs and rows, history, comments, watches
 * and notifications, and the references to them that the database clears. One statement.
 */
export async function keepRelatedRows(
  { context, definition, trx }: TransactionScope,
  rows: StoredRows,
  deletions: DeletionsByRecord,
): Promise<void> {
  const { registry } = context;
  const key = `keep related|${registry.version}|${definition.name}`;
  const plan = cachedStatement(context, key, () => keepingSql(registry, definition));
  await runStatement(trx, bind(plan, goneValues(definition, rows, deletions)));
}

function keepingSql(registry: Registry, definition: Definition): RawBuilder<unknown> {
  const selects: RawBuilder<unknown>[] = [];
  /** Rows `t` of a table, joined to `gone`. */
  const keep = (schema: 'public' | 'assay', table: string, part: KeptPart, joinCondition: RawBuilder<unknown>) => {
    const row = part.startsWith('cleared.')
      ? sql`jsonb_build_object('id', t.id, 'value', gone.id)`
      : sql`to_jsonb(t.*)`;
    selects.push(sql`select gone.company, gone.deletion, ${`${schema}.${table}`}::text, ${part}::text, ${row}
      from gone join ${sql.id(schema, table)} t on ${joinCondition}`);
  };
  const refersInCompany = (column: string, ...definitions: readonly Definition[]) =>
    sql`${sql.id('t', column)} = gone.id${definitions.every(hasCompanyKey) ? sql` and t.site_id = gone.site` : sql``}`;
  for (const field of sideFields(definition)) {
    if (isRows(field))
      keep('public', rowDefinition(definition, field).table, 'own', refersInCompany(rowColumns.parent, definition));
    else keep('public', pairTable(definition, field), 'own', refersInCompany('record_id', definition));
  }
  for (const { definition: user, field } of registry.referencesTo(definition.name)) {
    if (user.system || field.virtual || field.computed !== undefined || field.onDelete === 'restrict') continue;
    if (isRelations(field))
      keep('public', pairTable(user, field), 'other', refersInCompany('target_id', user, definition));
    else if (isRelation(field) && field.onDelete === 'clear')
      keep('public', user.table, `cleared.${field.name}`, refersInCompany(field.name, user, definition));
  }
  for (const { definition: user, field, column } of registry.rowReferencesTo(definition.name)) {
    if (user.system || !isRelation(column) || column.onDelete === 'restrict') continue;
    const part = column.onDelete === 'clear' ? (`cleared.${column.name}` as const) : 'other';
    keep('public', rowDefinition(user, field).table, part, refersInCompany(column.name, user, definition));
  }
  const isOf = (alias: string) => sql`${sql.id(alias, 'site_id')} = gone.site
    and ${sql.id(alias, 'site_id')} = any(${new Placeholder('companies')}::bigint[])`;
  const isAbout = (alias: string) => sql`${isOf(alias)} and ${sql.id(alias, 'resource')} = ${definition.name}
    and ${sql.id(alias, 'record_id')} = gone.id`;
  for (const table of ['history', 'comments', 'watches']) keep('assay', table, 'own', isAbout('t'));
  const comments = sql`(select c.id from assay.comments c where ${isAbout('c')})`;
  keep('assay', 'comment_versions', 'own', sql`${isOf('t')} and t.comment_id in ${comments}`);
  keep('assay', 'notifications', 'own', sql`t.link = ${`/${definition.name}/`} || gone.id`);
  return sql`with ${goneSql()} insert into assay.deleted_rows (site_id, deletion_id, source, part, row)
    ${sql.join(selects, sql` union all `)}`;
}

/** Deletes rows of a resource and returns them; with deletions, they are kept. */
export async function deleteRowsKeeping(
  definition: Definition,
  storedRows: StoredRows,
  deletions: DeletionsByRecord | undefined,
  trx: Transaction,
): Promise<ResourceRecord[]> {
  const { table } = definition;
  const ids = storedRows.map(idOf);
  const removal = sql`delete from ${sql.id('public', table)} where id = any(${new Placeholder('ids')}::bigint[]) returning *`;
  if (!deletions)
    return runStatement(
      trx,
      bind(
        fixedStatement(definition, 'delete', trx, () => removal),
        { ids },
      ),
    );
  const plan = fixedStatement(
    definition,
    'delete and keep',
    trx,
    () => sql`with ${goneSql()}, removed as (${removal}),
      kept as (insert into assay.deleted_rows (site_id, deletion_id, source, part, row)
        select gone.company, gone.deletion, ${`public.${table}`}::text, 'own', to_jsonb(removed.*) from removed join gone on gone.id = removed.id)
      select * from removed`,
  );
  return runStatement(trx, bind(plan, { ids, ...goneValues(definition, storedRows, deletions) }));
}

/** Keeps the files of deleted rows for as long as the rows. */
export async function keepFiles(
  definition: Definition,
  rows: readonly ResourceRecord[],
  deletions: DeletionsByRecord,
  trx: Transaction,
): Promise<void> {
  const files = rows.flatMap((row) =>
    fileFields(definition).flatMap(({ name }) =>
      filesIn<StoredFile>(row[name]).flatMap(({ key }) =>
        key ? [{ key, deletion: getOrThrow(deletions, idOf(row)) }] : [],
      ),
    ),
  );
  if (files.length === 0) return;
  await sql`insert into assay.deleted_files (key, site_id, deletion_id)
    select * from unnest(${files.map(({ key }) => key)}::text[], ${files.map(({ deletion }) => deletion.site_id)}::bigint[],
      ${files.map(({ deletion }) => deletion.id)}::bigint[])
    on conflict do nothing`.execute(trx);
}

/** Deletions per transaction. */
const batch = 500;

/**
 * Deletes what can no longer be brought back, for good, and its files.
 *
 * @example await purgeDeletions(program);
 */
export async function purgeDeletions({ database, files }: Pick<Program, 'database' | 'files'>): Promise<void> {
  for (;;) {
    const purgedCount = await database.transaction(async (trx) => {
      const { rows } = await sql<{ id: number }>`select id from assay.deletions where created_at < now() - ${keptFor}
        order by created_at limit ${batch} for update skip locked`.execute(trx);
      const ids = rows.map(({ id }) => id);
      const { rows: storedFiles } = await sql<{ key: string }>`select key from assay.deleted_files
        where deletion_id = any(${ids}::bigint[])`.execute(trx);
      await sql`delete from assay.deletions where id = any(${ids}::bigint[])`.execute(trx);
      if (storedFiles.length > 0) database.afterCommit(trx, () => void files.remove(storedFiles.map(({ key }) => key)));
      return ids.length;
    });
    if (purgedCount < batch) return;
  }
}

import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { rowColumns } from '../../../engine/field-types/row-definition';
import type { Registry } from '../../../engine/registry/registry';
import { isAnyRelation, isRelation, isRecordId } from '../../../engine/field-types/relation';
import { assertGranted, assertOwned } from '../../access/access-filter';
import type { TransactionScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import type { Transaction } from '../../database/database';
import { BadRequest, Conflict, HttpError, NotFound } from '../../errors/errors';
import { targetSchema, type TargetTable } from '../../sync/target-schema';
import { queryCacheOf } from '../../sql/query-cache';
import { maxBulkOperations } from './bulk';
import { keptFor, type KeptPart } from './deletions';
import { readManyAfterWrite } from '../read/read';
import { publishRecordChange, translateDatabaseErrors } from './row-writes';
import { lockRules } from './rule-locks';
import { skipKeys } from './sequences';
import { assertNotArchived, lockRows } from './stored-row';
import { withoutShard } from '../../database/identifiers';
import { historyOfChanges } from '../history/changes-sql';

/**
 * `POST r/restore`: brings back the records of the named ids as they were, with all that was deleted with them: all or
 * none. Only what the caller deleted within the last hour, and may still delete. Throws BadRequest, Forbidden, NotFound,
 * or Conflict, which says what has changed since: a value that another record has now, a record that is gone.
 */
export async function restoreDeleted(
  context: RequestContext,
  definition: Definition,
  body: Readonly<Record<string, unknown>>,
): Promise<ResourceRecord[]> {
  assertGranted(context, definition, 'delete');
  const ids = parseIds(body);
  return context.program.database.transaction(async (trx) => {
    const scope = { context, definition, trx };
    await lockRules(context, [definition], trx);
    const deletions = await lockDeletions(scope, ids);
    await sql`set constraints all deferred`.execute(trx);
    const restoredRows = await refusingInWords(context, definition, async () => {
      const rows = await insertRows(context, deletions, trx);
      await sql`set constraints all immediate`.execute(trx);
      return rows;
    });
    await assertAllowed(scope, ids);
    for (const restoredDefinition of new Set(restoredRows.map((restoredRow) => restoredRow.definition))) {
      const rows = restoredRows
        .filter((restoredRow) => restoredRow.definition === restoredDefinition)
        .map(({ row }) => row);
      await skipKeys({ context, definition: restoredDefinition, queries: trx }, rows);
    }
    await noteRestored(scope, deletions);
    for (const { definition: restoredDefinition, row } of restoredRows)
      publishRecordChange(context.program, restoredDefinition, row, 'restored', trx);
    return readManyAfterWrite(scope, ids, undefined);
  });
}

function parseIds({ ids, ...unknown }: Readonly<Record<string, unknown>>): number[] {
  const isList = Array.isArray(ids) && ids.length > 0 && ids.length <= maxBulkOperations && ids.every(isRecordId);
  if (!isList || Object.keys(unknown).length > 0)
    throw new BadRequest(
      `The body has ids: a list of the ids of 1 to ${maxBulkOperations.toLocaleString('en')} records, such as [7, 8].`,
    );
  return [...new Set(ids as number[])];
}

/** The deletions of the records by the caller, locked. Throws NotFound unless all are there. */
async function lockDeletions(
  { context: { actor }, definition, trx }: TransactionScope,
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from assay.deletions
    where resource = ${definition.name} and record_id = any(${ids}::bigint[]) and user_id = ${actor.id}
      and created_at > now() - ${keptFor} order by id for update`.execute(trx);
  if (rows.length === ids.length) return rows.map(({ id }) => id);
  const { one: singular, many: plural } = definition.labels;
  const subject = ids.length === 1 ? `This ${singular.toLowerCase()}` : `These ${plural.toLowerCase()}`;
  throw new NotFound(`${subject} cannot be brought back: that is possible for an hour, for who deleted it.`);
}

/** A record that is there again. */
interface RestoredRow {
  readonly definition: Definition;
  readonly row: ResourceRecord;
}

/** The kept rows of a table for one purpose. */
interface KeptRows {
  /** The table with its schema. */
  readonly source: string;
  readonly part: KeptPart;
  readonly columns: readonly string[];
}

/** Those of a table that follows definitions. */
interface KeptRecords extends KeptRows {
  readonly table: TargetTable;
}

/** Puts all kept rows of deletions back. Returns the records among them. */
async function insertRows(
  { registry, program: { database } }: RequestContext,
  deletions: readonly number[],
  trx: Transaction,
): Promise<RestoredRow[]> {
  const { rows: keptTables } = await sql<KeptRows>`select distinct on (source, part) source, part,
      array(select jsonb_object_keys(row)) as columns
    from assay.deleted_rows where deletion_id = any(${deletions}::bigint[]) order by source, part`.execute(trx);
  const tables = new Map(targetSchema(registry).tables.map((table) => [`public.${table.name}`, table]));
  const ofEngine = keptTables.filter(({ source }) => source.startsWith('assay.'));
  const records = keptTables
    .filter((keptTable) => !ofEngine.includes(keptTable) && !keptTable.part.startsWith('cleared.'))
    .map((keptTable) => withTable(keptTable, tables));
  const isPair = ({ table }: KeptRecords) => table.pairField !== undefined;
  const ownRecords = records.filter(({ part }) => part === 'own');
  const restoredRows: RestoredRow[] = [];
  // Records first, so that pairs and rows find both of theirs.
  for (const keptTable of ownRecords.filter((candidate) => !isPair(candidate))) {
    const rows = await insertKept(keptTable, deletions, trx);
    const { rowsField, definition } = keptTable.table;
    if (!rowsField) restoredRows.push(...rows.map((row) => ({ definition, row })));
  }
  for (const keptTable of ownRecords) {
    if (!isPair(keptTable)) await clearLostReferences(registry, keptTable, deletions, trx);
    else await insertKept(keptTable, deletions, trx, pairTargets(registry, keptTable));
  }
  for (const keptTable of records.filter(({ part }) => part === 'other')) {
    const parent = isPair(keptTable) ? 'record_id' : rowColumns.parent;
    await insertKept(keptTable, deletions, trx, existsSql(keptTable.table.definition.table, sql.id('r', parent)));
  }
  for (const keptTable of keptTables.filter(({ part }) => part.startsWith('cleared.')))
    await setReferences(keptTable, deletions, tables, trx);
  // Versions refer to their comments.
  for (const keptTable of ofEngine.toSorted((a, b) => a.source.length - b.source.length))
    await insertKept(keptTable, deletions, trx);
  for (const { table } of records) database.afterWrite(() => queryCacheOf(database).invalidate(table.name), trx);
  return restoredRows;
}

/**
 * Finds the table of kept rows. Throws Conflict if it has not the columns any more that it had, apart from the company of
 * pairs and rows, which these have from their record.
 */
function withTable(keptRows: KeptRows, tables: ReadonlyMap<string, TargetTable>): KeptRecords {
  const table = tables.get(keptRows.source);
  const names = table?.columns.map(({ name }) => name) ?? [];
  const isSame =
    names.every((name) => keptRows.columns.includes(name) || (name === 'site_id' && isOfRecord(table))) &&
    keptRows.columns.every((name) => names.includes(name) || name === table?.search?.name);
  if (!table || !isSame)
    throw new Conflict(
      `${table ? table.definition.labels.many : 'Modules'} were changed in the studio since, so this cannot be brought back.`,
    );
  return { ...keptRows, columns: names, table };
}

/** Whether a table has the pairs or rows of records. */
const isOfRecord = (table: TargetTable | undefined) => (table?.pairField ?? table?.rowsField) !== undefined;

/** A column of kept rows `r`. Pairs and rows of an earlier version have no company. */
function keptColumn(column: string, table: TargetTable | undefined): RawBuilder<unknown> {
  if (column !== 'site_id' || !table || !isOfRecord(table)) return sql.id('r', column);
  const parent = table.pairField ? 'record_id' : rowColumns.parent;
  return sql`coalesce(r.site_id, (select o.site_id from ${sql.id('public', table.definition.table)} o
    where o.id = ${sql.id('r', parent)}))`;
}

/** Inserts kept rows `r` under a condition and returns them. */
async function insertKept(
  { source, part, columns, table }: KeptRows & Partial<KeptRecords>,
  deletions: readonly number[],
  trx: Transaction,
  condition: RawBuilder<unknown> = sql`true`,
): Promise<ResourceRecord[]> {
  const name = sql.raw(quoteSource(source));
  // Of a record, what is taken by now is an error; of pairs and watches, it is there already.
  const isRecord = table && !table.pairField;
  const { rows } = await sql<ResourceRecord>`insert into ${name} (${sql.join(columns.map((column) => sql.id(column)))})
    overriding system value
    select ${sql.join(columns.map((column) => keptColumn(column, table)))} from assay.deleted_rows d
      cross join lateral jsonb_populate_record(null::${name}, d.row) r
    where d.deletion_id = any(${deletions}::bigint[]) and d.source = ${source} and d.part = ${part} and ${condition}
    ${isRecord ? sql`` : sql`on conflict do nothing`} returning *`.execute(trx);
  return rows;
}

const existsSql = (table: string, id: RawBuilder<unknown>) =>
  sql`exists (select from ${sql.id('public', table)} o where o.id = ${id})`;

/** Pairs with records that are gone by now are left out, where the definition lets them go. */
function pairTargets(registry: Registry, { table: { pairField } }: KeptRecords): RawBuilder<unknown> | undefined {
  const target = pairField && pairField.onDelete !== 'restrict' ? registry.get(pairField.to) : undefined;
  return target && existsSql(target.table, sql.id('r', 'target_id'));
}

/** Clears references of restored rows to records that are gone, where the definition says so. */
async function clearLostReferences(
  registry: Registry,
  { source, part, table: { name, definition, rowsField } }: KeptRecords,
  deletions: readonly number[],
  trx: Transaction,
): Promise<void> {
  const fields: Field[] = Object.values(rowsField?.columns ?? definition.fields);
  for (const field of fields) {
    const isFree = isRelation(field) && field.onDelete === 'clear' && !field.virtual && field.computed === undefined;
    const target = isFree ? registry.get(field.to) : undefined;
    if (!target || target.system) continue;
    const column = sql.id('t', field.name);
    await sql`update ${sql.id('public', name)} t set ${sql.id(field.name)} = null
      where t.id in (select (d.row->>'id')::bigint from assay.deleted_rows d
          where d.deletion_id = any(${deletions}::bigint[]) and d.source = ${source} and d.part = ${part})
        and ${column} is not null and not ${existsSql(target.table, column)}`.execute(trx);
  }
}

/** Sets the references that the deletion cleared, where nothing else was chosen since. */
async function setReferences(
  { source, part }: KeptRows,
  deletions: readonly number[],
  tables: ReadonlyMap<string, TargetTable>,
  trx: Transaction,
): Promise<void> {
  const column = part.slice('cleared.'.length);
  // A field that was removed since has no value to get back.
  if (!tables.get(source)?.columns.some(({ name }) => name === column)) return;
  await sql`update ${sql.raw(quoteSource(source))} t set ${sql.id(column)} = (d.row->>'value')::bigint
    from assay.deleted_rows d
    where d.deletion_id = any(${deletions}::bigint[]) and d.source = ${source} and d.part = ${part}
      and t.id = (d.row->>'id')::bigint and ${sql.id('t', column)} is null`.execute(trx);
}

const quoteSource = (source: string) =>
  source
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');

/** Throws what an ordinary deletion would throw for records that the caller may not see or delete. */
async function assertAllowed(scope: TransactionScope, ids: readonly number[]): Promise<void> {
  const { context, definition } = scope;
  const rows = await lockRows(scope, ids, 'delete');
  if (rows.size < ids.length) throw new NotFound();
  for (const row of rows.values()) {
    assertOwned(context.actor, definition, row.values, 'delete');
    row.matchingRules();
    assertNotArchived(definition, row);
  }
}

/** Writes both into the history, the deletion with its time, and forgets the deletions. */
async function noteRestored(
  { context: { actor, now }, definition, trx }: TransactionScope,
  deletions: readonly number[],
): Promise<void> {
  if (definition.history)
    await sql`with ${historyOfChanges(sql`select site_id, resource, record_id, entry.event, null::jsonb, null::jsonb,
        ${actor.id}::bigint, entry.at, null::integer from assay.deletions
      cross join lateral (values ('deleted', created_at), ('restored', ${now}::timestamptz)) as entry (event, at)
      where id = any(${deletions}::bigint[]) order by id, entry.at`)} select`.execute(trx);
  await sql`delete from assay.deletions where id = any(${deletions}::bigint[])`.execute(trx);
}

interface ConstraintError {
  readonly code?: string;
  readonly table?: string;
  readonly detail?: string;
}

/** Turns errors of constraints into a Conflict that says what has changed since. */
async function refusingInWords<T>(context: RequestContext, definition: Definition, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { code, table, detail = '' } = error as ConstraintError;
    if (code !== '23505' && code !== '23P01' && code !== '23503') throw error;
    const tables = targetSchema(context.registry).tables;
    const findTable = (tableName: string) => tables.find(({ name }) => name === tableName);
    const constraintTable = findTable(table ?? '') ?? findTable(withoutShard(table ?? ''));
    const owner = constraintTable?.definition ?? definition;
    const [recordLabel, ownerLabel] = [definition, owner].map(({ labels }) => labels.one.toLowerCase());
    const start = `This ${recordLabel} cannot be brought back: `;
    if (code === '23505' || code === '23P01') {
      const words = await translateDatabaseErrors(context, owner, () => Promise.reject(error as Error)).catch(
        (reason: unknown) => reason,
      );
      throw new Conflict(start + (words instanceof HttpError ? words.message : 'another record has its place by now.'));
    }
    // The company comes before what refers to a record of it.
    const column = /^Key \((?:site_id, )?"?(.*?)"?\)=\(/s.exec(detail)?.[1] ?? '';
    const fields: Readonly<Record<string, Field>> = constraintTable?.rowsField?.columns ?? owner.fields;
    const field = constraintTable?.pairField ?? fields[column];
    const label = field && isAnyRelation(field) ? field.label : 'a record that it belongs to';
    const ownerPhrase = owner === definition ? '' : ` of a ${ownerLabel} that was deleted with it`;
    throw new Conflict(
      `${start}${label}${ownerPhrase} was deleted in the meantime. Bring that back first.`,
      'CONFLICT_REFERENCED',
    );
  }
}

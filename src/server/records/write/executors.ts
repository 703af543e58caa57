import { sql } from 'kysely';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { isEmpty } from '../../../engine/values/is-empty';
import type { TransactionScope } from '../../access/record-scope';
import type { Transaction } from '../../database/database';
import { Invalid } from '../../errors/errors';
import { deleteFilesAfterCommit } from '../files/record-files';
import { loadResponses, type RecordResponse } from '../read/read';
import { areHooksIdle, runHooksForMany } from './hooks';
import { queryScopeOf, type RecordWrite, type TransactionWrite, type Write } from './record-write';
import {
  historyValues,
  insertStatement,
  publishRecordChange,
  readsItself,
  sideFields,
  storedFields,
  storeSideFields,
  updateRow,
  updateRowWithHistory,
  updateStatement,
  wasWritten,
  writtenIdColumn,
  type HistoryEntry,
} from './row-writes';
import { insertNumbered, putBackAll, skipKeysOfMoved, type TakenNumbers, withKeys } from './sequences';
import { assertFieldsAllowed, hasRowRules, loadMatchingRules } from './stored-row';
import { startAutomations } from './triggers';
import { userSetFields } from './steps';
import { companyKey } from '../../sql/company-key';
import { historyOfChanges } from '../history/changes-sql';

// Numbers are taken for good, so executors take them last, when nothing but the database can refuse a record.

/** Inserts new records with their history: one with one statement, any number with three. Returns them with their ids. */
export async function insertRecords(write: TransactionWrite, records: readonly RecordWrite[]): Promise<RecordWrite[]> {
  const { context, definition, trx } = write;
  const scope = queryScopeOf(write);
  const numberedRecords = await withKeys(
    scope,
    records.map(({ values }) => values),
  );
  const ids = await insertNumbered(scope, async () => {
    if (numberedRecords.length > 1) return insertRows(write, numberedRecords);
    const [row] = await context.program.database.query(
      insertStatement({ context, definition }, numberedRecords[0]!, 'id'),
      trx,
    );
    return [row!.id as number];
  });
  return records.map((record, index) => ({ ...record, values: { ...numberedRecords[index], id: ids[index]! } }));
}

/** Inserts any number of rows and their history entries with three statements. Returns their ids, in order. */
async function insertRows(
  { context, definition, trx }: TransactionScope,
  rows: readonly ResourceRecord[],
): Promise<number[]> {
  const sequence = sql`pg_get_serial_sequence(${`public.${definition.table}`}, 'id')`;
  const { rows: next } = await sql<{ id: number }>`
    select nextval(${sequence})::bigint as id from generate_series(1, ${sql.lit(rows.length)})`.execute(trx);
  const ids = next.map(({ id }) => id);
  const fields = storedFields(definition);
  const table = sql.id('public', definition.table);
  const columns = sql.join(fields.map(({ name }) => sql.id(name)));
  const text = JSON.stringify(
    rows.map((row, index) => ({
      ...Object.fromEntries(fields.map(({ name }) => [name, row[name] ?? null])),
      id: ids[index],
    })),
  );
  await sql`insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, ${text}::json)`.execute(
    trx,
  );
  if (definition.history) {
    const names = Object.keys(definition.fields);
    const lines = rows.map((row, index) => ({
      site: companyKey(definition, row),
      id: ids[index],
      values: historyValues(definition, row, names),
    }));
    await sql`insert into assay.history (site_id, resource, record_id, event, new_values, user_id, created_at)
      select one.site, ${definition.name}, one.id, 'created', one."values", ${context.actor.id}::bigint, ${context.now}::timestamptz
      from json_to_recordset(${JSON.stringify(lines)}::json) as one (site bigint, id bigint, "values" jsonb)`.execute(
      trx,
    );
  }
  return ids;
}

/** Updates changed records with their history: one with one statement, any number with a few. Returns them. */
export async function updateRecords(
  write: TransactionWrite,
  records: readonly RecordWrite[],
): Promise<readonly RecordWrite[]> {
  const { context, definition, trx } = write;
  await skipKeysOfMoved(queryScopeOf(write), records);
  const [record, ...otherRecords] = records;
  if (record && otherRecords.length === 0) {
    const { values } = record;
    const id = values.id as number;
    const entry = historyEntryOf(definition, record);
    if (entry) await updateRowWithHistory({ context, definition, trx }, values, writtenNames(record), entry);
    else await updateRow(definition, id, values, writtenNames(record), trx);
    return records;
  }
  const groups = new Map<string, RecordWrite[]>();
  for (const change of records) {
    const key = [...writtenNames(change)].sort().join();
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  for (const group of groups.values()) await updateRows(definition, group, trx);
  await storeHistory(write, records);
  return records;
}

/** The fields to write of a change: those that differ, and the stamps. */
const writtenNames = ({ changed }: RecordWrite): ReadonlySet<string> =>
  new Set([...changed, 'updated_by', 'updated_at']);

/** Updates rows of which the same fields changed: one statement. */
async function updateRows(definition: Definition, group: readonly RecordWrite[], trx: Transaction): Promise<void> {
  const names = writtenNames(group[0]!);
  const fields = storedFields(definition).filter(({ name }) => names.has(name));
  if (fields.length === 0) return;
  const table = sql.id('public', definition.table);
  const sets = sql.join(fields.map(({ name }) => sql`${sql.id(name)} = n.${sql.id(name)}`));
  const text = JSON.stringify(
    group.map(({ values }) => ({
      ...Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? null])),
      id: values.id,
    })),
  );
  await sql`update ${table} t set ${sets} from json_populate_recordset(null::${table}, ${text}::json) n
    where t.id = n.id`.execute(trx);
}

/** One statement for all entries. */
async function storeHistory(
  { context: { actor, now }, definition, trx }: TransactionScope,
  records: readonly RecordWrite[],
): Promise<void> {
  const lines = records.flatMap((record) => {
    const entry = historyEntryOf(definition, record);
    const site = companyKey(definition, record.values);
    return entry ? [{ site, id: record.values.id, old: entry.old ?? null, fresh: entry.new ?? null }] : [];
  });
  if (!definition.history || lines.length === 0) return;
  const changes = sql`select one.site, ${definition.name}::text, one.id, 'updated', one.old, one.fresh, ${actor.id}::bigint,
      ${now}::timestamptz, null::integer
    from json_to_recordset(${JSON.stringify(lines)}::json) as one (site bigint, id bigint, old jsonb, fresh jsonb)`;
  await sql`with ${historyOfChanges(changes)} select`.execute(trx);
}

/** The history entry of a change; undefined if there is nothing to record. */
function historyEntryOf(
  definition: Definition,
  { before = {}, values, changed, input: { restores } }: RecordWrite,
): HistoryEntry | undefined {
  const [oldValues, newValues] = [
    historyValues(definition, before, changed),
    historyValues(definition, values, changed),
  ];
  const names = new Set([...Object.keys(oldValues), ...Object.keys(newValues)]);
  if (names.size === 0) return undefined;
  const withEveryName = (record: ResourceRecord) =>
    Object.fromEntries([...names].map((name) => [name, record[name] ?? null]));
  return {
    event: 'updated',
    old: withEveryName(oldValues),
    new: withEveryName(newValues),
    ...(restores !== undefined && { restored: restores }),
  };
}

/**
 * Inserts a completed record with its history and the checks of its references, and returns it as the caller reads it:
 * one statement, without a transaction. Throws Invalid, or what PostgreSQL refuses; then its numbers are put back.
 */
export async function insertInSingleStatement(write: Write, record: RecordWrite): Promise<RecordResponse> {
  const { context, definition } = write;
  const scope = queryScopeOf(write);
  const numbers: TakenNumbers = [];
  const [values] = await withKeys(scope, [record.values], numbers);
  const statement = insertStatement({ context, definition }, values!, 'record', record.checks);
  try {
    const [row] = await insertNumbered(scope, () => loadResponses(write, statement));
    if (!wasWritten(record.checks, row?.beside)) throw new Error(`Inserting into ${definition.name} returned no row.`);
    publishRecordChange(context.program, definition, { ...values, id: row!.beside[writtenIdColumn] }, 'created');
    return row!.answer;
  } catch (error) {
    // Of any other error it is not certain that nothing was stored.
    if (error instanceof Invalid || /^23/.test((error as { code?: string }).code ?? '')) await putBackAll(numbers);
    throw error;
  }
}

/**
 * Updates a completed change with its history if the row is still what was read and its references hold, and returns it
 * as the caller reads it: one statement, without a transaction. Returns undefined, with nothing stored, if the row has
 * changed, or if pairs, rows or hooks belong to the change. Throws Invalid.
 */
export async function updateInSingleStatement(write: Write, record: RecordWrite): Promise<RecordResponse | undefined> {
  const { context, definition } = write;
  const { before = {}, row, values, changed, input, checks } = record;
  const isAlone = sideFields(definition).every(({ name }) => !changed.has(name));
  if (!row || !isAlone || !areHooksIdle(context, definition, { before, values, input: input.values })) return undefined;
  await skipKeysOfMoved(queryScopeOf(write), [record]);
  const fieldNames = writtenNames(record);
  const historyEntry = historyEntryOf(definition, record);
  const change = { id: values.id as number, version: row.version, values, fieldNames, historyEntry };
  const statement = updateStatement(write, change, checks);
  // The statement would read old values from its own table, so the response would be out of date.
  if (readsItself(definition, statement, fieldNames)) return undefined;
  const [writtenRow] = await loadResponses(write, statement);
  if (!wasWritten(checks, writtenRow?.beside)) return undefined;
  publishRecordChange(context.program, definition, values, 'updated', undefined, before);
  return writtenRow!.answer;
}

/** Stores those fields that have tables of their own: of a new record those that have a value. */
export async function storeSides(
  { definition, trx }: TransactionWrite,
  records: readonly RecordWrite[],
): Promise<void> {
  if (sideFields(definition).length === 0) return;
  const storedRecords = records.map(({ before, values, changed }) => ({
    id: values.id as number,
    values,
    ...(before ? { names: changed } : { names: filledNames(values), isNew: true }),
  }));
  await storeSideFields(definition, storedRecords, trx);
}

/** The fields of a new record that have a value: there is nothing to store for the others, and nothing to replace. */
function filledNames(values: ResourceRecord): ReadonlySet<string> {
  return new Set(Object.keys(values).filter((name) => !isEmpty(values[name])));
}

/** Throws Forbidden for a new record that no rule allows, or a field of it, where rules look at the record. */
export async function assertStoredRulesHold(write: TransactionWrite, records: readonly RecordWrite[]): Promise<void> {
  const { context, definition } = write;
  if (records[0]?.before || !hasRowRules(context, definition, 'create')) return;
  const ids = records.map(({ values }) => values.id as number);
  const rules = await loadMatchingRules(write, 'create', ids);
  for (const [index, { input }] of records.entries())
    assertFieldsAllowed(definition, 'create', rules[index], userSetFields(context, definition, input));
}

/** Runs the hooks after records are stored: once for all of them if a hook supports it. */
export async function runHooksAfterSaving(
  { context, definition, trx }: TransactionWrite,
  records: readonly RecordWrite[],
): Promise<void> {
  const hooks = records.map(({ before, values, input }) => ({
    ...(before && { before }),
    values,
    input: input.values,
    trx,
  }));
  await runHooksForMany(context, definition, hooks);
}

/** Decides which automations the records start, and stores their runs. */
export async function startAutomationsOf(write: TransactionWrite, records: readonly RecordWrite[]): Promise<void> {
  const changes = records.map(({ before, values }) => ({ ...(before && { before }), values }));
  await startAutomations(write, records[0]?.before ? 'update' : 'create', changes);
}

/** Deletes files that changed records do not have any more, once that is committed. */
export async function removeReplacedFiles(
  { context, definition, trx }: TransactionWrite,
  records: readonly RecordWrite[],
): Promise<void> {
  for (const { before, values, changed } of records)
    if (before) deleteFilesAfterCommit(context.program, definition, before, trx, { names: changed, values });
}

/** Tells subscribers of the records, once they are committed. */
export async function announce(
  { context, definition, trx }: TransactionWrite,
  records: readonly RecordWrite[],
): Promise<void> {
  for (const { before, values } of records)
    publishRecordChange(context.program, definition, values, before ? 'updated' : 'created', trx, before);
}

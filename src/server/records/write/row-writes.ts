import { sql, type RawBuilder } from 'kysely';
import { authorOf } from '../../../engine/access/actor';
import { idOf } from '../../../engine/definitions/accessors';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { pinnedBy } from '../../../engine/normalise/pins';
import { columnTypeOf, fieldTypeOf } from '../../../engine/field-types';
import { isEmpty } from '../../../engine/values/is-empty';
import { isInverse } from '../../../engine/field-types/inverse';
import { isRelations } from '../../../engine/field-types/relations';
import { isRows } from '../../../engine/field-types/rows';
import { isSequence } from '../../../engine/field-types/sequence';
import type { QueryScope, RecordScope, TransactionScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { createByteCache, textId } from '../../limits/byte-cache';
import { runStatement, type Transaction, type Row } from '../../database/database';
import { pairTable } from '../../database/identifiers';
import { hasCompanyKey } from '../../sql/same-company';
import type { Statement } from '../../database/statements';
import { hashNewPassword } from '../../secrets/new-password';
import { bind, cachedGenericStatement, fixedStatement, Placeholder, selectionKey } from '../read/statement-cache';
import { type ReferenceChecks, failedReferences, recordCompany } from './references';
import { companyOf } from '../../../engine/definitions/accessors';
import { requireValue } from '../../../engine/values/lookups';
import { explainTaken } from './archived-holder';
import { rowsForHistory, storeRows } from './rows';
import { selectionSql } from '../read/selection';
import { Conflict, Invalid, Taken } from '../../errors/errors';
import type { Program } from '../../program';
import { overlapMessage, repeatedMessage } from '../../../engine/validation/messages';
import { combinationOfIndex, overlapRuleOf } from '../../sync/target-schema';
import type { LiveEvent } from '../../live/live-hub';
import { formerAudience } from '../../live/former-audience';
import { companyKey, companyKeySql } from '../../sql/company-key';
import { queryCacheOf } from '../../sql/query-cache';
import { historyOfChanges } from '../history/changes-sql';

/**
 * The fields stored as columns of the resource's table.
 *
 * @example storedFields(definition).map(({ name }) => name); // ['id', 'name', 'status_id']
 */
export function storedFields(definition: Definition): Field[] {
  return Object.values(definition.fields).filter((field) => columnTypeOf(field) !== null);
}

/** The fields stored in tables of their own: many relations in pairs, and rows. */
export function sideFields(definition: Definition): Field[] {
  return Object.values(definition.fields).filter(
    (field) => (isRelations(field) && !field.virtual && field.computed === undefined) || isRows(field),
  );
}

/** A value in the format of its column. */
export function toColumnValue(field: Field, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  return columnTypeOf(field) === 'jsonb' ? JSON.stringify(value) : value;
}

/**
 * Inserts a row and its history entry and returns it: as the caller reads it, without pairs, or only its id. One
 * statement. With `checks`, nothing is inserted unless all hold; `wasWritten` evaluates the result.
 */
export function insertStatement(
  scope: RecordScope,
  values: ResourceRecord,
  answer: 'record' | 'id',
  checks?: ReferenceChecks,
): Statement {
  const { context, definition } = scope;
  const fields = storedFields(definition).filter((field) => field.name !== 'id');
  const shape =
    answer === 'record' ? selectionKey(context, definition, 'new') : `${context.registry.version}|${definition.name}`;
  const plan = cachedGenericStatement(context, `insert|${answer}|${guardKey(checks)}|${shape}`, () => {
    const columns = sql.join(fields.map((field) => sql.id(field.name)));
    const slots = sql.join(fields.map((field) => fieldPlaceholder(field)));
    const source = checks ? sql`select ${slots} from checked where ${allChecksHold(checks)}` : sql`values (${slots})`;
    const historySql = definition.history
      ? sql`, logged as (insert into assay.history (site_id, resource, record_id, event, new_values, user_id, created_at)
          select ${companyKeySql(definition, 'stored')}, ${definition.name}, stored.id, 'created', ${new Placeholder(' new')}::jsonb, ${new Placeholder(' user')}::bigint,
            ${new Placeholder('created_at')}::timestamptz from stored)`
      : sql``;
    const answerSql = answer === 'record' ? selectionSql(scope, 't', 'new') : sql`t.id`;
    const outcome = outcomeSql(checks, sql`stored`);
    return sql`${guardSql(checks)} stored as (insert into ${sql.id('public', definition.table)} (${columns}) ${source} returning *)
      ${historySql} select ${answerSql} ${outcome.columns} from ${outcome.from}`;
  });
  const slots = Object.fromEntries(fields.map((field) => [field.name, toColumnValue(field, values[field.name])]));
  const recordedValues = JSON.stringify(historyValues(definition, values, Object.keys(definition.fields)));
  return bind(withChecks(plan, checks), { ...slots, ' new': recordedValues, ' user': authorOf(context.actor) });
}

/** The placeholder of a field's value, cast to the type of its column. */
function fieldPlaceholder(field: Field): RawBuilder<unknown> {
  return sql`${new Placeholder(field.name)}::${sql.raw(columnTypeOf(field)!)}`;
}

/**
 * Writes the named fields of a row and a history entry if the row still has the `version` that was read and all
 * `checks` hold, and returns it as the caller reads it; `wasWritten` evaluates the result. One statement.
 */
export function updateStatement(
  scope: RecordScope,
  { id, version, values, fieldNames, historyEntry }: RowUpdate,
  checks?: ReferenceChecks,
): Statement {
  const { context, definition } = scope;
  const fields = storedFields(definition).filter((field) => fieldNames.has(field.name));
  const isLogged = definition.history && historyEntry !== undefined;
  const key = `update|${isLogged}|${fields.map(({ name }) => name).join()}|${guardKey(checks)}|${selectionKey(context, definition, 'one')}`;
  const plan = cachedGenericStatement(context, key, () => {
    const sets = sql.join(fields.map((field) => sql`${sql.id(field.name)} = ${fieldPlaceholder(field)}`));
    const source = checks ? sql`from checked` : sql``;
    const hold = checks ? sql`and ${allChecksHold(checks)}` : sql``;
    const historySql = isLogged
      ? sql`, ${historyOfChanges(sql`select ${companyKeySql(definition, 'changed')}, ${sql.lit(definition.name)}, changed.id,
          'updated', ${new Placeholder(' old')}::jsonb, ${new Placeholder(' new')}::jsonb, ${new Placeholder(' user')}::bigint,
          ${new Placeholder(' now')}::timestamptz, null::integer from changed`)}`
      : sql``;
    const outcome = outcomeSql(checks, sql`changed`);
    return sql`${guardSql(checks)} changed as (update ${sql.id('public', definition.table)} t set ${sets} ${source}
        where t.id = ${new Placeholder(' id')}::bigint and t.xmin = ${new Placeholder(' version')}::text::xid ${hold} returning t.*)
      ${historySql} select ${selectionSql(scope, 't', 'one')} ${outcome.columns} from ${outcome.from}`;
  });
  const slots = Object.fromEntries(fields.map((field) => [field.name, toColumnValue(field, values[field.name])]));
  const [oldValues, newValues] = [historyEntry?.old, historyEntry?.new].map((entryValues) =>
    entryValues ? JSON.stringify(entryValues) : null,
  );
  const rowSlots = {
    ' id': id,
    ' version': version,
    ' old': oldValues,
    ' new': newValues,
    ' user': context.actor.id,
    ' now': context.now,
  };
  return bind(withChecks(plan, checks), { ...slots, ...rowSlots });
}

/** An update of a row. */
export interface RowUpdate {
  readonly id: number;
  /** As read by `lockRow`. */
  readonly version: string;
  readonly values: ResourceRecord;
  readonly fieldNames: ReadonlySet<string>;
  /** Undefined if no field that history records has changed. */
  readonly historyEntry: HistoryEntry | undefined;
}

/** An entry of a record's history. */
export interface HistoryEntry {
  readonly event: string;
  readonly old?: ResourceRecord;
  readonly new?: ResourceRecord;
  /** The version that it brought back. */
  readonly restored?: number;
}

/** Updates the named fields of a row. */
export async function updateRow(
  definition: Definition,
  id: number,
  values: ResourceRecord,
  names: ReadonlySet<string>,
  trx: Transaction,
): Promise<void> {
  const fields = writtenColumns(definition, names);
  if (fields.length === 0) return;
  const plan = fixedStatement(definition, `update ${columnNames(fields)}`, trx, () => updateSql(definition, fields));
  await runStatement(trx, bind(plan, { ...columnValues(fields, values), ' id': id }));
}

/** Updates the named fields of a row, whose id and company `values` have, and adds a history entry, in one statement. */
export async function updateRowWithHistory(
  { context, definition, trx }: TransactionScope,
  values: ResourceRecord,
  names: ReadonlySet<string>,
  line: HistoryEntry,
): Promise<void> {
  const id = idOf(values);
  if (!definition.history) return updateRow(definition, id, values, names, trx);
  const fields = writtenColumns(definition, names);
  const change = { record: values, ...line };
  if (fields.length === 0) return addHistoryEntry({ context, definition, queries: trx }, change);
  const plan = fixedStatement(definition, `update with history ${columnNames(fields)}`, trx, () => {
    return sql`with changed as (${updateSql(definition, fields)}), ${historyOfChanges(historySlotsSql)} select`;
  });
  const entry = historySlotValues(context, definition, change);
  await runStatement(trx, bind(plan, { ...columnValues(fields, values), ...entry, ' id': id }));
}

function writtenColumns(definition: Definition, names: ReadonlySet<string>): Field[] {
  return storedFields(definition).filter((field) => names.has(field.name));
}

const columnNames = (fields: readonly Field[]) => fields.map(({ name }) => name).join();

function columnValues(fields: readonly Field[], values: ResourceRecord): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, toColumnValue(field, values[field.name])]));
}

/** Updates columns of a row. Placeholders are their names and ` id`. */
function updateSql(definition: Definition, fields: readonly Field[]): RawBuilder<unknown> {
  const sets = fields.map((field) => sql`${sql.id(field.name)} = ${new Placeholder(field.name)}`);
  return sql`update ${sql.id('public', definition.table)} set ${sql.join(sets)} where id = ${new Placeholder(' id')}`;
}

/** A record whose values are stored. */
export interface StoredRecord {
  readonly id: number;
  readonly values: ResourceRecord;
  /** The fields that are stored. */
  readonly names: ReadonlySet<string>;
  /** Whether it was created just now, so that it has neither pairs nor rows to remove. */
  readonly isNew?: boolean;
}

/** Stores those of the named fields that have tables of their own: pairs and rows. */
export async function storeSideFields(
  definition: Definition,
  records: readonly StoredRecord[],
  trx: Transaction,
): Promise<void> {
  for (const field of sideFields(definition)) {
    const affectedRecords = records.filter(({ names }) => names.has(field.name));
    if (affectedRecords.length === 0) continue;
    if (isRows(field)) await storeRows(definition, field, affectedRecords, trx);
    else for (const record of affectedRecords) await storePairs(definition, field, record, trx);
  }
}

async function storePairs(
  definition: Definition,
  field: Field,
  { id, values, isNew }: StoredRecord,
  trx: Transaction,
): Promise<void> {
  const table = sql.id('public', pairTable(definition, field));
  const slots = { id: new Placeholder('id'), ids: new Placeholder('ids'), company: new Placeholder('company') };
  const ofCompany = hasCompanyKey(definition);
  const removal = fixedStatement(
    definition,
    `remove pairs ${field.name}`,
    trx,
    () =>
      sql`delete from ${table} where record_id = ${slots.id} and target_id <> all(${slots.ids}::bigint[])
        ${ofCompany ? sql`and site_id = ${slots.company}` : sql``}`,
  );
  const addition = fixedStatement(
    definition,
    `add pairs ${field.name}`,
    trx,
    () =>
      sql`insert into ${table} (${ofCompany ? sql`site_id, ` : sql``}record_id, target_id)
      select ${ofCompany ? sql`${slots.company}::bigint, ` : sql``}${slots.id}, unnest(${slots.ids}::bigint[])
      on conflict do nothing`,
  );
  const slotValues = {
    id,
    ids: (values[field.name] as number[] | null) ?? [],
    ...(ofCompany && { company: requireValue(companyOf(values), `the company of a record of ${definition.name}`) }),
  };
  if (!isNew) await runStatement(trx, bind(removal, slotValues));
  await runStatement(trx, bind(addition, slotValues));
}

/** The values that history records: no secrets, no stamps, nothing empty. */
export function historyValues(definition: Definition, values: ResourceRecord, names: Iterable<string>): ResourceRecord {
  const recordedValues: ResourceRecord = {};
  const recorded = new Set(names);
  for (const name of recorded) {
    const field = definition.fields[name];
    if (
      !field ||
      field.secret ||
      field.computed !== undefined ||
      fieldTypeOf(field).isHashed ||
      fieldTypeOf(field).isPrivate ||
      isInverse(field)
    )
      continue;
    // A version says more than its relation only if it changes alone.
    const relation = pinnedBy(definition, name);
    const isNews = relation ? !recorded.has(relation.name) : !field.system || name === 'site_id';
    if (!isNews || isEmpty(values[name])) continue;
    if (isRows(field)) {
      recordedValues[name] = rowsForHistory(field, values[name]);
      continue;
    }
    const { toHistory, toResponse } = fieldTypeOf(field);
    recordedValues[name] = (toHistory ?? toResponse)?.(values[name]) ?? values[name];
  }
  return recordedValues;
}

/**
 * Adds an entry to a record's history.
 *
 * @example await addHistoryEntry({ context, definition: deals, queries: trx }, { record: deal, event: 'restored' });
 */
export async function addHistoryEntry(
  { context, definition, queries: trx }: QueryScope,
  change: RecordEntry,
): Promise<void> {
  if (!definition.history) return;
  const plan = fixedStatement(
    definition,
    'history entry',
    trx,
    () => sql`with ${historyOfChanges(historySlotsSql)} select`,
  );
  await runStatement(trx, bind(plan, historySlotValues(context, definition, change)));
}

/** An entry, and the record that it is about, with its id and company. */
interface RecordEntry extends HistoryEntry {
  readonly record: ResourceRecord;
}

/** Selects a history entry. Its placeholders are named so that no field can have their names. */
const historySlotsSql = sql`select ${new Placeholder(' site')}::bigint, ${new Placeholder(' resource')}::text,
  ${new Placeholder(' record')}::bigint, ${new Placeholder(' event')}::text, ${new Placeholder(' old')}::jsonb,
  ${new Placeholder(' new')}::jsonb, ${new Placeholder(' user')}::bigint, ${new Placeholder(' now')}::timestamptz,
  ${new Placeholder(' restored')}::integer`;

/** The values of its placeholders. */
function historySlotValues(
  { actor, now }: RequestContext,
  definition: Definition,
  change: RecordEntry,
): Record<string, unknown> {
  const text = (values: ResourceRecord | undefined) => (values ? JSON.stringify(values) : null);
  return {
    ' site': companyKey(definition, change.record),
    ' resource': definition.name,
    ' record': idOf(change.record),
    ' event': change.event,
    ' old': text(change.old),
    ' new': text(change.new),
    ' user': authorOf(actor),
    ' now': now,
    ' restored': change.restored ?? null,
  };
}

/** Replaces the values of one-way fields by their hashes. Throws Invalid if one is not accepted. */
export async function hashSecrets(
  { context, definition }: RecordScope,
  values: ResourceRecord,
  names: ReadonlySet<string>,
): Promise<ResourceRecord> {
  const hashedValues = { ...values };
  const personal = Object.values(definition.fields).flatMap((field) => {
    const value = fieldTypeOf(field).isPersonal ? values[field.name] : undefined;
    return typeof value === 'string' ? [value] : [];
  });
  for (const field of Object.values(definition.fields)) {
    if (!fieldTypeOf(field).isHashed || !names.has(field.name) || typeof values[field.name] !== 'string') continue;
    hashedValues[field.name] = await hashNewPassword(
      context.program,
      field.name,
      values[field.name] as string,
      personal,
    );
  }
  return hashedValues;
}

const CHECKS_MARKER = '/* checks */';
/** Names contain a space, so that no field can have them. */
const checkColumn = (index: number) => `check ${index}`;
/** The id of the written row; null if nothing was written. */
export const writtenIdColumn = 'written id';

/** Identifies the shape of the checks, for statement cache keys. */
function guardKey(checks: ReferenceChecks | undefined): string {
  return checks ? `${checks.fields.length}/${checks.statement.parameters.length}` : '';
}

/** The start of a statement that only writes if all checks hold: `with checked as (…), `. */
function guardSql(checks: ReferenceChecks | undefined): RawBuilder<unknown> {
  if (!checks) return sql`with `;
  const names = sql.join(checks.fields.map((_, index) => sql.id(checkColumn(index))));
  // The checks are compiled separately and inserted by `withChecks`: they depend on the record's values, the rest does
  // not.
  const slots = checks.statement.parameters.map((_, index) => sql`${new Placeholder(checkColumn(index))}`);
  const slotList = slots.length > 0 ? sql.join(slots) : sql``;
  return sql`with checked (${names}) as materialized (${sql.raw(CHECKS_MARKER)}${slotList}${sql.raw(CHECKS_MARKER)}), `;
}

/** True if all checks hold. `checked` must be in scope. */
function allChecksHold(checks: ReferenceChecks): RawBuilder<unknown> {
  return sql.join(
    checks.fields.map((_, index) => sql`${sql.id('checked', checkColumn(index))}`),
    sql` and `,
  );
}

/** The columns that `wasWritten` reads, and their source. `writtenRow` is the written row, as `t`. */
function outcomeSql(checks: ReferenceChecks | undefined, writtenRow: RawBuilder<unknown>) {
  return checks
    ? {
        columns: sql`, checked.*, t.id as ${sql.id(writtenIdColumn)}`,
        from: sql`checked left join ${writtenRow} t on true`,
      }
    : { columns: sql`, t.id as ${sql.id(writtenIdColumn)}`, from: sql`${writtenRow} t` };
}

/** Statement texts by those of their checks: reusing one string object makes later lookups cheap. */
const checkedTexts = createByteCache<string>(8_000_000);

/** Inserts the checks into a statement. */
function withChecks(plan: Statement, checks: ReferenceChecks | undefined): Statement {
  if (!checks) return plan;
  const { statement } = checks;
  const key = `${textId(plan.sql)} ${textId(statement.sql)}`;
  let text = checkedTexts.get(key);
  if (text === undefined) {
    const start = plan.sql.indexOf(CHECKS_MARKER);
    const end = plan.sql.indexOf(CHECKS_MARKER, start + CHECKS_MARKER.length) + CHECKS_MARKER.length;
    text = `${plan.sql.slice(0, start)}${statement.sql}${plan.sql.slice(end)}`;
    checkedTexts.set(key, text);
  }
  return { sql: text, parameters: [...statement.parameters, ...plan.parameters.slice(statement.parameters.length)] };
}

/** Whether a row was written, according to the row that its statement returned. Throws Invalid if a check failed. */
export function wasWritten(checks: ReferenceChecks | undefined, row: Row | undefined): boolean {
  if (!row) return false;
  if (checks) {
    const checkResults = Object.fromEntries(checks.fields.map(({ name }, index) => [name, row[checkColumn(index)]]));
    const errors = failedReferences(checks, checkResults);
    if (Object.keys(errors).length > 0) throw new Invalid(errors);
  }
  return row[writtenIdColumn] !== null;
}

const selfReads = createByteCache<readonly string[] | 'any'>(2_000_000);

/**
 * Whether a statement that writes some columns of a table also reads one of them from other rows, as nested embeds may:
 * it would read the old values.
 */
export function readsItself({ table }: Definition, { sql: text }: Statement, names: ReadonlySet<string>): boolean {
  const key = `${table} ${textId(text)}`;
  let read = selfReads.get(key);
  if (!read) selfReads.set(key, (read = columnsRead(table, text)));
  return read === 'any' || read.some((name) => names.has(name));
}

/** The columns that a statement reads of a table under any alias; `any` if that can't be determined. */
function columnsRead(table: string, text: string): readonly string[] | 'any' {
  const quotedTable = `"public"."${table}"`;
  const aliases = new Set<string>();
  for (let position = text.indexOf(quotedTable); position >= 0; position = text.indexOf(quotedTable, position + 1)) {
    const [, quotedName, plainName] =
      /^ (?:"([^"]+)"|(\w+))/.exec(text.slice(position + quotedTable.length, position + quotedTable.length + 70)) ?? [];
    const alias = quotedName ?? plainName;
    if (alias === undefined) return 'any';
    // The written row itself.
    if (!/\bupdate $/.test(text.slice(0, position))) aliases.add(alias);
  }
  const columns = Array.from(text.matchAll(/(?:"(\w+)"|\b(\w+))\.(?:"([^"]+)"|(\w+))/g));
  const read = columns.flatMap(([, quotedAlias, plainAlias, name, plainName]) =>
    aliases.has((quotedAlias ?? plainAlias)!) ? [(name ?? plainName)!] : [],
  );
  return [...new Set(read)];
}

interface PostgresError {
  readonly code?: string;
  readonly detail?: string;
  readonly constraint?: string;
}

/**
 * Runs a write and turns PostgreSQL's constraint errors into messages for the user: a duplicate value, or a reference.
 *
 * @example await translateDatabaseErrors(context, deals, () => store(deal));
 */
export async function translateDatabaseErrors<T>(
  context: RequestContext,
  definition: Definition,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toUserError(context, definition, error) ?? error;
  }
}

function toUserError(context: RequestContext, definition: Definition, error: unknown): Error | undefined {
  const { registry } = context;
  const { code, detail = '', constraint = '' } = error as PostgresError;
  if (code === '23505') {
    const combination = combinationOfIndex(registry, constraint);
    if (combination)
      return new Taken(
        { [combination.rule.fields[0]!]: repeatedMessage(combination.definition, combination.rule) },
        (queries) => explainTaken({ context, definition: combination.definition }, combination.rule, detail, queries),
      );
    const columns = /^Key \((.*?)\)=\(/s.exec(detail)?.[1] ?? '';
    const field = Object.values(definition.fields).find(
      ({ name, unique }) => unique && new RegExp(`\\b${name}\\b`).test(columns),
    );
    if (field && isSequence(field) && definition.fields[field.partitionBy]) {
      const recordLabel = definition.labels.one.toLowerCase();
      const message = `${field.label}: another ${recordLabel} there has the key of this one. Choose another ${definition.fields[field.partitionBy]!.label}.`;
      return new Invalid({ [field.partitionBy]: message });
    }
    if (field)
      return new Taken({ [field.name]: `${field.label} is already taken.` }, (queries) =>
        explainTaken({ context, definition }, { fields: [field.name] }, detail, queries),
      );
    // A newer version of the program, which runs beside this one, may require more than this definition.
    const conflictingFields = Object.values(definition.fields).filter(
      ({ name, system }) => !system && name !== 'site_id' && new RegExp(`\\b${name}\\b`).test(columns),
    );
    if (conflictingFields[0]) {
      const labels = conflictingFields.map(({ label }) => label).join(' and ');
      return new Invalid({ [conflictingFields[0].name]: `${labels}: another record has the same already.` });
    }
    if (constraint.startsWith('ux__')) return new Conflict('Another record has the same values already.');
  }
  if (code === '23P01') {
    const overlap = overlapRuleOf(registry, constraint);
    if (overlap) return new Invalid({ [overlap.rule.fields[0]]: overlapMessage(overlap.definition, overlap.rule) });
    if (constraint.startsWith('ex__')) return new Conflict('Another record overlaps this one.');
  }
  if (code === '23503') {
    return new Conflict(
      `This ${definition.labels.one.toLowerCase()} or a record it refers to was used or removed in the meantime.`,
      'CONFLICT_REFERENCED',
    );
  }
  return undefined;
}

/**
 * Announces a committed change: invalidates cached counts and notifies subscribers. With the record as it was before
 * (`previousRecord`), also those who saw it then and do not any more.
 *
 * @example publishRecordChange(program, deals, { id: 7, site_id: 1 }, 'updated', trx);
 */
export function publishRecordChange(
  program: Program,
  definition: Definition,
  record: ResourceRecord,
  event: LiveEvent['event'],
  trx?: Transaction,
  previousRecord: ResourceRecord | undefined = event === 'deleted' ? record : undefined,
): void {
  program.database.afterWrite(() => queryCacheOf(program.database).invalidate(definition.table), trx);
  const { name } = definition;
  const previousAudience =
    previousRecord && formerAudience(definition, previousRecord, event === 'deleted' ? undefined : record);
  program.live.publish(
    {
      ...{ resource: name, id: record.id as number, event, site_id: recordCompany(definition, record) },
      ...(previousAudience && { former: previousAudience }),
    },
    trx,
  );
}

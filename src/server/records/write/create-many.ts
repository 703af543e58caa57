import { sql } from 'kysely';
import { matchesCondition, predicateOf } from '../../../engine/conditions/match-condition';
import type { Definition, ResourceRecord, AnyRelationField, UniqueRule } from '../../../engine/definitions/definition';
import { columnTypeOf } from '../../../engine/field-types';
import { isEmpty } from '../../../engine/validation/is-empty';
import type { FieldErrors } from '../../../engine/validation/validate-values';
import { allOf, notDeletedFilter, companyScope } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';
import { predicateToSql } from '../../sql/predicate-to-sql';
import type { Transaction, Queries } from '../../database/database';
import { HttpError, Invalid, Taken } from '../../errors/errors';
import { filledNames, userSetFields, insertRecord, applyDefaults, valueErrors } from './create';
import { withDerived, type Input, dropReadOnlyFields, defaultValues, type KnownResults } from './input';
import {
  translateDatabaseErrors,
  publishRecordChange,
  sideFields,
  storeSideFields,
  historyValues,
  storedFields,
} from './row-writes';
import { type ArchivedHolder, archivedHolderSql, holderSentence } from './archived-holder';
import { withRealDurations } from './durations';
import { hasHooks, runHooks, runHooksForMany } from './hooks';
import { recordCompany, nestingErrors, type CheckedReferences, unavailableReferences } from './references';
import { startAutomations } from './triggers';
import { withPins } from './pins';
import { forgetRuleLocks, isInRuleGroup, lockRules } from './rule-locks';
import { claimFiles } from '../files/record-files';
import { countTakings, insertNumbered, putBackAfter, withKeys } from './sequences';
import { withInitialStates, type KnownStates } from './initial-states';
import { rowReferenceErrors } from './rows';
import { loadMatchingRules, assertFieldsAllowed } from './stored-row';
import { repeatedMessage } from '../../../engine/validation/messages';

/**
 * The outcome of one of many records. Errors of the record as a whole have an empty name; `refusal` is the error that
 * they come from, unless they are its invalid values.
 */
export type RowOutcome = { readonly id: number } | RowRefusal;

export interface RowRefusal {
  readonly errors: FieldErrors;
  readonly refusal?: HttpError;
}

/** State shared by the records of one call: references that are already checked, and values that must be unique. */
export class BatchState {
  /** Nothing will be stored, so hooks that would report errors while storing run in advance. */
  constructor(readonly isDryRun = false) {}
  readonly references: CheckedReferences = new Map();
  readonly takenValues = new Set<string>();
}

interface PreparedRow {
  readonly input: Input;
  readonly values: ResourceRecord;
  readonly errors: FieldErrors;
}

/**
 * Checks everything that `createMany` checks, and stores nothing. The caller has to roll back the hooks' own writes.
 */
export async function validateMany(
  context: RequestContext,
  definition: Definition,
  inputs: readonly Input[],
  state: BatchState,
  trx: Transaction,
): Promise<FieldErrors[]> {
  return (await prepareRows(context, definition, inputs, state, trx)).map(({ errors }) => errors);
}

/**
 * Stores many records as `POST` would store each, within a transaction: the valid ones, with errors for the others. The
 * caller has to check the grant. Uses a few statements for all of them; if one is refused, stores them one by one.
 *
 * @example const outcomes = await createMany(context, deals, inputs, new BatchState(), trx);
 */
export async function createMany(
  context: RequestContext,
  definition: Definition,
  inputs: readonly Input[],
  state: BatchState,
  trx: Transaction,
): Promise<RowOutcome[]> {
  if (inputs.length === 0) return [];
  await lockRules(context, [definition], trx);
  if (isInRuleGroup(context, definition)) {
    // The rules of each have to see those before it.
    const outcomes: RowOutcome[] = [];
    for (const input of inputs) outcomes.push(await insertOne(context, definition, input, trx));
    return outcomes;
  }
  const all = await prepareRows(context, definition, inputs, state, trx);
  const validRows = all.filter(({ errors }) => Object.keys(errors).length === 0);
  const stored = await inSavepoint(trx, () => insertAll(context, definition, validRows, trx));
  const outcomes = new Map<PreparedRow, RowOutcome>();
  for (const [index, ready] of validRows.entries()) {
    outcomes.set(
      ready,
      Array.isArray(stored) ? { id: stored[index]! } : await insertOne(context, definition, ready.input, trx),
    );
  }
  return all.map((ready) => outcomes.get(ready) ?? { errors: ready.errors });
}

async function prepareRows(
  context: RequestContext,
  definition: Definition,
  inputs: readonly Input[],
  state: BatchState,
  trx: Transaction,
): Promise<PreparedRow[]> {
  const rows: PreparedRow[] = [];
  const start = defaultValues(context, definition);
  const relatedResults: KnownResults = new Map();
  const states: KnownStates = new Map();
  for (const rawInput of inputs) {
    const open = await dropReadOnlyFields(context, definition, start, rawInput, trx);
    const whole = await withInitialStates(context, definition, open, trx, states);
    const input = await claimFiles(context, definition, whole, {}, trx);
    rows.push(await prepareRow(context, definition, input, relatedResults, trx));
  }
  await checkReferences(context, definition, rows, state, trx);
  if (state.isDryRun && hasHooks(definition, 'beforeSave')) {
    for (const ready of rows) await runBeforeSaveChecks(context, definition, ready, trx);
  }
  await checkUniqueValues(context, definition, rows, state, trx);
  for (const rule of definition.unique) await checkCombination(context, definition, rule, rows, state, trx);
  return rows;
}

async function prepareRow(
  context: RequestContext,
  definition: Definition,
  input: Input,
  relatedResults: KnownResults,
  trx: Transaction,
): Promise<PreparedRow> {
  const start = applyDefaults(context, definition, input);
  let values = start.values;
  const errors: FieldErrors = {};
  const run = async () => {
    values = await runHooks(context, definition, 'beforeValidate', { input: input.values, trx, values });
    Object.assign(errors, await valueErrors(context, definition, values, trx, relatedResults));
  };
  const refusal = hasHooks(definition, 'beforeValidate') ? await inSavepoint(trx, run) : await run();
  const refused = refusal instanceof HttpError ? toFieldErrors(refusal) : {};
  return { input, values, errors: { ...errors, ...start.errors, ...input.errors, ...refused } };
}

/** Runs hooks that would report errors while storing, for records that are valid so far. */
async function runBeforeSaveChecks(
  context: RequestContext,
  definition: Definition,
  { input, values, errors }: PreparedRow,
  trx: Transaction,
): Promise<void> {
  if (Object.keys(errors).length > 0) return;
  const hook = { input: input.values, trx, values };
  const refusal = await inSavepoint(trx, () => runHooks(context, definition, 'beforeSave', hook));
  if (refusal instanceof HttpError) Object.assign(errors, toFieldErrors(refusal));
}

/** Checks the references that are not wrong already: one statement per target. */
async function checkReferences(
  context: RequestContext,
  definition: Definition,
  rows: readonly PreparedRow[],
  state: BatchState,
  trx: Transaction,
): Promise<void> {
  const isChosen = context.actor.level === 1;
  const checked = rows.filter(({ errors }) => !(isChosen && errors.site_id));
  const sound = checked.map(({ values, errors }) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !errors[name])),
  );
  const without = isChosen ? [] : ['site_id'];
  const wrong = await batchReferenceErrors(context, definition, sound, state.references, trx, without);
  for (const [index, { errors }] of checked.entries()) {
    Object.assign(errors, await rowReferenceErrors(context, definition, { values: sound[index]! }, trx));
    for (const [name, message] of Object.entries(wrong[index]!)) errors[name] ??= message;
  }
}

/**
 * Unique values: neither stored already nor repeated among these records. Values of other companies are only found
 * while storing: who can't see them must not be able to probe for many at once.
 */
async function checkUniqueValues(
  context: RequestContext,
  definition: Definition,
  prepared: readonly PreparedRow[],
  state: BatchState,
  trx: Transaction,
) {
  const { registry, actor } = context;
  for (const field of Object.values(definition.fields)) {
    if (!field.unique) continue;
    const keyOf = ({ values }: PreparedRow) => {
      const company = field.unique === 'company' ? recordCompany(definition, values) : null;
      return [field.name, company, String(values[field.name]).toLowerCase()].join('\n');
    };
    const checked = prepared.filter(({ values, errors }) => !errors[field.name] && !isEmpty(values[field.name]));
    if (checked.length === 0) continue;
    const texts = checked.map(({ values }) => String(values[field.name]));
    const column = sql.id('t', field.name);
    const { rows } = await sql<{ value: string; site_id: number | null; holder: ArchivedHolder | null }>`
      select lower(${column}::text) as value, ${'site_id' in definition.fields ? sql.id('t', 'site_id') : sql`null`} as site_id,
        ${archivedHolderSql(context, definition)} as holder
      from ${sql.id('public', definition.table)} t
      where lower(${column}::text) = any(select lower(one) from unnest(${texts}::text[]) one)
        and ${predicateToSql(allOf([companyScope(actor, definition), notDeletedFilter(definition)]), definition, 't', registry, null)}`.execute(
      trx,
    );
    const stored = new Map(
      rows.map((row) => [
        [field.name, field.unique === 'company' ? row.site_id : null, row.value].join('\n'),
        row.holder,
      ]),
    );
    for (const one of checked) {
      const key = keyOf(one);
      if (stored.has(key) || state.takenValues.has(key))
        one.errors[field.name] =
          `${field.label} is already taken.${holderSentence(context, definition, [field.name], stored.get(key) ?? null)}`;
      else if (Object.keys(one.errors).length === 0) state.takenValues.add(key);
    }
  }
}

/** As `checkUniqueValues`, for a unique combination of fields. */
async function checkCombination(
  context: RequestContext,
  definition: Definition,
  rule: UniqueRule,
  prepared: readonly PreparedRow[],
  state: BatchState,
  trx: Transaction,
): Promise<void> {
  const { registry, actor, evaluationContext } = context;
  const { where, fields } = rule;
  const checked = prepared.filter(
    ({ values, errors }) =>
      fields.every((name) => !errors[name] && !isEmpty(values[name])) &&
      (!where || matchesCondition(where, values, evaluationContext)),
  );
  if (checked.length === 0) return;
  const companyOf = (values: ResourceRecord) =>
    'site_id' in definition.fields ? recordCompany(definition, values) : null;
  const columns = fields.map((name, index) => {
    const columnType = columnTypeOf(definition.fields[name]!)!;
    const [column, sent] = [sql.id('t', name), sql.id('sent', `value${index}`)];
    return columnType === 'text'
      ? sql`lower(${column}) = lower(${sent})`
      : sql`${column} = ${sent}::${sql.raw(columnType)}`;
  });
  const sent = fields.map((name) => sql`${checked.map(({ values }) => String(values[name]))}::text[]`);
  const names = ['company', ...fields.map((_, index) => `value${index}`), 'position'].map((name) => sql.id(name));
  const visible = allOf([companyScope(actor, definition), notDeletedFilter(definition)]);
  const { rows } = await sql<{
    position: number;
    holder: ArchivedHolder | null;
  }>`select sent.position::integer as position,
      ${archivedHolderSql(context, definition)} as holder
    from unnest(${checked.map(({ values }) => companyOf(values))}::integer[], ${sql.join(sent)}) with ordinality sent (${sql.join(names)})
    join ${sql.id('public', definition.table)} t on ${sql.join(columns, sql` and `)}
      ${'site_id' in definition.fields ? sql`and t.site_id is not distinct from sent.company` : sql``}
    where ${predicateToSql(visible, definition, 't', registry, null)}
      and ${where ? predicateToSql(predicateOf(where), definition, 't', registry, null) : sql`true`}`.execute(trx);
  const stored = new Map(rows.map(({ position, holder }) => [position - 1, holder]));
  checked.forEach(({ values, errors }, index) => {
    const parts = fields.map((name) => String(values[name]).toLowerCase());
    const key = [JSON.stringify(rule), companyOf(values), ...parts].join('\n');
    if (stored.has(index) || state.takenValues.has(key))
      errors[fields[0]!] =
        repeatedMessage(definition, rule) + holderSentence(context, definition, fields, stored.get(index) ?? null);
    else if (Object.keys(errors).length === 0) state.takenValues.add(key);
  });
}

/** Stores validated records and returns their ids. */
async function insertAll(
  context: RequestContext,
  definition: Definition,
  rows: readonly PreparedRow[],
  trx: Transaction,
): Promise<number[]> {
  if (rows.length === 0) return [];
  const ready: ResourceRecord[] = [];
  for (const { values, input } of rows) {
    const changed = await runHooks(context, definition, 'beforeSave', { input: input.values, values, trx });
    ready.push(await withRealDurations(context, definition, withDerived(definition, changed), trx));
  }
  const records = await withPins(context, definition, await withKeys(context, definition, ready, trx), trx);
  const ids = await insertNumbered(context, definition, trx, () => insertRows(context, definition, records, trx));
  const stored = rows.map(({ input }, index) => ({
    input: input.values,
    values: { ...records[index], id: ids[index]! },
    trx,
  }));
  if (sideFields(definition).length > 0) {
    const all = stored.map(({ values }) => ({ id: values.id, values, names: filledNames(values), isNew: true }));
    await storeSideFields(definition, all, trx);
  }
  const holding = await loadMatchingRules(context, definition, 'create', ids, trx);
  for (const [index, { input }] of rows.entries()) {
    assertFieldsAllowed(definition, 'create', holding[index], userSetFields(context, definition, input));
  }
  await runHooksForMany(context, definition, stored);
  await startAutomations(context, definition, 'create', stored, trx);
  for (const [index, values] of records.entries()) {
    publishRecordChange(context.program, definition, { ...values, id: ids[index]! }, 'created', trx);
  }
  return ids;
}

async function insertOne(
  context: RequestContext,
  definition: Definition,
  input: Input,
  trx: Transaction,
): Promise<RowOutcome> {
  const stored = await inSavepoint(trx, () =>
    translateDatabaseErrors(context, definition, () => insertRecord(context, definition, input, trx)),
  );
  return stored instanceof HttpError ? toRefusal(stored) : { id: stored };
}

/** The outcome of a record that was refused. */
export function toRefusal(refusal: HttpError): RowRefusal {
  return { errors: toFieldErrors(refusal), refusal };
}

/**
 * Runs part of a transaction in a savepoint. On a refusal, by us or by PostgreSQL, undoes the part and returns the
 * error.
 */
export async function inSavepoint<T>(trx: Transaction, run: () => Promise<T>): Promise<T | HttpError> {
  const before = countTakings(trx);
  await sql`savepoint one_of_many`.execute(trx);
  try {
    const result = await run();
    await sql`release savepoint one_of_many`.execute(trx);
    return result;
  } catch (error) {
    await undoSavepoint(trx, 'one_of_many');
    await putBackAfter(trx, before);
    if (error instanceof Taken) return error.explained(trx);
    if (error instanceof HttpError) return error;
    if (/^23/.test((error as { code?: string }).code ?? ''))
      return new HttpError(409, 'CONFLICT', 'This record was used or removed in the meantime.');
    throw error;
  }
}

/** Runs part of a transaction and undoes what it writes; returns its result. */
export async function runAndUndo<T>(trx: Transaction, run: () => Promise<T>): Promise<T> {
  const before = countTakings(trx);
  await sql`savepoint undone_part`.execute(trx);
  try {
    return await run();
  } finally {
    await undoSavepoint(trx, 'undone_part');
    await putBackAfter(trx, before);
  }
}

/**
 * Undoes what was written since a savepoint, and removes it: a savepoint around it has the same name, and undoing that one
 * would only lead back to this one. One text, which is sent at once.
 */
async function undoSavepoint(trx: Transaction, name: string): Promise<void> {
  await sql.raw(`rollback to savepoint ${name}; release savepoint ${name}`).execute(trx);
  forgetRuleLocks(trx);
}

function toFieldErrors(error: HttpError): FieldErrors {
  return error instanceof Invalid ? { ...error.errors } : { '': error.message };
}

/**
 * As `referenceErrors` for each of many new records, treating all fields as changed: one statement per target, however
 * many records. Results are added to `known`; the fields in `without` are not checked.
 */
async function batchReferenceErrors(
  context: RequestContext,
  definition: Definition,
  records: readonly ResourceRecord[],
  known: CheckedReferences,
  trx: Queries,
  without: readonly string[] = [],
): Promise<FieldErrors[]> {
  const isChecked = ({ name }: AnyRelationField) => !without.includes(name);
  const found = await unavailableReferences(context, definition, records, isChecked, known, trx);
  const nesting = Object.values(definition.fields).some(({ to, system }) => to === definition.name && !system);
  if (!nesting) return found;
  return Promise.all(
    records.map(async (values, index) => ({
      ...(await nestingErrors(context.registry, definition, values, new Set(Object.keys(values)), trx)),
      ...found[index],
    })),
  );
}

/** Inserts any number of rows and their history entries with three statements. Returns their ids, in order. */
async function insertRows(
  context: RequestContext,
  definition: Definition,
  rows: readonly ResourceRecord[],
  trx: Transaction,
): Promise<number[]> {
  const sequence = sql`pg_get_serial_sequence(${`public.${definition.table}`}, 'id')`;
  const { rows: next } = await sql<{ id: number }>`
    select nextval(${sequence})::integer as id from generate_series(1, ${sql.lit(rows.length)})`.execute(trx);
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
    const lines = rows.map((row, index) => ({ id: ids[index], kept: historyValues(definition, row, names) }));
    await sql`insert into assay.history (resource, record_id, event, new_values, user_id, created_at)
      select ${definition.name}, one.id, 'created', one.kept, ${context.actor.id}::integer, ${context.now}::timestamptz
      from json_to_recordset(${JSON.stringify(lines)}::json) as one (id integer, kept jsonb)`.execute(trx);
  }
  return ids;
}

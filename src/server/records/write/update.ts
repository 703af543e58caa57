import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { pinnedBy } from '../../../engine/definitions/pins';
import { fieldTypeOf } from '../../../engine/field-types';
import { changeConditionNeeds } from '../../../engine/expressions/condition-needs';
import { validateValues } from '../../../engine/validation/validate-values';
import { isFileField } from '../../../engine/field-types/stored-files';
import { assertGranted, assertOwned } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';
import type { Queries, Transaction } from '../../database/database';
import { Invalid } from '../../errors/errors';
import {
  withDurations,
  isValid,
  parseInput,
  type Body,
  type Input,
  validateValue,
  dropReadOnlyFields,
  defaultValues,
  formContext,
} from './input';
import { claimFiles, deleteFilesAfterCommit, replaceUploads, withStoredUploads } from '../files/record-files';
import { takenPins, withChangedPins } from './pins';
import { loadResponses, parseResponse, type RecordResponse, readAfterWrite } from '../read/read';
import {
  translateDatabaseErrors,
  wasWritten,
  readsItself,
  publishRecordChange,
  hashSecrets,
  historyValues,
  sideFields,
  storeSideFields,
  updateRowWithHistory,
  updateRow,
  updateStatement,
  type RowUpdate,
  type HistoryEntry,
} from './row-writes';
import { rowReferenceErrors, withWholeRows } from './rows';
import { isInRuleGroup, lockRules } from './rule-locks';
import { skipKeysOfMoved } from './sequences';
import { hasAutomations, startAutomations } from './triggers';
import { withRealDurations } from './durations';
import { areHooksIdle, hasHooks, runHooks } from './hooks';
import {
  dependentChoiceErrors,
  canCheckWhileStoring,
  buildReferenceChecks,
  referenceErrors,
  type ReferenceChecks,
} from './references';
import {
  changedFields,
  assertFieldsAllowed,
  lockRow,
  readRowUnlocked,
  assertNotArchived,
  assertUnchanged,
  type StoredRow,
} from './stored-row';

/**
 * `PUT r/{id}`: stores the fields that were sent and differ, and returns the record. Throws Forbidden, NotFound, Conflict
 * if it is archived or was changed in the meantime, or Invalid with all errors at once.
 */
export async function updateRecord(
  context: RequestContext,
  definition: Definition,
  id: number,
  body: Body,
): Promise<ResourceRecord> {
  return parseResponse(await updateRecordResponse(context, definition, id, body));
}

/** As `updateRecord`, but may return JSON text, for callers that only send it. */
export async function updateRecordResponse(
  context: RequestContext,
  definition: Definition,
  id: number,
  body: Body,
): Promise<RecordResponse> {
  assertGranted(context, definition, 'edit');
  const input = parseInput(definition, body);
  const { database } = context.program;
  const storeLocked = () =>
    database.transaction(async (trx) => {
      await storeChanges(context, definition, id, input, trx);
      return readAfterWrite(context, definition, id, trx);
    });
  const store = async () => (await storeWithoutLock(context, definition, id, input)) ?? storeLocked();
  const uploads = isValid(input) ? [{ definition, values: input.values }] : [];
  return withStoredUploads(context, uploads, () => translateDatabaseErrors(context, definition, store));
}

/**
 * Stores changes with two statements and without a transaction: reads the row, and writes it if it is still the same.
 * Returns undefined, with nothing stored, if that is not possible: the change belongs to a transaction, hooks or pairs
 * have to be stored with it, or another change came first.
 */
async function storeWithoutLock(
  context: RequestContext,
  definition: Definition,
  id: number,
  input: Input,
): Promise<RecordResponse | undefined> {
  const { database } = context.program;
  if (
    definition.system ||
    hasAutomations(definition, 'update') ||
    isInRuleGroup(context, definition) ||
    database.root !== database ||
    hasHooks(definition, 'beforeValidate', 'beforeSave', 'afterRead')
  )
    return undefined;
  const isPlain = (name: string) => {
    const field = definition.fields[name]!;
    return !field.virtual && !isFileField(field) && !fieldTypeOf(field).isHashed;
  };
  if (!Object.keys(input.values).every(isPlain)) return undefined;
  const row = await readRowUnlocked(context, definition, id);
  // Placing a record below another one takes a lock, so that two such changes cannot make a circle.
  const moved = [...changedFields(definition, row.values, input.values)];
  if (moved.some((name) => definition.fields[name]!.to === definition.name)) return undefined;
  const ready = await prepareChange(context, definition, row, input, undefined, true);
  // Compare again with the row locked, so that nobody is changing it.
  if (!ready) return undefined;
  const { before, values, changed, fieldNames, historyEntry, checks } = ready;
  const isAlone = sideFields(definition).every(({ name }) => !changed.has(name));
  if (!isAlone || !areHooksIdle(context, definition, { before, values, input: input.values })) return undefined;
  await skipKeysOfMoved(context, definition, [ready], database.kysely);
  const change: RowUpdate = { id, version: row.version, values, fieldNames, historyEntry };
  const statement = updateStatement(context, definition, change, checks);
  // The statement would read old values from its own table, so the response would be out of date.
  if (readsItself(definition, statement, fieldNames)) return undefined;
  const [written] = await loadResponses(context, definition, statement);
  if (!wasWritten(checks, written?.beside)) return undefined;
  publishRecordChange(context.program, definition, values, 'updated', undefined, before);
  return written!.answer;
}

/**
 * Stores changes within a transaction: for callers that store several records. `lockedRow` is the row if the caller has
 * already locked it. Returns whether anything differed.
 *
 * @example await storeChanges(context, deals, 7, { values: { stage_id: 3 }, errors: {}, kept: [] }, trx);
 */
export async function storeChanges(
  context: RequestContext,
  definition: Definition,
  id: number,
  input: Input,
  trx: Transaction,
  lockedRow?: StoredRow,
): Promise<boolean> {
  await lockRules(context, [definition], trx);
  const row = lockedRow ?? (await lockRow(context, definition, id, trx));
  const ready = await prepareChange(context, definition, row, input, trx);
  if (!ready) return false;
  const { before, values, changed, fieldNames, historyEntry } = ready;
  await skipKeysOfMoved(context, definition, [ready], trx);
  if (historyEntry) await updateRowWithHistory(context, definition, id, values, fieldNames, historyEntry, trx);
  else await updateRow(definition, id, values, fieldNames, trx);
  await storeSideFields(definition, [{ id, values, names: changed }], trx);
  await runHooks(context, definition, 'afterSave', { before, input: input.values, trx, values });
  await startAutomations(context, definition, 'update', [{ before, values }], trx);
  deleteFilesAfterCommit(context.program, definition, before, trx, { names: changed, values });
  publishRecordChange(context.program, definition, values, 'updated', trx, before);
  return true;
}

/** A validated change. */
export interface PreparedChange {
  readonly before: ResourceRecord;
  /** Including the stamps. */
  readonly values: ResourceRecord;
  readonly changed: ReadonlySet<string>;
  /** The fields to write: those that changed, and the stamps. */
  readonly fieldNames: ReadonlySet<string>;
  readonly historyEntry: HistoryEntry | undefined;
  /** If requested: the reference checks that have yet to be made. */
  readonly checks: ReferenceChecks | undefined;
}

/**
 * Validates the body against a row and computes what to store; undefined if nothing changes. With `isGuarded`, references
 * may be left to the caller to check.
 */
export async function prepareChange(
  context: RequestContext,
  definition: Definition,
  row: StoredRow,
  rawInput: Input,
  trx: Transaction | undefined,
  isGuarded = false,
): Promise<PreparedChange | undefined> {
  const queries = trx ?? context.program.database.kysely;
  const before = await withVirtualFields(context, definition, row.values, rawInput.values, trx);
  const known = await claimFiles(context, definition, rawInput, before, trx);
  const input = withWholeRows(definition, known, before, (columns) => defaultValues(context, columns));
  assertOwned(context.actor, definition, before, 'edit');
  const holding = row.matchingRules();
  assertNotArchived(definition, row);
  await assertUnchanged(context, definition, row.values, input.seenVersion, queries);
  const open = await dropReadOnlyFields(context, definition, before, input, queries);
  const taken = await takenPins(context, definition, before, open, queries);
  const errors = { ...input.errors, ...taken.errors };
  const sent = { ...withoutEmptySecrets(definition, open.values), ...taken.values };
  const sentChanges = changedFields(definition, before, sent);
  assertFieldsAllowed(definition, 'edit', holding, writtenFields(definition, sentChanges));
  if (sentChanges.size === 0 && Object.keys(errors).length === 0) return undefined;

  const hook = { before, input: input.values, trx };
  let values = await runHooks(context, definition, 'beforeValidate', { ...hook, values: { ...before, ...sent } });
  const checks = await assertValid(context, definition, before, values, { ...input, errors }, queries, isGuarded);
  values = await hashSecrets(context, definition, values, sentChanges);
  values = withDurations(definition, await runHooks(context, definition, 'beforeSave', { ...hook, values }));
  values = await withRealDurations(context, definition, values, queries, before);
  values = await withChangedPins(context, definition, before, values, queries);
  const changed = changedFields(definition, before, values);
  const stamps = { updated_by: context.actor.id, updated_at: nextStamp(before, context.now) };
  const stamped: ResourceRecord = { ...replaceUploads(definition, values), ...stamps };
  const names = new Set([...changed, ...Object.keys(stamps)]);
  return {
    before,
    values: stamped,
    changed,
    fieldNames: names,
    historyEntry: historyEntryOf(definition, before, stamped, changed, input.restores),
    checks,
  };
}

/**
 * The fields that somebody has written: nobody can write read-only ones, which only a request of the definition sets. Who
 * may choose a relation may say which version of its target is meant.
 */
function writtenFields(definition: Definition, changed: Iterable<string>): ReadonlySet<string> {
  const names = [...changed].map((name) => pinnedBy(definition, name)?.name ?? name);
  return new Set(names.filter((name) => !definition.fields[name]!.readOnly));
}

/** The stored row with its virtual fields if one was sent, to find out whether it differs. */
async function withVirtualFields(
  context: RequestContext,
  definition: Definition,
  row: ResourceRecord,
  sent: ResourceRecord,
  trx: Transaction | undefined,
): Promise<ResourceRecord> {
  if (!Object.keys(sent).some((name) => definition.fields[name]!.virtual)) return row;
  const record = { ...row };
  await runHooks(context, definition, 'afterRead', { values: record, records: [record], input: {}, trx });
  return record;
}

/** Drops secrets that were left empty. */
function withoutEmptySecrets(definition: Definition, values: ResourceRecord): ResourceRecord {
  const kept = Object.entries(values).filter(
    ([name, value]) => value !== null || !fieldTypeOf(definition.fields[name]!).isHashed,
  );
  return Object.fromEntries(kept);
}

/** Throws Invalid. If only references are left to check and that may happen later, returns their checks. */
async function assertValid(
  context: RequestContext,
  definition: Definition,
  before: ResourceRecord,
  values: ResourceRecord,
  input: Input,
  queries: Queries,
  isGuarded: boolean,
): Promise<ReferenceChecks | undefined> {
  const changed = changedFields(definition, before, values);
  const needs = changeConditionNeeds(definition, (name) => changed.has(name));
  const evaluationContext = await formContext(context, definition, needs, { values, before }, queries);
  const errors = validateValues(definition, values, {
    strictness: 'api',
    evaluationContext,
    changed,
    validate: validateValue,
  });
  const sound = Object.fromEntries(Object.entries(values).filter(([name]) => !errors[name] && !input.errors[name]));
  Object.assign(
    errors,
    await dependentChoiceErrors(context, definition, before.id as number, values, changed, queries),
  );
  Object.assign(errors, await rowReferenceErrors(context, definition, { values: sound, before }, queries));
  const isWrong = Object.keys(errors).length + Object.keys(input.errors).length > 0;
  if (isGuarded && !isWrong && canCheckWhileStoring(definition, values, changed)) {
    return buildReferenceChecks(context, definition, sound, changed);
  }
  Object.assign(errors, await referenceErrors(context, definition, sound, changed, queries), input.errors);
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return undefined;
}

/**
 * Every version gets a later stamp, so that the check for stale updates can tell apart two changes in one millisecond.
 */
function nextStamp(before: ResourceRecord, now: string): string {
  const last = typeof before.updated_at === 'string' ? Date.parse(before.updated_at) : 0;
  return last >= Date.parse(now) ? new Date(last + 1).toISOString() : now;
}

/** The history entry of a change; undefined if there is nothing to record. */
function historyEntryOf(
  definition: Definition,
  before: ResourceRecord,
  after: ResourceRecord,
  changed: ReadonlySet<string>,
  restored: number | undefined,
): HistoryEntry | undefined {
  const [old, fresh] = [historyValues(definition, before, changed), historyValues(definition, after, changed)];
  const names = new Set([...Object.keys(old), ...Object.keys(fresh)]);
  if (names.size === 0) return undefined;
  const all = (values: ResourceRecord) => Object.fromEntries([...names].map((name) => [name, values[name] ?? null]));
  return { event: 'updated', old: all(old), new: all(fresh), ...(restored !== undefined && { restored }) };
}

import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { typeOf } from '../../engine/field-types';
import { checkValues } from '../../engine/validation/check-values';
import { mustBeGranted } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import { mustOwn } from '../access/scope';
import type { Queries, Transaction } from '../database/database';
import { Invalid } from '../errors/errors';
import { withDurations } from './derived';
import { dropFiles, storedUploads, withUploads } from '../files/record-files';
import { readAnswers, recordOf, type Answered } from './answers';
import { withFaults } from './faults';
import { isWritten, readsItself } from './guarded';
import { areIdle, hasHooks, runHooks } from './hooks';
import { isSound, readInput, type Body, type Input } from './input';
import { judge } from './judge';
import { leftBehindErrors } from './left-behind';
import { publish } from './publish';
import { answerOf } from './read';
import { withoutReadOnly } from './read-only';
import { canBeGuarded, referenceChecks, referenceErrors, type ReferenceChecks } from './references';
import { differences, mustCover } from './rules';
import {
  hashSecrets,
  historyValues,
  pairFields,
  storePairs,
  updateLogged,
  updateRow,
  updateStatement,
  type Change,
  type HistoryLine,
} from './store';
import { holdRow, lookAtRow, mustBePresent, mustBeUnchanged, type StoredRow } from './stored-row';

/**
 * `PUT r/{id}`: stores the fields that were sent and differ, and returns the record. Throws Refused, NotFound, Conflict
 * if it is archived or was changed in the meantime, or Invalid with all errors at once.
 */
export async function updateRecord(
  context: RequestContext,
  definition: Definition,
  id: number,
  body: Body,
): Promise<ResourceRecord> {
  return recordOf(await updateAnswered(context, definition, id, body));
}

/** As `updateRecord`, but may return JSON text, for callers that only send it. */
export async function updateAnswered(
  context: RequestContext,
  definition: Definition,
  id: number,
  body: Body,
): Promise<Answered> {
  mustBeGranted(context, definition, 'edit');
  const input = readInput(definition, body);
  const { database } = context.program;
  const storeLocked = () =>
    database.transaction(async (trx) => {
      await storeChanges(context, definition, id, input, trx);
      return answerOf(context, definition, id, trx);
    });
  const store = async () => (await storeUnheld(context, definition, id, input)) ?? storeLocked();
  const uploads = isSound(input) ? [{ definition, values: input.values }] : [];
  return withUploads(context, uploads, () => withFaults(definition, store));
}

/**
 * Stores changes with two statements and without a transaction: reads the row, and writes it if it is still the same.
 * Returns undefined, with nothing stored, if that is not possible: the change belongs to a transaction, hooks or pairs
 * have to be stored with it, or another change came first.
 */
async function storeUnheld(
  context: RequestContext,
  definition: Definition,
  id: number,
  input: Input,
): Promise<Answered | undefined> {
  const { database } = context.program;
  if (
    definition.system ||
    database.root !== database ||
    hasHooks(definition, 'beforeValidate', 'beforeSave', 'afterRead')
  )
    return undefined;
  const isPlain = (name: string) => {
    const field = definition.fields[name]!;
    return !field.virtual && field.type !== 'image' && !typeOf(field).oneWay;
  };
  if (!Object.keys(input.values).every(isPlain)) return undefined;
  const row = await lookAtRow(context, definition, id);
  const ready = await readied(context, definition, row, input, undefined, true);
  // Compare again with the row locked, so that nobody is changing it.
  if (!ready) return undefined;
  const { before, values, changed, names, line, checks } = ready;
  const isAlone = pairFields(definition).every(({ name }) => !changed.has(name));
  if (!isAlone || !areIdle(context, definition, { before, values, input: input.values })) return undefined;
  const change: Change = { id, version: row.version, values, names, line };
  const statement = updateStatement(context, definition, change, checks);
  // The statement would read old values from its own table, so the response would be out of date.
  if (readsItself(definition, statement, names)) return undefined;
  const [written] = await readAnswers(context, definition, statement);
  if (!isWritten(checks, written?.beside)) return undefined;
  publish(context.program, definition, values, 'updated');
  return written!.answer;
}

/**
 * Stores changes within a transaction: for callers that store several records. `held` is the row if the caller has
 * already locked it.
 */
export async function storeChanges(
  context: RequestContext,
  definition: Definition,
  id: number,
  input: Input,
  trx: Transaction,
  lockedRow?: StoredRow,
): Promise<void> {
  const row = lockedRow ?? (await holdRow(context, definition, id, trx));
  const ready = await readied(context, definition, row, input, trx);
  if (!ready) return;
  const { before, values, changed, names, line } = ready;
  dropFiles(context.program, definition, before, trx, changed);
  if (line) await updateLogged(context, definition, id, values, names, line, trx);
  else await updateRow(definition, id, values, names, trx);
  await storePairs(definition, id, values, changed, trx);
  await runHooks(context, definition, 'afterSave', { before, input: input.values, trx, values });
  publish(context.program, definition, values, 'updated', trx);
}

/** A validated change. */
interface Ready {
  readonly before: ResourceRecord;
  /** Including the stamps. */
  readonly values: ResourceRecord;
  readonly changed: ReadonlySet<string>;
  /** The fields to write: those that changed, and the stamps. */
  readonly names: ReadonlySet<string>;
  readonly line: HistoryLine | undefined;
  /** If requested: the reference checks that have yet to be made. */
  readonly checks: ReferenceChecks | undefined;
}

/** Validates the body against a row and computes what to store; undefined if nothing changes. */
async function readied(
  context: RequestContext,
  definition: Definition,
  row: StoredRow,
  input: Input,
  trx: Transaction | undefined,
  isGuarded = false,
): Promise<Ready | undefined> {
  const queries = trx ?? context.program.database.kysely;
  const before = await withVirtual(context, definition, row.values, input.values, trx);
  mustOwn(context.actor, definition, before, 'edit');
  const holding = row.rules();
  mustBePresent(definition, row);
  await mustBeUnchanged(context, definition, row.values, input.seen, queries);
  const sent = withoutEmptySecrets(definition, withoutReadOnly(context, definition, before, input).values);
  const sentChanges = differences(definition, before, sent);
  mustCover(definition, 'edit', holding, sentChanges);
  if (sentChanges.size === 0 && Object.keys(input.errors).length === 0) return undefined;

  const hook = { before, input: input.values, trx };
  let values = await runHooks(context, definition, 'beforeValidate', { ...hook, values: { ...before, ...sent } });
  const checks = await mustBeValid(context, definition, before, values, input, queries, isGuarded);
  values = await hashSecrets(context, definition, values, sentChanges);
  values = withDurations(definition, await runHooks(context, definition, 'beforeSave', { ...hook, values }));
  const changed = differences(definition, before, values);
  const stamps = { updated_by: context.actor.id, updated_at: laterThan(before, context.now) };
  const stamped: ResourceRecord = { ...storedUploads(definition, values), ...stamps };
  const names = new Set([...changed, ...Object.keys(stamps)]);
  return { before, values: stamped, changed, names, line: lineOf(definition, before, stamped, changed), checks };
}

/** The stored row with its virtual fields if one was sent, to find out whether it differs. */
async function withVirtual(
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
    ([name, value]) => value !== null || !typeOf(definition.fields[name]!).oneWay,
  );
  return Object.fromEntries(kept);
}

/** Throws Invalid. If only references are left to check and that may happen later, returns their checks. */
async function mustBeValid(
  context: RequestContext,
  definition: Definition,
  before: ResourceRecord,
  values: ResourceRecord,
  input: Input,
  queries: Queries,
  isGuarded: boolean,
): Promise<ReferenceChecks | undefined> {
  const changed = differences(definition, before, values);
  const evaluationContext = { ...context.surroundings, record: before };
  const errors = checkValues(definition, values, {
    strictness: 'api',
    surroundings: evaluationContext,
    changed,
    judge,
  });
  const sound = Object.fromEntries(Object.entries(values).filter(([name]) => !errors[name] && !input.errors[name]));
  Object.assign(errors, await leftBehindErrors(context, definition, before.id as number, values, changed, queries));
  const isWrong = Object.keys(errors).length + Object.keys(input.errors).length > 0;
  if (isGuarded && !isWrong && canBeGuarded(definition, values, changed)) {
    return referenceChecks(context, definition, sound, changed);
  }
  Object.assign(errors, await referenceErrors(context, definition, sound, changed, queries), input.errors);
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return undefined;
}

/**
 * Every version gets a later stamp, so that the check for stale updates can tell apart two changes in one millisecond.
 */
function laterThan(before: ResourceRecord, now: string): string {
  const last = typeof before.updated_at === 'string' ? Date.parse(before.updated_at) : 0;
  return last >= Date.parse(now) ? new Date(last + 1).toISOString() : now;
}

/** The history entry of a change; undefined if there is nothing to record. */
function lineOf(
  definition: Definition,
  before: ResourceRecord,
  after: ResourceRecord,
  changed: ReadonlySet<string>,
): HistoryLine | undefined {
  const [old, fresh] = [historyValues(definition, before, changed), historyValues(definition, after, changed)];
  const names = new Set([...Object.keys(old), ...Object.keys(fresh)]);
  if (names.size === 0) return undefined;
  const all = (values: ResourceRecord) => Object.fromEntries([...names].map((name) => [name, values[name] ?? null]));
  return { event: 'updated', old: all(old), new: all(fresh) };
}

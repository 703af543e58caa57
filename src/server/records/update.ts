import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { typeOf } from '../../engine/field-types';
import { checkValues } from '../../engine/validation/check-values';
import { mustBeGranted } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import { mustOwn } from '../access/scope';
import type { Transaction } from '../database/database';
import { Invalid } from '../errors/errors';
import { withDurations } from './derived';
import { dropFiles, storedUploads, withUploads } from '../files/record-files';
import { withFaults } from './faults';
import { runHooks } from './hooks';
import { isSound, readInput, type Body, type Input } from './input';
import { judge } from './judge';
import { leftBehindErrors } from './left-behind';
import { publish } from './publish';
import { answerOf } from './read';
import { withoutReadOnly } from './read-only';
import { referenceErrors } from './references';
import { differences, mustCover } from './rules';
import { hashSecrets, historyValues, storePairs, updateLogged, updateRow, type HistoryLine } from './store';
import { holdRow, mustBePresent, mustBeUnchanged, type StoredRow } from './stored-row';

/**
 * `PUT r/{id}`: stores the fields that were sent and differ, and answers the record. Throws Refused, NotFound, Conflict
 * for an archived or meanwhile changed one, or Invalid with all wrong fields at once.
 */
export async function updateRecord(
  context: RequestContext,
  definition: Definition,
  id: number,
  body: Body,
): Promise<ResourceRecord> {
  mustBeGranted(context, definition, 'edit');
  const input = readInput(definition, body);
  const { database } = context.program;
  const store = () =>
    database.transaction(async (trx) => {
      await storeChanges(context, definition, id, input, trx);
      return answerOf(context, definition, id, trx);
    });
  const uploads = isSound(input) ? [{ definition, values: input.values }] : [];
  return withUploads(context, uploads, () => withFaults(definition, store));
}

/**
 * Stores changes within a transaction: for callers who store more than one record. `held` is the row, where the caller
 * has read and held it already.
 */
export async function storeChanges(
  context: RequestContext,
  definition: Definition,
  id: number,
  input: Input,
  trx: Transaction,
  held?: StoredRow,
): Promise<void> {
  const row = held ?? (await holdRow(context, definition, id, trx));
  const before = await withVirtual(context, definition, row.values, input.values, trx);
  mustOwn(context.actor, definition, before, 'edit');
  const holding = row.rules();
  mustBePresent(definition, row);
  await mustBeUnchanged(context, definition, row.values, input.seen, trx);
  const sent = withoutEmptySecrets(definition, withoutReadOnly(context, definition, before, input).values);
  const asked = differences(definition, before, sent);
  mustCover(definition, 'edit', holding, asked);
  if (asked.size === 0 && Object.keys(input.errors).length === 0) return;

  const hook = { before, input: input.values, trx };
  let values = await runHooks(context, definition, 'beforeValidate', { ...hook, values: { ...before, ...sent } });
  await mustBeValid(context, definition, before, values, input, trx);
  values = await hashSecrets(context, definition, values, asked);
  values = withDurations(definition, await runHooks(context, definition, 'beforeSave', { ...hook, values }));
  const changed = differences(definition, before, values);
  values = storedUploads(definition, values);
  dropFiles(context.program, definition, before, trx, changed);
  const stamped: ResourceRecord = {
    ...values,
    updated_by: context.actor.id,
    updated_at: laterThan(before, context.now),
  };
  const names = new Set([...changed, 'updated_by', 'updated_at']);
  const line = lineOf(definition, before, stamped, changed);
  if (line) await updateLogged(context, definition, id, stamped, names, line, trx);
  else await updateRow(definition, id, stamped, names, trx);
  await storePairs(definition, id, stamped, changed, trx);
  await runHooks(context, definition, 'afterSave', { ...hook, values: stamped });
  publish(context.program, definition, stamped, 'updated', trx);
}

/** The stored row with its virtual fields, where one was sent: what differs is told by what stood there. */
async function withVirtual(
  context: RequestContext,
  definition: Definition,
  row: ResourceRecord,
  sent: ResourceRecord,
  trx: Transaction,
): Promise<ResourceRecord> {
  if (!Object.keys(sent).some((name) => definition.fields[name]!.virtual)) return row;
  const record = { ...row };
  await runHooks(context, definition, 'afterRead', { values: record, records: [record], input: {}, trx });
  return record;
}

/** What was sent, without secrets that were left empty. */
function withoutEmptySecrets(definition: Definition, values: ResourceRecord): ResourceRecord {
  const kept = Object.entries(values).filter(
    ([name, value]) => value !== null || !typeOf(definition.fields[name]!).oneWay,
  );
  return Object.fromEntries(kept);
}

async function mustBeValid(
  context: RequestContext,
  definition: Definition,
  before: ResourceRecord,
  values: ResourceRecord,
  input: Input,
  trx: Transaction,
): Promise<void> {
  const changed = differences(definition, before, values);
  const surroundings = { ...context.surroundings, record: before };
  const errors = checkValues(definition, values, { strictness: 'api', surroundings, changed, judge });
  const sound = Object.fromEntries(Object.entries(values).filter(([name]) => !errors[name] && !input.errors[name]));
  Object.assign(errors, await leftBehindErrors(context, definition, before.id as number, values, changed, trx));
  Object.assign(errors, await referenceErrors(context, definition, sound, changed, trx), input.errors);
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
}

/** Every version has a later stamp, so that the guard against overwriting tells two in one millisecond apart. */
function laterThan(before: ResourceRecord, now: string): string {
  const last = typeof before.updated_at === 'string' ? Date.parse(before.updated_at) : 0;
  return last >= Date.parse(now) ? new Date(last + 1).toISOString() : now;
}

/** What history keeps of a change; undefined where that is nothing. */
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

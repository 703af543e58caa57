import type { ResourceRecord } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import { isFileField } from '../../../engine/field-types/stored-files';
import { assertGranted } from '../../access/access-filter';
import type { RecordScope, TransactionScope } from '../../access/record-scope';
import type { Transaction } from '../../database/database';
import { NotFound } from '../../errors/errors';
import { withStoredUploads } from '../files/record-files';
import { parseResponse, readAfterWrite, type RecordResponse } from '../read/read';
import { placeOnBoard, type Placement } from './board-places';
import { updateInSingleStatement } from './executors';
import { hasHooks } from './hooks';
import { isValid, parseInput, type Body, type Input } from './input';
import { complete, prepare, store, storeInTurn, storeMany } from './pipeline';
import {
  type BatchState,
  isValidRecord,
  type RecordWrite,
  type RowRefusal,
  storedRecord,
  toRefusal,
  type Write,
} from './record-write';
import { canCheckWhileStoring } from './references';
import { translateDatabaseErrors } from './row-writes';
import { isInRuleGroup, lockRules } from './rule-locks';
import { changedFields, lockRow, lockRows, readRowUnlocked, type StoredRow } from './stored-row';
import { hasAutomations } from './triggers';

/**
 * `PUT r/{id}`: stores the fields that were sent and differ, and returns the record. Throws Forbidden, NotFound, Conflict
 * if it is archived or was changed in the meantime, or Invalid with all errors at once.
 */
export async function updateRecord(scope: RecordScope, id: number, body: Body): Promise<ResourceRecord> {
  return parseResponse(await updateRecordResponse(scope, id, body));
}

/** As `updateRecord`, but may return JSON text, for callers that only send it; `placement` puts it on the board, too. */
export async function updateRecordResponse(
  scope: RecordScope,
  id: number,
  body: Body,
  placement?: Placement,
): Promise<RecordResponse> {
  const { context, definition } = scope;
  assertGranted(context, definition, 'edit');
  const input = parseInput(definition, body);
  const { database } = context.program;
  const storeLocked = () =>
    database.transaction(async (trx) => {
      const writeScope = { context, definition, trx };
      const place = placement && isValid(input) && (await placeOnBoard(writeScope, id, input.values, placement));
      await storeChanges(writeScope, id, place ? { ...input, values: { ...input.values, ...place } } : input);
      return readAfterWrite(scope, id, trx);
    });
  const run = async () => (placement ? undefined : await storeWithoutLock(scope, id, input)) ?? storeLocked();
  const uploads = isValid(input) ? [{ definition, values: input.values }] : [];
  return withStoredUploads(context, uploads, () => translateDatabaseErrors(context, definition, run));
}

/**
 * Stores changes with two statements and without a transaction: reads the row, and writes it if it is still the same.
 * Returns undefined, with nothing stored, if that is not possible: the change belongs to a transaction, hooks or pairs
 * have to be stored with it, or another change came first.
 */
async function storeWithoutLock(
  { context, definition }: RecordScope,
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
  const movedNames = [...changedFields(definition, row.values, input.values)];
  if (movedNames.some((name) => definition.fields[name]!.to === definition.name)) return undefined;
  const write: Write = { context, definition };
  const [prepared] = await prepare(write, [storedRecord(row, input)]);
  // Compare again with the row locked, so that nobody is changing it.
  if (prepared!.isUnchanged) return undefined;
  const [readyRecord] = await complete(write, [prepared!]);
  return updateInSingleStatement(write, readyRecord!);
}

/**
 * Stores changes within a transaction: for callers that store several records. `lockedRow` is the row if the caller has
 * already locked it. Returns whether anything differed.
 *
 * @example await storeChanges({ context, definition: deals, trx }, 7, { values: { stage_id: 3 }, errors: {}, kept: [] });
 */
export async function storeChanges(
  { context, definition, trx }: TransactionScope,
  id: number,
  input: Input,
  lockedRow?: StoredRow,
): Promise<boolean> {
  await lockRules(context, [definition], trx);
  const row = lockedRow ?? (await lockRow({ context, definition, trx }, id));
  const write = { context, definition, trx };
  const [prepared] = await prepare(write, [storedRecord(row, input)]);
  if (prepared!.isUnchanged) return false;
  await store(write, [prepared!]);
  return true;
}

/** A change of one of many records. */
export interface RecordChange {
  readonly id: number;
  readonly input: Input;
}

/** The outcome of a change; `isChanged` is false if nothing differed. */
export type UpdateOutcome = { readonly id: number; readonly isChanged: boolean } | RowRefusal;

/** A change as it would be stored; `ready` is undefined if nothing differs. */
export interface PlannedChange extends RecordChange {
  readonly ready: (RecordWrite & { readonly before: ResourceRecord }) | undefined;
}

/**
 * Changes many records as `PUT` would change each, within a transaction, each at most once; returns what became of each.
 * The caller has to check the grant. Uses a few statements for all of them, unless hooks have to run before each is
 * stored, or one of them is refused while they are stored.
 *
 * @example await updateMany({ context, definition: deals, trx }, [{ id: 7, input }], new BatchState());
 */
export async function updateMany(
  { context, definition, trx }: TransactionScope,
  changes: readonly RecordChange[],
  batch: BatchState,
): Promise<UpdateOutcome[]> {
  if (changes.length === 0) return [];
  await lockRules(context, [definition], trx);
  const write = { context, definition, trx, batch };
  const { records, missing: missingIds } = await lockRecords(write, changes);
  // Hooks before a record is stored, and rules, may look at others, which have to be as the changes before it left them.
  const isInTurn = hasHooks(definition, 'beforeValidate', 'beforeSave') || isInRuleGroup(context, definition);
  const prepared = isInTurn ? [] : await prepare(write, records);
  // Two changes together may place records below each other in a circle, so each sees those before it.
  const isNesting = (record: RecordWrite) =>
    isValidRecord(record) && !canCheckWhileStoring(definition, record.values, record.changed);
  const nested = isInTurn ? records : prepared.filter(isNesting);
  const outcomes = [
    ...(await storeMany(
      write,
      prepared.filter((record) => !nested.includes(record)),
    )),
    ...(await storeInTurn(write, nested)),
  ];
  const outcomesById = new Map<number, UpdateOutcome>([
    ...outcomes.map((record) => [idOf(record), outcomeOf(record)] as const),
    ...missingIds.map((id) => [id, toRefusal(new NotFound())] as const),
  ]);
  return changes.map(({ id }) => outcomesById.get(id)!);
}

const idsOf = (changes: readonly RecordChange[]) => changes.map(({ id }) => id);
const idOf = ({ row }: RecordWrite) => row!.values.id as number;

const outcomeOf = (record: RecordWrite): UpdateOutcome =>
  isValidRecord(record) ? { id: idOf(record), isChanged: !record.isUnchanged } : refusalOf(record);

const refusalOf = ({ errors, refusal }: RecordWrite): RowRefusal => ({ errors, ...(refusal && { refusal }) });

/** Locks the rows of changes: those that the caller can see, and the ids of the others. */
async function lockRecords(
  { context, definition, trx }: Write & { readonly trx: Transaction },
  changes: readonly RecordChange[],
) {
  const rows = await lockRows({ context, definition, trx }, idsOf(changes));
  const records = changes.flatMap(({ id, input }) => (rows.has(id) ? [storedRecord(rows.get(id)!, input)] : []));
  return { records, missing: idsOf(changes).filter((id) => !rows.has(id)) };
}

/**
 * Plans the changes of `updateMany` without storing them: for each record what changes, or why it is refused. The hooks that
 * run before a record is stored do run: the caller has to roll back what they write.
 */
export async function planUpdates(
  { context, definition, trx }: TransactionScope,
  changes: readonly RecordChange[],
  batch: BatchState,
): Promise<(PlannedChange | RowRefusal)[]> {
  const write = { context, definition, trx, batch };
  const { records } = await lockRecords(write, changes);
  const prepared = await prepare(write, records);
  const valid = prepared.filter((record) => isValidRecord(record) && !record.isUnchanged);
  const completed = await complete(write, valid);
  const byId = new Map([...prepared, ...completed].map((record) => [idOf(record), record]));
  return changes.map((change) => {
    const record = byId.get(change.id);
    if (!record) return toRefusal(new NotFound());
    if (!isValidRecord(record)) return refusalOf(record);
    return {
      ...change,
      ready: record.isUnchanged || !record.before ? undefined : { ...record, before: record.before },
    };
  });
}

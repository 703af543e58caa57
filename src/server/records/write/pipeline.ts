import type { ResourceRecord } from '../../../engine/definitions/definition';
import { HttpError } from '../../errors/errors';
import { claimFiles, withoutRemovedFiles } from '../files/record-files';
import {
  assertWritable,
  checkHooksOfDryRun,
  checkReferences,
  completeValues,
  derive,
  dropReadOnly,
  hashSecretValues,
  pinVersions,
  refuseInvalid,
  resolveSentFiles,
  runHooksBeforeSaving,
  runHooksBeforeValidation,
  setInitialStates,
  stamp,
  validate,
} from './steps';
import {
  announce,
  assertStoredRulesHold,
  insertRecords,
  removeReplacedFiles,
  runHooksAfterSaving,
  startAutomationsOf,
  storeSides,
  updateRecords,
} from './executors';
import {
  isValidRecord,
  newRecord,
  type RecordWrite,
  type Step,
  storedRecord,
  toRefusal,
  type TransactionWrite,
  type Write,
} from './record-write';
import { translateDatabaseErrors } from './row-writes';
import { inSavepoint } from './savepoints';
import { lockRow } from './stored-row';
import { checkUniqueValues } from './unique-values';

// Every write takes these steps in this order: new records and changes; one, which is a batch of one, and many; through
// a call, bulk, an import, a request, an automation, a copy or the restoring of a version. Where a step differs between
// new and stored records, or between one and many, it says why.
//
// Deleted records that come back are not among them: they are the same rows again, with the history, keys and stamps
// that they had, and nobody's input (`restore-deleted.ts`).

/** The steps that look at the input alone: they come before files are copied and before a transaction starts. */
const intake: readonly Step[] = [
  // Who may not change a record learns nothing else about it, so this is the first step.
  assertWritable,
  // Values that the caller cannot change are as if they had not been sent: later steps must not see, claim or refuse them.
  dropReadOnly,
  // States and looked-up defaults fill what is left out, so they come once it is known what counts as sent.
  setInitialStates,
];

/** The steps after which a record is known to be valid. Their errors are reported together. */
const preparation: readonly Step[] = [
  // Only files of fields that are going to be stored are looked up: others stay free for another record.
  resolveSentFiles,
  // Defaults, company and stamps of new records; the stored values below what was sent for others.
  completeValues,
  // Hooks may complete values that are required, so they run before the validation.
  runHooksBeforeValidation,
  // From here on values are whole: rules may compare any two of them.
  validate,
  // Only values of the right form can be looked up.
  checkReferences,
  // Nothing will be stored, so the hooks below would never run; they are asked here.
  checkHooksOfDryRun,
  // Last, so that records that are refused for another reason do not take values from those after them.
  checkUniqueValues,
  refuseInvalid,
];

/** The steps that make the rows of valid records. The first error ends them. */
const completion: readonly Step[] = [
  // Hashing is slow on purpose, so it only starts once the record is known to be valid.
  hashSecretValues,
  // Hooks see secrets only as they are stored.
  runHooksBeforeSaving,
  // Durations and links follow from values that hooks may have changed.
  derive,
  // A version is pinned of what the record finally refers to.
  pinVersions,
  // The change is what differs now, and its stamp the latest.
  stamp,
];

/** The steps after the rows and their history are stored. */
const epilogue: readonly ((write: TransactionWrite, records: readonly RecordWrite[]) => Promise<void>)[] = [
  // Files that were uploaded for a record become its own only now: those of a refused one go on waiting.
  claimFiles,
  // Pairs and rows refer to the record, so they are stored once it is there.
  storeSides,
  // Rules on new records look at them as they are stored, with their pairs and rows.
  assertStoredRulesHold,
  // Hooks see everything that was stored.
  runHooksAfterSaving,
  // Automations start from what hooks have left.
  startAutomationsOf,
  // Announcements of the last steps become known with the commit.
  removeReplacedFiles,
  announce,
];

/** Runs steps on the records that are still on their way. */
async function run(
  steps: readonly Step[],
  write: Write,
  records: readonly RecordWrite[],
): Promise<readonly RecordWrite[]> {
  let allRecords = records;
  for (const step of steps) {
    const isOpen = ({ refusal, isUnchanged }: RecordWrite) => !refusal && !isUnchanged;
    if (allRecords.every(isOpen)) allRecords = await step(write, allRecords);
    else {
      const next = [...(await step(write, allRecords.filter(isOpen)))];
      allRecords = allRecords.map((record) => (isOpen(record) ? next.shift()! : record));
    }
  }
  return allRecords;
}

/**
 * Takes records through the steps that look at their input. Throws what refuses one, unless the write collects that by
 * record.
 */
export const takeIn = (write: Write, records: readonly RecordWrite[]) => run(intake, write, records);

/** Takes records from their input to being valid, without storing anything but what hooks write; otherwise as `takeIn`. */
export const check = (write: Write, records: readonly RecordWrite[]) => run(preparation, write, records);

/** Makes the rows of valid records. Keys are not among their values yet; otherwise as `takeIn`. */
export const complete = (write: Write, records: readonly RecordWrite[]) => run(completion, write, records);

/** `takeIn` and `check`, which follow each other within a transaction. */
export async function prepare(write: Write, records: readonly RecordWrite[]): Promise<readonly RecordWrite[]> {
  return check(write, await takeIn(write, records));
}

/**
 * Stores prepared records within a transaction, with their history, and what follows from that. Returns their values in
 * order. Throws what refuses one of them.
 *
 * @example const [values] = await store(write, await prepare(write, [newRecord(input)]));
 */
export async function store(write: TransactionWrite, prepared: readonly RecordWrite[]): Promise<ResourceRecord[]> {
  if (prepared.length === 0) return [];
  const readyRecords = await complete(write, prepared);
  const storedRecords = await (readyRecords[0]!.before ? updateRecords : insertRecords)(write, readyRecords);
  for (const step of epilogue) await step(write, storedRecords);
  return storedRecords.map(({ values }) => values);
}

/**
 * Stores prepared records together, and if one of them is refused, one after the other. Returns them in order: as they
 * are stored, or with why they are refused.
 */
export async function storeMany(
  { context, definition, trx }: TransactionWrite,
  prepared: readonly RecordWrite[],
): Promise<readonly RecordWrite[]> {
  // Without a batch, the first refusal is thrown, and the savepoint is undone.
  const write = { context, definition, trx };
  const valid = prepared.filter((record) => isValidRecord(record) && !record.isUnchanged);
  if (valid.length === 0) return prepared;
  const storedTogether = await inSavepoint(trx, () =>
    translateDatabaseErrors(context, definition, () => store(write, valid)),
  );
  let outcomes: readonly RecordWrite[];
  if (!(storedTogether instanceof HttpError))
    outcomes = valid.map((record, index) => ({ ...record, values: storedTogether[index]! }));
  else if (valid.length === 1) outcomes = [{ ...valid[0]!, ...toRefusal(storedTogether) }];
  // The changes that hooks made before the validation of new records stay: hooks would not expect to run a second time.
  else
    outcomes = await storeInTurn(write, valid, async (record) => (record.row ? prepareAgain(write, record) : record));
  const next = new Map(valid.map((record, index) => [record, outcomes[index]!]));
  return prepared.map((record) => next.get(record) ?? record);
}

/**
 * Prepares and stores records one after the other, each in a savepoint, so that it sees those before it. Returns them in
 * order: as they are stored, or with why they are refused.
 */
export async function storeInTurn(
  { context, definition, trx }: TransactionWrite,
  records: readonly RecordWrite[],
  prepareOne?: (record: RecordWrite) => Promise<RecordWrite>,
): Promise<readonly RecordWrite[]> {
  const write = { context, definition, trx };
  const storeNext = async (record: RecordWrite): Promise<RecordWrite> => {
    const prepared = await (prepareOne ? prepareOne(record) : prepareAgain(write, record));
    if (prepared.isUnchanged) return prepared;
    const [values] = await store(write, [prepared]);
    return { ...prepared, values: values! };
  };
  const outcomes: RecordWrite[] = [];
  for (const record of records) {
    const outcome = await inSavepoint(trx, () => translateDatabaseErrors(context, definition, () => storeNext(record)));
    outcomes.push(outcome instanceof HttpError ? { ...record, ...toRefusal(outcome) } : outcome);
  }
  return outcomes;
}

/**
 * Prepares a record from what was sent for it. A stored one is read again: hooks of the records before it may have changed
 * it, or removed some of its files.
 */
async function prepareAgain(write: TransactionWrite, { row, firstRow, sent }: RecordWrite): Promise<RecordWrite> {
  if (!row || !firstRow) return (await prepare(write, [newRecord(sent)]))[0]!;
  const lockedRow = await lockRow(write, row.values.id as number);
  const values = withoutRemovedFiles(write.definition, sent.values, firstRow.values, lockedRow.values);
  const [prepared] = await prepare(write, [storedRecord(lockedRow, { ...sent, values }, firstRow)]);
  return prepared!;
}

import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { pinnedRelations } from '../../../engine/normalise/pins';
import type { FieldErrors } from '../../../engine/validation/validate-values';
import { isEmpty } from '../../../engine/values/is-empty';
import { assertGranted } from '../../access/access-filter';
import type { TransactionScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { copyFiles, discardCopies, hasFileReferences, withStoredUploads } from '../files/record-files';
import { readAfterWrite, type RecordResponse } from '../read/read';
import { insertInSingleStatement } from './executors';
import { areHooksIdle, hasHooks } from './hooks';
import { isValid, parseInput, type Body, type Input } from './input';
import { check, complete, prepare, store, storeInTurn, storeMany, takeIn } from './pipeline';
import { type BatchState, isValidRecord, newRecord, type RowOutcome, type Write } from './record-write';
import { sideFields, translateDatabaseErrors } from './row-writes';
import { isInRuleGroup, lockRules } from './rule-locks';
import { isRepeatedKey, needsCounterLock } from './sequences';
import { applyDefaults } from './steps';
import { hasRowRules } from './stored-row';
import { hasAutomations } from './triggers';

/** `POST r`: creates a record and returns it. Throws Forbidden, BadRequest, or Invalid with all errors at once. */
export async function createRecord(
  context: RequestContext,
  definition: Definition,
  body: Body,
): Promise<RecordResponse> {
  assertGranted(context, definition, 'create');
  const { database } = context.program;
  const write: Write = { context, definition };
  const [record] = await takeIn(write, [newRecord(parseInput(definition, body))]);
  const { input: openInput } = record!;
  const input = { ...openInput, values: await copyFiles(write, openInput.values, openInput.kept) };
  const isSingle = fitsSingleStatement(context, definition, input);
  const run = async () => {
    if (!isSingle)
      return database.transaction(async (trx) =>
        readAfterWrite(write, await insertRecord({ context, definition, trx }, input), trx),
      );
    const [readyRecord] = await complete(write, await check(write, [{ ...record!, input }]));
    return insertInSingleStatement(write, readyRecord!);
  };
  const uploads = isValid(input) ? [{ definition, values: input.values }] : [];
  try {
    return await withStoredUploads(context, uploads, () =>
      translateDatabaseErrors(context, definition, () =>
        run().catch((error: unknown) => {
          // The error has ended a transaction that the caller is in.
          if (database.root !== database || !isRepeatedKey(definition, error)) throw error;
          return run();
        }),
      ),
    );
  } finally {
    await discardCopies(openInput.values, input.values);
  }
}

/**
 * A single statement is enough, without a transaction, if no hook has work to do, there are no pairs to store, no counter
 * of keys is locked, no version is to be remembered, and no rules test the stored row or read what others write.
 */
function fitsSingleStatement(context: RequestContext, definition: Definition, input: Input): boolean {
  const { values } = input;
  const initial: ResourceRecord = applyDefaults(context, definition, input).values;
  return (
    // Completing the response may read from the database: an error after the commit would look like a failed write.
    !hasHooks(definition, 'beforeValidate', 'beforeSave', 'afterRead') &&
    areHooksIdle(context, definition, { input: values, values: initial }) &&
    sideFields(definition).every((field) => field.default === undefined && isEmpty(values[field.name])) &&
    !hasFileReferences(definition, values) &&
    !needsCounterLock(definition, context.program.database.kysely) &&
    pinnedRelations(definition).every(({ name }) => isEmpty(initial[name])) &&
    !hasAutomations(definition, 'create') &&
    !isInRuleGroup(context, definition) &&
    !hasRowRules(context, definition, 'create')
  );
}

/**
 * Stores a record within a transaction: for resources with hooks, and for callers that store several records. Returns
 * its id. The caller has to check the grant.
 *
 * @example const id = await insertRecord({ context, definition: deals, trx }, { values: { name: 'Boat' }, errors: {}, kept: [] });
 */
export async function insertRecord(write: TransactionScope, input: Input): Promise<number> {
  await lockRules(write.context, [write.definition], write.trx);
  const [values] = await store(write, await prepare(write, [newRecord(input)]));
  return values!.id as number;
}

/**
 * Stores many records as `POST` would store each, within a transaction: the valid ones, with errors for the others. The
 * caller has to check the grant. Uses a few statements for all of them; if one is refused, stores them one by one.
 *
 * @example const outcomes = await createMany({ context, definition: deals, trx }, inputs, new BatchState());
 */
export async function createMany(
  { context, definition, trx }: TransactionScope,
  inputs: readonly Input[],
  batch: BatchState,
): Promise<RowOutcome[]> {
  if (inputs.length === 0) return [];
  await lockRules(context, [definition], trx);
  const write = { context, definition, trx, batch };
  const newRecords = inputs.map(newRecord);
  // The rules of each have to see those before it.
  const records = isInRuleGroup(context, definition)
    ? await storeInTurn(write, newRecords)
    : await storeMany(write, await prepare(write, newRecords));
  return records.map((record) =>
    isValidRecord(record)
      ? { id: record.values.id as number }
      : { errors: record.errors, ...(record.refusal && { refusal: record.refusal }) },
  );
}

/**
 * Checks everything that `createMany` checks, and stores nothing. The caller has to roll back the hooks' own writes.
 */
export async function validateMany(
  { context, definition, trx }: TransactionScope,
  inputs: readonly Input[],
  batch: BatchState,
): Promise<FieldErrors[]> {
  return (await prepare({ context, definition, trx, batch }, inputs.map(newRecord))).map(({ errors }) => errors);
}

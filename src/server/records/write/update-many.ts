import { sql } from 'kysely';
import type { Definition } from '../../../engine/definitions/definition';
import type { RequestContext } from '../../access/request-context';
import type { Transaction } from '../../database/database';
import { HttpError, Invalid, NotFound } from '../../errors/errors';
import { type BatchState, inSavepoint, type RowRefusal, toRefusal } from './create-many';
import { hasHooks, runHooksForMany } from './hooks';
import { startAutomations } from './triggers';
import type { Input } from './input';
import { deleteFilesAfterCommit } from '../files/record-files';
import { canCheckWhileStoring, unavailableReferences } from './references';
import { publishRecordChange, storedFields, storeSideFields, translateDatabaseErrors } from './row-writes';
import { isInRuleGroup, lockRules } from './rule-locks';
import { skipKeysOfMoved } from './sequences';
import { lockRows, type StoredRow } from './stored-row';
import { prepareChange, storeChanges, type PreparedChange } from './update';

/** What to change in one of many records. */
export interface RecordChange {
  readonly id: number;
  readonly input: Input;
}

/** What became of a change; `isChanged` is false if nothing differed. */
export type UpdateOutcome = { readonly id: number; readonly isChanged: boolean } | RowRefusal;

/** A change that is ready to be stored; `ready` is undefined if nothing differs. */
export interface PlannedChange extends RecordChange {
  readonly ready: PreparedChange | undefined;
}

/**
 * Changes many records as `PUT` would change each, within a transaction, each at most once; returns what became of each.
 * The caller has to check the grant. Uses a few statements for all of them, unless hooks have to run before each is
 * stored, or one of them is refused while they are stored.
 *
 * @example await updateMany(context, deals, [{ id: 7, input }], new BatchState(), trx);
 */
export async function updateMany(
  context: RequestContext,
  definition: Definition,
  changes: readonly RecordChange[],
  state: BatchState,
  trx: Transaction,
): Promise<UpdateOutcome[]> {
  if (changes.length === 0) return [];
  await lockRules(context, [definition], trx);
  const oneByOne = async (each: readonly RecordChange[]) => {
    const outcomes = new Map<number, UpdateOutcome>();
    for (const change of each) outcomes.set(change.id, await updateOne(context, definition, change, trx));
    return outcomes;
  };
  const inOrder = (outcomes: ReadonlyMap<number, UpdateOutcome>) => changes.map(({ id }) => outcomes.get(id)!);
  // Such hooks and rules may look at other records, which have to be as the changes before this one left them.
  if (hasHooks(definition, 'beforeValidate', 'beforeSave') || isInRuleGroup(context, definition)) {
    await lockRows(context, definition, idsOf(changes), trx);
    return inOrder(await oneByOne(changes));
  }
  const found = await planUpdates(context, definition, changes, state, trx);
  const planned = found.filter((one) => 'ready' in one);
  const nested = planned.filter((one) => isNesting(definition, one));
  const plain = planned.filter((one) => !nested.includes(one));
  const stored = await inSavepoint(trx, () => storePlanned(context, definition, plain, trx));
  const asPlanned = plain.map(({ id, ready }) => [id, { id, isChanged: ready !== undefined }] as const);
  const refused = found.flatMap((one, index) => ('ready' in one ? [] : [[changes[index]!.id, one] as const]));
  const outcomes = stored instanceof HttpError ? await oneByOne(plain) : asPlanned;
  return inOrder(new Map([...refused, ...outcomes, ...(await oneByOne(nested))]));
}

/**
 * What `updateMany` would store, without storing it: for each record what changes, or why it is refused. The hooks that
 * run before a record is stored do run: the caller has to roll back what they write.
 */
export async function planUpdates(
  context: RequestContext,
  definition: Definition,
  changes: readonly RecordChange[],
  state: BatchState,
  trx: Transaction,
): Promise<(PlannedChange | RowRefusal)[]> {
  const rows = await lockRows(context, definition, idsOf(changes), trx);
  const found: (PlannedChange | RowRefusal)[] = [];
  for (const change of changes) found.push(await planChange(context, definition, change, rows.get(change.id), trx));
  const planned = found.filter((one) => 'ready' in one);
  const wrong = await referenceRefusals(context, definition, planned, state, trx);
  return found.map((one) => ('ready' in one ? (wrong.get(one.id) ?? one) : one));
}

const idsOf = (changes: readonly RecordChange[]) => changes.map(({ id }) => id);

/** Whether a change places the record below another one, which two changes together may do in a circle. */
function isNesting(definition: Definition, { ready }: PlannedChange): boolean {
  return ready !== undefined && !canCheckWhileStoring(definition, ready.values, ready.changed);
}

async function planChange(
  context: RequestContext,
  definition: Definition,
  change: RecordChange,
  row: StoredRow | undefined,
  trx: Transaction,
): Promise<PlannedChange | RowRefusal> {
  try {
    if (!row) throw new NotFound();
    return { ...change, ready: await prepareChange(context, definition, row, change.input, trx, true) };
  } catch (error) {
    if (error instanceof HttpError) return toRefusal(error);
    throw error;
  }
}

/** The wrong references among those that `prepareChange` left to be checked, by record: one statement per target. */
async function referenceRefusals(
  context: RequestContext,
  definition: Definition,
  planned: readonly PlannedChange[],
  state: BatchState,
  trx: Transaction,
): Promise<Map<number, RowRefusal>> {
  const open = planned.map(({ ready }) => new Set(ready?.checks?.fields.map(({ name }) => name)));
  const records = planned.map(({ ready }) => ready?.values ?? {});
  const isChecked = ({ name }: { name: string }, index: number) => open[index]!.has(name);
  const found = await unavailableReferences(context, definition, records, isChecked, state.references, trx);
  return new Map(
    found.flatMap((errors, index) =>
      Object.keys(errors).length > 0 ? [[planned[index]!.id, toRefusal(new Invalid(errors))] as const] : [],
    ),
  );
}

async function storePlanned(
  context: RequestContext,
  definition: Definition,
  planned: readonly PlannedChange[],
  trx: Transaction,
): Promise<void> {
  const changed = planned.flatMap(({ id, input, ready }) => (ready ? [{ id, input, ready }] : []));
  const groups = new Map<string, PreparedChange[]>();
  for (const { ready } of changed) {
    const key = [...ready.fieldNames].sort().join();
    groups.set(key, [...(groups.get(key) ?? []), ready]);
  }
  await skipKeysOfMoved(
    context,
    definition,
    changed.map(({ ready }) => ready),
    trx,
  );
  for (const group of groups.values()) await updateRows(definition, group, trx);
  await storeHistory(context, definition, changed, trx);
  const written = changed.map(({ id, ready }) => ({ id, values: ready.values, names: ready.changed }));
  await storeSideFields(definition, written, trx);
  const places = changed.map(({ input, ready: { before, values } }) => ({ before, input: input.values, values, trx }));
  await runHooksForMany(context, definition, places);
  const stored = changed.map(({ ready: { before, values } }) => ({ before, values }));
  await startAutomations(context, definition, 'update', stored, trx);
  for (const { ready } of changed) {
    deleteFilesAfterCommit(context.program, definition, ready.before, trx, {
      names: ready.changed,
      values: ready.values,
    });
    publishRecordChange(context.program, definition, ready.values, 'updated', trx, ready.before);
  }
}

/** Updates rows of which the same fields changed: one statement. */
async function updateRows(definition: Definition, group: readonly PreparedChange[], trx: Transaction): Promise<void> {
  const fields = storedFields(definition).filter(({ name }) => group[0]!.fieldNames.has(name));
  if (fields.length === 0) return;
  const table = sql.id('public', definition.table);
  const sets = sql.join(fields.map(({ name }) => sql`${sql.id(name)} = n.${sql.id(name)}`));
  const text = JSON.stringify(
    group.map(({ before, values }) => ({
      ...Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? null])),
      id: before.id,
    })),
  );
  await sql`update ${table} t set ${sets} from json_populate_recordset(null::${table}, ${text}::json) n
    where t.id = n.id`.execute(trx);
}

/** One statement for all entries. */
async function storeHistory(
  { actor, now }: RequestContext,
  definition: Definition,
  changed: readonly { id: number; ready: PreparedChange }[],
  trx: Transaction,
): Promise<void> {
  const lines = changed.flatMap(({ id, ready: { historyEntry } }) =>
    historyEntry ? [{ id, old: historyEntry.old ?? null, fresh: historyEntry.new ?? null }] : [],
  );
  if (!definition.history || lines.length === 0) return;
  await sql`insert into assay.history (resource, record_id, event, old_values, new_values, user_id, created_at)
    select ${definition.name}, one.id, 'updated', one.old, one.fresh, ${actor.id}::integer, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(lines)}::json) as one (id integer, old jsonb, fresh jsonb)`.execute(trx);
}

async function updateOne(
  context: RequestContext,
  definition: Definition,
  { id, input }: RecordChange,
  trx: Transaction,
): Promise<UpdateOutcome> {
  const stored = await inSavepoint(trx, () =>
    translateDatabaseErrors(context, definition, () => storeChanges(context, definition, id, input, trx)),
  );
  return stored instanceof HttpError ? toRefusal(stored) : { id, isChanged: stored };
}

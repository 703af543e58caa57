import { authorOf } from '../../../engine/access/actor';
import { formConditionNeeds } from '../../../engine/expressions/condition-needs';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { pinnedRelations } from '../../../engine/definitions/pins';
import { fieldTypeOf } from '../../../engine/field-types';
import { isEmpty } from '../../../engine/validation/is-empty';
import { validateValues, type FieldErrors } from '../../../engine/validation/validate-values';
import { unavailableChoiceMessage } from '../../../engine/validation/messages';
import { rulesFor } from '../../../engine/access/access-decision';
import { assertGranted } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';
import type { Queries, Transaction } from '../../database/database';
import { Invalid } from '../../errors/errors';
import {
  claimFiles,
  copyFiles,
  discardCopies,
  hasFileReferences,
  replaceUploads,
  withStoredUploads,
} from '../files/record-files';
import { loadResponses, type RecordResponse, readAfterWrite } from '../read/read';
import {
  withDerived,
  isValid,
  parseInput,
  type Body,
  type Input,
  validateValue,
  dropReadOnlyFields,
  defaultValues,
  formContext,
  type KnownResults,
} from './input';
import {
  translateDatabaseErrors,
  wasWritten,
  writtenIdColumn,
  publishRecordChange,
  hashSecrets,
  insertStatement,
  sideFields,
  storeSideFields,
} from './row-writes';
import { withRealDurations } from './durations';
import { areHooksIdle, hasHooks, runHooks } from './hooks';
import { asNewRows, rowReferenceErrors, withWholeRows } from './rows';
import { canCheckWhileStoring, buildReferenceChecks, referenceErrors, type ReferenceChecks } from './references';
import { withPins } from './pins';
import { insertNumbered, isRepeatedKey, needsCounterLock, putBackAll, type TakenNumbers, withKeys } from './sequences';
import { withInitialStates } from './initial-states';
import { isInRuleGroup, lockRules } from './rule-locks';
import { hasAutomations, startAutomations } from './triggers';
import { changedFields, hasRowRules, loadMatchingRules, assertFieldsAllowed } from './stored-row';

/** `POST r`: creates a record and returns it. Throws Forbidden, BadRequest, or Invalid with all errors at once. */
export async function createRecord(
  context: RequestContext,
  definition: Definition,
  body: Body,
): Promise<RecordResponse> {
  assertGranted(context, definition, 'create');
  const { database } = context.program;
  const open = await dropReadOnlyFields(
    context,
    definition,
    defaultValues(context, definition),
    parseInput(definition, body),
    database.kysely,
  );
  const sent = await withInitialStates(context, definition, open, database.kysely);
  const input = { ...sent, values: await copyFiles(context, definition, sent.values, sent.kept) };
  const initial = applyDefaults(context, definition, input);
  const store = () =>
    fitsSingleStatement(context, definition, input, initial.values)
      ? insertInSingleStatement(context, definition, input, initial)
      : database.transaction(async (trx) =>
          readAfterWrite(context, definition, await insertRecord(context, definition, input, trx), trx),
        );
  const uploads = isValid(input) ? [{ definition, values: input.values }] : [];
  try {
    return await withStoredUploads(context, uploads, () =>
      translateDatabaseErrors(context, definition, () =>
        store().catch((error: unknown) => {
          // The error has ended a transaction that the caller is in.
          if (database.root !== database || !isRepeatedKey(definition, error)) throw error;
          return store();
        }),
      ),
    );
  } finally {
    await discardCopies(sent.values, input.values);
  }
}

/**
 * A single statement is enough, without a transaction, if no hook has work to do, there are no pairs to store, no counter
 * of keys is locked, no version is to be remembered, and no rules test the stored row or read what others write.
 */
function fitsSingleStatement(
  context: RequestContext,
  definition: Definition,
  { values }: Input,
  initial: ResourceRecord,
): boolean {
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

async function insertInSingleStatement(
  context: RequestContext,
  definition: Definition,
  input: Input,
  { values, errors }: InitialValues,
): Promise<RecordResponse> {
  assertFieldsAllowed(
    definition,
    'create',
    createRules(context, definition),
    userSetFields(context, definition, input),
  );
  const checks = await assertValidOrDefer(context, definition, values, { ...errors, ...input.errors });
  const hashed = await hashSecrets(context, definition, values, new Set(Object.keys(values)));
  const { kysely } = context.program.database;
  const taken: TakenNumbers = [];
  const measured = await withRealDurations(context, definition, withDerived(definition, hashed), kysely);
  const [ready] = await withKeys(context, definition, [measured], kysely, taken);
  const statement = insertStatement(context, definition, replaceUploads(definition, ready!), 'record', checks);
  try {
    const [row] = await insertNumbered(context, definition, kysely, () =>
      loadResponses(context, definition, statement),
    );
    if (!wasWritten(checks, row?.beside)) throw new Error(`Inserting into ${definition.name} returned no row.`);
    publishRecordChange(context.program, definition, { ...ready, id: row!.beside[writtenIdColumn] }, 'created');
    return row!.answer;
  } catch (error) {
    // Of any other error it is not certain that nothing was stored.
    if (error instanceof Invalid || /^23/.test((error as { code?: string }).code ?? '')) await putBackAll(taken);
    throw error;
  }
}

/**
 * Stores a record within a transaction: for resources with hooks, and for callers that store several records. Returns
 * its id. The caller has to check the grant.
 *
 * @example const id = await insertRecord(context, deals, { values: { name: 'Boat' }, errors: {}, kept: [] }, trx);
 */
export async function insertRecord(
  context: RequestContext,
  definition: Definition,
  rawInput: Input,
  trx: Transaction,
): Promise<number> {
  const { database } = context.program;
  await lockRules(context, [definition], trx);
  const open = await dropReadOnlyFields(context, definition, defaultValues(context, definition), rawInput, trx);
  const whole = await withInitialStates(context, definition, open, trx);
  const input = await claimFiles(context, definition, whole, {}, trx);
  const start = applyDefaults(context, definition, input);
  const hook = { input: input.values, trx };
  let values = await runHooks(context, definition, 'beforeValidate', { ...hook, values: start.values });
  await assertValid(context, definition, values, { ...start.errors, ...input.errors }, trx);
  values = await hashSecrets(context, definition, values, new Set(Object.keys(values)));
  values = withDerived(definition, await runHooks(context, definition, 'beforeSave', { ...hook, values }));
  values = await withRealDurations(context, definition, values, trx);
  const keyed = await withKeys(context, definition, [replaceUploads(definition, values)], trx);
  [values] = (await withPins(context, definition, keyed, trx)) as [ResourceRecord];
  const statement = insertStatement(context, definition, values, 'id');
  const [row] = await insertNumbered(context, definition, trx, () => database.query(statement, trx));
  const id = row!.id as number;
  values = { ...values, id };
  await storeSideFields(definition, [{ id, values, names: filledNames(values), isNew: true }], trx);
  const [holding] = await loadMatchingRules(context, definition, 'create', [id], trx);
  assertFieldsAllowed(definition, 'create', holding, userSetFields(context, definition, input));
  await runHooks(context, definition, 'afterSave', { ...hook, values });
  await startAutomations(context, definition, 'create', [{ values }], trx);
  publishRecordChange(context.program, definition, values, 'created', trx);
  return id;
}

/**
 * As `assertValid`. If only references are left to check, returns their checks, to be made by the statement that stores
 * the record.
 */
async function assertValidOrDefer(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  knownErrors: FieldErrors,
): Promise<ReferenceChecks | undefined> {
  const errors = await valueErrors(context, definition, values, context.program.database.kysely);
  const changed = checkedReferences(context, values);
  // Hashing is expensive, so it only starts once the record is known to be valid.
  const isHashed = Object.keys(values).some(
    (name) => definition.fields[name] && fieldTypeOf(definition.fields[name]).isHashed,
  );
  const isPlain = !isHashed && canCheckWhileStoring(definition, values, changed);
  if (isPlain && Object.keys(errors).length + Object.keys(knownErrors).length === 0) {
    return buildReferenceChecks(context, definition, values, changed);
  }
  await assertValid(context, definition, values, knownErrors);
  return undefined;
}

/** The errors of a new record's values, apart from its references. */
export async function valueErrors(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  queries: Queries,
  known?: KnownResults,
): Promise<FieldErrors> {
  const needs = formConditionNeeds(definition);
  const evaluationContext = await formContext(context, definition, needs, { values }, queries, known);
  return validateValues(definition, values, { strictness: 'api', evaluationContext, validate: validateValue });
}

/** The fields whose references are checked. Callers who can't choose the company have it set to their own. */
function checkedReferences({ actor }: RequestContext, values: ResourceRecord): Set<string> {
  const names = new Set(Object.keys(values));
  if (actor.level !== 1) names.delete('site_id');
  return names;
}

async function assertValid(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  knownErrors: FieldErrors,
  trx?: Transaction,
): Promise<void> {
  const errors = await valueErrors(context, definition, values, trx ?? context.program.database.kysely);
  Object.assign(
    errors,
    await remainingReferenceErrors(context, definition, values, { ...errors, ...knownErrors }, trx),
    knownErrors,
  );
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
}

/** Checks the references that are not wrong already. Without a valid company, none can be checked. */
async function remainingReferenceErrors(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  wrong: FieldErrors,
  trx?: Transaction,
): Promise<FieldErrors> {
  const isChosen = context.actor.level === 1;
  if (isChosen && wrong.site_id) return {};
  const sound = Object.fromEntries(
    Object.entries(values).filter(([name]) => !wrong[name] || (name === 'site_id' && !isChosen)),
  );
  const queries = trx ?? context.program.database.kysely;
  return {
    ...(await rowReferenceErrors(context, definition, { values: sound }, queries)),
    ...(await referenceErrors(context, definition, sound, checkedReferences(context, sound), queries)),
  };
}

/** The initial values of a record, and their errors. */
interface InitialValues {
  readonly values: ResourceRecord;
  readonly errors: FieldErrors;
}

/** The values to store: the given ones, defaults for those left out, the company and the stamps. */
export function applyDefaults(context: RequestContext, definition: Definition, input: Input): InitialValues {
  const { actor, now } = context;
  const given = asNewRows(definition, { ...defaultValues(context, definition), ...input.values });
  const whole = withWholeRows(definition, { ...input, values: given }, {}, (columns) =>
    defaultValues(context, columns),
  );
  const values: ResourceRecord = { ...whole.values };
  const errors: FieldErrors = {};
  if (definition.scope === 'company' || definition.scope === 'both') {
    const requestedCompany = values.site_id ?? null;
    if (actor.level !== 1) {
      if (requestedCompany !== null && requestedCompany !== actor.site_id)
        errors.site_id = unavailableChoiceMessage(definition.fields.site_id!);
      values.site_id = actor.site_id;
    }
  }
  const author = authorOf(actor);
  const stamps = { created_by: author, updated_by: author, created_at: now, updated_at: now };
  return { values: { ...values, ...stamps }, errors };
}

/** The fields of a new record that have a value: there is nothing to store for the others, and nothing to replace. */
export function filledNames(values: ResourceRecord): ReadonlySet<string> {
  return new Set(Object.keys(values).filter((name) => !isEmpty(values[name])));
}

/** The fields that the caller set to something other than the default. */
export function userSetFields(context: RequestContext, definition: Definition, input: Input): Set<string> {
  const names = changedFields(definition, defaultValues(context, definition), input.values);
  return new Set([...names].filter((name) => !isEmpty(input.values[name]) && !input.initial?.has(name)));
}

function createRules(context: RequestContext, definition: Definition) {
  const rules = rulesFor(context.actor, definition, 'create');
  return rules.length === 0 ? undefined : rules;
}

import { Level } from '../../../engine/definitions/level';
import { authorOf } from '../../../engine/access/actor';
import { rulesFor } from '../../../engine/access/access-decision';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { pinnedBy } from '../../../engine/normalise/pins';
import { changeConditionNeeds, formConditionNeeds } from '../../../engine/expressions/condition-needs';
import { fieldTypeOf } from '../../../engine/field-types';
import { isEmpty } from '../../../engine/values/is-empty';
import { unavailableChoiceMessage } from '../../../engine/validation/messages';
import { validateValues, type FieldErrors } from '../../../engine/validation/validate-values';
import { assertOwned } from '../../access/access-filter';
import type { QueryScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { Invalid } from '../../errors/errors';
import { placeField } from '../read/query/order';
import { withoutFormerPlace } from './board-places';
import { replaceUploads, resolveFiles } from '../files/record-files';
import { withRealDurations, withInitialStates, type KnownStates } from './filled-values';
import { hasHooks, runHooks } from './hooks';
import {
  defaultValues,
  dropReadOnlyFields,
  formContext,
  validateValue,
  withDerived,
  withDurations,
  type Input,
  type KnownResults,
} from './input';
import { takenPins, withChangedPins, withPins } from './pins';
import {
  each,
  eachUndoable,
  isValidRecord,
  queriesOf,
  queryScopeOf,
  type RecordWrite,
  type Step,
  withValues,
  type Write,
} from './record-write';
import { buildReferenceChecks, canCheckWhileStoring, dependentChoiceErrors, referenceErrors } from './references';
import { hashSecrets } from './row-writes';
import { asNewRows, rowReferenceErrors, withWholeRows } from './rows';
import { assertFieldsAllowed, assertNotArchived, assertUnchanged, changedFields, hasRowRules } from './stored-row';

// The steps of a write; `pipeline.ts` has their order.

/** Throws for a stored record that the caller may not change, that is archived, or that has changed since it was read. */
export const assertWritable = each(async (write, record) => {
  const { row, firstRow = row, input } = record;
  if (!row || !firstRow) return record;
  const { context, definition } = write;
  const storedValues = await withVirtualFields(write, row.values, input.values);
  assertOwned(context.actor, definition, storedValues, 'edit');
  row.matchingRules();
  assertNotArchived(definition, row);
  await assertUnchanged(queryScopeOf(write), firstRow.values, input.seenVersion);
  return { ...record, before: storedValues };
});

/** The stored row with its virtual fields if one was sent, to find out whether it differs. */
async function withVirtualFields(
  write: Write,
  row: ResourceRecord,
  sentValues: ResourceRecord,
): Promise<ResourceRecord> {
  const { definition, trx } = write;
  if (!Object.keys(sentValues).some((name) => definition.fields[name]!.virtual)) return row;
  const record = { ...row };
  await runHooks(write, 'afterRead', {
    values: record,
    records: [record],
    input: {},
    ...(trx && { trx }),
  });
  return record;
}

/** Leaves out what is read-only: by the stored record, and for a new one by its defaults. */
export const dropReadOnly = each(async (write, { before, ...record }) => {
  const { context, definition } = write;
  const knownValues = before ?? defaultValues(context, definition);
  const input = await dropReadOnlyFields(queryScopeOf(write), knownValues, record.input);
  return { ...record, ...(before && { before }), input };
});

/** Gives new records their initial states and looked-up defaults; each is looked up once for all of them. */
export const setInitialStates: Step = async (write, records) => {
  const knownValues: KnownStates = new Map();
  return each(async (_write, record) => {
    if (record.before) return record;
    return {
      ...record,
      input: await withInitialStates(queryScopeOf(write), record.input, knownValues),
    };
  })(write, records);
};

/** Replaces references to files by the files, which the record gets once it is stored. */
export const resolveSentFiles = each(async (write, record) => ({
  ...record,
  input: await resolveFiles(write, record.input, record.before ?? {}),
}));

/** Completes what was sent to the values of the whole record, and throws for fields that the caller may not write. */
export const completeValues = each(async (write, record) =>
  record.before ? completeStored(write, record, record.before) : completeNew(write, record),
);

function completeNew(write: Write, record: RecordWrite): RecordWrite {
  const { context, definition } = write;
  const { input } = record;
  const { values, errors } = applyDefaults(context, definition, input);
  // Rules that look at a record can only be tested on the stored one: then its fields are checked there.
  if (!hasRowRules(context, definition, 'create')) {
    const rules = rulesFor(context.actor, definition, 'create');
    const sentValues = userSetFields(context, definition, input);
    assertFieldsAllowed(definition, 'create', rules.length > 0 ? rules : undefined, sentValues);
  }
  return withValues(write, { ...record, errors: { ...errors, ...input.errors } }, values);
}

async function completeStored(write: Write, record: RecordWrite, storedValues: ResourceRecord): Promise<RecordWrite> {
  const { context, definition } = write;
  const input = withWholeRows(definition, record.input, storedValues, (columns) => defaultValues(context, columns));
  const pins = await takenPins(queryScopeOf(write), storedValues, input);
  const errors = { ...input.errors, ...pins.errors };
  const sentValues = { ...withoutEmptySecrets(definition, input.values), ...pins.values };
  const changedNames = changedFields(definition, storedValues, sentValues);
  assertFieldsAllowed(definition, 'edit', record.row!.matchingRules(), writtenFields(definition, changedNames));
  const isUnchanged = changedNames.size === 0 && Object.keys(errors).length === 0;
  return {
    ...record,
    input,
    errors,
    changed: changedNames,
    values: { ...storedValues, ...sentValues },
    ...(isUnchanged && { isUnchanged }),
  };
}

/** Values of a new record, and their errors. */
interface InitialValues {
  readonly values: ResourceRecord;
  readonly errors: FieldErrors;
}

/** The values to store: the given ones, defaults for those left out, the company and the stamps. */
export function applyDefaults(context: RequestContext, definition: Definition, input: Input): InitialValues {
  const { actor, now } = context;
  const initialValues = asNewRows(definition, { ...defaultValues(context, definition), ...input.values });
  const wholeInput = withWholeRows(definition, { ...input, values: initialValues }, {}, (columns) =>
    defaultValues(context, columns),
  );
  const values: ResourceRecord = { ...wholeInput.values };
  const errors: FieldErrors = {};
  if (definition.scope === 'company' || definition.scope === 'both') {
    const requestedCompany = values.site_id ?? null;
    if (actor.level !== Level.Installation) {
      if (requestedCompany !== null && requestedCompany !== actor.site_id)
        errors.site_id = unavailableChoiceMessage(definition.fields.site_id!);
      values.site_id = actor.site_id;
    }
  }
  const author = authorOf(actor);
  const stamps = { created_by: author, updated_by: author, created_at: now, updated_at: now };
  return { values: { ...values, ...stamps }, errors };
}

/** The fields that the caller set to something other than the default. */
export function userSetFields(context: RequestContext, definition: Definition, input: Input): Set<string> {
  const names = changedFields(definition, defaultValues(context, definition), input.values);
  return new Set([...names].filter((name) => !isEmpty(input.values[name]) && !input.initial?.has(name)));
}

/**
 * The fields that somebody has written: nobody can write read-only ones, which only a request of the definition sets. Who
 * may choose a relation may say which version of its target is meant.
 */
function writtenFields(definition: Definition, changedNames: Iterable<string>): ReadonlySet<string> {
  const names = [...changedNames].map((name) => pinnedBy(definition, name)?.name ?? name);
  return new Set(names.filter((name) => !definition.fields[name]!.readOnly));
}

/** Drops secrets that were left empty. */
function withoutEmptySecrets(definition: Definition, values: ResourceRecord): ResourceRecord {
  const entries = Object.entries(values).filter(
    ([name, value]) => value !== null || !fieldTypeOf(definition.fields[name]!).isHashed,
  );
  return Object.fromEntries(entries);
}

/** Runs the hooks before the validation. */
export const runHooksBeforeValidation = hookStep('beforeValidate');

/** Runs the hooks before records are stored. */
export const runHooksBeforeSaving = hookStep('beforeSave');

/**
 * For new records of which nothing will be stored: runs the hooks that would refuse them while they are stored. Changes
 * are made ready without being stored, so that theirs run anyway.
 */
export const checkHooksOfDryRun: Step = async (write, records) => {
  if (!write.batch?.isDryRun || !hasHooks(write.definition, 'beforeSave')) return records;
  const valid = records.filter((record) => !record.before && isValidRecord(record));
  const next = new Map(valid.map((record, index) => [record, index]));
  const hookOutcomes = await runHooksBeforeSaving(write, valid);
  return records.map((record) => {
    const index = next.get(record);
    if (index === undefined) return record;
    const { refusal, errors } = hookOutcomes[index]!;
    return refusal ? { ...record, refusal, errors } : record;
  });
};

function hookStep(event: 'beforeValidate' | 'beforeSave'): Step {
  const run = eachUndoable(async (write, record) => {
    const { trx } = write;
    const { before, values } = record;
    const hook = { input: record.input.values, values, ...(before && { before }), ...(trx && { trx }) };
    return withValues(write, record, await runHooks(write, event, hook));
  });
  return async (write, records) => (hasHooks(write.definition, event) ? run(write, records) : records);
}

/** Adds the errors of values, apart from references. Tests on related records are made once for all records. */
export const validate: Step = async (write, records) => {
  const knownValues: KnownResults = new Map();
  return each(async (_write, record) => ({
    ...record,
    errors: {
      ...(await valueErrors(queryScopeOf(write), record, knownValues)),
      ...record.errors,
    },
  }))(write, records);
};

/** The errors of a record's values, apart from its references; of a stored one, those that follow from what changes. */
export async function valueErrors(
  scope: QueryScope,
  { values, before, changed: changedNames }: Pick<RecordWrite, 'values' | 'before' | 'changed'>,
  knownValues?: KnownResults,
): Promise<FieldErrors> {
  const { definition } = scope;
  const conditionNeeds = before
    ? changeConditionNeeds(definition, (name) => changedNames.has(name))
    : formConditionNeeds(definition);
  const formValues = { values, ...(before && { before }) };
  const evaluationContext = await formContext(scope, conditionNeeds, formValues, knownValues);
  return validateValues(definition, values, {
    strictness: 'api',
    evaluationContext,
    ...(before && { changed: changedNames }),
    validate: validateValue,
  });
}

/**
 * Adds the errors of references whose values are of the right form. Those of a single record without other errors are
 * left to the statement that writes it, where no transaction keeps what was read.
 */
export const checkReferences: Step = async (write, records) => {
  const { context, definition, trx, batch } = write;
  const scope = queryScopeOf(write);
  const soundRecords = records.map((record) => soundReferences(write, record));
  const next: RecordWrite[] = [];
  for (const [index, record] of records.entries()) {
    const { before, changed: changedNames } = record;
    const { values } = soundRecords[index]!;
    const errors = {
      ...(before &&
        (await dependentChoiceErrors(
          { context, definition, queries: scope.queries },
          before.id as number,
          record.values,
          changedNames,
        ))),
      ...(await rowReferenceErrors(scope, { values, ...(before && { before }) })),
    };
    next.push(withMoreErrors(record, errors));
  }
  const [onlyRecord] = next;
  if (!trx && onlyRecord && isValidRecord(onlyRecord) && mayDefer(write, onlyRecord, soundRecords[0]!.changed))
    return [
      {
        ...onlyRecord,
        checks: buildReferenceChecks(write, soundRecords[0]!.values, soundRecords[0]!.changed),
      },
    ];
  const referenceErrorsByRecord = await referenceErrors(scope, soundRecords, batch?.references);
  return next.map((record, index) => withMoreErrors(record, referenceErrorsByRecord[index]!));
};

/** Adds errors after those that a record has: the first of all is the message of the answer. */
const withMoreErrors = (record: RecordWrite, errors: FieldErrors): RecordWrite => ({
  ...record,
  errors: { ...record.errors, ...errors, ...record.errors },
});

/** Hashing is slow on purpose, so it does not start before the references are checked. */
function mayDefer({ definition }: Write, { values }: RecordWrite, changedNames: ReadonlySet<string>): boolean {
  const isHashed = (name: string) => definition.fields[name] && fieldTypeOf(definition.fields[name]).isHashed;
  return ![...changedNames].some(isHashed) && canCheckWhileStoring(definition, values, changedNames);
}

/**
 * The values of a record that are not wrong already, and those whose references are checked. Callers who cannot choose
 * the company have it set to their own; without a valid company, none can be checked.
 */
function soundReferences({ context }: Write, { before, values, errors, changed: changedNames }: RecordWrite) {
  const isCompanySet = !before && context.actor.level !== Level.Installation;
  if (!before && !isCompanySet && errors.site_id) return { values: {}, changed: new Set<string>() };
  const names = Object.keys(values).filter((name) => !errors[name] || (isCompanySet && name === 'site_id'));
  const checked = before ? changedNames : new Set(names.filter((name) => !isCompanySet || name !== 'site_id'));
  return { values: Object.fromEntries(names.map((name) => [name, values[name]])), changed: checked };
}

/** Throws Invalid with all errors of a single record; those of many stay with each. */
export const refuseInvalid = each(async ({ batch }, record) => {
  if (!batch && !isValidRecord(record)) throw new Invalid(record.errors);
  return record;
});

/** Replaces secrets by their hashes. */
export const hashSecretValues = each(async (write, record) => ({
  ...record,
  values: await hashSecrets(write, record.values, record.changed),
}));

/** Computes durations, creates share links for new records, and takes changed ones from where they stood on a board. */
export const derive = each(async (write, record) => {
  const { before } = record;
  const values = before
    ? withoutFormerPlace(write.definition, withDurations(write.definition, record.values), record)
    : withDerived(write.definition, record.values);
  return {
    ...record,
    values: await withRealDurations(queryScopeOf(write), values, before),
  };
});

/** Notes the present versions of what records newly refer to: for new records with one statement for all. */
export const pinVersions: Step = async (write, records) => {
  const { context, definition } = write;
  if (records[0]?.before)
    return each(async (_write, record) => ({
      ...record,
      values: await withChangedPins(context, definition, record.before!, record.values, queriesOf(write)),
    }))(write, records);
  const pinnedRecords = await withPins(
    context,
    definition,
    records.map(({ values }) => values),
    queriesOf(write),
  );
  return records.map((record, index) => ({ ...record, values: pinnedRecords[index]! }));
};

/** Puts files into the form in which they are stored; of a change, finds what differs in the end, and stamps it. */
export const stamp = each(async (write, record) => {
  const { context, definition } = write;
  const { before } = record;
  const values = replaceUploads(definition, record.values);
  if (!before) return { ...record, values };
  const { changed: changedNames } = withValues(write, record, record.values);
  // Another place among the cards of a board is no other version of the record.
  if (changedNames.size > 0 && [...changedNames].every((name) => name === placeField(definition)?.name))
    return { ...record, changed: changedNames, values };
  const stamps = { updated_by: context.actor.id, updated_at: nextStamp(before, context.now) };
  return { ...record, changed: changedNames, values: { ...values, ...stamps } };
});

/**
 * Every version gets a later stamp, so that the check for stale updates can tell apart two changes in one millisecond.
 */
function nextStamp(storedValues: ResourceRecord, now: string): string {
  const last = typeof storedValues.updated_at === 'string' ? Date.parse(storedValues.updated_at) : 0;
  return last >= Date.parse(now) ? new Date(last + 1).toISOString() : now;
}

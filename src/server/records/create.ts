import { isVariable } from '../../engine/conditions/grammar';
import { unresolved, valueOf } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { typeOf } from '../../engine/field-types';
import { checkValues, isEmpty, type FieldErrors } from '../../engine/validation/check-values';
import { choiceMessage } from '../../engine/validation/messages';
import { mustBeGranted } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import { rulesFor } from '../access/readable';
import type { Transaction } from '../database/database';
import { Invalid } from '../errors/errors';
import { copyPictures, discardCopies } from '../files/copy-pictures';
import { storedUploads, withUploads } from '../files/record-files';
import { readAnswers, type Answered } from './answers';
import { withDerived } from './derived';
import { withFaults } from './faults';
import { isWritten, writtenId } from './guarded';
import { areIdle, hasHooks, runHooks } from './hooks';
import { isSound, readInput, type Body, type Input } from './input';
import { judge } from './judge';
import { publish } from './publish';
import { answerOf, readRecord } from './read';
import { withoutReadOnly } from './read-only';
import { canBeGuarded, referenceChecks, referenceErrors, type ReferenceChecks } from './references';
import { differences, hasRowRules, holdingRules, mustCover } from './rules';
import { hashSecrets, insertStatement, pairFields, storePairs } from './store';

/** `POST r`: creates a record and returns it. Throws Refused, BadRequest, or Invalid with all errors at once. */
export async function createRecord(context: RequestContext, definition: Definition, body: Body): Promise<Answered> {
  mustBeGranted(context, definition, 'create');
  const sent = withoutReadOnly(context, definition, defaults(context, definition), readInput(definition, body));
  const input = { ...sent, values: await copyPictures(context, definition, sent.values, sent.kept, readRecord) };
  const { database } = context.program;
  const initial = withDefaults(context, definition, input);
  const store = () =>
    fitsOneStatement(context, definition, input, initial.values)
      ? storeAtOnce(context, definition, input, initial)
      : database.transaction(async (trx) =>
          answerOf(context, definition, await storeNew(context, definition, input, trx), trx),
        );
  const uploads = isSound(input) ? [{ definition, values: input.values }] : [];
  try {
    return await withUploads(context, uploads, () => withFaults(definition, store));
  } finally {
    await discardCopies(sent.values, input.values);
  }
}

/**
 * A single statement is enough, without a transaction, if no hook has work to do, there are no pairs to store and no
 * rules test the stored row.
 */
function fitsOneStatement(
  context: RequestContext,
  definition: Definition,
  { values }: Input,
  initial: ResourceRecord,
): boolean {
  return (
    // Completing the response may read from the database: an error after the commit would look like a failed write.
    !hasHooks(definition, 'beforeValidate', 'beforeSave', 'afterRead') &&
    areIdle(context, definition, { input: values, values: initial }) &&
    pairFields(definition).every((field) => field.default === undefined && isEmpty(values[field.name])) &&
    !hasRowRules(context, definition, 'create')
  );
}

async function storeAtOnce(
  context: RequestContext,
  definition: Definition,
  input: Input,
  { values, errors }: Begun,
): Promise<Answered> {
  mustCover(definition, 'create', ruled(context, definition), chosen(context, definition, input));
  const checks = await mustBeValidOr(context, definition, values, { ...errors, ...input.errors });
  const ready = withDerived(definition, await hashSecrets(context, definition, values, new Set(Object.keys(values))));
  const whole = storedUploads(definition, ready);
  const [row] = await readAnswers(context, definition, insertStatement(context, definition, whole, 'record', checks));
  if (!isWritten(checks, row?.beside)) throw new Error(`Inserting into ${definition.name} returned no row.`);
  publish(context.program, definition, { ...ready, id: row!.beside[writtenId] }, 'created');
  return row!.answer;
}

/**
 * Stores a record within a transaction: for resources with hooks, and for callers that store several records. Returns
 * its id.
 */
export async function storeNew(
  context: RequestContext,
  definition: Definition,
  rawInput: Input,
  trx: Transaction,
): Promise<number> {
  const { database } = context.program;
  const input = withoutReadOnly(context, definition, defaults(context, definition), rawInput);
  const start = withDefaults(context, definition, input);
  const hook = { input: input.values, trx };
  let values = await runHooks(context, definition, 'beforeValidate', { ...hook, values: start.values });
  await mustBeValid(context, definition, values, { ...start.errors, ...input.errors }, trx);
  values = await hashSecrets(context, definition, values, new Set(Object.keys(values)));
  values = withDerived(definition, await runHooks(context, definition, 'beforeSave', { ...hook, values }));
  values = storedUploads(definition, values);
  const [row] = await database.named(insertStatement(context, definition, values, 'id'), trx);
  const id = row!.id as number;
  values = { ...values, id };
  await storePairs(definition, id, values, new Set(Object.keys(values)), trx);
  const [holding] = await holdingRules(context, definition, 'create', [id], trx);
  mustCover(definition, 'create', holding, chosen(context, definition, input));
  await runHooks(context, definition, 'afterSave', { ...hook, values });
  publish(context.program, definition, values, 'created', trx);
  return id;
}

/**
 * As `assertValid`. If only references are left to check, returns their checks, to be made by the statement that stores
 * the record.
 */
async function mustBeValidOr(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  knownErrors: FieldErrors,
): Promise<ReferenceChecks | undefined> {
  const errors = checkValues(definition, values, { strictness: 'api', surroundings: context.surroundings, judge });
  const changed = referring(context, values);
  // Hashing is expensive, so it only starts once the record is known to be valid.
  const isHashed = Object.keys(values).some(
    (name) => definition.fields[name] && typeOf(definition.fields[name]).oneWay,
  );
  const isPlain = !isHashed && canBeGuarded(definition, values, changed);
  if (isPlain && Object.keys(errors).length + Object.keys(knownErrors).length === 0) {
    return referenceChecks(context, definition, values, changed);
  }
  await mustBeValid(context, definition, values, knownErrors);
  return undefined;
}

/** The fields whose references are checked. Callers who can't choose the company have it set to their own. */
function referring({ actor }: RequestContext, values: ResourceRecord): Set<string> {
  const names = new Set(Object.keys(values));
  if (actor.level !== 1) names.delete('site_id');
  return names;
}

async function mustBeValid(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  knownErrors: FieldErrors,
  trx?: Transaction,
): Promise<void> {
  const errors = checkValues(definition, values, { strictness: 'api', surroundings: context.surroundings, judge });
  Object.assign(
    errors,
    await soundReferenceErrors(context, definition, values, { ...errors, ...knownErrors }, trx),
    knownErrors,
  );
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
}

/** Checks the references that are not wrong already. Without a valid company, none can be checked. */
async function soundReferenceErrors(
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
  return referenceErrors(context, definition, sound, referring(context, sound), trx ?? context.program.database.kysely);
}

/** The initial values of a record, and their errors. */
interface Begun {
  readonly values: ResourceRecord;
  readonly errors: FieldErrors;
}

/** The values to store: the given ones, defaults for those left out, the company and the stamps. */
export function withDefaults(context: RequestContext, definition: Definition, input: Input): Begun {
  const { actor, now } = context;
  const values: ResourceRecord = { ...defaults(context, definition), ...input.values };
  const errors: FieldErrors = {};
  if (definition.scope === 'company' || definition.scope === 'both') {
    const requestedCompany = values.site_id ?? null;
    if (actor.level !== 1) {
      if (requestedCompany !== null && requestedCompany !== actor.site_id)
        errors.site_id = choiceMessage(definition.fields.site_id!);
      values.site_id = actor.site_id;
    }
  }
  const stamps = { created_by: actor.id, updated_by: actor.id, created_at: now, updated_at: now };
  return { values: { ...values, ...stamps }, errors };
}

/** The default values. Read-only fields have them too: nobody sends them, but a new record starts with them. */
export function defaults(context: RequestContext, definition: Definition): ResourceRecord {
  const values: ResourceRecord = {};
  for (const field of Object.values(definition.fields)) {
    if (field.default === undefined || field.system || field.computed !== undefined) continue;
    const value = isVariable(field.default) ? valueOf(field.default, context.surroundings) : field.default;
    if (value !== unresolved) values[field.name] = value;
  }
  return values;
}

/** The fields that the caller set to something other than the default. */
export function chosen(context: RequestContext, definition: Definition, input: Input): Set<string> {
  const names = differences(definition, defaults(context, definition), input.values);
  return new Set([...names].filter((name) => !isEmpty(input.values[name])));
}

function ruled(context: RequestContext, definition: Definition) {
  const rules = rulesFor(context.actor, definition, 'create');
  return rules.length === 0 ? undefined : rules;
}

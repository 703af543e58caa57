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

/** `POST r`: stores a record and answers it. Throws Refused, BadRequest, or Invalid with all wrong fields at once. */
export async function createRecord(context: RequestContext, definition: Definition, body: Body): Promise<Answered> {
  mustBeGranted(context, definition, 'create');
  const sent = withoutReadOnly(context, definition, defaults(context, definition), readInput(definition, body));
  const input = { ...sent, values: await copyPictures(context, definition, sent.values, sent.kept, readRecord) };
  const { database } = context.program;
  const begun = withDefaults(context, definition, input);
  const store = () =>
    fitsOneStatement(context, definition, input, begun.values)
      ? storeAtOnce(context, definition, input, begun)
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

/** Without work for hooks, pairs to store and rules on the stored row one statement does it, with no transaction around it. */
function fitsOneStatement(
  context: RequestContext,
  definition: Definition,
  { values }: Input,
  begun: ResourceRecord,
): boolean {
  return (
    // Completing an answer may read: what fails after the commit would be taken for a failed write.
    !hasHooks(definition, 'beforeValidate', 'beforeSave', 'afterRead') &&
    areIdle(context, definition, { input: values, values: begun }) &&
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
  if (!isWritten(checks, row?.beside)) throw new Error(`The statement that makes ${definition.name} made none.`);
  publish(context.program, definition, { ...ready, id: row!.beside[writtenId] }, 'created');
  return row!.answer;
}

/** Stores a record within a transaction: for resources with hooks, and for callers who store more than one. Answers its id. */
export async function storeNew(
  context: RequestContext,
  definition: Definition,
  asked: Input,
  trx: Transaction,
): Promise<number> {
  const { database } = context.program;
  const input = withoutReadOnly(context, definition, defaults(context, definition), asked);
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

/** As `mustBeValid`, where references are all that is left to check: answers their checks, for the statement that stores. */
async function mustBeValidOr(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  already: FieldErrors,
): Promise<ReferenceChecks | undefined> {
  const errors = checkValues(definition, values, { strictness: 'api', surroundings: context.surroundings, judge });
  const changed = referring(context, values);
  // What is kept as a hash is hashed before it is stored, which is too much work for what may be refused.
  const isHashed = Object.keys(values).some(
    (name) => definition.fields[name] && typeOf(definition.fields[name]).oneWay,
  );
  const isPlain = !isHashed && canBeGuarded(definition, values, changed);
  if (isPlain && Object.keys(errors).length + Object.keys(already).length === 0) {
    return referenceChecks(context, definition, values, changed);
  }
  await mustBeValid(context, definition, values, already);
  return undefined;
}

/** The fields whose references are checked: the company is the caller's own where they do not choose it. */
function referring({ actor }: RequestContext, values: ResourceRecord): Set<string> {
  const names = new Set(Object.keys(values));
  if (actor.level !== 1) names.delete('site_id');
  return names;
}

async function mustBeValid(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  already: FieldErrors,
  trx?: Transaction,
): Promise<void> {
  const errors = checkValues(definition, values, { strictness: 'api', surroundings: context.surroundings, judge });
  Object.assign(
    errors,
    await soundReferenceErrors(context, definition, values, { ...errors, ...already }, trx),
    already,
  );
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
}

/** Checks the references that are not wrong already. Where the company is not known, nobody can say which are right. */
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

/** A record as it begins, and what is wrong with it already. */
interface Begun {
  readonly values: ResourceRecord;
  readonly errors: FieldErrors;
}

/** What is to be stored: the given values, defaults for those left out, the company and the stamps. */
export function withDefaults(context: RequestContext, definition: Definition, input: Input): Begun {
  const { actor, now } = context;
  const values: ResourceRecord = { ...defaults(context, definition), ...input.values };
  const errors: FieldErrors = {};
  if (definition.scope === 'company' || definition.scope === 'both') {
    const asked = values.site_id ?? null;
    if (actor.level !== 1) {
      if (asked !== null && asked !== actor.site_id) errors.site_id = choiceMessage(definition.fields.site_id!);
      values.site_id = actor.site_id;
    }
  }
  const stamps = { created_by: actor.id, updated_by: actor.id, created_at: now, updated_at: now };
  return { values: { ...values, ...stamps }, errors };
}

/** Read-only fields have defaults too: nobody sends them, a new record still begins with them. */
export function defaults(context: RequestContext, definition: Definition): ResourceRecord {
  const values: ResourceRecord = {};
  for (const field of Object.values(definition.fields)) {
    if (field.default === undefined || field.system || field.computed !== undefined) continue;
    const value = isVariable(field.default) ? valueOf(field.default, context.surroundings) : field.default;
    if (value !== unresolved) values[field.name] = value;
  }
  return values;
}

/** The fields that the caller gave a value of their own. */
export function chosen(context: RequestContext, definition: Definition, input: Input): Set<string> {
  const names = differences(definition, defaults(context, definition), input.values);
  return new Set([...names].filter((name) => !isEmpty(input.values[name])));
}

function ruled(context: RequestContext, definition: Definition) {
  const rules = rulesFor(context.actor, definition, 'create');
  return rules.length === 0 ? undefined : rules;
}

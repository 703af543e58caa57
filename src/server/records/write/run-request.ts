import { Level } from '../../../engine/definitions/level';
import { describeAudience, isAmong } from '../../../engine/access/audience';
import { isVariable } from '../../../engine/conditions/grammar';
import { matchesCondition } from '../../../engine/conditions/match-condition';
import { conditionNeeds } from '../../../engine/expressions/condition-needs';
import { resolveVariable, unresolved } from '../../../engine/conditions/variables';
import { fieldTypeOf } from '../../../engine/field-types';
import type {
  Condition,
  Definition,
  Field,
  RequestDefinition,
  ResourceRecord,
} from '../../../engine/definitions/definition';
import { isStateName } from '../../../engine/check/check-transitions';
import type { Registry } from '../../../engine/registry/registry';
import { isEmpty } from '../../../engine/values/is-empty';
import type { FieldErrors } from '../../../engine/validation/validate-values';
import { requiredMessage, unknownPropertyMessage } from '../../../engine/validation/messages';
import { writableFields } from '../../../engine/validation/record-schema';
import { stateOf } from '../../../engine/validation/state-of';
import { assertGranted } from '../../access/access-filter';
import type { RecordScope, TransactionScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { Conflict, Invalid, Forbidden } from '../../errors/errors';
import { withStoredUploads, type RecordUploads } from '../files/record-files';
import { placeOnBoard, type Placement } from './board-places';
import { insertRecord } from './create';
import { translateDatabaseErrors } from './row-writes';
import { parseInput, type Body, type Input, formContext } from './input';
import { withPinsApart } from './pins';
import { readAfterWrite } from '../read/read';
import { recordCompany } from './references';
import { lockRules } from './rule-locks';
import { chosenState, relatedStates } from './states';
import { changedFields, lockRow } from './stored-row';
import { storeChanges } from './update';

/**
 * `PATCH /api/{path}`: runs a request of a definition on one record. In one transaction, its fields change as with PUT
 * and the related record is created, for which `edit` on this one is enough; `placement` puts it on the board, too. Returns
 * the record. Throws what PUT throws.
 */
export async function runRequest(
  { context, definition }: RecordScope,
  request: RequestDefinition,
  id: number,
  body: Body,
  placement?: Placement,
): Promise<ResourceRecord> {
  assertGranted(context, definition, 'edit');
  assertAmong(context, definition, request);
  const { database } = context.program;
  const relatedDefinition = context.registry.get(request.adds?.resource);
  const store = () =>
    database.transaction(async (trx) => {
      const scope = { context, definition, trx };
      await lockRules(context, [definition, ...(relatedDefinition ? [relatedDefinition] : [])], trx);
      const place = placement && (await placeOnBoard(scope, id, columnIn(definition, body), placement));
      const parse = async (storedValues: ResourceRecord) => {
        const parsed = await parseRequest(scope, request, storedValues, body);
        return { ...parsed, set: { ...parsed.set, values: { ...parsed.set.values, ...place } } };
      };
      // Adding to a record, such as a comment, doesn't lock out others who do the same.
      let row = await lockRow(scope, id, 'refer');
      await assertPossible(scope, request, row.values);
      let parsedRequest = await parse(row.values);
      const { values, pins = {} } = parsedRequest.set;
      if (changedFields(definition, row.values, values).size > 0 || Object.keys(pins).length > 0) {
        row = await lockRow(scope, id);
        await assertPossible(scope, request, row.values);
        parsedRequest = await parse(row.values);
      }
      const storedValues = row.values;
      const errors: FieldErrors = { ...parsedRequest.errors };
      await collectErrors(errors, () => storeChanges({ context, definition, trx }, id, parsedRequest.set, row));
      await collectErrors(errors, () =>
        createRelated({ context, definition, trx }, request, storedValues, parsedRequest.added),
      );
      if (Object.keys(errors).length > 0) throw new Invalid(errors);
      return readAfterWrite({ context, definition }, id, trx);
    });
  return withStoredUploads(context, requestUploads({ context, definition }, request, body), () =>
    translateDatabaseErrors(context, definition, store),
  );
}

/** The column of a board that a body sets, if it can be read. */
function columnIn(definition: Definition, { values, text }: Body): ResourceRecord {
  const { column } = definition.list.kanban!;
  return Object.hasOwn(values, column)
    ? parseInput(definition, { values: { [column]: values[column] }, text }).values
    : {};
}

/** Throws Forbidden if the request is for other roles. */
function assertAmong({ actor }: RequestContext, { labels }: Definition, request: RequestDefinition): void {
  if (isAmong(actor, request)) return;
  throw new Forbidden(
    `You don't have permission for "${request.label}" of ${labels.many.toLowerCase()}: it is for ${describeAudience(request, actor.roles)}.`,
  );
}

/** Throws Conflict if the record does not match what the request is for. */
async function assertPossible(
  scope: TransactionScope,
  { label, where: condition, from: requiredState }: RequestDefinition,
  record: ResourceRecord,
): Promise<void> {
  const { definition } = scope;
  const isMatching = !condition || (await matchesStored(scope, condition, record));
  if (isMatching && (!requiredState || (await isInState(scope, requiredState, record)))) return;
  throw new Conflict(
    `"${label}" is not possible for this ${definition.labels.one.toLowerCase()} as it is now. Reload to see its current values.`,
  );
}

/** Whether a condition holds for a stored record. */
async function matchesStored(
  { context, definition, trx }: TransactionScope,
  condition: Condition,
  storedValues: ResourceRecord,
): Promise<boolean> {
  const dataNeeds = conditionNeeds(definition, [condition]);
  const evaluationContext = await formContext({ context, definition, queries: trx }, dataNeeds, {
    values: storedValues,
    before: storedValues,
  });
  const record = { ...storedValues, ...evaluationContext.derived };
  return matchesCondition(condition, record, { ...evaluationContext, record, form: record });
}

async function isInState(
  { context, definition, trx }: TransactionScope,
  requiredState: NonNullable<RequestDefinition['from']>,
  record: ResourceRecord,
): Promise<boolean> {
  const states = await relatedStates(
    { context, definition, queries: trx },
    [record],
    ({ name }) => name === requiredState.field,
  );
  const state = stateOf(definition.fields[requiredState.field]!, record[requiredState.field] ?? null, { states });
  return (requiredState.states as readonly unknown[]).includes(state);
}

/** The values that a request sets by itself. Throws Invalid if there is no record of a state that it names. */
async function fixedValues(
  { context, definition, trx }: TransactionScope,
  { constants }: RequestDefinition,
  record: ResourceRecord,
): Promise<ResourceRecord> {
  const evaluationContext = { ...context.evaluationContext, record };
  const valueOf = (value: unknown) => {
    const resolvedValue = isVariable(value) ? resolveVariable(value, evaluationContext) : value;
    return resolvedValue === unresolved ? null : resolvedValue;
  };
  const values: ResourceRecord = {};
  for (const [name, value] of Object.entries(constants)) {
    const field = definition.fields[name]!;
    values[name] = isStateName(field, value)
      ? await chosenState({ context, definition, queries: trx }, field, value as string, record)
      : fieldTypeOf(field).parse(valueOf(value), field);
  }
  return values;
}

/** The fields that a request asks for of the record that it adds. */
export function addedFields(registry: Registry, { adds: addition }: RequestDefinition): readonly Field[] {
  if (!addition) return [];
  const { fields } = registry.getOrThrow(addition.resource);
  return addition.fields.flatMap((name) => fields[name] ?? []);
}

/** The uploaded files with their definitions. */
export function requestUploads(
  { context: { registry }, definition }: RecordScope,
  { sets, adds: addition }: RequestDefinition,
  { values }: Body,
): RecordUploads[] {
  const pickValues = (names: readonly string[]) =>
    Object.fromEntries(names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]));
  const relatedUploads = addition
    ? [{ definition: registry.getOrThrow(addition.resource), values: pickValues(addition.fields) }]
    : [];
  return [{ definition, values: pickValues(sets) }, ...relatedUploads];
}

interface ParsedRequest {
  readonly set: Input;
  readonly added: Input;
  readonly errors: FieldErrors;
}

/** Splits the body by purpose. Throws Forbidden if a hidden field has a different value. */
async function parseRequest(
  scope: TransactionScope,
  request: RequestDefinition,
  storedValues: ResourceRecord,
  { values: bodyValues, text }: Body,
): Promise<ParsedRequest> {
  const { context, definition } = scope;
  const target = request.adds ? context.registry.getOrThrow(request.adds.resource) : undefined;
  const names = { set: new Set(request.sets), added: new Set(request.adds?.fields) };
  const knownNames = new Set([...names.set, ...names.added]);
  const ignoredNames = new Set([...request.ignoredNames, 'id', 'updated_at']);
  const pick = (test: (name: string) => boolean): Body => ({
    values: Object.fromEntries(Object.entries(bodyValues).filter(([name]) => test(name))),
    text,
  });
  const set = parseInput(
    definition,
    pick((name) => names.set.has(name) || name === 'updated_at'),
  );
  const addedInput = target
    ? parseInput(
        target,
        pick((name) => names.added.has(name)),
      )
    : emptyInput;
  const errors = unknownNameErrors(
    definition,
    Object.keys(bodyValues).filter((name) => !knownNames.has(name) && !ignoredNames.has(name)),
  );
  const hidden = await hiddenFieldNames(scope, request, storedValues, { ...set.values, ...addedInput.values });
  const visible = (input: Input): Input => ({ ...input, values: omitNames(input.values, hidden) });
  const differences = [...changedFields(definition, storedValues, set.values), ...namesWithValue(addedInput.values)];
  const hiddenName = differences.find((name) => hidden.has(name));
  if (hiddenName !== undefined) {
    const label = (definition.fields[hiddenName] ?? target?.fields[hiddenName])!.label;
    throw new Forbidden(
      `You don't have permission to change ${label} of this ${definition.labels.one.toLowerCase()} here.`,
    );
  }
  for (const name of request.required) {
    const field = names.set.has(name) ? definition.fields[name] : target?.fields[name];
    if (!field || hidden.has(name) || set.errors[name] || addedInput.errors[name]) continue;
    if (isEmpty((names.set.has(name) ? set : addedInput).values[name])) errors[name] = requiredMessage(field);
  }
  const values = await fixedValues(scope, request, storedValues);
  const sentValues = visible(set);
  return {
    set: withPinsApart(definition, {
      ...sentValues,
      values: { ...sentValues.values, ...values },
      fixed: new Set(Object.keys(values)),
    }),
    added: visible(addedInput),
    errors,
  };
}

const emptyInput: Input = { values: {}, errors: {}, kept: [] };

/** Errors for unknown names. Ids, stamps and embeds that came with the record are ignored. */
function unknownNameErrors(definition: Definition, names: readonly string[]): FieldErrors {
  const writable = new Set(writableFields(definition).map(({ name }) => name));
  const values = Object.fromEntries(names.filter((name) => !writable.has(name)).map((name) => [name, null]));
  const errors = { ...parseInput(definition, { values, text: false }).errors };
  for (const name of names) if (writable.has(name)) errors[name] = unknownPropertyMessage(name);
  return errors;
}

async function hiddenFieldNames(
  { context, definition, trx }: TransactionScope,
  request: RequestDefinition,
  storedValues: ResourceRecord,
  sentValues: ResourceRecord,
): Promise<Set<string>> {
  const form = { ...storedValues, ...sentValues };
  const dataNeeds = conditionNeeds(definition, Object.values(request.visible));
  const evaluationContext = await formContext({ context, definition, queries: trx }, dataNeeds, {
    values: form,
    before: storedValues,
  });
  const values = { ...form, ...evaluationContext.derived };
  const hidden = Object.entries(request.visible).filter(
    ([, condition]) => !matchesCondition(condition, values, { ...evaluationContext, form: values }),
  );
  return new Set(hidden.map(([name]) => name));
}

function omitNames(values: ResourceRecord, names: ReadonlySet<string>): ResourceRecord {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));
}

function namesWithValue(values: ResourceRecord): string[] {
  return Object.keys(values).filter((name) => !isEmpty(values[name]));
}

/** Creates the related record in the same company. */
async function createRelated(
  { context, definition, trx }: TransactionScope,
  { adds: addition }: RequestDefinition,
  record: ResourceRecord,
  input: Input,
): Promise<void> {
  if (!addition || (namesWithValue(input.values).length === 0 && Object.keys(input.errors).length === 0)) return;
  const target = context.registry.getOrThrow(addition.resource);
  const company =
    target.fields.site_id && context.actor.level === Level.Installation
      ? { site_id: recordCompany(definition, record) }
      : {};
  const values = { ...input.values, ...company, [addition.relation]: record.id };
  // A duplicate in it is a problem of its fields, not of those of this record.
  await translateDatabaseErrors(context, target, () =>
    insertRecord({ context, definition: target, trx }, { ...input, values }),
  );
}

/** Runs a step and collects its field errors, so that they are reported together with those of other steps. */
async function collectErrors(errors: FieldErrors, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    for (const [name, message] of Object.entries(error.errors)) errors[name] ??= message;
  }
}

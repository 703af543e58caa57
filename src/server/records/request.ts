import { holds } from '../../engine/conditions/evaluate';
import type { Definition, RequestDefinition, ResourceRecord } from '../../engine/definitions/definition';
import { isEmpty, type FieldErrors } from '../../engine/validation/check-values';
import { requiredMessage, unknownMessage } from '../../engine/validation/messages';
import { writableFields } from '../../engine/validation/record-schema';
import { mustBeGranted } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { Invalid, Refused } from '../errors/errors';
import { withUploads, type UploadsOf } from '../files/record-files';
import { storeNew } from './create';
import { withFaults } from './faults';
import { readInput, type Body, type Input } from './input';
import { answerOf } from './read';
import { companyOf } from './references';
import { differences } from './rules';
import { holdRow } from './stored-row';
import { storeChanges } from './update';

/**
 * `PATCH /api/{path}`: runs a request of a definition on one record. In one transaction, its fields change as with PUT
 * and the related record is created, for which `edit` on this one is enough. Returns the record. Throws what PUT
 * throws.
 */
export async function requestOn(
  context: RequestContext,
  definition: Definition,
  request: RequestDefinition,
  id: number,
  body: Body,
): Promise<ResourceRecord> {
  mustBeGranted(context, definition, 'edit');
  const { database } = context.program;
  const store = () =>
    database.transaction(async (trx) => {
      // Adding to a record, such as a comment, doesn't lock out others who do the same.
      let row = await holdRow(context, definition, id, trx, 'refer');
      let parsed = readRequest(context, definition, request, row.values, body);
      if (differences(definition, row.values, parsed.set.values).size > 0) {
        row = await holdRow(context, definition, id, trx);
        parsed = readRequest(context, definition, request, row.values, body);
      }
      const before = row.values;
      const errors: FieldErrors = { ...parsed.errors };
      await collected(errors, () => storeChanges(context, definition, id, parsed.set, trx, row));
      await collected(errors, () => addRelated(context, definition, request, before, parsed.added, trx));
      if (Object.keys(errors).length > 0) throw new Invalid(errors);
      return answerOf(context, definition, id, trx);
    });
  return withUploads(context, uploadsOf(context, definition, request, body), () => withFaults(definition, store));
}

/** The uploaded files with their definitions. */
export function uploadsOf(
  { registry }: RequestContext,
  definition: Definition,
  { sets, adds }: RequestDefinition,
  { values }: Body,
): UploadsOf[] {
  const named = (names: readonly string[]) =>
    Object.fromEntries(names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]));
  const added = adds ? [{ definition: registry.need(adds.resource), values: named(adds.fields) }] : [];
  return [{ definition, values: named(sets) }, ...added];
}

interface Asked {
  readonly set: Input;
  readonly added: Input;
  readonly errors: FieldErrors;
}

/** Splits the body by purpose. Throws Refused if a hidden field has a different value. */
function readRequest(
  context: RequestContext,
  definition: Definition,
  request: RequestDefinition,
  before: ResourceRecord,
  { values: sent, text }: Body,
): Asked {
  const target = request.adds ? context.registry.need(request.adds.resource) : undefined;
  const names = { set: new Set(request.sets), added: new Set(request.adds?.fields) };
  const known = new Set([...names.set, ...names.added]);
  const ignored = new Set([...request.ignored, 'id', 'updated_at']);
  const pick = (test: (name: string) => boolean): Body => ({
    values: Object.fromEntries(Object.entries(sent).filter(([name]) => test(name))),
    text,
  });
  const set = readInput(
    definition,
    pick((name) => names.set.has(name) || name === 'updated_at'),
  );
  const added = target
    ? readInput(
        target,
        pick((name) => names.added.has(name)),
      )
    : nothing;
  const errors = unknownNames(
    definition,
    Object.keys(sent).filter((name) => !known.has(name) && !ignored.has(name)),
  );
  const hidden = hiddenNames(context, request, before, { ...set.values, ...added.values });
  const visible = (input: Input): Input => ({ ...input, values: without(input.values, hidden) });
  const differing = [...differences(definition, before, set.values), ...filledNames(added.values)];
  const refused = differing.find((name) => hidden.has(name));
  if (refused !== undefined) {
    const label = (definition.fields[refused] ?? target?.fields[refused])!.label;
    throw new Refused(
      `You don't have permission to change ${label} of this ${definition.labels.one.toLowerCase()} here.`,
    );
  }
  for (const name of request.required) {
    const field = names.set.has(name) ? definition.fields[name] : target?.fields[name];
    if (!field || hidden.has(name) || set.errors[name] || added.errors[name]) continue;
    if (isEmpty((names.set.has(name) ? set : added).values[name])) errors[name] = requiredMessage(field);
  }
  return { set: visible(set), added: visible(added), errors };
}

const nothing: Input = { values: {}, errors: {}, kept: [] };

/** Errors for unknown names. Ids, stamps and embeds that came with the record are ignored. */
function unknownNames(definition: Definition, names: readonly string[]): FieldErrors {
  const writable = new Set(writableFields(definition).map(({ name }) => name));
  const values = Object.fromEntries(names.filter((name) => !writable.has(name)).map((name) => [name, null]));
  const errors = { ...readInput(definition, { values, text: false }).errors };
  for (const name of names) if (writable.has(name)) errors[name] = unknownMessage(name);
  return errors;
}

function hiddenNames(
  context: RequestContext,
  request: RequestDefinition,
  before: ResourceRecord,
  sent: ResourceRecord,
): Set<string> {
  const form = { ...before, ...sent };
  const evaluationContext = { ...context.surroundings, record: before, form };
  const hidden = Object.entries(request.visible).filter(([, condition]) => !holds(condition, form, evaluationContext));
  return new Set(hidden.map(([name]) => name));
}

function without(values: ResourceRecord, names: ReadonlySet<string>): ResourceRecord {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));
}

function filledNames(values: ResourceRecord): string[] {
  return Object.keys(values).filter((name) => !isEmpty(values[name]));
}

/** Creates the related record in the same company. */
async function addRelated(
  context: RequestContext,
  definition: Definition,
  { adds }: RequestDefinition,
  record: ResourceRecord,
  input: Input,
  trx: Transaction,
): Promise<void> {
  if (!adds || (filledNames(input.values).length === 0 && Object.keys(input.errors).length === 0)) return;
  const target = context.registry.need(adds.resource);
  const company = target.fields.site_id && context.actor.level === 1 ? { site_id: companyOf(definition, record) } : {};
  const values = { ...input.values, ...company, [adds.relation]: record.id };
  await storeNew(context, target, { ...input, values }, trx);
}

/** Runs a step and collects its field errors, so that they are reported together with those of other steps. */
async function collected(errors: FieldErrors, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    for (const [name, message] of Object.entries(error.errors)) errors[name] ??= message;
  }
}

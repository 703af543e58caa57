import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { isGranted } from '../../../engine/access/access-decision';
import { fieldTypeOf } from '../../../engine/field-types';
import { parseId } from '../../../engine/field-types/relation';
import type { FieldErrors } from '../../../engine/validation/validate-values';
import { assertGranted } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';
import { allowLongStatements } from '../../database/timeouts';
import { BadRequest, HttpError, Invalid, ManyRefused, TooLarge } from '../../errors/errors';
import { type Handover, handOver, lockSuccessor } from './assignments';
import { BatchState, type RowOutcome, type RowRefusal } from './record-write';
import { createMany } from './create';
import { deleteMany } from './delete';
import { parseInput, type Input } from './input';
import { parseRequestedFields, readManyAfterWrite } from '../read/read';
import { quoteValue } from '../read/query/values';
import { updateMany } from './update';

/** Operations of one call. */
export const maxBulkOperations = 1_000;
/** Faults that are reported; whoever has more repeats the same one. */
const maxFaults = 1_000;

/** What a call did: records as stored, and the ids of those that are gone, each in the order of the body. */
interface BulkResult {
  readonly created: readonly ResourceRecord[];
  readonly updated: readonly ResourceRecord[];
  readonly deleted: readonly number[];
  /** With a successor: what became of the records that were assigned to those that are gone. */
  readonly handover?: Handover;
}

/** The place of an operation in the body, such as `update[3]`, and its record. */
interface Operation {
  readonly place: string;
  readonly id: number;
  readonly input: Input;
}

/**
 * In the order of the work: changes give up references that would keep a record from being deleted, and deletions give
 * up names that new records take.
 */
const kinds = ['update', 'delete', 'create'] as const;
type Kind = (typeof kinds)[number];
const actions = { update: 'edit', delete: 'delete', create: 'create' } as const;

/**
 * `POST r/bulk`: creates, changes and deletes records as the single calls would, all of them or none, in one
 * transaction. An `updated_at` in a change is the version that was read. `fields` narrows the records of the response,
 * `successor` takes over what is assigned to the deleted records.
 * Throws Forbidden without a grant that it needs, BadRequest for a malformed body, TooLarge, and ManyRefused with all
 * faults.
 */
export async function runBulk(
  context: RequestContext,
  definition: Definition,
  body: Readonly<Record<string, unknown>>,
  { fields, successor }: { readonly fields?: unknown; readonly successor?: unknown },
): Promise<BulkResult> {
  const lists = parseLists(body);
  const needed = kinds.filter((kind) => lists[kind].length > 0);
  for (const kind of needed) assertGranted(context, definition, actions[kind]);
  if (needed.length === 0 && !kinds.some((kind) => isGranted(context.actor, definition.name, actions[kind])))
    assertGranted(context, definition, 'create');
  const requested = parseRequestedFields(definition, 'one', fields);
  const faults = new Faults();
  const [update, remove, create] = kinds.map((kind) =>
    lists[kind].flatMap((sent, index) => parseOperation(definition, kind, sent, `${kind}[${index}]`, faults) ?? []),
  ) as [Operation[], Operation[], Operation[]];
  const changes = distinct(update, 'changed', faults);
  const removals = distinct(remove, 'deleted', faults, changes);
  const idsOf = (operations: readonly Operation[]) => operations.map(({ id }) => id);
  return context.program.database.transaction(async (trx) => {
    await allowLongStatements(trx);
    const state = new BatchState();
    const heir =
      successor === undefined ? undefined : await lockSuccessor(context, definition, idsOf(removals), successor, trx);
    faults.collect(changes, await updateMany(context, definition, changes, state, trx));
    faults.collect(removals, await deleteMany(context, definition, idsOf(removals), trx));
    const inputs = create.map(({ input }) => input);
    const created = faults.collect(create, await createMany(context, definition, inputs, state, trx));
    faults.assertNone();
    const handover = heir === undefined ? undefined : await handOver(context, definition, idsOf(removals), heir, trx);
    const ids = [...created, ...idsOf(changes)];
    const records = await readManyAfterWrite(context, definition, ids, requested, trx);
    return {
      created: records.slice(0, created.length),
      updated: records.slice(created.length),
      deleted: idsOf(removals),
      ...(handover && { handover }),
    };
  });
}

/** The faults of a call by their place, and the errors that they come from. */
class Faults {
  private readonly errors: FieldErrors = {};
  private readonly causes: HttpError[] = [];

  add(place: string, { errors, refusal = new Invalid(errors) }: RowRefusal): void {
    this.causes.push(refusal);
    for (const [name, message] of Object.entries(errors)) {
      if (Object.keys(this.errors).length >= maxFaults) return;
      this.errors[name === '' ? place : `${place}.${name}`] = message;
    }
  }

  /** Adds the faults of outcomes, which are in the order of the operations; returns the ids of the others. */
  collect(operations: readonly Operation[], outcomes: readonly RowOutcome[]): number[] {
    return outcomes.flatMap((outcome, index) => {
      if ('id' in outcome) return [outcome.id];
      this.add(operations[index]!.place, outcome);
      return [];
    });
  }

  /** Throws ManyRefused if there are any. */
  assertNone(): void {
    if (this.causes.length > 0) throw new ManyRefused(this.errors, this.causes);
  }
}

/** The lists of the body. Throws BadRequest for anything else, and TooLarge for too many operations. */
function parseLists(body: Readonly<Record<string, unknown>>): Record<Kind, readonly unknown[]> {
  const unknown = Object.keys(body).find((name) => !kinds.some((kind) => kind === name));
  if (unknown !== undefined)
    throw new BadRequest(`The body has create, update and delete, each a list, and no ${quoteValue(unknown)}.`);
  const lists = { create: listIn(body, 'create'), update: listIn(body, 'update'), delete: listIn(body, 'delete') };
  const count = kinds.reduce((sum, kind) => sum + lists[kind].length, 0);
  if (count > maxBulkOperations) {
    const [most, sent] = [maxBulkOperations, count].map((one) => one.toLocaleString('en'));
    throw new TooLarge(`At most ${most} records can be created, changed and deleted in one call; these are ${sent}.`);
  }
  return lists;
}

function listIn(body: Readonly<Record<string, unknown>>, kind: Kind): readonly unknown[] {
  const list = body[kind];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list))
    throw new BadRequest(kind === 'delete' ? 'delete must be a list of ids.' : `${kind} must be a list of objects.`);
  return list;
}

/** One operation; undefined if its form is wrong, which is added to the faults. */
function parseOperation(
  definition: Definition,
  kind: Kind,
  sent: unknown,
  place: string,
  faults: Faults,
): Operation | undefined {
  const nothing: Input = { values: {}, errors: {}, kept: [] };
  if (kind === 'delete') {
    const id = idIn(sent);
    if (id !== undefined) return { place, id, input: nothing };
    faults.add(place, { errors: { '': 'Give the id of a record, such as 7.' } });
    return undefined;
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    faults.add(place, { errors: { '': 'Give an object with the values of a record.' } });
    return undefined;
  }
  const values = sent as Readonly<Record<string, unknown>>;
  const id = kind === 'create' ? 0 : idIn(values.id);
  if (id === undefined) {
    faults.add(place, { errors: { id: 'Give the id of the record to change, such as 7.' } });
    return undefined;
  }
  const input = parseInput(definition, { values, text: false });
  return { place, id, input: { ...input, errors: { ...input.errors, ...hashedErrors(definition, input) } } };
}

const idIn = (value: unknown): number | undefined => (typeof value === 'number' ? parseId(String(value)) : undefined);

/** Hashing a password is slow on purpose, so that a call with many would hold its transaction for minutes. */
function hashedErrors(definition: Definition, { values }: Input): FieldErrors {
  const hashed = Object.keys(values).filter(
    (name) => values[name] !== null && fieldTypeOf(definition.fields[name]!).isHashed,
  );
  const message = (name: string) => `${definition.fields[name]!.label} can only be set for one record at a time.`;
  return Object.fromEntries(hashed.map((name) => [name, message(name)]));
}

/** The operations whose record no earlier one has; the others are added to the faults. */
function distinct(
  operations: readonly Operation[],
  verb: string,
  faults: Faults,
  earlier: readonly Operation[] = [],
): Operation[] {
  const places = new Map(earlier.map(({ id, place }) => [id, place]));
  return operations.filter(({ id, place }) => {
    const other = places.get(id);
    if (other === undefined) return Boolean(places.set(id, place));
    faults.add(place, { errors: { '': `The record ${id} cannot be ${verb} here: it is also in ${other}.` } });
    return false;
  });
}

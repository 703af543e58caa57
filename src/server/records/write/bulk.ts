import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { isGranted } from '../../../engine/access/access-decision';
import { fieldTypeOf } from '../../../engine/field-types';
import { parseId } from '../../../engine/field-types/relation';
import type { FieldErrors } from '../../../engine/validation/validate-values';
import { assertGranted } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
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
import { itemAt } from '../../../engine/values/lookups';
import { fieldOf } from '../../../engine/definitions/accessors';

/** Operations of one call. */
export const maxBulkOperations = 1_000;
/** Faults that are reported; whoever has more repeats the same one. */
const maxFaults = 1_000;

/** The result of a call: records as stored, and the ids of deleted ones, each in the order of the body. */
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
  { context, definition }: RecordScope,
  body: Readonly<Record<string, unknown>>,
  { fields, successor }: { readonly fields?: unknown; readonly successor?: unknown },
): Promise<BulkResult> {
  const lists = parseLists(body);
  const usedKinds = kinds.filter((kind) => lists[kind].length > 0);
  for (const kind of usedKinds) assertGranted(context, definition, actions[kind]);
  if (usedKinds.length === 0 && !kinds.some((kind) => isGranted(context.actor, definition.name, actions[kind])))
    assertGranted(context, definition, 'create');
  const requested = parseRequestedFields(definition, 'one', fields);
  const faults = new Faults();
  const [update, remove, create] = kinds.map((kind) =>
    lists[kind].flatMap(
      (operation, index) => parseOperation(definition, kind, operation, `${kind}[${index}]`, faults) ?? [],
    ),
  ) as [Operation[], Operation[], Operation[]];
  const changes = distinct(update, 'changed', faults);
  const removals = distinct(remove, 'deleted', faults, changes);
  const idsOf = (operations: readonly Operation[]) => operations.map(({ id }) => id);
  return context.program.database.transaction(async (trx) => {
    const scope = { context, definition, trx };
    await allowLongStatements(trx);
    const state = new BatchState();
    const successorId = successor === undefined ? undefined : await lockSuccessor(scope, idsOf(removals), successor);
    faults.collect(changes, await updateMany(scope, changes, state));
    faults.collect(removals, await deleteMany(scope, idsOf(removals)));
    const inputs = create.map(({ input }) => input);
    const created = faults.collect(create, await createMany(scope, inputs, state));
    faults.assertNone();
    const handover = successorId === undefined ? undefined : await handOver(scope, idsOf(removals), successorId);
    const ids = [...created, ...idsOf(changes)];
    const records = await readManyAfterWrite(scope, ids, requested);
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

  add(path: string, { errors, refusal = new Invalid(errors) }: RowRefusal): void {
    this.causes.push(refusal);
    for (const [name, message] of Object.entries(errors)) {
      if (Object.keys(this.errors).length >= maxFaults) return;
      this.errors[name === '' ? path : `${path}.${name}`] = message;
    }
  }

  /** Adds the faults of outcomes, which are in the order of the operations; returns the ids of the others. */
  collect(operations: readonly Operation[], outcomes: readonly RowOutcome[]): number[] {
    return outcomes.flatMap((outcome, index) => {
      if ('id' in outcome) return [outcome.id];
      this.add(itemAt(operations, index).place, outcome);
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
    const [maximumText, countText] = [maxBulkOperations, count].map((number) => number.toLocaleString('en'));
    throw new TooLarge(
      `At most ${maximumText} records can be created, changed and deleted in one call; these are ${countText}.`,
    );
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
  operation: unknown,
  path: string,
  faults: Faults,
): Operation | undefined {
  const emptyInput: Input = { values: {}, errors: {}, kept: [] };
  if (kind === 'delete') {
    const id = idIn(operation);
    if (id !== undefined) return { place: path, id, input: emptyInput };
    faults.add(path, { errors: { '': 'Give the id of a record, such as 7.' } });
    return undefined;
  }
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) {
    faults.add(path, { errors: { '': 'Give an object with the values of a record.' } });
    return undefined;
  }
  const values = operation as Readonly<Record<string, unknown>>;
  const id = kind === 'create' ? 0 : idIn(values.id);
  if (id === undefined) {
    faults.add(path, { errors: { id: 'Give the id of the record to change, such as 7.' } });
    return undefined;
  }
  const input = parseInput(definition, { values, text: false });
  return { place: path, id, input: { ...input, errors: { ...input.errors, ...hashedErrors(definition, input) } } };
}

const idIn = (value: unknown): number | undefined => (typeof value === 'number' ? parseId(String(value)) : undefined);

/** Hashing a password is slow on purpose, so that a call with many would hold its transaction for minutes. */
function hashedErrors(definition: Definition, { values }: Input): FieldErrors {
  const hashedNames = Object.keys(values).filter(
    (name) => values[name] !== null && fieldTypeOf(fieldOf(definition, name)).isHashed,
  );
  const message = (name: string) => `${fieldOf(definition, name).label} can only be set for one record at a time.`;
  return Object.fromEntries(hashedNames.map((name) => [name, message(name)]));
}

/** The operations whose record no earlier one has; the others are added to the faults. */
function distinct(
  operations: readonly Operation[],
  verb: string,
  faults: Faults,
  previousOperations: readonly Operation[] = [],
): Operation[] {
  const pathsById = new Map(previousOperations.map(({ id, place: path }) => [id, path]));
  return operations.filter(({ id, place: path }) => {
    const previousPath = pathsById.get(id);
    if (previousPath === undefined) return Boolean(pathsById.set(id, path));
    faults.add(path, { errors: { '': `The record ${id} cannot be ${verb} here: it is also in ${previousPath}.` } });
    return false;
  });
}

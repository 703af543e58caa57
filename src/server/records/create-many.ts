import { sql } from 'kysely';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { checkValues, isEmpty, type FieldErrors } from '../../engine/validation/check-values';
import { allOf, existing } from '../access/reach';
import { companyScope } from '../access/scope';
import type { RequestContext } from '../access/request-context';
import { predicateToSql } from '../conditions/to-sql';
import type { Transaction } from '../database/database';
import { allowLong } from '../database/timeouts';
import { HttpError, Invalid } from '../errors/errors';
import { chosen, defaults, storeNew, withDefaults } from './create';
import { withDerived } from './derived';
import { withFaults } from './faults';
import { hasHooks, runHooks, runHooksOfMany } from './hooks';
import type { Input } from './input';
import { insertMany } from './insert-many';
import { judge } from './judge';
import { publish } from './publish';
import { withoutReadOnly } from './read-only';
import { companyOf } from './references';
import { referenceErrorsOfMany, type KnownReferences } from './references-of-many';
import { holdingRules, mustCover } from './rules';
import { pairFields, storePairs } from './store';

/** The outcome of one of many records. Errors of the record as a whole have an empty name. */
export type Fate = { readonly id: number } | { readonly errors: FieldErrors };

/** State shared by the records of one call: references that are already checked, and values that must be unique. */
export class ManyMemory {
  /** Nothing will be stored, so hooks that would report errors while storing run in advance. */
  constructor(readonly checksOnly = false) {}
  readonly references: KnownReferences = new Map();
  readonly taken = new Set<string>();
}

interface Ready {
  readonly input: Input;
  readonly values: ResourceRecord;
  readonly errors: FieldErrors;
}

/**
 * Checks everything that `createMany` checks, and stores nothing. The caller has to roll back the hooks' own writes.
 */
export async function checkMany(
  context: RequestContext,
  definition: Definition,
  inputs: readonly Input[],
  state: ManyMemory,
  trx: Transaction,
): Promise<FieldErrors[]> {
  return (await readied(context, definition, inputs, state, trx)).map(({ errors }) => errors);
}

/**
 * Stores many records as `POST` would store each: the valid ones, with errors for the others. The caller has to check
 * the grant. Uses a few statements for all of them; if one is refused, stores them one by one. `within` runs in the
 * same transaction, once they are stored.
 */
export async function createMany(
  context: RequestContext,
  definition: Definition,
  inputs: readonly Input[],
  state: ManyMemory,
  within?: (outcomes: readonly Fate[], trx: Transaction) => Promise<void>,
): Promise<Fate[]> {
  return context.program.database.transaction(async (trx) => {
    await allowLong(trx);
    const all = await readied(context, definition, inputs, state, trx);
    const validRows = all.filter(({ errors }) => Object.keys(errors).length === 0);
    const stored = await attempt(trx, () => storeAll(context, definition, validRows, trx));
    const outcomes = new Map<Ready, Fate>();
    for (const [index, ready] of validRows.entries()) {
      outcomes.set(
        ready,
        Array.isArray(stored) ? { id: stored[index]! } : await storeOne(context, definition, ready, trx),
      );
    }
    const results = all.map((ready) => outcomes.get(ready) ?? { errors: ready.errors });
    await within?.(results, trx);
    return results;
  });
}

async function readied(
  context: RequestContext,
  definition: Definition,
  inputs: readonly Input[],
  state: ManyMemory,
  trx: Transaction,
): Promise<Ready[]> {
  const rows: Ready[] = [];
  const start = defaults(context, definition);
  for (const rawInput of inputs) {
    const input = withoutReadOnly(context, definition, start, rawInput);
    rows.push(await readyOne(context, definition, input, trx));
  }
  await markReferences(context, definition, rows, state, trx);
  if (state.checksOnly && hasHooks(definition, 'beforeSave')) {
    for (const ready of rows) await askBeforeSave(context, definition, ready, trx);
  }
  await markTaken(context, definition, rows, state, trx);
  return rows;
}

async function readyOne(
  context: RequestContext,
  definition: Definition,
  input: Input,
  trx: Transaction,
): Promise<Ready> {
  const start = withDefaults(context, definition, input);
  let values = start.values;
  const errors: FieldErrors = {};
  const run = async () => {
    values = await runHooks(context, definition, 'beforeValidate', { input: input.values, trx, values });
    Object.assign(
      errors,
      checkValues(definition, values, { strictness: 'api', surroundings: context.surroundings, judge }),
    );
  };
  const refusal = hasHooks(definition, 'beforeValidate') ? await attempt(trx, run) : await run();
  const refused = refusal instanceof HttpError ? errorsOf(refusal) : {};
  return { input, values, errors: { ...errors, ...start.errors, ...input.errors, ...refused } };
}

/** Runs hooks that would report errors while storing, for records that are valid so far. */
async function askBeforeSave(
  context: RequestContext,
  definition: Definition,
  { input, values, errors }: Ready,
  trx: Transaction,
): Promise<void> {
  if (Object.keys(errors).length > 0) return;
  const hook = { input: input.values, trx, values };
  const refusal = await attempt(trx, () => runHooks(context, definition, 'beforeSave', hook));
  if (refusal instanceof HttpError) Object.assign(errors, errorsOf(refusal));
}

/** Checks the references that are not wrong already: one statement per target. */
async function markReferences(
  context: RequestContext,
  definition: Definition,
  rows: readonly Ready[],
  state: ManyMemory,
  trx: Transaction,
): Promise<void> {
  const isChosen = context.actor.level === 1;
  const checked = rows.filter(({ errors }) => !(isChosen && errors.site_id));
  const sound = checked.map(({ values, errors }) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !errors[name])),
  );
  const without = isChosen ? [] : ['site_id'];
  const wrong = await referenceErrorsOfMany(context, definition, sound, state.references, trx, without);
  checked.forEach(({ errors }, index) => {
    for (const [name, message] of Object.entries(wrong[index]!)) errors[name] ??= message;
  });
}

/**
 * Unique values: neither stored already nor repeated among these records. Values of other companies are only found
 * while storing: who can't see them must not be able to probe for many at once.
 */
async function markTaken(
  { registry, actor }: RequestContext,
  definition: Definition,
  prepared: readonly Ready[],
  state: ManyMemory,
  trx: Transaction,
) {
  for (const field of Object.values(definition.fields)) {
    if (!field.unique) continue;
    const keyOf = ({ values }: Ready) => {
      const company = field.unique === 'company' ? companyOf(definition, values) : null;
      return [field.name, company, String(values[field.name]).toLowerCase()].join('\n');
    };
    const checked = prepared.filter(({ values, errors }) => !errors[field.name] && !isEmpty(values[field.name]));
    if (checked.length === 0) continue;
    const texts = checked.map(({ values }) => String(values[field.name]));
    const column = sql.id('t', field.name);
    const { rows } = await sql<{ value: string; site_id: number | null }>`
      select lower(${column}::text) as value, ${'site_id' in definition.fields ? sql.id('t', 'site_id') : sql`null`} as site_id
      from ${sql.id('public', definition.table)} t
      where lower(${column}::text) = any(select lower(one) from unnest(${texts}::text[]) one)
        and ${predicateToSql(allOf([companyScope(actor, definition), existing(definition)]), definition, 't', registry, null)}`.execute(
      trx,
    );
    const stored = new Set(
      rows.map((row) => [field.name, field.unique === 'company' ? row.site_id : null, row.value].join('\n')),
    );
    for (const one of checked) {
      const key = keyOf(one);
      if (stored.has(key) || state.taken.has(key)) one.errors[field.name] = `${field.label} is already taken.`;
      else if (Object.keys(one.errors).length === 0) state.taken.add(key);
    }
  }
}

/** Stores validated records and returns their ids. */
async function storeAll(
  context: RequestContext,
  definition: Definition,
  rows: readonly Ready[],
  trx: Transaction,
): Promise<number[]> {
  if (rows.length === 0) return [];
  const records: ResourceRecord[] = [];
  for (const { values, input } of rows) {
    const changed = await runHooks(context, definition, 'beforeSave', { input: input.values, values, trx });
    records.push(withDerived(definition, changed));
  }
  const ids = await insertMany(context, definition, records, trx);
  const stored = rows.map(({ input }, index) => ({
    input: input.values,
    values: { ...records[index], id: ids[index]! },
    trx,
  }));
  if (pairFields(definition).length > 0) {
    for (const { values } of stored) await storePairs(definition, values.id, values, new Set(Object.keys(values)), trx);
  }
  const holding = await holdingRules(context, definition, 'create', ids, trx);
  for (const [index, { input }] of rows.entries()) {
    mustCover(definition, 'create', holding[index], chosen(context, definition, input));
  }
  await runHooksOfMany(context, definition, stored);
  for (const [index, values] of records.entries()) {
    publish(context.program, definition, { ...values, id: ids[index]! }, 'created', trx);
  }
  return ids;
}

async function storeOne(
  context: RequestContext,
  definition: Definition,
  { input }: Ready,
  trx: Transaction,
): Promise<Fate> {
  const stored = await attempt(trx, () => withFaults(definition, () => storeNew(context, definition, input, trx)));
  return stored instanceof HttpError ? { errors: errorsOf(stored) } : { id: stored };
}

/**
 * Runs part of a transaction in a savepoint. On a refusal, by us or by PostgreSQL, undoes the part and returns the
 * error.
 */
async function attempt<T>(trx: Transaction, run: () => Promise<T>): Promise<T | HttpError> {
  await sql`savepoint one_of_many`.execute(trx);
  try {
    const result = await run();
    await sql`release savepoint one_of_many`.execute(trx);
    return result;
  } catch (error) {
    await sql`rollback to savepoint one_of_many`.execute(trx);
    if (error instanceof HttpError) return error;
    if (/^23/.test((error as { code?: string }).code ?? ''))
      return new HttpError(409, 'CONFLICT', 'This record was used or removed in the meantime.');
    throw error;
  }
}

function errorsOf(error: HttpError): FieldErrors {
  return error instanceof Invalid ? { ...error.errors } : { '': error.message };
}

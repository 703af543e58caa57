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

/** What became of one of many records; errors of the record as a whole stand under an empty name. */
export type Fate = { readonly id: number } | { readonly errors: FieldErrors };

/** What many records of one call share: references that were checked already, and values that must be the only ones. */
export class ManyMemory {
  /** Nothing is to be stored: hooks that would speak up while storing are asked beforehand. */
  constructor(readonly checksOnly = false) {}
  readonly references: KnownReferences = new Map();
  readonly taken = new Set<string>();
}

interface Ready {
  readonly input: Input;
  readonly values: ResourceRecord;
  readonly errors: FieldErrors;
}

/** Checks what `createMany` would check, and stores nothing. The hooks' own writes are to be rolled back by the caller. */
export async function checkMany(
  context: RequestContext,
  definition: Definition,
  inputs: readonly Input[],
  memory: ManyMemory,
  trx: Transaction,
): Promise<FieldErrors[]> {
  return (await readied(context, definition, inputs, memory, trx)).map(({ errors }) => errors);
}

/**
 * Stores many records as `POST` would store each: the good ones, and says what is wrong with the others. The grant is the
 * caller's to check. All of them in a few statements; where something is refused on the way, one after the other. `within` runs in their transaction, when
 * they are stored.
 */
export async function createMany(
  context: RequestContext,
  definition: Definition,
  inputs: readonly Input[],
  memory: ManyMemory,
  within?: (fates: readonly Fate[], trx: Transaction) => Promise<void>,
): Promise<Fate[]> {
  return context.program.database.transaction(async (trx) => {
    await allowLong(trx);
    const all = await readied(context, definition, inputs, memory, trx);
    const good = all.filter(({ errors }) => Object.keys(errors).length === 0);
    const stored = await attempt(trx, () => storeAll(context, definition, good, trx));
    const fates = new Map<Ready, Fate>();
    for (const [index, ready] of good.entries()) {
      fates.set(
        ready,
        Array.isArray(stored) ? { id: stored[index]! } : await storeOne(context, definition, ready, trx),
      );
    }
    const became = all.map((ready) => fates.get(ready) ?? { errors: ready.errors });
    await within?.(became, trx);
    return became;
  });
}

async function readied(
  context: RequestContext,
  definition: Definition,
  inputs: readonly Input[],
  memory: ManyMemory,
  trx: Transaction,
): Promise<Ready[]> {
  const found: Ready[] = [];
  const start = defaults(context, definition);
  for (const asked of inputs) {
    const input = withoutReadOnly(context, definition, start, asked);
    found.push(await readyOne(context, definition, input, trx));
  }
  await markReferences(context, definition, found, memory, trx);
  if (memory.checksOnly && hasHooks(definition, 'beforeSave')) {
    for (const ready of found) await askBeforeSave(context, definition, ready, trx);
  }
  await markTaken(context, definition, found, memory, trx);
  return found;
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

/** Hooks that would speak up while storing are asked of what is right so far. */
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

/** Checks what the records refer to, as far as it is not wrong already: one statement for each target. */
async function markReferences(
  context: RequestContext,
  definition: Definition,
  found: readonly Ready[],
  memory: ManyMemory,
  trx: Transaction,
): Promise<void> {
  const isChosen = context.actor.level === 1;
  const asked = found.filter(({ errors }) => !(isChosen && errors.site_id));
  const sound = asked.map(({ values, errors }) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !errors[name])),
  );
  const without = isChosen ? [] : ['site_id'];
  const wrong = await referenceErrorsOfMany(context, definition, sound, memory.references, trx, without);
  asked.forEach(({ errors }, index) => {
    for (const [name, message] of Object.entries(wrong[index]!)) errors[name] ??= message;
  });
}

/**
 * Values that only one record may hold: neither stored already nor twice among these. What other companies hold is found
 * while storing: whoever does not see them may not ask for many at once.
 */
async function markTaken(
  { registry, actor }: RequestContext,
  definition: Definition,
  found: readonly Ready[],
  memory: ManyMemory,
  trx: Transaction,
) {
  for (const field of Object.values(definition.fields)) {
    if (!field.unique) continue;
    const keyOf = ({ values }: Ready) => {
      const company = field.unique === 'company' ? companyOf(definition, values) : null;
      return [field.name, company, String(values[field.name]).toLowerCase()].join('\n');
    };
    const asked = found.filter(({ values, errors }) => !errors[field.name] && !isEmpty(values[field.name]));
    if (asked.length === 0) continue;
    const texts = asked.map(({ values }) => String(values[field.name]));
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
    for (const one of asked) {
      const key = keyOf(one);
      if (stored.has(key) || memory.taken.has(key)) one.errors[field.name] = `${field.label} is already taken.`;
      else if (Object.keys(one.errors).length === 0) memory.taken.add(key);
    }
  }
}

/** Stores records that were checked, and answers their ids. */
async function storeAll(
  context: RequestContext,
  definition: Definition,
  good: readonly Ready[],
  trx: Transaction,
): Promise<number[]> {
  if (good.length === 0) return [];
  const whole: ResourceRecord[] = [];
  for (const { values, input } of good) {
    const changed = await runHooks(context, definition, 'beforeSave', { input: input.values, values, trx });
    whole.push(withDerived(definition, changed));
  }
  const ids = await insertMany(context, definition, whole, trx);
  const stored = good.map(({ input }, index) => ({
    input: input.values,
    values: { ...whole[index], id: ids[index]! },
    trx,
  }));
  if (pairFields(definition).length > 0) {
    for (const { values } of stored) await storePairs(definition, values.id, values, new Set(Object.keys(values)), trx);
  }
  const holding = await holdingRules(context, definition, 'create', ids, trx);
  for (const [index, { input }] of good.entries()) {
    mustCover(definition, 'create', holding[index], chosen(context, definition, input));
  }
  await runHooksOfMany(context, definition, stored);
  for (const [index, values] of whole.entries()) {
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

/** Runs a part of a transaction; what refuses it is answered, and the part undone. PostgreSQL's own refusals too. */
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
      return new HttpError(409, 'CONFLICT', 'This was used or removed meanwhile.');
    throw error;
  }
}

function errorsOf(error: HttpError): FieldErrors {
  return error instanceof Invalid ? { ...error.errors } : { '': error.message };
}

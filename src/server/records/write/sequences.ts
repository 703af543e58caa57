import { CompiledQuery, sql } from 'kysely';
import type { Definition, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { formatParts, numberedBy, numberPlace } from '../../../engine/field-types/sequence';
import type { QueryScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { isLockedError } from '../../database/busy-locks';
import type { Database, Queries, Row, Transaction } from '../../database/database';
import type { Statement } from '../../database/statements';
import { lockTimeout } from '../../database/timeouts';
import { OutcomeUnknown } from '../../errors/errors';
import { type Counter, hasLockedCounters, keyPattern, lastUsedSql, sequenceFields } from '../../sync/sequences';
import { firstOf } from '../../../engine/values/lookups';
import { fieldOf } from '../../../engine/definitions/accessors';

/** Whether keys are numbered with a lock that lasts as long as the transaction, so that their records need one. */
export function needsCounterLock(definition: Definition, queries: Queries): boolean {
  return sequenceFields(definition).some((field) => isLocked(definition, field, queries));
}

/**
 * New records with their keys, numbered in their order. Their numbers are taken for good by a statement of its own, so
 * that nobody waits until the records are stored. If they are not, their numbers are put back, unless others were taken
 * since: then they are a gap. The counter of a sequence without gaps stays locked until the transaction ends instead.
 */
export async function withKeys(
  scope: QueryScope,
  records: readonly ResourceRecord[],
  takings: TakenNumbers = numbersTakenBy(scope.context.program.database, scope.queries),
): Promise<ResourceRecord[]> {
  const { context, definition, queries } = scope;
  const numberedRecords = records.map((record) => ({ ...record }));
  for (const field of sequenceFields(definition)) {
    const valuesByPath = await relatedValues(scope, field, records);
    for (const { members, ...counter } of countersOf(definition, field, numberedRecords, valuesByPath)) {
      const last = await takeNumbers(context, counter, { count: members.length, above: 0 }, queries, takings);
      members.forEach((record, index) => {
        record[field.name] = keyOf(field, last - members.length + index + 1, record, valuesByPath);
      });
    }
  }
  return numberedRecords;
}

/**
 * Makes counters go on after the keys of records that come back, or that come to where others are numbered, so that no
 * new record gets one of these keys.
 */
export async function skipKeys(scope: QueryScope, records: readonly ResourceRecord[]): Promise<void> {
  const { context, definition, queries } = scope;
  for (const field of sequenceFields(definition)) {
    const valuesByPath = await relatedValues(scope, field, records);
    for (const { members, ...counter } of countersOf(definition, field, records, valuesByPath)) {
      const pattern = new RegExp(keyPattern(field, counter.knownTexts));
      const numbers = members.map((record) => Number(pattern.exec(String(record[field.name]))?.[1] ?? 0));
      const highestNumber = numbers.reduce((a, b) => Math.max(a, b), 0);
      if (highestNumber > 0) await takeNumbers(context, counter, { count: 0, above: highestNumber }, queries, []);
    }
  }
}

/** As `skipKeys`, for those of changed records that come to where others are numbered. */
export async function skipKeysOfMoved(
  scope: QueryScope,
  changes: readonly { readonly values: ResourceRecord; readonly changed: ReadonlySet<string> }[],
): Promise<void> {
  const { definition } = scope;
  const scopes = sequenceFields(definition).flatMap((field) => numberedBy(field) ?? []);
  const movedRecords = changes.filter(({ changed: changedNames }) => scopes.some((name) => changedNames.has(name)));
  const records = movedRecords.map(({ values }) => values);
  if (records.length > 0) await skipKeys(scope, records);
}

/** Whether a new record was refused because another one has its key. */
export function isRepeatedKey(definition: Definition, error: unknown): boolean {
  return counterOfRepeatedKey(definition, error) !== undefined;
}

/**
 * Inserts new records. If another one has the key of one of them, because somebody wrote it into the database or it came
 * to this scope at the same moment, the counter goes on after all stored keys, so that the next attempt succeeds.
 */
export async function insertNumbered<T>(
  {
    context: {
      program: { database },
    },
    definition,
    queries,
  }: QueryScope,
  insert: () => Promise<T>,
): Promise<T> {
  try {
    return await insert();
  } catch (error) {
    const counter = counterOfRepeatedKey(definition, error);
    if (!counter) throw error;
    if (!isLocked(definition, counter.field, queries)) await skipStoredKeys(database, counter);
    else if (queries.isTransaction)
      database.afterRollback(queries as Transaction, () => skipStoredKeys(database, counter));
    throw error;
  }
}

/** Makes a counter go on after all stored keys, and after the last number, which its record is about to put back. */
async function skipStoredKeys(database: Database, counter: Counter): Promise<void> {
  const { definition, field, scope } = counter;
  await database.queryIndependently({
    sql: `update assay.sequences set last = greatest(last${field.gapless ? '' : ' + 1'}, (${lastUsedSql(counter)}))
      where resource = $1 and field = $2 and scope = $3::bigint`,
    parameters: [definition.name, field.name, scope],
  });
}

/** The counters of records, each with its records, in the order of scopes: two transactions lock them in the same order. */
function countersOf(
  definition: Definition,
  field: FieldOf<'sequence'>,
  records: readonly ResourceRecord[],
  valuesByPath: ReadonlyMap<string, unknown>,
): (Counter & { readonly members: readonly ResourceRecord[] })[] {
  const scopeField = numberedBy(field);
  const scopes = new Map<number, ResourceRecord[]>();
  for (const record of records) {
    const scope = scopeField === undefined ? 0 : ((record[scopeField] as number | null | undefined) ?? 0);
    scopes.set(scope, [...(scopes.get(scope) ?? []), record]);
  }
  return [...scopes]
    .sort(([a], [b]) => a - b)
    .map(([scope, members]) => ({
      ...{ definition, field, scope, members },
      knownTexts: (path) =>
        path.split('.')[0] === scopeField ? textAt(path, firstOf(members), valuesByPath) : undefined,
    }));
}

/** How many numbers to take, all of them above one that is used. */
interface NumbersWanted {
  readonly count: number;
  readonly above: number;
}

/** Each puts numbers back that were taken, in the order in which they were taken. */
export type TakenNumbers = (() => Promise<void>)[];

const takenNumbers = new WeakMap<Queries, TakenNumbers>();

/** The numbers that a transaction takes, which are put back if it is rolled back. */
function numbersTakenBy(database: Database, queries: Queries): TakenNumbers {
  if (!queries.isTransaction) return [];
  let takings = takenNumbers.get(queries);
  if (!takings) {
    takenNumbers.set(queries, (takings = []));
    database.afterRollback(queries as Transaction, () => putBackAfter(queries, 0));
  }
  return takings;
}

/** How many times a transaction has taken numbers so far. */
export function countTakings(trx: Queries): number {
  return takenNumbers.get(trx)?.length ?? 0;
}

/** Puts the numbers back that a transaction took after its first times, because it stores no records with them. */
export async function putBackAfter(trx: Queries, times: number): Promise<void> {
  await putBackAll(takenNumbers.get(trx)?.splice(times) ?? []);
}

/** Puts numbers back whose records were not stored; those for which that fails are a gap. */
export async function putBackAll(takings: TakenNumbers): Promise<void> {
  for (const putBack of takings.toReversed()) await putBack().catch(() => undefined);
}

/** Takes the next numbers of a scope and returns the last of them. */
async function takeNumbers(
  { program: { database } }: RequestContext,
  counter: Counter,
  request: NumbersWanted,
  queries: Queries,
  takings: TakenNumbers,
): Promise<number> {
  if (isLocked(counter.definition, counter.field, queries))
    return advance(counter, request, async ({ sql: text, parameters }) => {
      const { rows } = await queries.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
      return rows;
    });
  const last = await queueOf(database.root, counter).take(request);
  if (request.count > 0) takings.push(() => putBack(database, counter, { last, count: request.count }));
  return last;
}

function isLocked(definition: Definition, field: FieldOf<'sequence'>, queries: Queries): boolean {
  return field.gapless || hasLockedCounters(definition, queries);
}

const queues = new WeakMap<Database, Map<string, NumberQueue>>();

function queueOf(database: Database, counter: Counter): NumberQueue {
  const queuesByName = queues.get(database) ?? new Map<string, NumberQueue>();
  queues.set(database, queuesByName);
  const name = `${counter.definition.name} ${counter.field.name} ${counter.scope}`;
  let queue = queuesByName.get(name);
  if (!queue) queuesByName.set(name, (queue = new NumberQueue(database, counter, () => queuesByName.delete(name))));
  return queue;
}

interface NumberRequest {
  readonly wanted: NumbersWanted;
  resolve(last: number): void;
  reject(reason: unknown): void;
}

/** Takes the numbers of a counter: for all who wait while a statement runs, with the next one. */
class NumberQueue {
  private waiting: NumberRequest[] = [];
  private isRunning = false;

  constructor(
    private readonly database: Database,
    private readonly counter: Counter,
    private readonly onIdle: () => void,
  ) {}

  take(request: NumbersWanted): Promise<number> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ wanted: request, resolve, reject });
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) {
      const requests = this.waiting;
      this.waiting = [];
      const count = requests.reduce((sum, { wanted: request }) => sum + request.count, 0);
      const lowerBound = requests.reduce((maximum, { wanted: request }) => Math.max(maximum, request.above), 0);
      try {
        let last = (await advanceIndependently(this.database, this.counter, { count, above: lowerBound })) - count;
        for (const { wanted: request, resolve } of requests) resolve((last += request.count));
      } catch (error) {
        for (const { reject } of requests) reject(error);
      }
    }
    this.onIdle();
  }
}

type RunStatement = (statement: Statement) => Promise<readonly Row[]>;

/** Advances a counter for good, also if a transaction holds it for a while. */
async function advanceIndependently(database: Database, counter: Counter, request: NumbersWanted): Promise<number> {
  const run: RunStatement = (statement) => database.queryIndependently(statement);
  const limit = Date.now() + lockTimeout;
  for (let losses = 0; ;) {
    try {
      return await advance(counter, request, run);
    } catch (error) {
      // Numbers that nobody received are only a gap.
      if (error instanceof OutcomeUnknown && losses++ === 0) continue;
      if (isLockedError(error) && Date.now() < limit) continue;
      // No record was stored, and whoever wants one shall not read that it may have been.
      throw error instanceof OutcomeUnknown ? error.cause : error;
    }
  }
}

/** Advances a counter and returns its new value. One that does not exist yet starts after the keys that are stored. */
async function advance(
  counter: Counter,
  { count, above: lowerBound }: NumbersWanted,
  run: RunStatement,
): Promise<number> {
  const { definition, field, scope } = counter;
  const parameters = [definition.name, field.name, scope, count, lowerBound];
  const [existing] = await run({
    sql: `update assay.sequences set last = greatest(last, $5::bigint) + $4::bigint
      where resource = $1 and field = $2 and scope = $3::bigint returning last`,
    parameters,
  });
  if (existing) return existing.last as number;
  const created = firstOf(
    await run({
      sql: `insert into assay.sequences as s (resource, field, scope, last)
      select $1, $2, $3::bigint, greatest((${lastUsedSql(counter)}), $5::bigint) + $4::bigint
      on conflict (resource, field, scope) do update set last = greatest(s.last, $5::bigint) + $4::bigint
      returning last`,
      parameters,
    }),
  );
  return created.last as number;
}

/** Puts the last numbers of a counter back, unless others were taken since. */
async function putBack(
  database: Database,
  { definition, field, scope }: Counter,
  { last, count }: { readonly last: number; readonly count: number },
): Promise<void> {
  await database.queryIndependently({
    sql: `update assay.sequences set last = last - $4::bigint
      where resource = $1 and field = $2 and scope = $3::bigint and last = $5::bigint`,
    parameters: [definition.name, field.name, scope, count, last],
  });
}

/** The counter of the key that an error of PostgreSQL says is stored already; undefined for any other error. */
function counterOfRepeatedKey(definition: Definition, error: unknown): Counter | undefined {
  const { code, detail = '' } = error as { readonly code?: string; readonly detail?: string };
  const [, columns, values] = (code === '23505' && /^Key \((.*?)\)=\((.*)\)/s.exec(detail)) || [];
  const field = sequenceFields(definition).find(({ name }) => columns?.replaceAll('"', '').endsWith(`lower(${name})`));
  if (!field || values === undefined) return undefined;
  const scope = numberedBy(field) === undefined ? 0 : Number.parseInt(values, 10);
  return { definition, field, scope, knownTexts: () => undefined };
}

/** The values of related records that a format contains, by path and id. */
async function relatedValues(
  { context: { registry }, definition, queries }: QueryScope,
  field: FieldOf<'sequence'>,
  records: readonly ResourceRecord[],
): Promise<ReadonlyMap<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const part of formatParts(field.format)) {
    if (!('path' in part) || !part.path.includes('.')) continue;
    const [name, inner] = part.path.split('.') as [string, string];
    const { table } = registry.getOrThrow(fieldOf(definition, name).to);
    const ids = [...new Set(records.map((record) => record[name] as number))];
    const { rows } = await sql<{ id: number; value: unknown }>`select t.id, ${sql.id('t', inner)} as value
      from ${sql.id('public', table)} t where t.id = any(${ids}::bigint[])`.execute(queries);
    for (const { id, value } of rows) values.set(`${part.path} ${id}`, value);
  }
  return values;
}

function keyOf(
  { format }: FieldOf<'sequence'>,
  number: number,
  record: ResourceRecord,
  valuesByPath: ReadonlyMap<string, unknown>,
): string {
  const texts = formatParts(format).map((part) => {
    if ('text' in part) return part.text;
    return part.path === numberPlace ? number : textAt(part.path, record, valuesByPath);
  });
  return texts.join('');
}

/** The text of a path of the format in a record. */
function textAt(path: string, record: ResourceRecord, valuesByPath: ReadonlyMap<string, unknown>): string {
  const name = firstOf(path.split('.'));
  const value = path === name ? record[name] : valuesByPath.get(`${path} ${String(record[name])}`);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

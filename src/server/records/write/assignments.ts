import { sql, type RawBuilder } from 'kysely';
import { decideAccess } from '../../../engine/access/access-decision';
import { falsePredicate } from '../../../engine/conditions/variables';
import { assignedFields, type AssignedFields } from '../../../engine/registry/assigned-fields';
import type { Definition } from '../../../engine/definitions/definition';
import { parseId } from '../../../engine/field-types/relation';
import {
  accessFilterIfGranted,
  allOf,
  archiveFilter,
  assertGranted,
  notDeletedFilter,
  readableFields,
  visibleRowsFilter,
} from '../../access/access-filter';
import type { QueryScope, TransactionScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { runStatement, type Transaction } from '../../database/database';
import { BadRequest, Invalid, NotFound } from '../../errors/errors';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { BatchState, type RowRefusal } from './record-write';
import { refersToSql } from './references';
import { lockRules } from './rule-locks';
import { audienceKey, bind, cachedStatement, conditionKey, Placeholder } from '../read/statement-cache';
import { lockRow } from './stored-row';
import { loadTitles } from '../read/titles';
import { updateMany } from './update';
import { firstOf, itemAt, lastOf, requireValue } from '../../../engine/values/lookups';

/** Counts of the records assigned to others, as far as the caller may know. */
export interface Assignments {
  /** The resources of the records that the caller has in lists, with how many these are. */
  readonly resources: readonly { readonly resource: string; readonly count: number }[];
  /** Whether there are others. */
  readonly others: boolean;
}

/** The outcome of a hand-over: which records stay with those that they were assigned to, and why. */
export interface Handover {
  /** How many records were handed over. */
  readonly changed: number;
  /** How many were not, and why, for the first of them. */
  readonly unchanged: { readonly count: number; readonly records: readonly UnchangedRecord[] };
  /** Whether there are others, which the caller does not have in lists. */
  readonly others: boolean;
}

interface UnchangedRecord {
  readonly resource: string;
  readonly id: number;
  readonly title: string;
  readonly message: string;
}

/** The most records whose assignments are counted in one call. */
const maxCounted = 1_000;
/** Records that are changed together: what a hand-over holds in memory does not grow with how many there are. */
const batchSize = 500;
/** Records that are named after a hand-over because they were not changed. */
const maxNamed = 100;

/**
 * `GET r/assignments?id=7,9`: how many records are assigned to these, before they are deleted. Archived records do not
 * count. One statement per resource. Throws Forbidden without the grant to delete, NotFound for a resource whose deleted
 * records are not kept for their names, or a record that the caller does not see, and BadRequest without ids.
 *
 * @example await countAssignments(context, users, '7'); // { resources: [{ resource: 'deals', count: 54 }], others: false }
 */
export async function countAssignments(
  context: RequestContext,
  definition: Definition,
  text: unknown,
): Promise<Assignments> {
  assertGranted(context, definition, 'delete');
  if (!definition.delete.keep) throw new NotFound();
  const ids = typeof text === 'string' ? [...new Set(text.split(',').map(parseId))] : [undefined];
  if (ids.includes(undefined) || ids.length > maxCounted)
    throw new BadRequest(`id must be at most ${maxCounted.toLocaleString('en')} ids such as 1,2.`);
  const { kysely } = context.program.database;
  await assertVisible({ context, definition, queries: kysely }, ids as number[]);
  const counts = await countEach({ context, definition, queries: kysely }, ids as number[]);
  return {
    resources: counts.flatMap(({ assigned: assignment, seen: visibleCount }) =>
      visibleCount > 0 ? [{ resource: assignment.definition.name, count: visibleCount }] : [],
    ),
    others: counts.some(({ count, seen: visibleCount }) => count > visibleCount),
  };
}

async function assertVisible({ context, definition, queries }: QueryScope, ids: readonly number[]): Promise<void> {
  const plan = cachedStatement(context, `visible|${audienceKey(context)}|${definition.name}`, () => {
    const visible = visibleRowsFilter(context, definition);
    return sql`select count(*)::integer as count from ${sql.id('public', definition.table)} t
      where t.id = any(${new Placeholder('ids')}::bigint[])
        and ${predicateToSql(visible, definition, 't', context.registry, context.evaluationContext)}`;
  });
  const row = firstOf(await runStatement<{ count: number }>(queries, bind(plan, { ids })));
  if (row.count < ids.length) throw new NotFound();
}

interface CountedAssignments {
  readonly assigned: AssignedFields;
  readonly count: number;
  readonly seen: number;
}

/** How many records of each resource are assigned to some, and how many of these the caller has in lists. */
async function countEach(
  { context, definition, queries }: QueryScope,
  ids: readonly number[],
): Promise<CountedAssignments[]> {
  const counts: CountedAssignments[] = [];
  for (const assignment of assignedFields(context.registry, definition)) {
    const { definition: user } = assignment;
    const active = allOf([notDeletedFilter(user), archiveFilter(context.registry, user)]);
    const listFilter = accessFilterIfGranted(context, user, 'list') ?? falsePredicate;
    const key = `assigned|${audienceKey(context)}|${user.name}|${definition.name}|${conditionKey(context, user, listFilter)}`;
    const plan = cachedStatement(context, key, () => {
      const toSql = (filter: typeof active) =>
        predicateToSql(filter, user, 't', context.registry, context.evaluationContext);
      const readable = assignedToSql(context, assignment);
      const visibleSql = readable ? sql`${readable} and ${toSql(listFilter)}` : sql`false`;
      return sql`select count(*)::integer as count, (count(*) filter (where ${visibleSql}))::integer as seen
        from ${sql.id('public', user.table)} t
        where ${anyOf(assignment.fields.map((field) => refersToSql(user, field, definition)))} and ${toSql(active)}`;
    });
    const row = firstOf(await runStatement<{ count: number; seen: number }>(queries, bind(plan, { ids })));
    if (row.count > 0) counts.push({ assigned: assignment, ...row });
  }
  return counts;
}

/** Matches rows `t` that are assigned to one of the records by a field that the caller may read; undefined: there is none. */
function assignedToSql(context: RequestContext, assignment: AssignedFields): RawBuilder<unknown> | undefined {
  const fields = readableAssigned(context, assignment);
  if (fields.length === 0) return undefined;
  const target = context.registry.getOrThrow(firstOf(assignment.fields).to);
  return anyOf(fields.map((field) => refersToSql(assignment.definition, field, target)));
}

function readableAssigned({ actor }: RequestContext, { definition, fields }: AssignedFields) {
  const readable = readableFields(actor, definition, 'list').always;
  return fields.filter(({ name }) => readable.has(name));
}

const anyOf = (conditions: readonly RawBuilder<unknown>[]) => sql`(${sql.join(conditions, sql` or `)})`;

/**
 * The id of the record that takes over what is assigned to others. Throws Invalid unless it is an active record that the
 * caller sees, and none of those; BadRequest for a resource whose records are not kept for their names.
 */
export async function lockSuccessor(
  scope: TransactionScope,
  ids: readonly number[],
  successorId: unknown,
): Promise<number> {
  const { context, definition, trx } = scope;
  const recordLabel = definition.labels.one.toLowerCase();
  if (!definition.delete.keep)
    throw new BadRequest(`Nothing is assigned to ${definition.labels.many.toLowerCase()}: leave out successor.`);
  const id = typeof successorId === 'string' ? parseId(successorId) : undefined;
  const refuse = () => new Invalid({ successor: `Choose a ${recordLabel} who stays, to take over what is assigned.` });
  if (id === undefined || ids.includes(id)) throw refuse();
  const assignedDefinitions = assignedFields(context.registry, definition).map((assignment) => assignment.definition);
  await lockRules(context, [definition, ...assignedDefinitions], trx);
  try {
    const { isActive } = await lockRow(scope, id, 'refer');
    if (isActive) return id;
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
  throw refuse();
}

/**
 * Assigns to one record what is assigned to others, within the transaction that deletes these, as `PUT` would change each:
 * with the rules and the history of every change. Records that the caller may not change stay, and so do those that a rule refuses.
 * Changes some records at a time, however many there are.
 *
 * @example await handOver({ context, definition: users, trx }, [7], 9); // { changed: 54, unchanged: { count: 0, records: [] }, others: false }
 */
export async function handOver(
  { context, definition, trx }: TransactionScope,
  ids: readonly number[],
  successor: number,
): Promise<Handover> {
  const counts = await countEach({ context, definition, queries: trx }, ids);
  let changedCount = 0;
  let count = 0;
  const records: UnchangedRecord[] = [];
  for (const { assigned: assignment, seen: visibleCount } of counts) {
    if (visibleCount === 0) continue;
    const refusals = new Map<number, string>();
    for await (const batch of assignedRows(context, assignment, ids, trx)) {
      const outcomes = await assignBatch(context, assignment, batch, { ids, successor }, trx);
      for (const [index, outcome] of outcomes.entries()) {
        if ('id' in outcome) changedCount++;
        else if (++count && records.length + refusals.size < maxNamed)
          refusals.set(itemAt(batch, index).id, Object.values(outcome.errors).join(' '));
      }
    }
    const titles = await loadTitles({ context, definition: assignment.definition }, [...refusals.keys()], trx);
    for (const [id, message] of refusals)
      records.push({ resource: assignment.definition.name, id, title: titles.get(id) ?? `#${id}`, message });
  }
  return {
    changed: changedCount,
    unchanged: { count, records },
    others: counts.some((resourceCount) => resourceCount.count > resourceCount.seen),
  };
}

type AssignedRow = Readonly<Record<string, unknown>> & { readonly id: number };

/** The rows that the caller has in lists and that are assigned to some records, by their ids, some at a time. */
async function* assignedRows(
  context: RequestContext,
  assignment: AssignedFields,
  ids: readonly number[],
  trx: Transaction,
): AsyncGenerator<readonly AssignedRow[]> {
  const { definition } = assignment;
  const listFilter = requireValue(
    accessFilterIfGranted(context, definition, 'list'),
    'the right to list assigned rows',
  );
  const key = `assigned rows|${audienceKey(context)}|${definition.name}|${firstOf(assignment.fields).to}|${conditionKey(context, definition, listFilter)}`;
  const plan = cachedStatement(context, key, () => {
    const columns = readableAssigned(context, assignment).map(({ name }) => sql`, ${sql.id('t', name)}`);
    return sql`select t.id${sql.join(columns, sql``)} from ${sql.id('public', definition.table)} t
      where ${requireValue(assignedToSql(context, assignment), 'the condition of assigned rows')} and t.id > ${new Placeholder('after')}::bigint
        and ${predicateToSql(listFilter, definition, 't', context.registry, context.evaluationContext)}
      order by t.id limit ${sql.lit(batchSize)}`;
  });
  for (let lastId = 0; ;) {
    const rows = await runStatement<AssignedRow>(trx, bind(plan, { ids, after: lastId }));
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) return;
    lastId = lastOf(rows).id;
  }
}

async function assignBatch(
  context: RequestContext,
  assignment: AssignedFields,
  rows: readonly AssignedRow[],
  { ids, successor }: { readonly ids: readonly number[]; readonly successor: number },
  trx: Transaction,
): Promise<readonly ({ readonly id: number } | RowRefusal)[]> {
  const { definition } = assignment;
  const decision = decideAccess(context.actor, definition, 'edit');
  if (!decision.allowed) return rows.map(() => ({ errors: { '': decision.reason } }));
  const changes = rows.map((row) => {
    const names = readableAssigned(context, assignment).flatMap(({ name }) =>
      ids.includes(row[name] as number) ? [name] : [],
    );
    return {
      id: row.id,
      input: { values: Object.fromEntries(names.map((name) => [name, successor])), errors: {}, kept: [] },
    };
  });
  return updateMany({ context, definition, trx }, changes, new BatchState());
}

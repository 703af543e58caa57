import { sql, type RawBuilder } from 'kysely';
import { parseInstant } from '../../../engine/formats/dates';
import type { Predicate } from '../../../engine/conditions/grammar';
import type { Definition, ResourceRecord, Action, Field, Rule } from '../../../engine/definitions/definition';
import { formatInstant } from '../../../engine/formats/dates';
import { rulesFor } from '../../../engine/access/access-decision';
import { archiveFilter, ruleCondition, visibleRowsFilter, ruleAllowsField } from '../../access/access-filter';
import type { QueryScope, RecordScope, TransactionScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { columnSql } from '../../sql/column-sql';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { runStatement, type Row } from '../../database/database';
import type { Statement } from '../../database/statements';
import { Conflict, Invalid, NotFound, Forbidden } from '../../errors/errors';
import {
  audienceKey,
  bind,
  cachedGenericStatement,
  cachedStatement,
  fixedStatement,
  Placeholder,
} from '../read/statement-cache';
import { lockRules } from './rule-locks';
import { loadTitles } from '../read/titles';
import { sideFields, storedFields } from './row-writes';
import { fieldTypeOf } from '../../../engine/field-types';

/** A row as it is stored, including secrets. */
export interface StoredRow {
  readonly values: ResourceRecord;
  /** Changes with every write. */
  readonly version: string;
  /** Neither archived nor inside something archived. */
  readonly isActive: boolean;
  /**
   * The rules that match the row for the intended action; undefined if no rule restricts it. Throws Forbidden if none
   * matches.
   */
  matchingRules(): MatchingRules;
}

const isActiveColumn = 'is present';
const versionColumn = 'row version';

/**
 * Reads a row that the caller can see, with the rules for editing it, without locking it. Throws NotFound.
 *
 * @example const { values } = await readRowUnlocked(context, deals, 7);
 */
export async function readRowUnlocked(context: RequestContext, definition: Definition, id: number): Promise<StoredRow> {
  const scope = { context, definition };
  const plan = rowStatement(scope, 'look');
  return toStoredRow(scope, await context.program.database.query(bind(plan, { id })), 'edit');
}

/** The intended change. `refer` adds something that belongs to the row and leaves the row itself unchanged. */
type LockPurpose = 'refer' | 'edit' | 'delete';

/**
 * Reads a row that the caller can see, with the rules for the intended change, and locks it until the transaction ends:
 * against deletion only if it is just referred to, else against changes, and before a deletion also against new
 * references to it. Throws NotFound.
 *
 * @example const { values } = await lockRow({ context, definition: deals, trx }, 7);
 */
export async function lockRow(scope: TransactionScope, id: number, change: LockPurpose = 'edit'): Promise<StoredRow> {
  const { context, definition, trx } = scope;
  const { database } = context.program;
  if (change !== 'refer') await lockRules(context, [definition], trx);
  // Pairs are in other tables: a statement that had to wait for the row would read them as they were before.
  if (sideFields(definition).length > 0) {
    const lock = fixedStatement(
      definition,
      `lock for ${change}`,
      trx,
      () => sql`select from ${sql.id('public', definition.table)} t
        where t.id = ${new Placeholder('id')} for ${lockStrength(change)}`,
    );
    await runStatement(trx, bind(lock, { id }));
  }
  return toStoredRow(scope, await database.query(bind(rowStatement(scope, change), { id }), trx), actionOf(change));
}

/**
 * As `lockRow` for many rows: one statement, by id. Rows in the order of their ids, so that two calls on the same rows
 * never wait for each other. Those that the caller cannot see are missing.
 *
 * @example const rows = await lockRows({ context, definition: deals, trx }, [7, 9]); // by id
 */
export async function lockRows(
  scope: TransactionScope,
  ids: readonly number[],
  change: LockPurpose = 'edit',
): Promise<ReadonlyMap<number, StoredRow>> {
  const { context, definition, trx } = scope;
  const { database } = context.program;
  if (sideFields(definition).length > 0) {
    const lock = fixedStatement(
      definition,
      `lock several for ${change}`,
      trx,
      () => sql`select from ${sql.id('public', definition.table)} t where t.id = any(${new Placeholder('ids')}::bigint[])
        order by t.id for ${lockStrength(change)}`,
    );
    await runStatement(trx, bind(lock, { ids }));
  }
  const rows = await database.query(bind(rowStatement(scope, change, 'many'), { ids }), trx);
  return new Map(rows.map((row) => [row.id as number, toStoredRow(scope, [row], actionOf(change))]));
}

function toStoredRow(scope: RecordScope, [row]: readonly Row[], action: 'edit' | 'delete'): StoredRow {
  if (!row) throw new NotFound();
  return {
    version: row[versionColumn] as string,
    values: Object.fromEntries(Object.entries(row).filter(([name]) => !name.includes(' '))),
    isActive: row[isActiveColumn] === true,
    matchingRules: () => assertRuleMatches(scope, action, row),
  };
}

/**
 * Reads and locks the caller's own row, to change what all users may change about themselves: ignores grants and row
 * rules. Throws NotFound.
 */
export async function lockOwnRow({ context, definition, trx }: TransactionScope, id: number): Promise<StoredRow> {
  await lockRules(context, [definition], trx);
  const plan = fixedStatement(definition, 'lock own', trx, () => {
    const columns = storedFields(definition).map(
      (field) => sql`${columnSql(definition, field, 't', context.registry, null)} as ${sql.id(field.name)}`,
    );
    return sql`select ${sql.join([...columns, sql`t.xmin::text as ${sql.id(versionColumn)}`])}
      from ${sql.id('public', definition.table)} t where t.id = ${new Placeholder('id')} for no key update of t`;
  });
  const [row] = await runStatement<ResourceRecord>(trx, bind(plan, { id }));
  if (!row) throw new NotFound();
  const { [versionColumn]: read, ...values } = row;
  return { version: read as string, values, isActive: true, matchingRules: () => undefined };
}

/** Adding a reference to a row does not wait for somebody who edits it. */
const lockStrengths = { refer: 'key share', edit: 'no key update', delete: 'update' } as const;
const lockStrength = (change: LockPurpose) => sql.raw(lockStrengths[change]);

const actionOf = (change: LockPurpose | 'look') => (change === 'delete' ? 'delete' : 'edit');

function rowStatement(
  { context, definition }: RecordScope,
  change: LockPurpose | 'look',
  count: 'one' | 'many' = 'one',
): Statement {
  const { registry, evaluationContext } = context;
  // The rules of a change follow from the audience.
  const key = `hold|${change}|${count}|${audienceKey(context)}|${definition.name}`;
  return cachedGenericStatement(context, key, () => {
    const visibleRows = visibleRowsFilter(context, definition);
    const columns = [...storedFields(definition), ...sideFields(definition)].map(
      (field) => sql`${columnSql(definition, field, 't', registry, null)} as ${sql.id(field.name)}`,
    );
    const toSql = (predicate: Predicate) => predicateToSql(predicate, definition, 't', registry, evaluationContext);
    const tests = [
      // Views have no xmin, and are never written without a lock.
      ...(change === 'look' ? [sql`t.xmin::text as ${sql.id(versionColumn)}`] : []),
      sql`(${toSql(archiveFilter(registry, definition))}) is true as ${sql.id(isActiveColumn)}`,
      ...ruleTestColumns(context, definition, actionOf(change)),
    ];
    const rowCondition =
      count === 'one'
        ? sql`t.id = ${new Placeholder('id')}::bigint`
        : sql`t.id = any(${new Placeholder('ids')}::bigint[])`;
    const order = count === 'many' ? sql`order by t.id` : sql``;
    return sql`select ${sql.join([...columns, ...tests])} from ${sql.id('public', definition.table)} t
        where ${rowCondition} and ${toSql(visibleRows)} ${order} ${change === 'look' ? sql`` : sql`for ${lockStrength(change)} of t`}`;
  });
}

/**
 * Throws Conflict for an archived record, or one inside something archived: those are read-only until restored.
 *
 * @example assertNotArchived(deals, await lockRow(context, deals, 7, trx));
 */
export function assertNotArchived(definition: Definition, row: StoredRow): void {
  const recordLabel = definition.labels.one.toLowerCase();
  if (definition.archive && row.values.archived_at !== null) {
    throw new Conflict(`This ${recordLabel} is archived. Unarchive it first.`, 'CONFLICT_ARCHIVED');
  }
  if (!row.isActive)
    throw new Conflict(
      `This ${recordLabel} belongs to something that is archived. Unarchive that first.`,
      'CONFLICT_ARCHIVED',
    );
}

/** Throws Conflict, with who and when, if the row has changed since the caller loaded it. */
export async function assertUnchanged(scope: QueryScope, values: ResourceRecord, visibleRows: unknown): Promise<void> {
  const { context, definition } = scope;
  if (visibleRows === undefined || visibleRows === null) return;
  const instant = typeof visibleRows === 'string' ? parseInstant(visibleRows) : undefined;
  if (!instant) throw new Invalid({ updated_at: 'Updated At must be a date such as 2026-11-16T14:30:00Z.' });
  const storedVersion = values.updated_at as string | null;
  if (storedVersion === null || instant >= storedVersion) return;
  const editorName = await loadTitle(scope, values.updated_by as number | null);
  const changeTime = formatInstant(storedVersion, context.timeZone);
  throw new Conflict(
    `This ${definition.labels.one.toLowerCase()} was changed${editorName ? ` by ${editorName}` : ''} on ${changeTime} (${context.timeZone}). Reload it to see the changes.`,
    'CONFLICT_STALE',
  );
}

async function loadTitle(
  { context, definition, queries: trx }: QueryScope,
  id: number | null,
): Promise<string | undefined> {
  if (id === null) return undefined;
  const people = context.registry.getOrThrow(definition.fields.updated_by!.to!);
  return (await loadTitles({ context, definition: people }, [id], trx)).get(id);
}

/** The rules of an action that match a stored row; undefined if no rule restricts the grant. */
export type MatchingRules = readonly Rule[] | undefined;

/**
 * Finds the rules that match stored rows, in the order of `ids`. Throws Forbidden, naming the rules, for a row that none
 * of them matches. Called after an insert in the same transaction; one statement for any number of rows.
 */
export async function loadMatchingRules(
  scope: TransactionScope,
  action: Action,
  ids: readonly number[],
): Promise<MatchingRules[]> {
  const { context, definition, trx } = scope;
  const rules = rulesFor(context.actor, definition, action);
  if (!rules.some((rule) => rule.where)) return ids.map(() => assertRuleMatches(scope, action, undefined));
  const rows = await testRules({ context, definition, queries: trx }, action, ids);
  const rowsById = new Map(rows.map((row) => [row.id as number, row]));
  return ids.map((id) => assertRuleMatches(scope, action, rowsById.get(id) ?? {}));
}

/**
 * The rules that match according to the columns of `ruleTestColumns`; undefined if no rule restricts the action. Throws
 * Forbidden, naming the rules, if none of them matches.
 */
function assertRuleMatches(
  { context, definition }: RecordScope,
  action: Action,
  testResults: Readonly<Record<string, unknown>> | undefined,
): MatchingRules {
  const rules = rulesFor(context.actor, definition, action);
  if (rules.length === 0) return undefined;
  const matchingRules = testResults ? rules.filter((_, index) => testResults[ruleColumn(index)] === true) : rules;
  if (matchingRules.length > 0) return matchingRules;
  const reasons = [...new Set(rules.map((rule) => rule.reason))].join(', or ');
  throw new Forbidden(
    `You don't have permission to ${action} this ${definition.labels.one.toLowerCase()}: ${reasons}.`,
  );
}

/** Throws Forbidden for the first changed field that no matching rule allows. */
export function assertFieldsAllowed(
  definition: Definition,
  action: Action,
  matchingRules: MatchingRules,
  changedNames: Iterable<string>,
): void {
  if (!matchingRules) return;
  for (const name of changedNames) {
    const field = definition.fields[name];
    if (!field || field.name === 'site_id' || matchingRules.some((rule) => ruleAllowsField(rule, name))) continue;
    const reasons = [...new Set(matchingRules.map((rule) => rule.reason))].join(', or ');
    const verb = action === 'create' ? 'set' : 'change';
    throw new Forbidden(
      `You don't have permission to ${verb} ${field.label} of this ${definition.labels.one.toLowerCase()}: ${reasons}.`,
    );
  }
}

/** Whether some rule can only be tested on the stored row. */
export function hasRowRules(context: RequestContext, definition: Definition, action: Action): boolean {
  return rulesFor(context.actor, definition, action).some((rule) => rule.where);
}

/** The fields that differ between two versions of a record, compared by their types. */
export function changedFields(
  definition: Definition,
  previousValues: ResourceRecord,
  values: ResourceRecord,
): Set<string> {
  return new Set(
    Object.keys(values).filter((name) => {
      const field = definition.fields[name];
      return field && !isEqual(field, previousValues[name] ?? null, values[name] ?? null);
    }),
  );
}

function isEqual(field: Field, a: unknown, b: unknown): boolean {
  return fieldTypeOf(field).isEqual?.(a, b) ?? a === b;
}

/** Which rules of an action match stored rows, by id, in the order of `rulesFor`. One statement for any number of rows. */
export async function loadRuleResults(
  scope: QueryScope,
  action: Action,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly boolean[]>> {
  const { context, definition } = scope;
  const rules = rulesFor(context.actor, definition, action);
  const rows = await testRules(scope, action, ids);
  return new Map(rows.map((row) => [row.id as number, rules.map((_, index) => row[ruleColumn(index)] === true)]));
}

/** Tests the rules of an action on stored rows: the id of each, and a column for each rule. */
function testRules(
  { context, definition, queries }: QueryScope,
  action: Action,
  ids: readonly number[],
): Promise<Row[]> {
  const key = `rules|${action}|${audienceKey(context)}|${definition.name}`;
  const plan = cachedStatement(
    context,
    key,
    () => sql`select t.id, ${sql.join(ruleTestColumns(context, definition, action))}
      from ${sql.id('public', definition.table)} t where t.id = any(${new Placeholder('ids')}::bigint[])`,
  );
  return runStatement(queries, bind(plan, { ids }));
}

/** The column of a rule's test, by its place in `rulesFor`. */
const ruleColumn = (index: number) => `rule ${index}`;

/**
 * Columns that tell which rules of an action match a row `t`. Their names contain a space, so that no field can have
 * them.
 */
function ruleTestColumns(context: RequestContext, definition: Definition, action: Action): RawBuilder<unknown>[] {
  const { registry, evaluationContext } = context;
  return ruleConditions(context, definition, action).map((condition, index) => {
    const conditionSql = condition
      ? predicateToSql(condition, definition, 't', registry, evaluationContext)
      : sql`true`;
    return sql`(${conditionSql}) is true as ${sql.id(ruleColumn(index))}`;
  });
}

/** The conditions of an action's rules with variables resolved; null for a rule without one. */
function ruleConditions(context: RequestContext, definition: Definition, action: Action): (Predicate | null)[] {
  const rules = rulesFor(context.actor, definition, action);
  return rules.map((rule) => (rule.where ? ruleCondition(context, definition, rule) : null));
}

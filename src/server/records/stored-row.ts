import { sql } from 'kysely';
import { parseInstant } from '../../engine/field-types/datetime';
import type { Predicate } from '../../engine/conditions/grammar';
import { always } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { formatInstant } from '../../engine/formats/dates';
import { archiveFilter, visibleRowsFilter } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { columnSql } from '../sql/column-sql';
import { visibleTitleSql } from '../sql/operands';
import { predicateToSql } from '../sql/predicate-to-sql';
import type { Queries, Row, Transaction } from '../database/database';
import type { Statement } from '../database/statements';
import { Conflict, Invalid, NotFound } from '../errors/errors';
import { bind, cachedGenericStatement, Placeholder } from './statement-cache';
import { assertRuleMatches, ruleConditions, ruleTestColumns, type MatchingRules } from './row-rules';
import { conditionKey, cachedPerCaller } from './selection-key';
import { pairFields, storedFields } from './row-writes';

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

/** Reads a row that the caller can see, with the rules for editing it, without locking it. Throws NotFound. */
export async function readRowUnlocked(context: RequestContext, definition: Definition, id: number): Promise<StoredRow> {
  const plan = rowStatement(context, definition, 'look');
  return toStoredRow(context, definition, await context.program.database.query(bind(plan, { id })), 'edit');
}

/** The intended change. `refer` adds something that belongs to the row and leaves the row itself unchanged. */
type LockPurpose = 'refer' | 'edit' | 'delete';

/**
 * Reads a row that the caller can see, with the rules for the intended change, and locks it until the transaction ends:
 * against deletion only if it is just referred to, else against changes, and before a deletion also against new
 * references to it. Throws NotFound.
 */
export async function lockRow(
  context: RequestContext,
  definition: Definition,
  id: number,
  trx: Transaction,
  change: LockPurpose = 'edit',
): Promise<StoredRow> {
  const { database } = context.program;
  // Pairs are in other tables: a statement that had to wait for the row would read them as they were before.
  if (pairFields(definition).length > 0) {
    await sql`select from ${sql.id('public', definition.table)} t where t.id = ${id} for ${lockStrength(change)}`.execute(
      trx,
    );
  }
  return toStoredRow(
    context,
    definition,
    await database.query(bind(rowStatement(context, definition, change), { id }), trx),
    actionOf(change),
  );
}

function toStoredRow(
  context: RequestContext,
  definition: Definition,
  [row]: readonly Row[],
  action: 'edit' | 'delete',
): StoredRow {
  if (!row) throw new NotFound();
  return {
    version: row[versionColumn] as string,
    values: Object.fromEntries(Object.entries(row).filter(([name]) => !name.includes(' '))),
    isActive: row[isActiveColumn] === true,
    matchingRules: () => assertRuleMatches(context, definition, action, row),
  };
}

/**
 * Reads and locks the caller's own row, to change what all users may change about themselves: ignores grants and row
 * rules. Throws NotFound.
 */
export async function lockOwnRow(
  { registry }: RequestContext,
  definition: Definition,
  id: number,
  trx: Transaction,
): Promise<StoredRow> {
  const columns = storedFields(definition).map(
    (field) => sql`${columnSql(definition, field, 't', registry, null)} as ${sql.id(field.name)}`,
  );
  const { rows } =
    await sql<ResourceRecord>`select ${sql.join([...columns, sql`t.xmin::text as ${sql.id(versionColumn)}`])} from ${sql.id('public', definition.table)} t
    where t.id = ${id} for no key update of t`.execute(trx);
  if (!rows[0]) throw new NotFound();
  const { [versionColumn]: read, ...values } = rows[0];
  return { version: read as string, values, isActive: true, matchingRules: () => undefined };
}

/** Adding a reference to a row does not wait for somebody who edits it. */
const lockStrengths = { refer: 'key share', edit: 'no key update', delete: 'update' } as const;
const lockStrength = (change: LockPurpose) => sql.raw(lockStrengths[change]);

const actionOf = (change: LockPurpose | 'look') => (change === 'delete' ? 'delete' : 'edit');

function rowStatement(context: RequestContext, definition: Definition, change: LockPurpose | 'look'): Statement {
  return cachedPerCaller(context, definition, `hold-${change}`, () => {
    const { program, registry, evaluationContext } = context;
    const visibleRows = visibleRowsFilter(context, definition);
    const asked = [
      visibleRows,
      ...ruleConditions(context, definition, actionOf(change)).map((where) => where ?? always),
    ];
    const key = `hold|${change}|${asked.map((where) => conditionKey(context, definition, where)).join('|')}`;
    return cachedGenericStatement(program.database, key, () => {
      const columns = [...storedFields(definition), ...pairFields(definition)].map(
        (field) => sql`${columnSql(definition, field, 't', registry, null)} as ${sql.id(field.name)}`,
      );
      const toSql = (predicate: Predicate) => predicateToSql(predicate, definition, 't', registry, evaluationContext);
      const tests = [
        // Views have no xmin, and are never written without a lock.
        ...(change === 'look' ? [sql`t.xmin::text as ${sql.id(versionColumn)}`] : []),
        sql`(${toSql(archiveFilter(registry, definition))}) is true as ${sql.id(isActiveColumn)}`,
        ...ruleTestColumns(context, definition, actionOf(change)),
      ];
      return sql`select ${sql.join([...columns, ...tests])} from ${sql.id('public', definition.table)} t
        where t.id = ${new Placeholder('id')}::integer and ${toSql(visibleRows)} ${change === 'look' ? sql`` : sql`for ${lockStrength(change)} of t`}`;
    });
  });
}

/** Throws Conflict for an archived record, or one inside something archived: those are read-only until restored. */
export function assertNotArchived(definition: Definition, row: StoredRow): void {
  const one = definition.labels.one.toLowerCase();
  if (definition.archive && row.values.archived_at !== null) {
    throw new Conflict(`This ${one} is archived. Unarchive it first.`, 'CONFLICT_ARCHIVED');
  }
  if (!row.isActive)
    throw new Conflict(`This ${one} belongs to something that is archived. Unarchive that first.`, 'CONFLICT_ARCHIVED');
}

/** Throws Conflict, with who and when, if the row has changed since the caller loaded it. */
export async function assertUnchanged(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  visibleRows: unknown,
  trx: Queries,
): Promise<void> {
  if (visibleRows === undefined || visibleRows === null) return;
  const instant = typeof visibleRows === 'string' ? parseInstant(visibleRows) : undefined;
  if (!instant) throw new Invalid({ updated_at: 'Updated At must be a date such as 2026-11-16T14:30:00Z.' });
  const stored = values.updated_at as string | null;
  if (stored === null || instant >= stored) return;
  const by = await loadTitle(context, definition, values.updated_by as number | null, trx);
  const when = formatInstant(stored, context.timeZone);
  throw new Conflict(
    `This ${definition.labels.one.toLowerCase()} was changed${by ? ` by ${by}` : ''} on ${when} (${context.timeZone}). Reload it to see the changes.`,
    'CONFLICT_STALE',
  );
}

async function loadTitle(
  context: RequestContext,
  definition: Definition,
  id: number | null,
  trx: Queries,
): Promise<string | undefined> {
  if (id === null) return undefined;
  const people = context.registry.getOrThrow(definition.fields.updated_by!.to!);
  const { rows } = await sql<{
    title: string;
  }>`select ${visibleTitleSql(context.actor, people, 't', context.registry)} as title
    from ${sql.id('public', people.table)} t where t.id = ${id}`.execute(trx);
  return rows[0]?.title;
}

import { sql } from 'kysely';
import { readInstant } from '../../engine/field-types/datetime';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { formatInstant } from '../../engine/formats/dates';
import { present, visible } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import { columnSql } from '../conditions/column-sql';
import { knownTitleSql } from '../conditions/columns';
import { predicateToSql } from '../conditions/to-sql';
import type { Transaction } from '../database/database';
import { Conflict, Invalid, NotFound } from '../errors/errors';
import { pairFields, storedFields } from './store';

/** A row as it is stored, secrets included. */
export interface StoredRow {
  readonly values: ResourceRecord;
  /** Neither archived nor within something that is. */
  readonly present: boolean;
}

/** Reads a row that the caller sees, and holds it until the transaction ends. Throws NotFound. */
export async function holdRow(
  context: RequestContext,
  definition: Definition,
  id: number,
  trx: Transaction,
): Promise<StoredRow> {
  const { registry, surroundings } = context;
  const columns = [...storedFields(definition), ...pairFields(definition)].map(
    (field) => sql`${columnSql(definition, field, 't', registry)} as ${sql.id(field.name)}`,
  );
  const seen = predicateToSql(visible(context, definition), definition, 't', registry, surroundings);
  const isPresent = predicateToSql(present(registry, definition), definition, 't', registry, surroundings);
  const { rows } = await sql<ResourceRecord>`select ${sql.join(columns)}, (${isPresent}) is true as "is present"
    from ${sql.id('public', definition.table)} t where t.id = ${id} and ${seen} for update of t`.execute(trx);
  if (!rows[0]) throw new NotFound();
  const { 'is present': standing, ...values } = rows[0];
  return { values, present: standing === true };
}

/** Throws Conflict for what is archived, or belongs to something that is: it is read until it is taken out again. */
export function mustBePresent(definition: Definition, row: StoredRow): void {
  const one = definition.labels.one.toLowerCase();
  if (definition.archive && row.values.archived_at !== null) {
    throw new Conflict(`This ${one} is archived. Unarchive it first.`, 'CONFLICT_ARCHIVED');
  }
  if (!row.present)
    throw new Conflict(`This ${one} belongs to something that is archived. Unarchive that first.`, 'CONFLICT_ARCHIVED');
}

/** Throws Conflict, naming by whom and when, where the row has changed since the caller saw it. */
export async function mustBeUnchanged(
  context: RequestContext,
  definition: Definition,
  row: StoredRow,
  seen: unknown,
  trx: Transaction,
): Promise<void> {
  if (seen === undefined || seen === null) return;
  const instant = typeof seen === 'string' ? readInstant(seen) : undefined;
  if (!instant) throw new Invalid({ updated_at: 'Updated At must be a date such as 2026-11-16T14:30:00Z.' });
  const stored = row.values.updated_at as string | null;
  if (stored === null || instant >= stored) return;
  const by = await nameOf(context, definition, row.values.updated_by as number | null, trx);
  const when = formatInstant(stored, context.timeZone);
  throw new Conflict(
    `This ${definition.labels.one.toLowerCase()} was changed${by ? ` by ${by}` : ''} on ${when} (${context.timeZone}). Reload it to see the changes.`,
    'CONFLICT_STALE',
  );
}

async function nameOf(
  context: RequestContext,
  definition: Definition,
  id: number | null,
  trx: Transaction,
): Promise<string | undefined> {
  if (id === null) return undefined;
  const people = context.registry.need(definition.fields.updated_by!.to!);
  const { rows } = await sql<{
    title: string;
  }>`select ${knownTitleSql(context.actor, people, 't', context.registry)} as title
    from ${sql.id('public', people.table)} t where t.id = ${id}`.execute(trx);
  return rows[0]?.title;
}

import { sql, type RawBuilder } from 'kysely';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { isRelations } from '../../engine/field-types/relations';
import { pairTable } from '../database/identifiers';
import type { Queries } from '../database/database';
import { fieldOf, idOf, commentsOf } from '../../engine/definitions/accessors';
import { oneRow } from '../database/one-row';
import { companyKey } from '../sql/company-key';
import { hasCompanyKey } from '../sql/same-company';

/** A user's choice about a record; without a choice, the users whom it names watch it. */
export type WatchState = 'watching' | 'muted';

/**
 * The ids of the people who watch a record: its author, those whom its fields name, and who chose it; without those who
 * muted it.
 */
export function watchersSql(definition: Definition, row: ResourceRecord): RawBuilder<unknown> {
  const watches = watchesOf(definition, row);
  const isOfCompany = hasCompanyKey(definition) ? sql`pair.site_id = ${companyKey(definition, row)} and` : sql``;
  const namedUsers = namedPeople(definition, row);
  const lists = commentsOf(definition).watchers.flatMap((name) => {
    const field = fieldOf(definition, name);
    if (!isRelations(field)) return [];
    return [
      sql`select pair.target_id from ${sql.id('public', pairTable(definition, field))} pair where ${isOfCompany} pair.record_id = ${idOf(row)}`,
    ];
  });
  const conditions = [
    sql`select unnest(${namedUsers}::bigint[])`,
    ...lists,
    sql`select w.user_id from ${watches} and w.state = 'watching'`,
  ];
  return sql`(${sql.join(conditions, sql` union `)}) except select w.user_id from ${watches} and w.state = 'muted'`;
}

/** The choices `w` about a record. */
export function watchesOf(definition: Definition, row: ResourceRecord): RawBuilder<unknown> {
  return sql`assay.watches w where w.site_id = ${companyKey(definition, row)} and w.resource = ${definition.name}
    and w.record_id = ${idOf(row)}`;
}

/** Those whom single fields of a row name, and who made it. */
function namedPeople(definition: Definition, row: ResourceRecord): number[] {
  return ['created_by', ...commentsOf(definition).watchers].flatMap((name) =>
    typeof row[name] === 'number' ? [row[name]] : [],
  );
}

/** A user's choice about a record, and whether they are told of new comments on it. */
export async function readWatch(
  queries: Queries,
  definition: Definition,
  row: ResourceRecord,
  user: number,
): Promise<{ state: WatchState | null; watching: boolean }> {
  return oneRow(
    await sql<{ state: WatchState | null; watching: boolean }>`select
      (select w.state from ${watchesOf(definition, row)} and w.user_id = ${user}) as state,
      ${user}::bigint in (${watchersSql(definition, row)}) as watching`.execute(queries),
  );
}

/** Stores what a user chose about a record; null forgets it. */
export async function storeWatch(
  queries: Queries,
  definition: Definition,
  row: ResourceRecord,
  { user, state }: { readonly user: number; readonly state: WatchState | null },
): Promise<void> {
  if (state === null) await sql`delete from ${watchesOf(definition, row)} and w.user_id = ${user}`.execute(queries);
  else
    await sql`insert into assay.watches (site_id, resource, record_id, user_id, state)
      values (${companyKey(definition, row)}, ${definition.name}, ${idOf(row)}, ${user}, ${state})
      on conflict (site_id, resource, record_id, user_id) do update set state = excluded.state, since = now()`.execute(
      queries,
    );
}

/** Makes the author of a comment watch the record from then on, unless they muted it. */
export async function watchByCommenting(
  queries: Queries,
  definition: Definition,
  row: ResourceRecord,
  user: number,
): Promise<void> {
  await sql`insert into assay.watches (site_id, resource, record_id, user_id, state)
    values (${companyKey(definition, row)}, ${definition.name}, ${idOf(row)}, ${user}, 'watching')
    on conflict do nothing`.execute(queries);
}

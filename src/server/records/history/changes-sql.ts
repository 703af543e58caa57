import { sql, type RawBuilder } from 'kysely';

const columns = sql.raw(
  'site_id, resource, record_id, event, old_values, new_values, user_id, created_at, restored_version',
);

/**
 * Expressions of a `with` that add changes to the history, and note those of watched records, so that who watches them is
 * told. `changes` selects a row for each: company (`companyKey`), resource, record, event, values before and after, author,
 * time, and the version that it brought back or null. Neither creation nor deletion is a change.
 *
 * @example
 *   await sql`with ${historyOfChanges(sql`select 0, 'webhooks', id, 'updated', '{"active": true}'::jsonb,
 *     '{"active": false}'::jsonb, null::bigint, now(), null::integer from changed`)} select`.execute(trx);
 */
export function historyOfChanges(changes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`logged as (insert into assay.history (${columns}) ${changes} returning site_id, id, resource, record_id, event),
    noted as (insert into assay.watched_changes (site_id, history_id)
      select n.site_id, n.id from logged n where n.event not in ('created', 'deleted') and exists (select from assay.watches w
        where w.site_id = n.site_id and w.resource = n.resource and w.record_id = n.record_id and w.state = 'watching'))`;
}

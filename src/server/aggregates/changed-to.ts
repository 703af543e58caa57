import { sql, type RawBuilder } from 'kysely';
import type { Definition } from '../../engine/definitions/definition';

/** Matches records whose field was set to this value, at creation or later, since an instant (ISO 8601). */
export interface ChangedTo {
  readonly field: string;
  readonly value: number;
  readonly since: string;
}

/** Matches the rows `t` whose history contains the change. Recent history is read once, however many rows there are. */
export function changedToSql(
  definition: Definition,
  { field, value, since: startInstant }: ChangedTo,
): RawBuilder<unknown> {
  return sql`t.id in (select h.record_id from assay.history h
    where h.resource = ${definition.name} and h.created_at >= ${startInstant}::timestamptz
      and h.new_values -> ${field}::text = to_jsonb(${value}::bigint))`;
}

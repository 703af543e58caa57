import { sql, type RawBuilder } from 'kysely';
import type { Definition } from '../../engine/definitions/definition';
import { companyKeySql, noCompany } from '../sql/company-key';

/** Matches records whose field was set to this value, at creation or later, since an instant (ISO 8601). */
export interface ChangedTo {
  readonly field: string;
  readonly value: number;
  readonly since: string;
}

/** Matches the rows `t` of a company (null: of all) whose history contains the change. Recent history is read once, however many rows there are. */
export function changedToSql(
  definition: Definition,
  { field, value, since: startInstant }: ChangedTo,
  company: number | null,
): RawBuilder<unknown> {
  // The index of the history begins with the company, 0 for records of none.
  const inCompany =
    company === null
      ? sql`h.site_id = any(array(select s.id from public.sites s) || ${sql.lit(noCompany)}::bigint)`
      : sql`h.site_id in (${company}, ${sql.lit(noCompany)})`;
  return sql`(${companyKeySql(definition, 't')}, t.id) in (select h.site_id, h.record_id from assay.history h
    where ${inCompany} and h.resource = ${definition.name} and h.created_at >= ${startInstant}::timestamptz
      and h.new_values -> ${field}::text = to_jsonb(${value}::bigint))`;
}

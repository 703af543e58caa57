import { sql, type RawBuilder } from 'kysely';
import { companyOf } from '../../engine/definitions/accessors';
import type { Definition } from '../../engine/definitions/definition';
import { columnTypeOf } from '../../engine/field-types';

/** The company of rows that hang on records of no company. No company has this id. */
export const noCompany = 0;

/** Whether the table of a resource has a column for the company of its rows. */
export function hasCompanyColumn({ fields }: Pick<Definition, 'fields'>): boolean {
  return fields.site_id !== undefined && columnTypeOf(fields.site_id) !== null;
}

/**
 * The company in the rows of `assay` that hang on a record: the record's own, which never changes, or 0.
 *
 * @example companyKey(tasks, { id: 7, site_id: 2 }); // 2
 */
export function companyKey(definition: Pick<Definition, 'fields'>, record: { readonly site_id?: unknown }): number {
  return hasCompanyColumn(definition) ? (companyOf(record) ?? noCompany) : noCompany;
}

/** The companies of records, each once. */
export function companyKeys(
  definition: Pick<Definition, 'fields'>,
  records: readonly { readonly site_id?: unknown }[],
): number[] {
  return [...new Set(records.map((record) => companyKey(definition, record)))];
}

/**
 * The same in SQL, for rows of the resource's table.
 *
 * @example sql`select ${companyKeySql(tasks, 't')} from public.tasks t`; // coalesce("t"."site_id", 0)
 */
export function companyKeySql(definition: Pick<Definition, 'fields'>, alias: string): RawBuilder<number> {
  return hasCompanyColumn(definition)
    ? sql<number>`coalesce(${sql.id(alias, 'site_id')}, ${sql.lit(noCompany)})`
    : sql<number>`${sql.lit(noCompany)}::bigint`;
}

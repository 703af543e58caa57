import { sql, type RawBuilder } from 'kysely';
import type { Definition } from '../../engine/definitions/definition';

/**
 * Whether every record of a resource belongs to a company, so that the company is part of its keys, and stands in the
 * tables of its pairs and rows. Tables of the system are created by migrations, and have it only where these say so.
 *
 * @example hasCompanyKey(projects); // true
 */
export function hasCompanyKey({ scope, system, fields }: Pick<Definition, 'scope' | 'system' | 'fields'>): boolean {
  return !system && scope === 'company' && fields.site_id?.required === true;
}

/**
 * ` and p.site_id = t.site_id`, if the company is part of the keys of each of the definitions whose rows `first` and
 * `second` are; else nothing.
 *
 * @example sql`p.record_id = t.id${inSameCompany('p', 't', projects)}`;
 */
export function inSameCompany(
  first: string,
  second: string,
  ...definitions: readonly Definition[]
): RawBuilder<unknown> {
  if (!definitions.every(hasCompanyKey)) return sql``;
  return sql` and ${sql.id(first, 'site_id')} = ${sql.id(second, 'site_id')}`;
}

/** The record that others point at, as expressions. */
export interface PointedRecord {
  readonly id: RawBuilder<unknown>;
  /** Its company, if that is part of its key. */
  readonly company: RawBuilder<unknown> | undefined;
}

/** The record of the row `alias`, for `pointsToSql`. */
export function recordInRow(definition: Definition, alias: string): PointedRecord {
  return {
    id: sql.id(alias, 'id'),
    company: hasCompanyKey(definition) ? sql.id(alias, 'site_id') : undefined,
  };
}

/** The record with an id, for `pointsToSql`. */
export function recordWithId(definition: Definition, id: RawBuilder<unknown>): PointedRecord {
  const company = sql`(select o.site_id from ${sql.id('public', definition.table)} o where o.id = ${id})`;
  return { id, company: hasCompanyKey(definition) ? company : undefined };
}

/**
 * Matches rows `alias` of a resource whose ids a subquery selects from the table of pairs or rows `inner`, by its column
 * `id`. The company belongs to what is compared, without tying the subquery to the row around it.
 *
 * @example isAmong(projects, 't', 'p', 'record_id', sql`from projects__user_ids p where p.target_id = ${person}`);
 */
export function isAmong(
  definition: Definition,
  alias: string,
  inner: string,
  id: string,
  fromSql: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!hasCompanyKey(definition)) return sql`${sql.id(alias, 'id')} in (select ${sql.id(inner, id)} ${fromSql})`;
  return sql`(${sql.id(alias, 'site_id')}, ${sql.id(alias, 'id')}) in (select ${sql.id(inner, 'site_id')}, ${sql.id(inner, id)} ${fromSql})`;
}

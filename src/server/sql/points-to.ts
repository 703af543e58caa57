import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field } from '../../engine/definitions/definition';
import { rowColumnAt, rowColumns, rowDefinition } from '../../engine/field-types/row-definition';
import { isRelations } from '../../engine/field-types/relations';
import { pairTable } from '../database/identifiers';
import { hasCompanyKey, isAmong, type PointedRecord } from './same-company';
import { fieldOf } from '../../engine/definitions/accessors';

/**
 * Matches rows `alias` of a resource that point at a record: by a relation, by one of many, or by a column of rows
 * (`lines.product_id`).
 *
 * @example pointsToSql(deals, 'lines.product_id', 'i', recordInRow(products, 't'));
 */
export function pointsToSql(
  definition: Definition,
  path: string,
  alias: string,
  { id, company }: PointedRecord,
): RawBuilder<unknown> {
  const ofRows = rowColumnAt(definition, path);
  const inner = `${alias}p`;
  const isOfCompany = company && hasCompanyKey(definition) ? sql` and ${sql.id(inner, 'site_id')} = ${company}` : sql``;
  if (ofRows) {
    const rows = sql`from ${sql.id('public', rowDefinition(definition, ofRows.field).table)} ${sql.id(inner)}
      where ${sql.id(inner, ofRows.column.name)} = ${id}${isOfCompany}`;
    return isAmong(definition, alias, inner, rowColumns.parent, rows);
  }
  const field: Field = fieldOf(definition, path);
  if (!isRelations(field)) return sql`${sql.id(alias, field.name)} = ${id}`;
  const pairs = sql`from ${sql.id('public', pairTable(definition, field))} ${sql.id(inner)}
    where ${sql.id(inner, 'target_id')} = ${id}${isOfCompany}`;
  return isAmong(definition, alias, inner, 'record_id', pairs);
}

import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field } from '../../engine/definitions/definition';
import { rowColumnAt, rowColumns, rowDefinition } from '../../engine/field-types/row-definition';
import { isRelations } from '../../engine/field-types/relations';
import { pairTable } from '../database/identifiers';
import { fieldOf } from '../../engine/definitions/accessors';

/**
 * Matches rows `alias` of a resource that point at the record `id` (an expression): by a relation, by one of many, or by
 * a column of rows (`lines.product_id`).
 *
 * @example pointsToSql(deals, 'lines.product_id', 'i', sql.id('t', 'id'));
 */
export function pointsToSql(
  definition: Definition,
  path: string,
  alias: string,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const ofRows = rowColumnAt(definition, path);
  const inner = `${alias}p`;
  if (ofRows)
    return sql`${sql.id(alias, 'id')} in (select ${sql.id(inner, rowColumns.parent)}
      from ${sql.id('public', rowDefinition(definition, ofRows.field).table)} ${sql.id(inner)}
      where ${sql.id(inner, ofRows.column.name)} = ${id})`;
  const field: Field = fieldOf(definition, path);
  if (!isRelations(field)) return sql`${sql.id(alias, field.name)} = ${id}`;
  return sql`${sql.id(alias, 'id')} in (select ${sql.id(inner, 'record_id')}
    from ${sql.id('public', pairTable(definition, field))} ${sql.id(inner)} where ${sql.id(inner, 'target_id')} = ${id})`;
}

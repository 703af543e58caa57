import { sql, type RawBuilder } from 'kysely';
import type { Definition, FieldOf } from '../../engine/definitions/definition';
import { rowColumns, rowDefinition } from '../../engine/definitions/row-definition';
import { columnTypeOf } from '../../engine/field-types';
import { literal, textSql } from './compare-sql';

const { id, parent, position } = rowColumns;

/** The rows of a field in the record `alias`: the items of a subquery, with the rows under the alias `rows`. */
export function rowsOfRecord(definition: Definition, field: FieldOf<'rows'>, alias: string, rows: string) {
  return {
    from: sql`${sql.id('public', rowDefinition(definition, field).table)} ${sql.id(rows)}`,
    where: sql`${sql.id(rows, parent)} = ${sql.id(alias, id)}`,
    order: sql`${sql.id(rows, position)}, ${sql.id(rows, id)}`,
  };
}

/** The rows of a field in the record `alias` in their order, as JSON: `row` is the object of one, under its alias. */
export function rowsJson(
  definition: Definition,
  field: FieldOf<'rows'>,
  alias: string,
  row: (rows: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const rows = 'row';
  const { from, where, order } = rowsOfRecord(definition, field, alias, rows);
  return sql`(select coalesce(json_agg(${row(rows)} order by ${order}), '[]'::json) from ${from} where ${where})`;
}

/** The rows as they are stored, with their ids. */
export function storedRowsSql(definition: Definition, field: FieldOf<'rows'>, alias: string): RawBuilder<unknown> {
  return rowsJson(definition, field, alias, (rows) => {
    const cells = Object.values(field.columns).flatMap((column) => {
      const columnType = columnTypeOf(column);
      if (columnType === null) return [];
      const cell = sql.id(rows, column.name);
      // JSON has instants in another form than records do.
      const value = columnType === 'timestamptz(3)' ? textSql({ sql: cell, columnType }) : cell;
      return [sql`${literal(column.name)}, ${value}`];
    });
    return sql`json_build_object(${sql.join([sql`${literal(id)}, ${sql.id(rows, id)}`, ...cells])})`;
  });
}

import { sql, type RawBuilder } from 'kysely';
import type { Definition, FieldOf } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { insertedField, rowColumns, rowDefinition } from '../../engine/field-types/row-definition';
import { inSameCompany } from './same-company';

/** Rows of a field, and instead of those that insert a record the rows of that record. */
export interface ExpandedRows {
  /** The items of a query: `t` is the row of the record itself. */
  readonly from: RawBuilder<unknown>;
  /** The value in a column, whichever row has it. */
  cell(column: string): RawBuilder<unknown>;
  /** The order of the rows of one record. */
  readonly order: RawBuilder<unknown>;
}

/**
 * The rows of a field as they are read, as parts of a query. A record without rows leaves
 * an empty one, which readers drop.
 *
 * @example
 * const { from, cell, order } = expandedRowsSql(registry, testCases, steps);
 * sql`select ${cell('action')} from ${from} where t.parent_id = 7 order by ${order}`;
 */
export function expandedRowsSql(registry: Registry, definition: Definition, field: FieldOf<'rows'>): ExpandedRows {
  const ownRows = sql`${sql.id('public', rowDefinition(definition, field).table)} t`;
  const rowOrder = (alias: string) => sql`${sql.id(alias, rowColumns.position)}, ${sql.id(alias, rowColumns.id)}`;
  if (!field.insertedRows) return { from: ownRows, cell: (column) => sql.id('t', column), order: rowOrder('t') };
  const target = insertedField(registry, field);
  const relationColumn = sql.id('t', field.insertedRows.by);
  // One without a record has one line of its own, one with a record as many as that has rows.
  const insertedRows = sql`select * from ${sql.id('public', rowDefinition(target.definition, target.field).table)} i
    where ${sql.id('i', rowColumns.parent)} = ${relationColumn}${inSameCompany('i', 't', definition, target.definition)}`;
  const fromSql = sql`${ownRows} left join lateral (${insertedRows}) s on true`;
  return {
    from: fromSql,
    cell: (column) =>
      Object.hasOwn(target.field.columns, column)
        ? sql`case when ${relationColumn} is null then ${sql.id('t', column)} else ${sql.id('s', column)} end`
        : sql.id('t', column),
    order: sql`${rowOrder('t')}, ${rowOrder('s')}`,
  };
}

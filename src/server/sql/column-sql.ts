import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { computedKind } from '../../engine/conditions/computed-kind';
import { columnTypeOf, fieldTypeOf } from '../../engine/field-types';
import { isRelations } from '../../engine/field-types/relations';
import { isRows } from '../../engine/field-types/rows';
import { pairTable } from '../database/identifiers';
import { inSameCompany } from './same-company';
import { computedPredicate, templateSql, UnstoredFieldError, storedRowsSql } from './operands';
import type { StatementContext } from './computed-sql';
import { computedFieldSql, predicateToSql } from './predicate-to-sql';

/**
 * The value of a field in a row: its column or what it is computed from; for a many-relation field, an array of ids; for
 * rows, these as JSON.
 * `evaluationContext` provides the variables of computed conditions; it may be null only if the field is not computed.
 * Throws UnstoredFieldError if the field has no stored value.
 */
export function columnSql(
  definition: Definition,
  field: Field,
  alias: string,
  registry: Registry,
  evaluationContext: StatementContext | null,
): RawBuilder<unknown> {
  if (typeof field.computed === 'string') return templateSql(definition, field.computed, alias, registry);
  const kind = computedKind(field);
  if (kind !== undefined && kind !== 'template' && kind !== 'condition')
    return computedFieldSql(definition, field, alias, registry, evaluationContext);
  if (field.computed) {
    const computedCondition = computedPredicate(field, evaluationContext);
    return sql`((${predicateToSql(computedCondition, definition, alias, registry, evaluationContext)}) is true)`;
  }
  if (isRelations(field) && !field.virtual) {
    return sql`array(select pair.target_id from ${sql.id('public', pairTable(definition, field))} pair
      where pair.record_id = ${sql.id(alias, 'id')}${inSameCompany('pair', alias, definition)} order by pair.target_id)`;
  }
  if (isRows(field)) return storedRowsSql(definition, field, alias);
  if (columnTypeOf(field) === null) throw new UnstoredFieldError(definition, field.name);
  return sql.id(alias, field.name);
}

/**
 * The value of a field in a row as sent in responses: a duration as hours and minutes (`1.30`), a time of day with its
 * date, everything else as in `columnSql`.
 */
export function responseSql(
  definition: Definition,
  field: Field,
  alias: string,
  registry: Registry,
  evaluationContext: StatementContext | null,
): RawBuilder<unknown> {
  const value = columnSql(definition, field, alias, registry, evaluationContext);
  if (field.dateField === undefined) return formattedSql(field, value);
  const day = sql.id(alias, field.dateField);
  const time = formattedSql(field, value);
  // A time that ends at midnight ends on the next day.
  const date = field.laterThan === undefined ? day : sql`(${day} + (${value} <> ${time})::integer)`;
  return sql`(coalesce(to_char(${date}, 'YYYY-MM-DD ') , '') || ${time})`;
}

/** A stored value in the form that its type has in responses. */
export function formattedSql(field: Field, value: RawBuilder<unknown>): RawBuilder<unknown> {
  const { responseSql: format } = fieldTypeOf(field);
  if (!format) return value;
  // The type writes text, so the value's expression takes the place of a mark that no SQL contains.
  const parts = format('\0').split('\0');
  return sql.join(
    parts.flatMap((part, index) => (index === 0 ? [sql.raw(part)] : [value, sql.raw(part)])),
    sql``,
  );
}

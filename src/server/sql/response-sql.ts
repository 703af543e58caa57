import { sql, type RawBuilder } from 'kysely';
import type { EvaluationContext } from '../../engine/conditions/variables';
import type { Definition, Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { columnSql } from './column-sql';

/**
 * The value of a field in a row as sent in responses: a duration as hours and minutes (`1.30`), a time of day with its
 * date, everything else as in `columnSql`.
 */
export function responseSql(
  definition: Definition,
  field: Field,
  alias: string,
  registry: Registry,
  evaluationContext: EvaluationContext | null,
): RawBuilder<unknown> {
  const value = columnSql(definition, field, alias, registry, evaluationContext);
  if (field.type === 'duration') return hoursSql(value);
  if (field.on === undefined) return value;
  const day = sql.id(alias, field.on);
  return sql`(coalesce(to_char(${day}, 'YYYY-MM-DD ') , '') || ${value})`;
}

/** Minutes as sent in responses: hours before the point, minutes after it. */
export function hoursSql(minutes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`((${minutes} / 60)::text || '.' || lpad((${minutes} % 60)::text, 2, '0'))`;
}

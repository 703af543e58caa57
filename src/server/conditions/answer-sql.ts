import { sql, type RawBuilder } from 'kysely';
import type { Surroundings } from '../../engine/conditions/variables';
import type { Definition, Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { columnSql } from './column-sql';

/**
 * The value of a field in a row as it is answered: a duration as hours and minutes (`1.30`), a time of a day with its
 * day; everything else as `columnSql` has it.
 */
export function answerSql(
  definition: Definition,
  field: Field,
  alias: string,
  registry: Registry,
  surroundings: Surroundings | null,
): RawBuilder<unknown> {
  const value = columnSql(definition, field, alias, registry, surroundings);
  if (field.type === 'duration') return hoursSql(value);
  if (field.on === undefined) return value;
  const day = sql.id(alias, field.on);
  return sql`(coalesce(to_char(${day}, 'YYYY-MM-DD ') , '') || ${value})`;
}

/** Minutes as they are answered: hours before the point, minutes behind it. */
export function hoursSql(minutes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`((${minutes} / 60)::text || '.' || lpad((${minutes} % 60)::text, 2, '0'))`;
}

import { sql } from 'kysely';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import type { FieldErrors } from '../../engine/validation/validate-values';
import type { Queries } from '../database/database';

/** Limits how far a chain is followed, in case stored data contains a cycle. */
const MAX_CHAIN = 100;

/** Checks relations of a resource to itself: no record below itself, and no more levels than the definition allows. */
export async function nestingErrors(
  definition: Definition,
  values: ResourceRecord,
  changed: ReadonlySet<string>,
  trx: Queries,
): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  for (const field of Object.values(definition.fields)) {
    const parent = values[field.name];
    if (field.type !== 'relation' || field.to !== definition.name || field.system) continue;
    if (typeof parent !== 'number' || !changed.has(field.name)) continue;
    const error = await nestingError(definition, field, parent, (values.id as number | undefined) ?? null, trx);
    if (error) errors[field.name] = error;
  }
  return errors;
}

async function nestingError(
  definition: Definition,
  field: Field,
  parent: number,
  id: number | null,
  trx: Queries,
): Promise<string | undefined> {
  const one = definition.labels.one.toLowerCase();
  if (parent === id) return `A ${one} cannot be placed below itself.`;
  const [table, name] = [sql.id('public', definition.table), sql.id(field.name)];
  const { rows } = await sql<{ above: number; circle: boolean; below: number }>`
    with recursive up (id, depth) as (
      select ${parent}::integer, 1
      union all
      select t.${name}, up.depth + 1 from up join ${table} t on t.id = up.id
      where t.${name} is not null and up.depth < ${sql.lit(MAX_CHAIN)}
    ), down (id, depth) as (
      select ${id}::integer, 0
      union all
      select t.id, down.depth + 1 from down join ${table} t on t.${name} = down.id
      where down.depth < ${sql.lit(MAX_CHAIN)}
    )
    select (select max(depth) from up)::integer as above, (select max(depth) from down)::integer as below,
      coalesce((select bool_or(up.id = ${id}::integer) from up), false) as circle`.execute(trx);
  const { above, below, circle } = rows[0]!;
  if (circle) return `A ${one} cannot be placed below itself.`;
  if (field.maxDepth !== undefined && above + 1 + below > field.maxDepth) {
    return `${definition.labels.many} can be nested at most ${field.maxDepth} levels deep.`;
  }
  return undefined;
}

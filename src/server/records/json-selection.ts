import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field } from '../../engine/definitions/definition';
import { columnOf } from '../../engine/field-types';
import { readableFields } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { answerSql } from '../conditions/answer-sql';
import { fieldOfEmbed, knownTitleSql, mayBeOutside } from '../conditions/columns';
import { asText } from '../conditions/compare-sql';
import { pairTable } from '../database/names';
import { literal } from '../conditions/text-sql';

/** The related record of a relation in the row `alias`, as JSON: id, title, and what the field asks for besides. */
export function embedObject(context: RequestContext, field: Field, alias: string, depth: number): RawBuilder<unknown> {
  const target = context.registry.need(field.to!);
  const inner = `e${depth}`;
  return sql`(select ${jsonObject(context, target, field.embedFields, inner, depth)}
    from ${sql.id('public', target.table)} ${sql.id(inner)} where ${sql.id(inner, 'id')} = ${sql.id(alias, field.name)})`;
}

/** The related records of a field of many, as a JSON array in the order of their ids. */
export function relatedObjects(
  context: RequestContext,
  definition: Definition,
  field: Field,
  alias: string,
): RawBuilder<unknown> {
  const target = context.registry.need(field.to!);
  return sql`(select coalesce(json_agg(${jsonObject(context, target, field.embedFields, 'e0', 0)} order by e0.id), '[]'::json)
    from ${sql.id('public', pairTable(definition, field))} p
    join ${sql.id('public', target.table)} e0 on e0.id = p.target_id
    where p.record_id = ${sql.id(alias, 'id')})`;
}

/**
 * A row as a JSON object: id, title, and the named fields or embeds, as far as the caller may read them. Of whoever
 * belongs to the installation, readers in companies get the id and no name.
 */
export function jsonObject(
  context: RequestContext,
  definition: Definition,
  names: readonly string[],
  alias: string,
  depth: number,
): RawBuilder<unknown> {
  const readable = readableFields(context.actor, definition, 'view').always;
  const isOutside = context.actor.level !== 1 && mayBeOutside(definition) && sql`${sql.id(alias, 'site_id')} is null`;
  const parts = [...new Set(['id', definition.titleField, ...names])].flatMap((name) => {
    const field = definition.fields[name] ?? fieldOfEmbed(definition, name);
    if (!field || !readable.has(field.name)) return [];
    if (name === definition.titleField && isOutside)
      return [sql`${literal(name)}, ${knownTitleSql(context.actor, definition, alias, context.registry)}`];
    const value = jsonValue(context, definition, field, name, alias, depth);
    if (!value) return [];
    return [sql`${literal(name)}, ${isOutside && name !== 'id' ? sql`case when not ${isOutside} then ${value} end` : value}`]; // prettier-ignore
  });
  return sql`json_build_object(${sql.join(parts)})`;
}

function jsonValue(
  context: RequestContext,
  definition: Definition,
  field: Field,
  name: string,
  alias: string,
  depth: number,
): RawBuilder<unknown> | undefined {
  if (field.type === 'relation' && field.embed === name) return embedObject(context, field, alias, depth + 1);
  const type = columnOf(field);
  if (type === null && field.computed === undefined && field.type !== 'relations') return undefined;
  if (field.type === 'shareLink') return undefined;
  const value = answerSql(definition, field, alias, context.registry, field.computed ? context.surroundings : {});
  return type === 'timestamptz(3)' ? asText({ sql: value, type }) : value;
}

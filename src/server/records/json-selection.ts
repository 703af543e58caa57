import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field } from '../../engine/definitions/definition';
import { templateFields } from '../../engine/definitions/labels';
import { columnOf } from '../../engine/field-types';
import { readableFields } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { answerSql } from '../conditions/answer-sql';
import { fieldOfEmbed, knownTitleSql, mayBeOutside } from '../conditions/columns';
import { asText } from '../conditions/compare-sql';
import { pairTable } from '../database/names';
import { literal } from '../conditions/text-sql';

/** The related record of a relation in the row `alias`, as JSON: id, title, and the field's `embedFields`. */
export function embedObject(context: RequestContext, field: Field, alias: string, depth: number): RawBuilder<unknown> {
  const target = context.registry.need(field.to!);
  return objectAt(field, target, alias, depth, (inner) => jsonObject(context, target, field.embedFields, inner, depth));
}

function objectAt(
  field: Field,
  target: Definition,
  alias: string,
  depth: number,
  object: (inner: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const inner = `e${depth}`;
  return sql`(select ${object(inner)}
    from ${sql.id('public', target.table)} ${sql.id(inner)} where ${sql.id(inner, 'id')} = ${sql.id(alias, field.name)})`;
}

/** The related records of a many-relation field, as a JSON array ordered by id. */
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
 * A row as a JSON object: id, title, and the named fields or embeds that the caller may read. Of records that belong to
 * the installation, companies get the id and a placeholder title.
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
  const titled = titleParts(definition);
  const parts = [...new Set(['id', definition.titleField, ...titled.keys(), ...names])].flatMap((name) => {
    const field = definition.fields[name] ?? fieldOfEmbed(definition, name);
    if (!field || !readable.has(field.name)) return [];
    if (name === definition.titleField && isOutside)
      return [sql`${literal(name)}, ${knownTitleSql(context.actor, definition, alias, context.registry)}`];
    const inTitle = names.includes(name) ? undefined : titled.get(name);
    const value = inTitle?.length
      ? titleObject(context, field, inTitle, alias, depth)
      : jsonValue(context, definition, field, name, alias, depth);
    if (!value) return [];
    return [
      sql`${literal(name)}, ${isOutside && name !== 'id' ? sql`case when not ${isOutside} then ${value} end` : value}`,
    ];
  });
  return sql`json_build_object(${sql.join(parts)})`;
}

/** The fields that a title is made of, each with the fields of its embed that the title uses: `{client.name}`. */
function titleParts({ recordTitle }: Definition): Map<string, string[]> {
  const parts = new Map<string, string[]>();
  for (const path of templateFields(recordTitle)) {
    const [name, inner] = path.split('.', 2) as [string, string | undefined];
    parts.set(name, [...(parts.get(name) ?? []), ...(inner === undefined ? [] : [inner])]);
  }
  return parts;
}

/** Only the fields of a related record that a title uses: the titles of two resources may refer to each other. */
function titleObject(
  context: RequestContext,
  relation: Field,
  names: readonly string[],
  alias: string,
  depth: number,
): RawBuilder<unknown> {
  const target = context.registry.need(relation.to!);
  const readable = readableFields(context.actor, target, 'view').always;
  return objectAt(relation, target, alias, depth + 1, (inner) => {
    const parts = [...new Set(['id', ...names])].flatMap((name) => {
      const field = target.fields[name];
      const value = field && readable.has(name) && jsonValue(context, target, field, name, inner, depth + 1);
      return value ? [sql`${literal(name)}, ${value}`] : [];
    });
    return sql`json_build_object(${sql.join(parts)})`;
  });
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
  const value = answerSql(definition, field, alias, context.registry, field.computed ? context.surroundings : null);
  return type === 'timestamptz(3)' ? asText({ sql: value, type }) : value;
}

import { sql, type RawBuilder } from 'kysely';
import {
  isAnyRelation,
  type AnyRelationField,
  type Definition,
  type Field,
  type FieldOf,
} from '../../engine/definitions/definition';
import { templateFields } from '../../engine/definitions/labels';
import { columnTypeOf } from '../../engine/field-types';
import { readableFields } from '../access/readable-fields';
import type { RequestContext } from '../access/request-context';
import { responseSql } from '../sql/response-sql';
import { findEmbedField, visibleTitleSql, mayBelongToInstallation } from '../sql/operands';
import { textSql } from '../sql/compare-sql';
import { pairTable } from '../database/identifiers';
import { literal } from '../sql/text-sql';

/** The related record of a relation in the row `alias`, as JSON: id, title, and the field's `embedFields`. */
export function embedJson(
  context: RequestContext,
  field: FieldOf<'relation'>,
  alias: string,
  depth: number,
): RawBuilder<unknown> {
  const target = context.registry.getOrThrow(field.to);
  return relatedRowJson(field, target, alias, depth, (inner) =>
    rowJson(context, target, field.embedFields, inner, depth),
  );
}

function relatedRowJson(
  field: AnyRelationField,
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
export function relatedRecordsJson(
  context: RequestContext,
  definition: Definition,
  field: FieldOf<'relations'>,
  alias: string,
): RawBuilder<unknown> {
  const target = context.registry.getOrThrow(field.to);
  return sql`(select coalesce(json_agg(${rowJson(context, target, field.embedFields, 'e0', 0)} order by e0.id), '[]'::json)
    from ${sql.id('public', pairTable(definition, field))} p
    join ${sql.id('public', target.table)} e0 on e0.id = p.target_id
    where p.record_id = ${sql.id(alias, 'id')})`;
}

/**
 * A row as a JSON object: id, title, and the named fields or embeds that the caller may read. Of records that belong to
 * the installation, companies get the id and a placeholder title.
 */
export function rowJson(
  context: RequestContext,
  definition: Definition,
  names: readonly string[],
  alias: string,
  depth: number,
): RawBuilder<unknown> {
  const readable = readableFields(context.actor, definition, 'view').always;
  const isOutside =
    context.actor.level !== 1 && mayBelongToInstallation(definition) && sql`${sql.id(alias, 'site_id')} is null`;
  const titled = titleEmbeds(definition);
  const parts = [...new Set(['id', definition.titleField, ...titled.keys(), ...names])].flatMap((name) => {
    const field = definition.fields[name] ?? findEmbedField(definition, name);
    if (!field || !readable.has(field.name)) return [];
    if (name === definition.titleField && isOutside)
      return [sql`${literal(name)}, ${visibleTitleSql(context.actor, definition, alias, context.registry)}`];
    const inTitle = names.includes(name) ? undefined : titled.get(name);
    const value =
      inTitle?.length && isAnyRelation(field)
        ? titleJson(context, field, inTitle, alias, depth)
        : fieldJson(context, definition, field, name, alias, depth);
    if (!value) return [];
    return [
      sql`${literal(name)}, ${isOutside && name !== 'id' ? sql`case when not ${isOutside} then ${value} end` : value}`,
    ];
  });
  return sql`json_build_object(${sql.join(parts)})`;
}

/** The fields that a title is made of, each with the fields of its embed that the title uses: `{client.name}`. */
function titleEmbeds({ recordTitle }: Definition): Map<string, string[]> {
  const parts = new Map<string, string[]>();
  for (const path of templateFields(recordTitle)) {
    const [name, inner] = path.split('.', 2) as [string, string | undefined];
    parts.set(name, [...(parts.get(name) ?? []), ...(inner === undefined ? [] : [inner])]);
  }
  return parts;
}

/** Only the fields of a related record that a title uses: the titles of two resources may refer to each other. */
function titleJson(
  context: RequestContext,
  relation: AnyRelationField,
  names: readonly string[],
  alias: string,
  depth: number,
): RawBuilder<unknown> {
  const target = context.registry.getOrThrow(relation.to);
  const readable = readableFields(context.actor, target, 'view').always;
  return relatedRowJson(relation, target, alias, depth + 1, (inner) => {
    const parts = [...new Set(['id', ...names])].flatMap((name) => {
      const field = target.fields[name];
      const value = field && readable.has(name) && fieldJson(context, target, field, name, inner, depth + 1);
      return value ? [sql`${literal(name)}, ${value}`] : [];
    });
    return sql`json_build_object(${sql.join(parts)})`;
  });
}

function fieldJson(
  context: RequestContext,
  definition: Definition,
  field: Field,
  name: string,
  alias: string,
  depth: number,
): RawBuilder<unknown> | undefined {
  if (field.type === 'relation' && field.embed === name) return embedJson(context, field, alias, depth + 1);
  const type = columnTypeOf(field);
  if (type === null && field.computed === undefined && field.type !== 'relations') return undefined;
  if (field.type === 'shareLink') return undefined;
  const value = responseSql(
    definition,
    field,
    alias,
    context.registry,
    field.computed ? context.evaluationContext : null,
  );
  return type === 'timestamptz(3)' ? textSql({ sql: value, type }) : value;
}

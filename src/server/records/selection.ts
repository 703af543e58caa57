import { sql, type RawBuilder } from 'kysely';
import {
  isRelation,
  isRelations,
  type Definition,
  type Field,
  type FieldOf,
} from '../../engine/definitions/definition';
import { columnTypeOf } from '../../engine/field-types';
import { readableFields } from '../access/readable-fields';
import type { RequestContext } from '../access/request-context';
import { responseSql } from '../sql/response-sql';
import { columnSql } from '../sql/column-sql';
import { pairTable } from '../database/identifiers';
import { inverseCountSql, inverseFilter, inverseRecordsSql, inverseSumSql } from './inverse-selection';
import { shareLinkColumns } from './share-selection';
import { embedJson, relatedRecordsJson } from './json-selection';

/** A list or a single record: they include different related data. */
export type RecordView = 'list' | 'one';
/** Also a record that is being created: nothing refers to it yet, and it has no pairs. */
export type SelectionShape = RecordView | 'new';

/** The fields that the client requested, including the id; undefined: all. */
export type RequestedFields = ReadonlySet<string> | undefined;

/**
 * The columns of a response for a row `alias`: every field that the caller may read, and its embed as JSON beside each
 * relation. One statement loads a whole page, nothing is fetched row by row. `only` restricts it to the id and some
 * fields, whose relations then carry the titles of related records; `requestedFields` restricts it to some properties
 * of the response.
 */
export function selectionSql(
  context: RequestContext,
  definition: Definition,
  alias: string,
  kind: SelectionShape,
  only?: ReadonlySet<string>,
  requestedFields?: RequestedFields,
): RawBuilder<unknown> {
  const readable = readableFields(context.actor, definition, kind === 'list' ? 'list' : 'view').sometimes;
  const columns = Object.values(definition.fields)
    .filter((field) => readable.has(field.name) && !field.virtual)
    .filter((field) => !only || field.name === 'id' || only.has(field.name))
    .map((field) => (only ? withEmbed(field) : field))
    .flatMap((field) => columnsOf(context, definition, field, alias, kind))
    .filter(([name]) => !requestedFields || requestedFields.has(name));
  return sql.join(columns.map(([name, expression]) => sql`${expression} as ${sql.id(name)}`));
}

/** A relation that always has an embed, under its own name if none is defined. */
function withEmbed(field: Field): Field {
  if (isRelation(field)) return { ...field, embed: field.embed ?? field.name };
  return isRelations(field) ? { ...field, embed: field.embed ?? field.name, inLists: 'records' } : field;
}

type Column = readonly [name: string, expression: RawBuilder<unknown>];

function columnsOf(
  context: RequestContext,
  definition: Definition,
  field: Field,
  alias: string,
  kind: SelectionShape,
): readonly Column[] {
  if (field.type === 'inverse') return inverseColumns(context, field, alias, kind);
  if (field.type === 'relations') return relationsColumns(context, definition, field, alias, kind);
  if (field.computed === undefined && columnTypeOf(field) === null) return [];
  if (field.type === 'shareLink') return shareLinkColumns(context, definition, field, alias);
  const own: Column = [
    field.name,
    responseSql(definition, field, alias, context.registry, field.computed ? context.evaluationContext : null),
  ];
  if (field.type !== 'relation' || !field.embed) return [own];
  const embed: Column = [field.embed, embedJson(context, field, alias, 0)];
  return field.embed === field.name ? [embed] : [own, embed];
}

const noRecords = sql`'[]'::json`;

function inverseColumns(
  context: RequestContext,
  field: FieldOf<'inverse'>,
  alias: string,
  kind: SelectionShape,
): readonly Column[] {
  if (kind === 'new') return inverseFilter(context, field) ? [[field.name, noRecords]] : [];
  if (kind === 'list' && field.inLists === 'nothing') return [];
  if (kind === 'one' || field.inLists === 'records') {
    const records = inverseRecordsSql(context, field, alias);
    return records ? [[field.name, records]] : [];
  }
  const count = inverseCountSql(context, field, alias);
  const sum = inverseSumSql(context, field, alias);
  return [...(count ? [[field.countAs, count] as const] : []), ...(sum ? [[field.sum!.name, sum] as const] : [])];
}

function relationsColumns(
  context: RequestContext,
  definition: Definition,
  field: FieldOf<'relations'>,
  alias: string,
  kind: SelectionShape,
): readonly Column[] {
  if (kind === 'new' && field.computed === undefined) {
    if (!field.embed) return [[field.name, sql`'{}'::integer[]`]];
    return field.embed === field.name
      ? [[field.name, noRecords]]
      : [
          [field.name, sql`'{}'::integer[]`],
          [field.embed, noRecords],
        ];
  }
  const ids: Column = [field.name, columnSql(definition, field, alias, context.registry, null)];
  const pairs = sql.id('public', pairTable(definition, field));
  if (kind === 'list' && field.inLists === 'count') {
    const count = sql`(select count(*)::integer from ${pairs} p where p.record_id = ${sql.id(alias, 'id')})`;
    return [ids, [field.countAs, count]];
  }
  if (!field.embed || (kind === 'list' && field.inLists !== 'records')) return [ids];
  const records = relatedRecordsJson(context, definition, field, alias);
  return field.embed === field.name ? [[field.name, records]] : [ids, [field.embed, records]];
}

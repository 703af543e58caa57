import { normaliseText } from '../../../engine/values/normalise-text';
import { sql } from 'kysely';
import type { Definition } from '../../../engine/definitions/definition';
import { parseId } from '../../../engine/field-types/relation';
import { isComparedText } from '../../../engine/field-types/text';
import { minComparedLength, narrowingFields } from '../../../engine/forms/similar-records';
import { isStorable } from '../../../engine/values/storable';
import { accessFilter, readableFields } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import { BadRequest, NotFound } from '../../errors/errors';
import { visibleTitleSql } from '../../sql/operands';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { sequenceFields } from '../../sync/sequences';
import { assertCanCreateOrEdit, titleFields } from '../choices/choices';
import type { Query } from './query/list-query';
import { ownProperty } from '../../../engine/values/lookups';

/** A record whose text is similar. */
export interface SimilarRecord {
  readonly id: number;
  readonly title: string;
  readonly key: string | null;
  /** In per cent. */
  readonly similarity: number;
}

/** How many are named. */
const maxSimilar = 5;
/** From this length on, records are named that contain the text or nearly so: it may be the beginning of a longer one. */
const minPartLength = 10;
/** From 0 to 1: how similar whole texts must be, and how similar the text must be to a part of the other. */
const [minWhole, minPart] = [0.45, 0.8];

/**
 * `GET r/similar/{field}?text=…`: the records that the caller may list whose text in the field is similar, the most similar
 * first, for callers who may create or edit. `record` is left out; relations that are `within`, and the company, narrow the
 * search to records with the same. One statement, by the trigram index of the field.
 *
 * @example await listSimilar({ context, definition: deals }, 'name', { text: 'Annual licence', company_id: '7' });
 */
export async function listSimilar(
  { context, definition }: RecordScope,
  fieldName: string,
  { text, record, ...rest }: Query,
): Promise<readonly SimilarRecord[]> {
  assertCanCreateOrEdit(context, definition);
  const readable = readableFields(context.actor, definition).always;
  const field = ownProperty(definition.fields, fieldName);
  if (!field || !isComparedText(field) || !readable.has(field.name)) throw new NotFound();
  const filter = accessFilter(context, definition, 'list');
  if (typeof text !== 'string' || text.length > 500 || !isStorable(text))
    throw new BadRequest('text must be a text of at most 500 characters.');
  const relationValues = Object.entries(rest).map(([name, value]) => parseSame(definition, readable, name, value));
  const excludedId = record === undefined ? undefined : parseIdOrThrow('record', record);
  const searchText = normaliseText(text);
  if (searchText.length < minComparedLength || !titleFields(definition).every((name) => readable.has(name))) return [];

  const { registry, evaluationContext, actor, program } = context;
  const column = sql.id('t', field.name);
  const key = sequenceFields(definition).find(({ name }) => readable.has(name));
  const wholeSimilarity = sql`similarity(${column}, ${searchText}::text)`;
  const part = searchText.length < minPartLength ? sql`0` : sql`word_similarity(${searchText}::text, ${column})`;
  const conditions = [
    predicateToSql(filter, definition, 't', registry, evaluationContext),
    // The operators are those of the index; the functions are stricter than their thresholds.
    sql`(${column} % ${searchText}::text or ${searchText}::text <% ${column})`,
    sql`(${wholeSimilarity} >= ${minWhole}::float8 or ${part} >= ${minPart}::float8)`,
    ...relationValues.map(({ name, id }) => sql`${sql.id('t', name)} = ${id}::bigint`),
    ...(excludedId === undefined ? [] : [sql`t.id <> ${excludedId}::bigint`]),
  ];
  const { rows } = await sql<SimilarRecord>`select t.id,
      coalesce(nullif(${visibleTitleSql(actor, definition, 't', registry)}, ''), '#' || t.id) as title,
      ${key ? sql.id('t', key.name) : sql`null::text`} as key,
      round(100 * greatest(${wholeSimilarity}, 0.9 * ${part}))::integer as similarity
    from ${sql.id('public', definition.table)} t where ${sql.join(conditions, sql` and `)}
    order by similarity desc, t.id desc limit ${sql.lit(maxSimilar)}`.execute(program.database.kysely);
  return rows;
}

function parseSame(
  definition: Definition,
  readable: ReadonlySet<string>,
  name: string,
  value: unknown,
): { name: string; id: number } {
  if (!narrowingFields(definition).some((field) => field.name === name && readable.has(name)))
    throw new BadRequest(`Similar records cannot be narrowed by ${name.slice(0, 60)}.`, 'UNKNOWN_FILTER');
  return { name, id: parseIdOrThrow(name, value) };
}

function parseIdOrThrow(name: string, value: unknown): number {
  const id = typeof value === 'string' ? parseId(value) : undefined;
  if (id === undefined) throw new BadRequest(`${name} must be an id such as 7.`);
  return id;
}

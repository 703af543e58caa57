import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import { decide } from '../../engine/access/decide';
import { expandParameters } from '../../engine/conditions/parameters';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { templateFields } from '../../engine/definitions/labels';
import { readId } from '../../engine/field-types/relation';
import { isStorable } from '../../engine/validation/storable';
import { allOf, existing, present, resolved, ruleWhere } from '../access/reach';
import { readableFields } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { companyScope, referenceScope } from '../access/scope';
import { predicateToSql } from '../conditions/to-sql';
import { BadRequest, NotFound, Refused } from '../errors/errors';
import { toldOf } from './choice-detail';
import { listWhere, type Page } from './list';
import { mostRecent, nearRows } from './near-rows';
import { offeredPage } from './offered';
import { readListQuery, type Query } from './query/list-query';
import { mostRows, readRange, type Range } from './query/range';
import { readValue } from './query/values';

/**
 * The records that a field of a record of `company` may refer to, given the record's values `form`: of its company or
 * the installation, neither deleted nor archived, within the row rules of the target, and matching the field's
 * `choices`. Selects, validation and imports all use this predicate.
 */
export function choosable(
  context: RequestContext,
  field: Field,
  company: number | null | undefined,
  form: ResourceRecord,
): Predicate {
  const target = context.registry.need(field.to!);
  const choices = field.choices && expandParameters(field.choices, target);
  return allOf([
    companyScope(context.actor, target),
    ...(company === undefined ? [] : [referenceScope(company, target)]),
    existing(target),
    present(context.registry, target),
    ruleWhere(context, target, 'view'),
    ...(choices ? [resolved(choices, { ...context.surroundings, form, record: form })] : []),
  ]);
}

/**
 * `GET r/choices/{field}`: ids and titles of the records that a field may refer to, for callers who may create or edit.
 * Query parameters are `q`, `range`, `id` (only these), `record` (the id of the edited record, which is excluded along
 * with everything below it), `near` (recently chosen ids, newest first; `0` for the target's own order only), and
 * fields of the record, for choices that depend on them or are sorted by nearness.
 */
export async function listChoices(
  context: RequestContext,
  definition: Definition,
  fieldName: string,
  query: Query,
): Promise<Page> {
  mustCreateOrEdit(context, definition);
  const field = Object.hasOwn(definition.fields, fieldName) ? definition.fields[fieldName]! : undefined;
  if (!field?.to) throw new NotFound();
  const { registry, surroundings: evaluationContext } = context;
  const target = registry.need(field.to);
  const { q, range, id, ...others } = query;
  const { record, rest } = withoutRecord(definition, others);
  const { near, rest: values } = withoutNear(definition, rest);
  const form = readForm(context, definition, values);
  const ids = id === undefined ? [] : [anyOf(id)];
  const where = allOf([choosable(context, field, companyOf(context, definition, form), form), ...ids]);
  const search = searched(q);
  const narrowed = Object.entries(field.choices ?? {}).filter(([, value]) => typeof value !== 'object');
  return offeredPage(context.program, {
    target,
    registry,
    where: sql`${predicateToSql(where, target, 't', registry, evaluationContext)}${apart(definition, field, record)}`,
    titled: true,
    search,
    near: near && !search && id === undefined ? nearRows(context, target, near, { definition, field, form }) : [],
    told: toldOf(context, target, { same: narrowed.map(([name]) => name), embedded: field.embedFields }),
    range: rangeIn(range),
  });
}

/**
 * `GET r/choices`: ids and titles of the records that the caller may list, for filters. Query parameters are those of
 * the list, and `near`.
 */
export async function listOffered(context: RequestContext, definition: Definition, query: Query): Promise<Page> {
  const { near, rest } = withoutNear(definition, query);
  const listQuery = readListQuery(context, definition, rest);
  const { registry, surroundings: evaluationContext, actor } = context;
  const where = listWhere(context, definition, listQuery);
  const readable = readableFields(actor, definition).always;
  const isNear = near && listQuery.search === undefined && rest.id === undefined;
  return offeredPage(context.program, {
    target: definition,
    registry,
    where: predicateToSql(where, definition, 't', registry, evaluationContext),
    titled: titleParts(definition).every((name) => readable.has(name)),
    search: listQuery.search,
    near: isNear ? nearRows(context, definition, near) : [],
    told: toldOf(context, definition),
    range: listQuery.range ?? rangeIn(undefined),
  });
}

/** The fields that a title is made of. */
function titleParts({ recordTitle, fields }: Definition): string[] {
  return templateFields(recordTitle).map((path) => {
    const [first] = path.split('.') as [string];
    return Object.hasOwn(fields, first)
      ? first
      : (Object.values(fields).find(({ embed }) => embed === first)?.name ?? first);
  });
}

function rangeIn(range: unknown): Range {
  return range === undefined ? { limit: mostRows, offset: 0 } : readRange(range);
}

/** Extracts the parameter `record`, unless a field has that name. */
function withoutRecord(definition: Definition, query: Query): { record?: number; rest: Query } {
  if (query.record === undefined || Object.hasOwn(definition.fields, 'record')) return { rest: query };
  const { record: text, ...rest } = query;
  const record = typeof text === 'string' ? readId(text) : undefined;
  if (record === undefined) throw new BadRequest('record must be an id such as 7.');
  return { record, rest };
}

/**
 * Extracts the parameter `near`: recently chosen ids, or undefined if nothing is to come first. Unless a field has that
 * name.
 */
function withoutNear(definition: Definition, query: Query): { near?: readonly number[]; rest: Query } {
  const { near: text, ...rest } = query;
  if (text === undefined) return { near: [], rest };
  if (Object.hasOwn(definition.fields, 'near') || Object.hasOwn(definition.parameters, 'near'))
    return { near: [], rest: query };
  if (text === '0') return { rest };
  const ids = typeof text === 'string' ? text.split(',').map(readId) : [undefined];
  if (ids.includes(undefined) || ids.length > mostRecent)
    throw new BadRequest(`near must be 0, or at most ${mostRecent} ids such as 7,3.`);
  return { near: ids as number[], rest };
}

/** Excludes a record and everything below it, for a relation of a resource to itself. */
function apart(definition: Definition, field: Field, record: number | undefined): RawBuilder<unknown> {
  if (record === undefined || field.to !== definition.name || field.type !== 'relation') return sql``;
  return sql` and t.id not in (with recursive below (id) as (
      select ${record}::integer
      union select c.id from below join ${sql.id('public', definition.table)} c on ${sql.id('c', field.name)} = below.id
    ) select id from below)`;
}

function mustCreateOrEdit({ actor }: RequestContext, definition: Definition): void {
  const [create, edit] = [decide(actor, definition, 'create'), decide(actor, definition, 'edit')];
  if (create.allowed || edit.allowed) return;
  throw new Refused(edit.reason);
}

function companyOf(context: RequestContext, definition: Definition, form: ResourceRecord): number | null | undefined {
  if (definition.scope === 'installation') return null;
  if (context.actor.level !== 1) return context.actor.site_id;
  if (definition.scope === 'self' || form.site_id === undefined) return undefined;
  return form.site_id as number | null;
}

function searched(q: unknown): string | undefined {
  if (q === undefined) return undefined;
  if (typeof q !== 'string' || q.length > 500 || !isStorable(q))
    throw new BadRequest('q must be a text of at most 500 characters.');
  return q.trim() || undefined;
}

function anyOf(text: unknown): Predicate {
  const ids = typeof text === 'string' ? text.split(',').map(readId) : [undefined];
  if (ids.includes(undefined)) throw new BadRequest('id must be ids such as 1,2.');
  return { kind: 'compare', left: 'id', operator: '$in', right: ids };
}

/** The other values of the record, for choices that depend on them. An empty value means null. */
function readForm(context: RequestContext, definition: Definition, query: Query): ResourceRecord {
  const readable = readableFields(context.actor, definition).sometimes;
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const field = Object.hasOwn(definition.fields, name) && readable.has(name) ? definition.fields[name]! : undefined;
      if (!field) throw new BadRequest(`${definition.labels.many} have no field ${name.slice(0, 60)}.`);
      if (value === '' || value === 'null') return [name, null];
      return [name, readValue(name, field, value, true)];
    }),
  );
}

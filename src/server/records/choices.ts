import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import { decide } from '../../engine/access/decide';
import { expandParameters } from '../../engine/conditions/parameters';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { columnOf } from '../../engine/field-types';
import { readId } from '../../engine/field-types/relation';
import { choiceOrder } from '../../engine/lists/choice-order';
import { isStorable } from '../../engine/validation/storable';
import { allOf, existing, present, resolved, ruleWhere } from '../access/reach';
import { readableFields } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { companyScope, referenceScope } from '../access/scope';
import { patternOf } from '../conditions/compare-sql';
import { titleSql } from '../conditions/columns';
import { searchCondition, searchedFields } from '../conditions/search';
import { lowered } from '../conditions/text-sql';
import { predicateToSql } from '../conditions/to-sql';
import { BadRequest, NotFound, Refused } from '../errors/errors';
import type { Query } from './query/list-query';
import { readRange, mostRows } from './query/range';
import { readValue } from './query/values';
import { totalsOf } from './totals';
import type { Page } from './list';

/**
 * The targets that a record of `company` may refer to with a field, by the values `form` that it has, or is to have:
 * of its company or the installation, neither deleted nor archived, within the row rules of the target, and as the
 * field's `choices` say. The select, the check on writing and imports use this one predicate.
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
 * `GET r/choices/{field}`: ids and titles of what a field may be set to, open to whoever may create or edit. Query
 * names are `q`, `range`, `id` (those alone), `record` (the id of the record that is edited, which stands neither below
 * itself nor below what is below it), and fields of the record, for choices that depend on them.
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
  const target = context.registry.need(field.to);
  const { q, range, id, ...others } = query;
  const { record, rest } = withoutRecord(definition, others);
  const form = readForm(context, definition, rest);
  const ids = id === undefined ? [] : [anyOf(id)];
  const where = allOf([choosable(context, field, companyOf(context, definition, form), form), ...ids]);
  const { limit, offset } = range === undefined ? { limit: mostRows, offset: 0 } : readRange(range);

  const { registry, surroundings, program } = context;
  const title = titleSql(target, 't', registry);
  const reached = predicateToSql(where, target, 't', registry, surroundings);
  const matched = sql`${reached}${titled(target, title, registry, searched(q))}${apart(definition, field, record)}`;
  const table = sql.id('public', target.table);
  const { kysely } = program.database;
  const page = sql`select t.id, coalesce(${title}, '#' || t.id) as title from ${table} t where ${matched}
    order by ${offered(target, title)}, t.id limit ${limit}::integer offset ${offset}::integer`;
  const records = await program.database.named(page.compile(kysely));
  if (records.length < limit && (records.length > 0 || offset === 0))
    return { records, offset, total: offset + records.length };
  const count = sql`select count(*)::integer as total from ${table} t where ${matched}`.compile(kysely);
  return { records, offset, total: await totalsOf(program.database).count(count, registry) };
}

/** By the target's own order, where it has one; by title otherwise. */
function offered(target: Definition, title: RawBuilder<unknown>): RawBuilder<unknown> {
  const { field: name, order } = choiceOrder(target);
  const field = target.fields[name];
  const direction = sql.raw(order === 'DESC' ? 'desc' : 'asc');
  const column = field && field.computed === undefined && name !== target.titleField ? columnOf(field) : null;
  if (column === null) return sql`(${title}) collate "und-x-icu" ${direction}`;
  return column === 'text'
    ? sql`${sql.id('t', name)} collate "und-x-icu" ${direction}`
    : sql`${sql.id('t', name)} ${direction}`;
}

/**
 * Whether the title holds a text. Where the title is among the texts that lists search, those hold it too, and they have
 * an index.
 */
function titled(
  target: Definition,
  title: RawBuilder<unknown>,
  registry: Registry,
  text: string | undefined,
): RawBuilder<unknown> {
  if (text === undefined) return sql``;
  const holds = sql` and ${lowered(title)} like ${patternOf(text)}::text`;
  const isSearched = searchedFields(target).some(({ name }) => name === target.titleField);
  return isSearched ? sql`${holds} and ${searchCondition(target, 't', registry, text)}` : holds;
}

/** `record`, unless a field has that name. */
function withoutRecord(definition: Definition, query: Query): { record?: number; rest: Query } {
  if (query.record === undefined || Object.hasOwn(definition.fields, 'record')) return { rest: query };
  const { record: text, ...rest } = query;
  const record = typeof text === 'string' ? readId(text) : undefined;
  if (record === undefined) throw new BadRequest('record must be an id such as 7.');
  return { record, rest };
}

/** Leaves out a record and all that is below it, where a relation leads to its own resource. */
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
    throw new BadRequest('q must be a text of at most 500 letters.');
  return q.trim() || undefined;
}

function anyOf(text: unknown): Predicate {
  const ids = typeof text === 'string' ? text.split(',').map(readId) : [undefined];
  if (ids.includes(undefined)) throw new BadRequest('id must be ids such as 1,2.');
  return { kind: 'compare', left: 'id', operator: '$in', right: ids };
}

/** The other values of the record, as far as choices depend on them; an empty one is none. */
function readForm(context: RequestContext, definition: Definition, query: Query): ResourceRecord {
  const readable = readableFields(context.actor, definition).sometimes;
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const field = Object.hasOwn(definition.fields, name) && readable.has(name) ? definition.fields[name]! : undefined;
      if (!field) throw new BadRequest(`${definition.labels.many} have no field named ${name.slice(0, 60)}.`);
      if (value === '' || value === 'null') return [name, null];
      return [name, readValue(name, field, value, true)];
    }),
  );
}

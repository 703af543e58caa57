import { Level } from '../../../engine/definitions/level';
import { normaliseText } from '../../../engine/values/normalise-text';
import { sql } from 'kysely';
import type { Actor } from '../../../engine/access/actor';
import type { Predicate } from '../../../engine/conditions/grammar';
import { falsePredicate } from '../../../engine/conditions/variables';
import { decideAccess } from '../../../engine/access/access-decision';
import type { AnyRelationField, Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { rowDefinition } from '../../../engine/field-types/row-definition';
import { isRows } from '../../../engine/field-types/rows';
import { isAnyRelation, isRelation, isStateRelation } from '../../../engine/field-types/relation';
import { templateFields } from '../../../engine/definitions/labels';
import { parseId } from '../../../engine/field-types/relation';
import { isStorable } from '../../../engine/values/storable';
import { parseBoundedJson } from '../../../engine/values/bounded-json';
import {
  accessFilterIfGranted,
  allOf,
  archiveFilter,
  companyScope,
  readableFields,
  rowRuleFilter,
} from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { BadRequest, NotFound, Forbidden } from '../../errors/errors';
import { choiceDetailOf, type ChoiceCondition, maxRecentIds, nearRows, loadChoicePage } from './choice-page';
import { defaultLookupFilter } from '../write/filled-values';
import { listFilter, type Page } from '../read/list';
import { parseListQuery, type Query, maxRows, parseRange, type Range } from '../read/query/list-query';
import { parseFilterValue } from '../read/query/values';
import { sequenceFields } from '../../sync/sequences';
import {
  cachedChoiceFilter,
  choiceFilter,
  mayHaveMoreBelowSql,
  recordCompanyParameter,
  recordParameters,
} from '../write/references';
import { recordInRow } from '../../sql/same-company';
import { pointsToSql } from '../../sql/points-to';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { conditionKey, Placeholder } from '../read/statement-cache';
import { fieldOf } from '../../../engine/definitions/accessors';

/**
 * `GET r/choices/{field}`: ids and titles of the records that a field may refer to, for callers who may create or edit,
 * within the row rules of their list. A column of
 * rows is named with its field: `lines.product_id`. Query parameters are `q`, `range`, `id` (only these), `record` (the id of the edited record, which is excluded along
 * with everything below it), `near` (recently chosen ids, newest first; `0` for the target's own order only), `states` (of a field
 * with transitions, only records that are one of these states, as a list in JSON), `default` (1: only the record that a new
 * record gets by its `$lookup`, or none), `referred_by` (for filters: also deleted
 * records to which records refer by this relation, such as `deals.owner_id`), and
 * fields of the record, for choices that depend on them or are sorted by nearness.
 */
export async function listChoices(scope: RecordScope, fieldName: string, query: Query): Promise<Page> {
  const { context, definition } = scope;
  assertCanCreateOrEdit(context, definition);
  const { place: formDefinition, field, isCell } = choicePlace(definition, fieldName);
  if (!field?.to) throw new NotFound();
  const { registry } = context;
  const target = registry.getOrThrow(field.to);
  const { q, range, id, ...parameters } = query;
  const { record, rest } = extractRecord(definition, parameters);
  const { near: nearIds, rest: withoutNear } = extractNear(definition, rest);
  const { where: inStates, rest: withoutStates } = extractStates(definition, field, withoutNear);
  const { where: byDefault, rest: withoutDefault } = extractDefault(scope, field, withoutStates);
  const { uses, rest: values } = extractUses(context, definition, target, withoutDefault);
  const form = parseFormValues(context, formDefinition, values);
  const company = formCompany(context, definition, form);
  const parameter = company === undefined ? undefined : recordCompanyParameter(company);
  const filter = allOf([
    uses
      ? choiceFilter(context, field, parameter, form, { withDeleted: true })
      : cachedChoiceFilter(context, field, company, form),
    rowRuleFilter(context, target, 'list'),
    ...inStates,
    ...(byDefault ?? []),
  ]);
  const search = parseSearch(q);
  const fixedConditions = Object.entries(field.choices ?? {}).filter(([, value]) => typeof value !== 'object');
  const page = await loadChoicePage(context, {
    target,
    registry,
    where: filter,
    recordParameters: recordParameters(company ?? null, form),
    conditions: [
      ...(id === undefined ? [] : [chosenCondition(parseIds(id))]),
      ...excludeSubtree(definition, field, record),
      ...deepEnough(registry, definition, field),
      ...(uses ? [uses] : []),
    ],
    marksDeleted: uses !== undefined,
    isTitleReadable: true,
    keys: readableKeys(context, target),
    search,
    near:
      nearIds && !search && id === undefined && !isCell && !byDefault
        ? nearRows({ context, definition: target }, nearIds, { definition, field, form })
        : [],
    detail: choiceDetailOf(context, target, {
      same: fixedConditions.map(([name]) => name),
      embedded: field.embedFields,
    }),
    ...(field.transitionsBy !== undefined && { state: field.transitionsBy }),
    range: byDefault ? { limit: 2, offset: 0 } : parseRangeOrDefault(range),
  });
  return byDefault && page.records.length > 1 ? { ...page, records: [], total: 0 } : page;
}

interface ChoicePlace {
  /** The fields that the choices can depend on. */
  readonly place: Definition;
  readonly field?: Field | undefined;
  readonly isCell: boolean;
}

/** The field that is chosen for, or the column of rows (`lines.product_id`). */
function choicePlace(definition: Definition, name: string): ChoicePlace {
  const [first, column] = name.split('.', 2) as [string, string | undefined];
  const field = Object.hasOwn(definition.fields, first) ? definition.fields[first] : undefined;
  if (column === undefined || !field || !isRows(field))
    return { place: definition, field: column === undefined ? field : undefined, isCell: false };
  const rows = rowDefinition(definition, field);
  const company = definition.fields.site_id;
  const formDefinition = { ...rows, fields: { ...rows.fields, ...(company && { site_id: company }) } };
  return {
    place: formDefinition,
    field: Object.hasOwn(field.columns, column) ? field.columns[column] : undefined,
    isCell: true,
  };
}

/**
 * `GET r/choices`: ids and titles of the records that the caller may list, for filters. Query parameters are those of
 * the list, `near` and `referred_by` (a relation, such as `deals.owner_id`: also deleted records to which records of a list
 * refer by it).
 */
export async function listFilterChoices(context: RequestContext, definition: Definition, query: Query): Promise<Page> {
  const { near: nearIds, rest: withoutNear } = extractNear(definition, query);
  const { uses, rest } = extractUses(context, definition, definition, withoutNear);
  const listQuery = parseListQuery(context, definition, rest);
  const { registry, actor } = context;
  const listPredicate = listFilter(context, definition, listQuery);
  const filter = uses
    ? allOf([
        companyScope(actor, definition),
        rowRuleFilter(context, definition, 'list'),
        archiveFilter(registry, definition, listQuery.archived),
        listQuery.where,
      ])
    : listPredicate;
  const readable = readableFields(actor, definition).always;
  const isNear = nearIds && listQuery.search === undefined && rest.id === undefined;
  return loadChoicePage(context, {
    target: definition,
    registry,
    where: filter,
    conditions: uses ? [uses] : [],
    marksDeleted: uses !== undefined,
    isTitleReadable: titleFields(definition).every((name) => readable.has(name)),
    keys: readableKeys(context, definition),
    search: listQuery.search,
    near: isNear ? nearRows({ context, definition }, nearIds) : [],
    detail: choiceDetailOf(context, definition),
    range: listQuery.range ?? parseRangeOrDefault(undefined),
  });
}

function readableKeys({ actor }: RequestContext, target: Definition): Field[] {
  const readable = readableFields(actor, target).always;
  return sequenceFields(target).filter(({ name }) => readable.has(name));
}

/** The fields that a title is made of. */
export function titleFields({ recordTitle, fields }: Definition): string[] {
  return templateFields(recordTitle).map((path) => {
    const [first] = path.split('.') as [string];
    return Object.hasOwn(fields, first)
      ? first
      : (Object.values(fields).find(({ embed }) => embed === first)?.name ?? first);
  });
}

function parseRangeOrDefault(range: unknown): Range {
  return range === undefined ? { limit: maxRows, offset: 0 } : parseRange(range);
}

/** Extracts the parameter `record`, unless a field has that name. */
function extractRecord(definition: Definition, query: Query): { record?: number; rest: Query } {
  if (query.record === undefined || Object.hasOwn(definition.fields, 'record')) return { rest: query };
  const { record: text, ...rest } = query;
  const record = typeof text === 'string' ? parseId(text) : undefined;
  if (record === undefined) throw new BadRequest('record must be an id such as 7.');
  return { record, rest };
}

/**
 * Extracts the parameter `near`: recently chosen ids, or undefined if nothing is to come first. Unless a field has that
 * name.
 */
function extractNear(definition: Definition, query: Query): { near?: readonly number[]; rest: Query } {
  const { near: text, ...rest } = query;
  if (text === undefined) return { near: [], rest };
  if (Object.hasOwn(definition.fields, 'near') || Object.hasOwn(definition.parameters, 'near'))
    return { near: [], rest: query };
  if (text === '0') return { rest };
  const ids = typeof text === 'string' ? text.split(',').map(parseId) : [undefined];
  if (ids.includes(undefined) || ids.length > maxRecentIds)
    throw new BadRequest(`near must be 0, or at most ${maxRecentIds} ids such as 7,3.`);
  return { near: ids as number[], rest };
}

/** Extracts the parameter `states` of a relation with transitions, unless a field has that name. */
function extractStates(
  definition: Definition,
  field: AnyRelationField,
  query: Query,
): { where: Predicate[]; rest: Query } {
  const { states: text, ...rest } = query;
  if (text === undefined || !isStateRelation(field) || Object.hasOwn(definition.fields, 'states'))
    return { where: [], rest: query };
  const states = typeof text === 'string' ? parseList(text) : undefined;
  if (!states?.every((state) => typeof state === 'string' && isStorable(state)))
    throw new BadRequest('states must be a list of names such as ["Open","Done"].');
  return { where: [{ kind: 'compare', left: field.transitionsBy, operator: '$in', right: states }], rest };
}

/**
 * Extracts the parameter `default`, unless a field has that name: only the record that the default of the field looks up.
 */
function extractDefault(
  { context, definition }: RecordScope,
  field: AnyRelationField,
  query: Query,
): { where?: Predicate[]; rest: Query } {
  const { default: text, ...rest } = query;
  if (text === undefined || Object.hasOwn(definition.fields, 'default')) return { rest: query };
  if (text !== '1') throw new BadRequest('default must be 1.');
  const filter = isRelation(field) ? defaultLookupFilter(context, field) : undefined;
  return { where: [filter ?? falsePredicate], rest };
}

/**
 * Extracts the parameter `referred_by` of a resource that keeps deleted records for their names, unless a field has that name:
 * the condition that such a record is offered only where a record that the caller has in lists refers to it. Throws
 * BadRequest for anything but a relation to the resource that the caller may read.
 */
function extractUses(
  context: RequestContext,
  { fields, parameters }: Definition,
  target: Definition,
  query: Query,
): { uses?: ChoiceCondition; rest: Query } {
  const { referred_by: text, ...rest } = query;
  if (text === undefined || Object.hasOwn(fields, 'referred_by') || Object.hasOwn(parameters, 'referred_by'))
    return { rest: query };
  const { registry, actor, evaluationContext } = context;
  const [resource = '', name = ''] = typeof text === 'string' ? text.split('.') : [];
  const user = registry.get(resource);
  const field = user && Object.hasOwn(user.fields, name) ? user.fields[name] : undefined;
  const listPredicate = user && accessFilterIfGranted(context, user, 'list');
  const isReadable = user !== undefined && readableFields(actor, user).always.has(name);
  if (!listPredicate || !isReadable || !field || !isAnyRelation(field) || field.to !== target.name || field.virtual)
    throw new BadRequest(`referred_by must be a relation to ${target.name}, such as deals.owner_id.`);
  if (!target.delete.keep) return { rest };
  const build = () => sql`(t.deleted_at is null or exists (select from ${sql.id('public', user.table)} i
    where ${pointsToSql(user, name, 'i', recordInRow(target, 't'))} and ${predicateToSql(listPredicate, user, 'i', registry, evaluationContext)}))`;
  return {
    uses: { name: `used in ${resource}.${name} ${conditionKey(context, user, listPredicate)}`, build, values: {} },
    rest,
  };
}

function parseList(text: string): readonly unknown[] | undefined {
  try {
    const list = parseBoundedJson(text);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** Excludes a record and everything below it, for a relation of a resource to itself. */
function excludeSubtree(
  definition: Definition,
  field: AnyRelationField,
  record: number | undefined,
): readonly ChoiceCondition[] {
  if (record === undefined || field.to !== definition.name || !isRelation(field)) return [];
  const build = () => sql`t.id not in (with recursive below (id) as (
      select ${new Placeholder('record')}::bigint
      union select c.id from below join ${sql.id('public', definition.table)} c on ${sql.id('c', field.name)} = below.id
    ) select id from below)`;
  return [{ name: `not below by ${field.name}`, build, values: { record } }];
}

/** Only records that another may be placed below. */
function deepEnough(registry: Registry, definition: Definition, field: AnyRelationField): readonly ChoiceCondition[] {
  if (!isRelation(field) || !field.depth) return [];
  const build = () => mayHaveMoreBelowSql(registry, definition, field);
  return [{ name: `deep enough for ${definition.name}.${field.name}`, build, values: {} }];
}

function chosenCondition(ids: readonly number[]): ChoiceCondition {
  return {
    name: 'chosen',
    build: () => sql`t.id = any(${new Placeholder('chosen')}::bigint[])`,
    values: { chosen: ids },
  };
}

/** Throws Forbidden without the permission to create or to edit. */
export function assertCanCreateOrEdit({ actor }: RequestContext, definition: Definition): void {
  const { viewer, ...ownActor } = actor;
  // Choices are only read: whoever views as another user sees those that both may choose.
  for (const subject of viewer ? [ownActor, viewer] : [ownActor]) {
    const [create, edit] = [decideAccess(subject, definition, 'create'), decideAccess(subject, definition, 'edit')];
    if (!create.allowed && !edit.allowed) throw new Forbidden(edit.reason);
  }
}

function formCompany(context: RequestContext, definition: Definition, form: ResourceRecord): number | null | undefined {
  if (definition.scope === 'installation') return null;
  if (context.actor.level !== Level.Installation) return context.actor.site_id;
  if (definition.scope === 'self' || form.site_id === undefined) return undefined;
  return form.site_id as number | null;
}

function parseSearch(q: unknown): string | undefined {
  if (q === undefined) return undefined;
  if (typeof q !== 'string' || q.length > 500 || !isStorable(q))
    throw new BadRequest('q must be a text of at most 500 characters.');
  return normaliseText(q) || undefined;
}

function parseIds(text: unknown): readonly number[] {
  const ids = typeof text === 'string' ? text.split(',').map(parseId) : [undefined];
  if (ids.includes(undefined)) throw new BadRequest('id must be ids such as 1,2.');
  return ids as number[];
}

/** The other values of the record, for choices that depend on them. An empty value means null. */
function parseFormValues(context: RequestContext, definition: Definition, query: Query): ResourceRecord {
  const readable = readableFields(context.actor, definition).sometimes;
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const field =
        Object.hasOwn(definition.fields, name) && readable.has(name) ? fieldOf(definition, name) : undefined;
      if (!field) throw new BadRequest(`${definition.labels.many} have no field ${name.slice(0, 60)}.`);
      if (value === '' || value === 'null') return [name, null];
      return [name, parseFilterValue(name, field, value, true)];
    }),
  );
}

/** Whether somebody may read all that a record's title is made of. */
export function mayReadTitle(person: Actor, definition: Definition): boolean {
  const readable = readableFields(person, definition, 'view').always;
  return titleFields(definition).every((name) => readable.has(name));
}

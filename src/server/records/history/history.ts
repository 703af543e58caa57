import { sql } from 'kysely';
import { unwrapId } from '../../../engine/conditions/variables';
import type { Definition, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { isRows, rowsIn } from '../../../engine/field-types/rows';
import { readableFields, accessFilter } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import type { Queries } from '../../database/database';
import type { Statement } from '../../database/statements';
import { visibleTitleSql } from '../../sql/operands';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { BadRequest, NotFound } from '../../errors/errors';
import type { Page } from '../read/list';
import { loadTitles } from '../read/titles';
import { type Query, maxRows, parseRange } from '../read/query/list-query';
import { quoteValue } from '../read/query/values';
import {
  audienceKey,
  bind,
  cachedGenericStatement,
  cachedStatement,
  conditionKey,
  Placeholder,
} from '../read/statement-cache';
import { companyKeySql } from '../../sql/company-key';

interface HistoryRow {
  readonly old_values: ResourceRecord | null;
  readonly new_values: ResourceRecord | null;
}

/**
 * `GET r/{id}/history`: the changes of a record, newest first, without fields that the caller may not read. `?names=1`
 * adds the titles of related records to each change.
 *
 * @example const { records } = await listHistory({ context, definition }, 7, { range: '[0,14]' });
 */
export async function listHistory(scope: RecordScope, id: number, { range, names, ...rest }: Query): Promise<Page> {
  const { context, definition } = scope;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw new BadRequest(`Unknown filter ${quoteValue(unknown).slice(1, -1)}.`, 'UNKNOWN_FILTER');
  const { limit, offset } = range === undefined ? { limit: maxRows, offset: 0 } : parseRange(range);
  const site = await visibleCompany(context, definition, id);
  const { database } = context.program;
  const plan = entriesStatement(context, context.registry.getOrThrow(definition.fields.created_by!.to!));
  const rows = (await database.query(
    bind(plan, { site, resource: definition.name, id, limit, offset }),
  )) as (ResourceRecord & HistoryRow)[];
  const count = await sql<{ total: number }>`select count(*)::integer as total from assay.history h
    where h.site_id = ${site} and h.resource = ${definition.name} and h.record_id = ${id}`.execute(database.kysely);
  const readable = readableFields(context.actor, definition, 'view').always;
  const records = rows.map(({ old_values: oldValues, new_values: newValues, ...entry }) => ({
    id: entry.id,
    old_values: pickFields(oldValues, readable),
    new_values: pickFields(newValues, readable),
    event: entry.event,
    user: entry.user,
    created_at: entry.created_at,
    ...(entry.restored_version !== null && { restored_version: entry.restored_version }),
  }));
  const page = { offset, total: count.rows[0]!.total };
  if (names !== '1') return { ...page, records };
  const titles = await loadHistoryTitles(scope, records);
  return { ...page, records: records.map((record, index) => ({ ...record, names: titles[index]! })) };
}

/** The entries of a record, newest first. Placeholders are `site`, `resource`, `id`, `limit` and `offset`. */
function entriesStatement(context: RequestContext, people: Definition): Statement {
  return cachedStatement(context, `history|${audienceKey(context)}|${people.name}`, () => {
    const name = visibleTitleSql(context.actor, people, 'u', context.registry);
    return sql`select h.id::float8 as id, h.old_values, h.new_values, h.event, h.created_at, h.restored_version,
        (select json_build_object('id', u.id, 'name', ${name})
          from ${sql.id('public', people.table)} u where u.id = h.user_id
          union all select json_build_object('id', null, 'name', 'Public form') from assay.public_records p
          where h.user_id is null and h.event = 'created' and p.site_id = h.site_id and p.resource = h.resource and p.record_id = h.record_id) as "user"
      from assay.history h where h.site_id = ${new Placeholder('site')} and h.resource = ${new Placeholder('resource')} and h.record_id = ${new Placeholder('id')}
      order by h.id desc limit ${new Placeholder('limit')}::bigint offset ${new Placeholder('offset')}::bigint`;
  });
}

/** The company of a record, whose readers can read its history; 0 if it has none. Throws NotFound. */
async function visibleCompany(context: RequestContext, definition: Definition, id: number): Promise<number> {
  const filter = accessFilter(context, definition, 'view', { archived: 'any' });
  const plan = cachedGenericStatement(context, `visible|${conditionKey(context, definition, filter)}`, () => {
    const condition = predicateToSql(filter, definition, 't', context.registry, context.evaluationContext);
    return sql`select ${companyKeySql(definition, 't')} as site from ${sql.id('public', definition.table)} t where t.id = ${new Placeholder('id')}::bigint and ${condition}`;
  });
  const [record] = await context.program.database.query(bind(plan, { id }));
  if (!record) throw new NotFound();
  return record.site as number;
}

function pickFields(values: ResourceRecord | null, names: ReadonlySet<string>): ResourceRecord | null {
  return values && Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}

export interface HistoryValues {
  readonly old_values: ResourceRecord | null;
  readonly new_values: ResourceRecord | null;
}

/** The titles of the records that a change refers to: field → id → title. */
export type HistoryTitles = Record<string, Record<string, string>>;

/**
 * The titles of the related records, one result per change. As in embeds, whoever may read an id may read its title;
 * deleted users keep their name.
 */
export async function loadHistoryTitles(
  { context, definition }: RecordScope,
  changes: readonly HistoryValues[],
  queries: Queries = context.program.database.kysely,
): Promise<HistoryTitles[]> {
  const idsByResource = new Map<string, Set<number>>();
  const idsPerChange = changes.map((change) => relatedIds(definition, change));
  for (const { to: resource, ids } of idsPerChange.flat()) {
    const resourceIds = idsByResource.get(resource) ?? new Set<number>();
    for (const id of ids) resourceIds.add(id);
    idsByResource.set(resource, resourceIds);
  }
  const titles = new Map<string, Map<number, string>>();
  for (const [resource, ids] of idsByResource)
    titles.set(
      resource,
      await loadTitles({ context, definition: context.registry.getOrThrow(resource) }, [...ids], queries),
    );
  return idsPerChange.map((fields) => {
    const titlesByField: HistoryTitles = {};
    for (const { name, to: resource, ids, column } of fields) {
      const resourceTitles = titles.get(resource)!;
      const entries = ids.flatMap((id) =>
        resourceTitles.has(id)
          ? [[column === undefined ? id : `${column}:${id}`, resourceTitles.get(id)!] as const]
          : [],
      );
      titlesByField[name] = { ...titlesByField[name], ...Object.fromEntries(entries) };
    }
    return titlesByField;
  });
}

/** Records that a field, or a column of its rows, refers to in a change. */
interface RelatedIds {
  readonly name: string;
  readonly to: string;
  readonly ids: readonly number[];
  readonly column?: string;
}

function relatedIds(
  definition: Definition,
  { old_values: oldValues, new_values: newValues }: HistoryValues,
): RelatedIds[] {
  return Object.values(definition.fields).flatMap((field): RelatedIds[] => {
    const { name, to: target } = field;
    if (isRows(field)) return relatedIdsInRows(field, [oldValues?.[name], newValues?.[name]]);
    if (target === undefined) return [];
    const ids = [oldValues?.[name], newValues?.[name]].flat().map(unwrapId);
    const validIds = ids.filter((id): id is number => typeof id === 'number');
    return validIds.length > 0 ? [{ name, to: target, ids: [...new Set(validIds)] }] : [];
  });
}

/** The records that cells of rows refer to. Their titles are under `column:id`: columns have their own targets. */
function relatedIdsInRows({ name, columns }: FieldOf<'rows'>, values: readonly unknown[]): RelatedIds[] {
  const rows = values.flatMap(rowsIn);
  return Object.values(columns).flatMap((column) => {
    const ids = rows.map((row) => row[column.name]).filter((id): id is number => typeof id === 'number');
    if (column.to === undefined || ids.length === 0) return [];
    return [{ name, to: column.to, ids: [...new Set(ids)], column: column.name }];
  });
}

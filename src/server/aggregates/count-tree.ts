import { sql, type RawBuilder } from 'kysely';
import { treeName } from '../../engine/conditions/tree';
import type { Definition, Field } from '../../engine/definitions/definition';
import { columnTypeOf, isWholeNumber } from '../../engine/field-types';
import { isRelation, treeParent } from '../../engine/field-types/relation';
import type { CountedTree, TreeNode } from '../../engine/lists/tree';
import { choiceOrder } from '../../engine/lists/choice-order';
import { accessFilterIfGranted, allOf, readableFields } from '../access/access-filter';
import type { RecordScope } from '../access/record-scope';
import type { RequestContext } from '../access/request-context';
import { BadRequest, NotFound } from '../errors/errors';
import { titleFields } from '../records/choices/choices';
import { listFilter } from '../records/read/list';
import { bindSearchTerm, matchSql, searchTermKey, searchTermOf } from '../records/read/list-statements';
import { audienceKey, cachedStatement, conditionKey } from '../records/read/statement-cache';
import type { SearchTerm } from '../sql/search';
import type { Predicate } from '../../engine/conditions/grammar';
import { parseFilter } from '../records/read/query/filter';
import { parseFilterJson, parseListQuery, type Query } from '../records/read/query/list-query';
import { type VisibleTree, visibleTree } from '../records/read/query/tree-filter';
import { visibleTitleSql } from '../sql/operands';
import { predicateToSql } from '../sql/predicate-to-sql';
import { getOrThrow, requireValue } from '../../engine/values/lookups';
import { fieldOf } from '../../engine/definitions/accessors';

type Sql = RawBuilder<unknown>;

/** The most records of a tree that are counted and sent at once. */
export const maxTreeNodes = 5000;

interface NodeRow {
  readonly id: number | null;
  readonly title: string;
  readonly parent: number | null;
  readonly own: number;
  readonly of: string | null;
  readonly values: Readonly<Record<string, number | null>>;
  /** False for archived ones, which are part of the tree only while records are in them. */
  readonly active: boolean;
}

/**
 * `GET r/tree`: the records of the tree beside a list (`list.tree`) that the caller may list, by what they are part of and in the order of choices, each
 * with the number of records that the list with the same query would have in its branch. A filter by a branch is left
 * out, so that the other branches can be compared with it. Where the choices of its relations depend on another field of
 * the list (`{ "project_id": "$form.project_id" }`), a filter by that narrows the tree too. One statement.
 *
 * @example await countTree(context, testCases, { project_id: '7' }); // { nodes: [{ id: 3, title: 'Login', count: 12, … }], … }
 *
 * Throws NotFound for a list without a tree, Forbidden without the grant to list, BadRequest for a wrong query, and for
 * a tree of more than 5,000 records (`TREE_TOO_LARGE`).
 */
export async function countTree(context: RequestContext, definition: Definition, query: Query): Promise<CountedTree> {
  const { [treeName]: _, filter, ...otherParameters } = query;
  const { [treeName]: __, ...filters } = parseFilterJson(filter);
  const listQuery = parseListQuery(context, definition, { ...otherParameters, filter: JSON.stringify(filters) });
  const rowFilter = listFilter(context, definition, listQuery);
  const tree = visibleTree(context, definition);
  if (!tree) throw new NotFound();
  const { target, visibleRecords } = tree;
  const needle = searchTermOf(listQuery, 'scan');
  const nodeFilter = allOf([
    visibleRecords,
    ...sharedFilters(context, definition, target, { ...otherParameters, ...filters }),
  ]);
  const key = `tree|${audienceKey(context)}|${searchTermKey(needle)}|${conditionKey(context, definition, rowFilter)}|${conditionKey(context, target, nodeFilter)}`;
  const plan = cachedStatement(context, key, () =>
    treeSql({ context, definition }, tree, { rowFilter, nodeFilter, needle }),
  );
  const countRows = await context.program.database.query(bindSearchTerm(plan, needle));
  const rows = countRows as unknown as NodeRow[];
  const nodes = rows.filter(({ id }) => id !== null) as (NodeRow & { id: number })[];
  if (nodes.length > maxTreeNodes)
    throw new BadRequest(
      `These are more than ${maxTreeNodes} ${target.labels.many}, too many for a tree: filter the list by what they belong to.`,
      'TREE_TOO_LARGE',
    );
  const rest = (parent: number | null) =>
    requireValue(
      rows.find((row) => row.id === null && row.parent === parent),
      'the count of rows outside the tree',
    ).own;
  return { nodes: addUp(nodes), none: rest(0), total: rest(null) };
}

/** The nodes that are shown with the number of rows directly in each, and of the others. */
function treeSql(
  scope: RecordScope,
  { target, names, visibleRecords }: VisibleTree,
  {
    rowFilter,
    nodeFilter,
    needle,
  }: { readonly rowFilter: Predicate; readonly nodeFilter: Predicate; readonly needle?: SearchTerm },
): Sql {
  const { context, definition } = scope;
  const { registry, evaluationContext } = context;
  const rowsOf = (rows: Predicate) => predicateToSql(rows, target, 'n', registry, evaluationContext);
  const active = accessFilterIfGranted(context, target, 'list') ?? visibleRecords;
  const { title, order, values, ownerTitle, join } = nodeColumns(context, target);
  const columns = names.map((name) => sql.id('t', name));
  const nodes = sql`${sql.id('public', target.table)} n`;
  return sql`with counted as materialized (
      select coalesce(${sql.join(columns)}) as node, count(*)::integer as count
      from ${sql.id('public', definition.table)} t where ${matchSql(scope, rowFilter, needle)} group by 1
    ), shown as (
      select n.id, ${title} as title, ${sql.id('n', requireValue(treeParent(target), `the tree of ${target.name}`).name)} as parent, coalesce(c.count, 0) as own,
        ${ownerTitle} as "of", ${values} as "values", coalesce(${rowsOf(active)}, false) as active
      from ${nodes} left join counted c on c.node = n.id ${join}
      where ${rowsOf(nodeFilter)}
      order by ${order} limit ${sql.lit(maxTreeNodes + 1)}
    )
    select * from shown union all
    select null, null, null, (select coalesce(sum(count), 0)::integer from counted), null, null, true union all
    select null, null, 0, (select coalesce(sum(count), 0)::integer from counted where node is null
      or node not in (select n.id from ${nodes} where ${rowsOf(visibleRecords)})), null, null, true`;
}

/** The nodes with the sums of their branches, without archived ones that nothing is in. */
function addUp(rows: readonly (NodeRow & { id: number })[]): TreeNode[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const counts = new Map(rows.map(({ id, own: ownCount }) => [id, ownCount]));
  for (const row of rows) {
    // A circle, which only a change past the API can make, ends where it began.
    const passedIds = new Set([row.id]);
    let ancestor = row.parent === null ? undefined : byId.get(row.parent);
    while (ancestor && row.own > 0 && !passedIds.has(ancestor.id)) {
      passedIds.add(ancestor.id);
      counts.set(ancestor.id, getOrThrow(counts, ancestor.id) + row.own);
      ancestor = ancestor.parent === null ? undefined : byId.get(ancestor.parent);
    }
  }
  return rows
    .filter(({ id, active }) => active || getOrThrow(counts, id) > 0)
    .map(({ active: _, parent, ...row }) => ({
      ...row,
      title: row.title ?? `#${row.id}`,
      parent: parent !== null && byId.has(parent) ? parent : null,
      count: getOrThrow(counts, row.id),
    }));
}

/** The columns that are selected of a record `n` of the tree. */
function nodeColumns(
  context: RequestContext,
  target: Definition,
): { readonly title: Sql; readonly order: Sql; readonly values: Sql; readonly ownerTitle: Sql; readonly join: Sql } {
  const { actor, registry, evaluationContext } = context;
  const readable = readableFields(actor, target).always;
  const isTitled = titleFields(target).every((name) => readable.has(name));
  const title = isTitled ? visibleTitleSql(actor, target, 'n', registry) : sql`null::text`;
  const { field, order } = choiceOrder(target);
  const sortField = target.fields[field];
  const isOwn =
    sortField && field !== target.titleField && readable.has(field) && isWholeNumber(columnTypeOf(sortField));
  const first = isOwn ? sql`${sql.id('n', field)} ${sql.raw(order === 'DESC' ? 'desc' : 'asc')}, ` : sql``;
  const relations = Object.values(target.fields).filter(
    (candidate) =>
      isRelation(candidate) &&
      !candidate.system &&
      !candidate.virtual &&
      candidate.computed === undefined &&
      readable.has(candidate.name),
  );
  const requiredRelations = relations.filter(
    (candidate) => candidate.required === true && candidate.to !== target.name,
  );
  const pairs = requiredRelations.flatMap(({ name }) => [sql.lit(name), sql.id('n', name)]);
  const byTitle = sql`${first}(${title}) collate "und-x-icu", n.id`;
  const values = sql`json_build_object(${sql.join(pairs)})`;
  const containerRelation = relations.find((candidate) => isRelation(candidate) && candidate.container);
  const owner = containerRelation && registry.getOrThrow(containerRelation.to);
  const visibleOwners = owner && accessFilterIfGranted(context, owner, 'list', { archived: 'any' });
  if (!visibleOwners) return { title, order: byTitle, values, ownerTitle: sql`null::text`, join: sql`` };
  const isListed = predicateToSql(visibleOwners, owner, 'w', registry, evaluationContext);
  const ownerTitle = visibleTitleSql(actor, owner, 'w', registry);
  return {
    title,
    order: sql`(${ownerTitle}) collate "und-x-icu", ${sql.id('n', containerRelation.name)}, ${byTitle}`,
    values,
    ownerTitle,
    join: sql`left join ${sql.id('public', owner.table)} w on ${sql.id('w', 'id')} = ${sql.id('n', containerRelation.name)} and ${isListed}`,
  };
}

/** The filters of the list that its relations to the tree share with their choices, as filters of the tree's records. */
function sharedFilters(context: RequestContext, definition: Definition, target: Definition, query: Query) {
  const names = requireValue(definition.list.tree, `the tree of the list of ${definition.name}`);
  const sharedFields = new Map<string, string>();
  for (const name of names)
    for (const [ownField, value] of Object.entries(fieldOf(definition, name).choices ?? {})) {
      const formField = typeof value === 'string' ? /^\$form\.(\w+)$/.exec(value)?.[1] : undefined;
      if (formField !== undefined && !names.includes(formField) && isRelated(target.fields[ownField]))
        sharedFields.set(ownField, formField);
    }
  return [...sharedFields].flatMap(([ownField, formField]) => {
    const value = query[formField];
    const isReadable = readableFields(context.actor, target).always.has(ownField);
    const isValue = Array.isArray(value) || ['string', 'number'].includes(typeof value);
    return isValue && isReadable
      ? [parseFilter({ context, definition: target }, ownField, value, typeof value === 'string')]
      : [];
  });
}

function isRelated(field: Field | undefined): boolean {
  return field !== undefined && isRelation(field) && field.filterable;
}

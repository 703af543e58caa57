import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import type { Condition, Definition } from '../../engine/definitions/definition';
import { allOf, accessFilter } from '../access/access-filter';
import { resolveCondition } from '../sql/statement-parameter';
import type { RecordScope } from '../access/record-scope';
import type { RequestContext } from '../access/request-context';
import { predicateToSql } from '../sql/predicate-to-sql';
import { cachedStatement, conditionKey } from '../records/read/statement-cache';
import { queryCacheOf } from '../sql/query-cache';
import { changedToSql, type ChangedTo } from './changed-to';

/** One number about a group of records: how many match a condition, or the sum of one of their fields. */
export interface Measure {
  readonly when?: Condition;
  /** Only records whose field was set to this value since an instant, according to their history. */
  readonly changedTo?: ChangedTo;
  /** A number or duration (in minutes) field to sum. Without it, records are counted. */
  readonly sum?: string;
}

/** A query over the records of a resource that the caller may list. */
export interface MeasureQuery<Name extends string> {
  /** Fields to group by, or paths through relations such as `task_id.project_id`. */
  readonly groupBy?: readonly string[];
  readonly condition?: Predicate;
  readonly figures: Readonly<Record<Name, Measure>>;
}

/** A group: the values of the `by` fields, in their order, and its numbers. */
export interface MeasureGroup<Name extends string> {
  readonly keys: readonly unknown[];
  readonly figures: Readonly<Record<Name, number>>;
}

/**
 * Counts and sums in one statement, limited to rows that the caller may list. Caches the result until one of the tables
 * changes. Throws Forbidden without the grant.
 *
 * @example
 * const groups = await loadMeasures(context, tasks, { by: ['status_id'], figures: { late: { when: { is_late: true } } } });
 */
export async function loadMeasures<Name extends string>(
  context: RequestContext,
  definition: Definition,
  { groupBy = [], condition, figures }: MeasureQuery<Name>,
): Promise<readonly MeasureGroup<Name>[]> {
  const { program, registry, evaluationContext } = context;
  const rows = accessFilter(context, definition, 'list');
  const measuredRows = condition ? allOf([rows, condition]) : rows;
  const names = Object.keys(figures) as Name[];
  const conditions = names.map((name) => resolveCondition(figures[name].when ?? {}, evaluationContext));
  const wheres = [measuredRows, ...conditions].map((predicate) => conditionKey(context, definition, predicate));
  const key = `figures|${groupBy.join()}|${JSON.stringify(figures)}|${wheres.join('|')}`;
  const statement = cachedStatement(context, key, () => {
    const keys = groupColumns(context, definition, groupBy);
    const columns = [
      ...keys.columns.map((expression, index) => sql`${expression} as ${sql.id(`key_${index}`)}`),
      ...names.map((name, index) => {
        const value = measureSql({ context, definition }, figures[name], conditions[index]!);
        return sql`${value} as ${sql.id(name)}`;
      }),
    ];
    const measuredSql = predicateToSql(measuredRows, definition, 't', registry, evaluationContext);
    const groupClause = groupBy.length > 0 ? sql`group by ${sql.join(keys.columns)}` : sql``;
    return sql`select ${sql.join(columns)} from ${sql.id('public', definition.table)} t ${keys.joins}
      where ${measuredSql} ${groupClause}`;
  });
  const measureRows = await queryCacheOf(program.database).rows(statement, registry);
  return measureRows.map((row) => ({
    keys: groupBy.map((_, index) => row[`key_${index}`] ?? null),
    figures: Object.fromEntries(names.map((name) => [name, Number(row[name] ?? 0)])) as Record<Name, number>,
  }));
}

/**
 * Adds up one number over all groups.
 *
 * @example sumMeasure(groups, 'late'); // 42
 */
export function sumMeasure<Name extends string>(groups: readonly MeasureGroup<Name>[], name: Name): number {
  return groups.reduce((total, { figures }) => total + figures[name], 0);
}

function measureSql(
  { context, definition }: RecordScope,
  { sum, changedTo }: Measure,
  condition: Predicate,
): RawBuilder<unknown> {
  const conditionSql = predicateToSql(condition, definition, 't', context.registry, context.evaluationContext);
  const measuredCondition = changedTo
    ? sql`${conditionSql} and ${changedToSql(definition, changedTo, context.actor.site_id)}`
    : conditionSql;
  if (sum === undefined) return sql`(count(*) filter (where ${measuredCondition}))::float8`;
  return sql`coalesce(sum(${sql.id('t', sum)}) filter (where ${measuredCondition}), 0)::float8`;
}

/** The columns to group by, and the joins that their paths need. */
function groupColumns(
  { registry }: RequestContext,
  definition: Definition,
  groupBy: readonly string[],
): { columns: RawBuilder<unknown>[]; joins: RawBuilder<unknown> } {
  const joinsByPath = new Map<string, RawBuilder<unknown>>();
  const columns = groupBy.map((path) => {
    const names = path.split('.');
    const last = names.pop()!;
    let [alias, pathDefinition] = ['t', definition];
    for (const name of names) {
      const target = registry.getOrThrow(pathDefinition.fields[name]!.to!);
      const next = `${alias}_${name}`;
      const joinCondition = sql`${sql.id(next, 'id')} = ${sql.id(alias, name)}`;
      joinsByPath.set(next, sql`left join ${sql.id('public', target.table)} ${sql.id(next)} on ${joinCondition}`);
      [alias, pathDefinition] = [next, target];
    }
    return sql`${sql.id(alias, last)}`;
  });
  return { columns, joins: joinsByPath.size > 0 ? sql.join([...joinsByPath.values()], sql` `) : sql`` };
}

import { sql, type RawBuilder } from 'kysely';
import type { Definition, ResourceRecord, TotalFunction } from '../../engine/definitions/definition';
import { fieldTypeOf } from '../../engine/field-types';
import { isMoney } from '../../engine/field-types/money';
import { totalFunctions } from '../../engine/lists/totals';
import { readableFields } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { BadRequest } from '../errors/errors';
import { listFilter, type Page } from '../records/read/list';
import { bindSearchTerm, matchSql, searchTermKey, searchTermOf } from '../records/read/list-statements';
import { comparableField, groupField, type GroupField } from '../records/read/query/group';
import { maxRows, parseListQuery, parseRange, type Query } from '../records/read/query/list-query';
import { parseFlag, quoteValue } from '../records/read/query/values';
import { audienceKey, cachedStatement, conditionKey } from '../records/read/statement-cache';
import { columnSql, formattedSql } from '../sql/column-sql';
import { fieldOf } from '../../engine/definitions/accessors';
import { itemAt, lastOf } from '../../engine/values/lookups';

type Sql = RawBuilder<unknown>;

/** The maximum number of fields and aggregates in one statement. */
export const maxGroupFields = 3;
export const maxTakes = 10;
/** The name of `sort_by` for the order in which lists show their groups. */
const listOrder = 'group';

/**
 * The aggregates of records, by field: `{ count: 4, sum: { budget: 1200.5 }, counts: { budget: 3 } }`. Amounts in the
 * currencies of their records are an object with the amount in each.
 */
interface Taken extends ResourceRecord {
  readonly count?: number;
}

/** A group: the values it is grouped by, the titles of those that are records, and what was taken of its records. */
export interface AggregateGroup extends Taken {
  readonly group: Readonly<Record<string, unknown>>;
  readonly titles: Readonly<Record<string, string | null>>;
}

/** Groups, and if they were asked for the same of all records together. */
export interface Aggregates extends Page<AggregateGroup> {
  readonly totals?: Taken;
}

/** A number or value of each group. */
interface Take {
  /** As it was asked for: `count` or `sum:hours`. */
  readonly name: string;
  readonly total?: { readonly take: TotalFunction; readonly field: string };
  /** The value of a row; undefined: the row itself is counted. */
  readonly operand?: Sql;
  /** Aggregates the operands of a group. */
  readonly value: (operand: Sql) => Sql;
  /** The value in the form of responses. */
  readonly formatValue: (value: Sql) => Sql;
  /** The field with the currency of each record's amount: amounts in different currencies are not added up. */
  readonly currency?: string;
}

/**
 * `GET r/aggregate`: how many records there are in each group, and sums, averages and extremes of their fields. Groups
 * come from the records that a list with the same query would have, so that a caller learns nothing else. One
 * statement.
 *
 * `group` is up to three fields (`stage_id`), fields of related records that the caller may list
 * (`film_id.studio_id`), or periods in the caller's time zone (`starts_on:month`); `take` is `count` (the default),
 * `sum:`, `avg:`, `min:`, `max:` or `count:` (of values) with a field; `sort_by` one of either, or `group` for the order in
 * which lists show groups, with `-` for descending; `range` the groups; with `totals` the same is taken of all records too.
 *
 * @example
 * await aggregateRecords(context, definition, { group: 'stage_id', take: 'count,sum:budget', sort_by: '-count' });
 * // records: [{ group: { stage_id: 2 }, titles: { stage_id: 'Filming' }, count: 4, sum: { budget: 1200.5 } }]
 *
 * Throws Forbidden without the grant to list, BadRequest for a wrong name, and for more than 10,000 groups.
 */
export async function aggregateRecords(
  context: RequestContext,
  definition: Definition,
  { group, take, sort_by: sortBy, range, totals, ...query }: Query,
): Promise<Aggregates> {
  if (query.sort !== undefined) throw new BadRequest('Groups are sorted by sort_by, such as -count.');
  const joinsByPath = new Map<string, Sql>();
  const groups = parseNames('group', group, maxGroupFields).map((name) =>
    groupField({ context, definition }, name, joinsByPath),
  );
  const selectedTakes = parseNames('take', take ?? 'count', maxTakes).map((name) =>
    parseTake(context, definition, name),
  );
  const withTotals = totals !== undefined && parseFlag('totals', totals);
  const { offset, limit } = range === undefined ? { offset: 0, limit: maxRows } : parseRange(range);
  const listQuery = parseListQuery(context, definition, query);
  const condition = listFilter(context, definition, listQuery);
  const needle = searchTermOf(listQuery, 'scan');
  const currencies = [...new Set(selectedTakes.flatMap(({ currency }) => currency ?? []))];
  const order = orderGroups(groups, selectedTakes, sortBy);
  const shape = JSON.stringify([
    groups.map(({ name }) => name),
    selectedTakes.map(({ name }) => name),
    withTotals,
    sortBy,
  ]);
  const key = `aggregate|${audienceKey(context)}|${shape}|${searchTermKey(needle)}|${conditionKey(context, definition, condition)}`;
  const plan = cachedStatement(context, key, () => {
    const columns = [
      ...groups.flatMap((group, index) => [
        sql`${group.value} as ${sql.id(`group_${index}`)}`,
        ...(group.record ? [] : orderColumns(group, index)),
      ]),
      ...selectedTakes.flatMap(({ operand }, index) => (operand ? [sql`${operand} as ${sql.id(`of_${index}`)}`] : [])),
      ...currencies.map((name, index) => sql`${fieldSql(context, definition, name)} as ${sql.id(`currency_${index}`)}`),
    ];
    const joinedTables = joinsByPath.size > 0 ? sql.join([...joinsByPath.values()], sql` `) : sql``;
    const groupedQuery = sql`select ${sql.join(takenColumns(groups, selectedTakes, currencies))} from (
        select ${columns.length > 0 ? sql.join(columns) : sql`1`} from ${sql.id('public', definition.table)} t ${joinedTables}
        where ${matchSql({ context, definition }, condition, needle)}
      ) r ${groupBySql(groups, currencies, withTotals)}`;
    return sql`select * from (${withRecords(groupedQuery, groups)}) g
      ${order} limit ${sql.lit(maxStatementRows(currencies.length))}`;
  });
  const rows = await context.program.database.query(bindSearchTerm(plan, needle));
  const isTotal = (row: ResourceRecord) => groups.length > 0 && row.is_total === 1;
  const singleCurrencyRows = rows.filter((row) => currencies.every((_, index) => row[`is_currency_${index}`] === 1));
  const groupRows = singleCurrencyRows.filter((row) => !isTotal(row));
  if (groupRows.length > maxRows || rows.length >= maxStatementRows(currencies.length))
    throw new BadRequest(`These are more than ${maxRows} groups: filter the records, or group them by something else.`);
  const amounts = amountsByGroup(rows, groups, selectedTakes, currencies);
  const groupNames = new Set(groups.map(({ name }) => name));
  const records = groupRows.slice(offset, offset + limit).map((row) => ({
    ...nameGroup(row, groups),
    ...describeTaken(row, selectedTakes, amounts.get(groupKey(row, groups)), groupNames),
  }));
  const page = { records, offset, total: groupRows.length };
  const [totalRow] = groups.length > 0 ? singleCurrencyRows.filter(isTotal) : groupRows;
  if (!withTotals) return page;
  return { ...page, totals: describeTaken(totalRow ?? {}, selectedTakes, amounts.get(''), new Set()) };
}

/** Rows that a statement may return: groups and their total, and each of them once for each currency. */
function maxStatementRows(currencies: number): number {
  return (maxRows + 2) * (1 + currencies * 5);
}

/** The columns by which the groups of a field are sorted. */
const orderColumns = ({ order }: GroupField, index: number): Sql[] =>
  order.map((orderTerm, position) => sql`${orderTerm} as ${sql.id(`order_${index}_${position}`)}`);

/** Groups with the titles and the order of the records that they are grouped by. */
function withRecords(groupedQuery: Sql, groups: readonly GroupField[]): Sql {
  const recordGroups = groups.flatMap((group, index) => (group.record ? [{ group, index, record: group.record }] : []));
  if (recordGroups.length === 0) return groupedQuery;
  const columns = recordGroups.flatMap(({ group, index, record }) => [
    sql`${record.title} as ${sql.id(`title_${index}`)}`,
    ...orderColumns(group, index),
  ]);
  const joinClauses = recordGroups.map(({ index, record }) => record.join(sql.id('r', `group_${index}`)));
  return sql`select r.*, ${sql.join(columns)} from (${groupedQuery}) r ${sql.join(joinClauses, sql` `)}`;
}

/** The values of the groups, and what was taken of their records; by which sets of columns a row is grouped. */
function takenColumns(
  groups: readonly GroupField[],
  selectedTakes: readonly Take[],
  currencies: readonly string[],
): Sql[] {
  const minimumOf = (name: string) => sql`min(${sql.id('r', name)}) as ${sql.id(name)}`;
  return [
    ...groups.flatMap(({ record, order }, index) => [
      sql.id('r', `group_${index}`),
      ...(record ? [] : order.map((_, position) => minimumOf(`order_${index}_${position}`))),
    ]),
    ...(groups.length > 0 ? [sql`grouping(${sql.id('r', 'group_0')}) as is_total`] : []),
    ...currencies.flatMap((_, index) => {
      const currency = sql.id('r', `currency_${index}`);
      return [currency, sql`grouping(${currency}) as ${sql.id(`is_currency_${index}`)}`];
    }),
    ...selectedTakes.flatMap(({ operand, value, formatValue }, index) => {
      const takenValue = value(operand ? sql.id('r', `of_${index}`) : sql``);
      return [
        sql`${takenValue} as ${sql.id(`take_${index}`)}`,
        sql`${formatValue(takenValue)} as ${sql.id(`shown_${index}`)}`,
      ];
    }),
  ];
}

/** Groups, and where they are wanted all records together; both once more for each currency. */
function groupBySql(groups: readonly GroupField[], currencies: readonly string[], withTotals: boolean): Sql {
  const allGroups: readonly Sql[] = groups.map((_, index) => sql.id('r', `group_${index}`));
  const groupNames = new Set(groups.map(({ name }) => name));
  const sets = [allGroups, ...(withTotals && groups.length > 0 ? [[]] : [])].flatMap((base) => [
    base,
    ...currencies.flatMap((name, index) =>
      base.length > 0 && groupNames.has(name) ? [] : [[...base, sql.id('r', `currency_${index}`)]],
    ),
  ]);
  const groupingSets = sets.map((set) => (set.length > 0 ? sql`(${sql.join(set)})` : sql`()`));
  return sets.length === 1 && allGroups.length === 0 ? sql`` : sql`group by grouping sets (${sql.join(groupingSets)})`;
}

const groupKey = (row: ResourceRecord, groups: readonly GroupField[]) =>
  row.is_total === 1 || groups.length === 0
    ? ''
    : JSON.stringify(groups.map((_, index) => row[`group_${index}`] ?? null));

/** The amounts of each group by currency, by the index of their take. */
type Amounts = ReadonlyMap<number, Readonly<ResourceRecord>>;

function amountsByGroup(
  rows: readonly ResourceRecord[],
  groups: readonly GroupField[],
  selectedTakes: readonly Take[],
  currencies: readonly string[],
): ReadonlyMap<string, Amounts> {
  const amountsByGroup = new Map<string, Map<number, ResourceRecord>>();
  for (const row of rows) {
    const currencyIndex = currencies.findIndex((_, index) => row[`is_currency_${index}`] === 0);
    if (currencyIndex < 0) continue;
    const key = groupKey(row, groups);
    const amounts = amountsByGroup.get(key) ?? new Map<number, ResourceRecord>();
    amountsByGroup.set(key, amounts);
    for (const [index, { currency }] of selectedTakes.entries()) {
      const amount = row[`shown_${index}`] ?? null;
      if (currency !== currencies[currencyIndex] || amount === null) continue;
      const otherAmounts = amounts.get(index) ?? {};
      amounts.set(index, {
        ...otherAmounts,
        [String((row[`currency_${currencyIndex}`] as string | null) ?? '')]: amount,
      });
    }
  }
  return amountsByGroup;
}

function nameGroup(row: ResourceRecord, groups: readonly GroupField[]): Pick<AggregateGroup, 'group' | 'titles'> {
  return {
    group: Object.fromEntries(groups.map(({ name }, index) => [name, row[`group_${index}`] ?? null])),
    titles: Object.fromEntries(
      groups.flatMap(({ name, record }, index) => (record ? [[name, (row[`title_${index}`] ?? null) as string]] : [])),
    ),
  };
}

/** The figures of a group's records; amounts have one currency where the group is named by it (`groupNames`). */
function describeTaken(
  row: ResourceRecord,
  selectedTakes: readonly Take[],
  amounts: Amounts | undefined,
  groupNames: ReadonlySet<string>,
): Taken {
  const totals: Record<string, Record<string, unknown>> = {};
  let count: number | undefined;
  for (const [index, { total, currency }] of selectedTakes.entries()) {
    const value = row[`shown_${index}`] ?? null;
    const isMixed = currency !== undefined && !groupNames.has(currency);
    if (total) (totals[total.take] ??= {})[total.field] = isMixed ? (amounts?.get(index) ?? null) : value;
    else count = value as number;
  }
  // The values that were counted go beside the number of records.
  const { count: countTotals, ...otherTotals } = totals;
  return { ...(count !== undefined && { count }), ...otherTotals, ...(countTotals && { counts: countTotals }) };
}

function parseNames(parameter: string, text: unknown, maxNames: number): readonly string[] {
  if (text === undefined || text === '') return [];
  if (typeof text !== 'string') throw new BadRequest(`${parameter} must be names separated by commas.`);
  const names = text.split(',').map((name) => name.trim());
  if (new Set(names).size < names.length) throw new BadRequest(`${parameter} has a name twice.`);
  if (names.length > maxNames) throw new BadRequest(`${parameter} can have at most ${maxNames} names.`);
  return names;
}

function parseTake(context: RequestContext, definition: Definition, name: string): Take {
  const identity = (value: Sql) => value;
  if (name === 'count') return { name, value: () => sql`count(*)::integer`, formatValue: identity };
  const [take, fieldName = '', ...rest] = name.split(':');
  if (!totalFunctions.includes(take as TotalFunction) || rest.length > 0)
    throw new BadRequest(`take: ${quoteValue(name)} must be count, or a function and a field, such as sum:hours.`);
  const field = comparableField({ context, definition }, fieldName, 'take');
  const { holds: valueKind, isSummable } = fieldTypeOf(field);
  const isNumber = valueKind === 'number' || valueKind === 'minutes';
  const isPossible =
    take === 'sum' || take === 'avg' || take === 'count'
      ? isSummable
      : isNumber || valueKind === 'day' || valueKind === 'instant';
  if (!isPossible) throw new BadRequest(`take: ${quoteValue(name)} is not possible for a field of type ${field.type}.`);
  const operand = fieldSql(context, definition, fieldName);
  const total = { take: take as TotalFunction, field: fieldName };
  if (take === 'count')
    return { name, total, operand, value: (operandSql) => sql`count(${operandSql})::integer`, formatValue: identity };
  const currency = isMoney(field) ? field.currencyField : undefined;
  if (currency !== undefined && !readableFields(context.actor, definition).always.has(currency))
    throw new BadRequest(`take: ${quoteValue(name)} needs the currency of each record, which you may not see.`);
  const aggregate = (operandSql: Sql) => sql`${sql.raw(total.take)}(${operandSql})`;
  return {
    name,
    total,
    operand: isNumber ? sql`(${operand})::numeric` : operand,
    value: (operandSql) =>
      valueKind === 'minutes'
        ? sql`round(${aggregate(operandSql)})::integer`
        : isNumber
          ? sql`(${aggregate(operandSql)})::float8`
          : aggregate(operandSql),
    formatValue: (value) => (valueKind === 'day' ? sql`to_char(${value}, 'YYYY-MM-DD')` : formattedSql(field, value)),
    ...(currency !== undefined && { currency }),
  };
}

function fieldSql(context: RequestContext, definition: Definition, name: string): Sql {
  return columnSql(definition, fieldOf(definition, name), 't', context.registry, context.evaluationContext);
}

/** By `sort_by`, then by the groups in their order: records by their titles, whatever has no value last. */
function orderGroups(groups: readonly GroupField[], selectedTakes: readonly Take[], sortBy: unknown): Sql {
  const text = (name: string) => sql`${sql.id('g', name)} collate "und-x-icu"`;
  const columns = groups.flatMap(({ record, isText }, index) => {
    const key = isText ? text(`group_${index}`) : sql.id('g', `group_${index}`);
    return [record ? [text(`title_${index}`), key] : [key]];
  });
  const sortName = typeof sortBy === 'string' ? sortBy.replace(/^-/, '') : undefined;
  const direction = sql.raw(typeof sortBy === 'string' && sortBy.startsWith('-') ? 'desc' : 'asc');
  const groupIndex = groups.findIndex(({ name }) => name === sortName);
  const takeIndex = selectedTakes.findIndex(({ name }) => name === sortName);
  const isListOrder = sortName === listOrder && groupIndex < 0 && groups.length > 0;
  if (sortBy !== undefined && groupIndex < 0 && takeIndex < 0 && !isListOrder)
    throw new BadRequest('sort_by must be one of the names of group or take, such as -count.');
  if (selectedTakes[takeIndex]?.currency !== undefined)
    throw new BadRequest(
      `sort_by: ${quoteValue(sortName ?? '')} has amounts in several currencies, which have no order.`,
    );
  const first = isListOrder
    ? groups.flatMap(({ order }, index) => [
        ...order.map((_, position) => sql.id('g', `order_${index}_${position}`)),
        lastOf(itemAt(columns, index)),
      ])
    : groupIndex >= 0
      ? itemAt(columns, groupIndex)
      : takeIndex >= 0
        ? [sql.id('g', `take_${takeIndex}`)]
        : [];
  const order = [
    ...first.map((term) => sql`${term} ${direction} nulls last`),
    ...columns.flat().map((term) => sql`${term} nulls last`),
  ];
  return order.length > 0 ? sql`order by ${sql.join(order)}` : sql``;
}

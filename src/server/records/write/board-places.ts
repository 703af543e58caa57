import { sql, type RawBuilder } from 'kysely';
import type { Definition, RequestDefinition, ResourceRecord } from '../../../engine/definitions/definition';
import { numberLimit } from '../../../engine/field-types/number';
import { parseId } from '../../../engine/field-types/relation';
import type { RecordScope, TransactionScope } from '../../access/record-scope';
import { runStatement } from '../../database/database';
import { BadRequest, NotFound } from '../../errors/errors';
import { orderSql, parseSortBy, placeField, placeSql, type Order } from '../read/query/order';
import type { Query } from '../read/query/list-query';
import { bind, cachedStatement, fixedStatement, orderKey, Placeholder, selectionKey } from '../read/statement-cache';
import { lockRules } from './rule-locks';

/** Where a record is put within its column of a board. */
export interface Placement {
  /** The record that it comes after; 0: it comes first. */
  readonly after: number;
  /** The order of the records that have no place yet. */
  readonly order: Order;
}

/** The distance between two places that are numbered together: some fifty records fit in between before that is repeated. */
const gap = 1024;

/**
 * Parses `?after=12&sort_by=-name` of a change; undefined without `after`. Throws BadRequest, also for a request that does
 * not take the column from its body: where it leads is known only once it is stored.
 *
 * @example parsePlacement({ context, definition: deals }, { after: '12' })?.after; // 12
 */
export function parsePlacement(
  { context, definition }: RecordScope,
  { after: text, sort_by: sortBy }: Query,
  request?: RequestDefinition,
): Placement | undefined {
  if (text === undefined) return undefined;
  const { many: plural } = definition.labels;
  if (!placeField(definition)) throw new BadRequest(`after: ${plural} are not put in order by hand.`);
  if (request && !request.sets.includes(definition.list.kanban!.column))
    throw new BadRequest(`after: "${request.label}" does not ask for the column, so put the record in order by PUT.`);
  const after = text === '0' ? 0 : parseId(String(text));
  if (after === undefined) throw new BadRequest('after must be the id of a record, or 0 for the first place.');
  return { after, order: parseSortBy(context, definition, sortBy) };
}

/**
 * The value that puts a record after another one in the column that it has by `values`, or has already. A record whose
 * neighbour has left the column comes first. Until the end of the transaction nobody else puts a record of its company
 * anywhere, so two changes at once never get the same value. If no value lies in between, or those before have none yet,
 * the column is numbered again: those numbers are no change of the records, and no part of their history.
 */
export async function placeOnBoard(
  scope: TransactionScope,
  id: number,
  values: ResourceRecord,
  placement: Placement,
): Promise<ResourceRecord> {
  const { context, definition, trx } = scope;
  await lockRules(context, [definition], trx);
  await lockBoard(scope, id);
  const column = await columnOf(scope, id, values);
  const { name } = placeField(definition)!;
  const find = async () => {
    const above = await placeOf(scope, column, placement.after);
    return above === null ? undefined : between(above, await placeBelow(scope, column, placement.after, above));
  };
  const place = await find();
  if (place !== undefined) return { [name]: place };
  await numberColumn(scope, column, placement);
  return { [name]: await find() };
}

/** A value between two places, or beyond the only one; undefined if there is none that a number can have. */
function between(above: number | undefined, below: number | null): number | undefined {
  if (above === undefined && below === null) return 0;
  const [low, high] = [above ?? below! - 2 * gap, below ?? above! + 2 * gap];
  const middle = (low + high) / 2;
  return middle > low && middle < high && Math.abs(middle) <= numberLimit ? middle : undefined;
}

/** Of all changes of the company's board, one at a time goes on from here. */
async function lockBoard({ definition, trx }: TransactionScope, id: number): Promise<void> {
  const company = definition.fields.site_id ? sql`coalesce(t.site_id, 0)` : sql`0`;
  const plan = fixedStatement(
    definition,
    'lock board',
    trx,
    () => sql`select pg_advisory_xact_lock(hashtextextended(${sql.lit(`board ${definition.table} `)} || ${company}, 0))
      from ${sql.id('public', definition.table)} t where t.id = ${new Placeholder('id')}::bigint`,
  );
  await runStatement(trx, bind(plan, { id }));
}

/** A column of a board of one company, without the record that is put there. */
interface BoardColumn {
  readonly id: number;
  readonly column: unknown;
  readonly company: unknown;
}

async function columnOf(
  { definition, trx }: TransactionScope,
  id: number,
  values: ResourceRecord,
): Promise<BoardColumn> {
  const { column: name } = definition.list.kanban!;
  const company = definition.fields.site_id ? sql`t.site_id` : sql`null`;
  const plan = fixedStatement(
    definition,
    'column on board',
    trx,
    () => sql`select t.${sql.id(name)} as "column", ${company} as company
      from ${sql.id('public', definition.table)} t where t.id = ${new Placeholder('id')}::bigint`,
  );
  const [row] = await runStatement<Omit<BoardColumn, 'id'>>(trx, bind(plan, { id }));
  if (!row) throw new NotFound();
  return { ...row, id, ...(Object.hasOwn(values, name) && { column: values[name] ?? null }) };
}

/** Identifies what the text of a statement on a column depends on. */
const columnKey = ({ column, company }: BoardColumn) => `${column === null} ${company === null}`;

/** Matches the rows `t` of a column. Placeholders are `id`, `column` and `company`. */
function inColumn({ fields, list }: Definition, { column, company }: BoardColumn): RawBuilder<unknown> {
  const name = sql.id('t', list.kanban!.column);
  const isInColumn = column === null ? sql`${name} is null` : sql`${name} = ${new Placeholder('column')}`;
  const isOfCompany = company === null ? sql`t.site_id is null` : sql`t.site_id = ${new Placeholder('company')}`;
  return sql`${isInColumn} ${fields.site_id ? sql`and ${isOfCompany}` : sql``} and t.id <> ${new Placeholder('id')}::bigint`;
}

/** The place of a record; null if it has none, undefined if it is not in the column. */
async function placeOf(
  { definition, trx }: TransactionScope,
  column: BoardColumn,
  after: number,
): Promise<number | null | undefined> {
  if (after === 0) return undefined;
  const place = sql.id('t', placeField(definition)!.name);
  const plan = fixedStatement(
    definition,
    `place on board ${columnKey(column)}`,
    trx,
    () => sql`select ${place} as place from ${sql.id('public', definition.table)} t
      where t.id = ${new Placeholder('after')}::bigint and ${inColumn(definition, column)}`,
  );
  const [row] = await runStatement<{ place: number | null }>(trx, bind(plan, { ...column, after }));
  return row?.place;
}

/** The first place below another one, or of all; null if there is none. */
async function placeBelow(
  { definition, trx }: TransactionScope,
  column: BoardColumn,
  after: number,
  above: number | undefined,
): Promise<number | null> {
  const place = sql.id('t', placeField(definition)!.name);
  const plan = fixedStatement(
    definition,
    `next place on board ${columnKey(column)} ${above === undefined}`,
    trx,
    () => sql`select min(${place}) as place from ${sql.id('public', definition.table)} t
      where ${inColumn(definition, column)} and t.id <> ${new Placeholder('after')}::bigint
      ${above === undefined ? sql`` : sql`and ${place} >= ${new Placeholder('above')}::float8`}`,
  );
  const [row] = await runStatement<{ place: number | null }>(trx, bind(plan, { ...column, after, above }));
  return row?.place ?? null;
}

/** Numbers all records of a column that have a place, and those without one up to the record that the next comes after. */
async function numberColumn(scope: TransactionScope, column: BoardColumn, { after, order }: Placement): Promise<void> {
  const { context, definition, trx } = scope;
  const [table, name] = [sql.id('public', definition.table), placeField(definition)!.name];
  const placedOrder = { ...order, place: placeField(definition)! };
  const key = `places|${selectionKey(context, definition, 'list')}|${columnKey(column)}|${orderKey(context, definition, placedOrder)}`;
  const plan = cachedStatement(context, key, () => {
    const { expression, join } = orderSql(context, definition, order);
    const direction = sql.raw(order.descending ? 'desc' : 'asc');
    return sql`with cards as (
        select t.id, ${sql.id('t', name)} as place, row_number() over (
          order by ${placeSql(placedOrder, 't')} ${expression} ${direction}, t.id ${direction}) as number
        from ${table} t ${join} where ${inColumn(definition, column)}
      ) select id from cards where place is not null
        or number <= (select number from cards where id = ${new Placeholder('after')}::bigint) order by number`;
  });
  const ids = (await runStatement<{ id: number }>(trx, bind(plan, { ...column, after }))).map((row) => row.id);
  const update = fixedStatement(
    definition,
    'number board',
    trx,
    // Locked in the order of their ids, as all that change several records do.
    () => sql`with locked as materialized (
        select t.id from ${table} t where t.id = any(${new Placeholder('locked')}::bigint[]) order by t.id for no key update
      ) update ${table} t set ${sql.id(name)} = card.number * ${sql.lit(gap)}
        from unnest(${new Placeholder('ids')}::bigint[]) with ordinality card (id, number)
        join locked on locked.id = card.id where t.id = card.id`,
  );
  await runStatement(trx, bind(update, { ids, locked: [...ids, column.id] }));
}

/** The values of a changed record: one that comes to another column of its board leaves its place behind. */
export function withoutFormerPlace(
  definition: Definition,
  values: ResourceRecord,
  { input, changed }: { readonly input: { readonly values: ResourceRecord }; readonly changed: ReadonlySet<string> },
): ResourceRecord {
  const field = placeField(definition);
  if (!field || !changed.has(definition.list.kanban!.column) || Object.hasOwn(input.values, field.name)) return values;
  return { ...values, [field.name]: null };
}

import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import type { Definition } from '../../../engine/definitions/definition';
import { isStorable } from '../../../engine/values/storable';
import { BadRequest } from '../../errors/errors';
import type { Row } from '../../database/database';
import type { Query } from './query/list-query';
import type { Order } from './query/order';
import { Placeholder } from './statement-cache';

type Sql = RawBuilder<unknown>;

/** The place of a record in an order: its id, and as text what it is sorted by. */
export interface PageKey {
  readonly id: number;
  /** Undefined if it is too long for a key: what the record has now is compared instead. */
  readonly value: string | null | undefined;
  /** Its place on a board, where that comes first. */
  readonly place: string | null;
}

/** Where a page begins that is asked for by a key: after or before a record, without one at the first or last record. */
export interface Paging {
  readonly direction: 'after' | 'before';
  readonly key: string;
}

/** Whether the total has to be exact, or may be estimated if there are many records. */
export type TotalKind = 'exact' | 'estimate';

/** The internal column of a page with what the keys of its records are made of. */
export const pageKeyColumn = 'page key';

/** Of the value in a key; beyond it an address may be too long for servers and proxies. */
const maxValueLength = 500;
const maxKeyLength = 3_000;
const prefix = 'k1.';

/**
 * Takes `after=`, `before=` and `total=estimate` from a list's query. A field or parameter of such a name is meant where
 * the value is neither a key nor that word. Throws BadRequest.
 */
export function splitPaging(
  definition: Definition,
  query: Query,
): { readonly paging: Paging | undefined; readonly totalKind: TotalKind; readonly rest: Query } {
  const rest: Record<string, unknown> = { ...query };
  const isFilter = (name: string) =>
    Object.hasOwn(definition.fields, name) || Object.hasOwn(definition.parameters, name);
  const take = (name: string, isMeant: (text: unknown) => boolean) => {
    const text = rest[name];
    if (text === undefined || (isFilter(name) && !isMeant(text))) return undefined;
    delete rest[name];
    return text;
  };
  const isKey = (text: unknown) => text === '' || (typeof text === 'string' && text.startsWith(prefix));
  const [after, before] = [take('after', isKey), take('before', isKey)];
  const total = take('total', (text) => text === 'estimate');
  if (total !== undefined && total !== 'estimate') throw new BadRequest('total can only be estimate.');
  if (after !== undefined && before !== undefined) throw new BadRequest('after and before cannot be combined.');
  const direction = before === undefined ? 'after' : 'before';
  const key = after ?? before;
  if (key !== undefined && typeof key !== 'string') throw new BadRequest(`${direction} must be one key of a page.`);
  return {
    paging: key === undefined ? undefined : { direction, key },
    totalKind: total === undefined ? 'exact' : 'estimate',
    rest,
  };
}

/** The internal column of a page, of which the key of each record is made. `value` is what they are sorted by. */
export function pageKeySql(order: Order, value: Sql): Sql {
  const placeSql = order.place ? sql`${sql.id('t', order.place.name)}::text` : sql`null`;
  return sql`json_build_array(t.id, ${value}::text, ${placeSql}) as ${sql.id(pageKeyColumn)}`;
}

/** The key of a record, from its row. */
export function formatPageKey(definition: Definition, order: Order, row: Row): string {
  const [id, value, place] = row[pageKeyColumn] as [number, string | null, string | null];
  const isLong = value !== null && JSON.stringify(value).length > maxValueLength;
  const parts = JSON.stringify([id, ...(isLong ? [] : [value]), place]);
  const sums = [listSum(definition, order), digest(parts)];
  return `${prefix}${Buffer.from(JSON.stringify([...sums, parts])).toString('base64url')}`;
}

/**
 * Reads the key of a page; undefined if it is empty. Throws BadRequest for anything but a key of this list in this
 * order. A sum tells keys from other texts; who makes one up learns no more than by filters of the field.
 */
export function parsePageKey(definition: Definition, order: Order, { direction, key }: Paging): PageKey | undefined {
  if (key === '') return undefined;
  const refuse = (reason: string) => new BadRequest(`${direction} ${reason}`);
  if (key.length > maxKeyLength) throw refuse('is too long for the key of a page.');
  const [listPart, sum, parts] = parseStrings(Buffer.from(key.slice(prefix.length), 'base64url').toString());
  if (!key.startsWith(prefix) || parts === undefined || sum !== digest(parts))
    throw refuse('must be the key of a page, as X-After and X-Before have it.');
  if (listPart !== listSum(definition, order))
    throw refuse('is the key of a page of another list, or of this list in another order.');
  const [id, ...texts] = parseValues(parts);
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || !texts.every(isKeyText) || ![1, 2].includes(texts.length))
    throw refuse('must be the key of a page, as X-After and X-Before have it.');
  return { id, value: texts.length === 2 ? texts[0] : undefined, place: texts.at(-1) ?? null };
}

const isKeyText = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && isStorable(value));

/** The values of a list; none of anything else. */
function parseValues(text: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}

function parseStrings(text: string): readonly (string | undefined)[] {
  const values = parseValues(text);
  return values.every((value) => typeof value === 'string') ? values : [];
}

/** Identifies the list and the order that a key belongs to. */
const listSum = ({ name }: Definition, { field, part, descending, place }: Order): string =>
  digest(JSON.stringify([name, field.name, part?.name, descending, place?.name]));

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 8);

/**
 * Turns PostgreSQL's refusal of a value into that of the key: one that was made up, or whose field has got another type
 * since. Other errors stay.
 */
export function refusedKey(error: unknown, { direction }: Paging): unknown {
  const isOfValue = error instanceof pg.DatabaseError && /^22(003|007|008|P02)$/.test(error.code ?? '');
  return isOfValue
    ? new BadRequest(`${direction} has a value that the order does not have. Begin again without it.`)
    : error;
}

/** Where a page begins, as far as the text of its statement depends on it. */
export interface Seek {
  /** Read from its end: the rows before the key, and their order is turned around. */
  readonly isReversed: boolean;
  /** Undefined: at the first or last row. */
  readonly key?: { readonly hasValue: boolean; readonly hasPlace: boolean };
}

/** As a cache key. */
export const seekKey = (seek: Seek | undefined): string => (seek ? JSON.stringify(seek) : '');

/** The values of the placeholders of `seekParts`. */
export const seekValues = (key: PageKey | undefined): Readonly<Record<string, unknown>> =>
  key ? { 'key id': key.id, 'key value': key.value, 'key place': key.place } : {};

/** Rows that are read one part after the other. */
export interface PagePart {
  readonly condition: Sql;
  /** They are ordered by their place on a board first. */
  readonly isPlaced: boolean;
}

/** The terms of an order, as SQL of the row that is compared. */
interface OrderTerms {
  readonly value: Sql;
  readonly id: Sql;
  readonly place?: Sql | undefined;
}

/**
 * The rows of a page in the order in which they are read, each part by a condition that an index provides in that order: nothing
 * before the key is read. Rows without a value are last, and first in a descending order, as PostgreSQL sorts them.
 * Placeholders are `key id`, `key value` and `key place`; they have the types of what they are compared with.
 */
export function seekParts(order: Order, seek: Seek | undefined, { value, id, place }: OrderTerms): readonly PagePart[] {
  const { isReversed = false, key } = seek ?? {};
  const all: Sql = sql`true`;
  const rest = key ? rowsBehind(order, order.descending !== isReversed, key.hasValue, value, id) : [all];
  if (!place) return rest.map((condition) => ({ condition, isPlaced: false }));
  const placeOfKey = new Placeholder('key place');
  const operator = sql.raw(isReversed ? '<' : '>');
  const placedAfterKey = sql`${place} ${operator}= ${placeOfKey}
    and (${place} ${operator} ${placeOfKey} or ${sql.join(rest, sql` or `)})`;
  const placed = (condition: Sql) => ({ condition: sql`${place} is not null and ${condition}`, isPlaced: true });
  const unplaced = (condition: Sql) => ({ condition: sql`${place} is null and ${condition}`, isPlaced: false });
  if (!key) return isReversed ? [unplaced(all), placed(all)] : [placed(all), unplaced(all)];
  if (key.hasPlace) return isReversed ? [placed(placedAfterKey)] : [placed(placedAfterKey), unplaced(all)];
  return isReversed ? [...rest.map(unplaced), placed(all)] : rest.map(unplaced);
}

/** The rows behind a key by value and id. */
function rowsBehind(order: Order, descending: boolean, hasValue: boolean, value: Sql, id: Sql): readonly Sql[] {
  const operator = sql.raw(descending ? '<' : '>');
  const idOfKey = sql`${new Placeholder('key id')}::bigint`;
  const behindId = sql`${id} ${operator} ${idOfKey}`;
  if (order.field.name === 'id' && !order.part) return [behindId];
  const empty = sql`${value} is null`;
  if (!hasValue)
    return descending ? [sql`${empty} and ${behindId}`, sql`${value} is not null`] : [sql`${empty} and ${behindId}`];
  const behindValue = sql`(${value}, ${id}) ${operator} (${new Placeholder('key value')}, ${idOfKey})`;
  return descending ? [behindValue] : [behindValue, empty];
}

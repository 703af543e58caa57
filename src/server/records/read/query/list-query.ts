import { normaliseText } from '../../../../engine/values/normalise-text';
import type { Predicate } from '../../../../engine/conditions/grammar';
import type { Definition } from '../../../../engine/definitions/definition';
import { isStorable } from '../../../../engine/values/storable';
import { JsonLimitError, parseBoundedJson } from '../../../../engine/values/bounded-json';
import { allOf, type ArchiveScope } from '../../../access/access-filter';
import type { RequestContext } from '../../../access/request-context';
import { BadRequest, Invalid } from '../../../errors/errors';
import { parseFilter } from './filter';
import { parseSortBy, parseSort, type Order } from './order';
import { parseFlag } from './values';
import { parseWhere } from './where';
import { propertyOf } from '../../../../engine/values/lookups';

/** A validated list query. */
export interface ListQuery {
  readonly where: Predicate;
  readonly search?: string;
  readonly order: Order;
  readonly range?: Range;
  readonly archived: ArchiveScope;
  /** No limit without a range. */
  readonly unlimited: boolean;
  /** No search and no compared values, so one plan fits all queries of this kind. */
  readonly isPlannable: boolean;
}

/** Query parameters as they were sent. */
export type Query = Readonly<Record<string, unknown>>;

const MAX_SEARCH_LENGTH = 500;

/**
 * Parses both query formats: `?status_id=1,2&sort_by=-name` and
 * `?filter={"status_id":[1,2]}&sort=["name","DESC"]&range=[0,14]`. Throws BadRequest, naming the parameter, for an
 * unknown name, a value of the wrong type, or an invalid sort or range. `where` adds a condition to either: Invalid if it is
 * wrong.
 *
 * @example const { where, order } = parseListQuery(context, tasks, { status_id: '1,2', sort_by: '-name' });
 */
export function parseListQuery(context: RequestContext, definition: Definition, query: Query): ListQuery {
  const { filter, sort, sort_by: sortBy, range, ...parameters } = query;
  const entries = [
    ...Object.entries(parameters).map(([name, value]) => ({ name, value, text: true })),
    ...Object.entries(parseFilterJson(filter)).map(([name, value]) => ({ name, value, text: false })),
  ];
  const conditions: Predicate[] = [];
  let archived: ArchiveScope = 'none';
  let search: string | undefined;
  let unlimited = false;
  let isSteady = true;
  for (const { name, value, text } of entries) {
    if (name === 'q') search = parseSearch(value);
    else if (name === 'archive' && definition.archive) archived = parseFlag(name, value) ? 'only' : 'none';
    else if (name === 'where') {
      isSteady = false;
      conditions.push(parseWhere(context, definition, value));
    } else if (isUnlimitedParameter(definition, name)) unlimited ||= parseFlag(name, value);
    else {
      isSteady &&= isFixedParameter(definition, name);
      conditions.push(parseFilter({ context, definition }, name, value, text));
    }
  }
  return {
    where: allOf(conditions),
    ...(search && { search }),
    order: sort === undefined ? parseSortBy(context, definition, sortBy) : parseSort(context, definition, sort, sortBy),
    ...(range !== undefined && { range: parseRange(range) }),
    archived,
    unlimited,
    isPlannable: isSteady && search === undefined,
  };
}

function isUnlimitedParameter(definition: Definition, name: string): boolean {
  return Object.hasOwn(definition.parameters, name) && propertyOf(definition.parameters, name).kind === 'unlimited';
}

/** Whether a name stands for fixed conditions of the definition, whatever its value. */
function isFixedParameter(definition: Definition, name: string): boolean {
  if (!Object.hasOwn(definition.parameters, name)) return false;
  const { kind } = propertyOf(definition.parameters, name);
  return kind === 'flag' || kind === 'named';
}

/** Parses `{"status_id":[1,2]}`; an empty object if nothing was sent. Throws BadRequest, and Invalid for one that is nested too deeply. */
export function parseFilterJson(text: unknown): Record<string, unknown> {
  if (text === undefined) return {};
  let filter: unknown;
  try {
    filter = parseBoundedJson(String(text));
  } catch (error) {
    if (error instanceof JsonLimitError) throw new Invalid({ filter: `filter ${error.message}.` });
    throw new BadRequest('filter must be a JSON object such as {"name":"Ada"}.');
  }
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) {
    throw new BadRequest('filter must be a JSON object such as {"name":"Ada"}.');
  }
  return filter as Record<string, unknown>;
}

function parseSearch(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_SEARCH_LENGTH || !isStorable(value)) {
    throw new BadRequest(`q must be a text of at most ${MAX_SEARCH_LENGTH} characters.`);
  }
  return normaliseText(value) || undefined;
}

/** The offset and the maximum number of rows. */
export interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** The maximum length of a list, with or without a range. */
export const maxRows = 10_000;
const maxRowIndex = 2_147_483_647;

/** Parses `[0,14]`: the first and the last row, both inclusive. Throws BadRequest. */
export function parseRange(text: unknown): Range {
  const match = typeof text === 'string' ? /^\s*\[\s*(\d{1,10})\s*,\s*(\d{1,10})\s*\]\s*$/.exec(text) : null;
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || first > last || last > maxRowIndex) {
    throw new BadRequest('range must be the first and the last row, such as [0,14].');
  }
  return { offset: first, limit: Math.min(last - first + 1, maxRows) };
}

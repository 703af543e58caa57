import { BadRequest } from '../errors/errors';
import { parseBoundedJson } from '../../engine/values/bounded-json';

/** A query of a user's notifications. */
export interface NotificationQuery {
  readonly from: number;
  readonly limit: number;
  readonly sort: { readonly column: 'id' | 'title' | 'created_at' | 'read_at'; readonly order: 'asc' | 'desc' };
  readonly isRead?: boolean;
  /** Part of the title or the content, case-insensitive. */
  readonly q?: string;
  /** The identifier of their templates. */
  readonly occasion?: string;
}

const columns = { id: 'id', title: 'title', date: 'created_at', isRead: 'read_at' } as const;
const maxPageSize = 10_000;

/** Reads the query of a list in both formats. Throws BadRequest that names the malformed part. */
export function readNotificationQuery(query: Readonly<Record<string, unknown>>): NotificationQuery {
  const { range, sort, sort_by, filter, ...rest } = query;
  const filters = { ...readJson('filter', filter, {}, isObject), ...rest };
  const [start, end] = readJson('range', range, [0, maxPageSize - 1], isRange);
  const [name, order] = sort_by === undefined ? readJson('sort', sort, ['date', 'DESC'], isSort) : readSortBy(sort_by);
  const column = Object.hasOwn(columns, name) ? columns[name as keyof typeof columns] : undefined;
  if (!column) throw new BadRequest(`Notifications cannot be sorted by ${name}.`);
  for (const key of Object.keys(filters)) {
    if (!['isRead', 'q', 'occasion'].includes(key))
      throw new BadRequest(`Notifications cannot be filtered by ${key}.`, 'UNKNOWN_FILTER');
  }
  return {
    from: start,
    limit: Math.min(end - start + 1, maxPageSize),
    sort: { column, order: order.toUpperCase() === 'DESC' ? 'desc' : 'asc' },
    ...('isRead' in filters && { isRead: readFlag(filters.isRead) }),
    ...('q' in filters && { q: readText('q', filters.q) }),
    ...('occasion' in filters && { occasion: readText('occasion', filters.occasion) }),
  };
}

function readSortBy(value: unknown): [string, string] {
  if (typeof value !== 'string' || value === '') throw new BadRequest('sort_by is malformed.');
  return value.startsWith('-') ? [value.slice(1), 'DESC'] : [value, 'ASC'];
}

function readText(name: string, value: unknown): string {
  if (typeof value === 'string' && value.length <= 255) return value.trim();
  throw new BadRequest(`${name} must be a string of at most 255 characters.`);
}

function readFlag(value: unknown): boolean {
  if (value === true || value === 'true' || value === '1' || value === 1) return true;
  if (value === false || value === 'false' || value === '0' || value === 0) return false;
  throw new BadRequest('isRead must be true or false.');
}

function readJson<T>(name: string, text: unknown, fallback: T, isValid: (value: unknown) => value is T): T {
  if (text === undefined) return fallback;
  try {
    const value = parseBoundedJson(String(text));
    if (isValid(value)) return value;
  } catch {
    // Reported below.
  }
  throw new BadRequest(`${name} is malformed.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRange(value: unknown): value is [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [start, end] = value as unknown[];
  return (
    Number.isSafeInteger(start) &&
    Number.isSafeInteger(end) &&
    (start as number) >= 0 &&
    (end as number) >= (start as number)
  );
}

function isSort(value: unknown): value is [string, string] {
  return (
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && /^(asc|desc)$/i.test(String(value[1]))
  );
}

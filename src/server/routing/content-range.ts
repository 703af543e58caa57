import type { Page } from '../records/read/list';

/**
 * The `Content-Range` of a page, as in `clients 0-14/1234`; an empty page has no range, nor has one by key whose place is
 * unknown.
 *
 * @example reply.header('Content-Range', contentRange('clients', page));
 */
export function contentRange(name: string, { records, offset, total }: Page<unknown>): string {
  return records.length === 0 || offset === undefined
    ? `${name} */${total}`
    : `${name} ${offset}-${offset + records.length - 1}/${total}`;
}

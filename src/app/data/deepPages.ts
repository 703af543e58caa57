import { hashKey } from '@tanstack/react-query';
import type { GetListParams, GetListResult } from 'react-admin';
import { ApiError } from '../session/apiError';
import { currentIdentity } from '../session/prefetch';

/** A page of a list, and the headers that it came with. */
export interface ListPage {
  readonly list: GetListResult;
  readonly headers: Headers;
}

/** Where pages of the list that was turned over last begin, as far as their neighbours have said to this person. */
let knownPages = { list: '', keys: new Map<number, string>() };

/**
 * Loads a page far in: from the key of the page beside it if that was loaded before. `load` takes what else its query
 * has.
 */
export async function loadDeepPage(
  resource: string,
  params: GetListParams & { readonly signal?: AbortSignal | undefined },
  load: (key: string) => Promise<ListPage>,
): Promise<ListPage> {
  const { pagination, signal: _, ...listParams } = params;
  const { page, perPage } = pagination!;
  const list = hashKey([currentIdentity(), resource, perPage, listParams]);
  if (list !== knownPages.list) knownPages = { list, keys: new Map() };
  const { keys } = knownPages;
  const loadedPage = await load(`&envelope=none&${keys.get(page) ?? 'after='}`).catch((error: unknown) => {
    // The record of the key is gone, or the order is another one now.
    if (error instanceof ApiError && error.status === 400 && keys.delete(page)) return load('&envelope=none&after=');
    throw error;
  });
  const [nextKey, previousKey] = [loadedPage.headers.get('X-After'), loadedPage.headers.get('X-Before')];
  if (nextKey) keys.set(page + 1, `after=${nextKey}`);
  if (previousKey) keys.set(page - 1, `before=${previousKey}`);
  return loadedPage;
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { perPage } from '../../../engine/lists/list-state';
import { requestApi } from '../../session/api';

/** A page of a list, and the total number of rows. */
export interface ListPage<Row> {
  data: Row[];
  total: number;
}

/** Fetches a page of a list at a path below `/api`; the first page is 1. Throws ApiError. */
export async function fetchPage<Row>(
  path: string,
  page: number,
  query: Record<string, string>,
  signal?: AbortSignal,
): Promise<ListPage<Row>> {
  const range = JSON.stringify([(page - 1) * perPage, page * perPage - 1]);
  const response = await requestApi(`/${path}?${new URLSearchParams({ ...query, range })}`, { signal });
  const { data } = (await response.json()) as { data: Row[] };
  return { data, total: Number(response.headers.get('Content-Range')?.split('/').pop() ?? data.length) };
}

interface PollOptions<Row> {
  /** Starts with the name that the server's change events use. */
  key: readonly unknown[];
  fetchPage: (signal: AbortSignal) => Promise<ListPage<Row>>;
  /** Whether a row changes by itself. */
  isChanging: (row: Row) => boolean;
  /** Milliseconds between two requests while a row is changing, and while none is; false: only after the server's events. */
  activeInterval: number;
  idleInterval: number | false;
}

/** Loads a page of a list and polls it; the previous page is shown while the next one loads. */
export function usePolledPage<Row>({ key, fetchPage, isChanging, activeInterval, idleInterval }: PollOptions<Row>) {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => fetchPage(signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isChanging) ? activeInterval : idleInterval),
    retry: false,
    meta: { quiet: true },
  });
}

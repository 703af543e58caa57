import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { perPage } from '../../src/engine/lists/list-state';
import { requestApi } from '../../src/app/session/api';

/** A page of a list, and how many there are in all. */
export interface ListPage<Row> {
  data: Row[];
  total: number;
}

/** Reads a page of a list at a path below `/api`; pages are counted from 1. */
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

interface Polled<Row> {
  /** Begins with the name under which the server tells of changes. */
  key: readonly unknown[];
  read: (signal: AbortSignal) => Promise<ListPage<Row>>;
  /** Whether a row changes by itself. */
  isMoving: (row: Row) => boolean;
  /** Milliseconds between two readings while a row changes, and while none does; false: only when the server tells. */
  often: number;
  seldom: number | false;
}

/** A page of a list that is read again from time to time; the former page stays while the next one is on its way. */
export function usePolledPage<Row>({ key, read, isMoving, often, seldom }: Polled<Row>) {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isMoving) ? often : seldom),
    retry: false,
    meta: { quiet: true },
  });
}

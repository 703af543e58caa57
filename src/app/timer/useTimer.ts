import { useQuery } from '@tanstack/react-query';
import { fetchApi } from '../session/api';
import { useApi } from '../session/apiClient';
import type { TimeTarget } from './timeFields';

/** The timer of the person who is signed in. */
export interface Timer {
  readonly resource: string;
  /** The record that the time is spent on; null if it can no longer be seen. */
  readonly record: TimeTarget | null;
  readonly started_at: string;
}

/** Begins with the name of the server's events about it. */
export const timerKey = ['timer'];

/** The running timer; null: none runs. Every window follows the server's events, and asks again when it is returned to. */
export function useTimer(): Timer | null {
  const ask = useApi();
  const { data: timer } = useQuery({
    queryKey: timerKey,
    queryFn: async ({ signal }) => (await fetchApi<{ data: Timer | null }>('/timer', { signal }, ask)).data,
    refetchOnWindowFocus: true,
    staleTime: 60_000,
    meta: { quiet: true },
  });
  return timer ?? null;
}

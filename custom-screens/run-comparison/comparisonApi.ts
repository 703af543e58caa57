import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { useFigures } from '../../src/app/charts/useFigures';
import { useDebounced } from '../../src/app/fields/choices/useChoices';
import { fetchApi } from '../../src/app/session/api';
import type { RunComparison } from '../../src/product/answers/run-comparison';

/** Which of two runs is compared with which: without `base` the later one with the earlier one. */
export interface ComparedIds {
  readonly id: number;
  readonly otherId: number;
  readonly base: number | undefined;
}

/** The screen on which a run is compared with another, the base. */
export const comparisonPath = (base: number, comparedId: number): string =>
  `/test-runs/${comparedId}/compare/${base}${base > comparedId ? `?base=${base}` : ''}`;

export const useComparison = ({ id, otherId, base }: ComparedIds) =>
  useFigures<RunComparison>(`/test-runs/${id}/compare/${otherId}${base === undefined ? '' : `?base=${base}`}`, [
    'run-entries',
    'attempts',
    'test-runs',
    'tasks',
  ]);

export interface OtherRun {
  readonly id: number;
  readonly key: string | null;
  readonly name: string;
}

/** How many runs are offered at once: typing finds every other one. */
const offeredRuns = 50;

/** The latest runs of a project that match a text. */
export const useRunsOf = (project: number, text: string, isWanted: boolean) => {
  const q = useDebounced(text.trim(), 200);
  return useQuery({
    queryKey: ['test-runs', 'of a project', project, q],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        project_id: String(project),
        fields: 'id,key,name',
        sort: '["id","DESC"]',
        range: `[0,${offeredRuns - 1}]`,
        ...(q && { q }),
      });
      return (await fetchApi<{ data: readonly OtherRun[] }>(`/test-runs?${query}`, { signal })).data;
    },
    enabled: isWanted,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
};

/** Starts a run of tests and opens it. */
export function useRetest(entries: readonly number[]) {
  const navigate = useNavigate();
  const notify = useNotify();
  return useMutation({
    mutationFn: async () =>
      (await fetchApi<{ data: { id: number } }>('/test-runs/retest', { method: 'POST', json: { entries } })).data,
    onSuccess: ({ id }) => void navigate(`/test-runs/${id}/run`),
    onError: (error) => notify(error.message, { type: 'error', messageArgs: { _: error.message } }),
  });
}

/** Why a test failed. */
export const causes = [
  { value: 'product', label: 'Product' },
  { value: 'test', label: 'Test' },
  { value: 'environment', label: 'Environment' },
] as const;
export type Cause = (typeof causes)[number]['value'];

/** Why a test failed, and what is written about it; null takes it back. */
interface CauseChange {
  readonly cause?: Cause | null;
  readonly cause_note?: string | null;
}

/** Stores why a test failed. */
export function useSetCause() {
  const notify = useNotify();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ entry, ...change }: { readonly entry: number } & CauseChange) =>
      fetchApi(`/run-entries/${entry}`, { method: 'PUT', json: change }),
    onError: (error) => notify(error.message, { type: 'error', messageArgs: { _: error.message } }),
    onSettled: () =>
      queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).includes('run-entries') }),
  });
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useFigures } from '../../src/app/charts/useFigures';
import { fetchApi } from '../../src/app/session/api';
import type { RunComparison } from '../../src/product/answers/run-comparison';

export const useComparison = (run: number, otherRun: number) =>
  useFigures<RunComparison>(`/test-runs/${run}/compare/${otherRun}`, ['run-entries', 'attempts', 'test-runs', 'tasks']);

interface OtherRun {
  readonly id: number;
  readonly key: string | null;
  readonly name: string;
}

const maxRuns = 200;

/** The runs of a project, the latest first. */
export const useRunsOf = (project: number | undefined) =>
  useQuery({
    queryKey: ['test-runs', 'of a project', project],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        project_id: String(project),
        fields: 'id,key,name',
        sort: '["id","DESC"]',
        range: `[0,${maxRuns - 1}]`,
      });
      return (await fetchApi<{ data: readonly OtherRun[] }>(`/test-runs?${query}`, { signal })).data;
    },
    enabled: project !== undefined,
    retry: false,
    meta: { quiet: true },
  });

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

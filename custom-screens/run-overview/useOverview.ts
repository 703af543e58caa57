import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { isGranted } from '../../src/engine/access/access-decision';
import { formatNumber } from '../../src/engine/formats/numbers';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useFigures } from '../../src/app/charts/useFigures';
import { useEntries, useLatestEntries, useRun } from '../test-runner/useRun';
import {
  addMatching,
  fetchMatching,
  overviewEntryFields,
  type Overview,
  type OverviewEntry,
  type OverviewRun,
} from './overviewApi';

/** The run, as the runner has it too. */
export const useOverviewRun = (id: number) => {
  const run = useRun(id);
  return { ...run, data: run.data as OverviewRun | undefined };
};

/** Its figures; results of colleagues change them at once. */
export const useOverview = (id: number) =>
  useFigures<Overview>(`/test-runs/${id}/overview`, ['run-entries', 'attempts', 'test-runs']);

/** Its tests. */
export function useOverviewEntries(id: number) {
  const entries = useEntries<OverviewEntry>(id, overviewEntryFields);
  useLatestEntries(id, entries.data !== undefined, overviewEntryFields);
  return entries;
}

/** How many tests the kept filters match now that the run does not have, and a function that adds them. */
export function useMatching(run: OverviewRun) {
  const { actor } = useDefinitions();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const mayAdd = run.state !== 'closed' && !actor.viewer && isGranted(actor, 'run-entries', 'create');
  const { data } = useQuery({
    queryKey: ['test-cases,run-entries', 'matching', run.id],
    queryFn: ({ signal }) => fetchMatching(run.id, signal),
    enabled: mayAdd && run.source === 'people',
    retry: false,
    meta: { quiet: true },
  });
  const add = useMutation({
    mutationFn: () => addMatching(run.id),
    onSuccess: (addedCount) =>
      notify(addedCount === 1 ? 'One test was added.' : `${formatNumber(addedCount)} tests were added.`, {
        type: 'success',
      }),
    onError: (error) => notify(error.message, { type: 'error' }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['runner-entries', run.id] });
      void queryClient.invalidateQueries({ queryKey: ['test-cases,run-entries', 'matching', run.id] });
    },
  });
  return { count: data?.tests ?? 0, isAdding: add.isPending, add: () => add.mutate() };
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { formatNumber } from '../../src/engine/formats/numbers';
import { useChangeToast } from '../../src/app/commands/useChangeToast';
import { fetchApi } from '../../src/app/session/api';
import type { OverviewEntry, OverviewRun } from './overviewApi';

/** The most records of one bulk call. */
const batch = 1_000;

/** Stores who runs tests, each test its own. */
async function storePeople(changes: readonly { id: number; assigned_to: number | null }[]): Promise<void> {
  for (let from = 0; from < changes.length; from += batch)
    await fetchApi('/run-entries/bulk', { method: 'POST', json: { update: changes.slice(from, from + batch) } });
}

/** A function that assigns tests of a run to a person, or to nobody, and offers to take it back. */
export function useAssign(run: OverviewRun) {
  const notify = useNotify();
  const queryClient = useQueryClient();
  const settle = () => {
    void queryClient.invalidateQueries({ queryKey: ['runner-entries', run.id] });
  };
  const sayChanged = useChangeToast();
  const onError = (error: Error) => notify(error.message, { type: 'error' });
  const undo = useMutation({
    mutationFn: (before: readonly OverviewEntry[]) =>
      storePeople(before.map(({ id, assigned }) => ({ id, assigned_to: assigned?.id ?? null }))),
    onSuccess: () => notify('The tests have who they had before.', { type: 'success' }),
    onError,
    onSettled: settle,
  });
  const store = useMutation({
    mutationFn: ({ entries, person }: { entries: readonly OverviewEntry[]; person: Person | null }) =>
      person === null
        ? storePeople(entries.map(({ id }) => ({ id, assigned_to: null })))
        : fetchApi(`/test-runs/${run.id}/assign`, {
            method: 'POST',
            json: { by: 'round_robin', users: [person.id], entries: entries.map(({ id }) => id) },
          }),
    onSuccess: (_, { entries, person }) => {
      const tests = entries.length === 1 ? 'One test was' : `${formatNumber(entries.length)} tests were`;
      const words = person === null ? `${tests} left to nobody.` : `${tests} assigned to ${person.title}.`;
      sayChanged(words, () => undo.mutate(entries));
    },
    onError,
    onSettled: settle,
  });
  return {
    isAssigning: store.isPending || undo.isPending,
    assign: (entries: readonly OverviewEntry[], person: Person | null) => store.mutate({ entries, person }),
  };
}

interface Person {
  readonly id: number;
  readonly title: string;
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { isGranted } from '../../src/engine/access/access-decision';
import type { Actor } from '../../src/engine/access/actor';
import { formatNumber } from '../../src/engine/formats/numbers';
import { reportError } from '../../src/app/data/ErrorToasts';
import { useChangeToast } from '../../src/app/commands/useChangeToast';
import { fetchApi } from '../../src/app/session/api';
import { withFieldErrors } from '../../src/app/session/apiError';
import type { OverviewEntry, OverviewRun } from './overviewApi';

/** The most records of one bulk call. */
const batch = 1_000;

/** The person who runs a test, and the version of the test that is changed. */
interface PersonChange {
  readonly id: number;
  readonly assigned_to: number | null;
  readonly updated_at?: string;
}

interface StoredTests {
  readonly data: { readonly updated: readonly { readonly id: number; readonly updated_at: string }[] };
}

/** Stores who runs tests, each test its own. Returns the versions after it by the tests' ids. */
async function storePeople(changes: readonly PersonChange[]): Promise<ReadonlyMap<number, string>> {
  const versions = new Map<number, string>();
  for (let start = 0; start < changes.length; start += batch) {
    const json = { update: changes.slice(start, start + batch) };
    const answer = await fetchApi<StoredTests>('/run-entries/bulk?fields=id,updated_at', { method: 'POST', json });
    for (const { id, updated_at } of answer.data.updated) versions.set(id, updated_at);
  }
  return versions;
}

/**
 * A function that assigns tests of a run to a person, or to nobody, and offers to take it back, unless somebody changed
 * them since.
 */
export function useAssign(run: OverviewRun) {
  const notify = useNotify();
  const queryClient = useQueryClient();
  const settle = () => {
    void queryClient.invalidateQueries({ queryKey: ['runner-entries', run.id] });
  };
  const notifyChange = useChangeToast();
  const onError = (error: Error) => reportError(withFieldErrors(error));
  const undo = useMutation({
    mutationFn: storePeople,
    onSuccess: () => notify('The tests have who they had before.', { type: 'success' }),
    onError,
    onSettled: settle,
  });
  const store = useMutation({
    mutationFn: ({ entries, person }: { entries: readonly OverviewEntry[]; person: Person | null }) =>
      storePeople(entries.map(({ id }) => ({ id, assigned_to: person?.id ?? null }))),
    onSuccess: (versions, { entries, person }) => {
      const tests = entries.length === 1 ? 'One test was' : `${formatNumber(entries.length)} tests were`;
      const words = person === null ? `${tests} left to nobody.` : `${tests} assigned to ${person.title}.`;
      const assignments = entries.map(({ id, assigned: assignee }) => ({
        id,
        assigned_to: assignee?.id ?? null,
        updated_at: versions.get(id),
      }));
      notifyChange(words, () => undo.mutate(assignments));
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

/** Whether an actor may assign tests of a run. */
export const mayAssignTests = (run: OverviewRun, actor: Actor): boolean =>
  run.state !== 'closed' && !actor.viewer && isGranted(actor, 'run-entries', 'edit');

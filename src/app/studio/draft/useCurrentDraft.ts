import { useQuery } from '@tanstack/react-query';
import { useDefinitions } from '../../data/DefinitionsContext';
import { draftKeys, fetchDraft } from './draftApi';
import { currentDraft, readSavedDraft, type SavedDraft } from './savedDraft';

/**
 * The user's draft of a module as it is when the component mounts: of the server or of this browser, whichever is
 * newer; without a connection of this browser. It is loading until the server has answered.
 */
export function useCurrentDraft(name: string): { current: SavedDraft | null; isLoading: boolean } {
  const { actor } = useDefinitions();
  const { data, error, isFetchedAfterMount } = useQuery({
    queryKey: draftKeys.own(name),
    queryFn: ({ signal }) => fetchDraft(name, signal),
    retry: false,
    staleTime: 0,
    gcTime: 0,
    networkMode: 'always',
    meta: { quiet: true },
  });
  const current = currentDraft(readSavedDraft(actor.id, name), error ? undefined : data);
  return { current, isLoading: !isFetchedAfterMount };
}

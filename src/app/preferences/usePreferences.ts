import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reportError } from '../data/ErrorToasts';
import type { Me } from '../data/definitionsApi';
import { useMe } from '../data/DefinitionsProvider';
import { useApi } from '../session/apiClient';
import { fetchApi } from '../session/api';
import { applyPreferences, type Preferences } from '../data/preferences';

const defaultPreferences: Preferences = { formats: null, week_start: null, density: null };
const key = ['me'];

/**
 * The preferences of the signed-in user. A change applies at once and is stored on the server, for all their browsers; if that
 * fails, it is taken back with a message.
 *
 * @example const { preferences, change } = usePreferences(); // change({ density: 'compact' })
 */
export function usePreferences(): { preferences: Preferences; change: (chosen: Partial<Preferences>) => void } {
  const preferences = useMe()?.preferences ?? defaultPreferences;
  const queryClient = useQueryClient();
  const ask = useApi();
  const show = async (next: Preferences) => {
    await applyPreferences(next);
    queryClient.setQueryData<Me>(key, (me) => me && { ...me, preferences: next });
  };
  const { mutate } = useMutation({
    mutationFn: async ({ changes }: Choice) => {
      await queryClient.cancelQueries({ queryKey: key });
      await fetchApi('/preferences', { method: 'PATCH', json: changes }, ask);
    },
    onMutate: ({ changes, previousPreferences }: Choice) => show({ ...previousPreferences, ...changes }),
    onError: (error, { previousPreferences }) => {
      void show(previousPreferences);
      reportError(new Error(`Your choice was not saved: ${error.message}`));
    },
  });
  return { preferences, change: (changes) => mutate({ changes, previousPreferences: preferences }) };
}

interface Choice {
  readonly changes: Partial<Preferences>;
  readonly previousPreferences: Preferences;
}

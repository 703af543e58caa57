import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reportError } from '../admin/ErrorToasts';
import type { Me } from '../admin/definitionsApi';
import { useMe } from '../admin/DefinitionsProvider';
import { useApi } from '../session/apiClient';
import { fetchApi } from '../session/api';
import { applyPreferences, type Preferences } from './preferences';

const usual: Preferences = { formats: null, week_start: null, density: null };
const key = ['me'];

/**
 * What the signed-in user prefers. A change applies at once and is stored on the server, for all their browsers; if that
 * fails, it is taken back with a message.
 *
 * @example const { preferences, change } = usePreferences(); // change({ density: 'compact' })
 */
export function usePreferences(): { preferences: Preferences; change: (chosen: Partial<Preferences>) => void } {
  const preferences = useMe()?.preferences ?? usual;
  const queryClient = useQueryClient();
  const ask = useApi();
  const show = async (next: Preferences) => {
    await applyPreferences(next);
    queryClient.setQueryData<Me>(key, (me) => me && { ...me, preferences: next });
  };
  const { mutate } = useMutation({
    mutationFn: async ({ chosen }: Choice) => {
      await queryClient.cancelQueries({ queryKey: key });
      await fetchApi('/preferences', { method: 'PATCH', json: chosen }, ask);
    },
    onMutate: ({ chosen, before }: Choice) => show({ ...before, ...chosen }),
    onError: (error, { before }) => {
      void show(before);
      reportError(new Error(`Your choice was not saved: ${error.message}`));
    },
  });
  return { preferences, change: (chosen) => mutate({ chosen, before: preferences }) };
}

interface Choice {
  readonly chosen: Partial<Preferences>;
  readonly before: Preferences;
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ColumnChoice } from '../../engine/lists/columns';
import { ApiError, fetchApi } from '../session/api';
import { useViewing } from '../session/viewedUser';
import { useApi, type ApiClient } from '../session/apiClient';

interface GridConfiguration {
  name: string;
  configuration: ColumnChoice[];
}

const path = '/grid-configurations';

async function fetchChoices(name: string, ask: ApiClient): Promise<ColumnChoice[] | null> {
  try {
    const answer = await fetchApi<{ data: GridConfiguration | null }>(
      `${path}?name=${encodeURIComponent(name)}`,
      {},
      ask,
    );
    return answer.data?.configuration.length ? answer.data.configuration : null;
  } catch (error) {
    // Nothing is stored yet.
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

export interface ColumnChoices {
  /** The user's choice; null: none yet. */
  choices: readonly ColumnChoice[] | null;
  /** The choice is loading. */
  pending: boolean;
  /** Applies a choice at once and stores it on the server; rejects and reverts if that fails. */
  save: (choices: ColumnChoice[]) => Promise<void>;
}

/**
 * The signed-in user's columns of a grid, stored on the server by the grid's name.
 *
 * @example const choices = useColumnChoices('tasks');
 */
export function useColumnChoices(name: string, enabled = true): ColumnChoices {
  const queryClient = useQueryClient();
  const isViewing = useViewing() !== null;
  const ask = useApi();
  const queryKey = ['grid-configurations', name];
  const { data, isPending } = useQuery({
    queryKey,
    queryFn: () => fetchChoices(name, ask),
    staleTime: Infinity,
    enabled,
    meta: { quiet: true },
  });
  const { mutateAsync } = useMutation({
    // While viewing as another user, choices are not stored.
    mutationFn: async (configuration: ColumnChoice[]) => {
      if (!isViewing) await fetchApi(path, { method: 'POST', json: { name, configuration } }, ask);
    },
    onMutate: (configuration) => {
      const choicesBefore = queryClient.getQueryData<ColumnChoice[] | null>(queryKey) ?? null;
      queryClient.setQueryData(queryKey, configuration);
      return choicesBefore;
    },
    onError: (_error, _configuration, choicesBefore) => queryClient.setQueryData(queryKey, choicesBefore ?? null),
  });
  return { choices: data ?? null, pending: isPending, save: mutateAsync };
}

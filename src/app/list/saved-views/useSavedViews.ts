import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useDataProvider, type RaRecord } from 'react-admin';
import { isGranted } from '../../../engine/access/access-decision';
import { realUser } from '../../../engine/access/actor';
import type { Definition, ViewSettings } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';
import { knownViews, rememberViews } from '../../preferences/knownViews';
import { ApiError } from '../../session/apiError';

/** A view that somebody saved: a record of the system's resource `views`. */
export interface SavedView extends RaRecord<number> {
  readonly name: string;
  readonly audience: 'me' | 'role' | 'everyone';
  readonly role_id: number | null;
  readonly pinned: boolean;
  readonly opens_first: boolean;
  readonly settings: ViewSettings;
  readonly created_by: number | null;
  readonly updated_at?: string;
}

const audiences = ['everyone', 'role', 'me'];

/**
 * The saved views of a list that the user may see; undefined until they are known.
 *
 * @example const { views = [] } = useSavedViews(definition);
 */
export function useSavedViews({ name, list }: Definition): {
  views: readonly SavedView[] | undefined;
  /** The id of the view that the list opens with: the user's own choice before that of the role and of everyone. */
  first: string | undefined;
  /** That which the user chose among those that are shared, or of the definition. */
  chosenKey: string | undefined;
  /** Whether there are any, or were when the list was opened last. */
  exist: boolean;
  /** They cannot be loaded, or the user has none. */
  failed: boolean;
} {
  const { registry, actor } = useDefinitions();
  const person = realUser(actor).id;
  const dataProvider = useDataProvider();
  const ask = useApi();
  const params = {
    pagination: { page: 1, perPage: 300 },
    sort: { field: 'name', order: 'ASC' as const },
    filter: { module: name },
  };
  const enabled = registry.get('views') !== undefined && isGranted(actor, 'views', 'list');
  const { data, isError } = useQuery({
    queryKey: ['views', 'getList', params],
    queryFn: ({ signal }) => dataProvider.getList<SavedView>('views', { ...params, signal }),
    enabled,
    meta: { quiet: true },
  });
  const hasSharedViews = data?.data.some(({ audience }) => audience !== 'me') === true || list.saved.length > 0;
  const choice = useQuery({
    // Read again with the views.
    queryKey: ['views', 'first', name],
    queryFn: async ({ signal }) =>
      (
        await fetchApi<{ data: { view: string | null } }>(
          `/first-view?${new URLSearchParams({ name })}`,
          { signal },
          ask,
        )
      ).data,
    enabled: enabled && hasSharedViews,
    retry: false,
    meta: { quiet: true },
  });
  // One's own choice decides which view is opened, so that it is known with the views.
  const views = hasSharedViews && choice.isPending ? undefined : data?.data;
  const chosenKey = choice.data?.view ?? undefined;
  const isKnown =
    chosenKey !== undefined &&
    (views?.some(({ id }) => String(id) === chosenKey) || list.saved.some((candidate) => candidate.name === chosenKey));
  const rank = ({ audience, updated_at }: SavedView) => `${audiences.indexOf(audience)}${updated_at ?? ''}`;
  const candidates = views
    ?.filter((view) => view.opens_first)
    .sort((left, right) => (rank(left) < rank(right) ? 1 : -1));
  const first = isKnown ? chosenKey : candidates?.[0] && String(candidates[0].id);
  useEffect(() => {
    if (views) rememberViews(person, name, views.length > 0 ? (first ?? '') : null);
  }, [first, name, person, views]);
  return {
    views,
    first,
    chosenKey: isKnown ? chosenKey : undefined,
    failed: isError || !enabled,
    exist: views ? views.length > 0 : knownViews(person, name) !== null,
  };
}

/** An error of a change of a view, which says so where there is no such view any more. */
export function viewError(error: Error): Error {
  if (!(error instanceof ApiError) || error.status !== 404) return error;
  return new ApiError(404, 'This view was deleted, or is no longer shared with you.');
}

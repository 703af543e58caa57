import { useEffect } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { formatListState, parseListState } from '../../../engine/lists/list-state';
import { openView } from '../../../engine/lists/saved-views';
import { useDefinitions } from '../../data/DefinitionsContext';
import { SkeletonRows } from '../../states/SkeletonRows';
import { useListAddress } from '../../navigation/listAddress';
import { useSavedViews } from './useSavedViews';

interface SavedViewLinkProps {
  definition: Definition;
  /** The id of a saved view, or the name of one of the definition. */
  viewId: string;
}

/**
 * Opens the list that a link to a view stands for. Where the view is not to be seen, the list is opened without it; the
 * bar of views says so.
 */
export function SavedViewLink({ definition, viewId }: SavedViewLinkProps) {
  const { actor } = useDefinitions();
  const { search, change } = useListAddress();
  const { views, failed } = useSavedViews(definition);
  const defined = definition.list.saved.find(({ name }) => name === viewId);
  const linkedView = defined ?? views?.find(({ id }) => String(id) === viewId);
  const isKnown = linkedView !== undefined || views !== undefined || failed;
  useEffect(() => {
    if (!isKnown) return;
    const { state } = openView(viewId, linkedView?.settings ?? {}, definition, actor);
    const { q, page } = parseListState(new URLSearchParams(search), definition);
    const next = new URLSearchParams(formatListState({ ...state, q, page }, definition));
    change(`?${next}`, { replace: true });
  }, [actor, definition, linkedView, isKnown, change, viewId, search]);
  return <SkeletonRows />;
}

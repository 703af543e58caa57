import { useCallback, useMemo, useState } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { parseListState, formatListState, type ListState } from '../../../engine/lists/list-state';
import type { ChangeList } from '../../list/useListState';

/**
 * The state of a list whose definition changes: stored as query parameters, so that it is always valid for the current
 * definition.
 */
export function useLocalListState(definition: Definition): [ListState, ChangeList] {
  const [entries, setEntries] = useState<readonly [string, string][]>([]);
  const state = useMemo(() => parseListState(entries, definition), [definition, entries]);
  const change = useCallback<ChangeList>(
    (make) =>
      setEntries((entriesBefore) => formatListState(make(parseListState(entriesBefore, definition)), definition)),
    [definition],
  );
  return [state, change];
}

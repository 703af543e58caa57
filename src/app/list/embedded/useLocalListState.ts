import { useCallback, useState } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { parseListState, type ListState } from '../../../engine/lists/list-state';
import type { ChangeList } from '../useListState';

/** The state of an embedded list: local, not in the address. */
export function useLocalListState(definition: Definition): [ListState, ChangeList] {
  const [state, setState] = useState(() => parseListState([], definition));
  return [state, useCallback<ChangeList>((make) => setState(make), [])];
}

import { useCallback, useState } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { readListState, type ListState } from '../../../engine/lists/list-state';
import type { ChangeList } from '../useListState';

/** The state of an embedded list: local, not in the address. */
export function useOwnListState(definition: Definition): [ListState, ChangeList] {
  const [state, setState] = useState(() => readListState([], definition));
  return [state, useCallback<ChangeList>((make) => setState(make), [])];
}

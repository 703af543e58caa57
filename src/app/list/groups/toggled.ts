import type { ListState } from '../../../engine/lists/list-state';

/** The state with a group closed, or opened if it was closed. */
export function toggled({ closed: closedKeys = [], ...state }: ListState, key: string): ListState {
  const next = closedKeys.includes(key) ? closedKeys.filter((closedKey) => closedKey !== key) : [...closedKeys, key];
  return { ...state, ...(next.length > 0 && { closed: next }) };
}

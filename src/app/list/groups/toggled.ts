import type { ListState } from '../../../engine/lists/list-state';

/** The state with a group closed, or opened if it was closed. */
export function toggled({ closed = [], ...state }: ListState, key: string): ListState {
  const next = closed.includes(key) ? closed.filter((one) => one !== key) : [...closed, key];
  return { ...state, ...(next.length > 0 && { closed: next }) };
}

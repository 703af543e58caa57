import { useReducer } from 'react';
import { realUser } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import { isSavedView, type ListState, type ListView } from '../../engine/lists/list-state';
import { useDefinitions } from '../data/DefinitionsContext';
import { rememberedView, rememberView } from '../preferences/rememberedScreens';
import type { ChangeList } from './useListState';
import { viewOf } from './views';

/** How a list is shown, what a saved view of it keeps, and a function to show it otherwise. */
export interface ShownView {
  readonly view: ListView;
  readonly keptView: ListView;
  readonly choose: (view: ListView) => void;
}

/**
 * The view in which a list is shown: that of its address, else what the user chose last on such a screen. On a phone the
 * grid of a saved view is shown as cards unless the user chose the grid there, and cards are kept as the grid that they
 * replace.
 */
export function useShownView(
  definition: Definition,
  state: ListState,
  change: ChangeList,
  isPhone: boolean,
): ShownView {
  const person = realUser(useDefinitions().actor).id;
  const [, showChoice] = useReducer((count: number) => count + 1, 0);
  const viewOnDevice = (onPhone: boolean) => rememberedView(person, definition.name, onPhone);
  const isGridOfView = isPhone && isSavedView(state) && state.view === 'list';
  const requestedView = isGridOfView && viewOnDevice(true) !== 'list' ? 'cards' : (state.view ?? viewOnDevice(isPhone));
  const view = viewOf(requestedView, definition, isPhone);
  const defaultView = isPhone && view === 'cards' ? viewOf(viewOnDevice(false), definition, false) : view;
  return {
    view,
    keptView: state.view ?? defaultView,
    choose: (nextView) => {
      const isOfDevice = isGridOfView && (nextView === 'list' || nextView === 'cards');
      if (!isSavedView(state) || isOfDevice) rememberView(person, definition.name, nextView, isPhone);
      if (isOfDevice) return showChoice();
      // The address that Back leads to says how the list was shown, as the choice is remembered from now on.
      if (!isSavedView(state)) change((current) => ({ ...current, view: current.view ?? view }), { replace: true });
      change((current) => ({ ...current, view: nextView }));
    },
  };
}

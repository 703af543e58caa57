import type { Definition } from '../../engine/definitions/definition';
import type { ListView } from '../../engine/lists/list-state';

/** A view of a list. */
export interface ViewChoice {
  readonly view: ListView;
  readonly label: string;
  /** One of `iconNames`. */
  readonly icon: string;
}

/** The views that a list offers; empty if there is only one. Phones always have cards. */
export function viewChoices({ list }: Definition, isPhone: boolean): readonly ViewChoice[] {
  const allChoices: readonly ViewChoice[] = [
    { view: 'list', label: 'List', icon: 'list' },
    { view: 'cards', label: 'Cards', icon: 'cards' },
    { view: 'kanban', label: list.kanban?.label ?? 'Board', icon: 'kanban' },
    { view: 'calendar', label: list.calendar?.label ?? '', icon: 'calendar' },
    { view: 'timeline', label: list.timeline?.label ?? '', icon: 'timeline' },
    { view: 'gallery', label: list.gallery?.label ?? '', icon: 'image' },
  ];
  const choices = allChoices.filter(
    ({ view }) =>
      (list.views.includes(view) && (view === 'list' || view === 'cards' || list[view])) ||
      (isPhone && view === 'cards'),
  );
  return choices.length > 1 ? choices : [];
}

/** The chosen view if the list has it; else the grid, or cards on a phone. */
export function viewOf(chosenView: ListView | null, definition: Definition, isPhone: boolean): ListView {
  const defaultView = isPhone ? 'cards' : 'list';
  return viewChoices(definition, isPhone).find(({ view }) => view === chosenView)?.view ?? defaultView;
}

/** Whether a view shows more than a page of the list's records. */
export function isUnpaged(view: ListView): boolean {
  return view === 'kanban' || view === 'calendar' || view === 'timeline';
}

/** Whether a view shows records in the order of the list; days have their own. */
export function isSorted(view: ListView): boolean {
  return view !== 'calendar' && view !== 'timeline';
}

/** Whether a view shows the groups of a grouped list. */
export function showsGroups(view: ListView): boolean {
  return view === 'list' || view === 'cards';
}

import type { BuiltInView, Definition } from '../../engine/definitions/definition';
import { isBuiltInView, type ListView } from '../../engine/lists/list-state';
import { productViewOf } from './productViews';

/** A view of a list. */
export interface ViewChoice {
  readonly view: ListView;
  readonly label: string;
  /** One of `iconNames`. */
  readonly icon: string;
}

/** The views that a list offers; empty if there is only one. Phones always have cards. */
export function viewChoices({ list }: Definition, isPhone: boolean): readonly ViewChoice[] {
  const allChoices: readonly (ViewChoice & { readonly view: BuiltInView })[] = [
    { view: 'list', label: 'List', icon: 'list' },
    { view: 'cards', label: 'Cards', icon: 'cards' },
    { view: 'kanban', label: list.kanban?.label ?? 'Board', icon: 'kanban' },
    { view: 'calendar', label: list.calendar?.label ?? '', icon: 'calendar' },
    { view: 'timeline', label: list.timeline?.label ?? '', icon: 'timeline' },
    { view: 'gallery', label: list.gallery?.label ?? '', icon: 'image' },
  ];
  const choices: ViewChoice[] = allChoices.filter(
    ({ view }) =>
      (list.views.includes(view) && (view === 'list' || view === 'cards' || list[view])) ||
      (isPhone && view === 'cards'),
  );
  for (const view of list.views)
    if (!isBuiltInView(view)) choices.push({ view, label: view, icon: 'warning', ...productViewOf(view) });
  return choices.length > 1 ? choices : [];
}

/** The chosen view if the list has it; else the grid, or cards on a phone, or the only one that it has. */
export function viewOf(chosenView: string | null, definition: Definition, isPhone: boolean): ListView {
  const [onlyView, ...otherViews] = definition.list.views;
  const isAlone = onlyView !== undefined && otherViews.length === 0 && !isBuiltInView(onlyView);
  const defaultView = isPhone ? 'cards' : isAlone ? onlyView : 'list';
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

import type { Draft, Pane } from './draft';

/** An error of the draft, with its place. */
export interface PlacedError {
  readonly path: string;
  readonly message: string;
}

/** The parts of a module besides its fields: the place of each, and the keys of the definition that it shows. */
export const moduleParts: readonly { place: string; label: string; icon: string; holds: readonly string[] }[] = [
  {
    place: '/labels',
    label: 'Module',
    icon: 'settings',
    holds: [
      '/labels',
      '/description',
      '/menu',
      '/scope',
      '/recordTitle',
      '/chip',
      '/choices',
      '/history',
      '/comments',
      '/archive',
      '/name',
    ],
  },
  { place: '/titles', label: 'Titles and texts', icon: 'text', holds: ['/titles', '/toasts', '/delete'] },
  { place: '/list/filters', label: 'Filters', icon: 'filter', holds: ['/list/filters'] },
  { place: '/list/card', label: 'Card', icon: 'cards', holds: ['/list/card'] },
  {
    place: '/list/tabs',
    label: 'Tabs and views',
    icon: 'template',
    holds: ['/list/tabs', '/list/saved'],
  },
  { place: '/list/charts', label: 'Charts', icon: 'bar-chart', holds: ['/list/charts'] },
  { place: '/list/kanban', label: 'Board', icon: 'kanban', holds: ['/list/kanban'] },
  {
    place: '/list/calendar',
    label: 'Calendar, timeline, gallery',
    icon: 'calendar',
    holds: ['/list/calendar', '/list/timeline', '/list/gallery'],
  },
  {
    place: '/validate',
    label: 'Checks, import, export',
    icon: 'check',
    holds: [
      '/validate',
      '/unique',
      '/noOverlap',
      '/import',
      '/export',
      '/exports',
      '/print',
      '/public',
      '/copy',
      '/indexes',
      '/parameters',
    ],
  },
  { place: '/automations', label: 'Automations', icon: 'play', holds: ['/automations'] },
  { place: '/requests', label: 'Requests and actions', icon: 'arrow-right', holds: ['/requests', '/list/actions'] },
  { place: '/list/columns', label: 'List', icon: 'columns', holds: ['/list'] },
  { place: '/form/sections', label: 'Form', icon: 'list-check', holds: ['/form'] },
  { place: '/page', label: 'Page of a record', icon: 'panel', holds: ['/page'] },
  { place: '/rules', label: 'Rules and grants', icon: 'shield', holds: ['/rules', '/grants'] },
];

/** The order of the parts in the list. */
export const partOrder = [
  '/labels',
  '/titles',
  '/list/columns',
  '/list/filters',
  '/list/card',
  '/list/tabs',
  '/list/charts',
  '/list/kanban',
  '/list/calendar',
  '/form/sections',
  '/page',
  '/requests',
  '/validate',
  '/automations',
  '/rules',
];

const isAtOrBelow = (path: string, within: string) => path === within || path.startsWith(`${within}/`);

/** The part that shows a path; undefined if none does. */
export function partAt(path: string) {
  return moduleParts.find(({ holds }) => holds.some((key) => isAtOrBelow(path, key)));
}

/** The place and the pane where a path is edited. */
export function placeAndPane(path: string): [place: string, face: Pane] {
  const field = /^\/fields\/[^/]+/.exec(path);
  if (field) return [field[0], 'properties'];
  const part = partAt(path);
  return part ? [part.place, 'properties'] : [path, 'json'];
}

/** Whether a path is at a place or below it. */
export function isWithin(path: string, place: string): boolean {
  return isAtOrBelow(path, place);
}

type ValidatedDraft = Pick<Draft, 'unreadable' | 'plan' | 'planError' | 'module'>;

/** The draft's errors: those of the plan, or the parse error of its text. */
export function draftErrors({ unreadable, plan, planError, module }: ValidatedDraft): readonly PlacedError[] {
  if (unreadable) return [{ path: '', message: `Line ${unreadable.line}: ${unreadable.message}` }];
  if (planError) return [];
  return (plan?.errors ?? []).filter((error) => error.module === undefined || error.module === module.name);
}

/** The errors that publishing the draft would cause in other modules. */
export function errorsInOtherModules({ unreadable, plan, module }: ValidatedDraft) {
  if (unreadable) return [];
  return (plan?.errors ?? []).filter((error) => error.module !== undefined && error.module !== module.name);
}
